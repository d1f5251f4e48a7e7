// Near detection: where exactly do two shapes touch?
//
// `collide` looks up the pair in a table (near.cpp) that lists every combination of kinds. All
// functions append the contacts whose depth is at least −margin, and none if there is none; a pair may
// give several points (a face on a face up to four, kept apart by `feature`).
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"

namespace bristle::collision {

void collide(const Placed& a, const Placed& b, double margin, ContactPoints& out);

}  // namespace bristle::collision
