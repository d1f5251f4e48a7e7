// What can be read of the solver after a step.
#include "impulse/solver.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {

// The impulses of an element on one of its groups, as force and torque about the group's centre.
namespace {

struct Wrench {
    Vec3 force, torque;
};

Wrench wrench_on(const Mechanism& mechanism, const Mechanism::Element& e,
                 const std::vector<double>& impulses, uint32_t group, double h) {
    Wrench sum;
    for (uint32_t r = e.first_row; r < e.first_row + e.row_count; ++r) {
        const Row& row = mechanism.rows().rows[r];
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const RowEntry& entry = mechanism.rows().entries[k];
            if (entry.group != group) continue;
            sum.force += impulses[r] / h * entry.linear;
            sum.torque += impulses[r] / h * entry.angular;
        }
    }
    return sum;
}

}  // namespace

Reaction ImpulseSolver::reaction(const ImpulseState& state, JointId id) const {
    const JointGeometry& j = mechanism_.joint(id);
    // The ground is in no row; what acts on it is what acts on the other side, turned round.
    const bool by_b = j.group_b() != 0;
    const uint32_t group = by_b ? j.group_b() : j.group_a();
    Wrench sum;
    for (const Mechanism::Element& e : mechanism_.elements()) {
        if ((e.kind != Mechanism::Element::Kind::joint && e.kind != Mechanism::Element::Kind::screw)
            || e.index != id.index)
            continue;
        const Wrench w = wrench_on(mechanism_, e, state.row_impulses, group, settings_.step);
        sum.force += w.force;
        sum.torque += w.torque;
    }
    const GroupMotion& m = state.motion[group];
    const Placement frame{m.orientation.matrix(), m.position};
    const Vec3 at = by_b ? j.point_b(frame) : j.point_a(frame);
    const Vec3 moment = sum.torque - cross(at - m.position, sum.force);
    return by_b ? Reaction{sum.force, moment} : Reaction{-sum.force, -moment};
}

double ImpulseSolver::limit_effort(const ImpulseState& state, LimitId id) const {
    for (const Mechanism::Element& e : mechanism_.elements())
        if (e.kind == Mechanism::Element::Kind::limit && e.index == id.index)
            return (state.row_impulses[e.first_row] + state.row_impulses[e.first_row + 1])
                 / settings_.step;
    return 0;
}

std::vector<SolverLoad> ImpulseSolver::loads(const ImpulseState& state) const {
    std::vector<SolverLoad> out;
    const double h = settings_.step;
    for (const Mechanism::Element& e : mechanism_.elements()) {
        if (e.kind == Mechanism::Element::Kind::stateful) continue;
        const auto [a, b] = mechanism_.bodies_of(e);
        const uint32_t group_a = groups_.member(a).group, group_b = groups_.member(b).group;
        const auto add = [&](BodyId body, uint32_t group, uint32_t other) {
            // What is fixed to the ground is in no row: it bears what the other side does, turned round.
            const double sign = group != 0 ? 1 : -1;
            const uint32_t seen = group != 0 ? group : other;
            if (seen == 0) return;
            const Wrench w = wrench_on(mechanism_, e, state.row_impulses, seen, h);
            out.push_back({body, sign * w.force, state.motion[seen].position, sign * w.torque});
        };
        add(a, group_a, group_b);
        add(b, group_b, group_a);
    }
    std::vector<Mechanism::StatefulLoad> stateful;
    mechanism_.add_stateful_loads(state.memory, stateful);
    for (const auto& [body, force, at, torque] : stateful) out.push_back({body, force, at, torque});
    out.insert(out.end(), users_loads_.begin(), users_loads_.end());
    if (!scene_) return out;
    for (const auto* list : {&state.contacts, &state.resting})
        for (const ContactImpulse& c : *list) {
            const Vec3 force = (1 / h) * Vec3{c.total[0], c.total[1], c.total[2]};
            const Vec3 torque = (1 / h) * Vec3{c.torque[0], c.torque[1], c.torque[2]};
            const auto colliders = scene_->colliders();
            out.push_back({colliders[c.pair >> 32].body, force, c.point, torque});
            out.push_back({colliders[c.pair & 0xffffffffu].body, -force, c.point, -torque});
        }
    return out;
}

ConstraintError ImpulseSolver::constraint_error(const ImpulseState& state,
                                                const Mechanism& now) const {
    ConstraintError worst;
    Vec3 low = state.motion[0].position, high = low;
    double fastest = 0;
    for (const GroupMotion& m : state.motion) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], m.position[k]);
            high[k] = std::max(high[k], m.position[k]);
        }
        fastest = std::max(fastest, norm(m.velocity));
    }
    const double size = std::max(norm(high - low), 1e-9);
    for (const Mechanism::Element& e : now.elements()) {
        if (e.kind != Mechanism::Element::Kind::joint) continue;
        const JointGeometry& j = now.joint({e.index});
        const Placement &a = now.frame(j.group_a()), &b = now.frame(j.group_b());
        double errors[JointGeometry::most_rows];
        JointGeometry::Sides sides[JointGeometry::most_rows];
        j.errors(a, b, errors);
        j.jacobian(a, b, sides);
        const GroupMotion &ma = state.motion[j.group_a()], &mb = state.motion[j.group_b()];
        for (uint32_t k = 0; k < e.row_count; ++k) {
            worst.position = std::max(worst.position, std::abs(errors[k]) / size);
            const JointGeometry::Sides& s = sides[k];
            const double rate = dot(s.linear_a, ma.velocity) + dot(s.angular_a, ma.angular_velocity)
                              + dot(s.linear_b, mb.velocity)
                              + dot(s.angular_b, mb.angular_velocity);
            if (fastest > 0) worst.velocity = std::max(worst.velocity, std::abs(rate) / fastest);
        }
    }
    return worst;
}

}  // namespace bristle::impulse
