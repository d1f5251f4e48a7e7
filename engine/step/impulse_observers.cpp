// What can be read of a World that impulses move.
#include "model/joint_kind.h"
#include "step/impulse_world.h"

#include <algorithm>
#include <cmath>

namespace bristle::step {
namespace {

Vec3 from_single(const float (&f)[3]) { return {f[0], f[1], f[2]}; }

}  // namespace

const impulse::Mechanism& ImpulseWorld::mechanism() const {
    impulse::Mechanism& m = solver_->mechanism();
    for (uint32_t g = 1; g < solver_->groups().size(); ++g) m.place(g, state_.motion[g], 0);
    return m;
}

// ---- Bodies --------------------------------------------------------------------------------------------

Pose ImpulseWorld::pose(BodyId id) const { return solver_->pose(state_, {find(id)}); }
Twist ImpulseWorld::twist(BodyId id) const { return solver_->twist(state_, {find(id)}); }

bool ImpulseWorld::is_asleep(BodyId id) const {
    return state_.motion[solver_->groups().member({find(id)}).group].is_asleep();
}

Vec3 ImpulseWorld::acceleration(BodyId id) const {
    const impulse::GroupMember& m = solver_->groups().member({find(id)});
    const impulse::GroupMotion& g = state_.motion[m.group];
    const Vec3 arm = g.orientation.matrix() * m.offset, w = g.angular_velocity;
    const Twist& a = solver_->acceleration(m.group);
    return a.linear + cross(a.angular, arm) + cross(w, cross(w, arm));
}

Vec3 ImpulseWorld::point_velocity(BodyId id, Vec3 local) const {
    const Twist t = twist(id);
    return t.linear + cross(t.angular, pose(id).orientation.matrix() * local);
}

// ---- Joints and what acts on them ----------------------------------------------------------------------

double ImpulseWorld::coordinate(JointId id) const {
    const JointId joint{find(id)};
    if (!model().has_coordinate(id))
        throw InputError(
            "coordinate: this joint has none; ask a revolute, prismatic, cylindrical, screw or "
            "distance joint, or a gauge");
    return mechanism().coordinate(joint, state_.memory);
}

double ImpulseWorld::coordinate_rate(JointId id) const {
    const JointId joint{find(id)};
    if (!model().has_coordinate(id)) throw InputError("coordinate_rate: this joint has none");
    return mechanism().rate(joint);
}

double ImpulseWorld::angle(JointId id) const {
    const JointId joint{find(id)};
    if (!model::kind_of(compact().model.joints()[joint.index]).has_angle())
        throw InputError("angle: ask a revolute, cylindrical, screw or planar joint");
    return mechanism().angle(joint);
}

Reaction ImpulseWorld::reaction(JointId id) {
    const uint32_t joint = find(id);
    const Joint& j = compact().model.joints()[joint];
    if (model::is_weld(j)) return weld_reaction(joint);
    return solver_->reaction(state_, {joint});
}

// Of a weld: what the bodies on b's side need besides all that is known to act on them.
Reaction ImpulseWorld::weld_reaction(uint32_t joint) const {
    const Model& m = compact().model;
    std::vector<uint8_t> is_beyond(m.bodies().size());
    is_beyond[m.joints()[joint].b.index] = 1;
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t i = 0; i < m.joints().size(); ++i) {
            const Joint& j = m.joints()[i];
            if (!model::is_weld(j) || i == joint) continue;
            if (is_beyond[j.a.index] == is_beyond[j.b.index]) continue;
            is_beyond[j.a.index] = is_beyond[j.b.index] = 1;
            grows = true;
        }
    }
    const Vec3 at = mechanism().joint({joint}).point_b(
        mechanism().frame(solver_->groups().member(m.joints()[joint].b).group));
    // A weld that others bridge carries nothing of its own.
    if (is_beyond[m.joints()[joint].a.index] || is_beyond[0]) return {};
    Reaction needed;
    for (uint32_t i = 1; i < m.bodies().size(); ++i) {
        if (!is_beyond[i]) continue;
        const Body& body = m.bodies()[i];
        const Pose pose = solver_->pose(state_, {i});
        const Twist twist = solver_->twist(state_, {i});
        const Mat3 rotation = pose.orientation.matrix();
        const Vec3 arm = rotation * body.center, w = twist.angular;
        const Twist& group = solver_->acceleration(solver_->groups().member({i}).group);
        const Vec3 a = acceleration({compact().bodies.to_model[i]}) + cross(group.angular, arm)
                     + cross(w, cross(w, arm));
        const Mat3 inertia = impulse::in_world(body.inertia, rotation);
        const Vec3 force = body.mass * (a - m.gravity);
        needed.force += force;
        needed.moment += cross(pose.position + arm - at, force) + inertia * group.angular
                       + cross(w, inertia * w);
    }
    for (const impulse::SolverLoad& load : solver_->loads(state_)) {
        if (!is_beyond[load.body.index]) continue;
        needed.force -= load.force;
        needed.moment -= load.torque + cross(load.at - at, load.force);
    }
    return needed;
}

