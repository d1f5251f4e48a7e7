// Frames of rigid groups at some position, four lanes wide.
#pragma once

#include "math/simd.h"

#include <cmath>

namespace bristle::lagrange {

// A Placement four lanes wide, of a rigid group; the ground's stands still.
struct WidePlacement {
    Vec4 origin;
    Vec4 axis[3];
};

inline Vec4 combine(const WidePlacement& f, Vec4 w) {
    return fma(w[0], f.axis[0], fma(w[1], f.axis[1], w[2] * f.axis[2]));
}
inline Vec4 point_of(const WidePlacement& f, Vec4 w) { return f.origin + combine(f, w); }
inline Vec4 coordinates(const WidePlacement& f, Vec4 direction) {
    return Vec4{dot(f.axis[0], direction), dot(f.axis[1], direction), dot(f.axis[2], direction), 0};
}
// (1, w): what the coefficients of a coupling are multiplied with.
inline Vec4 homogeneous(Vec4 w) { return Vec4{1, w[0], w[1], w[2]}; }

inline Vec3 in_plane(Vec3 v, Vec3 normal) { return v - dot(normal, v) * normal; }
inline Mat3 in_plane(const Mat3& m, Vec3 normal) {
    const Mat3 t = Mat3::identity() - Mat3::outer(normal, normal);
    return t * m * t;
}

}  // namespace bristle::lagrange
