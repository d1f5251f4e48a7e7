// Forces at the edge of a bucket after ISO 6015: one cylinder under working pressure, the others hold as far as they can, no weights,
// no friction.
#pragma once

#include "machines/results/arm.h"

#include <string>
#include <vector>

namespace bristle::machines {

struct ToolForce {
    size_t cylinder = 0;
    double force = 0;       // N, along the way of the edge
    double alone = 0;       // N: if the other cylinders held everything; greatest elsewhere, maybe
    std::string gives_way;  // which cylinder limits it: itself, or one that holds
    Lengths lengths{};      // of the cylinders where it is greatest
};

// Of bucket and stick. Each where it is greatest, wherever the cylinders before it are; the stick's with the bucket where its own is.
std::vector<ToolForce> breakout_forces(Arm&);

// The pull of a rope along the way of the edge, with everything else held, once oil has come to rest.
double simulated_pull(const Model&, const PartsFound&, const Settings&, size_t cylinder,
                      const Lengths&);

}  // namespace bristle::machines
