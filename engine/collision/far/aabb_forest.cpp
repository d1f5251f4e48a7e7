#include "collision/far/aabb_forest.h"

#include "collision/far/eight_lanes.h"
#include "collision/far/halving.h"

#include <bit>

namespace bristle::collision {

namespace {

constexpr uint32_t no_member = std::numeric_limits<uint32_t>::max();
constexpr float beyond = std::numeric_limits<float>::infinity();

// Ordering costs about as much as this many steps of a forest in good order.
constexpr double ordering_cost = 1.5;
// Groups that have grown this much together are not worth one more search.
constexpr double intolerable_growth = 1.5;
// A group counts as grown by no more than this: one fast box stretches its group as far as it flies.
constexpr float most_growth = 8;

uint8_t size_class(const Aabb& box, int smallest_exponent, int classes) {
    const Vec3 edges = box.high - box.low;
    const double edge = std::max({edges.x, edges.y, edges.z, 1e-300});
    return static_cast<uint8_t>(
        std::clamp((std::ilogb(edge) - smallest_exponent) / 3, 0, classes - 1));
}

// Finite for every number, and monotone.
float to_float(double x) {
    constexpr double limit = 1e38;
    return static_cast<float>(std::clamp(x, -limit, limit));
}

}  // namespace

// ---- Eight at a time ---------------------------------------------------------------------------

// Of each box in the group from the box, along the axis where it is largest; negative if they overlap,
// zero if they touch. The sign of a difference of floats is exact.
__m256 AabbForest::separation(const Group& group, const Spread& box) {
    __m256 most = _mm256_load_ps(group.low[0]) - box.high[0];
    most = _mm256_max_ps(most, box.low[0] - _mm256_load_ps(group.high[0]));
    for (int k = 1; k < 3; ++k) {
        most = _mm256_max_ps(most, _mm256_load_ps(group.low[k]) - box.high[k]);
        most = _mm256_max_ps(most, box.low[k] - _mm256_load_ps(group.high[k]));
    }
    return most;
}

uint32_t AabbForest::lanes_touching(const Group& group, const Spread& box) {
    const __m256 touch = _mm256_cmp_ps(separation(group, box), _mm256_setzero_ps(), _CMP_LE_OQ);
    return static_cast<uint32_t>(_mm256_movemask_ps(touch));
}

AabbForest::Spread AabbForest::spread(const Group& group, uint32_t lane) {
    Spread box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = _mm256_broadcast_ss(&group.low[k][lane]);
        box.high[k] = _mm256_broadcast_ss(&group.high[k][lane]);
    }
    return box;
}

AabbForest::Spread AabbForest::spread(const Aabb& box) const {
    Spread all;
    for (int k = 0; k < 3; ++k) {
        all.low[k] = _mm256_set1_ps(to_float(box.low[k] - origin_[k]));
        all.high[k] = _mm256_set1_ps(to_float(box.high[k] - origin_[k]));
    }
    return all;
}

// ---- Order -------------------------------------------------------------------------------------

void AabbForest::reset(const FarView& /*view*/, std::span<const uint32_t> members, Vec3 origin) {
    origin_ = origin;
    members_.assign(members.begin(), members.end());
    order_count_ = 0;
    is_ordered_ = false;
}

void AabbForest::update(const FarView& view) {
    if (is_ordered_) {
        refit(view.boxes);
        const double growth = relative_growth();
        lost_work_ += growth;
        if (growth < intolerable_growth && lost_work_ < ordering_cost) return;
    }
    put_in_order(view);
    refit(view.boxes);
    ordered_size_ = leaf_size_;
    lost_work_ = 0;
    ++order_count_;
    is_ordered_ = true;
}

void AabbForest::put_in_order(const FarView& view) {
    uint32_t class_end[size_classes] = {};
    sort_by_size(view.boxes, class_end);
    trees_.clear();
    uint32_t first = 0, leaves = 0;
    for (int c = 0; c < size_classes; ++c) {
        const uint32_t size = class_end[c] - first;
        if (size == 0) continue;
        halve(items_.data() + first, size, width);
        Tree tree{};
        tree.size = size;
        tree.level[0] = leaves;
        tree.usual_edge = std::ldexp(1.0f, 3 * c + smallest_exponent + 1);
        trees_.push_back(tree);
        leaves += tree.leaves();
        first = class_end[c];
    }
    lay_out(view.objects, leaves);
}

