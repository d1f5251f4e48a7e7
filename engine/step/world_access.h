// What analyses may see of a World. Ids of the System are not those of the user's model; the maps tell.
#pragma once

#include <bristle/world.h>

#include "lagrange/solver.h"

#include <vector>

namespace bristle {

struct WorldAccess {
    static const lagrange::System& system(const World&);
    static const state::State& state(const World&);
    static lagrange::Solver& solver(World&);
    // Puts the world into another state; what was read from the old one is forgotten.
    static void set_state(World&, const state::State&);

    // The user's id of every body, joint and drive of the System.
    static std::vector<BodyId> body_ids(const World&);
    static std::vector<JointId> joint_ids(const World&);
    static std::vector<DriveId> drive_ids(const World&);
};

}  // namespace bristle
