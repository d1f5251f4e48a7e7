// What the methods of far detection work on: the engine's own.
#pragma once

#include "collision/far/far_types.h"

namespace bristle::bench {

using collision::can_pair, collision::center_of, collision::clamped, collision::hits,
    collision::is_ordinary;
using collision::FarObject, collision::FarPair, collision::FarRay, collision::FarView,
    collision::FoundPairs;
using collision::nothing, collision::overlap, collision::united;

}  // namespace bristle::bench
