#include "bench/far/methods.h"

namespace bristle::bench {
namespace {

MovingMethod method(FarMethods::Moving moving) {
    switch (moving) {
        case FarMethods::Moving::aabb_trees: break;
        case FarMethods::Moving::sweep_and_prune: return {SweepAndPrune()};
        case FarMethods::Moving::sphere_hierarchy: return {SphereHierarchy()};
    }
    return {collision::AabbForest()};
}

SceneryMethod method(FarMethods::Scenery scenery) {
    switch (scenery) {
        case FarMethods::Scenery::aabb_trees: break;
        case FarMethods::Scenery::octree: return {Octree()};
        case FarMethods::Scenery::kd_tree: return {PlaneTree(PlaneTree::Planes::axes)};
        case FarMethods::Scenery::bsp_tree: return {PlaneTree(PlaneTree::Planes::oblique)};
    }
    return {collision::AabbForest()};
}

}  // namespace

AnyFarDetection far_detection(FarMethods methods) {
    return AnyFarDetection(method(methods.moving), method(methods.scenery));
}

}  // namespace bristle::bench

template class bristle::collision::FarDetectionBy<bristle::bench::MovingMethod,
                                                  bristle::bench::SceneryMethod>;
