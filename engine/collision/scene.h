// All shapes of a model, where they are, and where they touch: far, then near.
//
// It knows bodies only by their placements, so every solver can use it. Bodies that move as one (welded,
// or the ground with what is fixed to it) have the same owner and never touch each other.
//
// Candidates are searched once per step, where the step is predicted to end. A body so fast that it
// could be on the other side by then is followed along its way in pieces no longer than half its
// thickness, and the first touch counts.
//
// Of a planar model every collider has its outline (geometry/outline.h) too, and those meet: boxes of far
// detection are then along the axes of the plane, so that it does not matter how high above the plane
// something is. Questions (queries.h) still see the shapes in space: who looks along the normal, as a page
// does that picks a body, needs them.
#pragma once

#include <bristle/model.h>
#include <bristle/world.h>

#include "base/union_find.h"
#include "collision/contact_point.h"
#include "collision/mesh_trees.h"
#include "collision/volume/patch.h"
#include "geometry/collider.h"
#include "math/placement.h"
#include "state/terrain.h"

#include <memory>
#include <span>
#include <vector>

namespace bristle::base {
class Jobs;
}
namespace bristle::collision {

struct SceneCollider {
    Collider collider;
    ShapeId shape;
    BodyId body;
    uint32_t owner;
    MaterialId material;
    uint32_t group, mask;
    Placement in_body;
    Vec3 bound_center;    // of a ball around it, in its own frame …
    double bound_radius;  // … infinite for a plane
    double thickness;     // what a fast thing could jump over
    const TriangleMesh* mesh;
};

struct ContactCandidate {
    uint32_t a, b;  // colliders
    ContactPoint point;
};

// Where two solids overlap whose materials have a volumetric law; points of contact are not made for those.
struct PatchCandidate {
    uint32_t a, b;  // colliders
    ContactPatch patch;
};

// How a body is about to move: its frame's way and its turn, as vectors.
struct Motion {
    Vec3 way, turn;
};

// Which part of its shape a collider is: with the shape, this does not change when the model does.
uint32_t part_of(std::span<const SceneCollider> colliders, uint32_t collider);

class CollisionScene {
  public:
    // `owner` of every body; the ground's owner does not move. `joined` owners do not touch. Of height fields among `fields` it
    // follows what they are, of others it has what the model says.
    CollisionScene(const Model&, std::span<const uint32_t> owner,
                   const std::vector<std::pair<uint32_t, uint32_t>>& joined, MeshTrees& trees,
                   const state::LiveFields& fields = {});
    ~CollisionScene();
    CollisionScene(CollisionScene&&) noexcept;

    bool can_touch() const { return can_touch_; }
    // Height fields may have been moved, or got higher than their boxes; detection sees to it itself.
    // Whether any has.
    bool follow_fields();
    std::span<const SceneCollider> colliders() const { return colliders_; }
    // Bodies that have a shape, in order.
    std::span<const BodyId> bodies() const { return bodies_; }

    // Placements of `bodies()` when the step began and where it is predicted to end.
    void detect(std::span<const Placement> before, std::span<const Placement> now) {
        detect(before, now, {});
    }
    // The same of bodies that are asked for, with each other and with all others, or of all. What joints and forces connect is an
    // assembly, with a number below `assemblies`: of what is far from it, it knows nothing.
    struct Scope {
        std::span<const uint32_t> assembly;  // of every body that moves; if none, they are one
        uint32_t assemblies = 1;
        std::span<const uint8_t> is_asked;  // of every body; if none, all are
    };
    void detect(std::span<const Placement> before, std::span<const Placement> now, const Scope&);
    // By colliders, then in the order of near detection.
    std::span<const ContactCandidate> candidates() const { return candidates_; }
    // By colliders, then by decreasing volume; their segments are in `contour`.
    std::span<const PatchCandidate> patches() const { return patches_; }
    std::span<const ContourSegment> contour() const { return contour_; }

    // The same for a solver that looks from where the step begins: contacts are described there, and those are
    // found that the motion could close. Pairs of bodies that are not awake are left out. What is found is in
    // pieces, whose order and content do not depend on the threads: all contacts of a pair are in one piece.
    void detect_ahead(std::span<const Placement> start, std::span<const Motion> motion,
                      std::span<const uint8_t> is_awake, Jobs&);
    std::span<const std::vector<ContactCandidate>> pieces() const {
        return {pieces_.data(), piece_count_};
    }

    // What these pairs of shapes share with their bodies there, as far as they are solids: for looking inside.
    std::vector<SharedVolume> shared_volumes(std::span<const Placement> bodies,
                                             std::span<const std::pair<ShapeId, ShapeId>>) const;

    MaterialId material_of(const SceneCollider&, uint32_t face) const;
    Placed placed(uint32_t collider, std::span<const Placement> bodies) const;
    // Around a collider, in the frame of its body.
    Aabb box_in_body(uint32_t collider) const;

  private:
    struct Store;
    struct Workspace;
    void add(const Model&, ShapeId, const Geometry&, const Placement&, uint32_t owner, MeshTrees&,
             std::vector<const Geometry*>& parts);
    void follow(uint32_t collider, const state::LiveField&);
    void flatten(const Model&, const Geometry&, SceneCollider&, Aabb& box);
    Aabb box_at(uint32_t collider, const Placed&) const;
    Aabb box_around(uint32_t collider) const;
    void touch(uint32_t a, uint32_t b, const Placed& at_a, const Placed& at_b, double margin,
               Workspace&, ContactPoints& out) const;
    void find_patches(uint32_t a, uint32_t b);
    bool may_meet(uint32_t a, uint32_t b) const;
    bool is_asked(uint32_t a, uint32_t b, const Scope&) const;
    double margin_of(uint32_t collider, double fastest) const;
    void find_margins(const Scope&);
    void meet(uint32_t a, uint32_t b, double margin);
    void meet_ahead(uint32_t a, uint32_t b, Workspace&) const;
    Placed moved(uint32_t collider, double share) const;
    bool touches_at_end(uint32_t a, uint32_t b, double margin);

    std::unique_ptr<Store> store_;
    std::vector<SceneCollider> colliders_;
    std::vector<uint32_t> slot_;  // of every collider's body in bodies()
    std::vector<BodyId> bodies_;
    uint32_t static_owner_;
    bool can_touch_ = false;

    std::vector<Placed> before_, now_;
    std::vector<double> motion_;   // how far any of its points goes in the step
    std::vector<double> margin_;   // how near is near; scenery has none
    base::UnionFind neighbours_;   // assemblies that may meet
    std::vector<double> fastest_;  // motion, of all of those
    std::vector<ContactCandidate> candidates_;
    std::vector<PatchCandidate> patches_;
    std::vector<ContourSegment> contour_;
    std::span<const Motion> motions_;  // of detect_ahead, while it runs
    std::vector<std::vector<ContactCandidate>> pieces_;
    std::vector<Workspace> workspaces_;  // of the pieces; the first serves `detect` too
    std::vector<std::pair<uint32_t, uint32_t>> pairs_;
    size_t piece_count_ = 0;
};

}  // namespace bristle::collision
