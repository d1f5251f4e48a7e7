#include "bench/far/octree.h"

namespace bristle::bench {

namespace {

constexpr uint32_t handful = 8;
constexpr int deepest = 40;

int octant(Vec3 point, Vec3 center) {
    return (point.x >= center.x ? 1 : 0) + (point.y >= center.y ? 2 : 0)
         + (point.z >= center.z ? 4 : 0);
}

double longest_edge(const Aabb& box) {
    const Vec3 edges = box.high - box.low;
    return std::max({edges.x, edges.y, edges.z});
}

}  // namespace

void Octree::reset(const FarView& /*view*/, std::span<const uint32_t> members, Vec3 /*origin*/) {
    members_.assign(members.begin(), members.end());
}

void Octree::update(const FarView& view) {
    items_.clear();
    cells_.clear();
    Aabb world = nothing;
    for (uint32_t i : members_) {
        if (!is_ordinary(view.boxes[i])) continue;
        items_.push_back({view.boxes[i], i});
        world = united(world, view.boxes[i]);
    }
    if (items_.empty()) return;
    cells_.emplace_back();
    divide(0, {center_of(world), 0.5 * longest_edge(world)}, 0,
           static_cast<uint32_t>(items_.size()), 0);
}

// Sorts the items by the child they go to, those that stay first, and divides the children.
void Octree::divide(uint32_t cell, const Cube& cube, uint32_t first, uint32_t last, int depth) {
    constexpr int stays = 0;
    const bool is_leaf = last - first <= handful || depth == deepest;
    const auto place = [&](const Item& item) {
        if (is_leaf || longest_edge(item.box) > cube.half) return stays;
        return 1 + octant(center_of(item.box), cube.center);
    };
    const auto begin = items_.begin() + first, end = items_.begin() + last;
    std::sort(begin, end, [&](const Item& a, const Item& b) {
        const int in_a = place(a), in_b = place(b);
        return in_a < in_b || (in_a == in_b && a.member < b.member);
    });
    uint32_t starts[10];
    for (int k = 0; k < 10; ++k)
        starts[k] = static_cast<uint32_t>(
            std::partition_point(begin, end, [&](const Item& item) { return place(item) < k; })
            - items_.begin());

    Cell made;
    made.first = starts[0];
    made.last = starts[1];
    for (uint32_t i = first; i < last; ++i) made.bounds = united(made.bounds, items_[i].box);
    made.first_child = static_cast<uint32_t>(cells_.size());
    for (int k = 1; k < 9; ++k) made.children += starts[k + 1] > starts[k];
    cells_[cell] = made;
    cells_.resize(cells_.size() + made.children);

    uint32_t child = made.first_child;
    const double quarter = 0.5 * cube.half;
    for (int k = 0; k < 8; ++k) {
        if (starts[k + 2] == starts[k + 1]) continue;
        const Vec3 shift = {(k & 1) != 0 ? quarter : -quarter, (k & 2) != 0 ? quarter : -quarter,
                            (k & 4) != 0 ? quarter : -quarter};
        divide(child++, {cube.center + shift, quarter}, starts[k + 1], starts[k + 2], depth + 1);
    }
}

template <class Touches>
void Octree::append(uint32_t cell, const Touches& touches, std::vector<uint32_t>& found) const {
    const Cell& c = cells_[cell];
    if (!touches(c.bounds)) return;
    for (uint32_t i = c.first; i < c.last; ++i)
        if (touches(items_[i].box)) found.push_back(items_[i].member);
    for (uint32_t k = 0; k < c.children; ++k) append(c.first_child + k, touches, found);
}

void Octree::append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
    if (cells_.empty()) return;
    append(
        0, [&](const Aabb& other) { return overlap(box, other); }, found);
}

void Octree::append_hits(const FarRay& ray, std::vector<uint32_t>& found) const {
    if (cells_.empty()) return;
    append(
        0, [&](const Aabb& other) { return hits(ray, other); }, found);
}

}  // namespace bristle::bench
