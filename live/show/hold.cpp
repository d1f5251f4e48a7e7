#include "live/show/hold.h"

#include "base/union_find.h"

#include <algorithm>

namespace bristle::live {

Vec3 force_of(const Hold& h, const Pose& pose, const Twist& twist) {
    constexpr double omega = 2 * pi * 2, strongest = 100;
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

}  // namespace bristle::live
