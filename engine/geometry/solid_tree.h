// Boxes over the triangles of a solid, for finding which meet those of another.
//
// Binary, one triangle a leaf, nodes in one array with the children of a node side by side. Boxes are single precision and
// about the solid's centre; they are enlarged by more than any rounding here and in what is done with them, so
// that nothing that touches is ever missed.
#pragma once

#include <bristle/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace bristle {

class SolidTree {
  public:
    struct Node {
        std::array<float, 3> center, half;
        uint32_t child;  // the first of two; of a leaf, its triangle
        uint32_t is_leaf;
    };

    SolidTree() = default;
    SolidTree(std::span<const Vec3> vertices, std::span<const std::array<uint32_t, 3>> triangles,
              Vec3 center, double size);

    std::span<const Node> nodes() const { return nodes_; }

    // visit(triangle) for all whose box a ray from `origin` may hit; in the solid's own frame, about its centre.
    template <class Visit> void along(Vec3 origin, Vec3 direction, const Visit& visit) const;

  private:
    struct Item {
        std::array<float, 3> low, high;
        uint32_t triangle;
    };
    void build(uint32_t node, std::span<Item> items);

    std::vector<Node> nodes_;
};

template <class Visit>
void SolidTree::along(Vec3 origin, Vec3 direction, const Visit& visit) const {
    if (nodes_.empty()) return;
    uint32_t stack[128];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const Node& n = nodes_[stack[--top]];
        double enter = 0, leave = 1e300;
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<size_t>(k);
            const double low = n.center[i] - n.half[i] - origin[k],
                         high = n.center[i] + n.half[i] - origin[k];
            if (direction[k] == 0) {
                if (low > 0 || high < 0) leave = -1;
                continue;
            }
            const double first = low / direction[k], second = high / direction[k];
            enter = first < second ? (first > enter ? first : enter)
                                   : (second > enter ? second : enter);
            leave = first < second ? (second < leave ? second : leave)
                                   : (first < leave ? first : leave);
        }
        // A little wider, for the rounding of the quotients.
        if (enter > leave * (1 + 1e-12)) continue;
        if (n.is_leaf) {
            visit(n.child);
            continue;
        }
        stack[top++] = n.child;
        stack[top++] = n.child + 1;
    }
}

}  // namespace bristle
