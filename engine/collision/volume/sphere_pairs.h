// Pairs of balls of two placed sphere trees: those that are near each other, and what volume they can share at most.
//
// Pairs are searched with some margin and the list is kept while nothing has moved by more. Its order is that of the
// trees, not of the moment: sums over it come out with the same bits, however old the list is.
#pragma once

#include "collision/volume/intersection.h"
#include "geometry/sphere_tree.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle::collision {

class SpherePairs {
  public:
    // Makes sure that all pairs that overlap are listed, b being placed in the frame of a. The trees must not be
    // replaced by others at the same address.
    void update(const SphereTree& a, const SphereTree& b, const Mat3& rotation, Vec3 position,
                double margin);
    // Balls of a and of b, no farther apart than the margin and what has moved since.
    std::span<const std::array<uint32_t, 2>> pairs() const { return pairs_; }

  private:
    const void *a_ = nullptr, *b_ = nullptr;  // what the list was made for, and where that was
    Mat3 rotation_;
    Vec3 position_;
    double margin_ = 0;
    uint32_t age_ = 0;  // in calls
    std::vector<std::array<uint32_t, 2>> pairs_;
};

// What a query with a budget knows: the true volume is between `volume` and `volume` + `rest`.
struct VolumeBounds {
    double volume = 0;   // of lenses, as they are: not divided by shares filled
    double rest = 0;     // zero if the budget sufficed
    uint32_t pairs = 0;  // of nodes and balls looked at
};

// The time-critical query: looks at no more than `budget` pairs (and a leaf's more), those first that may share most.
class SphereBounds {
  public:
    VolumeBounds find(const SphereTree& a, const Placement& at_a, const SphereTree& b,
                      const Placement& at_b, uint32_t budget);

  private:
    struct Candidate {
        double bound;
        uint32_t a, b;
    };
    std::vector<Candidate> heap_;
};

bool is_finite(const Placement&);

}  // namespace bristle::collision
