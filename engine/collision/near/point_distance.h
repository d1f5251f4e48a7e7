// Signed distance of a point from a solid shape, in the frame of the shape and in closed form.
//
// Outside it is the distance from the nearest point; inside, less the distance from the nearest point of
// the surface. A convex polyhedron is gone through face by face: exact, and for the tens of faces that
// collision has, as fast as an iteration.
#pragma once

#include "geometry/collider.h"

namespace bristle::collision {

struct PointDistance {
    double distance = 0;  // negative inside
    Vec3 point;           // of the surface
    Vec3 normal;          // unit, outward: where the distance grows fastest
};

// Of a sphere, capsule, box, cylinder, convex polyhedron, torus or plane.
PointDistance distance_from(const Collider&, Vec3 point);

}  // namespace bristle::collision
