#include "lagrange/solver.h"

#include "lagrange/kinematics.h"
#include "lagrange/reactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

constexpr double position_tolerance = 1e-10;  // of the model's size
constexpr double velocity_tolerance = 1e-10;  // of its speed
constexpr double iteration_share = 0.1;       // of the step's own error that iterations may leave
constexpr double impact_change = 1e-7;   // of the change of acceleration, so that energy is kept
constexpr double contact_change = 1e-5;  // of the change of acceleration, where contacts come or go
constexpr double contact_share = 1e-9;   // of the acceleration: enough for what slides steadily
constexpr double singular_gain = 300;    // of a projection's correction over the violation
constexpr double rounding = 2e-13;       // of the forces that cancel in a residual

bool is_finite(const std::vector<Vec4>& list) {
    Vec4 sum{};
    for (const Vec4& v : list) sum += v * 0.0;
    return sum[0] == 0 && sum[1] == 0 && sum[2] == 0;
}

}  // namespace

Solver::Solver(const System& system)
    : system_(system), equations_(system), tangent_(system.blocks.pattern), mass_(tangent_) {
    x_.assign(system.entity_count, Vec4{});
    toggles_.assign(system.relations.size(), 0);
    bounce_.assign(system.relations.size(), 0);
    weight_share_ = norm(system.model.gravity) / system.size;
    is_passive_ = !system.model.joints().empty() && system.forces.empty()
               && system.user_forces.empty()
               && std::none_of(system.relations.begin(), system.relations.end(),
                               [](const Relation& r) { return r.kind == Relation::Kind::drive; });
}

// ---- Start ---------------------------------------------------------------------------------------

void Solver::initialize(state::State& state) {
    state = resting_state(system_);
    resume(state, std::vector<bool>(system_.relations.size()));
}

void Solver::resume(state::State& state, const std::vector<bool>& is_known) {
    const System& s = system_;
    equations_.time = state.time;
    if (!state.contacts.empty()) equations_.contacts.recall(state);
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
    if (!is_finite(state.velocity) || !is_finite(state.acceleration))
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
    const Model& model = system_.model;
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
            state.memory[system_.relations[i].memory + effort_memory] =
                -state.multiplier[system_.dots.size() + i];
}

// ---- Step ----------------------------------------------------------------------------------------

void Solver::step(state::State& state) {
    backup_ = state;
    const double h = system_.settings.step;
    for (int parts = 1; parts <= 4; parts *= 2) {
        bool good = true;
        is_last_attempt_ = parts == 4;
        try {
            for (int i = 0; i < parts && good; ++i) good = attempt(state, h / parts);
        } catch (...) {
            // A user's function threw: nothing has happened.
            state = backup_;
            iterations_ = 0;
            throw;
        }
        if (good) {
            state.steps = backup_.steps + 1;
            // Counted, not summed: a long run ends at the time it was asked for.
            const auto whole = static_cast<double>(state.steps) * h;
            if (std::abs(whole - state.time) < 1e-3 * h) state.time = whole;
            statistics.steps += 1;
            statistics.iterations += static_cast<uint64_t>(iterations_);
            statistics.worst_iterations = std::max(statistics.worst_iterations, iterations_);
            if (parts > 1) ++statistics.retried_steps;
            iterations_ = 0;
            return;
        }
        state = backup_;
    }
    iterations_ = 0;
    throw SimulationError(
        fmt::format("the step from t = {:.6g} s did not converge, not even in 4 parts; the state "
                    "before it is kept. Try a smaller step, or "
                    "look for forces that change faster than it",
                    state.time));
}

