// What a joint of each type leaves free: the one table that models, assembly, both solvers and reactions go by. A new
// type of joint is a row of it, where no new kind of place or turn is needed.
//
//   place     b's point is              turn        b against a
//   anywhere  free                      any         free
//   point     on a's point              crossed     b's axis stays perpendicular to a's
//   line      on a's axis               about_axis  about the axis they have in common
//   plane     on the plane across it    none        as they start
//   distance  as far away as it starts
#pragma once

#include <bristle/model.h>

#include <cmath>

namespace bristle::model {

enum class Place : uint8_t { anywhere, point, line, plane, distance };
enum class Turn : uint8_t { any, crossed, about_axis, none };
// The single number that drives, limits, springs and gears act on.
enum class CoordinateKind : uint8_t { none, angle, displacement, length, swing };

struct JointKind {
    const char* name;
    Place place;
    Turn turn;
    CoordinateKind coordinate = CoordinateKind::none;
    bool is_screw = false;  // the displacement follows the angle

    bool has_angle() const { return turn == Turn::about_axis; }
};

inline constexpr JointKind joint_kinds[] = {
    // In the order of JointType.
    {"fixed", Place::point, Turn::none},
    {"revolute", Place::point, Turn::about_axis, CoordinateKind::angle},
    {"prismatic", Place::line, Turn::none, CoordinateKind::displacement},
    {"cylindrical", Place::line, Turn::about_axis, CoordinateKind::displacement},
    {"spherical", Place::point, Turn::any},
    {"universal", Place::point, Turn::crossed},
    {"planar", Place::plane, Turn::about_axis},
    {"point on line", Place::line, Turn::any},
    {"point on plane", Place::plane, Turn::any},
    {"distance", Place::distance, Turn::any, CoordinateKind::length},
    {"screw", Place::line, Turn::about_axis, CoordinateKind::displacement, true},
    {"gear", Place::anywhere, Turn::any},  // between joints, not bodies
    {"turn gauge", Place::anywhere, Turn::any, CoordinateKind::angle},
    {"swing gauge", Place::anywhere, Turn::any, CoordinateKind::swing},
    {"slide gauge", Place::anywhere, Turn::any, CoordinateKind::displacement},
};
static_assert(std::size(joint_kinds) == static_cast<size_t>(JointType::slide_gauge) + 1);

constexpr const JointKind& kind_of(JointType type) {
    return joint_kinds[static_cast<size_t>(type)];
}
inline const JointKind& kind_of(const Joint& joint) { return kind_of(joint.type); }
inline bool is_gear(const Joint& joint) { return joint.type == JointType::gear; }
inline bool is_gauge(const Joint& joint) { return joint.type > JointType::gear; }
// Whether it holds two bodies to each other.
inline bool joins_bodies(const Joint& joint) { return !is_gear(joint) && !is_gauge(joint); }
// Of a joint that has a coordinate: an angle, in radians.
inline bool is_angular(const Joint& joint) {
    const CoordinateKind kind = kind_of(joint).coordinate;
    return kind == CoordinateKind::angle || kind == CoordinateKind::swing;
}
inline bool is_weld(const Joint& joint) { return joint.type == JointType::fixed; }

// Of a turn gauge, with unit vectors as they are now: what a turn of b against a is worth along it. The azimuth φ of the
// mark m about the axis c has φ̇ = ω·(c − (c·m) m) / (1 − (c·m)²).
inline Vec3 turn_direction(Vec3 axis, Vec3 mark) {
    const double along = dot(axis, mark), square = 1 - along * along;
    // A mark on the axis has no azimuth: no effort, rather than a NaN.
    return square > 1e-12 ? (axis - along * mark) / square : Vec3{};
}
// Of a swing gauge: the direction about which b's axis leaves a's.
inline Vec3 swing_direction(Vec3 axis, Vec3 axis_b) {
    const Vec3 about = cross(axis, axis_b);
    const double sine = norm(about);
    return sine > 1e-9 ? about / sine : Vec3{};
}
inline double swing_angle(Vec3 axis, Vec3 axis_b) {
    return std::atan2(norm(cross(axis, axis_b)), dot(axis, axis_b));
}
// Of a turn gauge where it starts: the direction of a from which the azimuth is counted.
inline Vec3 start_mark(const Joint& gauge) {
    return normalized(gauge.axis_b - dot(gauge.axis, gauge.axis_b) * gauge.axis);
}

}  // namespace bristle::model
