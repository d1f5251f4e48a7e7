#include "step/resting.h"

#include "base/union_find.h"
#include "collision/scene.h"
#include "lagrange/kinematics.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle::step {
namespace {

constexpr double rest_speed = 1e-4;   // m/s
constexpr double rest_time = 0.25;    // s
constexpr double leave_share = 1.25;  // further away than what brings them back

}  // namespace

RestingBodies::RestingBodies(const Model& model, double distance, double step,
                             collision::MeshTrees& trees)
    : distance_(distance), step_(step) {
    if (!(distance < unlimited)) return;
    const auto bodies = static_cast<uint32_t>(model.bodies().size());
    UnionFind unions(bodies);
    std::vector<bool> is_driven(bodies);
    const auto connect = [&](BodyId a, BodyId b) {
        if (a != Model::ground() && b != Model::ground()) unions.unite(a.index, b.index);
    };
    const auto drives = [&](JointId id) {
        const Joint& j = model.joints()[id.index];
        is_driven[j.a.index] = is_driven[j.b.index] = true;
    };
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i})) continue;
        if (model::is_gear(j)) {
            drives(j.first);
            drives(j.second);
        } else {
            connect(j.a, j.b);
        }
    }
    const auto all = [&](const auto& list, auto id) {
        for (id.index = 0; id.index < list.size(); ++id.index)
            if (model.contains(id)) drives(list[id.index].joint);
    };
    all(model.drives(), DriveId{});
    all(model.limits(), LimitId{});
    all(model.coordinates(), CoordinateId{});
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        if (!model.contains(ForceId{i})) continue;
        const auto [kind, k] = model.forces()[i];
        switch (kind) {
            case Model::ForceKind::spring:
                connect(model.springs()[k].a, model.springs()[k].b);
                break;
            case Model::ForceKind::bushing:
                connect(model.bushings()[k].a, model.bushings()[k].b);
                break;
            case Model::ForceKind::joint_spring: break;
            case Model::ForceKind::motor: drives(model.motors()[k].joint); break;
            case Model::ForceKind::user:
                for (BodyId id : model.user_forces()[k].bodies) is_driven[id.index] = true;
                break;
            case Model::ForceKind::stateful:
                for (JointId id : model.stateful_forces()[k].joints) drives(id);
                for (BodyId id : model.stateful_forces()[k].points) is_driven[id.index] = true;
                break;
        }
    }
    assembly_.assign(bodies, lagrange::none);
    std::vector<uint32_t> number(bodies, lagrange::none);
    for (uint32_t i = 1; i < bodies; ++i) {
        if (!model.contains(BodyId{i})) continue;
        uint32_t& n = number[unions.find(i)];
        if (n == lagrange::none) {
            n = static_cast<uint32_t>(is_driven_.size());
            is_driven_.push_back(false);
        }
        assembly_[i] = n;
        if (is_driven[i]) is_driven_[n] = true;
    }

    measure(model, trees);
}

void RestingBodies::measure(const Model& model, collision::MeshTrees& trees) {
    const size_t bodies = model.bodies().size();
    extent_.resize(bodies);
    for (uint32_t i = 0; i < bodies; ++i) {
        const Vec3 center = model.bodies()[i].center;
        extent_[i] = {center, 0, {center, center}};
    }
    std::vector<uint32_t> owner(bodies);
    std::iota(owner.begin(), owner.end(), 0u);
    std::vector<bool> is_known(bodies);
    const collision::CollisionScene scene(model, owner, {}, trees);
    for (uint32_t i = 0; i < scene.colliders().size(); ++i) {
        const collision::SceneCollider& c = scene.colliders()[i];
        if (!model.contains(c.shape)) continue;
        Extent& e = extent_[c.body.index];
        const Vec3 center = c.in_body.position + c.in_body.rotation * c.bound_center;
        const Aabb box = scene.box_in_body(i);
        if (!is_known[c.body.index]) e = {center, 0, box};
        is_known[c.body.index] = true;
        e.radius = std::max(e.radius, norm(center - e.center) + c.bound_radius);
        for (int k = 0; k < 3; ++k) {
            e.box.low[k] = std::min(e.box.low[k], box.low[k]);
            e.box.high[k] = std::max(e.box.high[k], box.high[k]);
        }
    }
}

namespace {

Aabb box_of(const Pose& pose, const Aabb& own) {
    return geometry::box_around(pose * (0.5 * (own.low + own.high)), pose.orientation.matrix(),
                                0.5 * (own.high - own.low));
}

// Of two boxes, squared.
double gap_between(const Aabb& a, const Aabb& b) {
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double gap = std::max({0.0, a.low[k] - b.high[k], b.low[k] - a.high[k]});
        square += gap * gap;
    }
    return square;
}

}  // namespace

