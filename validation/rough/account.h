// Looks at a world after every step, from outside, and keeps the books of a run. docs/rough.md says how energy is counted.
#pragma once

#include "validation/rough/case.h"
#include "validation/rough/result.h"

#include <array>

namespace bristle::validation::rough {

// The work that drives, motors and forces of the user's put in.
class Work {
  public:
    explicit Work(const World&);
    void update(const World&, double step);
    double by_end() const { return by_end_; }    // effort at the end of the step times the way
    double by_mean() const { return by_mean_; }  // mean of the efforts at both ends
    double at_most() const { return at_most_; }  // the most it can have been

  private:
    struct Source {
        JointId joint;
        uint32_t index;  // of the drive or motor
        bool is_motor;
        double strongest;  // N or N m
        double coordinate, rate, effort, work = 0;
    };
    double effort(const World&, const Source&) const;
    static double most(const Source& before, const Source& after);
    double power_of_users(const World&) const;

    std::vector<Source> sources_;
    double user_power_ = 0;
    double by_end_ = 0, by_mean_ = 0, at_most_ = 0;
};

// How far the sides of joints are apart, in metres, from where bodies are.
class JointGaps {
  public:
    explicit JointGaps(const Model&);
    struct Gap {
        double distance = 0;
        uint32_t joint = 0;
    };
    Gap worst(const World&) const;

  private:
    struct Side {
        uint32_t joint;
        JointType type;
        BodyId a, b;
        Vec3 at_a, at_b, axis;  // in the bodies' frames
        double length;
    };
    std::vector<Side> sides_;
};

// How far the energy rose above the least it was.
class Rise {
  public:
    void add(double energy, double time);
    double largest() const { return largest_; }
    double time() const { return time_; }

  private:
    // An impact of a rigid body takes its energy in one step and gives it back in the next; in between it is in nobody's
    // books. So a low counts if it lasts this many steps.
    static constexpr size_t lasting = 3;
    std::array<double, lasting> last_{};
    size_t count_ = 0;
    double lowest_ = unlimited, largest_ = 0, time_ = 0;
};

class Account {
  public:
    Account(const Case&, const World&, Result&);
    // False: there is no sense in going on.
    bool after_step(const World&, double seconds);
    void close(const World&);

  private:
    void look_at_energy(const World&);
    void look_at_contacts(const World&, const std::vector<Contact>&);
    bool look_at_motion(const World&);
    void look_for_bodies_behind_surfaces(const World&);
    double lifting_energy(const World&) const;
    std::string name(BodyId) const;

    const Case& case_;
    Result& result_;
    Work work_;
    JointGaps gaps_;
    Rise by_end_, by_mean_, at_least_;
    struct Solid {
        Vec3 size{unlimited, unlimited, unlimited};  // m: of the bounding box; unlimited: no shape
        Vec3 centre;                                 // of that box, in the body
        double wall = 0;  // m: thinnest part of what may be hollow; 0: it is not
        bool has_shape() const { return size.x < unlimited; }
    };
    double extent(const World&, BodyId, Vec3 along) const;
    bool is_as_stiff_as_given(const Contact&) const;
    std::vector<Solid> solids_;         // of every body
    std::vector<bool> is_fixed_solid_;  // of every shape
    double highest_total_ = -unlimited, lowest_potential_ = unlimited, lifting_ = 0;
    std::vector<float> step_seconds_;
    uint64_t steps_ = 0;
};

}  // namespace bristle::validation::rough
