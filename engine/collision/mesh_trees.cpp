#include "collision/mesh_trees.h"

#include "geometry/packed_solid.h"
#include "geometry/solid.h"
#include "geometry/triangle_tree.h"

namespace bristle::collision {

std::shared_ptr<const TriangleTree> MeshTrees::of(
    const std::shared_ptr<const TriangleMesh>& surface) {
    std::weak_ptr<const TriangleTree>& known = trees_[surface.get()];
    auto tree = known.lock();
    if (!tree) known = tree = std::make_shared<const TriangleTree>(surface);
    return tree;
}

std::shared_ptr<const Solid> MeshTrees::solid_of(
    const std::shared_ptr<const TriangleMesh>& surface) {
    std::weak_ptr<const Solid>& known = solids_[surface.get()];
    auto solid = known.lock();
    if (!solid) known = solid = std::make_shared<const Solid>(surface);
    return solid;
}

std::shared_ptr<const PackedSolid> MeshTrees::packed(
    const std::shared_ptr<const TriangleMesh>& surface, uint32_t balls) {
    std::weak_ptr<const PackedSolid>& known = packed_[{surface.get(), balls}];
    auto solid = known.lock();
    if (!solid) known = solid = std::make_shared<const PackedSolid>(*of(surface), balls);
    return solid;
}

}  // namespace bristle::collision
