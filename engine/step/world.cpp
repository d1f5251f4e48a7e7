#include <bristle/analysis.h>

#include "assembly/start_rates.h"
#include "mechanics/stateful.h"
#include "model/planar.h"
#include "step/impulse_world.h"
#include "step/lagrange_world.h"
#include "step/settings.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle {

using namespace step;
namespace {

// As it starts: whole, checked, and its joints closed.
Model prepared(Model model) {
    model::check_planar(model);
    if (!model.is_assembled()) model = assembled(model);
    return assembly::has_start_rates(model) ? assembly::with_start_rates(model) : model;
}

std::unique_ptr<World::Impl> make_world(const Model& model, const Settings& settings) {
    if (const auto* impulse = std::get_if<Impulse>(&settings))
        return std::make_unique<ImpulseWorld>(prepared(model), checked(*impulse));
    return std::make_unique<LagrangeWorld>(prepared(model), settings);
}

}  // namespace

std::string describe(const RoughPlace& place, const Model& model) {
    static constexpr const char* reasons[] = {"nothing", "no convergence", "gained energy",
                                              "ended far from where contacts were looked for"};
    if (place.why == RoughPlace::Why::nothing) return {};
    const auto name = [&](BodyId id) {
        return id.index < model.bodies().size() ? model.bodies()[id.index].name : std::string();
    };
    return fmt::format("at {:.5g} s, {} and {} at ({:.3g}, {:.3g}, {:.3g}) m: {}", place.time,
                       name(place.a), name(place.b), place.point.x, place.point.y, place.point.z,
                       reasons[static_cast<size_t>(place.why)]);
}

StepStatistics operator+(StepStatistics a, const StepStatistics& b) {
    a.steps += b.steps;
    a.iterations += b.iterations;
    a.factorizations += b.factorizations;
    a.impact_steps += b.impact_steps;
    a.rough_steps += b.rough_steps;
    a.held_steps += b.held_steps;
    if (b.last_rough.why != RoughPlace::Why::nothing) a.last_rough = b.last_rough;
    a.resting_step = std::min(a.resting_step, b.resting_step);
    a.lost_bounce = std::max(a.lost_bounce, b.lost_bounce);
    a.coordinate_changes += b.coordinate_changes;
    a.worst_iterations = std::max(a.worst_iterations, b.worst_iterations);
    return a;
}

StepProfile World::Impl::profile() const {
    StepProfile out;
    if (!timer) return out;
    for (size_t i = 0; i < stage_names.size(); ++i)
        out.stages.push_back({stage_names[i], timer->total()[i], timer->worst()[i]});
    out.steps = timer->steps();
    out.worst_step = timer->worst_step();
    return out;
}

double step_of(const Settings& settings) {
    return std::visit([](const auto& s) { return s.step; }, settings);
}

// ---- Stepping --------------------------------------------------------------------------------------

World::World(const Model& model, const AugmentedLagrangian& settings)
    : World(model, Settings{settings}) {}
