// Boxes over the triangles of a solid, for finding which meet those of another.
//
// Eight children a node, so that one box meets eight at a time. Boxes are single precision and about the solid's
// centre; they are enlarged by more than any rounding here and in what is done with them, so that nothing
// that touches is ever missed.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"
#include "math/wide.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle::geometry {

struct TreeBox {
    std::array<float, 3> center, half;
};

class SolidTree {
  public:
    static constexpr uint32_t leaf = 0x80000000u;  // the rest of the number is a triangle's

    struct Node {
        Wide center[3], half[3];  // of lanes that are not used, half is far below zero
        std::array<uint32_t, 8> child;
    };

    SolidTree() = default;
    SolidTree(std::span<const Vec3> vertices, std::span<const std::array<uint32_t, 3>> triangles,
              Vec3 center, double size);

    std::span<const Node> nodes() const { return nodes_; }
    // The whole: a node, or a single triangle.
    uint32_t root() const { return root_; }
    const TreeBox& bounds() const { return bounds_; }

    // visit(triangle) for all whose box a ray from `origin` may hit; in the solid's own axes, about its centre.
    template <class Visit> void along(Vec3 origin, Vec3 direction, const Visit& visit) const;

  private:
    struct Item {
        std::array<float, 3> low, high;
        uint32_t triangle;
    };
    static TreeBox box_of(std::span<const Item>);
    uint32_t build(std::span<Item> items);

    std::vector<Node> nodes_;
    uint32_t root_ = leaf;
    TreeBox bounds_{};
};

template <class Visit>
void SolidTree::along(Vec3 origin, Vec3 direction, const Visit& visit) const {
    // |d| ≤ r along the three axes and the three cross products with the ray; and not all behind its origin.
    const double length = norm(direction);
    Wide o[3], u[3], size[3];
    for (int k = 0; k < 3; ++k) {
        o[k] = wide(static_cast<float>(origin[k]));
        u[k] = wide(static_cast<float>(direction[k] / length));
        size[k] = wide(static_cast<float>(std::abs(direction[k] / length)) + 1e-6F);
    }
    const auto magnitude = [](Wide x) { return max(x, -x); };
    uint32_t stack[256];
    int top = 0;
    stack[top++] = root_;
    while (top > 0) {
        const uint32_t next = stack[--top];
        if (next & leaf) {
            visit(next & ~leaf);
            continue;
        }
        const Node& n = nodes_[next];
        Wide d[3];
        for (int k = 0; k < 3; ++k) d[k] = n.center[k] - o[k];
        // Negative where something separates.
        Wide room = fma(d[0], u[0], fma(d[1], u[1], d[2] * u[2]))
                  + fma(n.half[0], size[0], fma(n.half[1], size[1], n.half[2] * size[2]));
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const Wide reach = fma(n.half[i], size[j], n.half[j] * size[i]);
            room = min(room, reach - magnitude(fnma(d[j], u[i], d[i] * u[j])));
        }
        for (unsigned mask = static_cast<unsigned>(_mm256_movemask_ps((__m256)room)) ^ 0xffu;
             mask != 0; mask &= mask - 1)
            stack[top++] = n.child[static_cast<size_t>(__builtin_ctz(mask))];
    }
}

}  // namespace bristle::geometry
