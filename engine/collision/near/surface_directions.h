// In which directions a surface made of triangles pushes a convex shape.
//
// 1. Each triangle near the shape says in which direction u, and how far, the shape has to move to get
//    off this triangle alone (GJK, EPA). u counts if it is in the surface's cone where the
//    triangle's outermost point along u is (surface.h); otherwise the triangle falls back on its
//    own normal.
// 2. From the least way to the greatest, those that count first: a direction is taken unless one taken
//    before also frees the shape of this triangle. So the side of a table does not push against a
//    box that lies on its top, however near to the rim, and the two walls of a groove both push.
#pragma once

#include "collision/near/convex.h"
#include "collision/near/surface.h"

#include <vector>

namespace bristle::collision {

inline constexpr double same_sine = 1e-6;   // directions closer than this are one
inline constexpr double same_place = 1e-9;  // of the shape's size: one place

inline bool is_same(Vec3 u, Vec3 v) { return dot(u, v) > 0 && norm(cross(u, v)) <= same_sine; }

// A shape in the frame of the surface.
struct Guest {
    ConvexCore core;
    Mat3 rotation;
    Vec3 position;
    double size, margin;
    RelativePose surface;  // as seen from the shape
    Vec3 low, high;        // in its own frame

    Vec3 place(Vec3 local) const { return position + rotation * local; }
    Vec3 turn_back(Vec3 u) const { return rotation.transposed() * u; }
    double lowest(Vec3 u) const { return dot(u, place(core.support(turn_back(-u)))); }
};

Guest guest_of(const Placed& shape, const Placed& surface, double margin);
// Around it and its margin, in the frame of the surface.
Aabb box_around(const Guest&);

// What one facet demands, step 1.
struct Candidate {
    size_t facet;  // among the gathered
    Vec3 normal;
    double depth;
    double overlap;  // with this facet itself, whatever it demands
    bool counts;     // may press on the surface; otherwise it is the facet's normal instead
    bool is_face;    // it is the facet's normal
    Vec3 on_shape;   // if not a face
};
// What is left of that, step 2.
struct Direction {
    Vec3 normal;
    double depth;
    double offset;  // normal · x of the surface there
    bool is_face, counts;
    Vec3 on_shape;
};
// A facet that has a share in a direction.
struct Joined {
    size_t facet, direction;
};

struct Pushes {
    std::vector<Facet> facets;  // near the shape
    std::vector<Candidate> candidates;
    std::vector<Direction> directions;
    std::vector<Joined> joined;
};
void find_pushes(const Surface&, const Guest&, Pushes& out);

}  // namespace bristle::collision
