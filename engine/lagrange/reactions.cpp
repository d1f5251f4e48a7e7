#include "lagrange/reactions.h"

#include "lagrange/kinematics.h"
#include "lagrange/observe.h"
#include "mechanics/stateful.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <set>

namespace bristle::lagrange {
namespace {

// The joint's point and axes, carried with the bodies they belong to.
struct JointNow {
    Vec3 at_a, at_b, axis, axis_b;
};

JointNow joint_now(const System& s, const Vec4* q, const Joint& j) {
    return {carry_point(s, q, j.a, j.at_a), carry_point(s, q, j.b, j.at_b),
            carry_axis(s, q, j.a, j.axis), carry_axis(s, q, j.b, j.axis_b)};
}

WrenchRow pair(BodyId a, BodyId b, Vec3 force, Vec3 moment) {
    return {{{a, -force, -moment}, {b, force, moment}}};
}

}  // namespace

std::vector<WrenchRow> joint_rows(const System& s, const Vec4* q, JointId id) {
    const Joint& j = s.model().joints()[id.index];
    if (model::is_gear(j)) {
        WrenchRow row = coordinate_row(s, q, j.second);
        for (WrenchRow::Side side : coordinate_row(s, q, j.first).sides)
            row.sides.push_back({side.body, -j.ratio * side.force, -j.ratio * side.moment});
        return {row};
    }
    const JointNow now = joint_now(s, q, j);
    std::vector<WrenchRow> rows;
    const auto push = [&](Vec3 direction) {
        rows.push_back(pair(j.a, j.b, direction, cross(now.at_b, direction)));
    };
    const auto turn = [&](Vec3 direction) { rows.push_back(pair(j.a, j.b, {}, direction)); };
    const auto in_all = [](const auto& add) {
        add(Vec3{1, 0, 0});
        add(Vec3{0, 1, 0});
        add(Vec3{0, 0, 1});
    };
    const auto across = [&](const auto& add) {
        const Vec3 u = any_perpendicular(now.axis);
        add(u);
        add(cross(now.axis, u));
    };
    const model::JointKind& kind = model::kind_of(j);
    switch (kind.place) {
        case model::Place::point: in_all(push); break;
        case model::Place::line: across(push); break;
        case model::Place::plane: push(now.axis); break;
        case model::Place::distance:
            if (!s.model().is_acted_on(id)) push(normalized(now.at_b - now.at_a));
            break;
        case model::Place::anywhere: break;
    }
    switch (kind.turn) {
        case model::Turn::none: in_all(turn); break;
        case model::Turn::about_axis: across(turn); break;
        case model::Turn::crossed: turn(normalized(cross(now.axis, now.axis_b))); break;
        case model::Turn::any: break;
    }
    if (kind.is_screw)
        rows.push_back(pair(j.a, j.b, now.axis, cross(now.at_b, now.axis) - j.ratio * now.axis));
    return rows;
}

WrenchRow coordinate_row(const System& s, const Vec4* q, JointId id) {
    const Joint& j = s.model().joints()[id.index];
    const JointNow now = joint_now(s, q, j);
    const model::CoordinateKind kind = model::kind_of(j).coordinate;
    if (j.type == JointType::turn_gauge)
        return pair(j.a, j.b, {}, model::turn_direction(now.axis, now.axis_b));
    if (kind == model::CoordinateKind::swing)
        return pair(j.a, j.b, {}, model::swing_direction(now.axis, now.axis_b));
    if (kind == model::CoordinateKind::angle) return pair(j.a, j.b, {}, now.axis);
    const Vec3 along =
        kind == model::CoordinateKind::length ? normalized(now.at_b - now.at_a) : now.axis;
    return pair(j.a, j.b, along, cross(now.at_b, along));
}

namespace {

// Everything but joint reactions: inertia less gravity, springs, motors, drives, limits, users' forces.
class BodyLoads final : public ForceSink {
  public:
    explicit BodyLoads(size_t bodies) : wrench(bodies) {}
    void add_force(BodyId id, Vec3 force, Vec3 at) override {
        wrench[id.index].force -= force;
        wrench[id.index].moment -= cross(at, force);
    }
    void add_torque(BodyId id, Vec3 torque) override { wrench[id.index].moment -= torque; }
    void add_row(const WrenchRow& row, double effort) {
        for (const auto& side : row.sides) {
            wrench[side.body.index].force -= effort * side.force;
            wrench[side.body.index].moment -= effort * side.moment;
        }
    }
    std::vector<Wrench> wrench;
};

void add_bushing(const System& s, const state::State& state, const Bushing& bushing,
                 const MeasureForce* f, BodyLoads& loads) {
    const Vec4* const q = state.position.data();
    const Mat3 axes = bushing.axes.matrix(),
               axes_b = bushing.axes_b.value_or(bushing.axes).matrix();
    const Vec3 at = carry_point(s, q, bushing.b, bushing.at_b.value_or(bushing.at));
    for (int k = 0; k < 3; ++k) {
        const Vec3 force =
            measure_effort(s, state, f[k]) * carry_axis(s, q, bushing.a, axes.column(k));
        loads.add_force(bushing.b, force, at);
        loads.add_force(bushing.a, -force, at);
        const auto on_a = [&](int i) { return carry_axis(s, q, bushing.a, axes.column(i % 3)); };
        const auto on_b = [&](int i) { return carry_axis(s, q, bushing.b, axes_b.column(i % 3)); };
        const Vec3 turn = 0.5 * (cross(on_b(k + 1), on_a(k + 2)) - cross(on_b(k + 2), on_a(k + 1)));
        const double effort = measure_effort(s, state, f[3 + k]);
        loads.add_torque(bushing.b, effort * turn);
        loads.add_torque(bushing.a, -effort * turn);
    }
}

void add_stateful(const System& s, const state::State& state, const StatefulElement& e,
                  BodyLoads& loads) {
    const StatefulForce& force = s.model().stateful_forces()[e.index];
    const mechanics::StatefulLayout step(force, e.memory);
    const auto shares = step.shares(state.memory), places = step.places(state.memory);
    for (size_t k = 0; k < step.joints(); ++k)
        loads.add_row(coordinate_row(s, state.position.data(), force.joints[k]), shares[k]);
    for (size_t p = 0; p < step.points(); ++p) {
        const double* const f = &shares[step.joints() + 3 * p];
        const double* const at = &places[3 * p];
        loads.add_force(force.points[p], {f[0], f[1], f[2]}, {at[0], at[1], at[2]});
    }
}

// Efforts as the solver has them, laid on bodies.
BodyLoads required_wrenches(const System& s, const state::State& state) {
    const Vec4* const q = state.position.data();
    const Model& model = s.model();
    BodyLoads loads(model.bodies().size());
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        const Body& body = model.bodies()[i];
        loads.wrench[i] = inertia_force(s, q, state.acceleration.data(), {i});
        loads.add_force({i}, body.mass * model.gravity, body_pose(s, q, {i}) * body.center);
    }
    for (const state::ContactMemory& c : state.contacts) {
        const BodyId a{static_cast<uint32_t>(c.bodies >> 32)},
            b{static_cast<uint32_t>(c.bodies & 0xffffffffu)};
        // On a rod or a point it acts where the ball's centre is.
        const auto place = [&](BodyId body, Vec3 center) {
            return s.frames[s.group_of[body.index]].axis.size() < 3 ? center : c.point;
        };
        loads.add_force(a, c.share, place(a, c.at_a));
        loads.add_force(b, -c.share, place(b, c.at_b));
        loads.add_torque(a, c.torque_share);
        loads.add_torque(b, -c.torque_share);
    }
    const auto effort_of = [&](const MeasureForce& f) { return measure_effort(s, state, f); };
    for (size_t i = 0; i < model.forces().size(); ++i) {
        const Model::ForceRef ref = model.forces()[i];
        const MeasureForce* f =
            s.force_of_model[i] == none ? nullptr : &s.forces[s.force_of_model[i]];
        if (ref.kind == Model::ForceKind::spring) {
            const Spring& spring = model.springs()[ref.index];
            const Vec3 a = carry_point(s, q, spring.a, spring.at_a),
                       b = carry_point(s, q, spring.b, spring.at_b);
            if (norm(b - a) == 0) continue;
            const Vec3 force = effort_of(*f) * normalized(b - a);
            loads.add_force(spring.b, force, b);
            loads.add_force(spring.a, -force, a);
        } else if (ref.kind == Model::ForceKind::joint_spring) {
            loads.add_row(coordinate_row(s, q, model.joint_springs()[ref.index].joint),
                          effort_of(*f));
        } else if (ref.kind == Model::ForceKind::motor) {
            loads.add_row(coordinate_row(s, q, model.motors()[ref.index].joint), effort_of(*f));
        } else if (ref.kind == Model::ForceKind::bushing) {
            add_bushing(s, state, model.bushings()[ref.index], f, loads);
        } else if (ref.kind == Model::ForceKind::stateful) {
            add_stateful(s, state, s.stateful[ref.index], loads);
        } else {
            model.user_forces()[ref.index].apply(
                EntityKinematics(s, q, state.velocity.data(), state.time, state.contacts), loads);
        }
    }
    for (const Relation& r : s.relations) {
        const double effort = state.memory[r.memory + effort_memory];
        if (r.kind == Relation::Kind::drive)
            loads.add_row(coordinate_row(s, q, model.drives()[r.index].joint), effort);
        if (r.kind == Relation::Kind::limit_min || r.kind == Relation::Kind::limit_max)
            loads.add_row(coordinate_row(s, q, model.limits()[r.index].joint), effort);
    }
    // A rotor's inertia is felt along its joint.
    for (size_t i = 0; i < model.coordinates().size(); ++i) {
        const Coordinate& c = model.coordinates()[i];
        const ScalarInertia& own = s.scalar_inertia[i];
        const double effort = c.ratio * c.inertia * state.acceleration[own.entity][own.component];
        loads.add_row(coordinate_row(s, q, c.joint), -effort);
    }
    return loads;
}

}  // namespace

