// Classes of things that belong together.
#pragma once

#include "base/rooms.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace bristle::base {

class UnionFind {
  public:
    explicit UnionFind(size_t size = 0) { reset(size); }
    void reset(size_t size) {
        parent_.resize(size);
        std::iota(parent_.begin(), parent_.end(), 0u);
    }
    uint32_t add() {
        parent_.push_back(static_cast<uint32_t>(parent_.size()));
        return parent_.back();
    }
    size_t size() const { return parent_.size(); }
    uint32_t find(uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void unite(uint32_t i, uint32_t j) {
        // The smaller root wins, so that ground (0) stays the root of its class.
        i = find(i);
        j = find(j);
        parent_[std::max(i, j)] = std::min(i, j);
    }

  private:
    std::vector<uint32_t> parent_;
};

}  // namespace bristle::base