bool Solver::attempt(state::State& state, double h) {
    IntegratorWeights w = integrator_weights(system_.settings, h);
    begin_ = state;
    equations_.time = state.time + h;
    set_targets(state, h);
    std::fill(toggles_.begin(), toggles_.end(), uint8_t{0});
    std::fill(bounce_.begin(), bounce_.end(), 0.0);
    events_ = efforts_jump_ = false;
    for (int round = 0;; ++round) {
        predict(state, w);
        if (round == 0) w = find_contacts(state, w);
        equations_.contacts.start_iterations();
        if (iterate(state, w)) {
            if (!revise_modes(state)) break;
        } else if (!saturate_drives(state)) {
            return false;
        }
        if (round == 8) return false;
        if (efforts_jump_) {
            // The force was other than the last step believed from its very end.
            const std::vector<RelationNow>& now = equations_.relation;
            equations_.time = begin_.time;
            equations_.contacts.pause_step(true);
            consistent_acceleration(begin_);
            equations_.contacts.pause_step(false);
            equations_.time = begin_.time + h;
            for (size_t i = 0; i < now.size(); ++i)
                if (now[i].mode == RowMode::saturated)
                    begin_.multiplier[system_.dots.size() + i] = -now[i].effort;
            efforts_jump_ = false;
        }
        std::copy(begin_.position.begin(), begin_.position.end(), state.position.begin());
        std::copy(begin_.velocity.begin(), begin_.velocity.end(), state.velocity.begin());
        std::copy(begin_.acceleration.begin(), begin_.acceleration.end(),
                  state.acceleration.begin());
        std::copy(begin_.multiplier.begin(), begin_.multiplier.end(), state.multiplier.begin());
        std::copy(begin_.closure_multiplier.begin(), begin_.closure_multiplier.end(),
                  state.closure_multiplier.begin());
    }
    strike_limits(h);
    state.time += h;
    equations_.end_midpoint();
    project(state, w);
    if (w.is_midpoint) bound_energy(state);
    commit_modes(state, h);
    equations_.contacts.commit(state);
    if (w.force != 1 && !w.is_midpoint) equations_.evaluate_forces(state, state.force);
    return is_finite(state.position) && is_finite(state.velocity) && is_finite(state.acceleration);
}

// Once per step, where it is predicted to end (spec A15).
IntegratorWeights Solver::find_contacts(const state::State& predicted, const IntegratorWeights& w) {
    Contacts& contacts = equations_.contacts;
    equations_.end_midpoint();
    if (!contacts.can_touch()) return w;
    contacts.detect(begin_, predicted, w);
    if (contacts.needs_blocks()) {
        equations_.renew_blocks();
        tangent_ = mass_ = equations_.pattern();
    }
    if (contacts.has_new()) {
        factorize_mass(begin_);
        contacts.weigh(mass_, x_);
    }
    if (contacts.empty()) return w;
    contacts.start_iterations();
    contacts.evaluate(predicted.position.data());
    if (!contacts.impacts()) return w;
    contacts.use_midpoint();
    equations_.start_midpoint(begin_);
    events_ = true;
    return midpoint_weights(w.step);
}

void Solver::evaluate(const state::State& state) {
    equations_.evaluate_rows(state);
    if (!equations_.contacts.empty()) equations_.contacts.evaluate(state.position.data());
}

// Constant acceleration: in error by h³, and so are the constraints.
void Solver::predict(state::State& state, const IntegratorWeights& w) const {
    const double h = w.step;
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        const Vec4 a = state.acceleration[e], v = state.velocity[e];
        state.position[e] = fma(h, fma(0.5 * h, a, v), state.position[e]);
        state.velocity[e] = fma(h, a, v);
    }
}

void Solver::factorize(const state::State& state, const IntegratorWeights& w) {
    equations_.assemble(state, w, tangent_, Equations::Tangent::exact);
    if (!tangent_.factorize()) {
        equations_.assemble(state, w, tangent_, Equations::Tangent::safe);
        tangent_.factorize();
    }
    ++statistics.factorizations;
}

void Solver::factorize_mass(const state::State& state) {
    equations_.evaluate_rows(state);
    equations_.assemble_mass(mass_);
    mass_.factorize();
    ++statistics.factorizations;
}

