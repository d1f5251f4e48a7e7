#include <bristle/analysis.h>
#include <bristle/world.h>

#include "base/hash.h"
#include "model/editor.h"
#include "model/planar.h"
#include "step/settings.h"
#include "step/world_impl.h"

#include <cmath>

namespace bristle {
namespace {

std::shared_ptr<const Recipe> first_recipe(const Model& model) {
    auto recipe = std::make_shared<Recipe>();
    check_planar(model);
    recipe->model = model.is_assembled() ? model : assembled(model);
    recipe->taken_out.resize(model.bodies().size());
    return recipe;
}

StepStatistics operator+(StepStatistics a, const StepStatistics& b) {
    a.steps += b.steps;
    a.iterations += b.iterations;
    a.factorizations += b.factorizations;
    a.retried_steps += b.retried_steps;
    a.loose_steps += b.loose_steps;
    a.coordinate_changes += b.coordinate_changes;
    a.worst_iterations = std::max(a.worst_iterations, b.worst_iterations);
    return a;
}

}  // namespace

double step_of(const Settings& settings) {
    return std::visit([](const auto& s) { return s.step; }, settings);
}

// ---- Revisions -------------------------------------------------------------------------------------

World::Impl::Impl(const Model& given, const Settings& chosen)
    : settings(chosen),
      revision(std::make_unique<Revision>(first_recipe(given), lagrange_part(chosen), chosen,
                                          mesh_trees)),
      resting(resting_bodies(model())) {
    origin = system().fingerprint;
    state = revision->started();
}

RestingBodies World::Impl::resting_bodies(const Model& of) const {
    return {of, system().settings.take_out_beyond, step_of(settings), *mesh_trees};
}

void World::Impl::use(std::unique_ptr<Revision> next, State next_state) {
    past = past + solver().statistics;
    revision = std::move(next);
    state = std::move(next_state);
    whole_scene.reset();
    forget();
}

void World::Impl::revise(Model model, std::vector<bool> taken_out) {
    auto recipe = std::make_shared<Recipe>();
    recipe->taken_out = std::move(taken_out);
    recipe->taken_out.resize(model.bodies().size());
    const auto is_out = [&](ShapeId id) {
        return recipe->taken_out[model.shapes()[id.index].body.index];
    };
    std::vector<CarriedContact> contacts = revision->contacts_of(state);
    std::erase_if(contacts, [&](const CarriedContact& c) {
        if (!model.contains(c.a) || !model.contains(c.b)) return true;
        if (!is_out(c.a) && !is_out(c.b)) return false;
        recipe->resting_contacts.push_back(c);
        return true;
    });
    recipe->resting_reactions = revision->recipe->resting_reactions;
    recipe->resting_reactions.resize(model.joints().size());
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        const bool was_in = i < revision->compact.joints.to_compact.size()
                         && revision->compact.joints.to_compact[i] != nowhere;
        if (was_in && model.contains(JointId{i}) && j.type != JointType::gear
            && (recipe->taken_out[j.a.index] || recipe->taken_out[j.b.index])) {
            if (!reactions_are_current) solve_reactions();
            recipe->resting_reactions[i] = reactions[revision->compact.joints.to_compact[i]];
        }
    }
    for (uint32_t i = 0; i < model.bodies().size(); ++i)
        if (recipe->taken_out[i]) {
            Body& body = ModelEditor::bodies(model)[i];
            body.velocity = body.angular_velocity = {};
        }
    recipe->model = std::move(model);
    auto next =
        std::make_unique<Revision>(std::move(recipe), system().settings, settings, mesh_trees);
    State next_state = next->continued(*revision, state, contacts);
    next_state.still = state.still;
    use(std::move(next), std::move(next_state));
}

void World::Impl::look_for_rest() {
    std::vector<bool> out = resting.look(*revision, state);
    if (out == revision->recipe->taken_out) return;
    revise(revision->model_at(state), std::move(out));
}

void World::change(const std::function<void(Model&)>& edit) {
    Model now = model_now();
    edit(now);
    check_planar(now);
    if (!now.is_assembled()) now = assembled(now);
    RestingBodies resting = impl_->resting_bodies(now);
    impl_->revise(std::move(now), {});
    impl_->resting = std::move(resting);
    // Assemblies have new numbers: they have to rest again.
    impl_->state.still.clear();
}

