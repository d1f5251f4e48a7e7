#include "impulse/solver.h"

#include "base/assert.h"
#include "impulse/numerics.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

std::vector<std::pair<uint32_t, uint32_t>> joined_groups(const Model& model, const Groups& groups) {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (const Joint& j : model.joints()) {
        if (!model::joins_bodies(j)) continue;
        const uint32_t a = groups.member(j.a).group, b = groups.member(j.b).group;
        if (a != 0 && b != 0) out.emplace_back(a, b);
    }
    return out;
}

std::optional<collision::CollisionScene> scene_of(const Model& model, const Groups& groups,
                                                  collision::MeshTrees& trees,
                                                  const state::LiveFields& fields) {
    if (model.shapes().empty()) return {};
    collision::CollisionScene scene(model, groups.owners(), joined_groups(model, groups), trees,
                                    fields);
    if (!scene.can_touch()) return {};
    return scene;
}

bool is_unit(const Quat& q) {
    return std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-12;
}

// What users' forces see and do.
class UsersView : public Kinematics, public ForceSink {
  public:
    UsersView(const ImpulseSolver& solver, const ImpulseState& state, double step,
              std::vector<Vec3>& force, std::vector<Vec3>& torque, std::vector<SolverLoad>& loads)
        : solver_(solver),
          state_(state),
          step_(step),
          force_(force),
          torque_(torque),
          loads_(loads) {}

    double time() const override { return state_.time; }
    Pose pose(BodyId id) const override { return solver_.pose(state_, id); }
    Twist twist(BodyId id) const override { return solver_.twist(state_, id); }
    double normal_force(BodyId body, std::optional<BodyId> against) const override {
        double sum = 0;
        if (solver_.scene() == nullptr) return sum;
        const auto colliders = solver_.scene()->colliders();
        for (const auto* list : {&state_.contacts, &state_.resting})
            for (const ContactImpulse& c : *list) {
                const BodyId a = colliders[c.pair >> 32].body,
                             b = colliders[c.pair & 0xffffffffu].body;
                if (a != body && b != body) continue;
                if (!against || *against == (a == body ? b : a)) sum += c.pressed() / step_;
            }
        return sum;
    }
    void add_force(BodyId id, Vec3 force, Vec3 at) override {
        const uint32_t g = solver_.groups().member(id).group;
        force_[g] += force;
        torque_[g] += cross(at - state_.motion[g].position, force);
        loads_.push_back({id, force, at, {}});
    }
    void add_torque(BodyId id, Vec3 torque) override {
        torque_[solver_.groups().member(id).group] += torque;
        loads_.push_back({id, {}, {}, torque});
    }

  private:
    const ImpulseSolver& solver_;
    const ImpulseState& state_;
    const double step_;
    std::vector<Vec3>&force_, &torque_;
    std::vector<SolverLoad>& loads_;
};

}  // namespace

ImpulseSolver::ImpulseSolver(const Model& model, const Impulse& settings,
                             collision::MeshTrees& trees, const state::LiveFields& fields)
    : model_(model),
      settings_(settings),
      resting_speed_(
          settings.resting_speed.value_or(resting_steps * norm(model.gravity) * settings.step)),
      groups_(model_),
      scene_(scene_of(model_, groups_, trees, fields)),
      scenery_(collision::scenery_of(model, trees, fields)),
      mechanism_(model_, groups_, settings.step),
      contacts_(model_, groups_,
                scene_ ? scene_->colliders() : std::span<const collision::SceneCollider>{}),
      jobs_(std::make_unique<Jobs>(settings.threads)) {
    if (model_.plane_normal) plane_normal_ = normalized(*model_.plane_normal);
    const size_t count = groups_.size();
    for (auto* list : {&rotation_, &inertia_, &inverse_inertia_})
        list->assign(count, Mat3::identity());
    inverse_inertia_[0] = {};
    for (auto* list : {&free_velocity_, &free_spin_, &turned_spin_, &velocity_, &spin_, &way_,
                       &turn_, &users_force_, &users_torque_})
        list->resize(count);
    local_.resize(count);
    acceleration_.resize(count);
    is_alone_.resize(count);
    closing_.resize(count);
    kept_ways_.resize(count);
    if (model_.plane_normal)
        planar_.resize(count);
    else
        direct_.resize(count);
    if (scene_) {
        placement_.resize(scene_->bodies().size());
        motion_.resize(scene_->bodies().size());
        is_awake_.resize(scene_->bodies().size());
    }
}