ReactionSolver::ReactionSolver(const System& system) : system_(system) {
    const auto bodies = static_cast<uint32_t>(system.model().bodies().size());
    std::set<std::pair<uint32_t, uint32_t>> edges;
    for (uint32_t i = 0; i < system.model().joints().size(); ++i) {
        std::set<uint32_t> clique;
        for (const WrenchRow& row : joint_rows(system, system.start.data(), {i}))
            for (const auto& side : row.sides)
                if (side.body.index != 0) clique.insert(side.body.index - 1);
        for (uint32_t a : clique)
            for (uint32_t b : clique)
                if (a > b) edges.emplace(a, b);
    }
    const auto order = minimum_degree_order(bodies - 1, {edges.begin(), edges.end()});
    node_of_.assign(bodies, none);
    for (uint32_t k = 0; k < order.size(); ++k) node_of_[order[k] + 1] = 2 * k;
    std::vector<std::pair<uint32_t, uint32_t>> below;
    const auto couple = [&](uint32_t a, uint32_t b) {
        for (uint32_t i : {a, a + 1})
            for (uint32_t j : {b, b + 1})
                if (i != j) below.emplace_back(std::max(i, j), std::min(i, j));
    };
    for (uint32_t k = 0; k < order.size(); ++k) couple(2 * k, 2 * k);
    for (auto [a, b] : edges) couple(node_of_[a + 1], node_of_[b + 1]);
    matrix_.reset(std::make_shared<const BlockPattern>(2 * (bodies - 1), below));

    double sum = 0;
    int count = 0;
    for (const Joint& j : system.model().joints()) {
        if (!model::joins_bodies(j)) continue;
        for (auto [body, at] : {std::pair{j.a, j.at_a}, std::pair{j.b, j.at_b}}) {
            if (body.index == 0) continue;
            sum += norm(at - system.model().bodies()[body.index].position);
            ++count;
        }
    }
    arm_ = sum > 0 ? sum / count : system.size;
}

