#include "bench/far/sphere_hierarchy.h"

#include <bristle/error.h>

#include <tuple>

namespace bristle::bench {

namespace {

// Larger by more than what rounding took, so that a sphere contains its children for certain.
BoundingSphere grown(const BoundingSphere& s) {
    const double size = std::abs(s.center.x) + std::abs(s.center.y) + std::abs(s.center.z);
    return {s.center, s.radius + 1e-14 * (size + s.radius)};
}

BoundingSphere around(const Aabb& box) {
    if (!is_ordinary(box)) return {};
    return grown({center_of(box), 0.5 * norm(box.high - box.low)});
}

bool touch(const BoundingSphere& a, const BoundingSphere& b) {
    const Vec3 between = a.center - b.center;
    const double reach = a.radius + b.radius;
    return a.radius >= 0 && b.radius >= 0 && dot(between, between) <= reach * reach;
}

bool touch(const BoundingSphere& s, const Aabb& box) {
    const Vec3 nearest = {std::clamp(s.center.x, box.low.x, box.high.x),
                          std::clamp(s.center.y, box.low.y, box.high.y),
                          std::clamp(s.center.z, box.low.z, box.high.z)};
    const Vec3 between = s.center - nearest;
    return s.radius >= 0 && dot(between, between) <= s.radius * s.radius;
}

}  // namespace

BoundingSphere enclosing(const BoundingSphere& a, const BoundingSphere& b) {
    if (a.radius < 0) return b;
    if (b.radius < 0) return a;
    const double d = norm(a.center - b.center);  // LUA (4.12)
    if (d + b.radius <= a.radius) return a;
    if (d + a.radius <= b.radius) return b;
    const double radius = 0.5 * (d + a.radius + b.radius);  // LUA (4.13)
    // LUA (4.14) with 2 d below the line, as weights: they stay between 0 and 1.
    const double weight = std::clamp((d + a.radius - b.radius) / (2 * d), 0.0, 1.0);
    return grown({weight * a.center + (1 - weight) * b.center, radius});
}

SphereHierarchy::SphereHierarchy(std::vector<uint32_t> parents, std::vector<uint32_t> assemblies)
    : parents_(std::move(parents)), assemblies_(std::move(assemblies)) {
    for (size_t i = 0; i < parents_.size(); ++i)
        if (parents_[i] != none && parents_[i] >= i)
            throw InputError("far detection: the parent of assembly " + std::to_string(i)
                             + " must come before it");
    for (size_t i = 0; i < assemblies_.size(); ++i)
        if (assemblies_[i] != none && assemblies_[i] >= parents_.size())
            throw InputError("far detection: box " + std::to_string(i) + " is in assembly "
                             + std::to_string(assemblies_[i]) + ", but there are only "
                             + std::to_string(parents_.size()));
}

void SphereHierarchy::reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin) {
    nodes_.clear();
    for (uint32_t parent : parents_) {
        Node node;
        node.parent = parent;
        nodes_.push_back(node);
    }
    std::vector<uint32_t> sorted(members.begin(), members.end());
    const auto body_of = [&](uint32_t i) {
        return std::tuple(assembly_of(i), view.objects[i].owner);
    };
    std::sort(sorted.begin(), sorted.end(), [&](uint32_t i, uint32_t j) {
        return std::tuple(body_of(i), i) < std::tuple(body_of(j), j);
    });
    std::vector<uint32_t> parent(sorted.size());
    for (size_t first = 0, last = 0; first < sorted.size(); first = last) {
        while (last < sorted.size() && body_of(sorted[last]) == body_of(sorted[first])) ++last;
        uint32_t above = assembly_of(sorted[first]);
        if (last - first > 1) {
            Node body;
            body.parent = above;
            body.is_body = true;
            above = static_cast<uint32_t>(nodes_.size());
            nodes_.push_back(body);
        }
        std::fill(parent.begin() + static_cast<ptrdiff_t>(first),
                  parent.begin() + static_cast<ptrdiff_t>(last), above);
    }
    for (size_t i = 0; i < sorted.size(); ++i) {
        Node box;
        box.parent = parent[i];
        box.member = sorted[i];
        nodes_.push_back(box);
    }
    list_children();
    std::vector<uint32_t> numbers(roots_.size());
    for (uint32_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = i;
        root_objects_[i].owner = i;
    }
    root_sweep_.reset({root_objects_, root_boxes_}, numbers, origin);
}

