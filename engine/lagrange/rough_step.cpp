// The step that is always taken: the bottom of the ladder.
//
// 1. Inertia alone: bodies go on as they were, joints and unlimited drives hold. By the midpoint rule, whose joints do no work:
//    what turns keeps turning. To (q_s, v_s).
// 2. Forces, contacts, drives and stops, with geometry as it is at q_s: the least of a convex function (convex.h). v = v_s + d.
// 3. Positions follow, q = q_s + h d, and are brought back onto the joints. Where contacts have moved far from q_s, stage 2 is done
//    again with geometry as it is there.
//
// Bodies that rest stay where they are: then q_s = q₀, v_s = 0 and d = 0. For the rest it is implicit Euler's rule. With P the
// impulses of stage 2, M (v − v_s) = P, so that
//
//     T − T_s = ½ (v − v_s)ᵀM (v + v_s) = Pᵀv − ½ (v − v_s)ᵀM (v − v_s)
//
// and h v is the way of the step, but for h³: what has a convex potential takes at least as much as it stores, drives do the
// work of their efforts along their way, friction takes, and the last term is lost.
#include "lagrange/kinematics.h"
#include "lagrange/numerics.h"
#include "lagrange/solver.h"
#include "mechanics/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

void Solver::start_rough_step(state::State& state, double h) {
    begin_ = state;
    equations_.last_contacts = begin_.contacts;
    equations_.time = state.time + h;
    set_targets(state, h);
    events_ = true;
    asked_ = equations_.relation;
    for (size_t i = 0; i < system_.relations.size(); ++i)
        if (system_.relations[i].kind != Relation::Kind::equality && !is_unlimited(i))
            equations_.relation[i].mode = RowMode::inactive;
    equations_.stateful.start_rough(begin_, h);
    equations_.contacts.forget();
    equations_.end_midpoint();
}

void Solver::end_rough_step(state::State& state, double h) {
    find_rough_contacts(state, h);
    std::copy(state.position.begin(), state.position.end(), smooth_position_.begin());
    std::copy(state.velocity.begin(), state.velocity.end(), smooth_velocity_.begin());
    for (int round = 1;; ++round) {
        find_impulses(state, h);
        equations_.contacts.place_at(state.position.data());
        if (round == most_rounds || !problem_.has_moved_on()) break;
        // Again, with geometry as it is there.
        close_around_contacts(state);
        for (uint32_t e = 0; e < system_.entity_count; ++e)
            state.velocity[e] =
                fma(1 / h, state.position[e] - smooth_position_[e], smooth_velocity_[e]);
        equations_.evaluate_rows(state);
        equations_.contacts.place_at(state.position.data());
    }
    find_mean_efforts(state, h);
    // Where accelerations are looked for next.
    state.multiplier = begin_.multiplier;
    state.closure_multiplier = begin_.closure_multiplier;
    state.acceleration = begin_.acceleration;
    state.time += h;
    enter(Stage::project);
    equations_.evaluate_rows(state);
    bool is_restless = false;
    for (const EffortRow& row : problem_.rows()) is_restless |= set_mode_after(row, h);
    resolve_strikes(state, h);
    close_around_contacts(state);
    bool is_closed = close_positions(state);
    const bool has_caught_pistons = catch_pistons();
    if (catch_stops() || has_caught_pistons) is_closed = close_positions(state);
    for (const bool stops_too : {false, true})
        if (!is_closed && !(equations_.largest_violation() < closed_enough))
            is_closed = give_way(state, stops_too);
    is_closed |= equations_.largest_violation() < closed_enough;
    if (!is_closed || is_mirrored(system_, state.position.data())) hold_back(state);
    is_restless |= settle_rough_step(state, h);
    state.restless[0] = is_restless ? restless_steps : std::max(0.0, state.restless[0] - 1);
    // Joints alone that went to where they have not the energy to be: a fold passed by.
    const bool is_unpaid =
        is_passive_ && equations_.contacts.empty()
        && state.surplus[0] > 2 * calm_surplus * (state.motion[0] + resting_energy_);
    if (is_unpaid || !is_finite(state)) stay(state, h);
    check_end(state);
}

bool Solver::is_finite(const state::State& state) {
    return state::is_finite(state.position) && state::is_finite(state.velocity)
        && state::is_finite(state.acceleration);
}

