// Where a hand may take hold of a body: where it is seen, or near it.
#pragma once

#include "live/wire/input.h"
#include "live/wire/protocol.pb.h"

namespace bristle::live {

// Throws InputError for a point that is further outside the box of what is seen of the body, in its axes, than a quarter of the
// box's size: a hand there has a lever that turns the body and does not carry it.
void check_reach(const wire::Scene&, const Model&, const Grab&);

}  // namespace bristle::live
