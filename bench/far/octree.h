// Octree of scenery (LUA 4.4.1), built once and asked by moving boxes.
//
// A cell is divided into eight while it holds more than a handful. In the document a box that crosses
// a middle plane stays in the large cell, and every query meets all of those: for N boxes of one size
// N^(2/3) of them. Here cells overlap: the cell for the purpose of fitting is twice as large as its share
// of space, so a box goes down, with its centre, until cells are its own size. A query is compared with
// the bounds of what a cell holds, which are tighter than the cell.
#pragma once

#include "bench/far/types.h"

namespace bristle::bench {

class Octree {
  public:
    void reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin);
    void update(const FarView& view);  // builds it

    void append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const;
    void append_hits(const FarRay& ray, std::vector<uint32_t>& found) const;

  private:
    struct Item {
        Aabb box;
        uint32_t member;
    };
    struct Cell {
        Aabb bounds = nothing;                   // of everything in it and below
        uint32_t first = 0, last = 0;            // items that stay in it
        uint32_t first_child = 0, children = 0;  // only those with something in them
    };
    // The share of space of a cell.
    struct Cube {
        Vec3 center;
        double half;
    };

    void divide(uint32_t cell, const Cube& cube, uint32_t first, uint32_t last, int depth);
    template <class Touches>
    void append(uint32_t cell, const Touches& touches, std::vector<uint32_t>& found) const;

    std::vector<uint32_t> members_;
    std::vector<Item> items_;
    std::vector<Cell> cells_;
};

}  // namespace bristle::bench
