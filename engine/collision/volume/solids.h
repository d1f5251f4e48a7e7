// Which colliders are solids, and where two of them overlap.
//
// A collider is made a solid if its material has a volumetric law with another's, or if it is a closed mesh that could
// meet another mesh: two meshes touch in regions whatever their law. Boxes and the like are tessellated. A plane is, for
// each of its partners, a box under it, wide enough that the partner never sees another face.
//
// A mesh that asks for it is packed with balls. So is then, as finely, what it could meet: balls meet balls, or a plane. A sphere
// is a ball itself: with another, or with a plane, it shares a lens or a cap in closed form. (As a mesh of 64 sides a ball on a plane
// sank 16 % less than it should: its facets are flatter than what is pressed in.)
#pragma once

#include <bristle/model.h>

#include "collision/contact_point.h"
#include "collision/volume/half_space_overlap.h"
#include "collision/volume/intersection.h"
#include "collision/volume/sphere_overlap.h"
#include "geometry/collider.h"

#include <memory>
#include <span>
#include <vector>

namespace bristle::collision {

struct SceneCollider;
class MeshTrees;

class Solids {
  public:
    // Colliders in order, and what each was made of.
    void build(const Model&, std::span<const SceneCollider> colliders,
               std::span<const Geometry* const> geometry, MeshTrees&);

    bool is_empty() const { return is_empty_; }
    // Does the law of these two count volumes?
    bool is_volumetric(uint32_t a, uint32_t b) const;
    // Or do they touch in regions because they are meshes?
    bool are_meshes(uint32_t a, uint32_t b) const;
    // Do they meet by the balls packed into them? Two that nobody asked to be packed meet as they are, whatever else they could meet.
    bool are_packed(uint32_t a, uint32_t b) const;
    // Appends the regions they share, by their surfaces or by their balls.
    void find(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b, Intersection&,
              Patches&) const;
    void find(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b, SphereOverlap&,
              Patches&) const;
    // One of them being a plane.
    bool is_plane(uint32_t collider) const { return is_plane_[collider] != 0; }
    void find(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b, HalfSpaceOverlap&,
              Patches&) const;

  private:
    struct Part {
        const Solid* solid;
        Placement at;
    };
    void pack(std::span<const SceneCollider>, std::span<const Geometry* const>, MeshTrees&);
    Part part(uint32_t collider, const Placed& at, uint32_t partner,
              const Placed& partner_at) const;
    bool are_balls(uint32_t a, uint32_t b) const;

    bool is_empty_ = true;
    std::vector<std::shared_ptr<const Solid>> solid_;
    std::vector<std::shared_ptr<const Solid>>
        under_;  // of every collider: the box that stands for a plane
    std::vector<std::shared_ptr<const PackedSolid>> packed_;
    std::vector<std::shared_ptr<const PackedSolid>> ball_;  // of a sphere: itself
    std::vector<Vec3> bound_center_;
    std::vector<uint8_t> is_plane_, is_mesh_, asks_for_balls_;
    std::vector<uint8_t> volumetric_;  // pairs of materials
    std::vector<std::vector<uint32_t>> materials_;
    size_t material_count_ = 0;
};

// A region as it was when the step began, where its bodies have gone: it goes with b, and its thickness changes by how far
// a has moved from b. Its volume may be negative then: a gap.
void carry(ContactPatch&, const Placed& before_a, const Placed& before_b, const Placed& now_a,
           const Placed& now_b);

// The region as points: four corners of its contour, as deep as its thickness there.
// They are the farthest in four directions that are fixed to b, so that each keeps its feature while the region moves.
void points_of(const ContactPatch&, const ContourSegment* contour, const Mat3& axes_of_b,
               ContactPoints& out);

}  // namespace bristle::collision
