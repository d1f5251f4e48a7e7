// What a World computes with until its model changes or bodies are taken out (spec A13).
//
// A *recipe* is the user's model, with bodies and joints where they were when it was made, and who takes no
// part. From it follow the compact model, its equations and their solver: always the same, so a snapshot
// needs only the recipe and the state. A change makes a new recipe from the present state, and what both
// have in common is carried over:
//
//   positions, velocities   by the bodies' poses and twists
//   counted angles          by Joint::start_angle
//   drives, limits, motors  what they remember, by id
//   contacts                what they remember, by shape; strains in world axes meanwhile
//   accelerations, forces   solved anew: they follow from the rest
#pragma once

#include "lagrange/classic.h"
#include "lagrange/islands.h"
#include "lagrange/reactions.h"
#include "lagrange/solver.h"
#include "model/compact.h"
#include "state/state.h"

#include <algorithm>
#include <memory>

namespace bristle::step {

// A contact that does not depend on the numbers of colliders and bodies.
struct CarriedContact {
    ShapeId a, b;
    uint32_t part_a, part_b;      // of a compound
    state::ContactMemory memory;  // vectors in world axes
};

struct Recipe {
    Model model;
    std::vector<bool> taken_out;                   // of every body
    std::vector<CarriedContact> resting_contacts;  // of those …
    std::vector<Reaction> resting_reactions;       // … and of their joints, by joint
    bool is_whole() const {
        return std::find(taken_out.begin(), taken_out.end(), true) == taken_out.end();
    }
};

class Revision {
  public:
    // The equations are made with the first settings, and stepped as the second ones say.
    Revision(std::shared_ptr<const Recipe>, const AugmentedLagrangian&, const Settings&,
             std::shared_ptr<collision::MeshTrees>, const state::Terrain&);

    const std::shared_ptr<const Recipe> recipe;
    model::CompactModel compact;
    lagrange::System system;
    lagrange::Solver solver;
    std::unique_ptr<lagrange::ClassicSolver> classic;  // of other formulations …
    std::unique_ptr<lagrange::Islands> islands;        // … and of the augmented Lagrangian

    state::State started();
    // Whether a state that came as bytes can be one of this: what is asked for by number is there, and places and motions are finite.
    bool may_hold(const state::State&) const;
    void step(state::State&);
    lagrange::ReactionSolver& equilibrium();

    // The model as it is in this state.
    Model model_at(const state::State&) const;
    // Contacts of this state and of those at rest.
    std::vector<CarriedContact> contacts_of(const state::State&) const;
    // The state that goes on from another revision's.
    state::State continued(const Revision& from, const state::State& state,
                           const std::vector<CarriedContact>& contacts);

  private:
    void carry_memory(const Revision& from, const state::State& before, state::State& state,
                      std::vector<bool>& is_known) const;
    void carry_stateful(const Revision& from, uint32_t then, uint32_t now,
                        const state::State& before, state::State& state) const;
    std::unique_ptr<lagrange::ReactionSolver> equilibrium_;
};

}  // namespace bristle::step
