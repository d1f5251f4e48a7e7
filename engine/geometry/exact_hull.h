// The convex hull of points on an integer grid, in triangles and without a rounding error.
//
// Quickhull: a triangle keeps the points it sees (that are strictly outside its plane); the farthest of
// them is made a vertex, the triangles it sees are removed and their border, the horizon, is joined to it.
// In exact arithmetic this needs no care for degenerate input. A point in the plane of a triangle but
// not on the hull is strictly seen by another one; what a point strictly sees is a disc; and a horizon
// edge never lies on a line with the point, or the triangle behind it would not have been seen. Faces
// with more than three corners come out as several triangles in one plane.
#pragma once

#include "base/rooms.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

// Each at most exact_hull_limit in size, so that all that is computed fits 127 bits.
using GridPoint = std::array<int64_t, 3>;
inline constexpr int64_t exact_hull_limit = int64_t{1} << 40;

struct HullTriangle {
    std::array<uint32_t, 3> vertex;    // counter-clockwise seen from outside
    std::array<uint32_t, 3> neighbor;  // across the edge from vertex[i] to vertex[i + 1]
};

// Four points that are not in a plane, far apart; `height` is the distance of the last one from the plane
// of the first three, and at least that of all others. Height 0 if all points are in a plane.
struct Simplex {
    std::array<uint32_t, 4> vertex{};
    double height = 0;  // grid cells
};
Simplex large_simplex(std::span<const GridPoint> points);

// The points must be distinct, the simplex must have a height.
std::vector<HullTriangle> exact_hull(std::span<const GridPoint> points, const Simplex& start);

}  // namespace bristle::geometry
