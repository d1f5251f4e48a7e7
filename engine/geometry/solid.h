// A closed mesh as a solid: half-edges, moments and a tree, ready to be intersected with another.
//
// Vertices at one place are one. Half-edge 3 t + k runs from corner k of triangle t to corner k + 1; `twin` is the
// one that runs back in the neighbour. Every half-edge has a twin: a mesh with an open edge, an edge of three
// triangles or neighbours that disagree is no solid. (Where more than two triangles share an edge in a closed
// mesh, as between two cubes that touch along one, they are paired so that each pair bounds material: the solid
// is then pulled apart there by nothing.)
//
// Moments. What is inside the other solid is a set of whole triangles bounded by those that its surface crosses.
// Its sum of anything, count or volume or inertia, follows from the border alone: in a spanning tree of the dual graph
// (triangles joined over edges) let Σ_e be the sum over all triangles below e. Then for a set R of triangles
//
//     Σ_R = Σ over tree edges with the lower side in R only of Σ_e, less those with the upper side in R only,
//           plus the whole if the root is in R
//
// and the count of triangles, an integer, tells whether it is. So nothing deep inside is ever visited.
#pragma once

#include <bristle/shape.h>

#include "geometry/collider.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bristle {

// ∫ 1, ∫ x, ∫ x xᵀ over a solid, about some point. Of a triangle: of the tetrahedron with that point.
struct VolumeMoments {
    double volume = 0;
    Vec3 first;
    Vec3 square;  // ∫ x², y², z²
    Vec3 mixed;   // ∫ y z, z x, x y

    VolumeMoments& operator+=(const VolumeMoments&);
    // Of the tetrahedron of the origin and a triangle, positive if that is counter-clockwise seen from beyond.
    void add_tetrahedron(Vec3 a, Vec3 b, Vec3 c);
    Mat3 second() const;
};

class Solid {
  public:
    static constexpr uint32_t none = 0xffffffffu;

    // Throws InputError, with what `check` says, if it has no inside.
    explicit Solid(std::shared_ptr<const TriangleMesh> mesh);
    ~Solid();

    const TriangleMesh& mesh() const { return *mesh_; }
    std::span<const Vec3> vertices() const { return vertices_; }
    std::span<const std::array<uint32_t, 3>> triangles() const { return triangles_; }
    uint32_t twin(uint32_t half_edge) const { return twin_[half_edge]; }
    uint32_t neighbor(uint32_t triangle, uint32_t edge) const {
        return twin_[3 * triangle + edge] / 3;
    }
    Aabb bounds() const { return bounds_; }
    Vec3 center() const { return center_; }  // of the bounds; moments are about it

    // Pieces of surface that do not hang together: shells, and hollows within.
    uint32_t shells() const { return static_cast<uint32_t>(shell_start_.size() - 1); }
    uint32_t shell_of(uint32_t triangle) const { return shell_of_[triangle]; }
    const VolumeMoments& moments_of(uint32_t shell) const { return shell_moments_[shell]; }
    uint32_t triangle_of(uint32_t shell) const { return shell_start_[shell]; }  // any one

    bool contains(Vec3 point) const;  // exact; a point on the surface is on one side or the other

  private:
    friend class Intersection;

    std::shared_ptr<const TriangleMesh> mesh_;
    std::vector<Vec3> vertices_;
    std::vector<std::array<uint32_t, 3>> triangles_;
    std::vector<uint32_t> twin_;
    std::vector<uint32_t> shell_of_, shell_start_;
    std::vector<VolumeMoments> shell_moments_;
    Aabb bounds_;
    Vec3 center_;
    struct Tree;
    std::unique_ptr<const Tree> tree_;
    struct Below;
    std::unique_ptr<const Below> below_;  // sums over the dual spanning tree
};

}  // namespace bristle
