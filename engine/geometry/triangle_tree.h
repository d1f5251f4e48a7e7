// A triangle mesh ready for collision: a tree of boxes over its triangles, and who neighbours whom.
//
// The tree. A node's triangles are split at the mean of their barycentres, along the axis on which those
// deviate most (LUA 4.5.1, with the Σv/3 that (4.25) lacks). Where that leaves one side empty or the
// tree becomes deep, half of them go to each side, so that no mesh makes it deeper than 64. Nodes lie in
// one array in preorder, each with the index of the node to go on with if its box is missed:
// a box query is one loop without a stack. Ray and closest point visit the nearer child
// first, with a stack on the stack.
//
// The neighbours. A sphere that rolls over a floor made of triangles must not feel their edges. Whether
// an edge can be felt is a property of the mesh: only if it is convex, or open. So the
// angle across each edge is classified once, and for each vertex its neighbours are listed: u is a
// direction in which something can press on vertex v just if (w − v)·u ≤ 0 for all neighbours w, which
// is the polar cone of the surface around v.
// Vertices at the same place (bit by bit) count as one, as in meshes from STL.
//
// Triangles without area have no normal and are left out. An edge with three or more triangles, or
// with two that disagree about the outside, counts as open for all of them.
#pragma once

#include <bristle/shape.h>

#include "base/rooms.h"
#include "geometry/collider.h"
#include "geometry/triangle.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bristle::geometry {

// Of an edge, seen from outside.
enum class EdgeKind : uint8_t { convex, flat, concave, open };

class TriangleTree {
  public:
    static constexpr uint32_t none = 0xffffffffu;
    // Sine of the angle between neighbours below which their edge is flat. Meshes come in single
    // precision (6e-8): smaller, and a floor gets ridges from rounding; larger, and a lens of
    // a hundred thousand facets loses its edges.
    static constexpr double flat_sine = 2e-6;

    struct Face {
        Vec3 normal;  // unit, outward; zero if the triangle has no area
        // Edge k goes from corner k to corner k + 1.
        std::array<uint32_t, 3> neighbor = {none, none, none};
        std::array<EdgeKind, 3> edge = {EdgeKind::open, EdgeKind::open, EdgeKind::open};
        std::array<uint32_t, 3> vertex = {};  // corners, those at one place being one
    };
    struct RayHit {
        double distance = 0;  // in lengths of the direction
        uint32_t triangle = none;
    };
    struct Nearest {
        Vec3 point;
        double distance = 0;
        uint32_t triangle = none;
        TrianglePoint::Part part = TrianglePoint::Part::face;
        int index = 0;  // of the edge or corner
    };

    // Throws InputError if there is no triangle with an area, or a bad index, or a corner not finite.
    explicit TriangleTree(std::shared_ptr<const TriangleMesh> mesh);

    const TriangleMesh& mesh() const { return *mesh_; }
    const std::shared_ptr<const TriangleMesh>& shared_mesh() const { return mesh_; }
    Aabb bounds() const { return {nodes_[0].low, nodes_[0].high}; }
    const Face& face(uint32_t triangle) const { return faces_[triangle]; }
    std::array<Vec3, 3> corners(uint32_t triangle) const {
        const auto& t = mesh_->triangles[triangle];
        return {mesh_->vertices[t[0]], mesh_->vertices[t[1]], mesh_->vertices[t[2]]};
    }
    // Of a vertex as numbered in Face::vertex: where the vertices it shares an edge with are ...
    std::span<const Vec3> around(uint32_t vertex) const {
        return std::span(around_).subspan(around_start_[vertex],
                                          around_start_[vertex + 1] - around_start_[vertex]);
    }
    // ... and the mean normal of its faces weighted by their angles, which tells inside from outside.
    Vec3 vertex_normal(uint32_t vertex) const { return vertex_normals_[vertex]; }
    // Is one of its edges open? Then there is no inside next to it.
    bool is_border(uint32_t vertex) const { return is_border_[vertex] != 0; }
    // Every edge has two triangles: inside and outside are defined.
    bool is_closed() const { return is_closed_; }
    uint32_t depth() const { return depth_; }  // of the tree
    size_t node_count() const { return nodes_.size(); }

    // visit(triangle) for every triangle whose own box meets this one, in the order of the tree.
    template <class Visit> void in_box(const Aabb& box, const Visit& visit) const {
        in_boxes([&](Vec3 low, Vec3 high) { return overlap(box, low, high); }, visit);
    }
    // The same for any test of boxes: enter(low, high) may say yes too often, never no wrongly.
    template <class Enter, class Visit>
    void in_boxes(const Enter& enter, const Visit& visit) const {
        for (uint32_t i = 0; i < nodes_.size();) {
            const Node& node = nodes_[i];
            if (!enter(node.low, node.high)) {
                i = node.skip;
                continue;
            }
            for (uint32_t k = node.first; k < node.first + node.count; ++k)
                if (enter(leaf_boxes_[k].low, leaf_boxes_[k].high)) visit(order_[k]);
            ++i;
        }
    }
    // The first triangle hit from either side, not farther than `limit` lengths of the direction.
    RayHit first_hit(Vec3 origin, Vec3 direction, double limit) const;
    // Inside a closed mesh, by the side of the nearest point.
    bool contains(Vec3 point) const;
    // The nearest point of the surface not farther than `limit`.
    Nearest nearest(Vec3 point, double limit) const;

  private:
    struct Node {
        Vec3 low, high;
        uint32_t skip;          // the next node if this one is missed; the left child is the next
        uint32_t first, count;  // in order_, of a leaf; count = 0 of others
        uint32_t right;
    };
    struct Item;

    static bool overlap(const Aabb& a, Vec3 low, Vec3 high) {
        return a.low.x <= high.x && a.low.y <= high.y && a.low.z <= high.z && a.high.x >= low.x
            && a.high.y >= low.y && a.high.z >= low.z;
    }
    void check_and_number_vertices();
    void find_neighbors();
    void classify_edges();
    void list_around();
    void build_tree();
    void build_node(std::span<Item> items, uint32_t depth);

    std::shared_ptr<const TriangleMesh> mesh_;
    std::vector<Face> faces_;
    std::vector<uint32_t> around_start_;
    std::vector<Vec3> around_;
    std::vector<Vec3> vertex_normals_;
    std::vector<uint8_t> is_border_;
    std::vector<Node> nodes_;
    std::vector<uint32_t> order_;
    std::vector<Aabb> leaf_boxes_;
    uint32_t depth_ = 0;
    bool is_closed_ = false;
};

}  // namespace bristle::geometry
