// What can be read of a World that the augmented Lagrangian moves.
#include "lagrange/kinematics.h"
#include "lagrange/measures.h"
#include "lagrange/observe.h"
#include "mechanics/coordinates.h"
#include "step/lagrange_world.h"

#include <algorithm>
#include <cmath>

namespace bristle::step {
namespace {

Pose start_pose(const Body& body) { return {body.position, body.orientation}; }

Contact as_contact(const state::ContactMemory& c) {
    const Vec3 friction = c.force - dot(c.normal, c.force) * c.normal;
    return {.a = {},
            .b = {},
            .body_a = {},
            .body_b = {},
            .point = c.point,
            .normal = c.normal,
            .depth = c.depth + c.left_out,
            .force = c.force,
            .torque = c.torque + cross(c.inward, friction),
            .slip_speed = c.slip_speed,
            .slips = (c.flags & state::slipping_contact) != 0};
}

bool is_open(const state::ContactMemory& c) { return !(c.depth > 0) && c.force == Vec3{}; }

}  // namespace

// ---- Bodies ----------------------------------------------------------------------------------------

Pose LagrangeWorld::pose(BodyId id) const {
    const uint32_t body = find(id);
    return body == nowhere ? start_pose(model().bodies()[id.index])
                           : body_pose(system(), q(), {body});
}

Twist LagrangeWorld::twist(BodyId id) const {
    const uint32_t body = find(id);
    return body == nowhere ? Twist{} : body_twist(system(), q(), v(), {body});
}

Vec3 LagrangeWorld::acceleration(BodyId id) const {
    const uint32_t body = find(id);
    return body == nowhere
             ? Vec3{}
             : point_rate(system(), q(), state.acceleration.data(), {body}, pose(id).position);
}

Vec3 LagrangeWorld::point_velocity(BodyId id, Vec3 local) const {
    const uint32_t body = find(id);
    return body == nowhere ? Vec3{} : point_rate(system(), q(), v(), {body}, pose(id) * local);
}

// ---- Joints and what acts on them ------------------------------------------------------------------

double LagrangeWorld::coordinate(JointId id) const {
    const uint32_t joint = find(id);
    if (joint != nowhere) return joint_coordinate(system(), state, {joint}).value;
    const Joint& j = model().joints()[id.index];
    if (!model().has_coordinate(id)) throw InputError("coordinate: this joint has none");
    return mechanics::start_value(j);
}

double LagrangeWorld::coordinate_rate(JointId id) const {
    const uint32_t joint = find(id);
    return joint == nowhere ? 0 : joint_coordinate(system(), state, {joint}).rate;
}

double LagrangeWorld::angle(JointId id) const {
    const uint32_t joint = find(id);
    return joint == nowhere ? std::remainder(model().joints()[id.index].start_angle, 2 * pi)
                            : joint_angle(system(), state, {joint});
}

void LagrangeWorld::solve_reactions() {
    revision->equilibrium().solve(
        state.contacts.empty() ? state : solver().with_contact_forces(state), reactions);
    reactions_are_current = true;
}

Reaction LagrangeWorld::reaction(JointId id) {
    const uint32_t joint = find(id);
    if (joint == nowhere) return revision->recipe->resting_reactions[id.index];
    if (!reactions_are_current) solve_reactions();
    return reactions[joint];
}

double LagrangeWorld::effort(DriveId id) const {
    const lagrange::System& s = system();
    return state
        .memory[s.relations[s.drive_relation[find(id)]].memory + lagrange::told_effort_memory];
}

double LagrangeWorld::work(DriveId id) const {
    const lagrange::System& s = system();
    return state.memory[s.relations[s.drive_relation[find(id)]].memory + lagrange::work_memory];
}

double LagrangeWorld::effort(LimitId id) const {
    const lagrange::System& s = system();
    const auto [min, max] = s.limit_relations[find(id)];
    double sum = 0;
    for (uint32_t r : {min, max})
        if (r != lagrange::none)
            sum += state.memory[s.relations[r].memory + lagrange::effort_memory];
    return sum;
}

double LagrangeWorld::tension(ForceId id) const {
    const uint32_t force = find(id);
    const auto [kind, k] = model().forces()[id.index];
    if (kind != Model::ForceKind::spring && kind != Model::ForceKind::joint_spring)
        throw InputError("tension: only springs and joint springs have one");
    if (force != nowhere)
        return -measure_effort(system(), state, system().forces[system().force_of_model[force]]);
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

LagrangeWorld::Touching LagrangeWorld::touching() const {
    Touching out;
    // The points of a patch come before its grip, and are one contact with it.
    Vec3 pressed, moment;
    bool is_pressed = false;
    const auto add = [&](const state::ContactMemory& c, ShapeId a, ShapeId b) {
        const bool is_grip = (c.flags & state::patch_grip) != 0;
        if (c.flags & state::patch_point) {
            pressed += c.force;
            moment += cross(c.point, c.force);
            is_pressed |= !is_open(c);
            return;
        }
        if ((is_grip && is_pressed) || !is_open(c)) {  // else only remembered
            Contact& contact = out.contacts.emplace_back(as_contact(c));
            contact.a = a;
            contact.b = b;
            contact.body_a = model().shapes()[a.index].body;
            contact.body_b = model().shapes()[b.index].body;
            if (is_grip) {
                contact.force += pressed;
                contact.torque += moment - cross(c.point, pressed);
            }
            out.is_patch.push_back(is_grip);
        }
        pressed = moment = {};
        is_pressed = false;
    };
    const Revision& now = *revision;
    for (const state::ContactMemory& c : state.contacts) {
        const auto shape = [&](uint64_t collider) {
            const auto colliders = now.solver.equations().contacts.scene().colliders();
            return ShapeId{now.compact.shapes.to_model[colliders[collider].shape.index]};
        };
        add(c, shape(c.pair >> 32), shape(c.pair & 0xffffffffu));
    }
    for (const CarriedContact& c : now.recipe->resting_contacts) add(c.memory, c.a, c.b);
    return out;
}

std::vector<Contact> LagrangeWorld::contacts() const { return touching().contacts; }

// Forces are remembered; regions are looked for where the bodies are now. Of several between two shapes the nearest
// one is a contact's own.
std::vector<Patch> LagrangeWorld::patches() {
    const Touching all = touching();
    std::vector<Patch> out;
    if (std::find(all.is_patch.begin(), all.is_patch.end(), true) == all.is_patch.end()) return out;
    const collision::CollisionScene& scene = overlapping_scene();
    for (size_t i = 0; i < all.contacts.size(); ++i) {
        if (!all.is_patch[i]) continue;
        const Contact& c = all.contacts[i];
        const collision::PatchCandidate* found = nullptr;
        bool is_turned = false;
        for (const collision::PatchCandidate& e : scene.patches()) {
            const ShapeId a = scene.colliders()[e.a].shape, b = scene.colliders()[e.b].shape;
            const bool turned = a == c.b && b == c.a;
            if (!turned && !(a == c.a && b == c.b)) continue;
            if (found && norm(e.patch.centroid - c.point) >= norm(found->patch.centroid - c.point))
                continue;
            found = &e;
            is_turned = turned;
        }
        if (!found) continue;  // it has just come apart
        const collision::ContactPatch& region = found->patch;
        Patch& p = out.emplace_back();
        p.a = c.a;
        p.b = c.b;
        p.body_a = c.body_a;
        p.body_b = c.body_b;
        p.volume = region.volume;
        p.centroid = region.centroid;
        p.inertia = region.inertia;
        p.normal = is_turned ? -region.normal : region.normal;
        p.area = region.area;
        p.pressure = region.area > 0 ? dot(c.force, p.normal) / region.area : 0;
        p.force = c.force;
        p.torque = c.torque + cross(c.point - region.centroid, c.force);
        p.slip_speed = c.slip_speed;
        p.spin = dot(p.normal, twist(c.body_a).angular - twist(c.body_b).angular);
        p.slips = c.slips;
        for (const collision::ContourSegment& s :
             scene.contour().subspan(region.first_segment, region.segments))
            p.contour.push_back(is_turned ? std::array{s.to, s.from} : std::array{s.from, s.to});
    }
    return out;
}

Energy LagrangeWorld::energy() const {
    Energy energy = total_energy(system(), state);
    const std::vector<bool>& out = revision->recipe->taken_out;
    for (uint32_t i = 0; i < out.size(); ++i)
        if (out[i]) {
            const Body& body = model().bodies()[i];
            energy.potential -= body.mass * dot(model().gravity, start_pose(body) * body.center);
        }
    return energy;
}

ConstraintError LagrangeWorld::constraint_error() const { return solver().constraint_error(state); }
int LagrangeWorld::degrees_of_freedom() const {
    return revision->equilibrium().mobility(q()).degrees_of_freedom;
}
int LagrangeWorld::redundant_constraints() const {
    return revision->equilibrium().mobility(q()).redundant_constraints;
}
size_t LagrangeWorld::coordinates() const { return 3 * size_t{system().entity_count}; }

size_t LagrangeWorld::constraints() const {
    return system().row_count() + 3 * system().closures.size();
}

std::vector<Entity> LagrangeWorld::entities() const {
    std::vector<Entity> out;
    const lagrange::System& s = system();
    for (uint32_t e = 0; e < s.entity_count; ++e) {
        const auto bodies = s.entity_bodies[e];
        out.push_back({s.kind[e], to_vec3(state.position[e]), {bodies.begin(), bodies.end()}});
        for (BodyId& id : out.back().bodies) id.index = revision->compact.bodies.to_model[id.index];
    }
    return out;
}

}  // namespace bristle::step
