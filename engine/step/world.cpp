#include <bristle/analysis.h>
#include <bristle/world.h>

#include "collision/queries.h"
#include "lagrange/kinematics.h"
#include "lagrange/observe.h"
#include "step/world_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

AugmentedLagrangian checked(AugmentedLagrangian s) {
    const auto fail = [](const char* what, double value, const char* rule) {
        throw InputError(fmt::format("settings: {} is {}; it must be {}", what, value, rule));
    };
    if (!(s.step > 0) || !std::isfinite(s.step)) fail("step", s.step, "positive");
    if (!(s.rho_infinity >= 0 && s.rho_infinity <= 1))
        fail("rho_infinity", s.rho_infinity, "between 0 and 1");
    if (!(s.hht_delta >= 0 && s.hht_delta <= 1.0 / 3))
        fail("hht_delta", s.hht_delta, "between 0 and 1/3");
    if (!(s.newmark_beta > 0) || !std::isfinite(s.newmark_beta))
        fail("newmark_beta", s.newmark_beta, "positive");
    if (!(s.newmark_gamma >= 0.5) || !std::isfinite(s.newmark_gamma))
        fail("newmark_gamma", s.newmark_gamma, "at least 1/2");
    if (!(s.penalty >= 1e2 && s.penalty <= 1e12))
        fail("penalty", s.penalty, "between 1e2 and 1e12");
    if (s.max_iterations < 1) fail("max_iterations", s.max_iterations, "at least 1");
    return s;
}

// The other formulations take their equations from the same system.
AugmentedLagrangian lagrange_part(const Settings& settings) {
    if (const auto* s = std::get_if<AugmentedLagrangian>(&settings)) return *s;
    return {.step = step_of(settings)};
}

}  // namespace

double step_of(const Settings& settings) {
    return std::visit([](const auto& s) { return s.step; }, settings);
}

World::Impl::Impl(const Model& model, const Settings& chosen)
    : settings(chosen),
      system(build_system(model.is_assembled() ? model : assembled(model),
                          checked(lagrange_part(chosen)))),
      solver(system) {
    solver.initialize(state);
}

World::World(const Model& model, const AugmentedLagrangian& settings)
    : World(model, Settings{settings}) {}
World::World(const Model& model, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, settings)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() {
    impl_->forget();
    impl_->solver.step(impl_->state);
}

void World::advance_to(double time) {
    if (!std::isfinite(time)) throw InputError(fmt::format("advance_to: time is {}", time));
    const double h = impl_->system.settings.step;
    while (impl_->state.time < time - h / 2) step();
}

double World::time() const { return impl_->state.time; }
const Model& World::model() const { return impl_->system.model; }
const Settings& World::settings() const { return impl_->settings; }

Pose World::pose(BodyId id) const {
    impl_->body(id);
    return body_pose(impl_->system, impl_->q(), id);
}

Twist World::twist(BodyId id) const {
    impl_->body(id);
    return body_twist(impl_->system, impl_->q(), impl_->v(), id);
}

std::span<const Pose> World::poses() const {
    if (!impl_->poses_are_current) {
        impl_->poses.resize(impl_->system.model.bodies().size());
        for (uint32_t i = 0; i < impl_->poses.size(); ++i) impl_->poses[i] = pose({i});
        impl_->poses_are_current = true;
    }
    return impl_->poses;
}

std::span<const Twist> World::twists() const {
    if (!impl_->twists_are_current) {
        impl_->twists.resize(impl_->system.model.bodies().size());
        for (uint32_t i = 0; i < impl_->twists.size(); ++i) impl_->twists[i] = twist({i});
        impl_->twists_are_current = true;
    }
    return impl_->twists;
}

Vec3 World::acceleration(BodyId id) const {
    return point_rate(impl_->system, impl_->q(), impl_->state.acceleration.data(), id,
                      pose(id).position);
}

Vec3 World::point(BodyId id, Vec3 local) const { return pose(id) * local; }

Vec3 World::point_velocity(BodyId id, Vec3 local) const {
    return point_rate(impl_->system, impl_->q(), impl_->v(), id, point(id, local));
}

double World::coordinate(JointId id) const {
    impl_->joint(id);
    return joint_coordinate(impl_->system, impl_->state, id).value;
}
double World::coordinate_rate(JointId id) const {
    impl_->joint(id);
    return joint_coordinate(impl_->system, impl_->state, id).rate;
}

