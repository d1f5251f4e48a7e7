// A plain uniform grid for the cubes of bench/far/boxes.h, built from scratch each step: the floor that far
// detection is measured against, and the exact number of pairs.
//
// It knows what a general method may not: all boxes are cubes of one size, cells are as large as they
// are, and the world is a cube. A counting sort puts the boxes in the order of the cells of their low
// corners; each box then meets the rest of its own row of cells and the four rows after it, three
// cells of each, which lie side by side in memory.
#pragma once

#include "bench/far/boxes.h"

#include <algorithm>
#include <utility>

namespace bristle::bench::far_boxes {

class Grid {
  public:
    using Pair = std::pair<uint32_t, uint32_t>;

    // How many.
    size_t find_pairs(const Walk& walk) {
        sort_into_cells(walk);
        found_ = 0;
        for (uint32_t z = 1; z + 1 < cells_; ++z)
            for (uint32_t y = 1; y + 1 < cells_; ++y)
                for (uint32_t x = 1; x + 1 < cells_; ++x) meet_neighbours(index(x, y, z));
        return found_;
    }
    // As many as were found, in no particular order.
    const Pair* pairs() const { return pairs_.data(); }

  private:
    struct Entry {
        std::array<double, 3> low;
        uint64_t id;
    };

    uint32_t index(uint32_t x, uint32_t y, uint32_t z) const {
        return (z * cells_ + y) * cells_ + x;
    }

    // An empty layer of cells all around spares the search its special cases.
    void sort_into_cells(const Walk& walk) {
        cells_ = static_cast<uint32_t>(walk.side() / edge) + 3;
        start_.assign(size_t{cells_} * cells_ * cells_ + 1, 0);
        cell_.resize(walk.count());
        entries_.resize(walk.count());
        const auto& lows = walk.lows();
        const auto cell = [](double x) { return static_cast<uint32_t>(x * (1 / edge)) + 1; };
        for (size_t i = 0; i < lows.size(); ++i) {
            cell_[i] = index(cell(lows[i][0]), cell(lows[i][1]), cell(lows[i][2]));
            ++start_[cell_[i]];
        }
        uint32_t sum = 0;
        for (uint32_t& s : start_) s = sum += s;
        for (size_t i = lows.size(); i-- > 0;) entries_[--start_[cell_[i]]] = {lows[i], i};
    }

    void meet_neighbours(uint32_t cell) {
        const uint32_t row = cells_, layer = cells_ * cells_;
        for (uint32_t i = start_[cell]; i < start_[cell + 1]; ++i) {
            meet(i, i + 1, start_[cell + 2]);
            for (uint32_t other :
                 {cell + row, cell + layer - row, cell + layer, cell + layer + row})
                meet(i, start_[other - 1], start_[other + 2]);
        }
    }

    void meet(uint32_t i, uint32_t first, uint32_t last) {
        const Entry& a = entries_[i];
        if (pairs_.size() <= found_ + (last - first))
            pairs_.resize(2 * (found_ + last - first + 1));
        for (uint32_t j = first; j < last; ++j) {
            const Entry& b = entries_[j];
            // Of the boxes, whose high corners are rounded: not of the distances.
            bool overlap = true;
            for (size_t k = 0; k < 3; ++k)
                overlap &= (a.low[k] <= b.low[k] + edge) & (b.low[k] <= a.low[k] + edge);
            // Written always and kept if it counts: a branch here would be guessed wrong too often.
            pairs_[found_] = {std::min(a.id, b.id), std::max(a.id, b.id)};
            found_ += overlap;
        }
    }

    uint32_t cells_ = 0;
    std::vector<uint32_t> start_, cell_;
    std::vector<Entry> entries_;
    std::vector<Pair> pairs_;
    size_t found_ = 0;
};

}  // namespace bristle::bench::far_boxes