World::World(const Model& model, const Settings& settings) : impl_(make_world(model, settings)) {
    impl_->start_processes(*this);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() {
    impl_->refuse_in_process("step");
    impl_->step();
    impl_->run_processes(*this);
}

void World::advance_to(double time) {
    if (!std::isfinite(time)) throw InputError(fmt::format("advance_to: time is {}", time));
    const double h = step_of(settings());
    while (this->time() < time - h / 2) step();
}

double World::time() const { return impl_->time(); }
const Model& World::model() const { return impl_->model(); }
const Settings& World::settings() const { return impl_->settings; }

void World::change(const std::function<void(Model&)>& edit) {
    impl_->refuse_in_process("change");
    Model now = model_now();
    edit(now);
    now = prepared(std::move(now));
    try {
        impl_->terrain.prepare(now);
        impl_->change(std::move(now));
    } catch (...) {
        impl_->terrain.adopt(model());
        throw;
    }
    impl_->start_processes(*this);
}

Model World::model_now() const {
    Model now = impl_->model_now();
    impl_->terrain.write_to(now);
    return now;
}
bool World::is_asleep(BodyId id) const { return impl_->is_asleep(id); }

void World::command(DriveId id, double target) {
    impl_->find(id);
    if (model().drives()[id.index].control == Drive::Control::friction)
        throw InputError("command: friction takes none");
    if (model().drives()[id.index].target)
        throw InputError("command: the drive follows a function of time; leave its target empty");
    if (!std::isfinite(target)) throw InputError(fmt::format("command: target is {}", target));
    impl_->command(id, target);
}

void World::command(ForceId id, double effort) {
    impl_->find(id);
    const auto [kind, k] = model().forces()[id.index];
    if (kind != Model::ForceKind::motor || model().motors()[k].effort)
        throw InputError("command: only a motor without a function of time takes commands");
    if (!std::isfinite(effort)) throw InputError(fmt::format("command: effort is {}", effort));
    impl_->command(id, effort);
}

namespace {

// Where a stateful force has its numbers; its own count from zero.
mechanics::StatefulLayout stateful(const Model& model, ForceId id, const char* what) {
    const auto [kind, k] = model.forces()[id.index];
    if (kind != Model::ForceKind::stateful)
        throw InputError(fmt::format("{}: only a stateful force has that", what));
    return {model.stateful_forces()[k], 0};
}

std::vector<double> copied(std::span<const double> list) { return {list.begin(), list.end()}; }

}  // namespace

void World::command(ForceId id, size_t input, double value) {
    impl_->find(id);
    const mechanics::StatefulLayout force = stateful(model(), id, "command");
    auto all = impl_->stateful_memory(id);
    const auto inputs = force.inputs(all);
    if (input >= inputs.size())
        throw InputError(fmt::format("command: '{}' has {} inputs, and no input {}",
                                     model().name(id), inputs.size(), input));
    if (!std::isfinite(value)) throw InputError(fmt::format("command: input is {}", value));
    if (!model().stateful_forces()[model().forces()[id.index].index].is_commanded(input))
        throw InputError(fmt::format("command: input {} of '{}' follows a function of time", input,
                                     model().name(id)));
    inputs[input] = value;
}

std::vector<double> World::inputs(ForceId id) const {
    impl_->find(id);
    const mechanics::StatefulLayout force = stateful(model(), id, "inputs");
    const auto all = impl_->stateful_memory(id);
    return copied(force.inputs(all));
}

std::vector<double> World::memory(ForceId id) const {
    impl_->find(id);
    const mechanics::StatefulLayout force = stateful(model(), id, "memory");
    const auto all = impl_->stateful_memory(id);
    return copied(force.memory(all));
}

std::span<const double> World::memory(ForceId id, std::span<double> into) const {
    impl_->find(id);
    const mechanics::StatefulLayout force = stateful(model(), id, "memory");
    const auto all = impl_->stateful_memory(id);
    const auto from = force.memory(all);
    const size_t count = std::min(from.size(), into.size());
    std::copy_n(from.begin(), count, into.begin());
    return into.first(count);
}

std::vector<double> World::efforts(ForceId id) const {
    impl_->find(id);
    const mechanics::StatefulLayout force = stateful(model(), id, "efforts");
    const auto all = impl_->stateful_memory(id);
    return copied(force.efforts(all));
}

// ---- Reading ---------------------------------------------------------------------------------------

namespace {

struct Moving {
    double mass;
    Vec3 center, velocity, spin;  // of the centre, about it
};

Moving moving(const World& world, BodyId id) {
    const Body& body = world.model().bodies()[id.index];
    const Twist twist = world.twist(id);
    const Mat3 axes = world.pose(id).orientation.matrix();
    const Vec3 arm = axes * body.center;
    return {body.mass, world.pose(id).position + arm, twist.linear + cross(twist.angular, arm),
            axes * (body.inertia * (axes.transposed() * twist.angular))};
}

template <class Visit> void for_each_body(const World& world, const Visit& visit) {
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i)
        if (world.model().contains(BodyId{i})) visit(moving(world, {i}));
}

}  // namespace

