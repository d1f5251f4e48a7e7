// What can be read of a World.
#include "lagrange/kinematics.h"
#include "lagrange/measures.h"
#include "lagrange/observe.h"
#include "step/world_impl.h"

#include <cmath>

namespace bristle {
namespace {

Pose start_pose(const Body& body) { return {body.position, body.orientation}; }

Contact as_contact(const ContactMemory& c) {
    return {.a = {},
            .b = {},
            .body_a = {},
            .body_b = {},
            .point = c.point,
            .normal = c.normal,
            .depth = c.depth,
            .force = c.force,
            .torque = c.torque,
            .slip_speed = c.slip_speed,
            .slips = (c.flags & slipping_contact) != 0};
}

bool is_open(const ContactMemory& c) { return !(c.depth > 0) && c.force == Vec3{}; }

}  // namespace

// ---- Bodies ----------------------------------------------------------------------------------------

Pose World::pose(BodyId id) const {
    const uint32_t body = impl_->find(id);
    return body == nowhere ? start_pose(impl_->model().bodies()[id.index])
                           : body_pose(impl_->system(), impl_->q(), {body});
}

Twist World::twist(BodyId id) const {
    const uint32_t body = impl_->find(id);
    return body == nowhere ? Twist{} : body_twist(impl_->system(), impl_->q(), impl_->v(), {body});
}

std::span<const Pose> World::poses() const {
    if (!impl_->poses_are_current) {
        impl_->poses.resize(model().bodies().size());
        for (uint32_t i = 0; i < impl_->poses.size(); ++i)
            impl_->poses[i] =
                model().contains(BodyId{i}) ? pose({i}) : start_pose(model().bodies()[i]);
        impl_->poses_are_current = true;
    }
    return impl_->poses;
}

std::span<const Twist> World::twists() const {
    if (!impl_->twists_are_current) {
        impl_->twists.resize(model().bodies().size());
        for (uint32_t i = 0; i < impl_->twists.size(); ++i)
            impl_->twists[i] = model().contains(BodyId{i}) ? twist({i}) : Twist{};
        impl_->twists_are_current = true;
    }
    return impl_->twists;
}

Vec3 World::acceleration(BodyId id) const {
    const uint32_t body = impl_->find(id);
    return body == nowhere
             ? Vec3{}
             : point_rate(impl_->system(), impl_->q(), impl_->state.acceleration.data(), {body},
                          pose(id).position);
}

Vec3 World::point(BodyId id, Vec3 local) const { return pose(id) * local; }

Vec3 World::point_velocity(BodyId id, Vec3 local) const {
    const uint32_t body = impl_->find(id);
    return body == nowhere
             ? Vec3{}
             : point_rate(impl_->system(), impl_->q(), impl_->v(), {body}, point(id, local));
}

// ---- Joints and what acts on them ------------------------------------------------------------------

double World::coordinate(JointId id) const {
    const uint32_t joint = impl_->find(id);
    if (joint != nowhere) return joint_coordinate(impl_->system(), impl_->state, {joint}).value;
    const Joint& j = model().joints()[id.index];
    if (!model().has_coordinate(id)) throw InputError("coordinate: this joint has none");
    if (j.type == JointType::distance) return norm(j.at_b - j.at_a);
    return j.type == JointType::revolute ? j.start_angle : dot(j.at_b - j.at_a, j.axis);
}

double World::coordinate_rate(JointId id) const {
    const uint32_t joint = impl_->find(id);
    return joint == nowhere ? 0 : joint_coordinate(impl_->system(), impl_->state, {joint}).rate;
}

double World::angle(JointId id) const {
    const uint32_t joint = impl_->find(id);
    return joint == nowhere ? std::remainder(model().joints()[id.index].start_angle, 2 * pi)
                            : joint_angle(impl_->system(), impl_->state, {joint});
}

void World::Impl::solve_reactions() {
    revision->equilibrium().solve(
        state.contacts.empty() ? state : solver().with_contact_forces(state), reactions);
    reactions_are_current = true;
}

Reaction World::reaction(JointId id) const {
    const uint32_t joint = impl_->find(id);
    if (joint == nowhere) return impl_->revision->recipe->resting_reactions[id.index];
    if (!impl_->reactions_are_current) impl_->solve_reactions();
    return impl_->reactions[joint];
}

double World::effort(DriveId id) const {
    const System& s = impl_->system();
    return impl_->state
        .memory[s.relations[s.drive_relation[impl_->find(id)]].memory + effort_memory];
}

double World::effort(LimitId id) const {
    const System& s = impl_->system();
    const auto [min, max] = s.limit_relations[impl_->find(id)];
    double sum = 0;
    for (uint32_t r : {min, max})
        if (r != none) sum += impl_->state.memory[s.relations[r].memory + effort_memory];
    return sum;
}

double World::tension(ForceId id) const {
    const uint32_t force = impl_->find(id);
    const auto [kind, k] = model().forces()[id.index];
    if (kind != Model::ForceKind::spring && kind != Model::ForceKind::joint_spring)
        throw InputError("tension: only springs and joint springs have one");
    if (force != nowhere)
        return -measure_effort(impl_->system(), impl_->state,
                               impl_->system().forces[impl_->system().force_of_model[force]]);
    const auto at_rest = [](const auto& s, double stretch) {
        return s.law ? s.law(stretch, 0) : s.stiffness * stretch;
    };
    if (kind == Model::ForceKind::joint_spring) {
        const JointSpring& s = model().joint_springs()[k];
        return at_rest(s, coordinate(s.joint) - s.rest);
    }
    const Spring& s = model().springs()[k];
    return at_rest(s, norm(s.at_b - s.at_a) - s.free_length);
}

// ---- Contacts, energy, and how well it goes --------------------------------------------------------

std::vector<Contact> World::contacts() const {
    std::vector<Contact> out;
    const Revision& now = *impl_->revision;
    for (const ContactMemory& c : impl_->state.contacts) {
        if (is_open(c)) continue;  // only remembered
        const auto shape = [&](uint64_t collider) {
            const auto colliders = now.solver.equations().contacts.scene().colliders();
            return ShapeId{now.compact.shapes.to_model[colliders[collider].shape.index]};
        };
        Contact& contact = out.emplace_back(as_contact(c));
        contact.a = shape(c.pair >> 32);
        contact.b = shape(c.pair & 0xffffffffu);
    }
    for (const CarriedContact& c : now.recipe->resting_contacts) {
        if (is_open(c.memory)) continue;
        Contact& contact = out.emplace_back(as_contact(c.memory));
        contact.a = c.a;
        contact.b = c.b;
    }
    for (Contact& c : out) {
        c.body_a = model().shapes()[c.a.index].body;
        c.body_b = model().shapes()[c.b.index].body;
    }
    return out;
}

Energy World::energy() const {
    Energy energy = total_energy(impl_->system(), impl_->state);
    const std::vector<bool>& out = impl_->revision->recipe->taken_out;
    for (uint32_t i = 0; i < out.size(); ++i)
        if (out[i]) {
            const Body& body = model().bodies()[i];
            energy.potential -= body.mass * dot(model().gravity, start_pose(body) * body.center);
        }
    return energy;
}

ConstraintError World::constraint_error() const {
    return impl_->solver().constraint_error(impl_->state);
}
int World::degrees_of_freedom() const {
    return impl_->revision->equilibrium().mobility(impl_->q()).degrees_of_freedom;
}
int World::redundant_constraints() const {
    return impl_->revision->equilibrium().mobility(impl_->q()).redundant_constraints;
}
size_t World::coordinates() const { return 3 * size_t{impl_->system().entity_count}; }

size_t World::constraints() const {
    return impl_->system().row_count() + 3 * impl_->system().closures.size();
}

std::vector<Entity> World::entities() const {
    std::vector<Entity> out;
    const System& s = impl_->system();
    for (uint32_t e = 0; e < s.entity_count; ++e) {
        out.push_back({s.kind[e], to_vec3(impl_->state.position[e]), s.entity_bodies[e]});
        for (BodyId& id : out.back().bodies)
            id.index = impl_->revision->compact.bodies.to_model[id.index];
    }
    return out;
}

}  // namespace bristle
