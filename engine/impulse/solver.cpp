#include "impulse/solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

constexpr uint32_t groups_in_piece = 256;
constexpr int not_direct = -1;
// Of its arms: a joint's error at which it counts as closed; and how often it is tried.
constexpr double closed = 1e-7;
constexpr int most_linearizations = 4;
// After a direct solution failed, or was too dear to try.
constexpr uint64_t steps_swept = 30;
// Groups of an island that is swept with more care, and how many times more.
constexpr size_t small_island = 128;
constexpr int careful_factor = 4;
constexpr size_t groups_in_lot = 100;

std::vector<std::pair<uint32_t, uint32_t>> joined_groups(const Model& model, const Groups& groups) {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (const Joint& j : model.joints()) {
        if (j.type == JointType::gear) continue;
        const uint32_t a = groups.member(j.a).group, b = groups.member(j.b).group;
        if (a != 0 && b != 0) out.emplace_back(a, b);
    }
    return out;
}

std::optional<collision::CollisionScene> scene_of(const Model& model, const Groups& groups,
                                                  collision::MeshTrees& trees) {
    if (model.shapes().empty()) return {};
    collision::CollisionScene scene(model, groups.owners(), joined_groups(model, groups), trees);
    if (!scene.can_touch()) return {};
    return scene;
}

// What users' forces see and do.
class UsersView : public Kinematics, public ForceSink {
  public:
    UsersView(const ImpulseSolver& solver, const ImpulseState& state, std::vector<Vec3>& force,
              std::vector<Vec3>& torque, std::vector<SolverLoad>& loads)
        : solver_(solver), state_(state), force_(force), torque_(torque), loads_(loads) {}

    double time() const override { return state_.time; }
    Pose pose(BodyId id) const override { return solver_.pose(state_, id); }
    Twist twist(BodyId id) const override { return solver_.twist(state_, id); }
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
    std::vector<Vec3>&force_, &torque_;
    std::vector<SolverLoad>& loads_;
};

}  // namespace

ImpulseSolver::ImpulseSolver(const Model& model, const Impulse& settings,
                             collision::MeshTrees& trees)
    : model_(model),
      settings_(settings),
      groups_(model_),
      scene_(scene_of(model_, groups_, trees)),
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
    return state;
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
    const bool anybody_awake = !model_.user_forces().empty()
                            || std::any_of(state.motion.begin() + 1, state.motion.end(),
                                           [](const GroupMotion& m) { return !m.is_asleep(); });
    if (anybody_awake) {
        detect(state);
        islands_.find(state.motion, contacts_.manifolds, mechanism_);
        apply_forces(state);
        solve(state);
        check_numbers(state);
        move(state);
        remember(state);
        look_for_rest(state);
    }
    ++state.steps;
    ++statistics.steps;
    state.time = state.time + settings_.step;
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
                                      * (g.velocity + h * model_.gravity
                                         + cross(g.angular_velocity, rotation * m.offset)),
                                  h * g.angular_velocity};
            }
        });
        scene_->detect_ahead(placement_, motion_, is_awake_, *jobs_);
        contacts_.build(*scene_, state.motion, state.contacts, settings_.resting_speed, *jobs_);
    } while (wake_touched(state));
}

bool ImpulseSolver::wake_touched(ImpulseState& state) {
    bool any = false;
    for (const Manifold& m : contacts_.manifolds)
        for (uint32_t g : {m.a, m.b})
            if (state.motion[g].is_asleep()) {
                wake_island(state, state.motion[g].still);
                any = true;
            }
    if (any) exchange_contacts(state);
    return any;
}

void ImpulseSolver::wake_island(ImpulseState& state, double still) const {
    for (GroupMotion& m : state.motion)
        if (m.still == still) m.still = 0;
}

void ImpulseSolver::wake(ImpulseState& state, uint32_t group) {
    if (!state.motion[group].is_asleep()) return;
    wake_island(state, state.motion[group].still);
    exchange_contacts(state);
}

