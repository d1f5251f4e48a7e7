// Surfaces made of triangles, meshes and height fields alike, and what touches them.
//
// Ghost contacts are avoided by asking the surface, not the single triangle. A direction u can press
// on the surface at a point only if u is in the polar cone of the surface there:
//
//     face      u = n
//     edge      convex or open, u ⊥ edge, u·(inward direction of each of its triangles) ≤ 0
//     vertex    u·(w − v) ≤ 0 for all vertices w that share an edge with v
//
// So a flat or concave edge presses on nothing, and the floor's triangles are invisible. Each test is
// made on its own and with a small tolerance towards acceptance; what is found twice, on both
// triangles of an edge, is removed afterwards (see `weigh`). The other way round, counting the
// triangles that agree, loses contacts to rounding.
//
// Everything is in the frame of the surface.
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"
#include "geometry/triangle_tree.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bristle::collision {

// One triangle of a surface.
struct Facet {
    std::array<Vec3, 3> corner;
    Vec3 normal;
    uint32_t index;
};

class Surface {
  public:
    // Of a mesh or a height field, which must outlive this.
    explicit Surface(const Collider& collider) : tree_(collider.tree), field_(collider.field) {}

    bool is_height_field() const { return field_ != nullptr; }
    // Goes on to a border, with all below it inside: no body that has another side.
    bool is_ground() const { return field_ != nullptr || !tree_->is_closed(); }
    // Appends the triangles whose boxes meet this one; of a height field also those above it.
    void gather(const Aabb&, std::vector<Facet>&) const;
    Facet facet(uint32_t index) const;
    // What a height field is like where this box is over, in or under it.
    struct Under {
        enum class Kind : uint8_t {
            nothing,  // the box is beside it, or above all of its points there
            plane,  // its points lie within `tolerance` (m) of normal · x = offset, and none of its borders is there
            uneven
        } kind = Kind::uneven;
        Vec3 normal;
        double offset = 0;
    };
    Under under(const Aabb&, double tolerance) const;

    // Edge k of a triangle: what it is, and the normal on its other side (its own if open).
    struct Edge {
        EdgeKind kind;
        Vec3 other_normal;
    };
    Edge edge(const Facet&, int k) const;
    // May u (unit) press on this edge or corner from outside?
    bool edge_faces(const Facet&, int k, Vec3 u) const;
    bool corner_faces(const Facet&, int k, Vec3 u) const;
    // Mean normal at a corner.
    Vec3 corner_normal(const Facet&, int k) const;
    // Is the corner on the border of the surface?
    bool is_border(const Facet&, int k) const;
    // Number of a corner, the same in all its triangles.
    uint32_t corner_number(const Facet&, int k) const;
    // What to write into ContactPoint::face_b.
    uint32_t face_of(const Facet& facet) const { return field_ ? 0xffffffffu : facet.index; }
    // The triangle of a height field straight above or below a point; nothing beside the grid.
    bool facet_over(Vec3 point, Facet&) const;

  private:
    // Vertices that share an edge with this one; how many.
    int around(uint32_t vertex, std::array<Vec3, 6>& places) const;
    Vec3 field_vertex(uint32_t column, uint32_t row) const;
    // The cells of a height field that a box is over: both ends included.
    struct Cells {
        uint32_t from_column, to_column, from_row, to_row;
        bool is_inside;  // the box is, and goes over no border
    };
    std::optional<Cells> cells_over(const Aabb&) const;

    const TriangleTree* tree_;
    const HeightField* field_;
};

// One place where a ball, about a point of some spine, touches a surface.
struct BallTouch {
    Vec3 center;      // on the spine
    Vec3 point;       // of the surface
    Vec3 normal;      // unit, from the surface to the ball
    double distance;  // of the centre, negative behind the surface
    double weight = 1;
    uint32_t facet;
    uint32_t feature = 0;
    TrianglePoint::Part part;
    Vec3 edge;  // its direction, if on an edge
};
using BallTouches = std::vector<BallTouch>;

// Appends where a ball about `center` touches: the local minima of distance not beyond `reach`. In front
// all of them; behind the surface only the nearest, as far as `radius`, since beyond
// the nearest face there may be another body.
void touch_ball(const Surface&, std::span<const Facet>, Vec3 center, double radius, double reach,
                BallTouches&);

// Shares the force among touches that are one touch, from `first` on; those that get nothing are
// removed. Where a ball lies in a hollow of many facets it touches several at once, and counting each
// in full would double the force as it passes from one to the next. Touch j, being less deep than i
// with an angle θ between their normals, begins at their common edge with the depth difference
// d (1 − cos θ), d the distance of the centre; there its weight must be nothing. So
//
//     r_j = Π over deeper i of (1 − σ_ij min(1, (δ_i − δ_j) / (d_j (1 − cos θ_ij))))
//     w_j = r_j / Σ_i σ_ij r_i
//
// with the likeness σ = 1 below 15°, 0 above 30° (two walls of a groove are two touches) and fading with
// the distance of the centres over the radius (two ends of a capsule are two touches).
// Doubles, with the same normal, vanish by the same formula.
void weigh(BallTouches&, size_t first, double radius);

// Contacts of whole shapes, a, with a surface, b.
void collide_sphere_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_capsule_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out);
// Box, cylinder or convex polyhedron.
void collide_convex_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out);
void collide_torus_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out);

// World contact from a touch of a round shape (spine and ball) with a surface.
ContactPoint contact_of(const BallTouch&, const Surface&, double radius, const Placed& b);
// Numbers the touches from `first` on, those of one shape, so that they keep their numbers from step
// to step: by direction, the one most upward (in the world) first.
void number_by_direction(ContactPoints&, size_t first, uint32_t start);

}  // namespace bristle::collision