double World::angle(JointId id) const {
    impl_->joint(id);
    return joint_angle(impl_->system, impl_->state, id);
}

Reaction World::reaction(JointId id) const {
    impl_->joint(id);
    if (!impl_->reactions_are_current) {
        impl_->equilibrium().solve(impl_->state.contacts.empty()
                                       ? impl_->state
                                       : impl_->solver.with_contact_forces(impl_->state),
                                   impl_->reactions);
        impl_->reactions_are_current = true;
    }
    return impl_->reactions[id.index];
}

double World::effort(DriveId id) const {
    if (id.index >= impl_->system.drive_relation.size())
        throw InputError(fmt::format("drive id {} is not of this model", id.index));
    return impl_->state
        .memory[impl_->system.relations[impl_->system.drive_relation[id.index]].memory
                + effort_memory];
}

double World::effort(LimitId id) const {
    if (id.index >= impl_->system.limit_relations.size())
        throw InputError(fmt::format("limit id {} is not of this model", id.index));
    double sum = 0;
    for (uint32_t r : {impl_->system.limit_relations[id.index].first,
                       impl_->system.limit_relations[id.index].second})
        if (r != none)
            sum += impl_->state.memory[impl_->system.relations[r].memory + effort_memory];
    return sum;
}

double World::tension(ForceId id) const {
    if (id.index >= impl_->system.force_of_model.size())
        throw InputError(fmt::format("force id {} is not of this model", id.index));
    const uint32_t f = impl_->system.force_of_model[id.index];
    const Model::ForceKind kind = impl_->system.model.forces()[id.index].kind;
    if (kind != Model::ForceKind::spring && kind != Model::ForceKind::joint_spring)
        throw InputError("tension: only springs and joint springs have one");
    return -measure_effort(impl_->system, impl_->state, impl_->system.forces[f]);
}

std::vector<Contact> World::contacts() const {
    std::vector<Contact> out;
    for (const ContactMemory& c : impl_->state.contacts) {
        if (!(c.depth > 0) && c.force == Vec3{}) continue;  // open: only remembered
        const auto shape = [&](uint64_t collider) {
            return impl_->solver.equations().contacts.scene().colliders()[collider].shape;
        };
        out.push_back({.a = shape(c.pair >> 32),
                       .b = shape(c.pair & 0xffffffffu),
                       .body_a = {static_cast<uint32_t>(c.bodies >> 32)},
                       .body_b = {static_cast<uint32_t>(c.bodies & 0xffffffffu)},
                       .point = c.point,
                       .normal = c.normal,
                       .depth = c.depth,
                       .force = c.force,
                       .torque = c.torque,
                       .slip_speed = c.slip_speed,
                       .slips = (c.flags & slipping_contact) != 0});
    }
    return out;
}

// ---- Queries -----------------------------------------------------------------------------------

// Every collider with what it belongs to; a shape may have several.
struct World::Impl::Placements {
    std::vector<Placed> placed;
    std::span<const SceneCollider> colliders;

    template <class Visit> void for_each_of(ShapeId shape, const Visit& visit) const {
        for (size_t i = 0; i < placed.size(); ++i)
            if (colliders[i].shape == shape) visit(placed[i]);
    }
    std::vector<ShapeId> shapes(const std::vector<uint32_t>& found) const {
        std::vector<ShapeId> out;
        for (uint32_t i : found)
            if (std::find(out.begin(), out.end(), colliders[i].shape) == out.end())
                out.push_back(colliders[i].shape);
        return out;
    }
};

World::Impl::Placements World::Impl::placements() const {
    const Contacts& contacts = solver.equations().contacts;
    Placements out{contacts.placed_at(state), {}};
    if (!out.placed.empty()) out.colliders = contacts.scene().colliders();
    return out;
}

std::optional<ShapeHit> World::cast_ray(Vec3 origin, Vec3 direction, double length) const {
    if (!is_finite(origin) || !is_finite(direction) || !(norm(direction) > 0) || !(length >= 0))
        throw InputError("cast_ray: give a finite origin, a direction and a length");
    const auto shapes = impl_->placements();
    const auto hit = bristle::cast_ray(Ray{origin, direction, length}, shapes.placed);
    if (!hit) return {};
    const SceneCollider& c = shapes.colliders[hit->collider];
    return ShapeHit{c.shape, c.body, hit->distance, hit->point, hit->normal};
}

