// A shape as collision sees it: one primitive, its constants ready for use.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace bristle::geometry {

class ConvexHull;    // geometry/convex_hull.h
class TriangleTree;  // geometry/triangle_tree.h

struct Aabb {
    Vec3 low, high;
};
// Around a box with half edges `half` that is turned, and a margin.
inline Aabb box_around(Vec3 center, const Mat3& rotation, Vec3 half, double margin = 0) {
    Vec3 extent;
    for (int k = 0; k < 3; ++k)
        extent[k] = std::abs(rotation(k, 0)) * half.x + std::abs(rotation(k, 1)) * half.y
                  + std::abs(rotation(k, 2)) * half.z + margin;
    return {center - extent, center + extent};
}
// Whether a ball reaches into a box.
inline bool reaches(Vec3 center, double radius, const Aabb& box) {
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double beyond = std::max({0.0, box.low[k] - center[k], center[k] - box.high[k]});
        square += beyond * beyond;
    }
    return square <= radius * radius;
}

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
