// What a World is made of, for the files that implement it.
#pragma once

#include <bristle/world.h>

#include "lagrange/reactions.h"
#include "lagrange/solver.h"
#include "state/state.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace bristle {

struct World::Impl {
    Settings settings;
    System system;
    Solver solver;
    State state;
    std::unique_ptr<ReactionSolver> reaction_solver;
    std::vector<Reaction> reactions;
    bool reactions_are_current = false;
    std::vector<Pose> poses;
    std::vector<Twist> twists;
    bool poses_are_current = false, twists_are_current = false;

    // The state is no longer what was read from it.
    void forget() { reactions_are_current = poses_are_current = twists_are_current = false; }

    Impl(const Model&, const Settings&);
    ReactionSolver& equilibrium() {
        if (!reaction_solver) reaction_solver = std::make_unique<ReactionSolver>(system);
        return *reaction_solver;
    }
    const Vec4* q() const { return state.position.data(); }
    const Vec4* v() const { return state.velocity.data(); }

    const Joint& joint(JointId id) const {
        if (id.index >= system.model.joints().size())
            throw InputError(fmt::format("joint id {} is not of this model", id.index));
        return system.model.joints()[id.index];
    }
    struct Placements;
    Placements placements() const;

    const Shape& shape(ShapeId id) const {
        if (id.index >= system.model.shapes().size())
            throw InputError(fmt::format("shape id {} is not of this model", id.index));
        return system.model.shapes()[id.index];
    }
    const Body& body(BodyId id) const {
        if (id.index >= system.model.bodies().size())
            throw InputError(fmt::format("body id {} is not of this model", id.index));
        return system.model.bodies()[id.index];
    }
};

}  // namespace bristle
