#include "lagrange/solver.h"

#include "base/assert.h"
#include "lagrange/kinematics.h"
#include "lagrange/numerics.h"
#include "lagrange/prediction.h"
#include "lagrange/reactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace bristle::lagrange {

Solver::Solver(const System& system)
    : Solver(system, std::make_shared<Detection>(system), nullptr) {}

Solver::Solver(const System& system, std::shared_ptr<Detection> detection, Finder* finder)
    : system_(system),
      finder_(finder),
      equations_(system, std::move(detection)),
      tangent_(system.blocks.pattern),
      mass_(system.blocks.pattern),
      prediction_(system),
      problem_(equations_, tangent_),
      strikes_(equations_) {
    x_.assign(system.entity_count, Vec4{});
    pull_ = change_ = smooth_position_ = smooth_velocity_ = x_;
    toggles_.assign(system.relations.size(), 0);
    bounce_.assign(system.relations.size(), 0);
    force_before_ = force_after_ = x_;
    mean_effort_.assign(system.relations.size(), 0);
    work_ = jump_work_ = mean_effort_;
    gain_of_.assign(system.assembly_count, 0);
    kinetic_of_ = common_of_ = gain_of_;
    is_suspect_.assign(system.assembly_count, 0);
    is_kept_.assign(system.is_grounded.begin(), system.is_grounded.end());
    for (const Prediction::Floating& one : prediction_.floating()) is_kept_[one.assembly] = 1;
    flight_.resize(prediction_.floating().size());
    const double fall = resting_steps * norm(system.model().gravity) * system.settings.step;
    resting_energy_of_ = gain_of_;
    for (uint32_t g = 0; g < system.frames.size(); ++g) {
        const double mass = system.group_mass[g];
        if (!std::isfinite(mass)) continue;
        const uint32_t a = assembly_of(system, g);
        if (a == none) continue;
        resting_energy_ += 0.5 * mass * fall * fall;
        resting_energy_of_[a] += 0.5 * mass * fall * fall;
    }
    weight_share_ = norm(system.model().gravity) / system.size;
    for (size_t i = 0; i < system.relations.size(); ++i)
        is_guarded_ |= system.relations[i].kind != Relation::Kind::equality && !is_unlimited(i);
    is_passive_ = system.has_joints && system.forces.empty() && system.user_forces.empty()
               && system.stateful.empty()
               && std::none_of(system.relations.begin(), system.relations.end(),
                               [](const Relation& r) { return r.kind == Relation::Kind::drive; });
}

void Solver::step(state::State& state) {
    const StageTimer::Step measured(timer);
    const double h = system_.settings.step;
    begin_step(state);
    try {
        bool is_calm = false;
        if (!(state.restless[0] > 0)) {
            is_calm = take_calm_step(state, h) || take_shorter_steps(state, h);
            RoughPlace& place = statistics.last_rough;
            if (!is_calm && !tell_place(place))
                place.point = body_pose(system_, begin_.position.data(), place.b).position;
        }
        if (!is_calm) {
            restart(state);
            start_rough_step(state, h);
            drift(state, h);
            end_rough_step(state, h);
            ++statistics.rough_steps;
        }
    } catch (...) {
        // A user's function threw: nothing has happened.
        state = backup_;
        throw;
    }
    end_step(state);
    count_step(state, h);
    statistics.steps += 1;
    statistics.iterations += static_cast<uint64_t>(iterations_);
    statistics.worst_iterations = std::max(statistics.worst_iterations, iterations_);
    statistics.resting_step = equations_.contacts.resting_step();
}

void count_step(state::State& state, double h) {
    ++state.steps;
    const auto whole = static_cast<double>(state.steps) * h;
    if (std::abs(whole - state.time) < 1e-3 * h) state.time = whole;
}

void Solver::begin_step(state::State& state) {
    backup_ = state;
    iterations_ = 0;
    join_accounts(state);
}

void Solver::restart(state::State& state) const {
    state = backup_;
    join_accounts(state);
}

void Solver::end_step(state::State& state) {
    state.steps = backup_.steps;
    part_accounts(state);
}

Found Solver::look(const state::State& predicted) {
    return finder_ != nullptr ? finder_->find(begin_, predicted)
                              : equations_.contacts.detection()->find(begin_.position.data(),
                                                                      predicted.position.data());
}