// Numbers that grew beyond all bounds, or energy that nobody has: the step has not been, but for a tenth of the speed. Not where a
// user's force is none: that is his to know.
void Solver::stay(state::State& state, double h) {
    if (equations_.contacts.empty() && !is_passive_)
        return;  // then it is a drive's target, or a model that cannot move
    equations_.evaluate_smooth_forces(begin_, begin_.time, force_before_);
    if (!is_finite(begin_) || !state::is_finite(force_before_)) return;
    ++statistics.held_steps;
    state = begin_;
    for (Vec4& v : state.velocity) v = 0.9 * v;
    state.time += h;
    state.restless[0] = restless_steps;
    equations_.stateful.stay(begin_, state, h);
    equations_.evaluate_rows(state);  // what unlimited drives ask for is still asked for
}

// M (v − v_s) = h Q + impulses, from the velocities of now, which lead from (q_s, v_s) to the positions of now.
void Solver::find_impulses(state::State& state, double h) {
    enter(Stage::solve);
    equations_.evaluate_smooth_forces(state, equations_.time, force_after_);
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        change_[e] = state.velocity[e] - smooth_velocity_[e];
    problem_.start(begin_, state, h);
    equations_.momentum_of(change_, pull_);
    equations_.add_tension(change_.data(), pull_.data());
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        pull_[e] = fma(-h, force_after_[e], pull_[e]);
    for (size_t i = 0; i < system_.relations.size(); ++i) add_effort_row(state, i, h);
    iterations_ += problem_.solve(state.velocity, pull_, change_);
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        state.velocity[e] += change_[e];
        state.position[e] = fma(h, change_[e], state.position[e]);
    }
}

bool Solver::is_unlimited(size_t i) const {
    const Relation& r = system_.relations[i];
    return r.kind == Relation::Kind::drive
        && !(system_.model().drives()[r.index].max_effort < unlimited);
}

// Every assembly by itself: nothing touches yet.
void Solver::drift(state::State& state, double h) {
    enter(Stage::predict);
    equations_.start_inertia(begin_);
    std::fill(state.acceleration.begin(), state.acceleration.end(), Vec4{});
    std::fill(state.multiplier.begin(), state.multiplier.end(), 0.0);
    std::fill(state.closure_multiplier.begin(), state.closure_multiplier.end(), Vec4{});
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        state.position[e] = fma(h, begin_.velocity[e], begin_.position[e]);
    const bool good = iterate(state, inertia_weights(h));
    equations_.end_midpoint();
    // What iterations leave, the end of the step mends.
    if (good || equations_.largest_violation() < nearly_closed) return;
    // Not even that: the impulses have to do it all.
    std::copy(begin_.position.begin(), begin_.position.end(), state.position.begin());
    std::copy(begin_.velocity.begin(), begin_.velocity.end(), state.velocity.begin());
    std::fill(state.multiplier.begin(), state.multiplier.end(), 0.0);
}

void Solver::find_rough_contacts(state::State& state, double h) {
    Contacts& contacts = equations_.contacts;
    enter(Stage::project);
    factorize_mass(state);
    project_velocity(state, mass_, 1, velocity_tolerance * equations_.largest_speed(state), 2);
    if (!contacts.can_touch()) return;
    enter(Stage::detect);
    contacts.take(look(state), begin_, state, midpoint_weights(h));
    if (contacts.needs_blocks()) {
        equations_.renew_blocks();
        tangent_.reset(equations_.pattern());
        problem_.make_room();
    }
    if (contacts.has_new()) contacts.weigh(mass_, x_);
    spent_ = contacts.keep_accounts(begin_, 0, credit_of(begin_));
    contacts.find_strikes(begin_);
    contacts.place_at(state.position.data());
}

// What is stored beyond a stop would press against it.
double Solver::within_stops(uint32_t measure, double place) const {
    for (const Relation& r : system_.relations)
        if (is_limit(r) && r.measure[0] == measure && side_of(r) * (place - r.target) < 0)
            place = r.target;
    return place;
}

