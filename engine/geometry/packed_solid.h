// A closed mesh as balls, ready for contact: the packing, its tree, and the footprints of the balls on its faces.
//
// Balls alone make a poor face. Two packed faces pressed into each other by a depth h touch where ball meets ball, so of
// the volume S h they see S ∫ φ_a(z) φ_b(h − z) dz, φ(z) being the share of a slice at depth z that is filled. That
// share begins at zero, since a ball touches its face in a point: the volume grows with h³, from few pairs, and
// which pairs they are depends on how the faces lie. Deep inside φ is even, and dividing by it counts right, less a
// loss S (τ_a + τ_b) for the void beneath the faces.
//
// So each ball that touches the surface also stands for the part of the surface nearest to it, its footprint: area,
// centroid and normal, which together are the surface's own (the areas add up to it). What footprints
// facing each other have between them makes up for the void (sphere_overlap.h).
#pragma once

#include "base/rooms.h"
#include "geometry/sphere_tree.h"
#include "geometry/triangle_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

struct Footprint {
    Vec3 center;
    Vec3 normal;        // unit, outward
    double area = 0;    // m²
    double radius = 0;  // of the disc of that area
    double lining = 0;  // radius of the ball that touches it
    double bend = 0;    // mean square of its deviation from its plane, m²
    uint32_t face = 0;  // a triangle of the mesh, for its material
};

class PackedSolid {
  public:
    // How far a footprint's disc reaches sideways, in radii, and how deep with that as unit (sphere_overlap.h).
    static constexpr double spread = 1.25, deep = 1.5;

    // Balls packed into a mesh. Throws what pack_spheres throws.
    PackedSolid(const TriangleTree& mesh, uint32_t count, PackingStyle style = PackingStyle::mixed);
    // Balls of the user's own, without footprints; `filled` is the share of the solid's volume that they fill.
    PackedSolid(std::span<const Ball> balls, double filled);

    const SphereTree& tree() const { return tree_; }
    double filled() const { return filled_; }
    double volume() const { return volume_; }  // of the solid, m³
    std::span<const Footprint> footprints() const {
        return footprints_;
    }  // in the order of their tree
    const SphereTree& footprint_tree() const { return footprint_tree_; }
    // Mean radius of footprints; without them, that of the largest ball. What is nearer cannot be told apart.
    double grain() const { return grain_; }

  private:
    SphereTree tree_, footprint_tree_;
    std::vector<Footprint> footprints_;
    double filled_ = 1, volume_ = 0, grain_ = 0;
};

}  // namespace bristle::geometry
