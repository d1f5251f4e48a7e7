// Sweep and prune: boxes sorted along one axis, tested against those that begin before they end.
//
// The order is kept from step to step and repaired by insertion, which is linear while boxes pass few
// others; when they pass many (a teleport, another axis) it is sorted anew. The axis is the one along
// which the boxes are spread most, chosen when the order is. Along the other two axes eight boxes are
// compared at once, in float as in AabbForest.
//
// Good for few boxes or for scenes along a line. In space the boxes that overlap along one axis are as
// many as N^(2/3), which is why it is not the default.
#pragma once

#include "bench/far/types.h"

#include <array>

namespace bristle::bench {

class SweepAndPrune {
  public:
    void reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin);
    void update(const FarView& view);

    void append_pairs(const FarView& view, FoundPairs& pairs) const;
    void append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const;
    void append_hits(const FarRay& ray, std::vector<uint32_t>& found) const;

  private:
    // One end of a box along the axis, for sorting.
    struct Start {
        float low;
        uint32_t member;
        bool operator<(const Start& o) const {
            return low < o.low || (low == o.low && member < o.member);
        }
    };

    void choose_axis(std::span<const Aabb> boxes);
    void repair_order();
    void copy_in_order(std::span<const Aabb> boxes);
    template <class Visit>
    void sweep(size_t place, const float (&low)[3], const float (&high)[3],
               const Visit& visit) const;
    Aabb at_least(size_t place) const;

    int axis_ = 0;
    bool is_sorted_ = false;
    Vec3 origin_;
    std::vector<Start> order_;
    // In order, with eight that are nowhere after the last: the sweep's axis first, then the next two.
    std::array<std::vector<float>, 3> low_, high_;
    float longest_ = 0;  // m, along the sweep's axis
};

}  // namespace bristle::bench
