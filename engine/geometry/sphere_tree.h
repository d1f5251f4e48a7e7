// A tree of spheres over balls that do not overlap (spec C7; VIL, inner sphere trees).
//
// A node is a sphere that covers all balls below it, not its children's spheres: covering spheres of covering
// spheres would grow from level to level. Balls are split along the axis on which they spread most, into halves of
// equal number, so no tree is deeper than 2 + log₂ of the balls. Nodes lie in one array in preorder, each with the
// index of the node that follows it and all below it; balls lie in the order of the leaves.
//
// Every node knows the volume of its balls. As those do not overlap, what two nodes share is at most
//
//     min(volume of a's balls, volume of b's balls, lens of the two spheres)
//
// which is the bound of the time-critical query (sphere_overlap.h).
#pragma once

#include "base/rooms.h"
#include "geometry/sphere_packing.h"
#include "math/wide.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

class SphereTree {
  public:
    static constexpr uint32_t leaf_size = 16;  // balls: two blocks
    static constexpr size_t deepest = 36;      // levels, for 2³² balls

    // Eight balls of a leaf in single precision, to be tested at once; rounded, so only for a first look. Those
    // that are not there are far away.
    struct Block {
        Wide x, y, z, radius;
    };
    struct Node {
        Vec3 center;
        double radius;
        double volume;          // of the balls below, m³
        uint32_t first, count;  // all balls below
        uint32_t skip;          // the node after all nodes below; a leaf's is the next one
        uint32_t block;         // the first of a leaf

        bool is_leaf(uint32_t index) const { return skip == index + 1; }
    };

    SphereTree() = default;
    // Throws InputError if a ball is not finite or its radius not positive.
    explicit SphereTree(std::span<const Ball> balls);

    bool is_empty() const { return nodes_.empty(); }
    std::span<const Node> nodes() const { return nodes_; }
    std::span<const Ball> balls() const { return balls_; }
    std::span<const Block> blocks() const { return blocks_; }
    // By how much places in blocks may be off, m.
    double rounding() const { return rounding_; }
    // Where ball i was in the list the tree was made of.
    uint32_t original(uint32_t ball) const { return original_[ball]; }
    double largest() const { return largest_; }  // radius

  private:
    void build(uint32_t first, uint32_t count);
    void add_blocks(const Node& leaf);

    std::vector<Node> nodes_;
    std::vector<Ball> balls_;
    std::vector<Block> blocks_;
    std::vector<uint32_t> original_;
    double largest_ = 0, rounding_ = 0;
};

}  // namespace bristle::geometry
