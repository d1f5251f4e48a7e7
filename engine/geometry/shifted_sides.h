// Sides and crossings of points, edges and triangles of two solids, one of which is shifted infinitesimally.
//
// The shift by (ε, ε², ε³) leaves no ties. With N = (t₁ − t₀) × (t₂ − t₀) a point p has
//
//     orient(t₀, t₁, t₂, p) = −N · (p − t₀)           changes by −N · δ if p is shifted by δ
//     orient(p₀, p₁, q₀, q₁) = −(p₀ − q₁) · (u × w)   changes by  (u × w) · δ if q is; u = p₁ − p₀, w = q₁ − q₀
//
// and the first component of N, or of u × w, that is not zero decides where the determinant is. N is zero for no
// triangle of a solid, and u × w is asked only for edges of which one passes through the other's plane.
#pragma once

#include "base/rooms.h"
#include "geometry/predicates.h"

namespace bristle::geometry {

// +1 if the second named is shifted against the first, −1 if the first against the second.
enum class Shift : int8_t { second = 1, first = -1 };

inline Shift operator-(Shift s) { return s == Shift::second ? Shift::first : Shift::second; }

struct Side {
    double value;      // the determinant, with its exact sign
    bool is_positive;  // after the shift
};

inline bool first_sign(Vec3 n, double factor) {
    const double decisive = n.x != 0 ? n.x : n.y != 0 ? n.y : n.z;
    return factor * decisive > 0;
}

// Positive: the point is below the triangle, on its inner side.
inline Side side_of(const Vec3 (&triangle)[3], Vec3 point, Shift shift) {
    // The point changes places with a corner: so the differences are the triangle's edges, and a small triangle's
    // distance from a far point keeps its digits.
    const double value = -orient(point, triangle[1], triangle[2], triangle[0]);
    if (value != 0) return {value, value > 0};
    return {0, first_sign(exact_normal(triangle[0], triangle[1], triangle[2]),
                          -static_cast<double>(shift))};
}

// Of edge p against edge q.
inline bool passes(Vec3 p0, Vec3 p1, Vec3 q0, Vec3 q1, Shift shift) {
    const double value = orient(p0, p1, q0, q1);
    if (value != 0) return value > 0;
    return first_sign(exact_cross(p0, p1, q0, q1), static_cast<double>(shift));
}

// Does the way from `from` to `to` pass through the triangle? 1 if it comes out of the solid there, −1 if it goes in.
inline int passage(const Vec3 (&triangle)[3], Vec3 from, Vec3 to, Shift shift) {
    const bool below = side_of(triangle, from, shift).is_positive;
    if (below == side_of(triangle, to, shift).is_positive) return 0;
    const bool first = passes(triangle[0], triangle[1], from, to, shift);
    const bool is_hit = first == passes(triangle[1], triangle[2], from, to, shift)
                     && first == passes(triangle[2], triangle[0], from, to, shift);
    return !is_hit ? 0 : below ? 1 : -1;
}

}  // namespace bristle::geometry
