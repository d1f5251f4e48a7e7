#include "model/planar.h"

#include "base/union_find.h"
#include "model/editor.h"
#include "model/input_checks.h"
#include "model/joint_kind.h"

namespace bristle::model {
namespace {

// Radians, m/s and rad/s: what is less beside the plane is rounding, of a file or of a run that goes on.
constexpr double beside = 1e-6;

bool is_along(Vec3 a, Vec3 normal) { return norm(cross(a, normal)) < beside; }
bool is_across(Vec3 a, Vec3 normal) { return std::abs(dot(a, normal)) < beside; }

bool is_point(const Body& b) { return b.inertia == Mat3{}; }

}  // namespace

Vec3 checked_plane_normal(Vec3 n) {
    if (!is_finite(n) || !(norm(n) > 1e-300) || !std::isfinite(norm(n)))
        fail("planar model",
             fmt::format("plane_normal is ({}, {}, {}); it must be finite and not zero", n.x, n.y,
                         n.z));
    return normalized(n);
}

void check_planar(const Joint& j, const std::string& where, Vec3 normal) {
    const char* wrong = nullptr;
    const JointKind& kind = kind_of(j);
    const bool is_along_normal = is_along(j.axis, normal) && is_along(j.axis_b, normal),
               is_in_plane = is_across(j.axis, normal) && is_across(j.axis_b, normal);
    if (j.type == JointType::turn_gauge) {
        if (!is_along(j.axis, normal)) wrong = "its axis must be the normal of the plane";
    } else if (j.type == JointType::slide_gauge) {
        if (!is_across(j.axis, normal)) wrong = "its axis must lie in the plane";
    } else if (kind.turn == Turn::crossed
               || (kind.place == Place::line && kind.turn == Turn::about_axis)) {
        wrong =
            "it leaves the plane; use a revolute joint about the normal, or a prismatic "
            "one along an axis in the plane";
    } else if (kind.turn == Turn::about_axis) {
        if (!is_along_normal)
            wrong = kind.place == Place::plane ? "its normal must be that of the model's plane"
                                               : "its axis must be the normal of the plane";
    } else if (kind.place == Place::line) {
        if (!is_in_plane) wrong = "its axis must lie in the plane";
    } else if (kind.place == Place::plane) {
        if (!is_across(j.axis, normal) && !is_along(j.axis, normal))
            wrong = "its normal must lie in the plane of the model";
    }
    if (wrong != nullptr) fail(where, fmt::format("in a planar model {}", wrong));
}

void check_planar(const Body& b, const std::string& where, Vec3 normal) {
    if (!(std::abs(dot(b.velocity, normal)) <= beside * (1 + norm(b.velocity))))
        fail(where, "in a planar model its velocity must lie in the plane");
    if (!(norm(cross(b.angular_velocity, normal)) <= beside * (1 + norm(b.angular_velocity))))
        fail(where, "in a planar model it must turn about the normal of the plane");
}

void check_planar(const Model& model) {
    if (!model.plane_normal) return;
    const Vec3 normal = checked_plane_normal(*model.plane_normal);
    for (uint32_t i = 0; i < model.joints().size(); ++i)
        if (model.contains(JointId{i}))
            check_planar(model.joints()[i],
                         fmt::format("{} ({})", label("joint", model.joints()[i].name, i),
                                     to_string(model.joints()[i].type)),
                         normal);
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i}))
            check_planar(model.bodies()[i], label("body", model.bodies()[i].name, i), normal);
}

Model kept_in_plane(const Model& model) {
    Model out = model;
    if (!model.plane_normal) return out;
    const Vec3 normal = checked_plane_normal(*model.plane_normal);
    // Those that keep each other in the plane; a point has no axis to be kept by.
    const auto& bodies = model.bodies();
    UnionFind held(bodies.size());
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        Joint& j = ModelEditor::joints(out)[i];
        if (!model.contains(JointId{i}) || is_gear(j)) continue;
        const auto holds = [&](BodyId id) { return id.index == 0 || !is_point(bodies[id.index]); };
        if (!holds(j.a) || !holds(j.b)) continue;
        if (j.type == JointType::spherical) {
            j.type = JointType::revolute;
            j.axis = j.axis_b = normal;
        }
        const Turn turn = kind_of(j).turn;
        if (turn == Turn::none || turn == Turn::about_axis) held.unite(j.a.index, j.b.index);
    }
    for (uint32_t i = 1; i < bodies.size(); ++i) {
        if (!model.contains(BodyId{i}) || held.find(i) != i) continue;
        const Body& b = bodies[i];
        const Vec3 at = Pose{b.position, b.orientation} * b.center;
        if (is_point(b))
            out.add(PointOnPlane{.a = Model::ground(), .b = {i}, .at = at, .normal = normal});
        else
            out.add(Planar{.a = Model::ground(), .b = {i}, .at = at, .normal = normal});
    }
    return out;
}

}  // namespace bristle::model
