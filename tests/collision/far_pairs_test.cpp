// Every method finds the pairs that comparing all with all finds, in the same order.
#include "tests/collision/far_scenes.h"

#include <cmath>

namespace bristle::collision {
namespace {

using namespace testing_support;

std::vector<FarPair> copied(std::span<const FarPair> pairs) { return {pairs.begin(), pairs.end()}; }

void expect_all_pairs(bench::AnyFarDetection& far, const FarScene& scene) {
    far.update(scene.boxes);
    EXPECT_EQ(copied(far.pairs()), all_pairs(scene));
}

void follow(bench::FarMethods methods, FarScene scene, double distance, int steps) {
    Random random(11);
    bench::AnyFarDetection far = bench::far_detection(methods);
    far.reset(scene.objects);
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
        expect_all_pairs(far, scene);
        move_a_little(scene, distance, random);
    }
    EXPECT_FALSE(far.pairs().empty());
}

TEST_P(FarTest, FindsAllPairsOfSizesOverSixDecades) {
    Random random(1);
    follow(GetParam(), mixed_sizes(500, random), 30, 12);
}

TEST_P(FarTest, FindsAllPairsInCrowdsFarApart) {
    Random random(2);
    follow(GetParam(), clusters(400, random), 2e-4, 12);
}

TEST_P(FarTest, FindsAllPairsOfManyEqualBoxes) {
    Random random(3);
    follow(GetParam(), unit_boxes(1500, random, {}, 1), 0.1, 8);
}

TEST_P(FarTest, FindsAllPairsAMillionMetresAway) {
    Random random(4);
    follow(GetParam(), unit_boxes(600, random, {1e6, -1e6, 1e6}, 1), 0.1, 5);
    follow(GetParam(), unit_boxes(600, random, {1e6, -1e6, 1e6}, 1e-3), 1e-4, 5);
}

// The floats' origin is chosen with the set, so where the boxes go they have no digits left.
TEST_P(FarTest, FindsAllPairsAfterTravellingAMillionMetres) {
    Random random(5);
    FarScene scene = unit_boxes(300, random, {}, 0.01);
    for (FarObject& object : scene.objects) object.is_static = false;
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    expect_all_pairs(far, scene);
    for (Aabb& box : scene.boxes) {
        box.low += Vec3{1e6, 1e6, -1e6};
        box.high += Vec3{1e6, 1e6, -1e6};
    }
    for (int step = 0; step < 3; ++step) {
        expect_all_pairs(far, scene);
        move_a_little(scene, 0.003, random);
    }
    EXPECT_FALSE(far.pairs().empty());
}

TEST_P(FarTest, FindsAllPairsWhenEverythingIsInOnePlace) {
    FarScene scene;
    for (int i = 0; i < 100; ++i) scene.add(box_at({3, 4, 5}, {1, 1, 1}), i % 3 == 0);
    for (int i = 0; i < 30; ++i) scene.add(box_at({3, 4, 5}, {}), false);  // points
    follow(GetParam(), scene, 0, 3);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    far.update(scene.boxes);
    const size_t all = 130, fixed = 34;
    EXPECT_EQ(far.pairs().size(), (all * (all - 1) - fixed * (fixed - 1)) / 2);
}

// Neighbours in a lattice share faces, edges or corners, exactly.
TEST_P(FarTest, CountsTouchingAsOverlapping) {
    FarScene scene;
    const int n = 7;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z)
                scene.add({{x * 1.0, y * 1.0, z * 1.0}, {x + 1.0, y + 1.0, z + 1.0}});
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    far.update(scene.boxes);
    // (3n − 2)³ ordered pairs of places that differ by at most one, each with itself included.
    EXPECT_EQ(far.pairs().size(), (19u * 19 * 19 - 343) / 2);
    expect_all_pairs(far, scene);
}

TEST_P(FarTest, TellsAGapOfOneRoundingErrorFromATouch) {
    for (double where : {0.0, 1.0, 1e6}) {
        FarScene scene;
        for (int i = 0; i < 40; ++i) {
            const double low = where + i;
            const double high = i % 2 == 0 ? low + 1 : std::nextafter(low + 1, -infinity);
            scene.add({{low, 0, 0}, {high, 1, 1}}, i % 5 == 0);
        }
        bench::AnyFarDetection far = bench::far_detection(GetParam());
        far.reset(scene.objects);
        expect_all_pairs(far, scene);
        for (FarPair pair : far.pairs()) EXPECT_EQ(pair.a % 2, 0u);
    }
}

TEST_P(FarTest, FindsAllPairsAfterEveryoneJumps) {
    Random random(6);
    FarScene scene = unit_boxes(500, random, {}, 1);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    for (int step = 0; step < 6; ++step) {
        move_a_little(scene, step % 2 == 0 ? 5.0 : 0.01, random);
        expect_all_pairs(far, scene);
    }
}

TEST_P(FarTest, FollowsBoxesThatComeAndGo) {
    Random random(7);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    for (int count : {0, 1, 2, 300, 7, 8, 9, 64, 65, 400, 0, 30}) {
        FarScene scene = mixed_sizes(count, random);
        far.reset(scene.objects);
        for (int step = 0; step < 3; ++step) {
            expect_all_pairs(far, scene);
            move_a_little(scene, 10, random);
        }
    }
}