double ImpulseWorld::effort(DriveId id) const {
    return solver_->mechanism().effort(DriveId{find(id)}, state_.memory);
}

double ImpulseWorld::work(DriveId id) const {
    return solver_->mechanism().work(DriveId{find(id)}, state_.memory);
}

double ImpulseWorld::effort(LimitId id) const { return solver_->limit_effort(state_, {find(id)}); }

double ImpulseWorld::tension(ForceId id) const {
    const auto ref = compact().model.forces()[find(id)];
    if (ref.kind != Model::ForceKind::spring && ref.kind != Model::ForceKind::joint_spring)
        throw InputError("tension: only springs and joint springs have one");
    return mechanism().tension(ref, state_.memory);
}

// ---- Contacts, energy, and how well it goes ------------------------------------------------------------

std::vector<Contact> ImpulseWorld::contacts() const {
    std::vector<Contact> out;
    if (solver_->scene() == nullptr) return out;
    const auto colliders = solver_->scene()->colliders();
    for (const auto* list : {&state_.contacts, &state_.resting})
        for (const impulse::ContactImpulse& c : *list) {
            if (!(c.pressed() > 0) && !(c.gap < 0)) continue;
            const collision::SceneCollider &a = colliders[c.pair >> 32],
                                           &b = colliders[c.pair & 0xffffffffu];
            const auto velocity = [&](BodyId body) {
                const impulse::GroupMotion& g = state_.motion[solver_->groups().member(body).group];
                return g.velocity + cross(g.angular_velocity, c.point - g.position);
            };
            const Vec3 n = from_single(c.normal), v = velocity(a.body) - velocity(b.body);
            Contact& contact = out.emplace_back();
            contact.a = {compact().shapes.to_model[a.shape.index]};
            contact.b = {compact().shapes.to_model[b.shape.index]};
            contact.body_a = model().shapes()[contact.a.index].body;
            contact.body_b = model().shapes()[contact.b.index].body;
            contact.point = c.point;
            contact.normal = n;
            contact.depth = -double{c.gap};
            contact.force = (1 / impulse().step) * from_single(c.total);
            contact.torque = (1 / impulse().step) * from_single(c.torque);
            contact.slip_speed = norm(v - dot(v, n) * n);
            contact.slips = c.slides != 0;
        }
    return out;
}

Energy ImpulseWorld::energy() const {
    Energy energy;
    const impulse::Groups& groups = solver_->groups();
    for (uint32_t g = 1; g < groups.size(); ++g) {
        const impulse::GroupMotion& m = state_.motion[g];
        const Vec3 w = m.orientation.conjugate().matrix() * m.angular_velocity;
        energy.kinetic += 0.5 * groups[g].mass * dot(m.velocity, m.velocity)
                        + 0.5 * dot(w, groups[g].inertia * w);
        // Velocities are the mean of the last step: energy is told with where things were in its middle (impulse/energy.cpp).
        energy.potential -= groups[g].mass * dot(model().gravity, m.position - m.lag * m.velocity);
    }
    // What is fixed to the ground has its place too.
    const Model& m = compact().model;
    for (uint32_t i = 1; i < m.bodies().size(); ++i)
        if (groups.member({i}).group == 0)
            energy.potential -= m.bodies()[i].mass
                              * dot(m.gravity, solver_->pose(state_, {i}) * m.bodies()[i].center);
    const impulse::Mechanism& now = mechanism();
    for (const Coordinate& c : m.coordinates()) {
        const double rate = c.ratio * now.rate(c.joint);
        energy.kinetic += 0.5 * c.inertia * rate * rate;
    }
    energy.potential += solver_->mechanism().stored_energy(state_.memory, impulse().step);
    return energy;
}

ConstraintError ImpulseWorld::constraint_error() const {
    return solver_->constraint_error(state_, mechanism());
}

World ImpulseWorld::as_equations() const {
    Model now = model_now();
    // A stop that has just been struck is passed by rounding, which the equations would not start from.
    for (uint32_t i = 0; i < now.limits().size(); ++i)
        if (now.contains(LimitId{i})) now.remove(LimitId{i});
    return World(now, AugmentedLagrangian{.step = impulse().step});
}
int ImpulseWorld::degrees_of_freedom() const { return as_equations().degrees_of_freedom(); }
int ImpulseWorld::redundant_constraints() const { return as_equations().redundant_constraints(); }
std::vector<Entity> ImpulseWorld::entities() const { return as_equations().entities(); }

size_t ImpulseWorld::coordinates() const {
    return (model().plane_normal ? 3 : 6) * (solver_->groups().size() - 1);
}

size_t ImpulseWorld::constraints() const {
    size_t count = 0;
    for (const impulse::Mechanism::Element& e : solver_->mechanism().elements())
        if (e.kind == impulse::Mechanism::Element::Kind::joint
            || e.kind == impulse::Mechanism::Element::Kind::screw
            || e.kind == impulse::Mechanism::Element::Kind::gear)
            count += e.row_count;
    return count;
}

}  // namespace bristle::step
