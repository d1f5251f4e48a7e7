#include "impulse/joints.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

// Moved along `e` by b against a, at these arms.
JointGeometry::Sides along(Vec3 e, Vec3 arm_a, Vec3 arm_b) {
    return {-e, -cross(arm_a, e), e, cross(arm_b, e)};
}
JointGeometry::Sides about(Vec3 e) { return {{}, -e, {}, e}; }

// Twice the vector part of the rotation: the rotation vector, to third order.
Vec3 rotation_error(const Mat3& r) {
    return 0.5 * Vec3{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
}

}  // namespace

JointGeometry::JointGeometry(const Model& model, const Groups& groups, const Joint& j,
                             bool is_free_in_length)
    : kind_(model::kind_of(j)),
      group_a_(groups.member(j.a).group),
      group_b_(groups.member(j.b).group),
      length_(j.length),
      start_angle_(j.start_angle) {
    const auto start = groups.start(model);
    const Mat3 a = start[group_a_].orientation.conjugate().matrix(),
               b = start[group_b_].orientation.conjugate().matrix();
    at_a_ = a * (j.at_a - start[group_a_].position);
    at_b_ = b * (j.at_b - start[group_b_].position);
    turn_ = a * b.transposed();
    if (model.plane_normal) {
        plane_ = normalized(*model.plane_normal);
        normal_in_a_ = a * *plane_;
    }
    if (norm(j.axis) > 0) {
        axis_in_a_ = a * normalized(j.axis);
        axis_in_b_ = b * normalized(j.axis_b);
        const Vec3 mark = any_perpendicular(normalized(j.axis));
        mark_in_a_ = a * mark;
        mark_in_b_ = b * mark;
    }
    is_azimuth_ = j.type == JointType::turn_gauge;
    if (is_azimuth_) {
        mark_in_a_ = a * model::start_mark(j);
        mark_in_b_ = axis_in_b_;
    }
    if (group_a_ == group_b_) return;  // welded together: nothing to hold
    has_length_ = kind_.place == model::Place::distance && !is_free_in_length;
    add_directions();
    rows_ = static_cast<int>(world_.size() + fixed_.size() + orient_.size()) + align_
          + (is_crossed_ ? 1 : 0) + (has_length_ ? 1 : 0);
}

void JointGeometry::add_directions() {
    using model::Place, model::Turn;
    const Vec3 other = cross(axis_in_a_, mark_in_a_);
    if (plane_) {
        const Vec3 n = *plane_, e = any_perpendicular(n);
        if (kind_.place == Place::point) world_ = {e, cross(n, e)};
        if (kind_.place == Place::line) fixed_ = {cross(normal_in_a_, axis_in_a_)};
        if (kind_.place == Place::plane && std::abs(dot(axis_in_a_, normal_in_a_)) < 0.5)
            fixed_ = {axis_in_a_};
        if (kind_.place == Place::line && kind_.turn != Turn::any) orient_ = {normal_in_a_};
        return;
    }
    if (kind_.place == Place::point) world_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (kind_.place == Place::line) fixed_ = {mark_in_a_, other};
    if (kind_.place == Place::plane) fixed_ = {axis_in_a_};
    if (kind_.turn == Turn::about_axis) align_ = 2;
    if (kind_.turn == Turn::none) orient_ = {axis_in_a_, mark_in_a_, other};
    is_crossed_ = kind_.turn == Turn::crossed;
}

void JointGeometry::errors(const Placement& a, const Placement& b, double* out) const {
    const Vec3 way = point_b(b) - point_a(a);
    for (const Vec3& e : world_) *out++ = dot(e, way);
    for (const Vec3& e : fixed_) *out++ = dot(a.rotation * e, way);
    if (align_ > 0) {
        const Vec3 axis = axis_b(b);
        *out++ = dot(axis, a.rotation * mark_in_a_);
        *out++ = dot(axis, a.rotation * cross(axis_in_a_, mark_in_a_));
    }
    if (!orient_.empty()) {
        const Vec3 error =
            rotation_error(a.rotation.transposed() * b.rotation * turn_.transposed());
        for (const Vec3& e : orient_) *out++ = dot(e, error);
    }
    if (is_crossed_) *out++ = dot(axis_a(a), axis_b(b));
    if (has_length_) *out++ = norm(way) - length_;
}

void JointGeometry::jacobian(const Placement& a, const Placement& b, Sides* out) const {
    const Vec3 pa = point_a(a), pb = point_b(b);
    const Vec3 arm_a = pa - a.position, arm_b = pb - b.position, far_arm = pb - a.position;
    for (const Vec3& e : world_) *out++ = along(e, arm_a, arm_b);
    for (const Vec3& e : fixed_) *out++ = along(a.rotation * e, far_arm, arm_b);
    if (align_ > 0) {
        const Vec3 axis = axis_b(b);
        *out++ = about(cross(axis, a.rotation * mark_in_a_));
        *out++ = about(cross(axis, a.rotation * cross(axis_in_a_, mark_in_a_)));
    }
    for (const Vec3& e : orient_) *out++ = about(a.rotation * e);
    if (is_crossed_) *out++ = about(cross(axis_b(b), axis_a(a)));
    if (has_length_) *out++ = coordinate_row(a, b);
}

double JointGeometry::displacement(const Placement& a, const Placement& b) const {
    return dot(axis_a(a), point_b(b) - point_a(a));
}

double JointGeometry::angle(const Placement& a, const Placement& b) const {
    const Vec3 mark_a = a.rotation * mark_in_a_, mark_b = b.rotation * mark_in_b_;
    return std::atan2(dot(axis_a(a), cross(mark_a, mark_b)), dot(mark_a, mark_b)) + start_angle_;
}

JointGeometry::Sides JointGeometry::displacement_row(const Placement& a, const Placement& b) const {
    const Vec3 pb = point_b(b);
    return along(axis_a(a), pb - a.position, pb - b.position);
}

JointGeometry::Sides JointGeometry::angle_row(const Placement& a, const Placement& b) const {
    return about(is_azimuth_ ? model::turn_direction(axis_a(a), b.rotation * mark_in_b_)
                             : axis_a(a));
}

double JointGeometry::coordinate(const Placement& a, const Placement& b) const {
    switch (kind_.coordinate) {
        case model::CoordinateKind::angle: return angle(a, b);
        case model::CoordinateKind::displacement: return displacement(a, b);
        case model::CoordinateKind::length: return norm(point_b(b) - point_a(a));
        case model::CoordinateKind::swing: return model::swing_angle(axis_a(a), axis_b(b));
        case model::CoordinateKind::none: break;
    }
    return 0;
}

JointGeometry::Sides JointGeometry::coordinate_row(const Placement& a, const Placement& b) const {
    if (kind_.coordinate == model::CoordinateKind::angle) return angle_row(a, b);
    if (kind_.coordinate == model::CoordinateKind::displacement) return displacement_row(a, b);
    if (kind_.coordinate == model::CoordinateKind::swing)
        return about(model::swing_direction(axis_a(a), axis_b(b)));
    const Vec3 pa = point_a(a), pb = point_b(b), way = pb - pa;
    const double length = norm(way);
    // Two ends that meet have no direction between them: no force, rather than a NaN.
    return along(length > 0 ? way / length : Vec3{}, pa - a.position, pb - b.position);
}

}  // namespace bristle::impulse