// What a drive or a stop may do, by the rate that it would have.
void Solver::add_effort_row(const state::State& state, size_t i, double h) {
    const Relation& r = system_.relations[i];
    if (r.kind == Relation::Kind::equality || is_unlimited(i)) return;
    const MeasureValue& y = equations_.measure[r.measure[0]];
    const double rate = equations_.relation_rate(i, state.velocity.data());
    // What counts is the way: the rate with which the step goes as far as that rate would lead.
    const double began = equations_.measure_at(begin_, r.measure[0]).value,
                 lead = rate - (y.value - began) / h;
    // Back from where it began beyond (on a side, or either if that is zero) it is bounded.
    const auto rate_to = [&](double place, double side) {
        const double back = (within_stops(r.measure[0], place) - began) / h,
                     fastest = return_speed / r.unit;
        return lead + (side * back < 0 ? back : std::clamp(back, -fastest, fastest));
    };
    EffortRow row{};
    row.relation = static_cast<uint32_t>(i);
    std::fill(x_.begin(), x_.end(), Vec4{});
    equations_.add_relation_impulse(i, 1, x_.data());
    const double mobility = mass_.inverse_form(x_.data());
    if (!(mobility > 0)) return;  // between what cannot move there is nothing to do
    const double mass = 1 / mobility;
    // What it did in the last step is a good guess.
    const double told = h * begin_.memory[r.memory + told_effort_memory];
    const auto part = [&](double to, double low, double high) {
        EffortRow::Part p{to, low, high, 0, stop_gain * mass};
        if (p.is_bounded()) {
            p.start = std::clamp(told, low, high);
            p.gain = hold_gain * mass;
        }
        return p;
    };
    if (is_limit(r)) {
        const bool is_min = r.kind == Relation::Kind::limit_min;
        row.part[0] =
            part(rate_to(r.target, side_of(r)), is_min ? 0 : -unlimited, is_min ? unlimited : 0);
        problem_.add_row(row);
        return;
    }
    const Drive& drive = system_.model().drives()[r.index];
    const double most = h * drive.max_effort, stored = begin_.memory[r.memory + reference_memory];
    const RelationNow& asked = asked_[i];
    if (!mechanics::is_hydraulic(drive)) {
        row.part[0] = part(lead + asked.rate, -most, most);
    } else if (asked.opened == 0) {
        row.part[0] = part(rate_to(stored, 0), -unlimited, unlimited);
    } else if (asked.opened > 0) {
        row.base = most;
        row.part[0] = part(rate_to(stored, 1), 0, unlimited);
        row.part[1] = part(lead + asked.opened, -unlimited, 0);
    } else {
        row.base = -most;
        row.part[0] = part(rate_to(stored, -1), -unlimited, 0);
        row.part[1] = part(lead + asked.opened, 0, unlimited);
    }
    problem_.add_row(row);
}

void Solver::find_mean_efforts(const state::State& smooth, double h) {
    std::fill(jump_work_.begin(), jump_work_.end(), 0.0);
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        if (equations_.relation[i].mode != RowMode::active) continue;
        mean_effort_[i] =
            -(smooth.multiplier[system_.dots.size() + i]
              + system_.relations[i].penalty * equations_.relation_rate(i, change_.data()) / h);
    }
    for (const EffortRow& row : problem_.rows()) mean_effort_[row.relation] = row.impulse / h;
    equations_.stateful.conclude_impulses(change_.data(), h);
}

// Nearly onto the joints, where contacts let them: a taut chain would straighten into the post that it winds about.
void Solver::close_around_contacts(state::State& state) {
    if (!problem_.presses()) return;
    equations_.evaluate_rows(state);
    const double open = equations_.largest_violation();
    std::copy(state.position.begin(), state.position.end(), pull_.begin());
    double left = open;
    for (int i = 0; i < most_closing_around && left > straight_enough && left <= opens_far * open;
         ++i) {
        equations_.contacts.place_at(state.position.data());
        equations_.assemble_mass_for_contacts(tangent_);
        problem_.add_held_depths(tangent_.blocks().data());
        tangent_.factorize();
        ++statistics.factorizations;
        std::fill(x_.begin(), x_.end(), Vec4{});
        equations_.subtract_penalty_forces(1, x_.data());
        problem_.push_to_depths(x_.data());
        tangent_.solve(x_.data());
        for (uint32_t e = 0; e < system_.entity_count; ++e) state.position[e] += x_[e];
        equations_.evaluate_rows(state);
        left = equations_.largest_violation();
    }
    // Where that does not lead anywhere, joints come first. (Of what is not a number the largest violation knows nothing.)
    if (!(left <= open) || !state::is_finite(state.position))
        std::copy(pull_.begin(), pull_.end(), state.position.begin());
}

// Onto the joints again, and onto the stops that hold; with one matrix as long as that leads there.
bool Solver::close_positions(state::State& state) {
    double last = 0;
    for (int i = 0;; ++i) {
        equations_.evaluate_rows(state);
        const double left = equations_.largest_violation();
        if (i == 0 || (left > position_tolerance && left > closes_well * last)) {
            equations_.assemble_mass(mass_);
            mass_.factorize();
            ++statistics.factorizations;
        }
        if (left <= position_tolerance) return true;
        if (i == most_closing) return false;
        last = left;
        std::fill(x_.begin(), x_.end(), Vec4{});
        equations_.subtract_penalty_forces(1, x_.data());
        mass_.solve(x_.data());
        for (uint32_t e = 0; e < system_.entity_count; ++e) state.position[e] += x_[e];
    }
}

