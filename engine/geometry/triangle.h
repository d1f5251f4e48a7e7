// Points of triangles and segments nearest to something else.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace bristle::geometry {

// The point a + t (b − a), 0 ≤ t ≤ 1, nearest to p.
inline double nearest_on_segment(Vec3 a, Vec3 b, Vec3 p) {
    const Vec3 along = b - a;
    const double square = dot(along, along), t = dot(p - a, along);
    return !(t > 0) ? 0 : t >= square ? 1 : t / square;
}

// Where on a triangle: on its face, on edge k from corner k to corner k + 1, or at corner k.
struct TrianglePoint {
    enum class Part : uint8_t { face, edge, corner };
    Vec3 point;
    Part part = Part::face;
    int index = 0;  // k
};

// The triangle's point nearest to p. By the sides of the edges and the unit normal, not by barycentric
// coordinates: those divide by the area, and a sliver has none to speak of. The foot is on the
// face if it is on the inner side of all edges; otherwise it is on one of the edges it is beyond.
inline TrianglePoint nearest_on_triangle(const std::array<Vec3, 3>& corner, Vec3 normal, Vec3 p) {
    TrianglePoint nearest;
    double least = -1;
    for (int k = 0; k < 3; ++k) {
        const Vec3 a = corner[static_cast<size_t>(k)], b = corner[static_cast<size_t>((k + 1) % 3)];
        if (dot(cross(normal, b - a), p - a) >= 0) continue;
        const double t = nearest_on_segment(a, b, p);
        const Vec3 point = t == 1 ? b : a + t * (b - a);
        const double square = dot(p - point, p - point);
        if (least >= 0 && square >= least) continue;
        least = square;
        const bool is_corner = t == 0 || t == 1;
        nearest = {point, is_corner ? TrianglePoint::Part::corner : TrianglePoint::Part::edge,
                   t == 1 ? (k + 1) % 3 : k};
    }
    if (least < 0) nearest.point = p - dot(normal, p - corner[0]) * normal;
    return nearest;
}

// The points a + s (b − a) and c + t (d − c) of two segments nearest to each other; `is_parallel` if
// the sine of their angle is below 1e-7, where only one of the many pairs is given.
struct SegmentPair {
    double s = 0, t = 0;
    bool is_parallel = false;
};
inline SegmentPair nearest_of_segments(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 u = b - a, v = d - c, w = c - a;
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v);
    const Vec3 uxv = cross(u, v);
    const double sine2 = dot(uxv, uxv);
    SegmentPair pair;
    pair.is_parallel = !(sine2 > 1e-14 * uu * vv);
    pair.s = pair.is_parallel ? 0.5 : std::clamp(dot(cross(w, v), uxv) / sine2, 0.0, 1.0);
    pair.t = vv > 0 ? std::clamp((pair.s * uv - dot(w, v)) / vv, 0.0, 1.0) : 0;
    pair.s = uu > 0 ? std::clamp((pair.t * uv + dot(w, u)) / uu, 0.0, 1.0) : 0;
    return pair;
}

// Where a ray hits the triangle from either side, in lengths of its direction; negative if it does not. No
// ray slips through an edge or a corner between triangles: the corners are sheared so that the ray
// becomes an axis, each into the same two numbers for all its triangles, and the sign of
// ax·by − ay·bx is never wrong (rounding keeps the order of the products), at worst zero.
inline double ray_hits(std::array<Vec3, 3> corner, Vec3 normal, Vec3 origin, Vec3 direction) {
    const Vec3 size = {std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)};
    const int k = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double shear_i = direction[i] / direction[k], shear_j = direction[j] / direction[k];
    double x[3], y[3];
    for (size_t c = 0; c < 3; ++c) {
        const Vec3 p = corner[c] - origin;
        x[c] = p[i] - shear_i * p[k];
        y[c] = p[j] - shear_j * p[k];
    }
    const double u = x[0] * y[1] - y[0] * x[1], v = x[1] * y[2] - y[1] * x[2],
                 w = x[2] * y[0] - y[2] * x[0];
    if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))) return -1;
    const double slope = dot(normal, direction);
    return slope != 0 ? dot(normal, corner[0] - origin) / slope : -1;
}

}  // namespace bristle::geometry
