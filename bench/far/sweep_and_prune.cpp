#include "bench/far/sweep_and_prune.h"

#include <immintrin.h>

#include <bit>

namespace bristle::bench {

namespace {

constexpr float beyond = std::numeric_limits<float>::infinity();
constexpr size_t width = 8;
// Repairing the order by more moves than this per box costs more than sorting.
constexpr size_t most_moves = 16;

float to_float(double x) { return static_cast<float>(std::clamp(x, -1e38, 1e38)); }

}  // namespace

void SweepAndPrune::reset(const FarView& /*view*/, std::span<const uint32_t> members, Vec3 origin) {
    origin_ = origin;
    is_sorted_ = false;
    order_.clear();
    for (uint32_t i : members) order_.push_back({0, i});
    for (size_t k = 0; k < 3; ++k) {
        low_[k].resize(order_.size() + width);
        high_[k].resize(order_.size() + width);
    }
}

void SweepAndPrune::update(const FarView& view) {
    if (!is_sorted_) choose_axis(view.boxes);
    for (Start& start : order_) {
        const Aabb& box = view.boxes[start.member];
        start.low = is_ordinary(box) ? to_float(box.low[axis_] - origin_[axis_]) : beyond;
    }
    repair_order();
    copy_in_order(view.boxes);
}

void SweepAndPrune::choose_axis(std::span<const Aabb> boxes) {
    Vec3 squares;
    for (const Start& start : order_) {
        if (!is_ordinary(boxes[start.member])) continue;
        const Vec3 c = center_of(boxes[start.member]) - origin_;
        squares += {c.x * c.x, c.y * c.y, c.z * c.z};
    }
    axis_ = squares.x >= squares.y && squares.x >= squares.z ? 0 : squares.y >= squares.z ? 1 : 2;
}

void SweepAndPrune::repair_order() {
    size_t moves = is_sorted_ ? most_moves * order_.size() : 0;
    is_sorted_ = true;
    for (size_t i = 1; i < order_.size(); ++i) {
        const Start start = order_[i];
        size_t to = i;
        for (; to > 0 && start < order_[to - 1] && moves > 0; --to, --moves)
            order_[to] = order_[to - 1];
        order_[to] = start;
        if (moves == 0) {
            std::sort(order_.begin(), order_.end());
            return;
        }
    }
}

void SweepAndPrune::copy_in_order(std::span<const Aabb> boxes) {
    const size_t size = order_.size();
    longest_ = 0;
    for (size_t place = 0; place < size + width; ++place) {
        const bool is_there = place < size && order_[place].low < beyond;
        for (int k = 0; k < 3; ++k) {
            const int axis = (axis_ + k) % 3;
            low_[k][place] = beyond;
            high_[k][place] = -beyond;
            if (!is_there) continue;
            const Aabb& box = boxes[order_[place].member];
            low_[k][place] = to_float(box.low[axis] - origin_[axis]);
            high_[k][place] = to_float(box.high[axis] - origin_[axis]);
        }
        if (is_there) longest_ = std::max(longest_, high_[0][place] - low_[0][place]);
    }
}

// Calls visit(place) for the boxes from `place` on that touch the one given, until one begins after its end.
template <class Visit>
void SweepAndPrune::sweep(size_t place, const float (&low)[3], const float (&high)[3],
                          const Visit& visit) const {
    const size_t size = order_.size();
    for (; place < size && low_[0][place] <= high[0]; place += width) {
        __m256 touch = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for (int k = 0; k < 3; ++k) {
            const __m256 before = _mm256_cmp_ps(_mm256_loadu_ps(&low_[k][place]),
                                                _mm256_set1_ps(high[k]), _CMP_LE_OQ);
            const __m256 after = _mm256_cmp_ps(_mm256_set1_ps(low[k]),
                                               _mm256_loadu_ps(&high_[k][place]), _CMP_LE_OQ);
            touch = _mm256_and_ps(touch, _mm256_and_ps(before, after));
        }
        for (auto lanes = static_cast<uint32_t>(_mm256_movemask_ps(touch)); lanes != 0;
             lanes &= lanes - 1)
            visit(place + static_cast<size_t>(std::countr_zero(lanes)));
    }
}

void SweepAndPrune::append_pairs(const FarView& view, FoundPairs& pairs) const {
    for (size_t i = 0; i < order_.size() && order_[i].low < beyond; ++i) {
        const float low[3] = {low_[0][i], low_[1][i], low_[2][i]};
        const float high[3] = {high_[0][i], high_[1][i], high_[2][i]};
        const uint32_t member = order_[i].member;
        sweep(i + 1, low, high, [&](size_t place) {
            const uint32_t other = order_[place].member;
            if (overlap(view.boxes[member], view.boxes[other])
                && can_pair(view.objects[member], view.objects[other]))
                pairs.add(member, other);
        });
    }
}

void SweepAndPrune::append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        const int axis = (axis_ + k) % 3;
        low[k] = to_float(box.low[axis] - origin_[axis]);
        high[k] = to_float(box.high[axis] - origin_[axis]);
    }
    // The subtraction rounds: one step further down is safe.
    const float earliest = std::nextafter(low[0] - longest_, -beyond);
    const auto first = std::lower_bound(
        low_[0].begin(), low_[0].begin() + static_cast<ptrdiff_t>(order_.size()), earliest);
    sweep(static_cast<size_t>(first - low_[0].begin()), low, high,
          [&](size_t place) { found.push_back(order_[place].member); });
}

// The box with what rounding may have taken from it; in world axes.
Aabb SweepAndPrune::at_least(size_t place) const {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        const int axis = (axis_ + k) % 3;
        const double low = low_[k][place], high = high_[k][place];
        const double shift = 0x1p-50 * std::abs(origin_[axis]) + 1e-40;
        box.low[axis] = origin_[axis] + low - (0x1p-23 * std::abs(low) + shift);
        box.high[axis] = origin_[axis] + high + (0x1p-23 * std::abs(high) + shift);
    }
    return box;
}

void SweepAndPrune::append_hits(const FarRay& ray, std::vector<uint32_t>& found) const {
    for (size_t i = 0; i < order_.size() && order_[i].low < beyond; ++i)
        if (hits(ray, at_least(i))) found.push_back(order_[i].member);
}

}  // namespace bristle::bench