// A place that joints do not reach, at a fold of a linkage: what was to be held there gives way, to where they are.
bool Solver::give_way(state::State& state, bool stops_too) {
    const auto for_each_held = [&](auto&& change) {
        for (const EffortRow& row : problem_.rows()) {
            const Relation& r = system_.relations[row.relation];
            if (!is_limit(r) || stops_too) change(r, equations_.relation[row.relation]);
        }
    };
    asked_ = equations_.relation;
    for_each_held([](const Relation&, RelationNow& now) { now.mode = RowMode::inactive; });
    const bool is_closed = close_positions(state);
    for_each_held([&](const Relation& r, RelationNow& now) {
        now = asked_[static_cast<size_t>(&r - system_.relations.data())];
        if (now.mode != RowMode::active) return;
        now.target = equations_.measure[r.measure[0]].value;
        if (!is_limit(r)) state.memory[r.memory + reference_memory] = now.target;
    });
    return close_positions(state) && is_closed;
}

// Joints that no step of this length can follow (a whip's end): it stays where it is, and slows down until they can.
void Solver::hold_back(state::State& state) {
    ++statistics.held_steps;
    std::copy(begin_.position.begin(), begin_.position.end(), state.position.begin());
    for (uint32_t e = 0; e < system_.entity_count; ++e)
        state.velocity[e] = 0.9 * begin_.velocity[e];
    factorize_mass(state);
}

// Pistons that got behind what they stored while positions were brought onto the joints.
bool Solver::catch_pistons() {
    bool any = false;
    for (const EffortRow& row : problem_.rows()) {
        const Relation& r = system_.relations[row.relation];
        RelationNow& now = equations_.relation[row.relation];
        if (now.opened == 0 || now.mode == RowMode::active) continue;
        const double stored = begin_.memory[r.memory + reference_memory],
                     behind = std::copysign(1.0, now.opened)
                            * (stored - equations_.measure[r.measure[0]].value);
        if (!(r.unit * behind > position_tolerance)) continue;
        now.mode = RowMode::active;
        now.rate = now.acceleration = 0;
        hold_at(row.relation, within_stops(r.measure[0], stored));
        any = true;
    }
    return any;
}

// Stops that nothing pressed against, and that are passed since.
bool Solver::catch_stops() {
    bool any = false;
    for (const EffortRow& row : problem_.rows()) {
        const Relation& r = system_.relations[row.relation];
        RelationNow& now = equations_.relation[row.relation];
        if (!is_limit(r) || now.mode == RowMode::active) continue;
        const MeasureValue& y = equations_.measure[r.measure[0]];
        const double beyond = side_of(r) * (r.target - y.value);
        if (!(r.unit * beyond > position_tolerance) || side_of(r) * y.rate >= 0) continue;
        now.mode = RowMode::active;
        now.rate = now.acceleration = 0;
        hold_at(row.relation, r.target);
        any = true;
    }
    return any;
}

// True if contacts came, went, stuck or slipped.
bool Solver::settle_rough_step(state::State& state, double h) {
    Contacts& contacts = equations_.contacts;
    bool changes = false;
    const double allowed = velocity_tolerance * equations_.largest_speed(state);
    project_velocity(state, mass_, 1, allowed, 4);
    for (int i = 0; i < 4 && grip_valves(state); ++i) {
        factorize_mass(state);
        project_velocity(state, mass_, 1, allowed, 4);
    }
    if (contacts.can_touch()) {
        problem_.store_contact_forces();
        contacts.place_at(state.position.data());
        changes = contacts.changes();
    }
    equations_.stateful.settle(state, state.time);
    find_work(state);
    take_off_gain(state);
    if (contacts.can_touch()) contacts.settle_impulses();
    for (int i = 0; i < 4; ++i) {
        consistent_acceleration(state);
        if (!relax_overloaded(state)) break;
    }
    enter(Stage::commit);
    commit_modes(state, h);
    count_work(state);
    contacts.commit(state);
    return changes;
}

