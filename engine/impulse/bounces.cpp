// Restitution gives back no more than impacts took, and taking bodies out of each other gives nothing.
//
// Newton's law at several contacts, or beside friction, may ask for more energy than there was. What an island loses in the step in which
// points of it strike,
//
//   D = W − (T(v) − T(v₀)) ,    W what weight, forces, drives, springs and motors do: impulses times the mean of v₀ and v (energy.cpp),
//
// is shared among those points and the stops of joints that are struck, by impulse times speed, and remembered with them. In the step in which they leave, the island may gain no more
// than they hold; of what it would gain beyond that, its velocities pay alike, v ← v_c + s (v − v_c), v_c the motion as one rigid body of what
// flies (energy.cpp). So closed joints stay closed, what rests stays at rest, momentum is kept, and all leave more slowly.
//
// The same holds where points are so deep in each other that taking them out is a motion to be seen: bodies that start wedged between
// others found velocities that grew from step to step.
#include "impulse/numerics.h"
#include "impulse/solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::impulse {

// J, of an island that was solved at once: λ · J (v₀ + v)/2 of all its rows but joints.
void ImpulseSolver::count_work(const ImpulseState& state, uint32_t island) {
    for (uint32_t e : islands_.elements(island)) {
        const Mechanism::Element& element = mechanism_.elements()[e];
        for (uint32_t r = element.first_row; r < element.first_row + element.row_count; ++r) {
            Row& row = mechanism_.rows().rows[r];
            if (row.is_joint) break;
            double rates = 0;
            for (uint32_t k = row.first; row.total != 0 && k < row.first + row.count; ++k) {
                const RowEntry& entry = mechanism_.rows().entries[k];
                const GroupMotion& before = state.motion[entry.group];
                rates += dot(entry.linear, before.velocity + velocity_[entry.group])
                       + dot(entry.angular, before.angular_velocity + spin_[entry.group]);
            }
            row.work = row.total * rates / 2;
        }
    }
}

// J: what motion and weight have won in the step, beyond the work of drives, springs and forces. That of contacts, stops and joints.
double ImpulseSolver::gain_of_impacts(const ImpulseState& state, uint32_t island) const {
    double gain = 0;
    const double h = settings_.step;
    for (uint32_t g : islands_.groups(island)) {
        const GroupMotion& m = state.motion[g];
        const Mat3 before = in_world(groups_[g].inertia, rotation_[g]);
        gain +=
            0.5 * groups_[g].mass * (dot(velocity_[g], velocity_[g]) - dot(m.velocity, m.velocity))
            + 0.5
                  * (dot(spin_[g], inertia_after(state, g) * spin_[g])
                     - dot(m.angular_velocity, before * m.angular_velocity))
            - groups_[g].mass / 2 * dot(free_velocity_[g] - m.velocity, velocity_[g] + m.velocity)
            - h / 2 * dot(users_torque_[g], spin_[g] + m.angular_velocity);
    }
    for (uint32_t e : islands_.elements(island)) {
        const Mechanism::Element& element = mechanism_.elements()[e];
        if (element.kind == Mechanism::Element::Kind::limit) continue;
        for (uint32_t r = element.first_row; r < element.first_row + element.row_count; ++r)
            gain -= mechanism_.rows().rows[r].work;
    }
    return gain;
}

// J: against weight, by what takes bodies out of each other and is no velocity. (What is swept has no such ways of its own.)
double ImpulseSolver::lift(const ImpulseState& state, uint32_t island) const {
    double sum = 0;
    for (uint32_t g : islands_.groups(island))
        if (state.motion[g].lag == settings_.step / 2)
            sum -= groups_[g].mass * dot(model_.gravity, way_[g] - settings_.step * velocity_[g]);
    return std::max(sum, 0.0);
}

void ImpulseSolver::slow_down(const ImpulseState& state, uint32_t island, double energy) {
    const CommonMotion c =
        is_grounded_island(island) ? CommonMotion{} : common_motion(state, island);
    double kinetic = -c.kinetic;
    for (uint32_t g : islands_.groups(island))
        kinetic += 0.5 * groups_[g].mass * dot(velocity_[g], velocity_[g])
                 + 0.5 * dot(spin_[g], inertia_after(state, g) * spin_[g]);
    if (!(kinetic > 0)) return;
    const double share = std::sqrt(std::max(0.0, 1 - energy / kinetic));
    for (uint32_t g : islands_.groups(island)) {
        const Vec3 common =
            c.velocity + cross(c.spin, state.motion[g].position + way_[g] - c.centre);
        velocity_[g] = common + share * (velocity_[g] - common);
        spin_[g] = c.spin + share * (spin_[g] - c.spin);
    }
}

template <class Visit> void ImpulseSolver::for_each_stop(uint32_t island, const Visit& visit) {
    for (uint32_t e : islands_.elements(island)) {
        const Mechanism::Element& element = mechanism_.elements()[e];
        if (element.kind != Mechanism::Element::Kind::limit) continue;
        for (uint32_t side = 0; side < 2; ++side)
            visit(mechanism_.stops(element)[side],
                  mechanism_.rows().rows[element.first_row + side]);
    }
}

void ImpulseSolver::limit_bounces(const ImpulseState& state) {
    for (uint32_t island = 0; island < islands_.size(); ++island) {
        bool any_leaves = false, is_deep = false;
        double held = 0, struck = 0;  // struck: impulses times speeds
        for (uint32_t k : islands_.manifolds(island)) {
            const Manifold& m = contacts_.manifolds[k];
            for (uint32_t i = m.first; i < m.first + m.count; ++i) {
                any_leaves |= contacts_.points[i].leaving > 0;
                is_deep |= contacts_.points[i].gap < -calm_direct_mending * settings_.step;
                held += std::exchange(contacts_.points[i].held, 0.0);
            }
            statistics.lost_bounce =
                std::max(statistics.lost_bounce, contacts_.find_impacts(m, resting_speed_));
            for (uint32_t i = m.first; i < m.first + m.count; ++i)
                struck += contacts_.points[i].pressed * contacts_.points[i].impact;
        }
        for (uint32_t e : islands_.elements(island))
            if (const auto& element = mechanism_.elements()[e];
                element.kind == Mechanism::Element::Kind::limit)
                mechanism_.find_impacts(element, settings_.step, resting_speed_);
        for_each_stop(island, [&](Mechanism::Stop& s, const Row& row) {
            any_leaves |= s.leaving > 0;
            held += std::exchange(s.held, 0.0);
            struck += std::abs(row.total) * s.impact;
        });
        if (!any_leaves && !is_deep && !(struck > 0)) continue;
        const double gain = gain_of_impacts(state, island);
        const double won = gain + (is_deep ? lift(state, island) : 0);
        if ((any_leaves || is_deep) && won > held) slow_down(state, island, won - held);
        if (!(struck > 0 && gain < held)) continue;
        for (uint32_t k : islands_.manifolds(island)) {
            const Manifold& m = contacts_.manifolds[k];
            for (uint32_t i = m.first; i < m.first + m.count; ++i) {
                ManifoldPoint& p = contacts_.points[i];
                p.held = (held - gain) * p.pressed * p.impact / struck;
            }
        }
        for_each_stop(island, [&](Mechanism::Stop& s, const Row& row) {
            s.held = (held - gain) * std::abs(row.total) * s.impact / struck;
        });
    }
}

}  // namespace bristle::impulse