TEST_P(FarTest, FollowsBoxesThatGrowAndShrink) {
    Random random(8);
    FarScene scene = mixed_sizes(300, random);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    for (int step = 0; step < 8; ++step) {
        for (size_t i = 0; i < scene.boxes.size(); ++i)
            if (!scene.objects[i].is_static) {
                const double edge = std::pow(10, random.uniform(-3, 3));
                scene.boxes[i] = box_at(center_of(scene.boxes[i]), {edge, edge, edge});
            }
        expect_all_pairs(far, scene);
    }
}

TEST_P(FarTest, AsksGroupsAndMasksBothWays) {
    Random random(9);
    FarScene scene = unit_boxes(400, random, {}, 1);
    for (FarObject& object : scene.objects) {
        object.group = 1u << random.integer(0, 4);
        object.mask = static_cast<uint32_t>(random.integer(0, 31));
        object.owner = static_cast<uint32_t>(random.integer(0, 150));
    }
    follow(GetParam(), scene, 0.2, 4);

    FarScene two;
    two.add(box_at({}, {1, 1, 1}), {.owner = 0, .group = 1, .mask = 2});
    two.add(box_at({}, {1, 1, 1}), {.owner = 1, .group = 2, .mask = 4});
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(two.objects);
    far.update(two.boxes);
    EXPECT_TRUE(far.pairs().empty());
    two.objects[1].mask = 1;
    far.reset(two.objects);
    far.update(two.boxes);
    EXPECT_EQ(far.pairs().size(), 1u);
}

TEST_P(FarTest, PairsHalfSpacesWithEverythingInThem) {
    Random random(10);
    FarScene scene = mixed_sizes(200, random);
    const double inf = infinity;
    scene.add({{-inf, -inf, -inf}, {inf, inf, 0}}, true);  // the ground
    scene.add({{-inf, -inf, -inf}, {inf, inf, inf}}, true);
    scene.add({{100, -inf, -inf}, {inf, inf, inf}});
    scene.add({{-inf, -inf, 5}, {inf, inf, 5}});
    scene.add({{-1e300, -1, -1}, {1e300, 1, 1}});
    scene.add({{inf, 0, 0}, {inf, 1, 1}});
    follow(GetParam(), scene, 30, 5);
}

TEST_P(FarTest, PairsNothingWithNaNOrABoxInsideOut) {
    Random random(12);
    FarScene scene = mixed_sizes(100, random);
    const double nan = std::nan(""), inf = infinity;
    scene.add({{nan, nan, nan}, {nan, nan, nan}});
    scene.add({{-inf, -inf, nan}, {inf, inf, inf}});
    scene.add({{-1e3, -1e3, -1e3}, {1e3, nan, 1e3}}, true);
    scene.add({{1, 1, 1}, {-1, 2, 2}});
    scene.add({{inf, inf, inf}, {-inf, -inf, -inf}});
    scene.add({{-inf, -inf, -inf}, {inf, inf, inf}});
    follow(GetParam(), scene, 30, 3);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    far.update(scene.boxes);
    for (FarPair pair : far.pairs()) EXPECT_FALSE(pair.b >= 100 && pair.b < 105);
}

// A box may become NaN and come back; the method must not remember it.
TEST_P(FarTest, RecoversFromABoxThatWasNaN) {
    Random random(13);
    FarScene scene = unit_boxes(200, random, {}, 1);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    for (int step = 0; step < 6; ++step) {
        FarScene broken = scene;
        if (step % 2 == 1)
            for (size_t i = 0; i < broken.boxes.size(); i += 3)
                if (!broken.objects[i].is_static) broken.boxes[i].low.y = std::nan("");
        expect_all_pairs(far, broken);
    }
}

TEST_P(FarTest, DoesNotDependOnWhatWasThereBefore) {
    Random random(14);
    FarScene scene = mixed_sizes(300, random);
    bench::AnyFarDetection used = bench::far_detection(GetParam());
    used.reset(scene.objects);
    for (int step = 0; step < 10; ++step) {
        used.update(scene.boxes);
        move_a_little(scene, 20, random);
    }
    used.update(scene.boxes);
    bench::AnyFarDetection fresh = bench::far_detection(GetParam());
    fresh.reset(scene.objects);
    fresh.update(scene.boxes);
    EXPECT_EQ(copied(used.pairs()), copied(fresh.pairs()));
    EXPECT_EQ(copied(used.pairs()), copied(used.pairs()));
}

TEST_P(FarTest, StaysRightWhenItIsMovedAway) {
    Random random(15);
    const FarScene scene = unit_boxes(200, random, {}, 1);
    bench::AnyFarDetection first = bench::far_detection(GetParam());
    first.reset(scene.objects);
    first.update(scene.boxes);
    bench::AnyFarDetection second = first;
    const bench::AnyFarDetection third = std::move(first);
    EXPECT_EQ(copied(second.pairs()), all_pairs(scene));
    std::vector<uint32_t> found;
    third.find_overlapping({{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}},
                           found);
    EXPECT_EQ(found.size(), scene.boxes.size());
}

INSTANTIATE_TEST_SUITE_P(, FarTest, testing::ValuesIn(all_methods()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace bristle::collision
