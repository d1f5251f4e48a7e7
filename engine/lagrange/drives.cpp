// Drives and limits: rows that come and go.
//
// A drive holds y = r(t). With a limited effort F it is a row while |λ| ≤ F and a constant force ±F
// otherwise, until its rate catches up; then it takes hold again, from where it is. A speed drive
// has no other memory than that. A position drive that was forced off its target returns to it
// (mechanics/drives.h). Hydraulic drives are in hydraulics.cpp.
//
// A limit is a row while it pushes. The step in which it is struck ends at the stop, and the velocity
// projection makes the rate what restitution leaves of it: an impulse through the whole mechanism.
#include "mechanics/drives.h"

#include "lagrange/numerics.h"
#include "lagrange/solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

double Solver::drive_target(const Relation& r, const state::State& state, double time) const {
    return mechanics::target_of(system_.model().drives()[r.index], r.index, time,
                                state.memory[r.command]);
}

// Of a drive that asks for a position; the others' references do not depend on it.
double Solver::reference_target(const Relation& r, const state::State& state) const {
    return mechanics::asks_for_rate(system_.model().drives()[r.index])
             ? 0
             : drive_target(r, state, state.time);
}

// Which rows take part in the first velocities: all but stops, and drives of limited effort, which
// cannot make a jump.
void Solver::start_relations(state::State& state, const std::vector<bool>& is_known) const {
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        if (is_known[i]) continue;
        const Relation& r = system_.relations[i];
        double* memory = &state.memory[r.memory];
        const MeasureValue& y = equations_.measure[r.measure[0]];
        RowMode mode = RowMode::active;
        if (r.kind == Relation::Kind::drive) {
            const Drive& d = system_.model().drives()[r.index];
            memory[reference_memory] =
                mechanics::start_reference(d, y.value, reference_target(r, state));
            if (d.max_effort < unlimited) mode = RowMode::inactive;
        } else if (is_limit(r)) {
            if (side_of(r) * (y.value - r.target) < -1e-9 * (1 + std::abs(r.target)))
                throw SimulationError(fmt::format(
                    "limit '{}' starts {:.3g} beyond its stop; move the joint's start or the limit",
                    system_.model().limits()[r.index].name, std::abs(y.value - r.target)));
            mode = RowMode::inactive;
        }
        memory[mode_memory] = static_cast<double>(mode);
    }
}

// A drive of limited effort that starts at the speed it should have holds it; else it pushes.
void Solver::start_limited_drives(state::State& state, const std::vector<bool>& is_known) {
    equations_.evaluate_rows(state);
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        if (system_.relations[i].kind != Relation::Kind::drive || is_known[i]) continue;
        RelationNow& now = equations_.relation[i];
        if (now.mode == RowMode::active) continue;
        const Drive& drive = system_.model().drives()[system_.relations[i].index];
        const double behind = now.rate - equations_.measure[system_.relations[i].measure[0]].rate;
        const bool holds = std::abs(behind) <= 1e-9 * (1 + std::abs(now.rate));
        now.mode = holds ? RowMode::active : RowMode::saturated;
        now.effort =
            std::copysign(drive.max_effort, mechanics::is_hydraulic(drive) ? now.opened : behind);
    }
}

void Solver::store_mode(state::State& state, size_t i) const {
    const RelationNow& now = equations_.relation[i];
    double* memory = &state.memory[system_.relations[i].memory];
    memory[mode_memory] = static_cast<double>(now.mode);
    if (now.mode != RowMode::active)
        set_effort(state.memory, system_.relations[i],
                   now.mode == RowMode::saturated ? now.effort : 0);
    if (now.mode != RowMode::active)
        state.multiplier[system_.dots.size() + i] = -memory[effort_memory];
}

void Solver::set_targets(const state::State& state, double h) {
    const double t = state.time + h;
    const double d = (h > 0 ? h : system_.settings.step) / 2;
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const Relation& r = system_.relations[i];
        RelationNow& now = equations_.relation[i];
        const double* memory = &state.memory[r.memory];
        now = {static_cast<RowMode>(static_cast<int>(memory[mode_memory])), r.target, 0, 0,
               memory[effort_memory]};
        if (r.kind != Relation::Kind::drive) continue;
        const Drive& drive = system_.model().drives()[r.index];
        if (mechanics::is_hydraulic(drive)) {
            set_valve(state, i, h);
            continue;
        }
        const auto f = [&](double time) { return drive_target(r, state, time); };
        // By five points; a command is constant.
        const auto slope = [&] {
            return (f(t - 2 * d) - 8 * f(t - d) + 8 * f(t + d) - f(t + 2 * d)) / (12 * d);
        };
        if (mechanics::asks_for_rate(drive)) {
            // Simpson's rule for the way.
            now.target = memory[reference_memory]
                       + (h > 0 ? h / 6 * (f(t - h) + 4 * f(t - h / 2) + f(t)) : 0);
            now.rate = f(t);
            now.acceleration = drive.target ? slope() : 0;
        } else {
            const double step = system_.settings.step, tau = mechanics::return_time(step),
                         offset = mechanics::offset_after(memory[reference_memory], h, step);
            now.target = f(t) + offset;
            now.rate = -offset / tau;
            now.acceleration = offset / (tau * tau);
            if (drive.target) {
                now.rate += slope();
                now.acceleration +=
                    (-f(t - 2 * d) + 16 * f(t - d) - 30 * f(t) + 16 * f(t + d) - f(t + 2 * d))
                    / (12 * d * d);
            }
        }
    }
}

