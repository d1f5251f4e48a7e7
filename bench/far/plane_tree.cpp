#include "bench/far/plane_tree.h"

namespace bristle::bench {

namespace {

constexpr size_t handful = 8;
// A plane must leave less than this share of the work before it.
constexpr double worthwhile = 0.75;

constexpr double root2 = 0.70710678118654752, root3 = 0.57735026918962576;
constexpr Vec3 normals[] = {{1, 0, 0},
                            {0, 1, 0},
                            {0, 0, 1},
                            {root2, root2, 0},
                            {root2, -root2, 0},
                            {0, root2, root2},
                            {0, root2, -root2},
                            {root2, 0, root2},
                            {-root2, 0, root2},
                            {root3, root3, root3},
                            {-root3, root3, root3},
                            {root3, -root3, root3},
                            {root3, root3, -root3}};
constexpr size_t axes = 3;

// Signed distance of the centre, and the radius along the normal: Σ eᵢ |nᵢ|, LUA (4.23) corrected. The
// radius contains what rounding may do to both.
struct Reach {
    double distance, radius;
};
Reach reach(const Aabb& box, Vec3 normal, double offset) {
    const Vec3 center = center_of(box), half = 0.5 * (box.high - box.low);
    const Vec3 n = {std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
    const Vec3 c = {std::abs(center.x), std::abs(center.y), std::abs(center.z)};
    const double radius = dot(n, half);
    return {dot(normal, center) - offset, radius + 1e-14 * (dot(n, c) + radius + std::abs(offset))};
}

}  // namespace

bool PlaneTree::reaches_below(const Aabb& box, const Plane& plane) {
    const Reach r = reach(box, plane.normal, plane.offset);
    return r.distance <= r.radius;
}

bool PlaneTree::reaches_above(const Aabb& box, const Plane& plane) {
    const Reach r = reach(box, plane.normal, plane.offset);
    return r.distance >= -r.radius;
}

void PlaneTree::reset(const FarView& /*view*/, std::span<const uint32_t> members, Vec3 /*origin*/) {
    members_.assign(members.begin(), members.end());
}

void PlaneTree::update(const FarView& view) {
    items_.clear();
    leaf_items_.clear();
    nodes_.clear();
    std::vector<uint32_t> all;
    for (uint32_t i : members_) {
        if (!is_ordinary(view.boxes[i])) continue;
        all.push_back(static_cast<uint32_t>(items_.size()));
        items_.push_back({view.boxes[i], i});
    }
    if (!all.empty()) build(all);
}

uint32_t PlaneTree::build(std::vector<uint32_t>& items) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
    for (uint32_t i : items) nodes_[index].bounds = united(nodes_[index].bounds, items_[i].box);
    Plane plane{};
    if (!find_plane(items, plane)) {
        nodes_[index].first = static_cast<uint32_t>(leaf_items_.size());
        leaf_items_.insert(leaf_items_.end(), items.begin(), items.end());
        nodes_[index].last = static_cast<uint32_t>(leaf_items_.size());
        return index;
    }
    std::vector<uint32_t> below, above;
    for (uint32_t i : items) {
        if (reaches_below(items_[i].box, plane)) below.push_back(i);
        if (reaches_above(items_[i].box, plane)) above.push_back(i);
    }
    items = {};
    nodes_[index].normal = plane.normal;
    nodes_[index].offset = plane.offset;
    const uint32_t child_below = build(below), child_above = build(above);
    nodes_[index].child[0] = child_below;
    nodes_[index].child[1] = child_above;
    return index;
}

bool PlaneTree::find_plane(const std::vector<uint32_t>& items, Plane& best) const {
    if (items.size() <= handful) return false;
    double least = worthwhile * static_cast<double>(items.size() * items.size());
    bool is_found = false;
    std::vector<double> centers(items.size());
    for (size_t k = 0; k < (planes_ == Planes::axes ? axes : std::size(normals)); ++k) {
        for (size_t i = 0; i < items.size(); ++i)
            centers[i] = dot(normals[k], center_of(items_[items[i]].box));
        const auto middle = centers.begin() + static_cast<ptrdiff_t>(centers.size() / 2);
        std::nth_element(centers.begin(), middle, centers.end());
        // Between the two in the middle, where neither is cut if any plane can do it.
        const double offset = 0.5 * (*middle + *std::max_element(centers.begin(), middle));
        const Plane plane{normals[k], offset};
        double below = 0, above = 0;
        for (uint32_t i : items) {
            below += reaches_below(items_[i].box, plane);
            above += reaches_above(items_[i].box, plane);
        }
        const double work = below * below + above * above;
        if (work >= least) continue;
        least = work;
        best = plane;
        is_found = true;
    }
    return is_found;
}

void PlaneTree::append_overlapping(uint32_t node, const Aabb& box,
                                   std::vector<uint32_t>& found) const {
    const Node& n = nodes_[node];
    if (!overlap(n.bounds, box)) return;
    for (uint32_t i = n.first; i < n.last; ++i)
        if (overlap(items_[leaf_items_[i]].box, box))
            found.push_back(items_[leaf_items_[i]].member);
    if (n.child[0] == 0) return;
    const Plane plane{n.normal, n.offset};
    if (reaches_below(box, plane)) append_overlapping(n.child[0], box, found);
    if (reaches_above(box, plane)) append_overlapping(n.child[1], box, found);
}

void PlaneTree::append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
    if (!nodes_.empty()) append_overlapping(0, box, found);
}

void PlaneTree::append_hits(uint32_t node, const FarRay& ray, std::vector<uint32_t>& found) const {
    const Node& n = nodes_[node];
    if (!hits(ray, n.bounds)) return;
    for (uint32_t i = n.first; i < n.last; ++i)
        if (hits(ray, items_[leaf_items_[i]].box)) found.push_back(items_[leaf_items_[i]].member);
    if (n.child[0] == 0) return;
    append_hits(n.child[0], ray, found);
    append_hits(n.child[1], ray, found);
}

void PlaneTree::append_hits(const FarRay& ray, std::vector<uint32_t>& found) const {
    if (!nodes_.empty()) append_hits(0, ray, found);
}

}  // namespace bristle::bench
