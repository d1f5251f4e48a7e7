// All methods of far detection behind one choice at run time: the engine's, and those that lost to it.
#pragma once

#include "bench/far/octree.h"
#include "bench/far/plane_tree.h"
#include "bench/far/sphere_hierarchy.h"
#include "bench/far/sweep_and_prune.h"
#include "collision/far/far_detection.h"

#include <variant>

namespace bristle::bench {

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

// One of several methods, as collision::FarDetectionBy wants it.
template <class... Methods> struct OneOf {
    std::variant<Methods...> method;

    void reset(const FarView& view, std::span<const uint32_t> members, Vec3 origin) {
        std::visit([&](auto& m) { m.reset(view, members, origin); }, method);
    }
    void update(const FarView& view) {
        std::visit([&](auto& m) { m.update(view); }, method);
    }
    void append_pairs(const FarView& view, FoundPairs& pairs) {
        std::visit([&](auto& m) { m.append_pairs(view, pairs); }, method);
    }
    void append_overlapping(const Aabb& box, std::vector<uint32_t>& found) const {
        std::visit([&](const auto& m) { m.append_overlapping(box, found); }, method);
    }
    void append_hits(const FarRay& ray, std::vector<uint32_t>& found) const {
        std::visit([&](const auto& m) { m.append_hits(ray, found); }, method);
    }
};

template <class... Moving, class... Scenery>
bool append_pairs_between(OneOf<Moving...>& moving, const OneOf<Scenery...>& scenery,
                          const FarView& view, FoundPairs& pairs) {
    return std::visit(
        [&](auto& a, const auto& b) { return append_pairs_between(a, b, view, pairs); },
        moving.method, scenery.method);
}

using MovingMethod = OneOf<collision::AabbForest, SweepAndPrune, SphereHierarchy>;
using SceneryMethod = OneOf<collision::AabbForest, Octree, PlaneTree>;
using AnyFarDetection = collision::FarDetectionBy<MovingMethod, SceneryMethod>;

AnyFarDetection far_detection(FarMethods methods);

}  // namespace bristle::bench

extern template class bristle::collision::FarDetectionBy<bristle::bench::MovingMethod,
                                                         bristle::bench::SceneryMethod>;
