// What is wrong with a mesh, as far as it decides whether the mesh can be used.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

namespace bristle::geometry {

// All that `check` looks at but triangles that pass through each other: those forbid nothing, and finding them is most of
// the work.
MeshReport check_topology(const TriangleMesh&);

}  // namespace bristle::geometry
