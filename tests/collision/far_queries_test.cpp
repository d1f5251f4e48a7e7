// Boxes and rays asked of a set: the answer of asking every box in it.
#include "tests/collision/far_scenes.h"

#include <cmath>

namespace bristle::collision {
namespace {

using namespace testing_support;

class FarQueryTest : public FarTest {};

// A point of the ray inside the box, by the bounds on t of each axis; 10 nm either way decide nothing.
enum class Hit { no, yes, too_close_to_tell };
Hit hit(const FarRay& ray, const Aabb& box) {
    for (double grow : {-1e-8, 1e-8}) {
        double enter = 0, leave = ray.length;
        bool misses = false;
        for (int k = 0; k < 3; ++k) {
            const double low = box.low[k] - grow, high = box.high[k] + grow;
            if (ray.direction[k] == 0) {
                misses |= ray.origin[k] < low || ray.origin[k] > high;
                continue;
            }
            const double first = (low - ray.origin[k]) / ray.direction[k];
            const double second = (high - ray.origin[k]) / ray.direction[k];
            enter = std::max(enter, std::min(first, second));
            leave = std::min(leave, std::max(first, second));
        }
        if (grow < 0 && !misses && enter <= leave) return Hit::yes;
        if (grow > 0 && (misses || enter > leave)) return Hit::no;
    }
    return Hit::too_close_to_tell;
}

FarScene scene_with_half_spaces(Random& random) {
    FarScene scene = mixed_sizes(400, random);
    scene.add({{-infinity, -infinity, -infinity}, {infinity, infinity, -500}}, true);
    scene.add({{std::nan(""), 0, 0}, {1, 1, 1}});
    return scene;
}

TEST_P(FarQueryTest, FindsTheBoxesThatOverlapABox) {
    Random random(21);
    FarScene scene = scene_with_half_spaces(random);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    std::vector<uint32_t> found, expected;
    for (int trial = 0; trial < 200; ++trial) {
        if (trial % 10 == 0) {
            move_a_little(scene, 20, random);
            far.update(scene.boxes);
        }
        const double edge = std::pow(10, random.uniform(-2, 3.5));
        Aabb box = box_at(random.vector(1000), {edge, edge, edge});
        if (trial % 20 == 7) box.high.x = infinity;
        if (trial == 50) box.low.y = std::nan("");
        far.find_overlapping(box, found);
        expected.clear();
        for (uint32_t i = 0; i < scene.boxes.size(); ++i)
            if (share_a_point(box, scene.boxes[i])) expected.push_back(i);
        EXPECT_EQ(found, expected);
    }
}

TEST_P(FarQueryTest, FindsTheBoxesThatARayHits) {
    Random random(22);
    FarScene scene = scene_with_half_spaces(random);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    std::vector<uint32_t> found;
    size_t hits = 0;
    for (int trial = 0; trial < 200; ++trial) {
        if (trial % 10 == 0) {
            move_a_little(scene, 20, random);
            far.update(scene.boxes);
        }
        // Mostly aimed at a box.
        const Vec3 from = random.vector(1500),
                   to = center_of(scene.boxes[static_cast<size_t>(trial)]);
        FarRay ray{from, to - from + random.vector(10), random.uniform(0, 3)};
        if (trial % 3 == 0) ray.length = infinity;
        if (trial % 4 == 0) ray.direction[trial % 3] = 0;
        if (trial % 7 == 0) ray.direction = {0, 0, -1};
        far.find_hit(ray, found);
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
        hits += found.size();
        for (uint32_t i = 0; i < scene.boxes.size(); ++i) {
            if (is_empty(scene.boxes[i])) continue;
            const Hit expected = hit(ray, scene.boxes[i]);
            const auto times = std::count(found.begin(), found.end(), i);
            if (expected == Hit::too_close_to_tell) continue;
            EXPECT_EQ(times, expected == Hit::yes ? 1 : 0) << i;
        }
    }
    EXPECT_GT(hits, 200u);
}

TEST_P(FarQueryTest, FindsTinyBoxesByRaysFarFromTheOrigin) {
    Random random(23);
    const FarScene scene = unit_boxes(300, random, {1e6, 1e6, -1e6}, 1e-3);
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    far.update(scene.boxes);
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < scene.boxes.size(); ++i) {
        const Vec3 from = center_of(scene.boxes[i]) + Vec3{0, 0, 3};
        far.find_hit({from, {0, 0, -1}, 10}, found);
        EXPECT_EQ(std::count(found.begin(), found.end(), i), 1);
        EXPECT_LT(found.size(), 20u);
    }
}

TEST_P(FarQueryTest, AnswersNothingToAMeaninglessRay) {
    FarScene scene;
    scene.add(box_at({}, {1, 1, 1}));
    bench::AnyFarDetection far = bench::far_detection(GetParam());
    far.reset(scene.objects);
    std::vector<uint32_t> found{7};
    far.find_hit({{}, {1, 0, 0}, 1}, found);  // before the first update
    EXPECT_TRUE(found.empty());
    far.update(scene.boxes);
    const double nan = std::nan("");
    far.find_hit({{nan, 0, 0}, {1, 0, 0}, 1}, found);
    EXPECT_TRUE(found.empty());
    far.find_hit({{}, {1, nan, 0}, 1}, found);
    EXPECT_TRUE(found.empty());
    far.find_hit({{}, {1, 0, 0}, nan}, found);
    EXPECT_TRUE(found.empty());
    far.find_hit({{}, {1, 0, 0}, -1}, found);
    EXPECT_TRUE(found.empty());
    far.find_hit({{}, {}, 1}, found);  // a point
    EXPECT_EQ(found.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(, FarQueryTest, testing::ValuesIn(all_methods()),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace bristle::collision