ImpulseState ImpulseSolver::start(double time) const {
    ImpulseState state;
    state.motion = groups_.start(model_);
    state.memory = mechanism_.start_memory(state.motion, time);
    state.row_impulses.resize(mechanism_.rows().rows.size());
    for (GroupMotion& m : state.motion) m.lag = settings_.step / 2;
    return state;
}

bool ImpulseSolver::may_hold(const ImpulseState& state) const {
    const auto is_known = [&](const ContactImpulse& c) {
        if (!scene_) return false;
        const auto colliders = scene_->colliders();
        const auto a = static_cast<uint32_t>(c.pair >> 32), b = static_cast<uint32_t>(c.pair);
        return a < colliders.size() && b < colliders.size()
            && colliders[a].owner != colliders[b].owner;
    };
    const auto is_motion = [](const GroupMotion& g) {
        return is_finite(g.position) && is_unit(g.orientation) && is_finite(g.velocity)
            && is_finite(g.angular_velocity);
    };
    return std::isfinite(state.time)
        && std::all_of(state.motion.begin(), state.motion.end(), is_motion)
        && std::all_of(state.contacts.begin(), state.contacts.end(), is_known)
        && std::all_of(state.resting.begin(), state.resting.end(), is_known);
}

void ImpulseSolver::resume(const ImpulseState& state) {
    std::fill(acceleration_.begin(), acceleration_.end(), Twist{});
    users_loads_.clear();
    for (size_t r = 0; r < state.row_impulses.size(); ++r)
        mechanism_.rows().rows[r].impulse = state.row_impulses[r];
}

Pose ImpulseSolver::pose(const ImpulseState& state, BodyId id) const {
    const GroupMember& m = groups_.member(id);
    const GroupMotion& g = state.motion[m.group];
    return {g.position + g.orientation.matrix() * m.offset, g.orientation * m.turn};
}

Twist ImpulseSolver::twist(const ImpulseState& state, BodyId id) const {
    const GroupMember& m = groups_.member(id);
    const GroupMotion& g = state.motion[m.group];
    return {g.velocity + cross(g.angular_velocity, g.orientation.matrix() * m.offset),
            g.angular_velocity};
}

// ---- The step ------------------------------------------------------------------------------------------

void ImpulseSolver::step(ImpulseState& state) {
    const StageTimer::Step measured(timer);
    const bool anybody_awake = !model_.user_forces().empty()
                            || std::any_of(state.motion.begin() + 1, state.motion.end(),
                                           [](const GroupMotion& m) { return !m.is_asleep(); });
    if (anybody_awake) {
        enter(Stage::detect);
        detect(state);
        enter(Stage::islands);
        islands_.find(state.motion, contacts_.manifolds, mechanism_);
        BRISTLE_ASSERT(islands_hold_all_awake(state));
        enter(Stage::forces);
        apply_forces(state);
        enter(Stage::rows);
        solve(state);
        enter(Stage::move);
        keep_energies(state);
        limit_bounces(state);
        halt_what_is_no_number(state);
        move(state);
        enter(Stage::remember);
        remember(state);
        enter(Stage::sleep);
        look_for_rest(state);
    }
    ++state.steps;
    ++statistics.steps;
    state.time = static_cast<double>(state.steps) * settings_.step;
}

// As many groups are in islands as are awake, and no sleepers among them.
bool ImpulseSolver::islands_hold_all_awake(const ImpulseState& state) const {
    size_t held = 0;
    for (size_t i = 0; i < islands_.size(); ++i)
        for (uint32_t g : islands_.groups(i)) {
            if (g == 0 || state.motion[g].is_asleep()) return false;
            ++held;
        }
    const auto awake = std::count_if(state.motion.begin() + 1, state.motion.end(),
                                     [](const GroupMotion& m) { return !m.is_asleep(); });
    return held == static_cast<size_t>(awake);
}