void SphereHierarchy::list_children() {
    spheres_.assign(nodes_.size(), {});
    roots_.clear();
    std::vector<uint32_t> count(nodes_.size() + 1, 0);
    for (uint32_t i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].parent == none)
            roots_.push_back(i);
        else
            ++count[nodes_[i].parent];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i].first_child = nodes_[i].last_child = sum;
        sum += count[i];
    }
    children_.resize(sum);
    for (uint32_t i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].parent != none) children_[nodes_[nodes_[i].parent].last_child++] = i;
    root_boxes_.assign(roots_.size(), nothing);
    root_objects_.assign(roots_.size(), {});
}

void SphereHierarchy::update(const FarView& view) {
    for (size_t i = nodes_.size(); i-- > 0;) {
        BoundingSphere sphere;
        if (nodes_[i].member != none) sphere = around(view.boxes[nodes_[i].member]);
        for (uint32_t child : children_of(static_cast<uint32_t>(i)))
            sphere = enclosing(sphere, spheres_[child]);
        spheres_[i] = sphere;
    }
    for (size_t i = 0; i < roots_.size(); ++i) root_boxes_[i] = clamped(box_around(roots_[i]));
    root_sweep_.update({root_objects_, root_boxes_});
}

std::span<const uint32_t> SphereHierarchy::children_of(uint32_t node) const {
    return {children_.data() + nodes_[node].first_child,
            children_.data() + nodes_[node].last_child};
}

Aabb SphereHierarchy::box_around(uint32_t node) const {
    const auto& [center, radius] = spheres_[node];
    if (radius < 0) return nothing;
    const Vec3 reach = {radius, radius, radius};
    return {center - reach, center + reach};
}

// ---- Pairs -------------------------------------------------------------------------------------

void SphereHierarchy::append_pairs(const FarView& view, FoundPairs& pairs) {
    tests_ = 0;
    root_pairs_.clear();
    root_sweep_.append_pairs({root_objects_, root_boxes_}, root_pairs_);
    for (const FarPair& p : root_pairs_.all()) meet(roots_[p.a], roots_[p.b], view, pairs);
    for (uint32_t root : roots_) meet_within(root, view, pairs);
}

void SphereHierarchy::meet(uint32_t a, uint32_t b, const FarView& view, FoundPairs& pairs) {
    ++tests_;
    if (!touch(spheres_[a], spheres_[b])) return;
    const uint32_t i = nodes_[a].member, j = nodes_[b].member;
    if (i != none && j != none) {
        if (overlap(view.boxes[i], view.boxes[j]) && can_pair(view.objects[i], view.objects[j]))
            pairs.add(i, j);
        return;
    }
    if (i != none) {
        for (uint32_t child : children_of(b)) meet(a, child, view, pairs);
        return;
    }
    for (uint32_t child : children_of(a)) {
        if (j != none) {
            meet(child, b, view, pairs);
            continue;
        }
        for (uint32_t other : children_of(b)) meet(child, other, view, pairs);
    }
}

void SphereHierarchy::meet_within(uint32_t node, const FarView& view, FoundPairs& pairs) {
    if (nodes_[node].is_body || spheres_[node].radius < 0) return;
    const auto children = children_of(node);
    for (size_t i = 0; i < children.size(); ++i) {
        meet_within(children[i], view, pairs);
        for (size_t j = i + 1; j < children.size(); ++j)
            meet(children[i], children[j], view, pairs);
    }
}

// ---- Queries -----------------------------------------------------------------------------------

template <class Touches>
void SphereHierarchy::append(uint32_t node, const Touches& touches,
                             std::vector<uint32_t>& found) const {
    if (!touches(node)) return;
    if (nodes_[node].member != none) found.push_back(nodes_[node].member);
    for (uint32_t child : children_of(node)) append(child, touches, found);
}

void SphereHierarchy::append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
    const auto touches = [&](uint32_t node) { return touch(spheres_[node], box); };
    // The roots' numbers stand before what is found in them, and go when they are done.
    const size_t first = found.size();
    root_sweep_.append_overlapping(box, found);
    const size_t last = found.size();
    for (size_t i = first; i < last; ++i) append(roots_[found[i]], touches, found);
    found.erase(found.begin() + static_cast<ptrdiff_t>(first),
                found.begin() + static_cast<ptrdiff_t>(last));
}

void SphereHierarchy::append_hits(const FarRay& ray, std::vector<uint32_t>& found) const {
    const auto touches = [&](uint32_t node) { return hits(ray, box_around(node)); };
    for (uint32_t root : roots_) append(root, touches, found);
}

}  // namespace bristle::bench