// Rows as they are now, moments about each body's own frame and measured by a usual arm; and G Gᵀ.
void ReactionSolver::gather(const Vec4* q) {
    const System& s = system_;
    rows_.clear();
    place_.resize(node_of_.size());
    for (uint32_t b = 1; b < node_of_.size(); ++b) place_[b] = body_pose(s, q, {b}).position;
    for (uint32_t j = 0; j < s.model().joints().size(); ++j) {
        for (WrenchRow& wrench : joint_rows(s, q, {j})) {
            Row row{j, {}, std::move(wrench), 0};
            for (const auto& side : row.wrench.sides) {
                const uint32_t b = side.body.index;
                if (b == 0) continue;
                const Vec4 force = to_vec4(side.force),
                           moment = to_vec4((side.moment - cross(place_[b], side.force)) / arm_);
                auto known = std::find_if(row.entries.begin(), row.entries.end(),
                                          [&](const Entry& e) { return e.node == node_of_[b]; });
                if (known != row.entries.end()) {
                    known[0].value += force;
                    known[1].value += moment;
                } else {
                    row.entries.push_back({node_of_[b], force});
                    row.entries.push_back({node_of_[b] + 1, moment});
                }
            }
            rows_.push_back(std::move(row));
        }
    }
    std::fill(matrix_.blocks().begin(), matrix_.blocks().end(), Block3{});
    for (const Row& row : rows_) {
        for (const Entry& a : row.entries) {
            for (const Entry& b : row.entries) {
                if (a.node < b.node) continue;
                Block3& block = matrix_.blocks()[matrix_.index_of(a.node, b.node)];
                for (int c = 0; c < 3; ++c)
                    block.column[c] = fma(b.value[c], a.value, block.column[c]);
            }
        }
    }
}

