// Far detection: which boxes overlap?
//
//     FarDetection far;                      // or another method: FarDetection far({.moving = ...})
//     far.reset(objects);                    // who takes part; again when someone comes or goes
//     for (;;) {
//         far.update(boxes);                 // where they are now
//         for (FarPair p : far.pairs()) ...  // i < j, sorted, each once
//     }
//
// Boxes that move and boxes that never do are kept apart, because the documents treat them so (LUA 4.4)
// and because it pays: scenery is put in order once, and never asked about itself. The methods only
// have to find candidates; everything that must be the same for all of them is done here:
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
#include "collision/far/octree.h"
#include "collision/far/plane_tree.h"
#include "collision/far/sphere_hierarchy.h"
#include "collision/far/sweep_and_prune.h"

#include <variant>

namespace bristle::collision {

struct FarMethods {
    enum class Moving : uint8_t {
        aabb_trees,       // any number, any sizes
        sweep_and_prune,  // few boxes, or all along a line
        sphere_hierarchy  // some machines of many parts, mostly apart
    };
    enum class Scenery : uint8_t { aabb_trees, octree, kd_tree, bsp_tree };

    Moving moving = Moving::aabb_trees;
    Scenery scenery = Scenery::aabb_trees;
};

class FarDetection {
  public:
    explicit FarDetection(FarMethods methods = {});

    // Assemblies for the sphere hierarchy: the parent of each, or no_assembly; a parent comes before its
    // children. Throws InputError for a parent or an assembly that is not there.
    void reset(std::span<const FarObject> objects, std::span<const uint32_t> assemblies = {});
    // One box for each object. They must stay there until the next update. Those of static objects are
    // looked at only the first time after a reset.
    void update(std::span<const Aabb> boxes);

    std::span<const FarPair> pairs();

    // Indices in increasing order, static and moving ones; groups and masks do not count.
    void find_overlapping(const Aabb& box, std::vector<uint32_t>& found) const;
    void find_hit(const FarRay& ray, std::vector<uint32_t>& found) const;

  private:
    FarView view() const { return {objects_, boxes_}; }
    void begin();
    void pair_with_scenery();
    void pair_unbounded();
    void pair_if_overlapping(uint32_t i, uint32_t j);
    void sort_pairs();
    template <class Key>
    void counting_sort(std::span<const FarPair> from, std::span<FarPair> to, const Key& key);

    std::variant<AabbForest, SweepAndPrune, SphereHierarchy> moving_method_;
    std::variant<AabbForest, Octree, PlaneTree> scenery_method_;
    std::vector<FarObject> objects_;
    std::vector<uint32_t> assemblies_;
    std::span<const Aabb> boxes_;
    std::vector<uint32_t> moving_, static_;
    std::vector<uint32_t> unbounded_moving_, unbounded_static_;
    bool is_new_ = true;

    FoundPairs found_;
    std::vector<FarPair> by_second_, pairs_;
    std::vector<uint32_t> start_, near_;
};

}  // namespace bristle::collision
