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

namespace bristle {

double orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
// (b − a) × (c − a), each component with its exact sign.
Vec3 exact_normal(Vec3 a, Vec3 b, Vec3 c);
// (b − a) × (d − c), likewise.
Vec3 exact_cross(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

}  // namespace bristle