// Where the forces of contact change speeds most; without contact, where the equations are furthest from holding.
bool Solver::tell_place(RoughPlace& place) const {
    place = {.why = refused_, .time = begin_.time, .a = {}, .b = {}, .point = {}};
    if (equations_.contacts.tell_hardest(place)) return true;
    double worst = -1;
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        if (system_.entity_bodies[e].empty()) continue;
        const Vec4 r = equations_.residual[e];
        const double off = dot(r, r) / (system_.diagonal_mass[e] * system_.scale[e]);
        if (off <= worst) continue;  // what is not a number is worse
        worst = off;
        place.b = system_.entity_bodies[e][0];
    }
    return false;
}

bool Solver::take_calm_step(state::State& state, double h) {
    IntegratorWeights w = integrator_weights(system_.settings, h);
    begin_ = state;
    equations_.last_contacts = begin_.contacts;
    refused_ = RoughPlace::Why::no_convergence;
    equations_.time = state.time + h;
    set_targets(state, h);
    equations_.stateful.start(begin_, w);
    std::fill(toggles_.begin(), toggles_.end(), uint8_t{0});
    std::fill(bounce_.begin(), bounce_.end(), 0.0);
    events_ = efforts_jump_ = false;
    for (int round = 0;; ++round) {
        enter(Stage::predict);
        // In error by h³, and so are the constraints.
        prediction_.predict(begin_, w, state);
        if (round == 0) {
            w = find_contacts(state, w);
            equations_.stateful.weigh(w);
        }
        if (round == 0 && w.is_midpoint) prediction_.predict(begin_, w, state);
        equations_.contacts.start_iterations();
        if (iterate(state, w)) {
            find_calm_efforts(state);
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
            equations_.stateful.pause(true);
            consistent_acceleration(begin_);
            equations_.contacts.pause_step(false);
            equations_.stateful.pause(false);
            equations_.time = begin_.time + h;
            for (size_t i = 0; i < now.size(); ++i)
                if (now[i].mode == RowMode::saturated)
                    begin_.multiplier[system_.dots.size() + i] = -now[i].effort;
            efforts_jump_ = false;
        }
        std::copy(begin_.multiplier.begin(), begin_.multiplier.end(), state.multiplier.begin());
        std::copy(begin_.closure_multiplier.begin(), begin_.closure_multiplier.end(),
                  state.closure_multiplier.begin());
    }
    if (passes_stop()) return false;
    refused_ = RoughPlace::Why::strayed;
    if (equations_.contacts.strayed()) return false;
    strike_limits(h);
    state.time += h;
    equations_.end_midpoint();
    enter(Stage::project);
    resolve_strikes(state, h);
    project(state, w);
    if (w.is_midpoint) bound_energy(state);
    refused_ = RoughPlace::Why::energy;
    if (!accepts_gain(state)) return false;
    // Corrections that long may lead to a body's mirror image, which obeys the same rows.
    refused_ = RoughPlace::Why::no_convergence;
    if (iterations_ > usual_iterations && is_mirrored(system_, state.position.data())) return false;
    enter(Stage::commit);
    commit_modes(state, h);
    count_work(state);
    equations_.contacts.commit(state);
    if (w.force != 1 && !w.is_midpoint) equations_.evaluate_forces(state, state.force);
    BRISTLE_ASSERT(state::is_padded(state.position) && state::is_padded(state.velocity)
                   && state::is_padded(state.acceleration));
    return is_finite(state) && equations_.stateful.is_finite();
}

// A whip's end, thin links that turn over: where joints alone are too fast for a step of this length, calm steps that are shorter
// follow them.
bool Solver::take_shorter_steps(state::State& state, double h) {
    if (is_guarded_ || !equations_.contacts.empty()) return false;
    for (int parts = 2; parts <= most_parts; parts *= 2) {
        restart(state);
        int done = 0;
        while (done < parts && equations_.contacts.empty() && take_calm_step(state, h / parts))
            ++done;
        if (done == parts) return true;
    }
    return false;
}

// Once per step, where it is predicted to end (spec A15).
IntegratorWeights Solver::find_contacts(const state::State& predicted, const IntegratorWeights& w) {
    Contacts& contacts = equations_.contacts;
    equations_.end_midpoint();
    if (!contacts.can_touch()) return w;
    enter(Stage::detect);
    contacts.take(look(predicted), begin_, predicted, w);
    if (contacts.needs_blocks()) {
        equations_.renew_blocks();
        tangent_.reset(equations_.pattern());
        problem_.make_room();
    }
    if (contacts.has_new()) {
        enter(Stage::factorize);
        factorize_mass(begin_);
        contacts.weigh(mass_, x_);
    }
    spent_ = contacts.keep_accounts(begin_, calm_slack, credit_of(begin_));
    contacts.find_strikes(begin_);
    if (contacts.empty()) return w;
    enter(Stage::contacts);
    contacts.start_iterations();
    contacts.evaluate(predicted.position.data());
    if (!contacts.impacts()) return w;
    contacts.use_midpoint();
    equations_.start_midpoint(begin_);
    events_ = true;
    ++statistics.impact_steps;
    return midpoint_weights(w.step);
}

