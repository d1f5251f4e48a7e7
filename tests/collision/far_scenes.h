// Sets of boxes for the tests of far detection, and the answer by comparing all with all.
#pragma once

#include "bench/far/methods.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bristle::testing_support {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct FarScene {
    std::vector<collision::FarObject> objects;
    std::vector<Aabb> boxes;

    void add(const Aabb& box, collision::FarObject object) {
        boxes.push_back(box);
        objects.push_back(object);
    }
    // An owner of its own.
    void add(const Aabb& box, bool is_static = false) {
        collision::FarObject object;
        object.owner = static_cast<uint32_t>(objects.size());
        object.is_static = is_static;
        add(box, object);
    }
};

inline Aabb box_at(Vec3 center, Vec3 edges) { return {center - 0.5 * edges, center + 0.5 * edges}; }

// Edges over six decades, each axis for itself, some of them static.
inline FarScene mixed_sizes(int count, Random& random) {
    FarScene scene;
    const auto edge = [&] { return std::pow(10, random.uniform(-3, 3)); };
    for (int i = 0; i < count; ++i)
        scene.add(box_at(random.vector(1000), {edge(), edge(), edge()}), random.chance(0.3));
    return scene;
}

// Crowds a millimetre wide, kilometres apart, and someone very far away.
inline FarScene clusters(int count, Random& random) {
    FarScene scene;
    for (int i = 0; i < count; ++i) {
        const Vec3 middle = Vec3{1e3 * (i % 5), -2e3 * (i % 3), 5e2};
        const double edge = 1e-4 * std::pow(10, random.uniform(0, 1));
        scene.add(box_at(middle + random.vector(1e-3), {edge, edge, edge}), random.chance(0.3));
    }
    scene.add(box_at({1e12, -1e12, 3}, {1, 1, 1}));
    scene.add(box_at({1e12, -1e12, 3.5}, {1, 1, 1}), true);
    return scene;
}

inline FarScene unit_boxes(int count, Random& random, Vec3 where, double edge) {
    FarScene scene;
    const double side = edge * std::cbrt(2.0 * count);
    for (int i = 0; i < count; ++i)
        scene.add(box_at(where + random.vector(side / 2), {edge, edge, edge}), i % 4 == 0);
    return scene;
}

inline void move_a_little(FarScene& scene, double distance, Random& random) {
    for (size_t i = 0; i < scene.boxes.size(); ++i) {
        if (scene.objects[i].is_static) continue;
        const Vec3 shift = random.vector(distance);
        scene.boxes[i].low += shift;
        scene.boxes[i].high += shift;
    }
}

// By the definition: a point that is in both boxes, along every axis.
inline bool share_a_point(const Aabb& a, const Aabb& b) {
    for (int k = 0; k < 3; ++k) {
        for (double x : {a.low[k], a.high[k], b.low[k], b.high[k]})
            if (std::isnan(x)) return false;
        if (a.low[k] > a.high[k] || b.low[k] > b.high[k]) return false;
        if (std::max(a.low[k], b.low[k]) > std::min(a.high[k], b.high[k])) return false;
    }
    return true;
}

inline std::vector<collision::FarPair> all_pairs(const FarScene& scene) {
    std::vector<collision::FarPair> pairs;
    for (uint32_t i = 0; i < scene.boxes.size(); ++i)
        for (uint32_t j = i + 1; j < scene.boxes.size(); ++j) {
            const collision::FarObject &a = scene.objects[i], &b = scene.objects[j];
            if (a.is_static && b.is_static) continue;
            if (a.owner == b.owner) continue;
            if ((a.group & b.mask) == 0 || (b.group & a.mask) == 0) continue;
            if (share_a_point(scene.boxes[i], scene.boxes[j])) pairs.push_back({i, j});
        }
    return pairs;
}

using Moving = bench::FarMethods::Moving;
using Scenery = bench::FarMethods::Scenery;

inline std::string name_of(bench::FarMethods methods) {
    const char* moving[] = {"AabbTrees", "SweepAndPrune", "SphereHierarchy"};
    const char* scenery[] = {"AabbTrees", "Octree", "KdTree", "BspTree"};
    return std::string(moving[static_cast<int>(methods.moving)]) + "_on_"
         + scenery[static_cast<int>(methods.scenery)];
}

inline std::vector<bench::FarMethods> all_methods() {
    std::vector<bench::FarMethods> all;
    for (Moving moving : {Moving::aabb_trees, Moving::sweep_and_prune, Moving::sphere_hierarchy})
        for (Scenery scenery :
             {Scenery::aabb_trees, Scenery::octree, Scenery::kd_tree, Scenery::bsp_tree})
            all.push_back({moving, scenery});
    return all;
}

class FarTest : public testing::TestWithParam<bench::FarMethods> {};

inline void PrintTo(const bench::FarMethods& methods, std::ostream* out) {
    *out << name_of(methods);
}

}  // namespace bristle::testing_support

namespace bristle::collision {
inline void PrintTo(FarPair p, std::ostream* out) { *out << p.a << '-' << p.b; }
}  // namespace bristle::collision
