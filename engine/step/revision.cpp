#include "step/revision.h"

#include "collision/scenery.h"
#include "lagrange/frames.h"
#include "lagrange/kinematics.h"
#include "lagrange/observe.h"
#include "mechanics/model_now.h"
#include "mechanics/stateful.h"
#include "model/planar.h"

#include <algorithm>
#include <cmath>

namespace bristle::step {
namespace {

lagrange::WidePlacement frame_at(const lagrange::System& system, uint32_t group, const Vec4* q) {
    lagrange::WidePlacement f{};
    group_axes(system.frames[group], q, f.origin, f.axis);
    return f;
}

// The vectors of a contact that are kept in the frame of b's group, turned by `turn`.
template <class Turn> void turn_vectors(state::ContactMemory& m, const Turn& turn) {
    for (Vec3* v : {&m.strain, &m.roll}) *v = to_vec3(turn(to_vec4(*v)));
}

class LagrangeParts final : public mechanics::PartsNow {
  public:
    LagrangeParts(const lagrange::System& system, const state::State& state)
        : s_(system), state_(state), q_(state.position.data()) {}

    Pose pose(BodyId id) const override { return body_pose(s_, q_, id); }
    Twist twist(BodyId id) const override { return body_twist(s_, q_, state_.velocity.data(), id); }
    Vec3 point(BodyId id, Vec3 at) const override { return carry_point(s_, q_, id, at); }
    Vec3 axis(BodyId id, Vec3 axis) const override { return carry_axis(s_, q_, id, axis); }
    Quat axes(BodyId id, Quat axes) const override {
        const uint32_t group = s_.group_of[id.index];
        return group == 0 ? axes : Quat::from(group_rotation(s_.frames[group], q_) * axes.matrix());
    }
    // The one whose entities represent more directions.
    BodyId bearer(const Joint& j) const override {
        return directions(j.b) > directions(j.a) ? j.b : j.a;
    }
    double coordinate(JointId id) const override { return joint_coordinate(s_, state_, id).value; }
    double angle(JointId id) const override { return joint_angle(s_, state_, id); }

  private:
    size_t directions(BodyId id) const {
        const uint32_t group = s_.group_of[id.index];
        return group == 0 ? 3 : s_.frames[group].axis.size();
    }

