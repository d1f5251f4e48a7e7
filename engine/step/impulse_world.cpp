#include "step/impulse_world.h"

#include "base/hash.h"
#include "model/editor.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace bristle::step {
namespace {

// What tells a state of one model from that of another.
uint64_t fingerprint(const impulse::ImpulseSolver& solver, const impulse::ImpulseState& start) {
    uint64_t value = start.hash();
    for (size_t g = 1; g < solver.groups().size(); ++g)
        value = hash_bytes(std::as_bytes(std::span(&solver.groups()[g].mass, 1)), value);
    for (const Joint& j : solver.model().joints())
        value = hash_bytes(std::as_bytes(std::span(&j.type, 1)), value);
    return value;
}

StepStatistics operator+(StepStatistics a, const StepStatistics& b) {
    a.steps += b.steps;
    a.iterations += b.iterations;
    a.factorizations += b.factorizations;
    a.worst_iterations = std::max(a.worst_iterations, b.worst_iterations);
    return a;
}

// A collider as its shape and the number of its part, which do not change with the model.
uint32_t part_of(std::span<const collision::SceneCollider> colliders, uint32_t collider) {
    uint32_t part = 0;
    while (collider > part && colliders[collider - part - 1].shape == colliders[collider].shape)
        ++part;
    return part;
}

}  // namespace

ImpulseWorld::Recipe::Recipe(Model m)
    : model(std::move(m)),
      compact(model::compact(model, std::vector<bool>(model.bodies().size()))) {}

ImpulseWorld::ImpulseWorld(Model model, const Impulse& chosen) : Impl(Settings{chosen}) {
    use(std::make_shared<const Recipe>(std::move(model)));
    state_ = solver_->start(0);
    origin_ = fingerprint(*solver_, state_);
}

void ImpulseWorld::use(std::shared_ptr<const Recipe> recipe) {
    auto next =
        std::make_unique<impulse::ImpulseSolver>(recipe->compact.model, impulse(), *mesh_trees);
    if (solver_) past_ = past_ + solver_->statistics;
    recipe_ = std::move(recipe);
    solver_ = std::move(next);
    whole_scene.reset();
    forget();
}

void ImpulseWorld::step() {
    forget();
    solver_->step(state_);
}

// ---- Changes -------------------------------------------------------------------------------------------

void ImpulseWorld::change(Model model) {
    const auto before = recipe_;
    // Kept until what it remembers is carried over.
    auto next = std::make_shared<const Recipe>(std::move(model));
    auto next_solver =
        std::make_unique<impulse::ImpulseSolver>(next->compact.model, impulse(), *mesh_trees);
    past_ = past_ + solver_->statistics;
    std::swap(solver_, next_solver);
    recipe_ = std::move(next);
    const impulse::ImpulseState old = std::move(state_);
    state_ = solver_->start(old.time);
    state_.time = old.time;
    state_.steps = old.steps;
    carry_memory(*before, *next_solver, old);
    whole_scene.reset();
    forget();
}

