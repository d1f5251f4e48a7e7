#include "collision/far/far_detection.h"

#include <bristle/error.h>

#include "base/assert.h"

#include <type_traits>

namespace bristle::collision {

namespace {

// Near most of the boxes: the mean of the centres.
Vec3 middle(std::span<const Aabb> boxes, std::span<const uint32_t> members) {
    Vec3 sum;
    double count = 0;
    for (uint32_t i : members)
        if (is_ordinary(boxes[i])) {
            sum += center_of(boxes[i]);
            ++count;
        }
    return count > 0 ? sum / count : Vec3{};
}

void append_unbounded(std::span<const Aabb> boxes, std::span<const uint32_t> members,
                      std::vector<uint32_t>& unbounded) {
    for (uint32_t i : members)
        if (!is_ordinary(boxes[i]) && !is_empty(boxes[i])) unbounded.push_back(i);
}

void sort_and_remove_repeats(std::vector<uint32_t>& found) {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

void check_assemblies(std::span<const FarObject> objects, std::span<const uint32_t> assemblies) {
    for (size_t i = 0; i < assemblies.size(); ++i)
        if (assemblies[i] != FarObject::no_assembly && assemblies[i] >= i)
            throw InputError("far detection: the parent of assembly " + std::to_string(i)
                             + " must come before it");
    for (size_t i = 0; i < objects.size(); ++i)
        if (objects[i].assembly != FarObject::no_assembly
            && objects[i].assembly >= assemblies.size())
            throw InputError("far detection: object " + std::to_string(i) + " is in assembly "
                             + std::to_string(objects[i].assembly) + ", but there are only "
                             + std::to_string(assemblies.size()));
}

}  // namespace

FarDetection::FarDetection(FarMethods methods) {
    switch (methods.moving) {
        case FarMethods::Moving::aabb_trees: break;
        case FarMethods::Moving::sweep_and_prune: moving_method_ = SweepAndPrune(); break;
        case FarMethods::Moving::sphere_hierarchy: moving_method_ = SphereHierarchy(); break;
    }
    switch (methods.scenery) {
        case FarMethods::Scenery::aabb_trees: break;
        case FarMethods::Scenery::octree: scenery_method_ = Octree(); break;
        case FarMethods::Scenery::kd_tree:
            scenery_method_ = PlaneTree(PlaneTree::Planes::axes);
            break;
        case FarMethods::Scenery::bsp_tree:
            scenery_method_ = PlaneTree(PlaneTree::Planes::oblique);
            break;
    }
}

void FarDetection::reset(std::span<const FarObject> objects, std::span<const uint32_t> assemblies) {
    check_assemblies(objects, assemblies);
    objects_.assign(objects.begin(), objects.end());
    assemblies_.assign(assemblies.begin(), assemblies.end());
    moving_.clear();
    static_.clear();
    for (uint32_t i = 0; i < objects_.size(); ++i)
        (objects_[i].is_static ? static_ : moving_).push_back(i);
    boxes_ = {};
    is_new_ = true;
}

void FarDetection::update(std::span<const Aabb> boxes) {
    BRISTLE_DEMAND(boxes.size() == objects_.size());
    boxes_ = boxes;
    if (is_new_) begin();
    unbounded_moving_.clear();
    append_unbounded(boxes_, moving_, unbounded_moving_);
    std::visit([this](auto& method) { method.update(view()); }, moving_method_);
}

void FarDetection::begin() {
    is_new_ = false;
    const Vec3 origin = middle(boxes_, moving_.empty() ? static_ : moving_);
    unbounded_static_.clear();
    append_unbounded(boxes_, static_, unbounded_static_);
    std::visit([&](auto& method) { method.reset(view(), assemblies_, moving_, origin); },
               moving_method_);
    std::visit(
        [&](auto& method) {
            method.reset(view(), assemblies_, static_, origin);
            method.update(view());
        },
        scenery_method_);
}

// ---- Pairs -------------------------------------------------------------------------------------

std::span<const FarPair> FarDetection::pairs() {
    found_.clear();
    std::visit([this](auto& method) { method.append_pairs(view(), found_); }, moving_method_);
    pair_with_scenery();
    pair_unbounded();
    sort_pairs();
    return pairs_;
}

void FarDetection::pair_with_scenery() {
    auto* const trees = std::get_if<AabbForest>(&moving_method_);
    const auto* const scenery_trees = std::get_if<AabbForest>(&scenery_method_);
    if (trees != nullptr && scenery_trees != nullptr) {
        trees->append_pairs_with(*scenery_trees, view(), found_);
        return;
    }
    std::visit(
        [this](const auto& scenery) {
            for (uint32_t i : moving_) {
                if (!is_ordinary(boxes_[i])) continue;
                near_.clear();
                scenery.append_overlapping(boxes_[i], near_);
                for (uint32_t j : near_) pair_if_overlapping(i, j);
            }
        },
        scenery_method_);
}

void FarDetection::pair_unbounded() {
    for (uint32_t i : unbounded_static_)
        for (uint32_t j : moving_) pair_if_overlapping(i, j);
    for (uint32_t i : unbounded_moving_) {
        for (uint32_t j : moving_)
            if (is_ordinary(boxes_[j]) || i < j) pair_if_overlapping(i, j);
        for (uint32_t j : static_)
            if (is_ordinary(boxes_[j])) pair_if_overlapping(i, j);
    }
}

void FarDetection::pair_if_overlapping(uint32_t i, uint32_t j) {
    if (overlap(boxes_[i], boxes_[j]) && !is_empty(boxes_[j]) && can_pair(objects_[i], objects_[j]))
        found_.add(i, j);
}

// By counting, the second index first; then repeats are neighbours.
void FarDetection::sort_pairs() {
    const auto found = found_.all();
    for (std::vector<FarPair>* list : {&by_second_, &pairs_}) {
        if (list->capacity() < found.size()) list->reserve(2 * found.size());
        list->resize(found.size());
    }
    counting_sort(found, by_second_, [](const FarPair& pair) { return pair.b; });
    counting_sort(by_second_, pairs_, [](const FarPair& pair) { return pair.a; });
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

template <class Key>
void FarDetection::counting_sort(std::span<const FarPair> from, std::span<FarPair> to,
                                 const Key& key) {
    start_.assign(objects_.size() + 1, 0);
    for (const FarPair& pair : from) ++start_[key(pair) + 1];
    for (size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    for (const FarPair& pair : from) to[start_[key(pair)]++] = pair;
}

// ---- Queries -----------------------------------------------------------------------------------

void FarDetection::find_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
    found.clear();
    if (is_empty(box) || boxes_.empty()) return;
    const auto ask = [&](const auto& method) { method.append_overlapping(clamped(box), found); };
    std::visit(ask, moving_method_);
    std::visit(ask, scenery_method_);
    for (const auto* unbounded : {&unbounded_moving_, &unbounded_static_})
        found.insert(found.end(), unbounded->begin(), unbounded->end());
    std::erase_if(found, [&](uint32_t i) { return !overlap(boxes_[i], box); });
    sort_and_remove_repeats(found);
}

void FarDetection::find_hit(const FarRay& ray, std::vector<uint32_t>& found) const {
    found.clear();
    if (!is_finite(ray.origin) || !is_finite(ray.direction) || !(ray.length >= 0) || boxes_.empty())
        return;
    const auto ask = [&](const auto& method) { method.append_hits(ray, found); };
    std::visit(ask, moving_method_);
    std::visit(ask, scenery_method_);
    for (const auto* unbounded : {&unbounded_moving_, &unbounded_static_})
        found.insert(found.end(), unbounded->begin(), unbounded->end());
    std::erase_if(found, [&](uint32_t i) { return !hits(ray, boxes_[i]); });
    sort_and_remove_repeats(found);
}

}  // namespace bristle::collision