StepView ImpulseSolver::view(const ImpulseState& state) {
    return {groups_,
            state.motion,
            inertia_,
            inverse_inertia_,
            free_velocity_,
            free_spin_,
            velocity_,
            spin_,
            way_,
            turn_,
            local_,
            contacts_,
            mechanism_.rows(),
            settings_.step};
}

// ---- Collision -----------------------------------------------------------------------------------------

void ImpulseSolver::detect(ImpulseState& state) {
    const auto count = static_cast<uint32_t>(groups_.size());
    jobs_->run((count + groups_in_piece - 1) / groups_in_piece, [&](uint32_t piece) {
        const uint32_t end = std::min(count, (piece + 1) * groups_in_piece);
        for (uint32_t g = piece * groups_in_piece; g < end; ++g)
            if (g == 0 || !state.motion[g].is_asleep() || state.steps == 0)
                rotation_[g] = state.motion[g].orientation.matrix();
    });
    if (!scene_) {
        contacts_.manifolds.clear();
        contacts_.points.clear();
        return;
    }
    const double h = settings_.step;
    const auto bodies = scene_->bodies();
    const auto body_count = static_cast<uint32_t>(bodies.size());
    do {
        jobs_->run((body_count + groups_in_piece - 1) / groups_in_piece, [&](uint32_t piece) {
            const uint32_t end = std::min(body_count, (piece + 1) * groups_in_piece);
            for (uint32_t i = piece * groups_in_piece; i < end; ++i) {
                const GroupMember& m = groups_.member(bodies[i]);
                const GroupMotion& g = state.motion[m.group];
                const Mat3 rotation = g.orientation.matrix();
                placement_[i] = {m.turn == Quat{} ? rotation : rotation * m.turn.matrix(),
                                 g.position + rotation * m.offset};
                is_awake_[i] = m.group != 0 && !g.is_asleep();
                motion_[i] = {};
                if (is_awake_[i])
                    motion_[i] = {h
                                      * (g.velocity + (h + g.falls * g.lag) * model_.gravity
                                         + cross(g.angular_velocity, rotation * m.offset)),
                                  h * g.angular_velocity};
            }
        });
        scene_->detect_ahead(placement_, motion_, is_awake_, *jobs_);
        contacts_.build(*scene_, state.motion, state.contacts, resting_speed_, *jobs_);
    } while (wake_touched(state));
}

// ---- Forces --------------------------------------------------------------------------------------------

void ImpulseSolver::apply_users_forces(const ImpulseState& state) {
    std::fill(users_force_.begin(), users_force_.end(), Vec3{});
    std::fill(users_torque_.begin(), users_torque_.end(), Vec3{});
    users_loads_.clear();
    UsersView view(*this, state, settings_.step, users_force_, users_torque_, users_loads_);
    for (const UserForce& force : model_.user_forces()) force.apply(view, view);
    const auto is_good = [&](const SolverLoad& load) {
        return is_finite(load.force) && is_finite(load.torque) && is_finite(load.at);
    };
    if (!std::all_of(users_loads_.begin(), users_loads_.end(), is_good))
        throw SimulationError(
            fmt::format("the motion is no longer a number in the step from t = {:.6g} s; look at "
                        "the forces of your own",
                        state.time));
}

// s: weight acts on what falls from the moment its velocities belong to until that of the next ones, which are those of so long before the step
// ends. What touches or is held is not to feel that.
double ImpulseSolver::shift_of_fall(const GroupMotion& m, double lag) {
    return m.falls > 0 ? m.lag - lag : 0;
}

// So that its inertia in the world changes.
bool ImpulseSolver::turns(const Group& group, Vec3 spin) const {
    return !group.is_round && norm(spin) * settings_.step > 1e-6;
}