void ImpulseWorld::carry_memory(const Recipe& before, const impulse::ImpulseSolver& then,
                                const impulse::ImpulseState& old) {
    const auto for_each_known = [](const model::IdMap& was, const model::IdMap& is,
                                   const auto& carry) {
        for (uint32_t i = 0; i < is.to_model.size(); ++i) {
            const uint32_t id = is.to_model[i];
            if (id < was.to_compact.size() && was.to_compact[id] != nowhere)
                carry(was.to_compact[id], i);
        }
    };
    const impulse::Mechanism &was = then.mechanism(), &is = solver_->mechanism();
    for_each_known(before.compact.drives, compact().drives, [&](uint32_t from, uint32_t to) {
        is.carry_drive(state_.memory, {to}, was, old.memory, {from});
    });
    for_each_known(before.compact.forces, compact().forces, [&](uint32_t from, uint32_t to) {
        const auto now = compact().model.forces()[to],
                   then_ref = before.compact.model.forces()[from];
        if (now.kind == Model::ForceKind::motor)
            is.command(state_.memory, now.index) = was.command(old.memory, then_ref.index);
    });

    // Joints, drives and limits start from the impulses they had.
    using Kind = impulse::Mechanism::Element::Kind;
    const auto model_id = [](const model::CompactModel& in, const impulse::Mechanism::Element& e) {
        const model::IdMap& map = e.kind == Kind::drive ? in.drives
                                : e.kind == Kind::limit ? in.limits
                                                        : in.joints;
        return map.to_model[e.index];
    };
    const auto has_id = [](const impulse::Mechanism::Element& e) {
        return e.kind <= Kind::gear || e.kind == Kind::drive || e.kind == Kind::limit;
    };
    std::map<std::pair<Kind, uint32_t>, const impulse::Mechanism::Element*> known;
    for (const impulse::Mechanism::Element& e : was.elements())
        if (has_id(e)) known[{e.kind, model_id(before.compact, e)}] = &e;
    for (const impulse::Mechanism::Element& e : is.elements()) {
        if (!has_id(e)) continue;
        const auto found = known.find({e.kind, model_id(compact(), e)});
        if (found == known.end() || found->second->row_count != e.row_count) continue;
        std::copy_n(&old.row_impulses[found->second->first_row], e.row_count,
                    &state_.row_impulses[e.first_row]);
    }

    if (then.scene() == nullptr || solver_->scene() == nullptr) return;
    const auto colliders = solver_->scene()->colliders(), old_colliders = then.scene()->colliders();
    std::vector<uint32_t> first(compact().shapes.to_model.size(), nowhere);
    for (uint32_t i = 0; i < colliders.size(); ++i)
        first[colliders[i].shape.index] = std::min(first[colliders[i].shape.index], i);
    const auto carried = [&](uint32_t collider) {
        const uint32_t id = before.compact.shapes.to_model[old_colliders[collider].shape.index];
        const uint32_t shape =
            id < compact().shapes.to_compact.size() ? compact().shapes.to_compact[id] : nowhere;
        return shape == nowhere ? nowhere : first[shape] + part_of(old_colliders, collider);
    };
    for (const auto* list : {&old.contacts, &old.resting})
        for (impulse::ContactImpulse c : *list) {
            const uint32_t a = carried(static_cast<uint32_t>(c.pair >> 32)),
                           b = carried(static_cast<uint32_t>(c.pair));
            if (a == nowhere || b == nowhere) continue;
            c.pair = uint64_t{a} << 32 | b;
            state_.contacts.push_back(c);
        }
    std::stable_sort(state_.contacts.begin(), state_.contacts.end(),
                     [](const impulse::ContactImpulse& x, const impulse::ContactImpulse& y) {
                         return x.pair < y.pair;
                     });
}