RestingBodies::Motion RestingBodies::motion(const Revision& now, const state::State& state) const {
    const auto bodies = static_cast<uint32_t>(assembly_.size());
    Motion m{std::vector<Vec3>(bodies), std::vector<Aabb>(bodies), std::vector<double>(bodies),
             std::vector<double>(bodies)};
    for (uint32_t i = 1; i < bodies; ++i) {
        if (assembly_[i] == lagrange::none) continue;
        const uint32_t own = now.compact.bodies.to_compact[i];
        const Body& b = now.recipe->model.bodies()[i];
        const bool is_out = own == model::IdMap::nowhere;
        const Pose pose = is_out ? Pose{b.position, b.orientation}
                                 : body_pose(now.system, state.position.data(), {own});
        m.place[i] = pose * extent_[i].center;
        m.box[i] = box_of(pose, extent_[i].box);
        if (is_out) continue;
        const Twist twist =
            body_twist(now.system, state.position.data(), state.velocity.data(), {own});
        m.speed[i] = norm(twist.linear + cross(twist.angular, m.place[i] - pose.position));
        const double turning = norm(twist.angular) * extent_[i].radius;
        m.rim_speed[i] = std::isfinite(turning) ? m.speed[i] + turning : m.speed[i];
    }
    return m;
}

std::vector<bool> RestingBodies::look(const Revision& now, state::State& state) const {
    const auto bodies = static_cast<uint32_t>(assembly_.size());
    const std::vector<bool>& was_out = now.recipe->taken_out;
    const auto is_out = [&](uint32_t body) { return body < was_out.size() && was_out[body]; };
    const double pause = static_cast<double>(look_every) * step_;
    state.still.resize(is_driven_.size(), 0);

    const auto [place, box, speed, rim_speed] = motion(now, state);
    std::vector<double> fastest(is_driven_.size(), 0);
    for (uint32_t i = 1; i < bodies; ++i)
        if (assembly_[i] != lagrange::none)
            fastest[assembly_[i]] = std::max(fastest[assembly_[i]], rim_speed[i]);
    std::vector<bool> is_action(is_driven_.size());
    for (size_t k = 0; k < is_action.size(); ++k) {
        state.still[k] = fastest[k] < rest_speed ? state.still[k] + pause : 0;
        is_action[k] = is_driven_[k] || state.still[k] < rest_time;
    }

    // Those that touch go together.
    UnionFind touching(is_driven_.size());
    const auto touch = [&](uint32_t a, uint32_t b) {
        if (assembly_[a] != lagrange::none && assembly_[b] != lagrange::none)
            touching.unite(assembly_[a], assembly_[b]);
    };
    for (const state::ContactMemory& c : state.contacts)
        touch(now.compact.bodies.to_model[c.bodies >> 32],
              now.compact.bodies.to_model[c.bodies & 0xffffffffu]);
    const auto& shapes = now.recipe->model.shapes();
    for (const CarriedContact& c : now.recipe->resting_contacts)
        touch(shapes[c.a.index].body.index, shapes[c.b.index].body.index);

    std::vector<uint32_t> action;
    for (uint32_t i = 1; i < bodies; ++i)
        if (assembly_[i] != lagrange::none && is_action[assembly_[i]]) action.push_back(i);
    std::vector<bool> stays(is_driven_.size());
    const std::optional<Vec3>& normal = now.recipe->model.plane_normal;
    for (uint32_t i = 1; i < bodies; ++i) {
        if (assembly_[i] == lagrange::none) continue;
        const uint32_t island = touching.find(assembly_[i]);
        if (stays[island]) continue;
        if (is_action[assembly_[i]]) {
            stays[island] = true;
            continue;
        }
        const double apart = is_out(i) ? distance_ : leave_share * distance_;
        for (uint32_t k : action) {
            const double reach =
                apart + extent_[i].radius + extent_[k].radius + 2 * pause * speed[k];
            const double between = apart + 2 * pause * rim_speed[k];
            if (!normal && gap_between(box[i], box[k]) > between * between) continue;
            Vec3 way = place[i] - place[k];
            // In a planar model all meet, however far apart along its normal.
            if (normal) way -= dot(*normal, way) / dot(*normal, *normal) * *normal;
            if (!(dot(way, way) > reach * reach)) {
                stays[island] = true;
                break;
            }
        }
    }
    std::vector<bool> out(bodies);
    for (uint32_t i = 1; i < bodies; ++i)
        out[i] = assembly_[i] != lagrange::none && !stays[touching.find(assembly_[i])];
    return out;
}

bool RestingBodies::disturb(const Revision& now, const Aabb& box, state::State& state) const {
    const std::vector<bool>& is_out = now.recipe->taken_out;
    bool any = false;
    for (uint32_t i = 1; i < is_out.size() && i < assembly_.size(); ++i) {
        if (!is_out[i] || assembly_[i] == lagrange::none) continue;
        const Body& b = now.recipe->model.bodies()[i];
        const Vec3 center = Pose{b.position, b.orientation} * extent_[i].center;
        if (!geometry::reaches(center, extent_[i].radius, box)) continue;
        state.still.resize(is_driven_.size(), 0);
        state.still[assembly_[i]] = 0;
        any = true;
    }
    return any;
}

}  // namespace bristle::step