Model World::model_now() const { return impl_->revision->model_at(impl_->state); }

bool World::is_taken_out(BodyId id) const { return impl_->find(id) == nowhere; }

// ---- Stepping --------------------------------------------------------------------------------------

World::World(const Model& model, const AugmentedLagrangian& settings)
    : World(model, Settings{settings}) {}
World::World(const Model& model, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, settings)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() {
    impl_->forget();
    impl_->revision->step(impl_->state);
    if (impl_->resting.is_time_to_look(impl_->state)) impl_->look_for_rest();
}

void World::advance_to(double time) {
    if (!std::isfinite(time)) throw InputError(fmt::format("advance_to: time is {}", time));
    const double h = impl_->system().settings.step;
    while (impl_->state.time < time - h / 2) step();
}

double World::time() const { return impl_->state.time; }
const Model& World::model() const { return impl_->model(); }
const Settings& World::settings() const { return impl_->settings; }

void World::command(DriveId id, double target) {
    const uint32_t drive = impl_->find(id);
    if (impl_->model().drives()[id.index].target)
        throw InputError("command: the drive follows a function of time; leave its target empty");
    if (!std::isfinite(target)) throw InputError(fmt::format("command: target is {}", target));
    impl_->solver().retarget(impl_->state, drive, target);
    if (impl_->revision->classic) impl_->revision->classic->refresh(impl_->state);
}

void World::command(ForceId id, double effort) {
    const uint32_t force = impl_->find(id);
    const uint32_t f = force == nowhere ? none : impl_->system().force_of_model[force];
    if (f == none || impl_->system().forces[f].kind != MeasureForce::Kind::motor
        || impl_->system().forces[f].effort)
        throw InputError("command: only a motor without a function of time takes commands");
    if (!std::isfinite(effort)) throw InputError(fmt::format("command: effort is {}", effort));
    double& now = impl_->state.memory[impl_->system().forces[f].memory];
    if (now == effort) return;
    now = effort;
    if (impl_->revision->classic)
        impl_->revision->classic->refresh(impl_->state);
    else
        impl_->solver().refresh_acceleration(impl_->state);
    impl_->forget();
}

StepStatistics World::statistics() const { return impl_->past + impl_->solver().statistics; }

// ---- Snapshots -------------------------------------------------------------------------------------

Snapshot World::snapshot() const {
    Snapshot s(impl_->origin, impl_->system().fingerprint, impl_->state.bytes());
    s.recipe_ = impl_->revision->recipe;
    return s;
}

void World::restore(const Snapshot& s) {
    const auto fail = [] { throw InputError("restore: the snapshot belongs to another model"); };
    if (s.origin_ != impl_->origin) fail();
    const auto recipe = std::static_pointer_cast<const Recipe>(s.recipe_);
    // Two worlds of the same model start with recipes that are equal, though not the same; bytes come without.
    if (recipe == impl_->revision->recipe
        || (s.equations_ == impl_->system().fingerprint && (!recipe || recipe->is_whole())
            && impl_->revision->recipe->is_whole())) {
        if (!impl_->state.assign(s.bytes_)) fail();
        impl_->forget();
        return;
    }
    if (!recipe)
        throw InputError(
            "restore: the snapshot was kept as bytes, and bodies or joints were added, removed or "
            "taken out since the start, there or here; only a snapshot in memory undoes that");
    auto revision = std::make_unique<Revision>(recipe, impl_->system().settings, impl_->settings,
                                               impl_->mesh_trees);
    State state = resting_state(revision->system);
    if (revision->classic) revision->classic->make_room(state);
    if (!state.assign(s.bytes_)) fail();
    impl_->resting = impl_->resting_bodies(recipe->model);
    impl_->use(std::move(revision), std::move(state));
}

uint64_t World::hash() const {
    uint64_t value = impl_->state.hash();
    // Those that are out are not in the state.
    const Recipe& recipe = *impl_->revision->recipe;
    for (uint32_t i = 0; i < recipe.taken_out.size(); ++i)
        if (recipe.taken_out[i]) {
            const Pose pose{recipe.model.bodies()[i].position,
                            recipe.model.bodies()[i].orientation};
            value = hash_bytes(std::as_bytes(std::span(&pose, 1)), value);
        }
    return value;
}

}  // namespace bristle
