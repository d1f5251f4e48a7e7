#include "geometry/solid_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {
namespace {

// Of the solid's size: some ten roundings of single precision.
constexpr double enlargement = 1e-6;

}  // namespace

SolidTree::SolidTree(std::span<const Vec3> vertices,
                     std::span<const std::array<uint32_t, 3>> triangles, Vec3 center, double size) {
    std::vector<Item> items;
    items.reserve(triangles.size());
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        Item item{};
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
        items.push_back(item);
    }
    if (items.empty()) return;
    nodes_.reserve(2 * items.size() - 1);
    nodes_.resize(1);
    build(0, items);
}

void SolidTree::build(uint32_t node, std::span<Item> items) {
    std::array<float, 3> low = items[0].low, high = items[0].high;
    std::array<float, 3> first = low, last = low;  // of the sums low + high: twice the middles
    for (size_t k = 0; k < 3; ++k) first[k] = last[k] = items[0].low[k] + items[0].high[k];
    for (const Item& i : items)
        for (size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], i.low[k]);
            high[k] = std::max(high[k], i.high[k]);
            first[k] = std::min(first[k], i.low[k] + i.high[k]);
            last[k] = std::max(last[k], i.low[k] + i.high[k]);
        }
    Node n{};
    for (size_t k = 0; k < 3; ++k) {
        n.center[k] = 0.5F * (low[k] + high[k]);
        n.half[k] = 0.5F * (high[k] - low[k]);
        // The middle is rounded.
        n.half[k] +=
            2 * std::numeric_limits<float>::epsilon() * (std::abs(low[k]) + std::abs(high[k]));
    }
    if (items.size() == 1) {
        n.is_leaf = 1;
        n.child = items[0].triangle;
        nodes_[node] = n;
        return;
    }
    size_t axis = 0;
    for (size_t k = 1; k < 3; ++k)
        if (last[k] - first[k] > last[axis] - first[axis]) axis = k;
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
    std::nth_element(items.begin(), middle, items.end(), [axis](const Item& a, const Item& b) {
        const float x = a.low[axis] + a.high[axis], y = b.low[axis] + b.high[axis];
        return x != y ? x < y : a.triangle < b.triangle;
    });
    n.child = static_cast<uint32_t>(nodes_.size());
    nodes_[node] = n;
    nodes_.resize(nodes_.size() + 2);
    const size_t half = items.size() / 2;
    const uint32_t child = n.child;
    build(child, items.subspan(0, half));
    build(child + 1, items.subspan(half));
}

}  // namespace bristle
