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

namespace bristle::model {

enum class Place : uint8_t { anywhere, point, line, plane, distance };
enum class Turn : uint8_t { any, crossed, about_axis, none };
// The single number that drives, limits, springs and gears act on.
enum class CoordinateKind : uint8_t { none, angle, displacement, length };

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
};
static_assert(std::size(joint_kinds) == static_cast<size_t>(JointType::gear) + 1);

constexpr const JointKind& kind_of(JointType type) {
    return joint_kinds[static_cast<size_t>(type)];
}
inline const JointKind& kind_of(const Joint& joint) { return kind_of(joint.type); }
inline bool is_gear(const Joint& joint) { return joint.type == JointType::gear; }
inline bool is_weld(const Joint& joint) { return joint.type == JointType::fixed; }

}  // namespace bristle::model
