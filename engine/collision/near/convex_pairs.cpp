#include "collision/near/manifold.h"
#include "collision/near/pairs.h"

namespace bristle::collision {

void collide_convex_shapes(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const ConvexCore core_a = ConvexCore::of(*a.collider), core_b = ConvexCore::of(*b.collider);
    const RelativePose pose(a, b);
    const ConvexDistance deepest =
        convex_distance(core_a, core_b, pose, margin + core_a.ball + core_b.ball);
    if (deepest.is_near) add_manifold(a, b, pose, deepest, margin, out);
}

}  // namespace bristle::collision
