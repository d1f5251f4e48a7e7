// What two packed solids share, as patches (spec C7; VIL, inner sphere trees).
//
// The sum over all pairs of balls of a and b that overlap, of their lenses: volume, centroid and inertia in closed form
// (sphere_lens.h), and the discs of their rims, whose vectors from b to a add up to S n. As balls of one solid
// do not overlap, this is exactly what the two packings share. Each ball stands for the volume around it, so
// all is divided by the shares φ_a φ_b that the packings fill; dV/dh = S holds as it does for each lens.
//
// Near faces that is too little (packed_solid.h): of faces pressed flat into each other it misses S (τ_a + τ_b) once they
// are deep, and all of S h before. Footprints k of a and l of b that face each other give it back: columns over
// both discs, of volume
//
//     o t(h),  h = (x_l − x_k) · n,  n = (n_l − n_k)/|n_l − n_k|,  t(h) = h / √(1 + (h/T)²)
//     o = A_k A_l 4/(π H²) (1 − ρ²/H²)³,  ρ = |x_l − x_k| across n,  H = spread (r_k + r_l)
//
// and area o t′(h), T being what the lenses of balls as large as those that line both faces miss in the end.
// o integrates to A_k A_l over all places of k beside l, so faces sum up to their common area however their
// footprints lie. It fades where normals are not opposed (from 37° to 60°) and where h comes to `deep` H, beyond which
// nobody looks; by then the lenses have grown by more than is taken away. The columns' own inertia across n is
// what makes discs of A_k and A_l, shared among pairs at their middles, come out with the inertia of the face:
// o (r_k² + r_l² − H²/5)/8, the last for the pairs' own spread. For a half-space there is no l: o = A_k, and t =
// h / (1 + h/T), as caps grow with h² where lenses grow with h³; and h is the mean of what is positive of the footprint's
// depths, which are spread evenly with the variance that its tilt and its bend give.
//
// Patches. Places of pairs that are near each other (cells of a grid, touching) make one region. Patches have the
// ellipse of their area's moments as contour; its area is that of the patch if the patch is an ellipse, 4.7 % more
// for a rectangle.
//
// One force per pair of balls, as in VIL, lost: a hundred bristles on balls that come and go hold nothing.
#pragma once

#include "collision/volume/half_space.h"
#include "collision/volume/intersection.h"
#include "collision/volume/patch.h"
#include "collision/volume/sphere_pairs.h"
#include "geometry/packed_solid.h"

#include <array>
#include <cstdint>
#include <vector>

namespace bristle::collision {

// One object for one pair of solids, which must not be replaced by others at the same address. It keeps its buffers, so
// that a pair that goes on touching allocates nothing.
class SphereOverlap {
  public:
    // Appends a patch for every region, in world coordinates and by decreasing volume. Features are small numbers
    // that follow the regions found by the last call. A pose that is not finite gives none.
    void find(const PackedSolid& a, const Placement& at_a, const PackedSolid& b,
              const Placement& at_b, Patches& out);
    // The half-space is b.
    void find(const PackedSolid& a, const Placement& at_a, const HalfSpace& b, Patches& out);

    // Of the last `find`: pairs of balls that overlap, and of footprints.
    uint32_t ball_pairs() const { return ball_pairs_; }
    uint32_t footprint_pairs() const { return footprint_pairs_; }

  private:
    // A lens or a column, in a's frame.
    struct Piece {
        double volume;
        Vec3 centroid;
        Vec3 axis;             // unit, from b to a
        double axial, across;  // second moments about the centroid
        double area;           // of the disc,
        Vec3 area_center;      // where it is,
        double area_across;    // and its second moment about any diameter
        uint32_t region;
    };
    struct Region {
        double volume = 0;
        Vec3 first, area;
        uint32_t feature = 0;
        Vec3 centroid, normal;
        double length = 0, discs = 0;  // of the vector area; of all discs, whichever way they look
        Mat3 second, area_second;      // about the centroid, plus these times the identity
        double isotropic = 0, area_isotropic = 0;
        Vec3 area_first;
    };
    void add_lenses(const PackedSolid& a, const PackedSolid& b);
    void add_columns(const PackedSolid& a, const PackedSolid& b);
    void add_caps(const PackedSolid& a, const HalfSpace& b);
    void find_regions(double link);
    void follow_regions(double link);
    void emit(const Placement& at_a, Vec3 otherwise, Patches& out);
    void emit_contour(ContactPatch& patch, Patches& out) const;

    Mat3 rotation_;  // of b in a's frame
    Vec3 position_;
    SpherePairs near_balls_, near_footprints_;
    std::vector<Piece> pieces_;
    std::vector<Region> regions_, last_;
    std::vector<uint32_t> cells_, used_, queue_, by_volume_;
    uint32_t face_a_ = 0xffffffffu, face_b_ = 0xffffffffu;
    uint32_t ball_pairs_ = 0, footprint_pairs_ = 0;
};

}  // namespace bristle::collision
