// Where something rigid is, as the engine computes with it: world = position + rotation * local. (Users have Pose, whose
// orientation is a quaternion.)
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

namespace bristle::math {

struct Placement {
    Mat3 rotation = Mat3::identity();
    Vec3 position;
};

}  // namespace bristle::math