// Adds a share of the largest entry to the diagonal.
void ReactionSolver::shift(double share) {
    double largest = 1;
    for (uint32_t n = 0; n < matrix_.size(); ++n)
        for (int c = 0; c < 3; ++c)
            largest = std::max(largest, matrix_.blocks()[matrix_.index_of(n, n)].column[c][c]);
    for (uint32_t n = 0; n < matrix_.size(); ++n)
        for (int c = 0; c < 3; ++c)
            matrix_.blocks()[matrix_.index_of(n, n)].column[c][c] += share * largest;
}

void ReactionSolver::solve(const state::State& state, std::vector<Reaction>& out) {
    const System& s = system_;
    const Vec4* const q = state.position.data();
    gather(q);
    shift(1e-10);
    matrix_.factorize();

    const BodyLoads loads = required_wrenches(s, state);
    std::vector<Vec4> rest(matrix_.size(), Vec4{}), y;
    for (uint32_t b = 1; b < node_of_.size(); ++b) {
        const Wrench& w = loads.wrench[b];
        rest[node_of_[b]] = to_vec4(w.force);
        rest[node_of_[b] + 1] = to_vec4((w.moment - cross(place_[b], w.force)) / arm_);
    }
    for (int pass = 0; pass < 5; ++pass) {
        y = rest;
        matrix_.solve(y.data());
        for (Row& row : rows_) {
            double w = 0;
            for (const Entry& e : row.entries) w += dot(e.value, y[e.node]);
            row.multiplier += w;
            for (const Entry& e : row.entries) rest[e.node] = fma(-w, e.value, rest[e.node]);
        }
    }
    out.assign(s.model().joints().size(), {});
    for (const Row& row : rows_) {
        const Joint& j = s.model().joints()[row.joint];
        const BodyId b = model::is_gear(j) ? s.model().joints()[j.second.index].b : j.b;
        for (const auto& side : row.wrench.sides) {
            if (!(side.body == b)) continue;
            out[row.joint].force += row.multiplier * side.force;
            out[row.joint].moment += row.multiplier * side.moment;
        }
    }
    for (uint32_t j = 0; j < s.model().joints().size(); ++j) {
        const Joint& joint = s.model().joints()[j];
        const Joint& place = model::is_gear(joint) ? s.model().joints()[joint.second.index] : joint;
        out[j].moment -= cross(carry_point(s, q, place.b, place.at_b), out[j].force);
    }
}

FreedomCount ReactionSolver::mobility(const Vec4* q) {
    const System& s = system_;
    gather(q);
    // Eigenvalues of G Gᵀ that are zero but for rounding: what the joints leave free.
    shift(-1e-12);
    const auto free = static_cast<int>(matrix_.factorize_and_count_negative());
    const int rank = static_cast<int>(3 * matrix_.size()) - free;
    // A slender rod does not turn about itself, and a point does not turn at all.
    int without_inertia = 0;
    for (uint32_t b = 1; b < s.model().bodies().size(); ++b) {
        const GroupFrame& f = s.frames[s.group_of[b]];
        if (s.group_of[b] != 0 && f.axis.size() < 2) without_inertia += f.axis.empty() ? 3 : 1;
    }
    return {free - without_inertia, static_cast<int>(rows_.size()) - rank};
}

}  // namespace bristle::lagrange