void Solver::resolve_strikes(state::State& state, double h) {
    Contacts& contacts = equations_.contacts;
    if (!contacts.has_strikes()) return;
    contacts.place_at(state.position.data());
    contacts.hold_pressed();
    // Bodies that are struck may strike others before the step ends.
    for (int round = 0; round < strike_rounds; ++round) {
        strike_once(state, h, round == 0);
        if (!contacts.find_further_strikes(begin_, state.velocity.data(), mass_, x_)) break;
    }
    events_ = true;
    ++statistics.impact_steps;
}

// What holds with a limited effort holds no impact beyond it.
void Solver::strike_once(state::State& state, double h, bool is_first) {
    Contacts& contacts = equations_.contacts;
    strikes_.clear();
    for (uint32_t i = 0; i < system_.relations.size(); ++i) {
        RelationNow& now = equations_.relation[i];
        if (system_.relations[i].kind == Relation::Kind::equality || is_unlimited(i)
            || now.mode != RowMode::active)
            continue;
        const EffortRange range = effort_range(i);
        const double effort = range.clamp(mean_effort_[i]);
        strikes_.add_row(i, h * (range.low - effort), h * (range.high - effort));
        now.mode = RowMode::inactive;
    }
    factorize_mass(state);
    const double allowed = velocity_tolerance * equations_.largest_speed(state);
    project_velocity(state, mass_, 1, allowed, 4);
    std::copy(state.position.begin(), state.position.end(), change_.begin());
    std::copy(state.velocity.begin(), state.velocity.end(), pull_.begin());
    strikes_.resolve(is_first ? begin_ : state, state, mass_, h);
    for (const Strikes::Row& row : strikes_.rows()) {
        RelationNow& now = equations_.relation[row.relation];
        now.mode = RowMode::active;
        mean_effort_[row.relation] += row.impulse / h;
        if (!row.gives_way()) continue;
        now.effort = mean_effort_[row.relation];
        now.mode =
            is_limit(system_.relations[row.relation]) ? RowMode::inactive : RowMode::saturated;
    }
    // Where joints do not follow so far, positions stay as they were.
    if (!close_positions(state)) std::copy(change_.begin(), change_.end(), state.position.begin());
    contacts.place_at(state.position.data());
    factorize_mass(state);
    project_velocity(state, mass_, 1, allowed, 4);
    take_back_gain(state, change_, pull_);
}

void Solver::evaluate(const state::State& state) {
    enter(Stage::rows);
    equations_.evaluate_rows(state);
    if (equations_.contacts.empty()) return;
    enter(Stage::contacts);
    equations_.contacts.evaluate(state.position.data());
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
    enter(Stage::factorize);
    factorize(state, w);
    double allowed = 0, last = 0;
    bool renew = false;
    for (int i = 0;; ++i) {
        if (i > 0) evaluate(state);
        enter(Stage::residual);
        equations_.evaluate_residual(state, w, begin_.acceleration, begin_.force,
                                     i == 0 ? 1 / w.beta_h2 : 0);
        if (i > 0 && converged(allowed)) return true;
        if (i == system_.settings.max_iterations) return false;
        if (renew) {
            enter(Stage::factorize);
            factorize(state, w);
        }
        enter(Stage::solve);
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
        if (!(size < 1e300)) return false;
        if (!w.is_midpoint && prediction_.gains_by_renewal(i)) prediction_.renew(begin_, w, state);
        // The first correction is the change of acceleration in the step, h a'; the error of the step in
        // it is of the order h² a'', which this change over the acceleration tells.
        if (i == 0)
            allowed = size
                    * (w.is_midpoint && !equations_.contacts.empty()
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
        const Vec4 l = residual_rounding * equations_.load[e];
        if (!(r2 <= dot(l, l))) return false;
    }
    return true;
}

state::State Solver::with_contact_forces(const state::State& state) {
    state::State out = state;
    for (state::ContactMemory& m : out.contacts) {
        m.share = m.force;
        m.torque_share = m.torque;
    }
    equations_.stateful.share_means(out);
    refresh_acceleration(out);
    return out;
}

void Solver::refresh_acceleration(state::State& state) {
    equations_.contacts.recall(state);
    equations_.stateful.pause(true);
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
