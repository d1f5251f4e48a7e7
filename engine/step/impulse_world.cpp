#include "step/impulse_world.h"

#include "base/hash.h"
#include "mechanics/model_now.h"

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

class ImpulseParts final : public mechanics::PartsNow {
  public:
    ImpulseParts(const impulse::ImpulseSolver& solver, const impulse::ImpulseState& state,
                 const impulse::Mechanism& now)
        : solver_(solver),
          state_(state),
          now_(now),
          start_(solver.groups().start(solver.model())) {}

    Pose pose(BodyId id) const override { return solver_.pose(state_, id); }
    Twist twist(BodyId id) const override { return solver_.twist(state_, id); }
    Vec3 point(BodyId id, Vec3 at) const override {
        const uint32_t g = group(id);
        return state_.motion[g].position + axis(id, at - start_[g].position);
    }
    Vec3 axis(BodyId id, Vec3 axis) const override { return turn(id).matrix() * axis; }
    Quat axes(BodyId id, Quat axes) const override { return turn(id) * axes; }
    double coordinate(JointId id) const override { return now_.coordinate(id, state_.memory); }
    double angle(JointId id) const override { return now_.angle(id); }

  private:
    uint32_t group(BodyId id) const { return solver_.groups().member(id).group; }
    Quat turn(BodyId id) const {
        const uint32_t g = group(id);
        return state_.motion[g].orientation * start_[g].orientation.conjugate();
    }

    const impulse::ImpulseSolver& solver_;
    const impulse::ImpulseState& state_;
    const impulse::Mechanism& now_;  // with the groups placed
    const std::vector<impulse::GroupMotion> start_;
};

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
    terrain.prepare(recipe->model);
    auto next = std::make_unique<impulse::ImpulseSolver>(
        recipe->compact.model, impulse(), *mesh_trees, terrain.fields(recipe->compact.shapes));
    if (solver_) past_ = past_ + solver_->statistics;
    recipe_ = std::move(recipe);
    solver_ = std::move(next);
    solver_->timer = timer.get();
    terrain.adopt(this->model());
    forget_scenes();
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
    auto next_solver = std::make_unique<impulse::ImpulseSolver>(
        next->compact.model, impulse(), *mesh_trees, terrain.fields(next->compact.shapes));
    past_ = past_ + solver_->statistics;
    std::swap(solver_, next_solver);
    solver_->timer = timer.get();
    recipe_ = std::move(next);
    const impulse::ImpulseState old = std::move(state_);
    state_ = solver_->start(old.time);
    state_.time = old.time;
    state_.steps = old.steps;
    carry_memory(*before, *next_solver, old);
    terrain.adopt(this->model());
    forget_scenes();
    forget();
}

void ImpulseWorld::carry_memory(const Recipe& before, const impulse::ImpulseSolver& then,
                                const impulse::ImpulseState& old) {
    const impulse::Mechanism &was = then.mechanism(), &is = solver_->mechanism();
    model::for_each_in_both(before.compact.drives, compact().drives,
                            [&](uint32_t from, uint32_t to) {
                                is.carry_drive(state_.memory, {to}, was, old.memory, {from});
                            });
    model::for_each_in_both(before.compact.limits, compact().limits,
                            [&](uint32_t from, uint32_t to) {
                                is.carry_limit(state_.memory, {to}, was, old.memory, {from});
                            });
    model::for_each_in_both(
        before.compact.forces, compact().forces, [&](uint32_t from, uint32_t to) {
            const auto now = compact().model.forces()[to],
                       then_ref = before.compact.model.forces()[from];
            if (now.kind == Model::ForceKind::motor)
                is.command(state_.memory, now.index) = was.command(old.memory, then_ref.index);
            if (now.kind == Model::ForceKind::stateful)
                is.carry_stateful(state_.memory, now.index, was, old.memory, then_ref.index);
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
        return shape == nowhere ? nowhere
                                : first[shape] + collision::part_of(old_colliders, collider);
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
    return mechanics::model_now(model(), compact(), ImpulseParts(*solver_, state_, mechanism()));
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

std::span<double> ImpulseWorld::stateful_memory(ForceId id) {
    return solver_->mechanism().stateful_memory(state_.memory,
                                                compact().model.forces()[find(id)].index);
}

void ImpulseWorld::measure_stages() {
    timer = std::make_unique<StageTimer>();
    stage_names = impulse::ImpulseSolver::stage_names;
    solver_->timer = timer.get();
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
        if (!there.assign(s.bytes()) || !then.may_hold(there)) fail();
        use(recipe);
        state_ = std::move(there);
    } else {
        impulse::ImpulseState there = state_;
        if (!there.assign(s.bytes()) || !solver_->may_hold(there)) fail();
        state_ = std::move(there);
    }
    solver_->resume(state_);
    forget();
}

}  // namespace bristle::step
