// Polygons with holes, cut into triangles by their corners alone.
//
// Ears are clipped: a corner that turns left and has no other corner in its triangle. Holes are joined to what is around
// them first, by a bridge that is run both ways. Where rounding leaves no ear the sharpest corner is taken instead, so that
// the result always has the polygon's border, every edge of it once, whatever the input.
#pragma once

#include "math/vec2.h"

#include <array>
#include <cstdint>
#include <vector>

namespace bristle::collision {

// Loops of corners, counter-clockwise round the polygon and clockwise round its holes; `at` gives their places in the
// plane. Triangles name corners as the loops do.
std::vector<std::array<uint32_t, 3>> triangulated(const std::vector<std::vector<uint32_t>>& loops,
                                                  const std::vector<Vec2>& at);

}  // namespace bristle::collision