void ImpulseSolver::wake_joint(ImpulseState& state, JointId id) {
    wake(state, mechanism_.joint(id).group_a());
    wake(state, mechanism_.joint(id).group_b());
}

// Contacts of those who fell asleep go to rest, and those of the awakened come back.
void ImpulseSolver::exchange_contacts(ImpulseState& state) {
    const auto rests = [&](const ContactImpulse& c) {
        const auto [a, b] = contacts_.groups_of(c);
        return state.motion[a].is_asleep() || state.motion[b].is_asleep();
    };
    awake_contacts_.clear();
    resting_contacts_.clear();
    for (const auto* list : {&state.contacts, &state.resting})
        for (const ContactImpulse& c : *list)
            (rests(c) ? resting_contacts_ : awake_contacts_).push_back(c);
    const auto by_pair = [](const ContactImpulse& x, const ContactImpulse& y) {
        return std::pair(x.pair, x.feature) < std::pair(y.pair, y.feature);
    };
    std::sort(awake_contacts_.begin(), awake_contacts_.end(), by_pair);
    std::sort(resting_contacts_.begin(), resting_contacts_.end(), by_pair);
    std::swap(state.contacts, awake_contacts_);
    std::swap(state.resting, resting_contacts_);
}

// ---- Forces --------------------------------------------------------------------------------------------

void ImpulseSolver::apply_users_forces(const ImpulseState& state) {
    std::fill(users_force_.begin(), users_force_.end(), Vec3{});
    std::fill(users_torque_.begin(), users_torque_.end(), Vec3{});
    users_loads_.clear();
    UsersView view(*this, state, users_force_, users_torque_, users_loads_);
    for (const UserForce& force : model_.user_forces()) force.apply(view, view);
}

void ImpulseSolver::apply_forces(const ImpulseState& state) {
    const bool has_users_forces = !model_.user_forces().empty();
    if (has_users_forces) apply_users_forces(state);
    const double h = settings_.step;
    Vec3 gravity = model_.gravity;
    if (model_.plane_normal) gravity -= dot(gravity, plane_normal_) * plane_normal_;
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
            free_velocity_[g] = m.velocity + h * gravity;
            free_spin_[g] = m.angular_velocity;
            // The momentum stays, and the inertia that turns with the body makes of it another velocity.
            if (!group.is_round && norm(m.angular_velocity) * h > 1e-6) {
                const Mat3 middle =
                    (turned_by(h / 2 * m.angular_velocity) * m.orientation).matrix();
                free_spin_[g] = middle
                              * (group.inverse_inertia
                                 * (middle.transposed() * (inertia_[g] * m.angular_velocity)));
            }
            turned_spin_[g] = free_spin_[g];
            if (has_users_forces) {
                free_velocity_[g] += h * group.inverse_mass * users_force_[g];
                free_spin_[g] += inverse_inertia_[g] * (h * users_torque_[g]);
            }
            velocity_[g] = free_velocity_[g];
            spin_[g] = free_spin_[g];
            way_[g] = h * velocity_[g];
            turn_[g] = h * spin_[g];
        }
    });
}

// ---- Solution ------------------------------------------------------------------------------------------

template <int N>
void ImpulseSolver::solve_directly(const StepView& step,
                                   std::vector<std::unique_ptr<DirectSolver<N>>>& solvers) {
    while (solvers.size() < candidates_.size())
        solvers.push_back(std::make_unique<DirectSolver<N>>());
    jobs_->run(static_cast<uint32_t>(candidates_.size()), [&](uint32_t i) {
        const uint32_t island = candidates_[i];
        const IslandView parts{islands_.groups(island),
                               islands_.manifolds(island),
                               {rows_.data() + row_start_[i], row_start_[i + 1] - row_start_[i]}};
        if (!is_open_[i]) return;
        const int count = solvers[i]->prepare(step, parts)
                            ? solvers[i]->solve(step, parts, settings_.iterations, plane_normal_)
                            : DirectSolver<N>::failed;
        iterations_[i] = count == DirectSolver<N>::failed ? not_direct : iterations_[i] + count;
    });
}

