// What CGAL says, in exact arithmetic. Its code is GPL: for tests, never for the product; and slow to
// compile, so it is behind this and compiled once.
#pragma once

#include <bristle/shape.h>

#include <vector>

namespace bristle::testing_support {

struct ExactOverlap {
    double volume = 0;
    Vec3 centroid;
    Mat3 inertia;  // about the centroid, unit density
    // Volumes of the result's closed surfaces around material, the largest first …
    std::vector<double> positive;
    uint32_t hollows = 0;  // … and how many there are around a void
    enum class Method { corefinement, nef, shells } method = Method::corefinement;
};

// Of two closed meshes that do not cross themselves, whatever lies in a plane with whatever. Points are
// exact; the sums are taken with 150 digits. By corefinement, or where that refuses (the result would have an
// edge of four triangles) by Nef polyhedra. Both are wrong in CGAL 5.5 where a body fills a hollow: there, ask for it shell by
// shell.
ExactOverlap exact_overlap(const TriangleMesh&, const TriangleMesh&,
                           ExactOverlap::Method = ExactOverlap::Method::corefinement);

// Do triangles that share no vertex meet, or neighbours in more than what they share? Of meshes with
// triangles that have an area.
bool crosses_itself(const TriangleMesh&);

}  // namespace bristle::testing_support
