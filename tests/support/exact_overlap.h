// What CGAL says, in exact arithmetic. Its code is GPL: for tests, never for the product; and slow to
// compile, so it is behind this and compiled once.
#pragma once

#include <bristle/shape.h>

#include <vector>

namespace bristle::testing_support {

struct ExactOverlap {
    double volume = 0;
    Vec3 centroid;
    Mat3 inertia;                   // about the centroid, unit density
    std::vector<double> positive;   // volumes of the result's closed surfaces, the largest first: those around material …
    uint32_t hollows = 0;           // … and how many are around a void
    enum class Method { corefinement, nef } method = Method::corefinement;
};

// Of two closed meshes that do not cross themselves, whatever lies in a plane with whatever. Points are
// exact; the sums are taken with 150 digits. By corefinement, or where that refuses (the result would have an
// edge of four triangles) by Nef polyhedra.
ExactOverlap exact_overlap(const TriangleMesh&, const TriangleMesh&);

// Do triangles that share no vertex meet, or neighbours in more than what they share? Of meshes with
// triangles that have an area.
bool crosses_itself(const TriangleMesh&);

}  // namespace bristle::testing_support
