// From one deepest point to all the points where two convex shapes touch.
//
// Given the normal, a face of one shape (the reference, the one that looks more along the normal) is
// laid over what the other has there (a face, a line, or nothing better than the deepest point), seen
// along the normal; the corners of the overlap within the margin are contacts. A line on a nearly
// parallel line gives two points. Every contact has the same normal, and none is deeper than the
// translation along it that separates the two; the deepest point itself is added if no corner is as
// deep, so it is always among the contacts.
#pragma once

#include "collision/near/convex.h"

namespace bristle::collision {

// `deepest` is what `convex_distance` says about the cores of a and b.
void add_manifold(const Placed& a, const Placed& b, const RelativePose& pose,
                  const ConvexDistance& deepest, double margin, ContactPoints& out);
// Only the overlap; false, and nothing added, if no corner of it is as deep as the deepest point
// should be. Of `deepest` only the distance and the normal are used.
bool add_overlap(const Placed& a, const Placed& b, const RelativePose& pose,
                 const ConvexDistance& deepest, double margin, ContactPoints& out);

}  // namespace bristle::collision
