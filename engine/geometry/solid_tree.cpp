#include "geometry/solid_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::geometry {
namespace {

// Of the solid's size: some ten roundings of single precision.
constexpr double enlargement = 1e-6;
constexpr float nothing = -1e30F;

}  // namespace

SolidTree::SolidTree(std::span<const Vec3> vertices,
                     std::span<const std::array<uint32_t, 3>> triangles, Vec3 center, double size) {
    std::vector<Item> items(triangles.size());
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        Item& item = items[t];
        item.triangle = t;
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<size_t>(k);
            double low = std::numeric_limits<double>::infinity(), high = -low;
            for (uint32_t v : triangles[t]) {
                low = std::min(low, vertices[v][k] - center[k]);
                high = std::max(high, vertices[v][k] - center[k]);
            }
            item.low[i] = static_cast<float>(low - enlargement * size);
            item.high[i] = static_cast<float>(high + enlargement * size);
        }
    }
    bounds_ = box_of(items);
    root_ = build(items);
}

TreeBox SolidTree::box_of(std::span<const Item> items) {
    std::array<float, 3> low = items[0].low, high = items[0].high;
    for (const Item& i : items)
        for (size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], i.low[k]);
            high[k] = std::max(high[k], i.high[k]);
        }
    TreeBox box{};
    for (size_t k = 0; k < 3; ++k) {
        box.center[k] = 0.5F * (low[k] + high[k]);
        // The middle is rounded.
        box.half[k] =
            0.5F * (high[k] - low[k])
            + std::numeric_limits<float>::epsilon() * (std::abs(low[k]) + std::abs(high[k]));
    }
    return box;
}

uint32_t SolidTree::build(std::span<Item> items) {
    if (items.size() == 1) return leaf | items[0].triangle;
    // Halved at the median along the longest spread of the middles, until there are eight.
    std::array<std::span<Item>, 8> part{items};
    size_t parts = 1;
    while (parts < 8) {
        const auto largest =
            std::max_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(parts),
                             [](const auto& x, const auto& y) { return x.size() < y.size(); });
        const std::span<Item> whole = *largest;
        if (whole.size() == 1) break;
        std::array<float, 3> first{}, last{};
        for (size_t k = 0; k < 3; ++k) {
            first[k] = std::numeric_limits<float>::infinity();
            last[k] = -first[k];
            for (const Item& i : whole) {
                first[k] = std::min(first[k], i.low[k] + i.high[k]);
                last[k] = std::max(last[k], i.low[k] + i.high[k]);
            }
        }
        size_t axis = 0;
        for (size_t k = 1; k < 3; ++k)
            if (last[k] - first[k] > last[axis] - first[axis]) axis = k;
        const size_t half = whole.size() / 2;
        std::nth_element(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(half),
                         whole.end(), [axis](const Item& a, const Item& b) {
                             const float x = a.low[axis] + a.high[axis],
                                         y = b.low[axis] + b.high[axis];
                             return x != y ? x < y : a.triangle < b.triangle;
                         });
        *largest = whole.subspan(0, half);
        part[parts++] = whole.subspan(half);
    }
    const auto node = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
    for (int k = 0; k < 3; ++k) {
        nodes_[node].center[k] = wide(0);
        nodes_[node].half[k] = wide(nothing);
    }
    nodes_[node].child.fill(leaf);
    for (size_t i = 0; i < parts; ++i) {
        const TreeBox box = box_of(part[i]);
        for (size_t k = 0; k < 3; ++k) {
            nodes_[node].center[k][i] = box.center[k];
            nodes_[node].half[k][i] = box.half[k];
        }
        const uint32_t child = build(part[i]);
        nodes_[node].child[i] = child;
    }
    return node;
}

}  // namespace bristle::geometry
