// What the single methods promise beyond finding all pairs.
#include <bristle/error.h>

#include "tests/collision/far_scenes.h"

#include <ctime>
#include <numeric>

namespace bristle::collision {
namespace {

using namespace testing_support;
using bench::BoundingSphere, bench::SphereHierarchy, bench::enclosing;

std::vector<uint32_t> everyone(const FarScene& scene) {
    std::vector<uint32_t> members(scene.boxes.size());
    std::iota(members.begin(), members.end(), 0u);
    return members;
}

FarScene moving_boxes(int count, Random& random) {
    FarScene scene = unit_boxes(count, random, {}, 1);
    for (FarObject& object : scene.objects) object.is_static = false;
    return scene;
}

TEST(AabbForest, KeepsItsOrderWhileBoxesTremble) {
    Random random(31);
    FarScene scene = moving_boxes(1000, random);
    AabbForest forest;
    forest.reset({scene.objects, scene.boxes}, everyone(scene), {});
    for (int step = 0; step < 50; ++step) {
        const FarScene before = scene;
        move_a_little(scene, 1e-3, random);
        forest.update({scene.objects, scene.boxes});
        scene = before;
    }
    EXPECT_EQ(forest.order_count(), 1u);
}

TEST(AabbForest, IsPutInOrderAgainWhenBoxesHaveDriftedApart) {
    Random random(32);
    FarScene scene = moving_boxes(1000, random);
    AabbForest forest;
    forest.reset({scene.objects, scene.boxes}, everyone(scene), {});
    for (int step = 0; step < 200; ++step) {
        move_a_little(scene, 0.1, random);
        forest.update({scene.objects, scene.boxes});
    }
    EXPECT_GT(forest.order_count(), 2u);
    EXPECT_LT(forest.order_count(), 40u);
    const uint32_t count = forest.order_count();
    move_a_little(scene, 20, random);  // everyone is somewhere else
    forest.update({scene.objects, scene.boxes});
    EXPECT_EQ(forest.order_count(), count + 1);
}

TEST(AabbForest, IsNotDisturbedByOneFastBox) {
    Random random(33);
    FarScene scene = moving_boxes(2000, random);
    AabbForest forest;
    forest.reset({scene.objects, scene.boxes}, everyone(scene), {});
    for (int step = 0; step < 20; ++step) {
        scene.boxes[5].low.x += 10;
        scene.boxes[5].high.x += 10;
        forest.update({scene.objects, scene.boxes});
    }
    EXPECT_LE(forest.order_count(), 3u);
}

// Of the processor: the tests run beside each other.
double seconds_for(const FarScene& scene) {
    FarDetection far;
    far.reset(scene.objects);
    double best = infinity;
    for (int repetition = 0; repetition < 3; ++repetition) {
        const std::clock_t start = std::clock();
        far.update(scene.boxes);
        EXPECT_GE(far.pairs().size(), 1u);
        best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

// Work that grows with the square would be 100 times as much for 10 times the boxes; n log n is 12.
TEST(AabbForest, DoesNotDegradeForMixedSizesOrCrowds) {
    Random random(34);
    const auto mixed = [&](int count) {
        FarScene scene;
        // As many cubes of every decade as fill the same share of space: few large, many small.
        const double side = 1e3;
        for (int i = 0; i < count; ++i) {
            const double edge = side / std::cbrt(count * random.uniform(1e-6, 1.0) * 1e3);
            scene.add(box_at(random.vector(side), {edge, edge, edge}));
        }
        return scene;
    };
    const auto crowds = [&](int count) {
        FarScene scene = unit_boxes(count, random, {}, 1);
        for (size_t i = 0; i < scene.boxes.size(); ++i) {
            const Vec3 shift = {i % 2 == 0 ? 1e6 : 0.0, i % 3 == 0 ? 1e5 : 0.0, 0};
            scene.boxes[i].low += shift;
            scene.boxes[i].high += shift;
            scene.objects[i].is_static = false;
        }
        return scene;
    };
    EXPECT_LT(seconds_for(mixed(20000)), 40 * seconds_for(mixed(2000)));
    EXPECT_LT(seconds_for(crowds(20000)), 40 * seconds_for(crowds(2000)));
}

// ---- Spheres -----------------------------------------------------------------------------------

TEST(SphereHierarchy, EnclosesTwoSpheresTightly) {
    Random random(35);
    for (int trial = 0; trial < 1000; ++trial) {
        const BoundingSphere a{random.vector(10), random.uniform(0, 5)};
        const BoundingSphere b{random.vector(10), random.uniform(0, 5)};
        const BoundingSphere both = enclosing(a, b);
        const double reach_a = norm(both.center - a.center) + a.radius;
        const double reach_b = norm(both.center - b.center) + b.radius;
        EXPECT_NEAR(std::max(reach_a, reach_b), both.radius, 1e-12);
        const bool is_inside = norm(a.center - b.center) <= std::abs(a.radius - b.radius);
        if (is_inside) {
            EXPECT_EQ(both.radius, std::max(a.radius, b.radius));
        } else {
            EXPECT_NEAR(reach_a, reach_b, 1e-12);
        }
    }
}

TEST(SphereHierarchy, EnclosesEqualSpheresAndNone) {
    const BoundingSphere a{{1, 2, 3}, 4};
    EXPECT_EQ(enclosing(a, a).radius, 4);
    EXPECT_EQ(enclosing(a, {}).radius, 4);
    EXPECT_EQ(enclosing({}, a).center, a.center);
    EXPECT_LT(enclosing({}, {}).radius, 0);
}

// Excavators of the document's Figure 4.7: a carrier with its wheels, and an arm of three parts, each of
// several boxes.
struct Machines {
    FarScene scene;
    std::vector<uint32_t> parents, assemblies;  // of assemblies, of boxes

    SphereHierarchy spheres() const { return SphereHierarchy(parents, assemblies); }

    void add(Vec3 at, Random& random) {
        const auto machine = static_cast<uint32_t>(parents.size());
        parents.push_back(SphereHierarchy::none);
        parents.push_back(machine);  // carrier
        parents.push_back(machine);  // arm
        for (uint32_t part = 0; part < 9; ++part) {
            FarObject object;
            object.owner = 9 * machine + part;
            const Vec3 center = at + Vec3{part < 6 ? 0.0 : 2.0 * part - 10, 0, 0};
            for (int k = 0; k < 4; ++k) {
                scene.add(box_at(center + random.vector(1), {0.8, 0.8, 0.8}), object);
                assemblies.push_back(machine + (part < 6 ? 1 : 2));
            }
        }
    }
};

TEST(SphereHierarchy, FindsAllPairsOfMachinesAndTheirParts) {
    Random random(36);
    Machines machines;
    for (int i = 0; i < 12; ++i) machines.add(random.vector(12), random);
    FarDetectionBy<SphereHierarchy, AabbForest> far(machines.spheres());
    far.reset(machines.scene.objects);
    for (int step = 0; step < 10; ++step) {
        far.update(machines.scene.boxes);
        const auto pairs = far.pairs();
        EXPECT_EQ(std::vector<FarPair>(pairs.begin(), pairs.end()), all_pairs(machines.scene));
        EXPECT_FALSE(pairs.empty());
        move_a_little(machines.scene, 0.3, random);
    }
}

uint64_t sphere_tests(const Machines& machines, std::span<const uint32_t> members) {
    const FarView view{machines.scene.objects, machines.scene.boxes};
    SphereHierarchy spheres = machines.spheres();
    spheres.reset(view, members, {});
    spheres.update(view);
    FoundPairs pairs;
    spheres.append_pairs(view, pairs);
    return spheres.test_count();
}

TEST(SphereHierarchy, TestsNoPartsOfMachinesThatAreApart) {
    Random random(37);
    Machines machines;
    for (int i = 0; i < 10; ++i) machines.add({3.0 * i, 200.0 * i, 0}, random);
    const std::vector<uint32_t> members = everyone(machines.scene);
    const size_t boxes_of_one = members.size() / 10;
    uint64_t each_alone = 0;
    for (size_t i = 0; i < 10; ++i)
        each_alone +=
            sphere_tests(machines, std::span(members).subspan(i * boxes_of_one, boxes_of_one));
    EXPECT_EQ(sphere_tests(machines, members), each_alone);
    EXPECT_LT(each_alone, 10 * boxes_of_one * (boxes_of_one - 1) / 2);
}

TEST(SphereHierarchy, RefusesAssembliesThatAreNotThere) {
    constexpr uint32_t none = SphereHierarchy::none;
    EXPECT_THROW(SphereHierarchy({none}, {3}), InputError);
    EXPECT_THROW(SphereHierarchy({1, none}), InputError);
}

}  // namespace
}  // namespace bristle::collision
