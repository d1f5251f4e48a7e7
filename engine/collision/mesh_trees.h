// The trees and solids of meshes, for the scenes of one world: each is made once, and lives as long as a scene uses it.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"

#include <map>
#include <memory>
#include <utility>

namespace bristle::geometry {
class PackedSolid;
class Solid;
class TriangleTree;
}  // namespace bristle::geometry
namespace bristle::collision {

class MeshTrees {
  public:
    std::shared_ptr<const TriangleTree> of(const std::shared_ptr<const TriangleMesh>&);
    // Throws InputError if the mesh is not closed.
    std::shared_ptr<const Solid> solid_of(const std::shared_ptr<const TriangleMesh>&);
    std::shared_ptr<const PackedSolid> packed(const std::shared_ptr<const TriangleMesh>&,
                                              uint32_t balls);

  private:
    std::map<const TriangleMesh*, std::weak_ptr<const TriangleTree>> trees_;
    std::map<const TriangleMesh*, std::weak_ptr<const Solid>> solids_;
    std::map<std::pair<const TriangleMesh*, uint32_t>, std::weak_ptr<const PackedSolid>> packed_;
};

}  // namespace bristle::collision
