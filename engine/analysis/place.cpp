// Bodies put elsewhere, and given other velocities, while a world runs.
#include <bristle/analysis.h>

#include "assembly/put.h"
#include "model/editor.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle {
namespace {

void check(const World& world, BodyId body, const char* what) {
    if (body == Model::ground() || !world.model().contains(body))
        throw InputError(fmt::format("{}: the model has no body {} that moves", what, body.index));
}

}  // namespace

void set_pose(World& world, BodyId body, const Pose& pose) {
    check(world, body, "set_pose");
    const Quat& q = pose.orientation;
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!is_finite(pose.position) || !(length > 0) || !std::isfinite(length))
        throw InputError(
            "set_pose: position and orientation must be finite, and the quaternion not zero");
    const Pose there{pose.position, {q.w / length, q.x / length, q.y / length, q.z / length}};
    world.change([&](Model& now) { now = assembly::put(now, body, there); });
}

void set_velocity(World& world, BodyId body, const Twist& twist) {
    check(world, body, "set_velocity");
    if (!is_finite(twist.linear) || !is_finite(twist.angular))
        throw InputError("set_velocity: the velocities must be finite");
    world.change([&](Model& now) {
        Body& changed = ModelEditor::bodies(now)[body.index];
        changed.velocity = twist.linear;
        changed.angular_velocity = twist.angular;
    });
}

}  // namespace bristle