// Resists turning by what tension in the joints does (mechanism.h).
void ImpulseSolver::stiffen(uint32_t g) {
    const double added = mechanism_.added_stiffness(g);
    if (!(added > 1e-9 * inertia_[g].trace())) return;
    const Vec3 momentum = inertia_[g] * free_spin_[g];
    inertia_[g] = inertia_[g] + added * Mat3::identity();
    inverse_inertia_[g] = model_.plane_normal
                            ? (1 / dot(plane_normal_, inertia_[g] * plane_normal_))
                                  * Mat3::outer(plane_normal_, plane_normal_)
                            : inverse(inertia_[g]);
    free_spin_[g] = inverse_inertia_[g] * momentum;
}

// The rows of an island, taken where its present velocities lead.
void ImpulseSolver::evaluate(const ImpulseState& state, uint32_t island) {
    const double h = settings_.step;
    for (uint32_t g : islands_.groups(island))
        if (mechanism_.has(g)) mechanism_.expect(g, state.motion[g], velocity_[g], spin_[g], h);
    for (uint32_t e : islands_.elements(island))
        mechanism_.evaluate(mechanism_.elements()[e], h, state.time + h, state.memory,
                            settings_.resting_speed, Mechanism::Closing::exact);
}

void ImpulseSolver::solve(const ImpulseState& state) {
    for (size_t r = 0; r < state.row_impulses.size(); ++r)
        mechanism_.rows().rows[r].impulse = state.row_impulses[r];
    candidates_.clear();
    rows_.clear();
    row_start_.assign(1, 0);
    lot_count_ = 0;
    for (Swept* swept : {&swept_, &careful_})
        for (auto* list : {&swept->groups, &swept->manifolds, &swept->elements}) list->clear();
    // Small islands that could be solved directly but for their contacts (a house of cards before it has settled) are
    // worth more sweeps than there are in a pile.
    const auto leave_to_sweeps = [&](uint32_t island) {
        const bool is_small = settings_.direct == Impulse::Direct::where_it_pays
                           && islands_.groups(island).size() <= small_island;
        Swept& to = !is_small                         ? swept_
                  : islands_.elements(island).empty() ? lot_for_next()
                                                      : careful_;
        const auto append = [](std::vector<uint32_t>& list, std::span<const uint32_t> from) {
            list.insert(list.end(), from.begin(), from.end());
        };
        append(to.groups, islands_.groups(island));
        append(to.manifolds, islands_.manifolds(island));
        append(to.elements, islands_.elements(island));
    };
    for (uint32_t island = 0; island < islands_.size(); ++island) {
        if (islands_.manifolds(island).empty() && islands_.elements(island).empty()) continue;
        const auto groups = islands_.groups(island);
        if (settings_.direct == Impulse::Direct::never
            || groups.size() > DirectSolver<6>::most_bodies
            || std::any_of(groups.begin(), groups.end(), [&](uint32_t g) {
                   return state.motion[g].swept_until > static_cast<double>(state.steps);
               })) {
            leave_to_sweeps(island);
            continue;
        }
        candidates_.push_back(island);
        for (uint32_t g : islands_.groups(island)) {
            velocity_[g] = state.motion[g].velocity;
            spin_[g] = state.motion[g].angular_velocity;
        }
        evaluate(state, island);
        for (uint32_t e : islands_.elements(island)) {
            const Mechanism::Element& element = mechanism_.elements()[e];
            for (uint32_t r = 0; r < element.row_count; ++r) rows_.push_back(element.first_row + r);
        }
        row_start_.push_back(static_cast<uint32_t>(rows_.size()));
        for (uint32_t g : islands_.groups(island))
            if (mechanism_.has(g)) stiffen(g);
    }
    const StepView step = view(state);
    iterations_.assign(candidates_.size(), 0);
    is_open_.assign(candidates_.size(), 1);
    for (int again = 0; again < most_linearizations; ++again) {
        if (model_.plane_normal)
            solve_directly(step, planar_);
        else
            solve_directly(step, direct_);
        // Joints that are not closed where this velocity leads are taken from there once more.
        bool any = false;
        for (size_t i = 0; i < candidates_.size(); ++i) {
            is_open_[i] = is_open_[i] && iterations_[i] != not_direct
                       && !islands_.elements(candidates_[i]).empty();
            if (!is_open_[i]) continue;
            mechanism_.take_worst_error();
            evaluate(state, candidates_[i]);
            is_open_[i] = mechanism_.take_worst_error() > closed;
            any |= is_open_[i] != 0;
        }
        if (!any) break;
    }
    int most = 0;
    for (size_t i = 0; i < candidates_.size(); ++i) {
        if (iterations_[i] == not_direct) {
            leave_to_sweeps(candidates_[i]);
            continue;
        }
        most = std::max(most, iterations_[i]);
        statistics.factorizations += static_cast<uint64_t>(iterations_[i]);
    }
    for (const Swept* swept : {&swept_, &careful_}) {
        if (swept->groups.empty()) continue;
        const int iterations = settings_.iterations * (swept == &careful_ ? careful_factor : 1);
        sweep(state, *swept, iterations, sweeps_, *jobs_);
        most = std::max(most, iterations);
    }
    if (lot_count_ > 0) {
        const int iterations = settings_.iterations * careful_factor;
        while (lot_sweeps_.size() < lot_count_) lot_sweeps_.push_back(std::make_unique<Sweeps>());
        jobs_->run(static_cast<uint32_t>(lot_count_), [&](uint32_t i) {
            sweep(state, lots_[i], iterations, *lot_sweeps_[i], alone_);
        });
        most = std::max(most, iterations);
    }
    statistics.iterations += static_cast<uint64_t>(most);
    statistics.worst_iterations = std::max(statistics.worst_iterations, most);
}

