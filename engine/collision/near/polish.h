// The last digits of a direction of smallest penetration between cores one of which is a cylinder.
//
// A polytope approaches a curved surface as the square of its facets: 1e-10 in depth is 1e-5 in the normal.
// Here h(u) is minimized itself, by what is known about its shape. Where A − B is locally
//
//     flat                  (a face, a line times an edge)           u is known: across two lines
//     bent in one direction (the side over a corner, a rim along an edge)    u turns about one line
//     bent in two           (a rim on a rim)                         u is free
//
// the lines are the differences of the polytope's last corners on each shape, rims left out.
#pragma once

#include "collision/near/epa.h"

namespace bristle::collision {

void polish_direction(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                      EpaResult&);

// Where the two touch, by GJK between the cores moved apart along the result: the points are the same, and
// there is no difficulty in finding them. `known` if there should be one all the same.
DifferencePoint touching_points(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                                double scale, const EpaResult&, const DifferencePoint& known);

}  // namespace bristle::collision
