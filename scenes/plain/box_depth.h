// How deep boxes are in each other, by separating axes: the same measure for every engine, whatever it
// calls a contact.
//
// The depth of a pair is the shortest way along which one of them would have to be moved to be clear of
// the other. Candidates are the three face normals of each and the nine products of their edges.
#pragma once

#include "scenes/plain/scene.h"

#include <algorithm>

namespace bristle::scenes::plain {

struct PlacedBox {
    Vec3 half;  // edges
    Vec3 center;
    Vec3 axes[3];

    PlacedBox(const Vec3& size, const Pose& pose)
        : half(0.5 * size),
          center(pose.position),
          axes{pose.orientation * Vec3{1, 0, 0}, pose.orientation * Vec3{0, 1, 0},
               pose.orientation * Vec3{0, 0, 1}} {}

    double radius() const { return std::sqrt(squared(half)); }
    // Half its extent along a direction.
    double reach(const Vec3& direction) const {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) sum += half[i] * std::abs(dot(axes[i], direction));
        return sum;
    }
};

// Negative where they are apart: then some axis shows a gap of that size, and they may be further apart.
inline double depth(const PlacedBox& a, const PlacedBox& b) {
    const Vec3 between = b.center - a.center;
    double least = unlimited;
    const auto try_axis = [&](const Vec3& unit) {
        least = std::min(least, a.reach(unit) + b.reach(unit) - std::abs(dot(between, unit)));
    };
    for (const Vec3& axis : a.axes) try_axis(axis);
    for (const Vec3& axis : b.axes) try_axis(axis);
    for (const Vec3& of_a : a.axes)
        for (const Vec3& of_b : b.axes) {
            const Vec3 product = cross(of_a, of_b);
            const double length = std::sqrt(squared(product));
            // Edges this parallel give no direction of their own: it is one of the faces', and its
            // rounding grows as 1e-16 over the length.
            if (length > 1e-6) try_axis((1 / length) * product);
        }
    return least;
}

struct Depths {
    std::size_t pairs = 0;     // that overlap
    double mean = 0, max = 0;  // m, over those pairs
};

// Of all pairs that overlap. Sorted along z, where a pile is longest.
inline Depths depths(std::vector<PlacedBox> boxes) {
    const auto low = [](const PlacedBox& box) { return box.center[2] - box.reach({0, 0, 1}); };
    const auto high = [](const PlacedBox& box) { return box.center[2] + box.reach({0, 0, 1}); };
    std::sort(boxes.begin(), boxes.end(),
              [&](const PlacedBox& a, const PlacedBox& b) { return low(a) < low(b); });
    Depths out;
    double sum = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double top = high(boxes[i]), radius = boxes[i].radius();
        for (std::size_t j = i + 1; j < boxes.size() && low(boxes[j]) < top; ++j) {
            const double near = radius + boxes[j].radius();
            if (squared(boxes[j].center - boxes[i].center) > near * near) continue;
            const double deep = depth(boxes[i], boxes[j]);
            if (deep <= 0) continue;
            ++out.pairs;
            sum += deep;
            out.max = std::max(out.max, deep);
        }
    }
    if (out.pairs > 0) out.mean = sum / static_cast<double>(out.pairs);
    return out;
}

}  // namespace bristle::scenes::plain
