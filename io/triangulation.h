// Delaunay's triangulation of points in the plane: no circle through the corners of a triangle has another point inside it.
//
// Points are taken in the order of x, then y, so that each lies outside of the convex hull of those before it: it is joined
// to the edges of the hull that it sees, and edges are flipped until the circles are empty. Which side of a line a point is
// on is answered exactly, so that the triangles never overlap and leave no gaps, whatever the points are (grids, lines, near
// copies). Whether a circle is empty is answered in floating point, and an edge is flipped only where rounding cannot be the
// reason: every flip then makes the circles smaller and the flips end. Of four points on a circle either diagonal will do.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle::io {

struct Point2 {
    double x, y;
    auto operator<=>(const Point2&) const = default;
};

struct Triangulation {
    std::vector<std::array<uint32_t, 3>>
        triangles;               // counter-clockwise; none if all points are on a line
    std::vector<uint32_t> hull;  // around, counter-clockwise; also points on its straight sides
};

// No two points at the same place; sizes below 1e90.
Triangulation delaunay(std::span<const Point2> points);

// Positive if c is to the left of the line from a to b: with its exact sign.
double turn(Point2 a, Point2 b, Point2 c);

}  // namespace bristle::io
