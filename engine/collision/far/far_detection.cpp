#include "collision/far/far_detection.h"

#include "base/assert.h"

#include <utility>

namespace bristle::collision {

namespace {

// Near most of the boxes: the mean of the centres.
Vec3 mean_center(std::span<const Aabb> boxes, std::span<const uint32_t> members) {
    Vec3 sum;
    double count = 0;
    for (uint32_t i : members)
        if (is_ordinary(boxes[i])) {
            sum += center_of(boxes[i]);
            ++count;
        }
    return count > 0 ? sum / count : Vec3{};
}

void list_unbounded(std::span<const Aabb> boxes, std::span<const uint32_t> members,
                    std::vector<uint32_t>& unbounded) {
    for (uint32_t i : members)
        if (!is_ordinary(boxes[i]) && !is_empty(boxes[i])) unbounded.push_back(i);
}

}  // namespace

void FarSet::reset(std::span<const FarObject> objects) {
    objects_.assign(objects.begin(), objects.end());
    moving_.clear();
    static_.clear();
    for (uint32_t i = 0; i < objects_.size(); ++i)
        (objects_[i].is_static ? static_ : moving_).push_back(i);
    boxes_ = {};
    is_new_ = true;
}

bool FarSet::take(std::span<const Aabb> boxes) {
    BRISTLE_DEMAND(boxes.size() == objects_.size());
    boxes_ = boxes;
    const bool is_first = std::exchange(is_new_, false);
    if (is_first) {
        unbounded_static_.clear();
        list_unbounded(boxes_, static_, unbounded_static_);
    }
    unbounded_moving_.clear();
    list_unbounded(boxes_, moving_, unbounded_moving_);
    return is_first;
}

Vec3 FarSet::middle() const { return mean_center(boxes_, moving_.empty() ? static_ : moving_); }

// ---- Pairs -------------------------------------------------------------------------------------

void FarSet::pair_unbounded() {
    for (uint32_t i : unbounded_static_)
        for (uint32_t j : moving_) pair_if_overlapping(i, j);
    for (uint32_t i : unbounded_moving_) {
        for (uint32_t j : moving_)
            if (is_ordinary(boxes_[j]) || i < j) pair_if_overlapping(i, j);
        for (uint32_t j : static_)
            if (is_ordinary(boxes_[j])) pair_if_overlapping(i, j);
    }
}

void FarSet::pair_if_overlapping(uint32_t i, uint32_t j) {
    if (overlap(boxes_[i], boxes_[j]) && !is_empty(boxes_[j]) && can_pair(objects_[i], objects_[j]))
        found_.add(i, j);
}

// By counting, the second index first; then repeats are neighbours.
void FarSet::sort_pairs() {
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
void FarSet::counting_sort(std::span<const FarPair> from, std::span<FarPair> to, const Key& key) {
    start_.assign(objects_.size() + 1, 0);
    for (const FarPair& pair : from) ++start_[key(pair) + 1];
    for (size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    for (const FarPair& pair : from) to[start_[key(pair)]++] = pair;
}

// ---- Queries -----------------------------------------------------------------------------------

void FarSet::append_unbounded(std::vector<uint32_t>& found) const {
    for (const auto* unbounded : {&unbounded_moving_, &unbounded_static_})
        found.insert(found.end(), unbounded->begin(), unbounded->end());
}

void sort_and_remove_repeats(std::vector<uint32_t>& found) {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

template class FarDetectionBy<AabbForest, AabbForest>;

}  // namespace bristle::collision