Vec3 World::momentum() const {
    Vec3 sum;
    for_each_body(*this, [&](const Moving& m) { sum += m.mass * m.velocity; });
    return sum;
}

Vec3 World::angular_momentum(BodyId id, Vec3 about) const {
    impl_->find(id);
    if (id == Model::ground()) return {};
    const Moving m = moving(*this, id);
    return cross(m.center - about, m.mass * m.velocity) + m.spin;
}

Vec3 World::angular_momentum(Vec3 about) const {
    Vec3 sum;
    for_each_body(*this, [&](const Moving& m) {
        sum += cross(m.center - about, m.mass * m.velocity) + m.spin;
    });
    return sum;
}

Vec3 World::center_of_mass() const {
    Vec3 sum;
    double mass = 0;
    for_each_body(*this, [&](const Moving& m) {
        sum += m.mass * m.center;
        mass += m.mass;
    });
    return mass > 0 ? sum / mass : sum;
}

Pose World::pose(BodyId id) const { return impl_->pose(id); }
Twist World::twist(BodyId id) const { return impl_->twist(id); }
std::span<const Pose> World::poses() const { return impl_->all_poses(); }
std::span<const Twist> World::twists() const { return impl_->all_twists(); }
Vec3 World::acceleration(BodyId id) const { return impl_->acceleration(id); }
Vec3 World::point(BodyId id, Vec3 local) const { return pose(id) * local; }
Vec3 World::point_velocity(BodyId id, Vec3 local) const { return impl_->point_velocity(id, local); }
double World::coordinate(JointId id) const { return impl_->coordinate(id); }
double World::coordinate_rate(JointId id) const { return impl_->coordinate_rate(id); }
double World::angle(JointId id) const { return impl_->angle(id); }
Reaction World::reaction(JointId id) const { return impl_->reaction(id); }
double World::effort(DriveId id) const { return impl_->effort(id); }
double World::work(DriveId id) const { return impl_->work(id); }
double World::effort(LimitId id) const { return impl_->effort(id); }
double World::tension(ForceId id) const { return impl_->tension(id); }
std::vector<Contact> World::contacts() const { return impl_->contacts(); }
std::vector<Patch> World::patches() const { return impl_->patches(); }
Energy World::energy() const { return impl_->energy(); }
void World::measure_stages() { impl_->measure_stages(); }
StepProfile World::profile() const { return impl_->profile(); }
StepStatistics World::statistics() const { return impl_->statistics(); }
ConstraintError World::constraint_error() const { return impl_->constraint_error(); }
int World::degrees_of_freedom() const { return impl_->degrees_of_freedom(); }
int World::redundant_constraints() const { return impl_->redundant_constraints(); }
std::vector<Entity> World::entities() const { return impl_->entities(); }
size_t World::coordinates() const { return impl_->coordinates(); }
size_t World::constraints() const { return impl_->constraints(); }

std::span<const Pose> World::Impl::all_poses() {
    if (!poses_are_current) {
        poses.resize(model().bodies().size());
        for (uint32_t i = 0; i < poses.size(); ++i) {
            const Body& body = model().bodies()[i];
            poses[i] =
                model().contains(BodyId{i}) ? pose({i}) : Pose{body.position, body.orientation};
        }
        poses_are_current = true;
    }
    return poses;
}

std::span<const Twist> World::Impl::all_twists() {
    if (!twists_are_current) {
        twists.resize(model().bodies().size());
        for (uint32_t i = 0; i < twists.size(); ++i)
            twists[i] = model().contains(BodyId{i}) ? twist({i}) : Twist{};
        twists_are_current = true;
    }
    return twists;
}

}  // namespace bristle