Model ImpulseWorld::model_now() const {
    Model out = model();
    const impulse::Mechanism& m = mechanism();
    const auto frame = [&](BodyId id) -> const impulse::GroupFrameAt& {
        return m.frame(solver_->groups().member(id).group);
    };
    for (uint32_t i = 1; i < compact().bodies.to_model.size(); ++i) {
        Body& body = ModelEditor::bodies(out)[compact().bodies.to_model[i]];
        const Pose pose = solver_->pose(state_, {i});
        const Twist twist = solver_->twist(state_, {i});
        body.position = pose.position;
        body.orientation = pose.orientation;
        body.velocity = twist.linear;
        body.angular_velocity = twist.angular;
    }
    for (uint32_t i = 0; i < compact().joints.to_model.size(); ++i) {
        const Joint& from = compact().model.joints()[i];
        if (from.type == JointType::gear) continue;
        Joint& to = ModelEditor::joints(out)[compact().joints.to_model[i]];
        const impulse::JointGeometry& j = m.joint({i});
        const impulse::GroupFrameAt &a = frame(from.a), &b = frame(from.b);
        to.at_a = j.point_a(a);
        to.at_b = j.point_b(b);
        to.axis = j.axis_a(a);
        to.axis_b = from.type == JointType::universal ? j.axis_b(b) : to.axis;
        if (j.is_counted())
            to.start_angle = m.coordinate({i}, state_.memory);
        else if (j.has_angle())
            to.start_angle = j.angle(a, b);
        if (from.type == JointType::fixed || from.type == JointType::spherical
            || from.type == JointType::universal || from.type == JointType::revolute)
            to.at_b = to.at_a;
        if (from.type == JointType::distance && compact().model.is_acted_on({i}))
            to.length = norm(to.at_b - to.at_a);
    }
    const auto start = solver_->groups().start(compact().model);
    const auto carried = [&](BodyId id, Vec3 at) {
        const uint32_t g = solver_->groups().member(id).group;
        return m.frame(g).position
             + m.frame(g).rotation
                   * (start[g].orientation.conjugate().matrix() * (at - start[g].position));
    };
    const auto turned = [&](BodyId id, Quat axes) {
        const uint32_t g = solver_->groups().member(id).group;
        return state_.motion[g].orientation * start[g].orientation.conjugate() * axes;
    };
    for (uint32_t i = 0; i < compact().forces.to_model.size(); ++i) {
        const auto [kind, k] = compact().model.forces()[i];
        const uint32_t to = out.forces()[compact().forces.to_model[i]].index;
        if (kind == Model::ForceKind::spring) {
            const Spring& from = compact().model.springs()[k];
            Spring& spring = ModelEditor::springs(out)[to];
            spring.at_a = carried(from.a, from.at_a);
            spring.at_b = carried(from.b, from.at_b);
        } else if (kind == Model::ForceKind::bushing) {
            const Bushing& from = compact().model.bushings()[k];
            Bushing& bushing = ModelEditor::bushings(out)[to];
            bushing.at = carried(from.a, from.at);
            bushing.axes = turned(from.a, from.axes);
            bushing.at_b = carried(from.b, from.at_b.value_or(from.at));
            bushing.axes_b = turned(from.b, from.axes_b.value_or(from.axes));
        }
    }
    return out;
}

void ImpulseWorld::command(DriveId id, double target) {
    const DriveId drive{find(id)};
    solver_->mechanism().retarget(state_.memory, drive, target);
    solver_->wake_joint(state_, compact().model.drives()[drive.index].joint);
}

void ImpulseWorld::command(ForceId id, double effort) {
    const auto ref = compact().model.forces()[find(id)];
    solver_->mechanism().command(state_.memory, ref.index) = effort;
    solver_->wake_joint(state_, compact().model.motors()[ref.index].joint);
}

StepStatistics ImpulseWorld::statistics() const { return past_ + solver_->statistics; }

// ---- Snapshots -----------------------------------------------------------------------------------------

Snapshot ImpulseWorld::snapshot() const {
    return make_snapshot(origin_, fingerprint(*solver_, solver_->start(0)), state_.bytes(),
                         recipe_);
}

void ImpulseWorld::restore(const Snapshot& s) {
    const auto fail = [] { throw InputError("restore: the snapshot belongs to another model"); };
    if (s.origin() != origin_) fail();
    const auto recipe = std::static_pointer_cast<const Recipe>(recipe_of(s));
    if (recipe != recipe_ && s.equations() != fingerprint(*solver_, solver_->start(0))) {
        if (!recipe)
            throw InputError(
                "restore: the snapshot was kept as bytes, and bodies or joints were added or "
                "removed "
                "since the start, there or here; only a snapshot in memory undoes that");
        impulse::ImpulseSolver then(recipe->compact.model, impulse(), *mesh_trees);
        impulse::ImpulseState there = then.start(0);
        if (!there.assign(s.bytes())) fail();
        use(recipe);
        state_ = std::move(there);
    } else if (!state_.assign(s.bytes())) {
        fail();
    }
    solver_->resume(state_);
    forget();
}

}  // namespace bristle::step
