// Joints are closed where a step ends, whatever its velocities are.
//
// Where tension or a fast turn does not let them be closed by the velocities themselves (mechanism.h), these leave an error of
// (h ω)²/2 of an arm in every step. It is taken out of the positions alone, q₁ ← q₁ ⊕ h w, by the shortest way there is in the measure of
// the masses,
//
//   ½ wᵀ M w  least,   J(q₁) w = −Φ(q₁)/h ,   n·J w ≥ −gap/h of what touches,
//
// with every body as stout as to count a turn about its slender axis too, again from where that leads until they are closed, by half the
// way where the whole of it opens them further. Velocities do not know of it: nothing is won by it, and what it does to the
// energy of weight is accounted (energy.cpp). Where no way is found, what only joints and weight move stays where it is (energy.cpp). Mending it by a share in each step instead, as GRI (36) does, left joints open by their
// links' lengths at 30 rad/s and 10 ms.
#include "impulse/numerics.h"
#include "impulse/solver.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

// The rotation vector of a after b.
Vec3 turn_of(Quat q) {
    if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
    const Vec3 v{q.x, q.y, q.z};
    const double sine = norm(v);
    return sine > 1e-12 ? 2 * std::atan2(sine, q.w) / sine * v : 2.0 * v;
}

}  // namespace

template <int N>
bool DirectSolver<N>::find_closing(const StepView& step, const IslandView& island,
                                   const Vec3& plane_normal, std::span<Twist> ways) {
    set_plane(plane_normal);
    gather(step, island);
    frictions_.clear();
    for (uint32_t i = 0; i < v_.size(); ++i) {
        v_[i] = free_[i] = {};
        if constexpr (N == 6)
            for (int k = 3; k < 6; ++k)
                mass_[i].column[k][k] += least_stoutness * step.inertia[island.groups[i]].trace();
    }
    size_t r = island.rows.size();
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        const auto moved = [&](uint32_t g, Vec3 arm) {
            return g == 0 ? Vec3{} : step.way[g] + cross(step.turn[g], arm);
        };
        for (uint32_t i = m.first; i < m.first + m.count; ++i) {
            const ManifoldPoint& p = step.contacts.points[i];
            const double gap = p.gap + dot(m.normal, moved(m.a, p.arm_a) - moved(m.b, p.arm_b));
            rows_[r].offset = -rows_[r].gain * std::max(gap, 0.0) / step.step;
            rows_[r].was_free = false;
            for (int t = 1; t < (N == 6 ? 3 : 2); ++t)
                rows_[r + t].gain = rows_[r + t].offset = rows_[r + t].low = rows_[r + t].high = 0;
            r += N == 6 ? 3 : 2;
        }
    }
    for (; r < rows_.size(); ++r)
        rows_[r].gain = rows_[r].offset = rows_[r].low = rows_[r].high = 0;
    double speed = 0;
    for (size_t i = 0; i < island.rows.size(); ++i)
        if (rows_[i].gain > 0) speed = std::max(speed, std::abs(rows_[i].offset) / rows_[i].gain);
    const Iterations done =
        iterate(step, island, speed, most_closing_iterations, Bounds::as_before);
    if (!done.is_acceptable) return false;
    for (uint32_t i = 0; i < v_.size(); ++i) {
        const uint32_t g = island.groups[i];
        const Vector& v = v_[i];
        if constexpr (N == 6)
            ways[g] = {step.step * Vec3{v[0], v[1], v[2]}, step.step * Vec3{v[3], v[4], v[5]}};
        else
            ways[g] = {step.step * (v[0] * axis_[0] + v[1] * axis_[1]),
                       step.step * v[2] * axis_[2]};
    }
    return true;
}

template bool DirectSolver<6>::find_closing(const StepView&, const IslandView&, const Vec3&,
                                            std::span<Twist>);
template bool DirectSolver<3>::find_closing(const StepView&, const IslandView&, const Vec3&,
                                            std::span<Twist>);

// Where the step leads now: how far joints are open there, over their arms.
double ImpulseSolver::open_at_end(const ImpulseState& state, uint32_t island) {
    const double h = settings_.step;
    for (uint32_t g : islands_.groups(island)) {
        if (!mechanism_.has(g)) continue;
        GroupMotion end = state.motion[g];
        end.position += way_[g];
        end.orientation = turned_by(turn_[g]) * end.orientation;
        end.velocity = end.angular_velocity = {};
        mechanism_.place(g, end, h);
    }
    mechanism_.take_worst_error();
    for (uint32_t e : islands_.elements(island)) {
        const Mechanism::Element& element = mechanism_.elements()[e];
        if (element.kind <= Mechanism::Element::Kind::gear)
            mechanism_.evaluate(element, h, state.time + h, state.memory, resting_speed_,
                                Mechanism::Closing::positions);
        else
            mechanism_.silence(element);
    }
    return mechanism_.take_worst_error();
}

void ImpulseSolver::go_on(uint32_t island, double share) {
    for (uint32_t g : islands_.groups(island)) {
        way_[g] += share * closing_[g].linear;
        turn_[g] = turn_of(turned_by(share * closing_[g].angular) * turned_by(turn_[g]));
    }
}

void ImpulseSolver::keep_ways(uint32_t island) {
    for (uint32_t g : islands_.groups(island)) kept_ways_[g] = {way_[g], turn_[g]};
}

void ImpulseSolver::take_kept_ways(uint32_t island) {
    for (uint32_t g : islands_.groups(island)) {
        way_[g] = kept_ways_[g].linear;
        turn_[g] = kept_ways_[g].angular;
    }
}

void ImpulseSolver::close_joints(const ImpulseState& state) {
    const StepView step = view(state);
    for (size_t i = 0; i < candidates_.size(); ++i) {
        if (iterations_[i] == not_direct || !(is_open_[i] || is_tense_[i])) continue;
        const uint32_t island = candidates_[i];
        double open = open_at_end(state, island), best = open;
        keep_ways(island);
        // The way to closed joints may lead over some that are further open.
        for (int round = 0; round < most_closing_rounds && open > closed; ++round) {
            const bool is_found = model_.plane_normal
                                    ? planar_[first_group(i)]->find_closing(step, parts_of(i),
                                                                            plane_normal_, closing_)
                                    : direct_[first_group(i)]->find_closing(
                                        step, parts_of(i), plane_normal_, closing_);
            if (!is_found) break;
            double share = 1, next = 0;
            go_on(island, share);
            while ((next = open_at_end(state, island)) > open && share > least_closing_share) {
                go_on(island, -share / 2);
                share /= 2;
            }
            open = next;
            if (!(open < best)) continue;
            best = open;
            keep_ways(island);
        }
        if (open > best) take_kept_ways(island);
        is_stuck_[i] = best > still_closed && is_passive(island) && was_closed(state, island, best);
    }
}

// Where the step began, much more than it would be open where it ends.
bool ImpulseSolver::was_closed(const ImpulseState& state, uint32_t island, double open) {
    keep_ways(island);
    for (uint32_t g : islands_.groups(island)) way_[g] = turn_[g] = {};
    const double before = open_at_end(state, island);
    take_kept_ways(island);
    return before < 0.1 * open;
}

}  // namespace bristle::impulse
