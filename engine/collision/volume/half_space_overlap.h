// What a solid has below a plane: the same patches as those of two solids, at a fraction of the cost.
//
// Only the sign of each vertex's height counts, and that is one number a vertex: there are no ties. With o in the plane the lid
// adds nothing to the cone over the region's surface, so volume, centroid and inertia are sums over what of each
// triangle is below. Triangles that share an edge with a part below belong to one region; hollows to the largest.
#pragma once

#include "base/union_find.h"
#include "collision/volume/crossings.h"
#include "collision/volume/half_space.h"
#include "collision/volume/patch.h"

namespace bristle::collision {

class HalfSpaceOverlap {
  public:
    // Appends a patch for every region, by decreasing volume; the half-space is b. Buffers are kept.
    void find(const Solid&, const Placement&, const HalfSpace&, Patches& out);

  private:
    struct Region {
        VolumeMoments moments;  // about origin_, in the solid's axes
        uint32_t face = 0xffffffffu;
    };
    double height(uint32_t vertex);
    void visit();
    void add_parts();
    void write(const Placement&, const HalfSpace&, Patches&);

    const Solid* solid_ = nullptr;
    Vec3 normal_;  // in the solid's frame
    double offset_ = 0;
    Vec3 origin_;

    std::vector<double> height_;
    std::vector<uint32_t> height_in_;
    uint32_t round_ = 0;
    std::vector<uint32_t> triangles_, place_;
    std::vector<uint32_t> stack_;
    UnionFind together_;
    struct Segment {
        Vec3 from, to;
        uint32_t triangle;  // in triangles_
    };
    std::vector<Segment> segments_;
    std::vector<Region> regions_;
    std::vector<uint32_t> region_of_, order_;
};

}  // namespace bristle::collision
