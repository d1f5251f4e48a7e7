#include "live/show/hold.h"

#include "base/union_find.h"
#include "math/symmetric_eigen.h"

#include <algorithm>

namespace bristle::live {

namespace {

constexpr double omega = 2 * pi * 2;  // rad/s

}  // namespace

Vec3 force_of(const Hold& h, const Pose& pose, const Twist& twist) {
    constexpr double strongest = 100;
    const Vec3 point = pose * h.at;
    const Vec3 velocity = twist.linear + cross(twist.angular, point - pose.position);
    const Vec3 force = h.mass * (omega * omega * (h.to - point) - 2 * omega * velocity);
    const double most = strongest * h.mass;
    return std::min(1.0, most / std::max(norm(force), 1e-300)) * force;
}

ForceId add_hold(Model& model, const std::shared_ptr<const std::optional<Hold>>& hold,
                 BodyId body) {
    const auto pull = [hold](const Kinematics& kinematics, ForceSink& sink) {
        if (!*hold) return;
        const Hold& h = **hold;
        const Pose pose = kinematics.pose(h.body);
        sink.add_force(h.body, force_of(h, pose, kinematics.twist(h.body)), pose * h.at);
    };
    return model.add(UserForce{.apply = pull, .bodies = {body}, .name = "hand"});
}

double connected_mass(const Model& model, BodyId body) {
    UnionFind together(model.bodies().size());
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        const bool is_between_bodies =
            j.type < JointType::gear && j.a != Model::ground() && j.b != Model::ground();
        if (model.contains(JointId{i}) && is_between_bodies) together.unite(j.a.index, j.b.index);
    }
    double mass = 0;
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i}) && together.find(i) == together.find(body.index))
            mass += model.bodies()[i].mass;
    return mass;
}

double bearable_mass(const Body& body, Vec3 at, double step) {
    const SymmetricEigen inertia = symmetric_eigen(body.inertia);
    const double largest = std::max({inertia.values.x, inertia.values.y, inertia.values.z});
    // One over the mass that resists along a unit vector u: 1/m + Σ (aᵢ · (r × u))² / Iᵢ. About an axis without inertia
    // nothing is turned.
    Mat3 mobility = (1 / body.mass) * Mat3::identity();
    for (int i = 0; i < 3; ++i) {
        if (!(inertia.values[i] > 1e-9 * largest)) continue;
        const Vec3 way = cross(inertia.axes.column(i), at - body.center);
        mobility = mobility + (1 / inertia.values[i]) * Mat3::outer(way, way);
    }
    const Vec3 most = symmetric_eigen(mobility).values;
    return 1 / (2 * omega * step * std::max({most.x, most.y, most.z}));
}

}  // namespace bristle::live
