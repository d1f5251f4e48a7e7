// How deep two convex cores are in each other (van den Bergh's expanding polytope).
//
// A polytope P inside D = A − B grows towards D's boundary where that is nearest to the origin: the
// face of P with the smallest plane distance s is pushed out by the point of D farthest along its
// normal u, until that gains nothing. Then s ≤ depth ≤ h(u), and the two agree.
//
// Distances are signed, so P need not contain the origin: a face that has it outside is only the
// first to be pushed out. So P starts from any four points of D that span a volume, and two cores that
// just touch, or are apart by a rounding, need no case of their own: the result is the plane between them.
// The result's depth is h(u) itself: moving a by that much along the normal always separates.
//
// P does not tell well where the two touch: its faces are triangles of the polygons of D, and slivers
// of large shapes. See polish.h.
#pragma once

#include "collision/near/gjk.h"

#include <array>

namespace bristle::collision {

struct EpaResult {
    Vec3 outward;  // u: unit, from a to b
    double depth = 0;
    std::array<DifferencePoint, 3> corners;  // of the face it is on
    // False if there were too many directions alike, as around two cylinders with one axis.
    bool is_settled = false;
};
// `curvature_radius`: of what is curved in the cores, which is approached to 1e-10 of it: see polish.h.
// If D has no volume the depth is zero, across it.
EpaResult epa(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose, double scale,
              double curvature_radius);

}  // namespace bristle::collision