void ImpulseSolver::apply_forces(const ImpulseState& state) {
    const bool has_users_forces = !model_.user_forces().empty();
    if (has_users_forces) apply_users_forces(state);
    const double h = settings_.step;
    Vec3 gravity = model_.gravity;
    if (model_.plane_normal) gravity -= dot(gravity, plane_normal_) * plane_normal_;
    for (uint32_t island = 0; island < islands_.size(); ++island)
        for (uint32_t g : islands_.groups(island))
            is_alone_[g] = islands_.manifolds(island).empty() && islands_.elements(island).empty();
    const auto count = static_cast<uint32_t>(groups_.size());
    jobs_->run((count + groups_in_piece - 1) / groups_in_piece, [&](uint32_t piece) {
        const uint32_t end = std::min(count, (piece + 1) * groups_in_piece);
        for (uint32_t g = std::max(1u, piece * groups_in_piece); g < end; ++g) {
            const GroupMotion& m = state.motion[g];
            if (m.is_asleep()) continue;
            const Group& group = groups_[g];
            rotation_[g] = m.orientation.matrix();
            inertia_[g] = in_world(group.inertia, rotation_[g]);
            inverse_inertia_[g] = in_world(group.inverse_inertia, rotation_[g]);
            const double fall = h + (is_alone_[g] ? m.lag - h / 2 : shift_of_fall(m, h / 2));
            free_velocity_[g] = m.velocity + fall * gravity;
            free_spin_[g] = m.angular_velocity;
            if (!is_alone_[g] && turns(group, m.angular_velocity)) {
                free_spin_[g] =
                    rotation_[g]
                    * spin_after(group, rotation_[g].transposed() * m.angular_velocity, h);
            } else if (turns(group, m.angular_velocity)) {
                // The momentum stays, and the inertia that turns with the body makes of it another velocity.
                const Mat3 middle =
                    (turned_by(h / 2 * m.angular_velocity) * m.orientation).matrix();
                free_spin_[g] = middle
                              * (group.inverse_inertia
                                 * (middle.transposed() * (inertia_[g] * m.angular_velocity)));
            }
            turned_spin_[g] = free_spin_[g];
            if (has_users_forces) {
                free_velocity_[g] += fall * group.inverse_mass * users_force_[g];
                free_spin_[g] += inverse_inertia_[g] * (h * users_torque_[g]);
            }
            velocity_[g] = free_velocity_[g];
            spin_[g] = free_spin_[g];
            way_[g] = h * velocity_[g];
            turn_[g] = h * spin_[g];
        }
    });
}

// ---- Motion and memory ---------------------------------------------------------------------------------

// Solvers that clamp may hide what is not a number: their input is looked at too.
bool ImpulseSolver::is_finite_island(uint32_t island) const {
    bool is_good = true;
    for (uint32_t g : islands_.groups(island))
        is_good &=
            is_finite(free_velocity_[g] + free_spin_[g])
            && std::isfinite(norm(velocity_[g]) + norm(spin_[g]) + norm(way_[g]) + norm(turn_[g]));
    for (uint32_t e : islands_.elements(island)) {
        const Mechanism::Element& element = mechanism_.elements()[e];
        for (uint32_t r = element.first_row; r < element.first_row + element.row_count; ++r) {
            const Row& row = mechanism_.rows().rows[r];
            is_good &= std::isfinite(row.gain + row.offset + row.impulse + row.work);
        }
    }
    for (uint32_t k : islands_.manifolds(island)) {
        const Manifold& m = contacts_.manifolds[k];
        for (uint32_t i = m.first; i < m.first + m.count; ++i) {
            const ManifoldPoint& p = contacts_.points[i];
            is_good &= is_finite(p.friction + p.strain + p.total + p.torque)
                    && std::isfinite(p.impulse + p.impact + p.held + p.pressed);
        }
    }
    return is_good;
}

