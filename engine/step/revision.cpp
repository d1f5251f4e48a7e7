#include "step/revision.h"

#include "lagrange/frames.h"
#include "lagrange/kinematics.h"
#include "lagrange/observe.h"
#include "model/editor.h"
#include "model/planar.h"

#include <algorithm>

namespace bristle::step {
namespace {

lagrange::FrameAt frame_at(const lagrange::System& system, uint32_t group, const Vec4* q) {
    lagrange::FrameAt f{};
    group_axes(system.frames[group], q, f.origin, f.axis);
    return f;
}

// The vectors of a contact that are kept in the frame of b's group, turned by `turn`.
template <class Turn> void turn_vectors(state::ContactMemory& m, const Turn& turn) {
    for (Vec3* v : {&m.strain, &m.roll}) *v = to_vec3(turn(to_vec4(*v)));
}

// A body can carry an axis only if its entities represent it.
size_t directions_of(const lagrange::System& s, BodyId id) {
    const uint32_t group = s.group_of[id.index];
    return group == 0 ? 3 : s.frames[group].axis.size();
}

}  // namespace

namespace {

lagrange::System with_trees(lagrange::System system, std::shared_ptr<collision::MeshTrees> trees) {
    system.mesh_trees = std::move(trees);
    return system;
}

}  // namespace

Revision::Revision(std::shared_ptr<const Recipe> r, const AugmentedLagrangian& equations,
                   const Settings& settings, std::shared_ptr<collision::MeshTrees> trees)
    : recipe(std::move(r)),
      compact(model::compact(recipe->model, recipe->taken_out)),
      system(with_trees(lagrange::build_system(model::kept_in_plane(compact.model), equations),
                        std::move(trees))),
      solver(system) {
    if (!std::holds_alternative<AugmentedLagrangian>(settings)
        && !std::holds_alternative<Impulse>(settings))
        classic = std::make_unique<lagrange::ClassicSolver>(solver, settings);
}

state::State Revision::started() {
    state::State state;
    solver.initialize(state);
    if (classic) classic->refresh(state);
    return state;
}

void Revision::step(state::State& state) {
    if (classic)
        classic->step(state);
    else
        solver.step(state);
}

lagrange::ReactionSolver& Revision::equilibrium() {
    if (!equilibrium_) equilibrium_ = std::make_unique<lagrange::ReactionSolver>(system);
    return *equilibrium_;
}

Model Revision::model_at(const state::State& state) const {
    Model out = recipe->model;
    const Vec4 *const q = state.position.data(), *const v = state.velocity.data();
    for (uint32_t i = 1; i < compact.bodies.to_model.size(); ++i) {
        Body& body = ModelEditor::bodies(out)[compact.bodies.to_model[i]];
        const Pose pose = body_pose(system, q, {i});
        const Twist twist = body_twist(system, q, v, {i});
        body.position = pose.position;
        body.orientation = pose.orientation;
        body.velocity = twist.linear;
        body.angular_velocity = twist.angular;
    }
    // The system may have more, which keep bodies in the plane.
    for (uint32_t i = 0; i < compact.joints.to_model.size(); ++i) {
        const Joint& from = system.model.joints()[i];
        Joint& to = ModelEditor::joints(out)[compact.joints.to_model[i]];
        if (to.type == JointType::gear) continue;
        to.at_a = carry_point(system, q, from.a, from.at_a);
        to.at_b = carry_point(system, q, from.b, from.at_b);
        if (to.type == JointType::universal) {
            to.axis = carry_axis(system, q, from.a, from.axis);
            to.axis_b = carry_axis(system, q, from.b, from.axis_b);
        } else if (to.type != JointType::spherical) {
            const bool by_b = directions_of(system, from.b) > directions_of(system, from.a);
            to.axis = to.axis_b = carry_axis(system, q, by_b ? from.b : from.a, from.axis);
        }
        switch (to.type) {
            case JointType::fixed:
            case JointType::spherical:
            case JointType::universal: to.at_b = to.at_a; break;
            case JointType::revolute:
                to.at_b = to.at_a;
                to.start_angle = joint_coordinate(system, state, {i}).value;
                break;
            case JointType::cylindrical:
            case JointType::screw:
            case JointType::planar: to.start_angle = joint_angle(system, state, {i}); break;
            case JointType::distance:
                // A strut is as long as it is; a bar as long as it was.
                if (system.model.is_acted_on({i})) to.length = norm(to.at_b - to.at_a);
                break;
            default: break;
        }
    }
    for (uint32_t i = 0; i < compact.forces.to_model.size(); ++i) {
        const auto [kind, k] = system.model.forces()[i];
        const uint32_t to = out.forces()[compact.forces.to_model[i]].index;
        if (kind == Model::ForceKind::spring) {
            const Spring& from = system.model.springs()[k];
            Spring& spring = ModelEditor::springs(out)[to];
            spring.at_a = carry_point(system, q, from.a, from.at_a);
            spring.at_b = carry_point(system, q, from.b, from.at_b);
        } else if (kind == Model::ForceKind::bushing) {
            const Bushing& from = system.model.bushings()[k];
            Bushing& bushing = ModelEditor::bushings(out)[to];
            const auto turned = [&](BodyId id, Quat axes) {
                const uint32_t group = system.group_of[id.index];
                return group == 0
                         ? axes
                         : Quat::from(group_rotation(system.frames[group], q) * axes.matrix());
            };
            bushing.at = carry_point(system, q, from.a, from.at);
            bushing.axes = turned(from.a, from.axes);
            bushing.at_b = carry_point(system, q, from.b, from.at_b.value_or(from.at));
            bushing.axes_b = turned(from.b, from.axes_b.value_or(from.axes));
        }
    }
    return out;
}

std::vector<CarriedContact> Revision::contacts_of(const state::State& state) const {
    std::vector<CarriedContact> out = recipe->resting_contacts;
    if (state.contacts.empty()) return out;
    const auto colliders = solver.equations().contacts.scene().colliders();
    const auto part_of = [&](uint32_t collider) {
        uint32_t part = 0;
        while (collider > part && colliders[collider - part - 1].shape == colliders[collider].shape)
            ++part;
        return part;
    };
    for (const state::ContactMemory& m : state.contacts) {
        const auto a = static_cast<uint32_t>(m.pair >> 32), b = static_cast<uint32_t>(m.pair);
        CarriedContact c{{compact.shapes.to_model[colliders[a].shape.index]},
                         {compact.shapes.to_model[colliders[b].shape.index]},
                         part_of(a),
                         part_of(b),
                         m};
        const lagrange::FrameAt frame = frame_at(system, colliders[b].owner, state.position.data());
        turn_vectors(c.memory, [&](Vec4 v) { return combine(frame, v); });
        out.push_back(c);
    }
    return out;
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
    const auto for_each_known = [](const model::IdMap& then, const model::IdMap& now,
                                   const auto& carry) {
        for (uint32_t i = 0; i < now.to_model.size(); ++i) {
            const uint32_t id = now.to_model[i];
            if (id < then.to_compact.size() && then.to_compact[id] != model::IdMap::nowhere)
                carry(then.to_compact[id], i);
        }
    };
    for_each_known(from.compact.drives, compact.drives, [&](uint32_t then, uint32_t now) {
        relation(from.system.drive_relation[then], system.drive_relation[now]);
        state.memory[system.drive_command[now]] = before.memory[from.system.drive_command[then]];
    });
    for_each_known(from.compact.limits, compact.limits, [&](uint32_t then, uint32_t now) {
        relation(from.system.limit_relations[then].first, system.limit_relations[now].first);
        relation(from.system.limit_relations[then].second, system.limit_relations[now].second);
    });
    for_each_known(from.compact.forces, compact.forces, [&](uint32_t then, uint32_t now) {
        if (system.model.forces()[now].kind == Model::ForceKind::motor)
            state.memory[system.forces[system.force_of_model[now]].memory] =
                before.memory[from.system.forces[from.system.force_of_model[then]].memory];
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
            const lagrange::FrameAt frame =
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
