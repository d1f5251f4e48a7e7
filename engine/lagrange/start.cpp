// The first state, and one that goes on from another: velocities on the constraints, accelerations and multipliers in equilibrium.
#include "lagrange/kinematics.h"
#include "lagrange/reactions.h"
#include "lagrange/solver.h"

#include <algorithm>

namespace bristle::lagrange {

void Solver::initialize(state::State& state) {
    state = resting_state(system_);
    resume(state, std::vector<bool>(system_.relations.size()));
}

void Solver::resume(state::State& state, const std::vector<bool>& is_known) {
    const System& s = system_;
    equations_.time = state.time;
    if (!state.contacts.empty()) equations_.contacts.recall(state);
    equations_.stateful.pause(true);
    for (auto& r : equations_.relation) r = {RowMode::inactive, 0, 0, 0, 0};
    equations_.evaluate_rows(state);
    start_relations(state, is_known);
    set_targets(state, 0);
    // A force that is known is no impulse.
    for (auto& r : equations_.relation)
        if (r.mode == RowMode::saturated) r.mode = RowMode::inactive;
    consistent_velocity(state);
    set_targets(state, 0);
    start_limited_drives(state, is_known);
    for (int i = 0; i < 4; ++i) {
        consistent_acceleration(state);
        if (!relax_overloaded(state)) break;
    }
    for (size_t i = 0; i < s.relations.size(); ++i) store_mode(state, i);
    if (!state::is_finite(state.velocity) || !state::is_finite(state.acceleration))
        throw SimulationError(
            "the start has no finite velocities or accelerations; check masses, inertias and "
            "forces for zeros and NaN");
}

// The velocities on the constraints that are nearest, in kinetic energy, to those of the bodies:
// M v + Jᵀσ = momentum and J v = −Φt.
void Solver::consistent_velocity(state::State& state) {
    equations_.evaluate_rows(state);
    equations_.assemble_mass(mass_);
    mass_.factorize();
    std::vector<Vec4> wanted(system_.entity_count, Vec4{}), now = wanted;
    const Model& model = system_.model();
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        add_momentum(system_, {i}, {model.bodies()[i].velocity, model.bodies()[i].angular_velocity},
                     wanted.data());
    // Rotors turn with their joints.
    for (size_t i = 0; i < model.coordinates().size(); ++i) {
        double rate = 0;
        for (const auto& side :
             coordinate_row(system_, state.position.data(), model.coordinates()[i].joint).sides) {
            const Body& body = model.bodies()[side.body.index];
            rate += side.rate(body.position, {body.velocity, body.angular_velocity});
        }
        const ScalarInertia& own = system_.scalar_inertia[i];
        wanted[own.entity][own.component] += own.inertia * model.coordinates()[i].ratio * rate;
    }
    std::vector<double> impulse = state.multiplier;
    std::vector<Vec4> closure_impulse = state.closure_multiplier;
    for (int i = 0; i < 8; ++i) {
        equations_.momentum_of(state.velocity, now);
        equations_.add_constraint_forces(state, 1, 0, now.data(), equations_.load.data());
        equations_.evaluate_velocity_rows(state);
        // Bodies know nothing of the mass that was added for the matrix' sake.
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            x_[e] = wanted[e] - now[e] + system_.added_mass[e] * state.velocity[e];
        equations_.subtract_penalty_forces(1, x_.data());
        mass_.solve(x_.data());
        equations_.update_multipliers(1, x_.data(), state);
        for (uint32_t e = 0; e < system_.entity_count; ++e) state.velocity[e] += x_[e];
    }
    state.multiplier = impulse;
    state.closure_multiplier = closure_impulse;
}

// M q̈ + Jᵀλ = Q and J q̈ = γ, by the same iteration as a step: residual exact, matrix penalized.
void Solver::consistent_acceleration(state::State& state) {
    const IntegratorWeights w{0, 0, 0, 1, 1};
    equations_.evaluate_rows(state);
    equations_.assemble_mass(mass_);
    mass_.factorize();
    for (int i = 0; i < 12; ++i) {
        equations_.evaluate_residual(state, w, state.acceleration, state.force);
        equations_.evaluate_acceleration_rows(state);
        for (uint32_t e = 0; e < system_.entity_count; ++e) x_[e] = -equations_.residual[e];
        equations_.subtract_penalty_forces(1, x_.data());
        mass_.solve(x_.data());
        equations_.update_multipliers(1, x_.data(), state);
        double change = 0, size = 0;
        for (uint32_t e = 0; e < system_.entity_count; ++e) {
            state.acceleration[e] += x_[e];
            change = std::max(change, dot(x_[e], x_[e]) / (system_.scale[e] * system_.scale[e]));
            size = std::max(size, dot(state.acceleration[e], state.acceleration[e])
                                      / (system_.scale[e] * system_.scale[e]));
        }
        if (change <= 1e-24 * size) break;
    }
    equations_.evaluate_forces(state, state.force);
    for (size_t i = 0; i < system_.relations.size(); ++i)
        if (equations_.relation[i].mode == RowMode::active)
            set_effort(state.memory, system_.relations[i],
                       -state.multiplier[system_.dots.size() + i]);
}

}  // namespace bristle::lagrange
