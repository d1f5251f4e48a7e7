// Trees of planes over scenery (LUA 4.4.2), built once and asked by moving boxes.
//
//     k-d tree   planes perpendicular to x, y or z
//     BSP tree   also oblique ones: perpendicular to the diagonals of a cube's faces and of the cube, 13
//                directions in all. They separate rows of boxes that no coordinate plane does
//
// Every plane goes through the median of the centres; among the directions the one is taken that leaves
// the least to do, l² + r² for l and r boxes on either side. Facets of the scenery, the document's easy
// choice, give a list instead of a tree where the scenery is convex (its Figure 4.6). A box on both sides
// is listed on both rather than cut; planes that leave too many on both sides are not used, which bounds
// the lists. A query goes to the sides it touches and may find a box twice.
#pragma once

#include "bench/far/types.h"

namespace bristle::bench {

class PlaneTree {
  public:
    enum class Planes : uint8_t { axes, oblique };
    explicit PlaneTree(Planes planes) : planes_(planes) {}

    void reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin);
    void update(const FarView& view);  // builds it

    // May give a box several times.
    void append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const;
    void append_hits(const FarRay& ray, std::vector<uint32_t>& found) const;

  private:
    struct Item {
        Aabb box;
        uint32_t member;
    };
    // normal · x = offset; a leaf has no children.
    struct Node {
        Aabb bounds = nothing;
        Vec3 normal;
        double offset = 0;
        uint32_t child[2] = {0, 0};
        uint32_t first = 0, last = 0;  // of a leaf, in leaf_items_
    };
    struct Plane {
        Vec3 normal;
        double offset;
    };

    static bool reaches_below(const Aabb& box, const Plane& plane);
    static bool reaches_above(const Aabb& box, const Plane& plane);
    uint32_t build(std::vector<uint32_t>& items);
    bool find_plane(const std::vector<uint32_t>& items, Plane& best) const;
    void append_overlapping(uint32_t node, const Aabb& box, std::vector<uint32_t>& found) const;
    void append_hits(uint32_t node, const FarRay& ray, std::vector<uint32_t>& found) const;

    Planes planes_;
    std::vector<uint32_t> members_;
    std::vector<Item> items_;
    std::vector<uint32_t> leaf_items_;
    std::vector<Node> nodes_;
};

}  // namespace bristle::bench
