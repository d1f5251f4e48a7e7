// Who is connected with whom, and who sleeps.
//
// An *island* is a set of moving groups that contacts and rows connect; islands are independent of each other.
// One whose groups have all been slow for long enough falls asleep as a whole: it takes no part in anything until
// an awake body touches it, or somebody acts on it. What may move by itself (a drive or motor that follows a
// function of time) does not sleep, and what a drive or motor moves only when it is a hundred times slower.
#pragma once

#include "base/union_find.h"
#include "impulse/direct.h"
#include "impulse/mechanism.h"

namespace bristle::impulse {

class Islands {
  public:
    // Of all groups that are awake; manifolds and elements of others are left out.
    void find(const std::vector<GroupMotion>&, const std::vector<Manifold>&, const Mechanism&);

    size_t size() const { return group_start_.empty() ? 0 : group_start_.size() - 1; }
    std::span<const uint32_t> groups(size_t i) const { return part(groups_, group_start_, i); }
    std::span<const uint32_t> manifolds(size_t i) const {
        return part(manifolds_, manifold_start_, i);
    }
    std::span<const uint32_t> elements(size_t i) const {
        return part(elements_, element_start_, i);
    }

  private:
    using List = std::vector<uint32_t>;
    static std::span<const uint32_t> part(const List& list, const List& start, size_t i) {
        return {list.data() + start[i], start[i + 1] - start[i]};
    }
    // Sorts things into islands, keeping their order.
    template <class IslandOf>
    void sort(uint32_t count, const IslandOf& island_of, List& list, List& start);

    UnionFind connected_;
    List island_of_;  // of every group
    List groups_, manifolds_, elements_, group_start_, manifold_start_, element_start_;
    uint32_t count_ = 0;
};

}  // namespace bristle::impulse
