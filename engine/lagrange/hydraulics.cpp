// Hydraulic drives (spec D5): what a piston behind a valve may exert, by its rate.
//
// The three of mechanics/drives.h are the modes of the drive's row: locked, active with the rate zero; pushing, saturated; at
// speed, active with the valve's rate. Which of the active
// ones a step ended with is told by its effort, so that nothing else has to be remembered.
#include "lagrange/numerics.h"
#include "lagrange/solver.h"
#include "mechanics/drives.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

bool is_locked(const RelationNow& now) { return now.mode == RowMode::active && now.rate == 0; }

void lock(RelationNow& now, double at) {
    now.mode = RowMode::active;
    now.target = at;
    now.rate = now.acceleration = 0;
}

// The limit that holds the same coordinate now.
const Relation* stop_at(const Equations& equations, size_t drive) {
    const std::vector<Relation>& all = equations.system.relations;
    for (size_t i = 0; i < all.size(); ++i)
        if (is_limit(all[i]) && all[i].measure[0] == all[drive].measure[0]
            && equations.relation[i].mode == RowMode::active)
            return &all[i];
    return nullptr;
}

}  // namespace

void Solver::set_valve(const state::State& state, size_t i, double h) {
    const Relation& r = system_.relations[i];
    const Drive& drive = system_.model().drives()[r.index];
    RelationNow& now = equations_.relation[i];
    const double t = state.time + h, d = (h > 0 ? h : system_.settings.step) / 2;
    const auto f = [&](double time) {
        return mechanics::asked_rate(drive, drive_target(r, state, time));
    };
    now.opened = f(t);
    now.target = state.memory[r.memory + reference_memory];
    const double most = std::copysign(drive.max_effort, now.opened);
    if (now.opened == 0 || (now.mode == RowMode::active && now.effort / most > 1)) {
        now.mode = RowMode::active;
        return;
    }
    now.rate = now.opened;
    // A push the other way starts with a jump of the effort, which revise_valve sees to.
    if (now.mode == RowMode::saturated && now.effort != most) now.mode = RowMode::active;
    // The way by Simpson's rule; of a valve that was turned within the step, the part since then.
    const double side = std::copysign(1.0, now.opened);
    const auto along = [&](double time) { return side * std::max(0.0, side * f(time)); };
    if (h > 0) now.target += h / 6 * (along(t - h) + 4 * along(t - h / 2) + along(t));
    if (drive.target && std::abs(f(t + 2 * d) - f(t - 2 * d)) <= rate_jump * drive.max_speed)
        now.acceleration = (f(t - 2 * d) - 8 * f(t - d) + 8 * f(t + d) - f(t + 2 * d)) / (12 * d);
}

Solver::EffortRange Solver::valve_range(size_t i) const {
    const RelationNow& now = equations_.relation[i];
    const double most = system_.model().drives()[system_.relations[i].index].max_effort;
    if (now.opened == 0) return {-unlimited, unlimited};
    if ((now.opened > 0) == is_locked(now)) return {now.opened > 0 ? most : -most, unlimited};
    return {-unlimited, now.opened > 0 ? most : -most};
}

// True if the step must be done again.
bool Solver::revise_valve(size_t i, double effort) {
    const Relation& r = system_.relations[i];
    const Drive& drive = system_.model().drives()[r.index];
    RelationNow& now = equations_.relation[i];
    const MeasureValue& y = equations_.measure[r.measure[0]];
    const double side = now.opened < 0 ? -1 : 1;
    if (now.mode == RowMode::active) {
        const double allowed = valve_range(i).clamp(effort);
        if (allowed != effort && toggles_[i] < 2) {
            now.rate = now.opened;
            saturate(i, allowed);
            return true;
        }
        const double before = equations_.measure_at(begin_, r.measure[0]).rate;
        if (std::abs(before - now.rate) > rate_jump * drive.max_speed) events_ = true;
        return false;
    }
    const double stored = begin_.memory[r.memory + reference_memory];
    if (!stop_at(equations_, i) && side * (y.value - stored) < -piston_behind * system_.size
        && toggles_[i] < 3) {
        lock(now, stored);
        ++toggles_[i];
        events_ = true;
        return true;
    }
    if (side * (y.rate - now.opened) > 0) {
        // It caught up within this step, and goes on with the valve's rate.
        now.mode = RowMode::active;
        events_ = true;
    } else if (side * y.rate < 0 && !stop_at(equations_, i)) {
        // It turned within this step, and stays there.
        lock(now, y.value);
        events_ = true;
    }
    return false;
}

// A jump elsewhere may take a pushing piston beyond its speed, or back: then it is a jump for it too.
bool Solver::grip_valves(const state::State& state) {
    bool any = false;
    for (size_t i = 0; i < system_.relations.size(); ++i) {
        const Relation& r = system_.relations[i];
        RelationNow& now = equations_.relation[i];
        if (now.opened == 0 || now.mode != RowMode::saturated) continue;
        const double side = now.opened < 0 ? -1 : 1,
                     slack = piston_rounding * system_.model().drives()[r.index].max_speed;
        const MeasureValue y = equations_.measure_at(state, r.measure[0]);
        const bool is_fast = side * (y.rate - now.opened) > slack;
        if (!is_fast && (side * y.rate >= -slack || stop_at(equations_, i))) continue;
        lock(now, y.value);
        if (is_fast) now.rate = now.opened;
        any = events_ = true;
    }
    return any;
}

void Solver::commit_valve(state::State& state, size_t i) const {
    const Relation& r = system_.relations[i];
    const RelationNow& now = equations_.relation[i];
    double& stored = state.memory[r.memory + reference_memory];
    const double y = is_locked(now) || (now.mode == RowMode::active && !events_)
                       ? now.target
                       : equations_.measure[r.measure[0]].value;
    stored = mechanics::stored_by(now.opened, stored, y);
    // At a stop both must agree to the last bit, lest they press against each other.
    if (const Relation* stop = stop_at(equations_, i)) stored = stop->target;
}

}  // namespace bristle::lagrange
