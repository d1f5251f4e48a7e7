#include "step/lagrange_world.h"

#include "base/hash.h"
#include "mechanics/stateful.h"
#include "model/editor.h"
#include "model/joint_kind.h"
#include "step/settings.h"

#include <cmath>

namespace bristle::step {
namespace {

std::shared_ptr<const Recipe> first_recipe(const Model& model) {
    auto recipe = std::make_shared<Recipe>();
    recipe->model = model;
    recipe->taken_out.resize(model.bodies().size());
    return recipe;
}

}  // namespace

// ---- Revisions -------------------------------------------------------------------------------------

LagrangeWorld::LagrangeWorld(const Model& given, const Settings& chosen) : Impl(chosen) {
    terrain.prepare(given);
    revision = std::make_unique<Revision>(first_recipe(given), lagrange_part(chosen), chosen,
                                          mesh_trees, terrain);
    terrain.adopt(model());
    resting = resting_bodies(model());
    origin = system().fingerprint;
    state = revision->started();
}

RestingBodies LagrangeWorld::resting_bodies(const Model& of) const {
    return {of, system().settings.take_out_beyond, step_of(settings), *mesh_trees};
}

void LagrangeWorld::use(std::unique_ptr<Revision> next, state::State next_state) {
    past = past + solver().statistics;
    revision = std::move(next);
    solver().timer = timer.get();
    state = std::move(next_state);
    terrain.adopt(model());
    forget_scenes();
    forget();
}

void LagrangeWorld::revise(Model model, std::vector<bool> taken_out) {
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
        if (was_in && model.contains(JointId{i}) && !model::is_gear(j)
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
    auto next = std::make_unique<Revision>(std::move(recipe), system().settings, settings,
                                           mesh_trees, terrain);
    state::State next_state = next->continued(*revision, state, contacts);
    next_state.still = state.still;
    use(std::move(next), std::move(next_state));
}

void LagrangeWorld::look_for_rest() {
    std::vector<bool> out = resting.look(*revision, state);
    if (out == revision->recipe->taken_out) return;
    revise(revision->model_at(state), std::move(out));
}

void LagrangeWorld::change(Model now) {
    RestingBodies next = resting_bodies(now);
    revise(std::move(now), {});
    resting = std::move(next);
    // Assemblies have new numbers: they have to rest again.
    state.still.clear();
}

// ---- Stepping --------------------------------------------------------------------------------------

void LagrangeWorld::step() {
    forget();
    revision->step(state);
    if (resting.is_time_to_look(state)) look_for_rest();
}

void LagrangeWorld::wake_in(const Aabb& box) {
    if (resting.disturb(*revision, box, state)) look_for_rest();
}

void LagrangeWorld::command(DriveId id, double target) {
    const uint32_t drive = find(id);
    solver().retarget(state, drive, target);
    if (revision->classic) revision->classic->refresh(state);
}

void LagrangeWorld::command(ForceId id, double effort) {
    const uint32_t force = find(id);
    const uint32_t f = force == nowhere ? lagrange::none : system().force_of_model[force];
    if (f == lagrange::none) return;
    double& now = state.memory[system().forces[f].memory];
    if (now == effort) return;
    now = effort;
    if (revision->classic)
        revision->classic->refresh(state);
    else
        solver().refresh_acceleration(state);
    forget();
}

// Its bodies are never taken out.
std::span<double> LagrangeWorld::stateful_memory(ForceId id) {
    const auto ref = compact().model.forces()[find(id)];
    const StatefulForce& force = compact().model.stateful_forces()[ref.index];
    return {&state.memory[system().stateful[ref.index].memory],
            mechanics::StatefulLayout::memory_size(force)};
}

void LagrangeWorld::measure_stages() {
    timer = std::make_unique<StageTimer>();
    stage_names = lagrange::Solver::stage_names;
    solver().timer = timer.get();
}

StepStatistics LagrangeWorld::statistics() const { return past + solver().statistics; }

// ---- Snapshots -------------------------------------------------------------------------------------

Snapshot LagrangeWorld::snapshot() const {
    return make_snapshot(origin, system().fingerprint, state.bytes(), revision->recipe);
}

void LagrangeWorld::restore(const Snapshot& s) {
    const auto fail = [] { throw InputError("restore: the snapshot belongs to another model"); };
    if (s.origin() != origin) fail();
    const auto recipe = std::static_pointer_cast<const Recipe>(recipe_of(s));
    // Two worlds of the same model start with recipes that are equal, though not the same; bytes come without.
    if (recipe == revision->recipe
        || (s.equations() == system().fingerprint && (!recipe || recipe->is_whole())
            && revision->recipe->is_whole())) {
        state::State there = state;
        if (!there.assign(s.bytes()) || !revision->may_hold(there)) fail();
        state = std::move(there);
        forget();
        return;
    }
    if (!recipe)
        throw InputError(
            "restore: the snapshot was kept as bytes, and bodies or joints were added, removed or "
            "taken out since the start, there or here; only a snapshot in memory undoes that");
    terrain.prepare(recipe->model);
    auto then =
        std::make_unique<Revision>(recipe, system().settings, settings, mesh_trees, terrain);
    state::State then_state = resting_state(then->system);
    if (then->classic) then->classic->make_room(then_state);
    if (!then_state.assign(s.bytes()) || !then->may_hold(then_state)) fail();
    resting = resting_bodies(recipe->model);
    use(std::move(then), std::move(then_state));
}

uint64_t LagrangeWorld::hash() const {
    uint64_t value = state.hash();
    // Those that are out are not in the state.
    const Recipe& recipe = *revision->recipe;
    for (uint32_t i = 0; i < recipe.taken_out.size(); ++i)
        if (recipe.taken_out[i]) {
            const Pose pose{recipe.model.bodies()[i].position,
                            recipe.model.bodies()[i].orientation};
            value = hash_bytes(std::as_bytes(std::span(&pose, 1)), value);
        }
    return value;
}

}  // namespace bristle::step