std::optional<ShapePoint> World::closest_point(ShapeId id, Vec3 point) const {
    impl_->shape(id);
    std::optional<ShapePoint> best;
    impl_->placements().for_each_of(id, [&](const Placed& p) {
        const auto found = nearest_point(point, p);
        if (found && (!best || found->distance < best->distance))
            best = ShapePoint{found->distance, found->point, found->normal};
    });
    return best;
}

std::optional<ShapeDistance> World::closest_points(ShapeId a, ShapeId b, double limit) const {
    impl_->shape(a);
    impl_->shape(b);
    std::optional<ShapeDistance> best;
    const auto shapes = impl_->placements();
    shapes.for_each_of(a, [&](const Placed& pa) {
        shapes.for_each_of(b, [&](const Placed& pb) {
            const auto found = nearest_points(pa, pb, limit);
            if (found && (!best || found->distance < best->distance))
                best = ShapeDistance{found->distance, found->on_a, found->on_b, found->normal};
        });
    });
    return best;
}

std::vector<ShapeId> World::shapes_in_box(Vec3 low, Vec3 high) const {
    const auto shapes = impl_->placements();
    std::vector<uint32_t> found;
    find_overlaps(Aabb{low, high}, shapes.placed, found);
    return shapes.shapes(found);
}

std::vector<ShapeId> World::shapes_overlapping(ShapeId id) const {
    impl_->shape(id);
    const auto shapes = impl_->placements();
    std::vector<uint32_t> found;
    shapes.for_each_of(id, [&](const Placed& p) { find_overlaps(p, shapes.placed, found); });
    auto out = shapes.shapes(found);
    std::erase(out, id);
    return out;
}

Energy World::energy() const { return total_energy(impl_->system, impl_->state); }

void World::command(DriveId id, double target) {
    if (id.index >= impl_->system.drive_relation.size())
        throw InputError(fmt::format("drive id {} is not of this model", id.index));
    if (impl_->system.model.drives()[id.index].target)
        throw InputError("command: the drive follows a function of time; leave its target empty");
    if (!std::isfinite(target)) throw InputError(fmt::format("command: target is {}", target));
    impl_->solver.retarget(impl_->state, id.index, target);
}

void World::command(ForceId id, double effort) {
    if (id.index >= impl_->system.force_of_model.size())
        throw InputError(fmt::format("force id {} is not of this model", id.index));
    const uint32_t f = impl_->system.force_of_model[id.index];
    if (f == none || impl_->system.forces[f].kind != MeasureForce::Kind::motor
        || impl_->system.forces[f].effort)
        throw InputError("command: only a motor without a function of time takes commands");
    if (!std::isfinite(effort)) throw InputError(fmt::format("command: effort is {}", effort));
    double& now = impl_->state.memory[impl_->system.forces[f].memory];
    if (now == effort) return;
    now = effort;
    impl_->solver.refresh_acceleration(impl_->state);
    impl_->reactions_are_current = false;
}

StepStatistics World::statistics() const { return impl_->solver.statistics; }
ConstraintError World::constraint_error() const {
    return impl_->solver.constraint_error(impl_->state);
}
int World::degrees_of_freedom() const {
    return impl_->equilibrium().mobility(impl_->q()).degrees_of_freedom;
}
int World::redundant_constraints() const {
    return impl_->equilibrium().mobility(impl_->q()).redundant_constraints;
}
size_t World::coordinates() const { return 3 * impl_->system.entity_count; }

size_t World::constraints() const {
    return impl_->system.row_count() + 3 * impl_->system.closures.size();
}

std::vector<Entity> World::entities() const {
    std::vector<Entity> out;
    for (uint32_t e = 0; e < impl_->system.entity_count; ++e)
        out.push_back({impl_->system.kind[e], to_vec3(impl_->state.position[e]),
                       impl_->system.entity_bodies[e]});
    return out;
}

Snapshot World::snapshot() const { return {impl_->system.fingerprint, impl_->state.bytes()}; }

void World::restore(const Snapshot& s) {
    if (s.model() != impl_->system.fingerprint || !impl_->state.assign(s.bytes()))
        throw InputError("restore: the snapshot belongs to another model");
    impl_->forget();
}

uint64_t World::hash() const { return impl_->state.hash(); }

}  // namespace bristle