    const lagrange::System& s_;
    const state::State& state_;
    const Vec4* q_;
};

lagrange::System with_shapes(lagrange::System system, std::shared_ptr<collision::MeshTrees> trees,
                             state::LiveFields fields) {
    collision::MeshTrees own;
    system.scenery = collision::scenery_of(system.model(), trees ? *trees : own, fields);
    system.mesh_trees = std::move(trees);
    system.fields = std::move(fields);
    return system;
}

}  // namespace

Revision::Revision(std::shared_ptr<const Recipe> r, const AugmentedLagrangian& equations,
                   const Settings& settings, std::shared_ptr<collision::MeshTrees> trees,
                   const state::Terrain& terrain)
    : recipe(std::move(r)),
      compact(model::compact(recipe->model, recipe->taken_out)),
      system(with_shapes(lagrange::build_system(model::kept_in_plane(compact.model), equations),
                         std::move(trees), terrain.fields(compact.shapes))),
      solver(system) {
    if (std::holds_alternative<AugmentedLagrangian>(settings))
        islands = std::make_unique<lagrange::Islands>(solver);
    else if (!std::holds_alternative<Impulse>(settings))
        classic = std::make_unique<lagrange::ClassicSolver>(solver, settings);
}

state::State Revision::started() {
    state::State state;
    solver.initialize(state);
    if (classic) classic->refresh(state);
    return state;
}

bool Revision::may_hold(const state::State& state) const {
    const auto are_vectors = [](const std::vector<Vec4>& list) {
        return state::is_finite(list) && state::is_padded(list);
    };
    if (!std::isfinite(state.time) || !are_vectors(state.position) || !are_vectors(state.velocity)
        || !are_vectors(state.acceleration))
        return false;
    if (state.contacts.empty()) return true;
    if (!solver.equations().contacts.can_touch()) return false;
    const auto colliders = solver.equations().contacts.scene().colliders();
    return std::all_of(
        state.contacts.begin(), state.contacts.end(), [&](const state::ContactMemory& m) {
            const auto a = static_cast<uint32_t>(m.pair >> 32), b = static_cast<uint32_t>(m.pair);
            return a < colliders.size() && b < colliders.size()
                && colliders[a].owner != colliders[b].owner
                && m.bodies == (uint64_t{colliders[a].body.index} << 32 | colliders[b].body.index);
        });
}

// NOLINTNEXTLINE(readability-make-member-function-const): what it owns is stepped
void Revision::step(state::State& state) {
    if (classic)
        classic->step(state);
    else
        islands->step(state);
}

lagrange::ReactionSolver& Revision::equilibrium() {
    if (!equilibrium_) equilibrium_ = std::make_unique<lagrange::ReactionSolver>(system);
    return *equilibrium_;
}

Model Revision::model_at(const state::State& state) const {
    return mechanics::model_now(recipe->model, compact, LagrangeParts(system, state));
}

std::vector<CarriedContact> Revision::contacts_of(const state::State& state) const {
    std::vector<CarriedContact> out = recipe->resting_contacts;
    if (state.contacts.empty()) return out;
    const auto colliders = solver.equations().contacts.scene().colliders();
    for (const state::ContactMemory& m : state.contacts) {
        const auto a = static_cast<uint32_t>(m.pair >> 32), b = static_cast<uint32_t>(m.pair);
        CarriedContact c{{compact.shapes.to_model[colliders[a].shape.index]},
                         {compact.shapes.to_model[colliders[b].shape.index]},
                         part_of(colliders, a),
                         part_of(colliders, b),
                         m};
        const lagrange::WidePlacement frame =
            frame_at(system, colliders[b].owner, state.position.data());
        turn_vectors(c.memory, [&](Vec4 v) { return combine(frame, v); });
        out.push_back(c);
    }
    return out;
}

void Revision::carry_stateful(const Revision& from, uint32_t then, uint32_t now,
                              const state::State& before, state::State& state) const {
    const Model::ForceRef is = system.model().forces()[now],
                          was = from.system.model().forces()[then];
    if (is.kind != Model::ForceKind::stateful) return;
    std::copy_n(&before.memory[from.system.stateful[was.index].memory],
                mechanics::StatefulLayout::memory_size(system.model().stateful_forces()[is.index]),
                &state.memory[system.stateful[is.index].memory]);
}

void Revision::carry_memory(const Revision& from, const state::State& before, state::State& state,
                            std::vector<bool>& is_known) const {
    const auto relation = [&](uint32_t old_relation, uint32_t new_relation) {
        if (old_relation == lagrange::none || new_relation == lagrange::none) return;
        const double* memory = &before.memory[from.system.relations[old_relation].memory];
        std::copy_n(memory, lagrange::relation_memory_size,
                    &state.memory[system.relations[new_relation].memory]);
        is_known[new_relation] = true;
    };
    model::for_each_in_both(from.compact.drives, compact.drives, [&](uint32_t then, uint32_t now) {
        relation(from.system.drive_relation[then], system.drive_relation[now]);
        state.memory[system.relations[system.drive_relation[now]].command] =
            before.memory[from.system.relations[from.system.drive_relation[then]].command];
    });
    model::for_each_in_both(from.compact.limits, compact.limits, [&](uint32_t then, uint32_t now) {
        relation(from.system.limit_relations[then].first, system.limit_relations[now].first);
        relation(from.system.limit_relations[then].second, system.limit_relations[now].second);
    });
    model::for_each_in_both(from.compact.forces, compact.forces, [&](uint32_t then, uint32_t now) {
        if (system.model().forces()[now].kind == Model::ForceKind::motor)
            state.memory[system.forces[system.force_of_model[now]].memory] =
                before.memory[from.system.forces[from.system.force_of_model[then]].memory];
        carry_stateful(from, then, now, before, state);
    });
}

state::State Revision::continued(const Revision& from, const state::State& before,
                                 const std::vector<CarriedContact>& contacts) {
    state::State state = resting_state(system);
    state.time = before.time;
    state.steps = before.steps;
    std::vector<bool> is_known(system.relations.size());
    carry_memory(from, before, state, is_known);

    if (!contacts.empty() && solver.equations().contacts.can_touch()) {
        const auto colliders = solver.equations().contacts.scene().colliders();
        std::vector<uint32_t> first(compact.shapes.to_model.size(), lagrange::none);
        for (uint32_t i = 0; i < colliders.size(); ++i)
            first[colliders[i].shape.index] = std::min(first[colliders[i].shape.index], i);
        for (CarriedContact c : contacts) {
            const uint32_t a = compact.shapes.to_compact[c.a.index],
                           b = compact.shapes.to_compact[c.b.index];
            if (a == model::IdMap::nowhere || b == model::IdMap::nowhere) continue;
            const uint32_t collider_a = first[a] + c.part_a, collider_b = first[b] + c.part_b;
            state::ContactMemory& m = c.memory;
            m.pair = uint64_t{collider_a} << 32 | collider_b;
            m.bodies =
                uint64_t{colliders[collider_a].body.index} << 32 | colliders[collider_b].body.index;
            const lagrange::WidePlacement frame =
                frame_at(system, colliders[collider_b].owner, state.position.data());
            turn_vectors(m, [&](Vec4 v) { return coordinates(frame, v); });
            state.contacts.push_back(m);
        }
        std::sort(state.contacts.begin(), state.contacts.end(),
                  [](const state::ContactMemory& x, const state::ContactMemory& y) {
                      return std::pair(x.pair, x.feature) < std::pair(y.pair, y.feature);
                  });
    }
    solver.resume(state, is_known);
    if (classic) classic->refresh(state);
    return state;
}

}  // namespace bristle::step
