// Pairs of a mesh's own triangles that pass through each other.
//
// Two triangles cross if they have more in common than the vertices they share; vertices at one place count
// as shared. So lying on each other in one plane is a crossing, and so is a vertex that touches a face. All by exact
// signs, over a tree of boxes: n log n for surfaces.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

struct MeshCrossing {
    uint32_t first, second;  // triangles
    Vec3 place;              // one point of both, rounded
};

// Among these triangles, of which all corners are finite; those without any area cross nothing. At most so many, sorted.
std::vector<MeshCrossing> crossings_within(const TriangleMesh&, std::span<const uint32_t> triangles,
                                           size_t most);

}  // namespace bristle::geometry
