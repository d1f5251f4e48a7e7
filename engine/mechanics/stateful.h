// A stateful force in a step of either solver: what its law is asked, what it answered, and what the state keeps of it.
//
// Of every force the state has, one after the other:
//
//   inputs      as they were commanded
//   memory      the law's own
//   efforts     mean of the last step: of every joint, then of every point as a vector of the world
//   shares      the same, as far as they are in the accelerations of this state (augmented Lagrangian; the others leave it)
//   places      where every point acts, world
#pragma once

#include <bristle/model.h>

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::mechanics {

// Where its numbers are in the memory of the state.
class StatefulLayout {
  public:
    StatefulLayout(const StatefulForce&, uint32_t first_memory);

    size_t joints() const { return joints_; }
    size_t points() const { return points_; }
    size_t ways() const { return joints_ + 3 * points_; }

    static uint32_t memory_size(const StatefulForce&);
    uint32_t first_memory() const { return first_; }
    // `All` is a list of numbers, constant or not, and so are they.
    template <class All> auto inputs(All& all) const { return part(all, 0, inputs_); }
    template <class All> auto memory(All& all) const { return part(all, inputs_, memory_); }
    template <class All> auto efforts(All& all) const {
        return part(all, inputs_ + memory_, ways());
    }
    template <class All> auto shares(All& all) const {
        return part(all, inputs_ + memory_ + ways(), ways());
    }
    template <class All> auto places(All& all) const {
        return part(all, inputs_ + memory_ + 2 * ways(), 3 * points());
    }

  private:
    template <class All> auto part(All& all, size_t first, size_t count) const {
        return std::span(all.data() + first_ + first, count);
    }
    uint32_t first_;
    size_t inputs_, memory_, joints_, points_;
};

class StatefulStep : public StatefulLayout {
  public:
    StatefulStep(const StatefulForce&, uint32_t first_memory);

    const StatefulLaw& law() const { return *force_.law; }
    const StatefulForce& force() const { return force_; }
    void start_memory(std::vector<double>& all) const;

    // A step begins: where ways are then is filled in by the solver, aims before it.
    std::vector<PointAim> aims;
    std::vector<double> start, start_rate, end, end_rate;
    // Asks the law. The lists below are its answer.
    void ask(double time, double step, const std::vector<double>& all);
    std::vector<double> memory_after, effort, stiffness, damping;
    std::vector<double> inputs_then;  // commanded, or of that time
    // How the effort of way i falls when way j is as much faster, and farther by `way_per_rate` of that.
    double resistance(size_t i, size_t j, double way_per_rate) const {
        return damping[i * ways() + j] + way_per_rate * stiffness[i * ways() + j];
    }
    // The answer as a force of the world, of a point.
    Vec3 force_at(size_t point) const;
    bool is_finite() const;
    // What the law answered last goes into the state, with these efforts, and where points are at the end.
    void keep(std::span<const double> efforts_of_ways, std::span<const Vec3> places_of_points,
              std::vector<double>& all) const;

  private:
    StatefulForce force_;
};

}  // namespace bristle::mechanics
