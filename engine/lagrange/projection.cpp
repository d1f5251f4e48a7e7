// Projections onto the constraints, at the end of a step.
//
//   min ½ (v − v*)ᵀ P (v − v*)  subject to  J v + Φt = 0
//
// The violation is measured with the gradients of the converged position, and is taken away with the
// factorization at hand, of the predictor: that is off by h³ only, and what is left is taken away
// again. So no matrix is factorized for the projections.
#include "lagrange/numerics.h"
#include "lagrange/observe.h"
#include "lagrange/solver.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
void Solver::project(state::State& state, const IntegratorWeights& w) {
    energy_is_right_ = true;
    BlockLdlt* matrix = &tangent_;
    double weight = w.force;
    Contacts& contacts = equations_.contacts;
    const Contacts::Shares shares =
        contacts.empty() ? Contacts::Shares::right : contacts.settle(state);
    equations_.stateful.settle(state, state.time);
    if (system_.settings.projection == Projection::mass || events_
        || shares == Contacts::Shares::far_off) {
        factorize_mass(state);
        matrix = &mass_;
        weight = 1;
    }
    const double allowed = velocity_tolerance * equations_.largest_speed(state);
    project_velocity(state, *matrix, weight, allowed, events_ ? 4 : 1);
    for (int i = 0; i < 4 && grip_valves(state); ++i) {
        factorize_mass(state);
        matrix = &mass_;
        weight = 1;
        project_velocity(state, mass_, 1, allowed, 4);
    }
    if (shares != Contacts::Shares::right || !equations_.stateful.empty()) {
        const double resisted = matrix == &tangent_ ? w.force : 0;
        std::fill(x_.begin(), x_.end(), Vec4{});
        if (shares != Contacts::Shares::right) contacts.add_share_changes(x_.data());
        equations_.stateful.add_share_changes(x_.data());
        matrix->solve(x_.data());
        if (shares != Contacts::Shares::right) contacts.accept_share_changes(x_.data(), resisted);
        equations_.stateful.accept_share_changes(x_.data(), resisted, state);
        for (uint32_t e = 0; e < system_.entity_count; ++e) state.acceleration[e] += x_[e];
        equations_.update_multipliers(0, x_.data(), state);
    }
    if (events_) {
        // What bounced is free again.
        for (size_t i = 0; i < bounce_.size(); ++i) {
            if (bounce_[i] == 0) continue;
            equations_.relation[i].mode = RowMode::inactive;
            state.multiplier[system_.dots.size() + i] = 0;
        }
        share_with_stops(state);
        // A drive that has just taken hold may need more than it has, a stop may have to let go.
        for (int i = 0; i < 4; ++i) {
            consistent_acceleration(state);
            if (!relax_overloaded(state)) break;
        }
        return;
    }
    auto violation = equations_.evaluate_acceleration_rows(state);
    for (int pass = 1; violation.velocity > allowed && pass < 4; ++pass) {
        project_velocity(state, *matrix, weight, allowed, 1);
        violation = equations_.evaluate_acceleration_rows(state);
    }
    // Before accelerations, which depend on velocities.
    if (is_passive_ && !is_guarded_ && contacts.empty()) {
        energy_is_right_ = keep_energy(state, w);
        violation = equations_.evaluate_acceleration_rows(state);
    }
    std::fill(x_.begin(), x_.end(), Vec4{});
    equations_.subtract_penalty_forces(weight, x_.data());
    matrix->solve(x_.data());
    if (amplifies(violation.acceleration)) std::fill(x_.begin(), x_.end(), Vec4{});
    for (uint32_t e = 0; e < system_.entity_count; ++e) state.acceleration[e] += x_[e];
    for (size_t i = 0; i < system_.relations.size(); ++i)
        if (equations_.relation[i].mode == RowMode::active)
            set_effort(state.memory, system_.relations[i],
                       effort_range(i).clamp(-(state.multiplier[system_.dots.size() + i]
                                               + equations_.multiplier_change(i, 1, x_.data()))));
}

// The midpoint rule keeps the energy of an impact but for its friction, whose bristle may give back more than
// it took when the normal force falls, and for what iterations leave. In a mechanism that nothing drives,
// whatever is gained is taken from all velocities alike, which keeps them on the constraints. (Free bodies
// would lose momentum.)
void Solver::bound_energy(state::State& state) {
    if (!is_passive_) return;
    const auto energy = [&](const state::State& s, const auto& depth) {
        double rest = 0;
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            rest -= dot(system_.weight[e], s.position[e]);
        for (const ActiveContact& t : equations_.contacts.touches())
            rest += stored_energy(t.normal_law, depth(t));
        return std::pair(kinetic_energy(system_, s), rest);
    };
    const auto [kinetic_before, rest_before] =
        energy(begin_, [](const ActiveContact& t) { return t.depth_before; });
    const auto [kinetic, rest] = energy(state, [](const ActiveContact& t) { return t.depth; });
    const double gain = kinetic + rest - kinetic_before - rest_before;
    if (!(gain > 1e-9 * kinetic)) return;
    const double share = std::sqrt(std::max(1 - gain / kinetic, 0.0));
    for (Vec4& v : state.velocity) v = share * v;
}

// Next to a singular position a violation that is mere discretization error asks for a correction
// hundreds of times its size, in just the direction the mechanism could branch off to. It is better
// left as it is for that step.
bool Solver::amplifies(double violation) const {
    double largest = 0;
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        largest = std::max(largest, dot(x_[e], x_[e]) / (system_.scale[e] * system_.scale[e]));
    return largest > singular_gain * singular_gain * violation * violation;
}

void Solver::project_velocity(state::State& state, BlockLdlt& matrix, double weight, double allowed,
                              int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        equations_.evaluate_velocity_rows(state);
        const double violation = equations_.largest_violation();
        if (violation <= allowed) break;
        std::fill(x_.begin(), x_.end(), Vec4{});
        equations_.subtract_penalty_forces(weight, x_.data());
        matrix.solve(x_.data());
        if (!events_ && amplifies(violation)) break;
        count_jump(state, weight);
        for (uint32_t e = 0; e < system_.entity_count; ++e) state.velocity[e] += x_[e];
    }
}

}  // namespace bristle::lagrange