// Full enough for the lanes of a register, and many enough for the threads.
ImpulseSolver::Swept& ImpulseSolver::lot_for_next() {
    if (lot_count_ == 0 || lots_[lot_count_ - 1].groups.size() >= groups_in_lot) {
        if (lots_.size() == lot_count_) lots_.emplace_back();
        Swept& next = lots_[lot_count_++];
        for (auto* list : {&next.groups, &next.manifolds, &next.elements}) list->clear();
    }
    return lots_[lot_count_ - 1];
}

void ImpulseSolver::sweep(const ImpulseState& state, const Swept& swept, int iterations,
                          Sweeps& sweeps, Jobs& jobs) {
    const bool in_parts = settings_.correction == Impulse::Correction::substeps;
    sweeps.solve(view(state), {swept.groups, swept.manifolds, swept.elements}, mechanism_,
                 state.memory, state.time + settings_.step, settings_.resting_speed,
                 {in_parts ? iterations : 1, in_parts ? 1 : iterations, in_parts,
                  settings_.error_reduction, settings_.allowed_depth},
                 jobs);
}

// ---- Motion and memory ---------------------------------------------------------------------------------

// Solvers that clamp may hide what is not a number: their input is looked at too.
void ImpulseSolver::check_numbers(const ImpulseState& state) const {
    bool is_good = true;
    for (uint32_t g = 1; g < groups_.size(); ++g)
        if (!state.motion[g].is_asleep())
            is_good &= is_finite(free_velocity_[g] + free_spin_[g] + velocity_[g] + spin_[g]
                                 + way_[g] + turn_[g]);
    for (const Row& row : mechanism_.rows().rows)
        is_good &= std::isfinite(row.gain + row.offset + row.impulse);
    if (!is_good)
        throw SimulationError(
            fmt::format("the motion is no longer a number in the step from t = {:.6g} s; look for "
                        "overlapping or extremely light bodies and at the forces of your own, or "
                        "make the step smaller",
                        state.time));
}

