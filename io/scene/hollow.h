// Hollow things that are touched from inside as well: closed meshes of a pipe and of a bowl.
//
// A polygon stands for each circle, of the same area, so that masses are right and balls roll at the right radius in the mean;
// between its corners the wall is off by r (1 − cos(π/n)), 0.1 % of the radius for 64 of them.
#pragma once

#include <bristle/shape.h>

#include <cstdint>

namespace bristle::io {

// Along z, centred, open at both ends. `radius` is that of the inside.
TriangleMesh pipe_mesh(double radius, double thickness, double length, uint32_t segments);

// Half of a hollow ball below z = 0, open above; the centre is that of the ball.
TriangleMesh bowl_mesh(double radius, double thickness, uint32_t segments);

}  // namespace bristle::io
