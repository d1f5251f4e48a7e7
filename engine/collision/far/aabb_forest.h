// Wide trees of axis-aligned boxes, refitted at every step: the default of far detection.
//
// Every node holds eight boxes, coordinate by coordinate, so that one AVX instruction compares eight of
// them. Leaves hold the boxes themselves, the levels above the bounds of eight groups each; child c of
// group g is group 8 g + c of the level below. No pointers: a tree is the order of its boxes.
//
//     order    by halves: split at the median of the longest axis of the centres. Clusters and outliers
//              do not matter, because ranks decide and not distances
//     forest   boxes whose largest edges differ by more than a factor of 8 go into different trees, so
//              that a hall does not make the groups of the bolts in it as large as the hall
//     update   the boxes move, the order stays, bounds are computed anew. Groups grow while boxes drift
//              apart; when the work lost to that exceeds what ordering costs, the order is made again
//     pairs    for a whole group at a time: one descent for eight boxes finds the groups it may touch,
//              one comparison the boxes that touch a group's bounds, one for each of these the boxes in
//              it. A group only meets groups after it in its tree, and trees of larger boxes. Each stage
//              writes a list for the next, so that no loop ends where the processor does not expect it
//
// Bounds are floats. Rounding to nearest is monotone: x ≤ y gives float(x) ≤ float(y), so no overlap is
// lost; and float(x) < float(y) gives x < y, so a strict result is exact. Only equal floats are compared
// again in double. Coordinates are relative to an origin near the boxes, to keep the floats' digits.
//
// 100 000 unit cubes on a random walk take 7 ms a step, and 17 ms when they are put in order; sizes over
// six decades, crowds, lines and planes 30 to 100 ns a box. What lost: a uniform grid (9 ms for these
// cubes, for which it is made, and no use for mixed sizes), a binary tree with one descent for each box
// (FCL's takes 45 ms, Bullet's 250 or more), the same tree depth first (12 ms: mispredicted branches).
#pragma once

#include "collision/far/far_types.h"

#include <immintrin.h>

#include <array>

namespace bristle::collision {

class AabbForest {
  public:
    // Which of the boxes of `update` are in it. The same origin for forests that meet.
    void reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin);
    void update(const FarView& view);

    // Each pair once, complete and without false ones.
    void append_pairs(const FarView& view, FoundPairs& pairs);
    void append_pairs_with(const AabbForest& other, const FarView& view, FoundPairs& pairs);
    // May give boxes that just miss.
    void append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const;
    void append_hits(const FarRay& ray, std::vector<uint32_t>& found) const;

    // How often boxes have been put in order since `reset`.
    uint32_t order_count() const { return order_count_; }

  private:
    static constexpr uint32_t width = 8;
    static constexpr uint32_t max_levels = 12;  // 8¹¹ > 2³² boxes
    // Trees differ by a factor of 8 in the edge of their boxes. What is smaller than 2⁻³⁰ m or larger
    // than 2³³ m goes to the first and the last.
    static constexpr int smallest_exponent = -30, size_classes = 22;

    struct alignas(32) Group {
        float low[3][width], high[3][width];
    };
    // One box in all lanes.
    struct Spread {
        __m256 low[3], high[3];
    };
    struct Tree {
        uint32_t size;
        uint32_t levels;             // at least 2
        uint32_t level[max_levels];  // first group of each
        float usual_edge;            // of its boxes, m

        uint32_t leaves() const { return (size + width - 1) / width; }
    };
    struct Item {
        float center[3];
        uint32_t member;
    };

    // Who its boxes are, lane by lane as the boxes themselves.
    struct alignas(32) Names {
        uint32_t member[width], owner[width], group[width], mask[width];
    };

    static __m256 separation(const Group& group, const Spread& box);
    static uint32_t lanes_touching(const Group& group, const Spread& box);
    static Spread spread(const Group& group, uint32_t lane);
    Spread spread(const Aabb& box) const;
    Aabb at_least(const Group& group, uint32_t lane) const;

    void put_in_order(const FarView& view);
    void sort_by_size(std::span<const Aabb> boxes, uint32_t (&class_end)[size_classes]);
    void lay_out(std::span<const FarObject> objects, uint32_t leaves);
    void refit(std::span<const Aabb> boxes);
    void refit_leaf(uint32_t leaf, std::span<const Aabb> boxes);
    void refit_parent(const Tree& tree, uint32_t level, uint32_t child);
    static void store_nothing(Group& group, uint32_t lane);
    double relative_growth() const;

    void meet(uint32_t leaf, const Spread& bounds, const AabbForest& other, const Tree& other_tree,
              uint32_t first, const FarView& view, FoundPairs& pairs);
    std::span<const uint32_t> find_leaves(const AabbForest& other, const Tree& tree,
                                          const Spread& box, uint32_t first);
    std::span<const uint32_t> find_meetings(uint32_t leaf, const AabbForest& other,
                                            const Tree& other_tree,
                                            std::span<const uint32_t> other_leaves);
    FarPair* compare(uint32_t leaf, uint32_t lane, const AabbForest& other, uint32_t other_leaf,
                     uint32_t lanes, const FarView& view, FarPair* end) const;
    void append_overlapping(const Spread& box, const Tree& tree, uint32_t level, uint32_t index,
                            std::vector<uint32_t>& found) const;
    void append_hits(const FarRay& ray, const Tree& tree, uint32_t level, uint32_t index,
                     std::vector<uint32_t>& found) const;

    Vec3 origin_;
    std::vector<uint32_t> members_;  // in the order of the leaves
    std::vector<Tree> trees_;        // from small boxes to large ones
    std::vector<Group> groups_;      // leaves of all trees, then the levels above them
    std::vector<Names> names_;       // of the leaves
    std::vector<float> leaf_size_, ordered_size_;  // m, now and when put in order
    double lost_work_ = 0;                         // in steps of a forest freshly put in order
    uint32_t order_count_ = 0;
    bool is_ordered_ = false;

    std::vector<Item> items_;
    std::vector<uint8_t> size_class_;
    std::array<std::vector<uint32_t>, 2> frontier_;
    std::vector<uint32_t> meetings_;
};

}  // namespace bristle::collision