void AabbForest::sort_by_size(std::span<const Aabb> boxes, uint32_t (&class_end)[size_classes]) {
    size_class_.resize(members_.size());
    items_.resize(members_.size());
    for (size_t i = 0; i < members_.size(); ++i) {
        const Aabb& box = boxes[members_[i]];
        size_class_[i] =
            is_ordinary(box) ? size_class(box, smallest_exponent, size_classes) : uint8_t{0};
        ++class_end[size_class_[i]];
    }
    uint32_t next[size_classes], sum = 0;
    for (int c = 0; c < size_classes; ++c) {
        next[c] = sum;
        class_end[c] = sum += class_end[c];
    }
    for (size_t i = 0; i < members_.size(); ++i) {
        Item& item = items_[next[size_class_[i]]++];
        item.member = members_[i];
        const Aabb& box = boxes[item.member];
        const Vec3 center = is_ordinary(box) ? center_of(box) - origin_ : Vec3{};
        for (int k = 0; k < 3; ++k) item.center[k] = static_cast<float>(center[k]);
    }
}

// Leaves of all trees first, then the levels above them, tree by tree.
void AabbForest::lay_out(std::span<const FarObject> objects, uint32_t leaves) {
    names_.assign(leaves, Names{});
    uint32_t item = 0, groups = leaves;
    for (Tree& tree : trees_) {
        for (uint32_t i = 0; i < tree.leaves() * width; ++i) {
            Names& names = names_[tree.level[0] + i / width];
            names.member[i % width] = no_member;
            if (i >= tree.size) continue;
            const uint32_t member = members_[item] = items_[item].member;
            ++item;
            names.member[i % width] = member;
            names.owner[i % width] = objects[member].owner;
            names.group[i % width] = objects[member].group;
            names.mask[i % width] = objects[member].mask;
        }
        uint32_t count = tree.leaves();
        tree.levels = 1;
        do {
            tree.level[tree.levels++] = groups;
            count = (count + width - 1) / width;
            groups += count;
        } while (count > 1);
    }
    leaf_size_.resize(leaves);
    groups_.resize(groups);
}

// ---- Bounds ------------------------------------------------------------------------------------

void AabbForest::refit(std::span<const Aabb> boxes) {
    for (uint32_t leaf = 0; leaf < leaf_size_.size(); ++leaf) refit_leaf(leaf, boxes);
    for (const Tree& tree : trees_) {
        uint32_t count = tree.leaves();
        for (uint32_t level = 1; level < tree.levels; ++level) {
            for (uint32_t child = 0; child < count; ++child) refit_parent(tree, level, child);
            const uint32_t parents = (count + width - 1) / width;
            for (uint32_t lane = count; lane < parents * width; ++lane)
                store_nothing(groups_[tree.level[level] + lane / width], lane % width);
            count = parents;
        }
    }
}

void AabbForest::refit_leaf(uint32_t leaf, std::span<const Aabb> boxes) {
    constexpr uint32_t prefetch_distance = 4;  // leaves
    const Names& ahead = names_[std::min<size_t>(leaf + prefetch_distance, names_.size() - 1)];
    const __m256d origin = _mm256_set_pd(0, origin_.z, origin_.y, origin_.x);
    const uint32_t(&members)[width] = names_[leaf].member;
    __m128 low[width], high[width];
    for (uint32_t lane = 0; lane < width; ++lane) {
        if (ahead.member[lane] != no_member) {
            _mm_prefetch(&boxes[ahead.member[lane]].low.x, _MM_HINT_T0);
            _mm_prefetch(&boxes[ahead.member[lane]].high.z, _MM_HINT_T0);
        }
        low[lane] = _mm_set1_ps(beyond);
        high[lane] = _mm_set1_ps(-beyond);
        if (members[lane] == no_member || !is_ordinary(boxes[members[lane]])) continue;
        // The six numbers of a box lie side by side: each load takes one more than it needs.
        const double* numbers = &boxes[members[lane]].low.x;
        const __m256d tail = _mm256_loadu_pd(numbers + 2);
        low[lane] = _mm256_cvtpd_ps(_mm256_loadu_pd(numbers) - origin);
        high[lane] = _mm256_cvtpd_ps(_mm256_permute4x64_pd(tail, _MM_SHUFFLE(0, 3, 2, 1)) - origin);
    }
    Group& group = groups_[leaf];
    _mm256_store_ps(group.low[0], column<0>(low));
    _mm256_store_ps(group.low[1], column<1>(low));
    _mm256_store_ps(group.low[2], column<2>(low));
    _mm256_store_ps(group.high[0], column<0>(high));
    _mm256_store_ps(group.high[1], column<1>(high));
    _mm256_store_ps(group.high[2], column<2>(high));
}

