// A closed mesh as a solid: half-edges, moments and a tree, ready to be intersected with another.
//
// Vertices at one place are one. Half-edge 3 t + k runs from corner k of triangle t to corner k + 1; its twin
// runs back in the neighbour. Every half-edge has one: a mesh with an open edge, or with neighbours that
// disagree about the outside, is no solid. Where four or more triangles share an edge, as between two cubes that
// touch along one, any pairing does: sums over the surface do not ask who neighbours whom.
//
// What is inside another solid is a set of whole triangles bounded by those that its surface crosses. The sum of
// anything over it, count or volume or inertia, follows from its border alone: in a spanning tree of the dual graph
// (triangles joined over edges) let Σ_t be the sum over triangle t and all below it. Then for a set R of triangles
//
//     Σ_R = Σ over t in R with the parent not in R of Σ_t  −  Σ over t not in R with the parent in R of Σ_t
//           + Σ_root if the root is in R
//
// and the count of triangles, an integer, tells whether it is: without the last term the sum is −(those not in R) if
// so, and not negative otherwise. So nothing deep inside is ever visited. Sums over a hundred thousand triangles that
// cancel to a few would lose their digits: they are kept as two doubles each.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"
#include "geometry/collider.h"
#include "geometry/solid_tree.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bristle::geometry {

// ∫ 1, ∫ x, ∫ x xᵀ over a solid, about some point.
struct VolumeMoments {
    double volume = 0;
    Vec3 first;
    Vec3 square;  // ∫ x², y², z²
    Vec3 mixed;   // ∫ y z, z x, x y

    VolumeMoments& operator+=(const VolumeMoments&);
    VolumeMoments& operator-=(const VolumeMoments&);
    // Of the tetrahedron of that point, the origin, and a triangle: positive if it is counter-clockwise seen from
    // beyond.
    void add_tetrahedron(Vec3 a, Vec3 b, Vec3 c);
    // The same solid about another point, which is at `to` from the present one.
    VolumeMoments about(Vec3 to) const;
    Mat3 inertia_about_centroid() const;
};

class Solid {
  public:
    static constexpr uint32_t none = 0xffffffffu;

    // Throws InputError, with what `check` says of the mesh, if it has no inside.
    explicit Solid(std::shared_ptr<const TriangleMesh> mesh);

    const TriangleMesh& mesh() const { return *mesh_; }
    const std::shared_ptr<const TriangleMesh>& shared_mesh() const { return mesh_; }
    std::span<const Vec3> vertices() const { return vertices_; }
    std::span<const std::array<uint32_t, 3>> triangles() const { return triangles_; }
    // Of a triangle here, that of the mesh it is: those without area are left out.
    uint32_t source(uint32_t triangle) const { return source_[triangle]; }
    uint32_t twin(uint32_t half_edge) const { return twin_[half_edge]; }
    uint32_t neighbor(uint32_t half_edge) const { return twin_[half_edge] / 3; }
    Vec3 center() const { return center_; }  // of its box; moments are about it
    double size() const { return size_; }    // largest edge of its box
    const SolidTree& tree() const { return tree_; }

    // Pieces of surface that do not hang together: outer shells and hollows.
    uint32_t shells() const { return static_cast<uint32_t>(shells_.size()); }
    uint32_t shell_of(uint32_t triangle) const { return shell_of_[triangle]; }
    uint32_t triangle_of(uint32_t shell) const { return shells_[shell].root; }  // any one
    const VolumeMoments& moments_of(uint32_t shell) const { return shells_[shell].moments; }
    uint32_t count_of(uint32_t shell) const { return shells_[shell].count; }

    // The spanning tree: over which half-edge a triangle hangs on its parent (none of a root), and the sum below.
    uint32_t parent_edge(uint32_t triangle) const { return parent_edge_[triangle]; }
    struct Sum {
        int64_t count = 0;
        VolumeMoments high, low;
        void add(const Sum&, double sign);
        VolumeMoments value() const;
    };
    const Sum& below(uint32_t triangle) const { return below_[triangle]; }

    bool contains(Vec3 point) const;  // exact; a point on the surface is on one side or the other

  private:
    struct Shell {
        uint32_t root, count;
        VolumeMoments moments;
    };
    void weld();
    void pair_edges();
    void span_shells();
    [[noreturn]] void refuse(const char* why) const;

    std::shared_ptr<const TriangleMesh> mesh_;
    std::vector<Vec3> vertices_;
    std::vector<std::array<uint32_t, 3>> triangles_;
    std::vector<uint32_t> source_;
    std::vector<uint32_t> twin_;
    std::vector<uint32_t> shell_of_;
    std::vector<Shell> shells_;
    std::vector<uint32_t> parent_edge_;
    std::vector<Sum> below_;
    Vec3 center_;
    double size_ = 0;
    SolidTree tree_;
};

}  // namespace bristle::geometry
