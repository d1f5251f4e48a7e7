// A machine whose cylinders are led to lengths by their levers.
#pragma once

#include "machines/results/arm.h"

namespace bristle::machines {

class Operated {
  public:
    // Throws InputError if a cylinder has no lever.
    Operated(const Model&, PartsFound, const Settings&);
    World& world() { return world_; }
    const World& world() const { return world_; }
    const PartsFound& parts() const { return parts_; }

    double length(size_t cylinder) const {
        return world_.coordinate(parts_.cylinders[cylinder].joint);
    }
    void lever(size_t cylinder, double value) {
        parts_.cylinders[cylinder].lever->command(world_, value);
    }
    void let_go();  // all levers
    void run(double seconds) { world_.advance_to(world_.time() + seconds); }
    // All cylinders at once, as near as valves with a dead band come; false if it takes longer than that.
    bool lead(const Lengths&, double most = 40);
    // Full lever until the cylinder is so long, from the side it is on: s it took, or NaN.
    double time_to(size_t cylinder, double length, double most = 40);

  private:
    PartsFound parts_;
    World world_;
};

}  // namespace bristle::machines