void AabbForest::refit_parent(const Tree& tree, uint32_t level, uint32_t child) {
    const Group& group = groups_[tree.level[level - 1] + child];
    Group& parent = groups_[tree.level[level] + child / width];
    float size = tree.usual_edge;
    for (int k = 0; k < 3; ++k) {
        const float low = least(_mm256_load_ps(group.low[k]));
        const float high = greatest(_mm256_load_ps(group.high[k]));
        parent.low[k][child % width] = low;
        parent.high[k][child % width] = high;
        if (low <= high) size += high - low;
    }
    if (level == 1) leaf_size_[tree.level[0] + child] = size;
}

void AabbForest::store_nothing(Group& group, uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        group.low[k][lane] = beyond;
        group.high[k][lane] = -beyond;
    }
}

// Of the leaves, on average, since they were put in order. Each counts by how many times its size has
// become, so that leaves of small boxes count as much as those of large ones.
double AabbForest::relative_growth() const {
    double sum = 0;
    for (size_t i = 0; i < leaf_size_.size(); ++i)
        sum += std::min(leaf_size_[i] / ordered_size_[i], most_growth);
    return std::max(0.0, sum / static_cast<double>(std::max<size_t>(leaf_size_.size(), 1)) - 1);
}

// ---- Pairs -------------------------------------------------------------------------------------

// Leaves from `first` on whose bounds touch the box, level by level from the root.
std::span<const uint32_t> AabbForest::find_leaves(const AabbForest& other, const Tree& tree,
                                                  const Spread& box, uint32_t first) {
    const size_t room = tree.leaves() + width;
    for (auto& frontier : frontier_)
        if (frontier.size() < room) frontier.resize(room);
    const uint32_t *from = frontier_[0].data(), *from_end = from + 1;
    frontier_[0][0] = 0;
    for (uint32_t level = tree.levels - 1; level > 0; --level) {
        uint32_t* const to = frontier_[(tree.levels - level) % 2].data();
        uint32_t* to_end = to;
        const uint32_t first_child = first >> (3 * (level - 1));
        for (; from != from_end; ++from) {
            const uint32_t child = width * *from;
            uint32_t lanes = lanes_touching(other.groups_[tree.level[level] + *from], box);
            const uint32_t before = first_child > child ? std::min(first_child - child, width) : 0;
            lanes = lanes >> before << before;
            to_end = write_numbers(child, lanes, to_end);
        }
        from = to;
        from_end = to_end;
    }
    return {from, from_end};
}

// Which boxes of our leaf touch the bounds of which other leaf: 8 · other leaf + our lane.
std::span<const uint32_t> AabbForest::find_meetings(uint32_t leaf, const AabbForest& other,
                                                    const Tree& other_tree,
                                                    std::span<const uint32_t> other_leaves) {
    const size_t room = width * (other_leaves.size() + 1);
    if (meetings_.size() < room) meetings_.resize(room);
    uint32_t* end = meetings_.data();
    for (uint32_t i : other_leaves) {
        const Group& parent = other.groups_[other_tree.level[1] + i / width];
        const uint32_t lanes = lanes_touching(groups_[leaf], spread(parent, i % width));
        end = write_numbers(width * i, lanes, end);
    }
    return {meetings_.data(), end};
}

// One box of our leaf with some of another leaf.
FarPair* AabbForest::compare(uint32_t leaf, uint32_t lane, const AabbForest& other,
                             uint32_t other_leaf, uint32_t lanes, const FarView& view,
                             FarPair* end) const {
    const Names &mine = names_[leaf], &others = other.names_[other_leaf];
    const __m256i zero = _mm256_setzero_si256();
    const __m256 apart = separation(other.groups_[other_leaf], spread(groups_[leaf], lane));
    const __m256 touch = _mm256_cmp_ps(apart, _mm256_setzero_ps(), _CMP_LE_OQ);
    __m256i never = _mm256_cmpeq_epi32(load(others.owner), broadcast(mine.owner[lane]));
    never |= _mm256_cmpeq_epi32(load(others.group) & broadcast(mine.mask[lane]), zero);
    never |= _mm256_cmpeq_epi32(load(others.mask) & broadcast(mine.group[lane]), zero);
    lanes &= static_cast<uint32_t>(
        _mm256_movemask_ps(_mm256_andnot_ps(_mm256_castsi256_ps(never), touch)));
    const uint32_t member = mine.member[lane];
    const uint32_t equal = lanes
                         & static_cast<uint32_t>(_mm256_movemask_ps(
                             _mm256_cmp_ps(apart, _mm256_setzero_ps(), _CMP_EQ_OQ)));
    for (uint32_t open = equal; open != 0; open &= open - 1) {
        const auto k = static_cast<uint32_t>(std::countr_zero(open));
        if (!overlap(view.boxes[member], view.boxes[others.member[k]])) lanes ^= 1u << k;
    }
    // Two stores of four pairs each, whose members unpack in order.
    const __m256i found = _mm256_permutevar8x32_epi32(load(others.member), numbers_of(lanes));
    const __m256i paired = _mm256_permute4x64_epi64(found, _MM_SHUFFLE(3, 1, 2, 0));
    const __m256i low = _mm256_min_epu32(paired, broadcast(member));
    const __m256i high = _mm256_max_epu32(paired, broadcast(member));
    auto* to = reinterpret_cast<__m256i*>(end);
    _mm256_storeu_si256(to, _mm256_unpacklo_epi32(low, high));
    _mm256_storeu_si256(to + 1, _mm256_unpackhi_epi32(low, high));
    return end + std::popcount(lanes);
}

