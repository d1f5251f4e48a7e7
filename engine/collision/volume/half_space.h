// What a plane has below it, as one of two solids.
#pragma once

#include <bristle/math.h>

namespace bristle::collision {

// All x with normal · x ≤ offset, in the world. The normal is unit.
struct HalfSpace {
    Vec3 normal;
    double offset = 0;
};

}  // namespace bristle::collision
