// Questions about shapes, for users' own code: rays, nearest points, overlap.
//
// All are answered for one pair in the frames of the shapes; lists are gone through one by one, so
// whoever has many shapes sorts them out with far detection first.
//
// What solid means: a closed mesh and everything below a plane or height field is solid; an open mesh is a sheet
// with two sides. A height field ends at the border of its grid, and has no side walls.
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace bristle::collision {

struct Ray {
    Vec3 origin;
    Vec3 direction;                                          // of any length but zero
    double limit = std::numeric_limits<double>::infinity();  // m
};
struct RayHit {
    double distance = 0;  // m
    Vec3 point;
    Vec3 normal;                  // unit, against the ray
    uint32_t face = 0xffffffffu;  // of a mesh
    uint32_t collider = 0;        // index in the list
};
// The first point of the shape on the ray. A ray that starts inside hits at once, distance 0, and the
// normal is its direction reversed.
std::optional<RayHit> cast_ray(const Ray&, const Placed&);
std::optional<RayHit> cast_ray(const Ray&, std::span<const Placed>);

struct NearestPoint {
    double distance = 0;  // negative inside
    Vec3 point;           // of the surface
    Vec3 normal;          // unit, outward: where the distance grows fastest
    uint32_t face = 0xffffffffu;
};
// The surface point nearest to a point of the world; nothing if that is not finite. Of a height field the
// nearest within its grid.
std::optional<NearestPoint> nearest_point(Vec3 point, const Placed&);

struct NearestPoints {
    double distance = 0;  // negative: how deep
    Vec3 on_a, on_b;
    Vec3 normal;  // unit, from b to a
};
// Where two shapes are nearest to each other, or deepest in each other, if not farther than `limit`.
// Nothing for pairs that near detection does not know (scenery with scenery). As in contact, a surface of
// triangles is seen from its outer side only.
std::optional<NearestPoints> nearest_points(const Placed& a, const Placed& b, double limit);

// Appends the indices of those that overlap this shape.
void find_overlaps(const Placed&, std::span<const Placed>, std::vector<uint32_t>& out);
// The same for a box with its sides along the axes of the world.
void find_overlaps(const Aabb&, std::span<const Placed>, std::vector<uint32_t>& out);

}  // namespace bristle::collision
