// Items put in order by halves: split at the median of the longest axis of their centres, again and again.
//
// An item has the floats center[3] and fills, with whatever else it has, four floats.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace bristle::collision {

struct LongestExtent {
    int axis;
    float low, high;
};

template <class Item> LongestExtent longest_extent(const Item* items, uint32_t count) {
    static_assert(sizeof(Item) == sizeof(__m128));
    const auto load = [&](uint32_t i) { return _mm_loadu_ps(items[i].center); };
    __m128 low = load(0), high = low;
    for (uint32_t i = 1; i < count; ++i) {
        low = _mm_min_ps(low, load(i));
        high = _mm_max_ps(high, load(i));
    }
    const __m128 edge = high - low;
    const int axis = edge[0] >= edge[1] && edge[0] >= edge[2] ? 0 : edge[1] >= edge[2] ? 1 : 2;
    return {axis, low[axis], high[axis]};
}

// Moves the items that belong to the left before the others; how many. Without a branch to guess.
template <class Item, class IsLeft>
uint32_t partition(Item* items, uint32_t first, uint32_t last, const IsLeft& is_left) {
    for (uint32_t i = first; i < last; ++i) {
        const Item item = items[i];
        items[i] = items[first];
        items[first] = item;
        first += is_left(item);
    }
    return first;
}

template <class Item>
float middle_of_three(const Item* items, uint32_t first, uint32_t last, int axis) {
    const float a = items[first].center[axis], b = items[first + (last - first) / 2].center[axis],
                c = items[last - 1].center[axis];
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// The `half` smallest along the axis to the front. Pivots come in turn from interpolation, which is
// almost right at once where boxes are spread evenly, and from the items, which never fails to advance.
template <class Item>
void separate(Item* items, uint32_t count, uint32_t half, const LongestExtent& extent) {
    constexpr uint32_t few = 16, many_rounds = 40;
    const int axis = extent.axis;
    uint32_t first = 0, last = count;
    float low = extent.low, high = extent.high;
    for (uint32_t round = 0; last - first > few && round < many_rounds && half > first; ++round) {
        const float share = static_cast<float>(half - first) / static_cast<float>(last - first);
        const float pivot =
            round % 2 == 0 ? low + (high - low) * share : middle_of_three(items, first, last, axis);
        const uint32_t middle =
            partition(items, first, last, [&](const Item& i) { return i.center[axis] < pivot; });
        if (half < middle) {
            last = middle;
            high = pivot;
            continue;
        }
        low = pivot;
        if (middle > first) {
            first = middle;
            continue;
        }
        // None is smaller: those equal to the pivot are the front.
        first =
            partition(items, first, last, [&](const Item& i) { return i.center[axis] <= pivot; });
        if (half <= first) return;
    }
    std::nth_element(
        items + first, items + half, items + last,
        [axis](const Item& a, const Item& b) { return a.center[axis] < b.center[axis]; });
}

// Halves the items until they fit a leaf. The first half is a power of two, so that halves, quarters and
// eighths are whole groups on every level.
template <class Item> void halve(Item* items, uint32_t count, uint32_t leaf) {
    while (count > leaf) {
        const uint32_t half = std::bit_floor(count - 1);
        separate(items, count, half, longest_extent(items, count));
        halve(items, half, leaf);
        items += half;
        count -= half;
    }
}

}  // namespace bristle::collision
