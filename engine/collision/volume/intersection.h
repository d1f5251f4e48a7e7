// The regions two solids share, exactly and without building them (spec C5, C6).
//
// Every question is one of signs, answered for b shifted infinitesimally (crossings.h). Volume, centroid and
// inertia are continuous in the shift, so they are those of the solids themselves, and coplanar or identical faces,
// edges on edges and corners in faces are not special.
//
// The region is the cone from any point o over its surface. Of every triangle the part inside the other solid is
// bounded by segments where it meets the other's triangles and by parts of its own edges; the cone over it is a sum
// over these, with a corner in the triangle's plane, each with its sign and in no order:
//
//     segment from → to              + tetrahedron (o, corner, from, to)
//     edge v → w entered at p        − tetrahedron (o, corner, v, p)
//     edge v → w left at p           + tetrahedron (o, corner, v, p)
//     edge v → w with w inside       + tetrahedron (o, corner, v, w)
//
// where v is the edge's beginning if that is inside, else any point of the edge.
//
// o is in the overlap and the corners are on the contour, so that what cancels is no larger than what is left. Triangles
// all inside follow from the border (solid.h) where there is one contour, and are visited where there are more.
//
// Regions. Segments that share an end belong together; so do what is joined by a part of an edge inside the
// other solid, and by triangles inside it. A contour within one triangle that is a hole of its inner part belongs to
// what surrounds it.
//
// All buffers are kept: a pair of solids that goes on touching allocates nothing.
#pragma once

#include <bristle/world.h>

#include "collision/volume/crossings.h"
#include "collision/volume/patch.h"

#include <memory>

namespace bristle::collision {

// Which triangles have to do with an overlap, and the shared regions as a mesh. Triangles are numbered as in the
// meshes the solids were made of.
struct IntersectionMesh {
    TriangleMesh mesh;             // closed, in the world
    std::vector<uint32_t> source;  // of every triangle: that of a or b it is a part of …
    std::vector<uint8_t> side;     // … 0 for a, 1 for b
    std::array<std::vector<uint32_t>, 2> crossed, inner;
    std::vector<ContactContour> contours;
};

class Intersection {
  public:
    Intersection();
    ~Intersection();
    Intersection(Intersection&&) noexcept;
    Intersection& operator=(Intersection&&) noexcept;

    // Appends a patch for every region, in the world and by decreasing volume; `feature` is its place in that order.
    void find(const Solid& a, const Placement& at_a, const Solid& b, const Placement& at_b,
              Patches& out);
    bool has_mesh() const;  // has `find` been called?
    // Of what it found last; the solids must still be there.
    IntersectionMesh mesh();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::collision