void AabbForest::meet(uint32_t leaf, const Spread& bounds, const AabbForest& other,
                      const Tree& other_tree, uint32_t first, const FarView& view,
                      FoundPairs& pairs) {
    const auto leaves = find_leaves(other, other_tree, bounds, first);
    const auto meetings = find_meetings(leaf, other, other_tree, leaves);
    FarPair* end = pairs.end(width * (meetings.size() + 1));
    for (uint32_t meeting : meetings)
        end = compare(leaf, meeting % width, other, other_tree.level[0] + meeting / width, ~0u,
                      view, end);
    pairs.keep_until(end);
}

void AabbForest::append_pairs(const FarView& view, FoundPairs& pairs) {
    for (size_t t = 0; t < trees_.size(); ++t) {
        const Tree& tree = trees_[t];
        for (uint32_t i = 0; i < tree.leaves(); ++i) {
            const uint32_t leaf = tree.level[0] + i;
            const Spread bounds = spread(groups_[tree.level[1] + i / width], i % width);
            FarPair* end = pairs.end(width * width);
            for (uint32_t lane = 0; lane + 1 < width; ++lane)
                end = compare(leaf, lane, *this, leaf, ~0u << (lane + 1), view, end);
            pairs.keep_until(end);
            meet(leaf, bounds, *this, tree, i + 1, view, pairs);
            for (size_t larger = t + 1; larger < trees_.size(); ++larger)
                meet(leaf, bounds, *this, trees_[larger], 0, view, pairs);
        }
    }
}

void AabbForest::append_pairs_with(const AabbForest& other, const FarView& view,
                                   FoundPairs& pairs) {
    for (const Tree& tree : trees_)
        for (uint32_t i = 0; i < tree.leaves(); ++i) {
            const Spread bounds = spread(groups_[tree.level[1] + i / width], i % width);
            for (const Tree& other_tree : other.trees_)
                meet(tree.level[0] + i, bounds, other, other_tree, 0, view, pairs);
        }
}

// ---- Queries -----------------------------------------------------------------------------------

void AabbForest::append_overlapping(const Spread& box, const Tree& tree, uint32_t level,
                                    uint32_t index, std::vector<uint32_t>& found) const {
    const uint32_t group = tree.level[level] + index;
    for (uint32_t lanes = lanes_touching(groups_[group], box); lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
        if (level == 0)
            found.push_back(names_[group].member[lane]);
        else
            append_overlapping(box, tree, level - 1, width * index + lane, found);
    }
}

void AabbForest::append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
    const Spread all = spread(box);
    for (const Tree& tree : trees_) append_overlapping(all, tree, tree.levels - 1, 0, found);
}

// The box in a lane, with what rounding to float and shifting the origin may have taken from it.
Aabb AabbForest::at_least(const Group& group, uint32_t lane) const {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        const double low = group.low[k][lane], high = group.high[k][lane];
        const double shift = 0x1p-50 * std::abs(origin_[k]);
        box.low[k] = origin_[k] + low - (0x1p-23 * std::abs(low) + shift) - 1e-40;
        box.high[k] = origin_[k] + high + (0x1p-23 * std::abs(high) + shift) + 1e-40;
    }
    return box;
}

void AabbForest::append_hits(const FarRay& ray, const Tree& tree, uint32_t level, uint32_t index,
                             std::vector<uint32_t>& found) const {
    const Group& group = groups_[tree.level[level] + index];
    for (uint32_t lane = 0; lane < width; ++lane) {
        if (group.low[0][lane] == beyond || !hits(ray, at_least(group, lane))) continue;
        if (level == 0)
            found.push_back(names_[tree.level[0] + index].member[lane]);
        else
            append_hits(ray, tree, level - 1, width * index + lane, found);
    }
}

void AabbForest::append_hits(const FarRay& ray, std::vector<uint32_t>& found) const {
    for (const Tree& tree : trees_) append_hits(ray, tree, tree.levels - 1, 0, found);
}

}  // namespace bristle::collision
