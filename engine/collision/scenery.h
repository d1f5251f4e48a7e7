// Rays against what never moves, for forces that feel the ground: without allocation, and whoever else takes part in collision.
#pragma once

#include <bristle/stateful.h>

#include "collision/scene.h"

#include <memory>
#include <vector>

namespace bristle::collision {

class GroundScenery final : public Scenery {
  public:
    GroundScenery(const Model&, MeshTrees&, const state::LiveFields& fields = {});
    // Before rays are cast: height fields may have changed.
    void refresh();
    std::optional<SceneryHit> cast_ray(Vec3 origin, Vec3 direction, double length) const override;

  private:
    CollisionScene scene_;  // keeps what is placed
    struct Piece {
        uint32_t collider;
        Placed placed;
        Vec3 center;    // of a ball around it, in the world
        double radius;  // infinite for a plane
    };
    void place(Piece&) const;
    std::vector<Piece> pieces_;
    std::vector<Placement> standing_;
};

// What points of stateful forces feel; none if there are none.
std::shared_ptr<GroundScenery> scenery_of(const Model&, MeshTrees&, const state::LiveFields&);

}  // namespace bristle::collision
