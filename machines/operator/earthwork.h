// Work with the bucket that follows a drawing: a bottom that is level or slopes, a trench to a profile; and the arm as a leg.
#pragma once

#include "machines/operator/work.h"

#include <memory>
#include <vector>

namespace bristle::machines {

// Draws the bucket over the ground at a height, its floor nearly flat.
class Level : public Manoeuvre {
  public:
    struct Line {
        double swing = 0;                        // rad
        double far = 7, near = 4.5;              // m, reach
        double far_height = 0, near_height = 0;  // m, world
        double speed = 0.6;                      // m/s
    };
    explicit Level(const Line&, double patience = 60);
    double worst_error() const { return worst_; }  // m, of the teeth while they level

  protected:
    Progress go(const Seat&) override;

  private:
    Line line_;
    std::optional<TipPath> path_;
    std::optional<ArmServo> servo_;
    double worst_ = 0, moved_way_ = 0, moved_time_ = 0;
};

// Digs along one line until the ground there is a profile, and heaps up beside what comes out.
class Trench : public Manoeuvre {
  public:
    struct Plan {
        double swing = 0;             // rad
        std::vector<InPlane> bottom;  // by reach (x, m, rising): height of the world (z, m)
        Dump::Target heap;
        double cut = 0.3;         // m, of a pass
        double tolerance = 0.08;  // m: what is higher is dug again
        int most_passes = 60;
    };
    explicit Trench(Plan, double patience = 1800);
    std::string phase() const override;
    int passes() const { return passes_; }

  protected:
    Progress go(const Seat&) override;

  private:
    Progress begin_pass(const Seat&);

    Plan plan_;
    std::unique_ptr<Manoeuvre> now_;
    enum class Phase : uint8_t { look, dig, dump, level };
    Phase phase_ = Phase::look;
    int passes_ = 0;
    bool is_levelled_ = false;
};

// Up a step that the wheels alone do not climb. Teeth on the ground ahead, the boom lifts the nose, the stick pulls while the wheels
// drive; when the front is up and the rear wheels stand before the step, the same behind: the boom lifts the tail, the stick pushes off.
class PullUp : public Manoeuvre {
  public:
    explicit PullUp(double way, double patience = 180);  // m, ahead
    std::string phase() const override;
    int pulls() const { return pulls_; }

  protected:
    Progress go(const Seat&) override;

  private:
    enum class Phase : uint8_t { plant, press, pull, lift };
    void turn_to(Phase, const Seat&);

    double way_;
    std::optional<Vec3> begin_at_;
    Phase phase_ = Phase::plant;
    double phase_begin_ = 0, come_ = 0;
    int pulls_ = 0;
    bool is_behind_ = false;
};

}  // namespace bristle::machines