void ImpulseSolver::move(ImpulseState& state) {
    const auto count = static_cast<uint32_t>(groups_.size());
    for (size_t i = 0; i < candidates_.size(); ++i)
        if (iterations_[i] == not_direct)
            for (uint32_t g : islands_.groups(candidates_[i]))
                state.motion[g].swept_until = static_cast<double>(state.steps + steps_swept);
    jobs_->run((count + groups_in_piece - 1) / groups_in_piece, [&](uint32_t piece) {
        const uint32_t end = std::min(count, (piece + 1) * groups_in_piece);
        for (uint32_t g = std::max(1u, piece * groups_in_piece); g < end; ++g) {
            GroupMotion& m = state.motion[g];
            if (m.is_asleep()) continue;
            const Group& group = groups_[g];
            const Vec3 before = m.angular_velocity;
            acceleration_[g] = {(velocity_[g] - m.velocity) / settings_.step,
                                (spin_[g] - before) / settings_.step};
            m.position += way_[g];
            m.orientation = normalized(turned_by(turn_[g]) * m.orientation);
            m.velocity = velocity_[g];
            m.angular_velocity = spin_[g];
            if (group.is_round || !(norm(before) * settings_.step > 1e-6)) continue;
            const Vec3 momentum =
                in_world(group.inertia, rotation_[g]) * (before + spin_[g] - turned_spin_[g]);
            const Mat3 rotation = m.orientation.matrix();
            m.angular_velocity =
                rotation * (group.inverse_inertia * (rotation.transposed() * momentum));
        }
    });
}

void ImpulseSolver::remember(ImpulseState& state) {
    for (Manifold& m : contacts_.manifolds)
        for (uint32_t i = m.first; i < m.first + m.count; ++i) {
            ManifoldPoint& p = contacts_.points[i];
            const bool struck = p.impulse > 0 && p.gap > 0 && p.approach < -settings_.resting_speed;
            p.impact = struck ? -p.approach : 0;
        }
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
    for (const Mechanism::Element& e : mechanism_.elements()) {
        const Row& row = mechanism_.rows().rows[e.first_row];
        if (row.count == 0 || state.motion[mechanism_.rows().entries[row.first].group].is_asleep())
            continue;
        mechanism_.conclude(e, settings_.step, end, state.memory);
    }
}

void ImpulseSolver::look_for_rest(ImpulseState& state) {
    if (!(settings_.sleep_after < unlimited)) return;
    bool any = false;
    for (size_t island = 0; island < islands_.size(); ++island) {
        double least = unlimited;
        // What a drive or motor moves may be meant to be slow.
        const auto elements = islands_.elements(island);
        const bool is_driven = std::any_of(elements.begin(), elements.end(), [&](uint32_t e) {
            using Kind = Mechanism::Element::Kind;
            const Kind kind = mechanism_.elements()[e].kind;
            return kind == Kind::drive || kind == Kind::motor;
        });
        const double slow = settings_.step * (is_driven ? 0.01 : 1);
        for (uint32_t g : islands_.groups(island)) {
            GroupMotion& m = state.motion[g];
            // How far it got tells more than the velocity it ended with, in which sweeps leave some noise.
            const bool is_slow = norm(way_[g]) < settings_.sleep_speed * slow
                              && norm(turn_[g]) < settings_.sleep_spin * slow;
            m.still = is_slow ? m.still + settings_.step : 0;
            least = std::min(least, m.still);
        }
        if (least < settings_.sleep_after || !model_.user_forces().empty()) continue;
        if (std::any_of(elements.begin(), elements.end(),
                        [&](uint32_t e) { return mechanism_.elements()[e].moves_by_itself; }))
            continue;
        any = true;
        for (uint32_t g : islands_.groups(island)) {
            GroupMotion& m = state.motion[g];
            m.velocity = m.angular_velocity = {};
            acceleration_[g] = {};
            m.still = -1.0 - islands_.groups(island)[0];
        }
    }
    if (any) exchange_contacts(state);
}

}  // namespace bristle::impulse
