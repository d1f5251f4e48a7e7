// A shape as collision sees it: one primitive, its constants ready for use.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

#include <cstdint>
#include <limits>

namespace bristle::geometry {

class ConvexHull;    // geometry/convex_hull.h
class TriangleTree;  // geometry/triangle_tree.h

struct Aabb {
    Vec3 low, high;
};

enum class ColliderKind : uint8_t {
    sphere,
    capsule,
    box,
    cylinder,
    convex,
    torus,
    plane,
    height_field,
    mesh
};
inline constexpr int collider_kinds = 9;

struct Collider {
    ColliderKind kind;
    Vec3 half;                           // of a box
    double radius = 0, half_length = 0;  // sphere, capsule, cylinder; radius of a torus
    double tube = 0;                     // of a torus
    bool is_half_torus = false;          // y ≥ 0
    const ConvexHull* hull = nullptr;
    const HeightField* field = nullptr;
    double top = std::numeric_limits<double>::infinity();  // no height of the field is above
    const TriangleTree* tree = nullptr;
};

// A collider somewhere: world = position + rotation * local.
struct Placed {
    const Collider* collider;
    Mat3 rotation;
    Vec3 position;

    Vec3 to_world(Vec3 local) const { return position + rotation * local; }
    Vec3 to_local(Vec3 world) const { return rotation.transposed() * (world - position); }
};

}  // namespace bristle::geometry
