// On which side of a plane is a point? Answered exactly, for doubles as they are.
//
//     orient(a, b, c, d) = (a − d) · ((b − d) × (c − d))        positive if d sees a, b, c clockwise:
//                                                               d is below the plane of a counter-clockwise
//                                                               triangle, on its inner side
//
// The plain formula is taken where its rounding cannot change the sign; else the determinant is summed up
// without any rounding, as an expansion of doubles that do not overlap. What is returned has the exact sign, and is
// zero only for points that are in one plane.
//
// Coordinates must be below 1e90 in size, and differences that are not zero above 1e-90, so that products of three neither
// overflow nor underflow.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

namespace bristle::geometry {

double exact_orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
inline double orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    // Products of three differences, each with a rounding of its own.
    constexpr double rounding = 0x1p-53, bound = (7 + 56 * rounding) * rounding;
    const Vec3 u = a - d, v = b - d, w = c - d;
    const double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z, xy = v.x * w.y,
                 yx = v.y * w.x;
    const double plain = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
    const double size = std::abs(u.x) * (std::abs(yz) + std::abs(zy))
                      + std::abs(u.y) * (std::abs(zx) + std::abs(xz))
                      + std::abs(u.z) * (std::abs(xy) + std::abs(yx));
    // Where no product is left there is nothing to be wrong about: faces along the axes, mostly.
    if (std::abs(plain) > bound * size || size == 0) return plain;
    return exact_orient(a, b, c, d);
}
// (b − a) × (c − a), each component with its exact sign.
Vec3 exact_normal(Vec3 a, Vec3 b, Vec3 c);
// (b − a) × (d − c), likewise.
Vec3 exact_cross(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

}  // namespace bristle::geometry