bool Solver::iterate(state::State& state, const IntegratorWeights& w) {
    evaluate(state);
    factorize(state, w);
    double allowed = 0, first = 0, last = 0;
    bool renew = false;
    for (int i = 0;; ++i) {
        if (i > 0) evaluate(state);
        equations_.evaluate_residual(state, w, begin_.acceleration, begin_.force,
                                     i == 0 ? 1 / w.beta_h2 : 0);
        if (i > 0 && converged(allowed)) return true;
        if (i == system_.settings.max_iterations) return accepts_loosely(w, last, first);
        if (renew) factorize(state, w);
        for (uint32_t e = 0; e < system_.entity_count; ++e) x_[e] = -equations_.residual[e];
        if (i > 0) equations_.subtract_penalty_forces(w.force / w.beta_h2, x_.data());
        tangent_.solve(x_.data());
        if (i >= 2 && renew) equations_.contacts.couple_friction(tangent_, w.applied(), x_.data());
        equations_.update_multipliers(1 / w.beta_h2, x_.data(), state);
        double size = 0, acceleration = 0;
        for (uint32_t e = 0; e < system_.entity_count; ++e) {
            const Vec4 x = x_[e];
            const double per_scale = 1 / (system_.scale[e] * system_.scale[e]);
            state.acceleration[e] += x;
            acceleration = std::max(acceleration,
                                    dot(state.acceleration[e], state.acceleration[e]) * per_scale);
            state.velocity[e] = fma(w.gamma_h, x, state.velocity[e]);
            state.position[e] = fma(w.beta_h2, x, state.position[e]);
            size = std::max(size, dot(x, x) * per_scale);
        }
        ++iterations_;
        size = std::sqrt(size);
        if (i == 0) first = size;
        if (!(size < 1e300)) return false;
        // The first correction is the change of acceleration in the step, h a'; the error of the step in
        // it is of the order h² a'', which this change over the acceleration tells.
        if (i == 0)
            allowed = size
                    * (w.is_midpoint
                           ? impact_change
                           : std::clamp(iteration_share * size / std::sqrt(acceleration), 1e-6,
                                        equations_.contacts.changes() ? contact_change : 1e-3));
        if (i == 0 && !equations_.contacts.empty())
            allowed = std::max(allowed, contact_share * (std::sqrt(acceleration) + weight_share_));
        // Positions that change by less than some roundings cannot be improved: a heavy machine at rest, its
        // loads carried by cylinders, never gets to a single one.
        if (i >= 3 && size * w.beta_h2 < 2e-15) {
            evaluate(state);
            return equations_.largest_violation() <= position_tolerance;
        }
        // The matrix of the predictor serves as long as corrections shrink some hundredfold.
        renew = i > 0 && size > 0.003 * last;
        last = size;
    }
}

// Where contacts come and go by the dozen, the last parts of a step may converge too slowly to end in
// time. Corrections a hundredth of the first are then good enough to go on, and a thousandth in an impact;
// they are counted.
bool Solver::accepts_loosely(const IntegratorWeights& w, double last, double first) {
    if (equations_.contacts.empty()) return false;
    if (!(is_last_attempt_ && last <= 1e-2 * first) && !(w.is_midpoint && last <= 1e-3 * first))
        return false;
    if (!(equations_.largest_violation() <= 1e3 * position_tolerance)) return false;
    ++statistics.loose_steps;
    return true;
}

// The iteration may stop when what it leaves is small against the step's own error, or is rounding;
// and the constraints must hold.
bool Solver::converged(double allowed) const {
    if (!(equations_.largest_violation() <= position_tolerance)) return false;
    const bool touches = !equations_.contacts.empty();
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        const Vec4 r = equations_.residual[e];
        const double mass =
            system_.diagonal_mass[e] + (touches ? equations_.contacts.added_mass(e) : 0);
        const double r2 = dot(r, r), limit = allowed * mass * system_.scale[e];
        if (r2 <= limit * limit) continue;
        const Vec4 l = rounding * equations_.load[e];
        if (!(r2 <= dot(l, l))) return false;
    }
    return true;
}

