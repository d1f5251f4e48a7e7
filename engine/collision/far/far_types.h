// What far detection works on, shared by all its methods.
#pragma once

#include "geometry/collider.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bristle::collision {

// One box of the set. Two of them can pair if each one's group is in the other's mask, they have
// different owners and at least one of them moves.
struct FarObject {
    uint32_t owner = 0;
    uint32_t group = 1, mask = 0xffffffffu;
    bool is_static = false;
};

inline bool can_pair(const FarObject& a, const FarObject& b) {
    return (a.group & b.mask) != 0 && (b.group & a.mask) != 0 && a.owner != b.owner
        && !(a.is_static && b.is_static);
}

// Indices of two boxes that overlap, a < b.
struct FarPair {
    uint32_t a, b;
    constexpr bool operator==(const FarPair&) const = default;
};

// The points origin + t · direction, 0 ≤ t ≤ length. The direction need not be a unit vector.
struct FarRay {
    Vec3 origin, direction;
    double length = std::numeric_limits<double>::infinity();
};

// A box with NaN or turned inside out holds nothing and meets nothing.
inline bool is_empty(const Aabb& box) {
    return !(box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z);
}

// Touching counts.
inline bool overlap(const Aabb& a, const Aabb& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y
        && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// Not empty, and small enough for a centre and a size that can be computed with, in float too. The
// others (half-spaces, mistakes) are kept out of the methods and tested one by one.
inline constexpr double largest_ordinary =
    1e30;  // m; squares are finite in double, itself in float
inline bool is_ordinary(const Aabb& box) {
    constexpr double limit = largest_ordinary;
    return -limit <= box.low.x && box.low.x <= box.high.x && box.high.x <= limit
        && -limit <= box.low.y && box.low.y <= box.high.y && box.high.y <= limit
        && -limit <= box.low.z && box.low.z <= box.high.z && box.high.z <= limit;
}

// What is left of a box within the bounds of ordinary ones, which is all that can meet them.
inline Aabb clamped(const Aabb& box) {
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        result.low[k] = std::clamp(box.low[k], -largest_ordinary, largest_ordinary);
        result.high[k] = std::clamp(box.high[k], -largest_ordinary, largest_ordinary);
    }
    return result;
}

inline Vec3 center_of(const Aabb& box) { return 0.5 * (box.low + box.high); }

inline Aabb united(const Aabb& a, const Aabb& b) {
    return {
        {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
        {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

inline constexpr Aabb nothing = {
    {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
     std::numeric_limits<double>::infinity()},
    {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
     -std::numeric_limits<double>::infinity()}};

// Slab by slab. Every operation is monotone in the box, so a larger box is hit whenever a smaller one
// inside it is: rounding cannot hide a leaf from its node.
inline bool hits(const FarRay& ray, const Aabb& box) {
    double enter = 0, leave = ray.length;
    for (int k = 0; k < 3; ++k) {
        const double d = ray.direction[k], o = ray.origin[k];
        if (d == 0) {
            if (!(box.low[k] <= o && o <= box.high[k])) return false;
            continue;
        }
        const double to_low = (box.low[k] - o) / d, to_high = (box.high[k] - o) / d;
        enter = std::max(enter, std::min(to_low, to_high));
        leave = std::min(leave, std::max(to_low, to_high));
    }
    return enter <= leave;
}

// What a method sees of the set. It keeps no pointers to it.
struct FarView {
    std::span<const FarObject> objects;
    std::span<const Aabb> boxes;
};

// Pairs while they are being found. Room for the next ones is made ahead, so that a method may write
// first and decide afterwards how many count.
class FoundPairs {
  public:
    void clear() { count_ = 0; }
    size_t count() const { return count_; }
    std::span<const FarPair> all() const { return {room_.data(), count_}; }

    // Where to write, with room for so many.
    FarPair* end(size_t more) {
        if (room_.size() < count_ + more) room_.resize(2 * (count_ + more));
        return room_.data() + count_;
    }
    void keep_until(const FarPair* end) { count_ = static_cast<size_t>(end - room_.data()); }
    void add(uint32_t i, uint32_t j) {
        *end(1) = {std::min(i, j), std::max(i, j)};
        ++count_;
    }

  private:
    std::vector<FarPair> room_;
    size_t count_ = 0;
};

}  // namespace bristle::collision