// What no step can mend is the user's to know.
void Solver::check_end(const state::State& state) {
    if (!is_finite(state) || !equations_.stateful.is_finite())
        throw SimulationError(fault_in(state));
    for (uint32_t relation : system_.drive_relation) {
        const Relation& r = system_.relations[relation];
        const double off = equations_.violations()[system_.dots.size() + relation];
        if (!is_unlimited(relation) || r.unit * std::abs(off) < out_of_reach) continue;
        const Joint& joint =
            system_.model().joints()[system_.model().drives()[r.index].joint.index];
        throw SimulationError(fmt::format(
            "drive '{}' of joint '{}' asks for {:.6g} at t = {:.6g} s, and the mechanism "
            "cannot get there; "
            "give it a limited effort, or a target within reach",
            system_.model().drives()[r.index].name, joint.name,
            equations_.relation[relation].target, state.time));
    }
}

std::string Solver::fault_in(const state::State& state) {
    for (const UserForceElement& u : system_.user_forces) {
        equations_.evaluate_user_force(u, begin_.position.data(), begin_.velocity.data(),
                                       force_after_);
        if (!state::is_finite(force_after_))
            return fmt::format(
                "the user's force '{}' is not finite at t = {:.6g} s; the state before "
                "the step is kept",
                system_.model().user_forces()[u.index].name, state.time);
    }
    if (!equations_.stateful.is_finite())
        return fmt::format(
            "the stateful force '{}' is not finite at t = {:.6g} s; the state before "
            "the step is kept",
            equations_.stateful.fault(), state.time);
    for (uint32_t e = 0; e < system_.entity_count; ++e) {
        const Vec4 sum = state.position[e] + state.velocity[e] + state.acceleration[e];
        if (std::isfinite(sum[0] + sum[1] + sum[2]) || system_.entity_bodies[e].empty()) continue;
        return fmt::format(
            "body '{}' has no finite motion at t = {:.6g} s; look for forces, springs and targets "
            "of its that are not finite or far too large. The state before the step is kept",
            system_.model().bodies()[system_.entity_bodies[e][0].index].name, state.time);
    }
    return fmt::format("the step to t = {:.6g} s has no finite result; the state before it is kept",
                       state.time);
}

// Which mode a row of this impulse is in, for the next step. True if it is another than before.
bool Solver::set_mode_after(const EffortRow& row, double h) {
    const Relation& r = system_.relations[row.relation];
    RelationNow& now = equations_.relation[row.relation];
    now = asked_[row.relation];
    now.effort = row.impulse / h;
    if (is_limit(r)) {
        now.mode = side_of(r) * row.impulse > 0 ? RowMode::active : RowMode::inactive;
        hold_at(row.relation, r.target);
        return static_cast<double>(now.mode) != begin_.memory[r.memory + mode_memory];
    }
    const double most = h * system_.model().drives()[r.index].max_effort;
    const bool holds = row.resistance > 0 && is_worth_holding(row, most);
    now.mode = holds ? RowMode::active : RowMode::saturated;
    const bool changes = static_cast<double>(now.mode) != begin_.memory[r.memory + mode_memory];
    now.target = equations_.measure[r.measure[0]].value;
    if (!mechanics::is_hydraulic(system_.model().drives()[r.index]) || !holds) return changes;
    // Held by more than it can push itself; a load that runs ahead of it is held by the valve.
    const bool is_locked = row.base == 0 || row.impulse / row.base > 1;
    now.rate = is_locked ? 0 : now.opened;
    now.acceleration = 0;
    if (is_locked)
        hold_at(row.relation,
                within_stops(r.measure[0], begin_.memory[r.memory + reference_memory]));
    return changes;
}

// The way of the step was as it should be; the rate, where arms have turned far, may be another, and a limited effort does not make
// that jump.
bool Solver::is_worth_holding(const EffortRow& row, double most) const {
    const Relation& r = system_.relations[row.relation];
    if (mechanics::is_hydraulic(system_.model().drives()[r.index])) return true;
    const double missing =
                     equations_.relation[row.relation].rate - equations_.measure[r.measure[0]].rate,
                 mass = row.part[0].gain / hold_gain;
    return mass * std::abs(missing) <= most;
}

// A place that it began at; from beyond it is still on its way back.
void Solver::hold_at(size_t relation, double place) {
    const Relation& r = system_.relations[relation];
    const double began = equations_.measure_at(begin_, r.measure[0]).value;
    // A stop may be reached from afar.
    const double beyond =
        is_limit(r) ? std::max(0.0, side_of(r) * (place - began)) : std::abs(place - began);
    equations_.relation[relation].target =
        r.unit * beyond < nearly_there ? place : equations_.measure[r.measure[0]].value;
}

}  // namespace bristle::lagrange