// ---- Projections ---------------------------------------------------------------------------------
//
//   min ½ (v − v*)ᵀ P (v − v*)  subject to  J v + Φt = 0
//
// The violation is measured with the gradients of the converged position, and is taken away with the
// factorization at hand, of the predictor: that is off by h³ only, and what is left is taken away
// again. So no matrix is factorized for the projections.

void Solver::project(state::State& state, const IntegratorWeights& w) {
    BlockLdlt* matrix = &tangent_;
    double weight = w.force;
    Contacts& contacts = equations_.contacts;
    const Contacts::Shares shares =
        contacts.empty() ? Contacts::Shares::right : contacts.settle(state);
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
    if (shares != Contacts::Shares::right) {
        std::fill(x_.begin(), x_.end(), Vec4{});
        contacts.add_share_changes(x_.data());
        matrix->solve(x_.data());
        contacts.accept_share_changes(x_.data(), matrix == &tangent_ ? w.force : 0);
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
    std::fill(x_.begin(), x_.end(), Vec4{});
    equations_.subtract_penalty_forces(weight, x_.data());
    matrix->solve(x_.data());
    if (amplifies(violation.acceleration)) std::fill(x_.begin(), x_.end(), Vec4{});
    for (uint32_t e = 0; e < system_.entity_count; ++e) state.acceleration[e] += x_[e];
    for (size_t i = 0; i < system_.relations.size(); ++i)
        if (equations_.relation[i].mode == RowMode::active)
            state.memory[system_.relations[i].memory + effort_memory] =
                effort_range(i).clamp(-(state.multiplier[system_.dots.size() + i]
                                        + equations_.multiplier_change(i, 1, x_.data())));
}

// The midpoint rule keeps the energy of an impact but for its friction, whose bristle may give back more than
// it took when the normal force falls, and for what iterations leave. In a mechanism that nothing drives,
// whatever is gained is taken from all velocities alike, which keeps them on the constraints. (Free bodies
// would lose momentum.)
void Solver::bound_energy(state::State& state) {
    if (!is_passive_) return;
    const auto energy = [&](const state::State& s, const auto& depth) {
        double kinetic = 0, rest = 0;
        for (const MassTerm& m : system_.mass)
            kinetic += (m.i == m.j ? 0.5 : 1.0) * m.mass * dot(s.velocity[m.i], s.velocity[m.j]);
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            rest -= dot(system_.weight[e], s.position[e]);
        for (const Touch& t : equations_.contacts.touches())
            rest += stored_energy(t.normal_law, depth(t));
        return std::pair(kinetic, rest);
    };
    const auto [kinetic_before, rest_before] =
        energy(begin_, [](const Touch& t) { return t.depth_before; });
    const auto [kinetic, rest] = energy(state, [](const Touch& t) { return t.depth; });
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
        for (uint32_t e = 0; e < system_.entity_count; ++e) state.velocity[e] += x_[e];
    }
}

state::State Solver::with_contact_forces(const state::State& state) {
    state::State out = state;
    for (state::ContactMemory& m : out.contacts) {
        m.share = m.force;
        m.torque_share = m.torque;
    }
    refresh_acceleration(out);
    return out;
}

void Solver::refresh_acceleration(state::State& state) {
    equations_.contacts.recall(state);
    equations_.time = state.time;
    set_targets(state, 0);
    consistent_acceleration(state);
}

ConstraintError Solver::constraint_error(const state::State& state) {
    set_targets(state, 0);
    equations_.evaluate_rows(state);
    ConstraintError error;
    error.position = equations_.largest_violation();
    equations_.evaluate_velocity_rows(state);
    // A model that stands still has no speed to compare with: a millionth of its size a second will do.
    error.velocity =
        equations_.largest_violation() / std::max(equations_.largest_speed(state), 1e-6);
    return error;
}

}  // namespace bristle::lagrange