// What users give is finite, so it is places or speeds beyond what can be computed with (single precision ends at 1e38, squares at 1e19): it stays
// where it is, with a tenth of its speed less, until it can be.
void ImpulseSolver::halt_what_is_no_number(ImpulseState& state) {
    for (uint32_t island = 0; island < islands_.size(); ++island) {
        if (is_finite_island(island)) continue;
        ++statistics.held_steps;
        hold(state, island);
        for (uint32_t g : islands_.groups(island)) {
            state.motion[g].astray = 0;
            turned_spin_[g] = state.motion[g].angular_velocity;
        }
        for (uint32_t e : islands_.elements(island)) {
            const Mechanism::Element& element = mechanism_.elements()[e];
            mechanism_.halt(element);
        }
        for (uint32_t k : islands_.manifolds(island)) {
            const Manifold& m = contacts_.manifolds[k];
            for (uint32_t i = m.first; i < m.first + m.count; ++i) {
                ManifoldPoint& p = contacts_.points[i];
                p.impulse = p.impact = p.held = p.pressed = 0;
                p.friction = p.strain = p.total = p.torque = {};
            }
        }
    }
}

void ImpulseSolver::move(ImpulseState& state) {
    const auto count = static_cast<uint32_t>(groups_.size());
    for (size_t i = 0; i < candidates_.size(); ++i) {
        if (iterations_[i] != not_direct) continue;
        const uint32_t island = candidates_[i];
        const uint64_t steps =
            islands_.elements(island).empty() ? steps_swept : mechanism_steps_swept;
        for (uint32_t g : islands_.groups(island))
            state.motion[g].swept_until = static_cast<double>(state.steps + steps);
    }
    jobs_->run((count + groups_in_piece - 1) / groups_in_piece, [&](uint32_t piece) {
        const uint32_t end = std::min(count, (piece + 1) * groups_in_piece);
        for (uint32_t g = std::max(1u, piece * groups_in_piece); g < end; ++g) {
            GroupMotion& m = state.motion[g];
            if (m.is_asleep()) continue;
            const Group& group = groups_[g];
            const Vec3 before = m.angular_velocity;
            m.falls = norm(velocity_[g] - free_velocity_[g])
                           <= same_fall * norm(free_velocity_[g] - m.velocity)
                        ? 1
                        : 0;
            acceleration_[g] = {(velocity_[g] - m.velocity) / settings_.step,
                                (spin_[g] - before) / settings_.step};
            m.position += way_[g];
            m.orientation = normalized(turned_by(turn_[g]) * m.orientation);
            BRISTLE_ASSERT(is_unit(m.orientation));
            m.velocity = velocity_[g];
            m.angular_velocity = spin_[g];
            if (!is_alone_[g] || !turns(group, before)) continue;
            const Vec3 momentum =
                in_world(group.inertia, rotation_[g]) * (before + spin_[g] - turned_spin_[g]);
            const Mat3 rotation = m.orientation.matrix();
            m.angular_velocity =
                rotation * (group.inverse_inertia * (rotation.transposed() * momentum));
        }
    });
}

void ImpulseSolver::remember(ImpulseState& state) {
    contacts_.remember(state.motion, state.contacts, *jobs_);
    // Room for all of them to fall asleep, made while the scene grows.
    const size_t most = state.contacts.size() + state.resting.size();
    for (auto* list : {&awake_contacts_, &resting_contacts_})
        if (list->capacity() < most) list->reserve(2 * most);
    for (size_t r = 0; r < state.row_impulses.size(); ++r)
        state.row_impulses[r] = mechanism_.rows().rows[r].impulse;
    const double end = state.time + settings_.step;
    for (uint32_t g : mechanism_.groups())
        if (!state.motion[g].is_asleep()) mechanism_.place(g, state.motion[g], 0);
    const auto for_each_awake = [&](const auto& visit) {
        for (const Mechanism::Element& e : mechanism_.elements()) {
            const Row& row = mechanism_.rows().rows[e.first_row];
            if (row.count > 0
                && !state.motion[mechanism_.rows().entries[row.first].group].is_asleep())
                visit(e);
        }
    };
    for_each_awake([&](const Mechanism::Element& e) {
        mechanism_.conclude(e, settings_.step, end, state.memory);
    });
    for_each_awake([&](const Mechanism::Element& e) { mechanism_.count_angle(e, state.memory); });
}

}  // namespace bristle::impulse
