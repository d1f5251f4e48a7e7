// Hydraulic drives (spec D5): what a piston behind a valve may exert, by its rate.
//
//                     effort along the command
//     locked              F … ∞         at rate 0, where it was stored
//     pushing             F             between
//     at speed           −∞ … F         at the rate the valve gives, which a helping load does not exceed
//
// with F the largest effort. A closed valve locks with any effort, of either sign. The three are the modes of
// the drive's row: active with the rate zero, saturated, active with the valve's rate. Which of the active
// ones a step ended with is told by its effort, so that nothing else has to be remembered. What is stored
// follows the piston in the direction of the command only: it is a ratchet, and the lock holds it there.
#include "lagrange/solver.h"
#include "model/drive.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

// Of the largest speed: a rate that changes by more in a step jumps. Only then may velocities jump with it,
// through the whole mechanism; and a valve's slope in time says nothing about the acceleration.
constexpr double jump = 0.1;

// Of the model's size: positions are computed to a tenth of it.
constexpr double behind = 1e-9;

constexpr double rounding = 1e-7;  // of the largest speed, that is no motion yet

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
    const Drive& drive = system_.model.drives()[r.index];
    RelationNow& now = equations_.relation[i];
    const double t = state.time + h, d = (h > 0 ? h : system_.settings.step) / 2;
    const auto f = [&](double time) {
        return model::asked_rate(drive, drive_target(r.index, state, time));
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
    if (drive.target && std::abs(f(t + 2 * d) - f(t - 2 * d)) <= jump * drive.max_speed)
        now.acceleration = (f(t - 2 * d) - 8 * f(t - d) + 8 * f(t + d) - f(t + 2 * d)) / (12 * d);
}

Solver::EffortRange Solver::valve_range(size_t i) const {
    const RelationNow& now = equations_.relation[i];
    const double most = system_.model.drives()[system_.relations[i].index].max_effort;
    if (now.opened == 0) return {-unlimited, unlimited};
    if ((now.opened > 0) == is_locked(now)) return {now.opened > 0 ? most : -most, unlimited};
    return {-unlimited, now.opened > 0 ? most : -most};
}

// True if the step must be done again.
bool Solver::revise_valve(size_t i, double effort) {
    const Relation& r = system_.relations[i];
    const Drive& drive = system_.model.drives()[r.index];
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
        if (std::abs(before - now.rate) > jump * drive.max_speed) events_ = true;
        return false;
    }
    const double stored = begin_.memory[r.memory + reference_memory];
    if (!stop_at(equations_, i) && side * (y.value - stored) < -behind * system_.size
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
                     slack = rounding * system_.model.drives()[r.index].max_speed;
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
    if ((now.opened > 0) == (y > stored)) stored = y;
    // At a stop both must agree to the last bit, lest they press against each other.
    if (const Relation* stop = stop_at(equations_, i)) stored = stop->target;
}

}  // namespace bristle::lagrange
