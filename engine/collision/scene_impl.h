// What CollisionScene keeps, for the files that build it and detect with it.
#pragma once

#include "collision/far/far_detection.h"
#include "collision/near/planar.h"
#include "collision/scene.h"
#include "collision/volume/solids.h"
#include "geometry/convex_hull.h"
#include "geometry/triangle_tree.h"

#include <limits>
#include <map>
#include <optional>

namespace bristle::collision {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// What colliders point to, and the boxes of all of them.
struct CollisionScene::Store {
    std::vector<std::unique_ptr<ConvexHull>> hulls;
    std::vector<std::shared_ptr<const TriangleTree>> trees;
    struct FollowedField {
        uint32_t collider;
        std::shared_ptr<const state::LiveField> live;
        uint64_t bounds;  // that are known
    };
    std::vector<FollowedField> fields;
    std::vector<std::unique_ptr<HeightField>> fixed_fields;  // that nobody changes
    std::vector<FarObject> objects;
    std::vector<Aabb> local_box, box;
    std::vector<std::pair<uint32_t, uint32_t>> apart;      // owners that do not touch, sorted
    std::vector<std::pair<uint32_t, uint32_t>> untouched;  // bodies that do not, sorted
    FarDetection far;
    Solids solids;
    std::map<std::pair<uint32_t, uint32_t>, SphereOverlap> overlaps;  // of packed pairs

    // Of a planar model, and of every collider in it …
    std::optional<PlaneFrame> plane;
    std::vector<Outline> outlines;
    std::vector<double> heights;  // … how high the centre of its body is; none of scenery

    // Fills in what the collider is; its box in its own frame, infinite for a plane.
    Aabb set_shape(const Geometry&, MeshTrees&, SceneCollider&);
};

struct CollisionScene::Workspace {
    ContactPoints points, ends;
    Intersection intersection;
    HalfSpaceOverlap half_space;
    Patches patches;
};

// A contact found on the way, carried by its bodies to where the step ends.
void carry(ContactPoint&, const Placed& at_a, const Placed& at_b, const Placed& now_a,
           const Placed& now_b);

}  // namespace bristle::collision
