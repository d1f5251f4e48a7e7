// Where two solids overlap: one record for every region they share, whether by meshes or by sphere trees.
//
//     V, c, J      volume, centroid, and inertia about it at unit density, of the region
//     n            unit, from b to a: the direction of the contour's vector area ½ ∮ x × dx, which is
//                  ∫ n_b dA over the part of b's surface inside a. A motion of a by dx changes V by −S n · dx
//     S, s, M      that area, its centroid and its second moments ∫ (x − s)(x − s)ᵀ dA, seen along n;
//                  s is in the plane through c
//
// With the region seen as a layer of thickness t over the contact plane, V = ∫ t dA and V (c − s) =
// ∫ t (x − s) dA along the plane: so of all thicknesses that are linear, t = V/S + g · (x − s) with M g = V (c − s) is the one
// with the region's volume and centroid (thickness_gradient).
//
// The contour is a list of segments, counter-clockwise seen against n, in no order: sums along it need none.
// Sphere trees have no contour; they give the ellipse of the same S and M, as a polygon.
#pragma once

#include <bristle/math.h>

#include <cstdint>
#include <vector>

namespace bristle::collision {

struct ContourSegment {
    Vec3 from, to;
};

struct ContactPatch {
    double volume = 0;
    Vec3 centroid;
    Mat3 inertia;
    Vec3 normal;
    double area = 0;
    Vec3 area_center;
    Mat3 area_moment;      // zero along n
    uint32_t feature = 0;  // the same from step to step while the same parts touch
    uint32_t face_a = 0xffffffffu, face_b = 0xffffffffu;  // one of each mesh, for its material
    uint32_t first_segment = 0, segments = 0;             // of its contour
};

struct Patches {
    std::vector<ContactPatch> patches;
    std::vector<ContourSegment> contour;

    void clear() {
        patches.clear();
        contour.clear();
    }
};

// g, along the contact plane; zero where the area is degenerate.
Vec3 thickness_gradient(const ContactPatch&);
// Fills normal, area, area_center and area_moment from the contour's segments and the centroid. If the
// vector area vanishes (one solid inside the other, or pierced right through) the normal is `otherwise` and
// the area zero.
void measure_contour(ContactPatch&, const ContourSegment* contour, Vec3 otherwise);

}  // namespace bristle::collision
