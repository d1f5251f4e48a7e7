// The regions two solids share, exactly and without building them (spec C5, C6).
//
// Every question is one of signs: on which side of a plane is a point, on which side of an edge passes another
// edge. The answers are those of solids in general position: b is thought of as shifted by (ε, ε², ε³), with
// ε infinitesimal, so that no point lies in a plane and no two edges meet, whatever the input. Signs that the
// exact determinant leaves at zero follow from its derivatives by that shift. Volume, centroid and inertia are continuous
// in the shift, so they are those of the solids themselves: coplanar and identical faces are not special.
//
// On every triangle the part inside the other solid is bounded by segments where it meets the other's triangles and
// by parts of its edges. The moments of the cone over it from a point o near the overlap are a sum over
// these, each with a sign and in no order; a part of an edge is the sum over the crossings on it, each taken from the
// edge's end, plus the whole edge if its end is inside. Whole triangles inside follow from the border (solid.h).
//
// All buffers are kept, so that a pair of solids that goes on touching allocates nothing.
#pragma once

#include "collision/patch.h"
#include "geometry/solid.h"

#include <memory>

namespace bristle {

struct SolidPlacement {
    Mat3 rotation = Mat3::identity();
    Vec3 position;
};

// Which triangles have to do with the overlap of one region's bodies, and the region itself.
struct IntersectionMesh {
    TriangleMesh mesh;             // closed, world coordinates
    std::vector<uint32_t> source;  // of every triangle: that of a or b it is a part of …
    std::vector<uint8_t> side;     // … 0 for a, 1 for b
    std::vector<uint32_t> crossed[2], inner[2];
};

class Intersection {
  public:
    Intersection();
    ~Intersection();
    Intersection(Intersection&&) noexcept;
    Intersection& operator=(Intersection&&) noexcept;

    // Appends a patch for every region, in world coordinates and by decreasing volume. The features
    // follow the regions found by the last call: regions keep theirs while they move.
    void find(const Solid& a, const SolidPlacement& at_a, const Solid& b,
              const SolidPlacement& at_b, Patches& out);
    // Of what `find` found last.
    IntersectionMesh mesh() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle
