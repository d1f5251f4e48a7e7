// Far detection: which boxes overlap?
//
//     FarDetection far;
//     far.reset(objects);                    // who takes part; again when someone comes or goes
//     for (;;) {
//         far.update(boxes);                 // where they are now
//         for (FarPair p : far.pairs()) ...  // i < j, sorted, each once
//     }
//
// Boxes that move and boxes that never do are kept apart, because the documents treat them so (LUA 4.4)
// and because it pays: scenery is put in order once, and never asked about itself. A method for either only
// has to find candidates; the engine's is the forest of boxes for both, bench/far has those that were
// slower. Everything that must be the same for all of them is done here:
//
//     who pairs    groups and masks both ways, different owners, not both static
//     exactly      boxes are compared in double; touching counts
//     NaN          a box with NaN, or inside out, pairs with nothing
//     infinite     half-spaces (and whatever exceeds 1e30 m) are compared with every box, one by one
//     order        sorted by counting, so the result does not depend on the method or its history
//
// Nothing is allocated once the number of pairs has been seen.
#pragma once

#include "collision/far/aabb_forest.h"
#include "collision/far/far_types.h"

#include <utility>

namespace bristle::collision {

// What does not depend on the methods.
class FarSet {
  public:
    void reset(std::span<const FarObject> objects);

  protected:
    FarView view() const { return {objects_, boxes_}; }
    // Whether these are the first since `reset`.
    bool take(std::span<const Aabb> boxes);
    Vec3 middle() const;

    void pair_if_overlapping(uint32_t i, uint32_t j);
    void pair_unbounded();
    void sort_pairs();

    void append_unbounded(std::vector<uint32_t>& found) const;

    std::vector<uint32_t> moving_, static_;
    std::span<const Aabb> boxes_;
    FoundPairs found_;
    std::vector<FarPair> pairs_;

  private:
    template <class Key>
    void counting_sort(std::span<const FarPair> from, std::span<FarPair> to, const Key& key);

    std::vector<FarObject> objects_;
    std::vector<uint32_t> unbounded_moving_, unbounded_static_;
    bool is_new_ = true;
    std::vector<FarPair> by_second_;
    std::vector<uint32_t> start_;
};

void sort_and_remove_repeats(std::vector<uint32_t>& found);

// Whether two methods know a better way to meet than one box after the other, and have gone it.
template <class Moving, class Scenery>
bool append_pairs_between(Moving&, const Scenery&, const FarView&, FoundPairs&) {
    return false;
}
inline bool append_pairs_between(AabbForest& moving, const AabbForest& scenery, const FarView& view,
                                 FoundPairs& pairs) {
    moving.append_pairs_with(scenery, view, pairs);
    return true;
}

template <class Moving, class Scenery> class FarDetectionBy : FarSet {
  public:
    FarDetectionBy() = default;
    explicit FarDetectionBy(Moving moving, Scenery scenery = {})
        : moving_method_(std::move(moving)), scenery_method_(std::move(scenery)) {}

    using FarSet::reset;
    // One box for each object. They must stay there until the next update. Those of static objects are
    // looked at only the first time after a reset.
    void update(std::span<const Aabb> boxes) {
        if (take(boxes)) {
            const Vec3 origin = middle();
            moving_method_.reset(view(), moving_, origin);
            scenery_method_.reset(view(), static_, origin);
            scenery_method_.update(view());
        }
        moving_method_.update(view());
    }

    std::span<const FarPair> pairs() {
        found_.clear();
        moving_method_.append_pairs(view(), found_);
        if (!append_pairs_between(moving_method_, scenery_method_, view(), found_))
            pair_with_scenery();
        pair_unbounded();
        sort_pairs();
        return pairs_;
    }

    // Indices in increasing order, static and moving ones; groups and masks do not count.
    void find_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
        found.clear();
        if (is_empty(box) || boxes_.empty()) return;
        moving_method_.append_overlapping(clamped(box), found);
        scenery_method_.append_overlapping(clamped(box), found);
        append_unbounded(found);
        std::erase_if(found, [&](uint32_t i) { return !overlap(boxes_[i], box); });
        sort_and_remove_repeats(found);
    }
    void find_hit(const FarRay& ray, std::vector<uint32_t>& found) const {
        found.clear();
        if (!is_finite(ray.origin) || !is_finite(ray.direction) || !(ray.length >= 0)
            || boxes_.empty())
            return;
        moving_method_.append_hits(ray, found);
        scenery_method_.append_hits(ray, found);
        append_unbounded(found);
        std::erase_if(found, [&](uint32_t i) { return !hits(ray, boxes_[i]); });
        sort_and_remove_repeats(found);
    }

  private:
    void pair_with_scenery() {
        for (uint32_t i : moving_) {
            if (!is_ordinary(boxes_[i])) continue;
            near_.clear();
            scenery_method_.append_overlapping(boxes_[i], near_);
            for (uint32_t j : near_) pair_if_overlapping(i, j);
        }
    }

    Moving moving_method_;
    Scenery scenery_method_;
    std::vector<uint32_t> near_;
};

using FarDetection = FarDetectionBy<AabbForest, AabbForest>;
// Compiled with the engine, as fast as it is, whoever uses it.
extern template class FarDetectionBy<AabbForest, AabbForest>;

}  // namespace bristle::collision
