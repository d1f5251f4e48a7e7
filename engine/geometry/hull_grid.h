// The points of a convex hull on the integer grid on which exact_hull.h decides.
//
// Rounding is for the decisions only; who asks goes on with the points as they came, by their numbers.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"
#include "geometry/exact_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

struct PointExtent {
    Vec3 center;
    double half;     // of the longest side of the box around the points
    double noise;    // what rounding has done to the coordinates
    int grid_power;  // one grid cell is 2^-grid_power metres
};

// Throws InputError if there are fewer than four points, one is not finite, or all are in one place.
PointExtent extent_of(std::span<const Vec3> points);

// Some of the points, by their numbers, and their places on the grid, no place twice.
struct GridSet {
    std::vector<uint32_t> index;
    std::vector<GridPoint> place;
};

GridSet on_grid(std::span<const Vec3> points, std::span<const uint32_t> chosen,
                const PointExtent& extent);

// The exact hull, its vertices renumbered to those of the input.
std::vector<HullTriangle> hull_triangles(const GridSet& set, const Simplex& simplex);

// The vertices of a hull, in order; of those nearer to each other than the tolerance one.
std::vector<uint32_t> without_near_twins(std::span<const Vec3> points,
                                         std::span<const HullTriangle> triangles, double tolerance);

}  // namespace bristle::geometry