// A drive pushes with all it has. If it did not nearly do so at the end of the last step, its force
// jumps, and with it the accelerations the step starts from.
void Solver::saturate(size_t i, double effort) {
    RelationNow& now = equations_.relation[i];
    now.mode = RowMode::saturated;
    now.effort = effort;
    ++toggles_[i];
    if (std::abs(effort - begin_.memory[system_.relations[i].memory + effort_memory])
        > 0.1 * std::abs(effort))
        efforts_jump_ = true;
}

// What a row may exert along its coordinate: a drive up to its limit, a stop only pushes.
Solver::EffortRange Solver::effort_range(size_t i) const {
    const Relation& r = system_.relations[i];
    if (r.kind == Relation::Kind::drive) {
        const Drive& drive = system_.model().drives()[r.index];
        if (mechanics::is_hydraulic(drive)) return valve_range(i);
        const double most = drive.max_effort;
        return {-most, most};
    }
    return {r.kind == Relation::Kind::limit_min ? 0 : -unlimited,
            r.kind == Relation::Kind::limit_max ? 0 : unlimited};
}

// Rows that exert what they may not give way: drives slip, stops let go.
bool Solver::relax_overloaded(state::State& state) {
    bool any = false;
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        RelationNow& now = equations_.relation[i];
        double& multiplier = state.multiplier[system_.dots.size() + i];
        const double effort = -multiplier, allowed = effort_range(i).clamp(effort);
        if (now.mode != RowMode::active || effort == allowed) continue;
        now.mode = is_limit(system_.relations[i]) ? RowMode::inactive : RowMode::saturated;
        now.effort = allowed;
        multiplier = -allowed;
        any = true;
    }
    return any;
}

// A step that does not converge may hold rows that contradict each other: a drive against a stop.
// What has a limited effort gives way, in the direction its multiplier went.
bool Solver::saturate_drives(const state::State& state) {
    bool any = false;
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const Relation& r = system_.relations[i];
        if (r.kind != Relation::Kind::drive || equations_.relation[i].mode != RowMode::active
            || toggles_[i] > 0)
            continue;
        const double effort = -state.multiplier[system_.dots.size() + i];
        const EffortRange range = effort_range(i);
        const double most = effort > 0 ? range.high : range.low;
        if (!std::isfinite(most) || !std::isfinite(effort)) continue;
        saturate(i, most);
        any = true;
    }
    return any;
}

// After the iterations: which rows should have been otherwise? True if the step must be done again.
bool Solver::revise_modes(const state::State& state) {
    bool again = false;
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const Relation& r = system_.relations[i];
        if (r.kind == Relation::Kind::equality) continue;
        RelationNow& now = equations_.relation[i];
        const MeasureValue& y = equations_.measure[r.measure[0]];
        const double effort = -state.multiplier[system_.dots.size() + i];
        if (r.kind == Relation::Kind::drive) {
            if (mechanics::is_hydraulic(system_.model().drives()[r.index])) {
                again |= revise_valve(i, effort);
                continue;
            }
            const double most = effort_range(i).high;
            if (now.mode == RowMode::active && std::abs(effort) > most && toggles_[i] == 0) {
                saturate(i, std::copysign(most, effort));
                again = true;
            } else if (now.mode == RowMode::saturated) {
                // It is as fast as it should be, or it caught up within this step: hold from here. If it is
                // further ahead than it gained in the step, its target turned away: brake.
                const double ahead = std::copysign(1.0, now.effort) * (y.rate - now.rate);
                const double gained = y.rate - equations_.measure_at(begin_, r.measure[0]).rate;
                const double rounding = position_tolerance / (r.unit * system_.settings.step);
                if (ahead < -rounding) continue;
                if (ahead <= std::max(rounding, std::abs(gained)))
                    now.mode = RowMode::active;
                else
                    now.effort = -now.effort;
                events_ = true;
            }
        } else if (now.mode == RowMode::inactive) {
            if (side_of(r) * (y.value - r.target) < 0 && toggles_[i] < 2) {
                now.mode = RowMode::active;
                ++toggles_[i];
                again = true;
            }
        } else if (side_of(r) * effort < 0 && toggles_[i] < 2) {
            now.mode = RowMode::inactive;
            ++toggles_[i];
            again = true;
        }
    }
    return again;
}

