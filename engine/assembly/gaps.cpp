#include "assembly/gaps.h"

#include <algorithm>
#include <cmath>

namespace bristle::assembly {

Mat3 rotation_by(Vec3 angle) {
    const double size = norm(angle);
    return size > 0 ? Quat::about(angle, size).matrix() : Mat3::identity();
}

Vec3 rotation_vector(const Mat3& rotation) {
    const Quat q = Quat::from(rotation);
    const Vec3 v{q.x, q.y, q.z};
    const double sine = norm(v);
    if (sine == 0) return {};
    const double angle = 2 * std::atan2(sine, std::abs(q.w));
    return (std::copysign(angle, q.w) / sine) * v;
}

Mat3 shortest_turn(Vec3 from, Vec3 to) {
    const Vec3 axis = cross(from, to);
    const double angle = std::atan2(norm(axis), dot(from, to));
    if (norm(axis) > 1e-12) return Quat::about(axis, angle).matrix();
    return dot(from, to) > 0 ? Mat3::identity() : Quat::about(any_perpendicular(from), pi).matrix();
}

namespace {

constexpr Vec3 unit_vectors[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// The gap B − A along e. If e is fixed in a, it turns with it.
GapRow along(Vec3 gap, Vec3 arm_a, Vec3 arm_b, Vec3 e, bool turns_with_a) {
    GapRow row{dot(gap, e), {-e, -cross(arm_a, e)}, {e, cross(arm_b, e)}, true};
    if (turns_with_a) row.a.turn += cross(e, gap);
    return row;
}

}  // namespace

JointGap::JointGap(const Joint& j, Vec3 center_a, Vec3 center_b)
    : place_(model::kind_of(j).place),
      arm_a_(j.at_a - center_a),
      arm_b_(j.at_b - center_b),
      axis_(j.axis),
      length_(j.length) {
    const auto same_frame = [&](const Mat3& a_to_b) {
        for (Vec3 e : unit_vectors) equal_.emplace_back(e, a_to_b * e);
    };
    switch (model::kind_of(j).turn) {
        case model::Turn::none:
            // No turn but the one that makes the axes parallel.
            same_frame(norm(j.axis) > 0 ? shortest_turn(j.axis, j.axis_b) : Mat3::identity());
            break;
        case model::Turn::about_axis: equal_.emplace_back(j.axis, j.axis_b); break;
        case model::Turn::crossed: perpendicular_.emplace_back(j.axis, j.axis_b); break;
        case model::Turn::any: break;
    }
}

void JointGap::append_rows(const Placement& a, const Placement& b, std::vector<GapRow>& out) const {
    const Vec3 arm_a = a.rotation * arm_a_, arm_b = b.rotation * arm_b_;
    const Vec3 gap = b.position + arm_b - a.position - arm_a;
    switch (place_) {
        case model::Place::anywhere: break;
        case model::Place::point:
            for (Vec3 e : unit_vectors) out.push_back(along(gap, arm_a, arm_b, e, false));
            break;
        case model::Place::line: {
            const Vec3 u = any_perpendicular(axis_);
            for (Vec3 e : {u, cross(axis_, u)})
                out.push_back(along(gap, arm_a, arm_b, a.rotation * e, true));
            break;
        }
        case model::Place::plane:
            out.push_back(along(gap, arm_a, arm_b, a.rotation * axis_, true));
            break;
        case model::Place::distance: {
            // Ends that meet may part in any direction.
            const double distance = norm(gap);
            const Vec3 e = distance > 1e-12 * length_ ? gap / distance : unit_vectors[0];
            GapRow row = along(gap, arm_a, arm_b, e, false);
            row.gap = distance - length_;
            out.push_back(row);
            break;
        }
    }
    for (const auto& [of_a, of_b] : equal_) {
        const Vec3 u = a.rotation * of_a, v = b.rotation * of_b;
        for (Vec3 e : unit_vectors)
            out.push_back({dot(v - u, e), {{}, -cross(u, e)}, {{}, cross(v, e)}, false});
    }
    for (const auto& [of_a, of_b] : perpendicular_) {
        const Vec3 u = a.rotation * of_a, v = b.rotation * of_b;
        out.push_back({dot(u, v), {{}, cross(u, v)}, {{}, cross(v, u)}, false});
    }
}

}  // namespace bristle::assembly
