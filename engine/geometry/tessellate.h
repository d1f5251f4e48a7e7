// Geometry as triangles: for pictures, and as solids where volumes count.
//
// Curved surfaces have their corners where the mesh has the same volume as the shape: a cylinder of N sides is as wide
// as a circle of the same area, R √((2π/N)/sin(2π/N)); balls, capsules and tori are scaled likewise in their
// cross-sections. Flat faces are where they are. Closed but for planes, which give nothing, and height fields, of which
// only the surface is given. Parts of a compound follow each other.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

namespace bristle::geometry {

inline constexpr int default_sides = 64;

// `sides` round a circle, a multiple of 4.
TriangleMesh tessellated(const Geometry&, int sides = default_sides);

}  // namespace bristle::geometry
