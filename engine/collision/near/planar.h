// Near detection in the plane: exact tests of outlines (spec C3, GRI 3).
//
//     circle, segment   the nearest point of a corner or edge, by Voronoi regions
//     polygon           the edge that separates most; the other's edge over there is clipped against it
//     half-plane        the edge that looks most into it
//
// A pair touches in two points at most. Let s be the largest separation of the two cores over all edge
// normals of both. If the cores overlap, −s is the depth: the edges of the Minkowski difference are those
// of the two. If they are apart, s is the distance where a corner lies over the edge that shows it;
// otherwise two corners are nearest to each other, and they are looked for one by one.
//
// Contacts are records as in space (contact_point.h), those with depth ≥ −margin. They are known again by
// the two edges that touch and the end of their overlap, whichever edge was clipped against which.
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"
#include "geometry/outline.h"

namespace bristle::collision {

// An outline somewhere in the plane.
struct FlatPlaced {
    const Outline* outline;
    Vec2 position;
    Vec2 direction;  // of its x axis

    Vec2 turn(Vec2 v) const { return v.x * direction + v.y * left_of(direction); }
    Vec2 turn_back(Vec2 v) const { return {dot(direction, v), dot(left_of(direction), v)}; }
};
FlatPlaced flattened(const Outline&, const Placed&, const PlaneFrame&);

// `height`: along the normal of the plane, where the contacts are put.
void collide_flat(const FlatPlaced& a, const FlatPlaced& b, const PlaneFrame&, double height,
                  double margin, ContactPoints& out);

}  // namespace bristle::collision
