// What an excavator does on its feet: standing firm, reaching, digging along a line, carrying, dumping, levelling, pulling itself up.
//
// Lines to dig lie in the arm's plane at an angle of the swing; heights are those of the world.
#pragma once

#include "machines/operator/manoeuvre.h"
#include "machines/operator/tip.h"

#include <functional>
#include <optional>

namespace bristle::machines {

// m, world: of the ground, loads and all, under a place.
double ground_at(const World&, double x, double y);
// m: of a profile, heights (z) by reach (x, rising); beyond its ends that of the end.
double height_of(const std::vector<InPlane>& profile, double reach);

// The way to an angle of the swing over lower things, if the shorter one leads over something high.
struct SwingWay {
    double sign = 1;              // left or right
    double highest = -unlimited;  // m, world: what lies below it
    double left(const Senses&, double angle) const;
};
SwingWay swing_way(const Seat&, double angle, double reach);

// Blade and outriggers down until the wheels carry nothing (firm), or as far as they touch; or up.
class Support : public Manoeuvre {
  public:
    enum class How : uint8_t { wheels_off, wheels_loaded, retracted };
    explicit Support(How, double patience = 30);

  protected:
    Progress go(const Seat&) override;

  private:
    How how_;
    double settled_since_ = -1;
};

// The teeth at a pose, the arm swung; each as fast as it can.
class Reach : public Manoeuvre {
  public:
    Reach(std::optional<double> swing, const TipPose&, double tolerance = 0.02,
          double patience = 30);

  protected:
    Progress go(const Seat&) override;

  private:
    std::optional<double> swing_;
    TipPose pose_;
    double tolerance_;
};

// The teeth along a line of the world; the swing stays as it is.
class Follow : public Manoeuvre {
  public:
    Follow(std::string name, std::vector<TipPath::Knot> knots, double patience = 60);
    double error() const { return path_.error(); }
    double worst_error() const { return worst_; }

  protected:
    Progress go(const Seat&) override;

  private:
    TipPath path_;
    std::optional<ArmServo> servo_;
    double worst_ = 0, moved_way_ = 0, moved_time_ = -1;
};

// A pass: the bucket goes in at `far`, along the ground towards the machine as deep as it may, is curled and lifted.
class Dig : public Manoeuvre {
  public:
    struct Line {
        double swing = 0;                   // rad
        double far = 7, near = 4.5;         // m: reach of the teeth
        double cut = 0.3;                   // m: below the ground as it is …
        double floor = -1;                  // m, world: … but not below this,
        std::vector<InPlane> profile = {};  // or this: heights of the world by reach
        double wanted = unlimited;          // kg: then it is curled
        double carry = 1.5;                 // m: how high it is lifted above the ground
    };
    explicit Dig(const Line&, double patience = 45);
    std::string phase() const override;
    // What it lifted, kg, and how often the ground was too hard for the line.
    double load() const { return load_; }
    int raised() const { return raised_; }

  protected:
    Progress go(const Seat&) override;

  private:
    enum class Phase : uint8_t { approach, cut, curl, lift };
    void begin_cut(const Seat&);
    Progress cut(const Seat&);
    bool curl(const Seat&) const;

    Line line_;
    Phase phase_ = Phase::approach;
    std::optional<TipPath> path_;
    std::optional<ArmServo> servo_;
    std::optional<double> from_;  // rad: where it swings from, …
    SwingWay round_;              // … and which way round
    double load_ = 0, phase_begin_ = -1, stuck_since_ = -1, lean_ = 0;
    int raised_ = 0;
};

// Lifts what is in the bucket over a place, empties it there, and closes it for the way back.
class Dump : public Manoeuvre {
  public:
    struct Target {
        Vec3 over;  // world: the load falls here
        double clear =
            0.5;  // m, world: nothing of the bucket lower than this on the way, nor over the place
    };
    explicit Dump(const Target&, double patience = 40);
    std::string phase() const override;
    double dumped() const { return dumped_; }  // kg

    // Over the place, closed and open.
    struct Poses {
        double swing = 0;
        std::vector<TipPose> way = {};  // from closed to open
    };
    static std::optional<Poses> poses(const Excavator&, const Senses&, const Target&);

  protected:
    Progress go(const Seat&) override;

  private:
    Progress open(const Seat&);
    enum class Phase : uint8_t { carry, open };
    Target target_;
    Phase phase_ = Phase::carry;
    std::optional<SwingWay> round_;
    std::optional<TipPath> path_;
    std::optional<ArmServo> servo_;
    double open_since_ = -1, load_before_ = 0, dumped_ = 0;
};

}  // namespace bristle::machines