// Which rounds that ended before they agreed may leave behind.
bool Solver::passes_stop() {
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const Relation& r = system_.relations[i];
        if (!is_limit(r) || equations_.relation[i].mode != RowMode::inactive) continue;
        const double began = side_of(r)
                           * (equations_.measure_at(begin_, r.measure[0]).value - r.target),
                     ends = side_of(r) * (equations_.measure[r.measure[0]].value - r.target);
        if (r.unit * ends < r.unit * std::min(began, 0.0) - nearly_there) return true;
    }
    return false;
}

// A drive that has just taken hold does not go on pushing against a stop: what they exert is found anew.
void Solver::share_with_stops(state::State& state) const {
    const auto is_active = [&](size_t i) { return equations_.relation[i].mode == RowMode::active; };
    double* const multiplier = state.multiplier.data() + system_.dots.size();
    for (uint32_t drive : system_.drive_relation) {
        const Relation& held = system_.relations[drive];
        const bool held_before =
            begin_.memory[held.memory + mode_memory] == static_cast<double>(RowMode::active);
        if (!is_active(drive) || held_before) continue;
        for (size_t i = 0; i < system_.relations.size(); ++i)
            if (is_limit(system_.relations[i]) && is_active(i)
                && system_.relations[i].measure[0] == held.measure[0])
                multiplier[drive] = multiplier[i] = 0;
    }
}

// Limits that were struck in this step give back part of the speed they were struck with.
void Solver::strike_limits(double h) {
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const Relation& r = system_.relations[i];
        RelationNow& now = equations_.relation[i];
        const bool was_free =
            begin_.memory[r.memory + mode_memory] == static_cast<double>(RowMode::inactive);
        if (!is_limit(r) || now.mode != RowMode::active || !was_free) continue;
        events_ = true;
        const MeasureValue y = equations_.measure_at(begin_, r.measure[0]);
        double acceleration = 0;
        for (uint32_t k = r.first; k < r.first + r.count; ++k)
            acceleration += dot(equations_.relation_gradient(k),
                                begin_.acceleration[system_.relation_terms[k].entity]);
        // Slower than gravity (or what acts here) makes it in two steps, it rests.
        if (std::abs(y.rate) <= 2 * h * std::abs(acceleration)) continue;
        const double speed =
            std::sqrt(std::max(0.0, y.rate * y.rate + 2 * acceleration * (r.target - y.value)));
        now.rate = bounce_[i] = system_.model().limits()[r.index].restitution * side_of(r) * speed;
        if (now.rate != 0) let_go_of_struck(r, now.rate);
    }
}

// A limited effort does nothing in no time: what it drives comes back from the stop at this rate, and from there on it pushes again. Held
// at both rates, the joint would have their mean.
void Solver::let_go_of_struck(const Relation& stop, double rate) {
    for (uint32_t i : system_.drive_relation) {
        const Relation& r = system_.relations[i];
        const Drive& drive = system_.model().drives()[r.index];
        if (r.measure[0] != stop.measure[0] || is_unlimited(i) || mechanics::is_hydraulic(drive))
            continue;
        RelationNow& now = equations_.relation[i];
        if (now.mode == RowMode::saturated && !mechanics::asks_for_rate(drive)) continue;
        now.mode = RowMode::saturated;
        now.effort = std::copysign(drive.max_effort, now.rate - rate);
    }
}

void Solver::commit_modes(state::State& state, double h) {
    for (const Measure& m : system_.measures)
        if (m.memory != none)
            state.memory[m.memory] =
                equations_.measure[static_cast<size_t>(&m - system_.measures.data())].value;
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        store_mode(state, i);
        const Relation& r = system_.relations[i];
        if (r.kind != Relation::Kind::drive) continue;
        const RelationNow& now = equations_.relation[i];
        const Drive& drive = system_.model().drives()[r.index];
        if (mechanics::is_hydraulic(drive)) {
            commit_valve(state, i);
            continue;
        }
        const bool by_speed = mechanics::asks_for_rate(drive);
        double& reference = state.memory[r.memory + reference_memory];
        if (now.mode == RowMode::active && !events_) {
            reference = by_speed ? now.target
                                 : mechanics::offset_after(reference, h, system_.settings.step);
        } else {
            const double y = equations_.measure[r.measure[0]].value;
            reference = mechanics::start_reference(drive, y, reference_target(r, state));
        }
    }
}

void Solver::retarget(state::State& state, size_t drive, double value) {
    const Relation& r = system_.relations[system_.drive_relation[drive]];
    mechanics::give_command(system_.model().drives()[drive], state.memory[r.command],
                            state.memory[r.memory + reference_memory], value);
}

}  // namespace bristle::lagrange
