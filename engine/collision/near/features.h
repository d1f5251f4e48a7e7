// The faces, edges and corners with which a convex core can touch, in its own frame.
#pragma once

#include "collision/near/convex.h"

namespace bristle::collision {

// The face that looks most in a direction. `alignment` is the cosine; 0 if the core has no faces.
struct FaceChoice {
    double alignment = 0;
    Vec3 normal;
    uint32_t index = 0;
};
FaceChoice best_face(const ConvexCore&, Vec3 direction);

// How finely the rim of a cylinder is drawn: 4 corners on its x and y axes, or those and 12 more.
enum class RimDetail : uint8_t { coarse = 4, fine = 16 };
// Counter-clockwise seen from outside.
void add_face(const ConvexCore&, const FaceChoice&, RimDetail, Polygon&);

// The edge, axis or side line nearest to perpendicular to the direction, if the sine is below
// `slope`; as two corners.
bool add_line(const ConvexCore&, Vec3 direction, double slope, Polygon&);

// How far the surface is from a point of the core's line, going in the (unit) direction.
double ball_along(const ConvexCore&, Vec3 on_line, Vec3 direction);

// What the surface is like where a plane with this normal (outward, unit) touches it.
struct SupportFeature {
    enum class Kind : uint8_t { face, edge, corner, round };
    Kind kind = Kind::corner;
    Curvature curvature;
    uint32_t name = 0;  // below 2¹⁵
};
SupportFeature support_feature(const ConvexCore&, Vec3 direction);

}  // namespace bristle::collision
