// The triangles of an exact hull merged to faces: convex polygons, flat to within a tolerance.
//
// Why and by which rules: convex_hull.h.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"
#include "geometry/exact_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

// A face while the hull is built; the loop names points of the input.
struct HullPolygon {
    Vec3 normal;
    double offset;
    std::vector<uint32_t> loop;
};

// Faces that close a polyhedron. `origin` is near the points, `cell` the grid's: below a few of those the
// triangles themselves are not known any better.
std::vector<HullPolygon> merged_faces(std::span<const Vec3> points,
                                      std::span<const HullTriangle> triangles, Vec3 origin,
                                      double tolerance, double cell);

}  // namespace bristle::geometry
