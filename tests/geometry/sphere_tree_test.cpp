#include "geometry/sphere_tree.h"

#include <bristle/error.h>

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bristle::geometry {
namespace {

using testing_support::Random;

std::vector<Ball> random_balls(Random& random, int count, double size) {
    std::vector<Ball> balls(static_cast<size_t>(count));
    for (Ball& ball : balls)
        ball = {random.vector(size), size * std::pow(10, random.uniform(-4, -1))};
    return balls;
}

TEST(SphereTree, EveryNodeCoversTheBallsBelowIt) {
    Random random(1);
    for (int trial = 0; trial < 60; ++trial) {
        const double size = std::pow(10, random.uniform(-6, 6));
        std::vector<Ball> balls = random_balls(random, random.integer(1, 400), size);
        if (trial % 10 == 0)
            for (Ball& ball : balls) ball.center = balls[0].center;  // all in one place
        const SphereTree tree(balls);
        const auto nodes = tree.nodes();
        ASSERT_LE(nodes.size(), 2 * balls.size());
        for (uint32_t i = 0; i < nodes.size(); ++i) {
            double volume = 0;
            for (uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].count; ++k) {
                const Ball& ball = tree.balls()[k];
                ASSERT_LE(norm(ball.center - nodes[i].center) + ball.radius,
                          nodes[i].radius * (1 + 1e-15));
                volume += 4 * pi / 3 * std::pow(ball.radius, 3);
            }
            ASSERT_NEAR(nodes[i].volume, volume, 1e-12 * volume);
            if (nodes[i].is_leaf(i)) {
                ASSERT_LE(nodes[i].count, SphereTree::leaf_size);
                continue;
            }
            const SphereTree::Node &left = nodes[i + 1], &right = nodes[left.skip];
            ASSERT_EQ(left.first, nodes[i].first);
            ASSERT_EQ(left.first + left.count, right.first);
            ASSERT_EQ(left.count + right.count, nodes[i].count);
            ASSERT_EQ(right.skip, nodes[i].skip);
        }
        std::vector<uint32_t> seen;
        for (uint32_t k = 0; k < balls.size(); ++k) {
            seen.push_back(tree.original(k));
            ASSERT_EQ(tree.balls()[k].center, balls[tree.original(k)].center);
        }
        std::sort(seen.begin(), seen.end());
        for (uint32_t k = 0; k < seen.size(); ++k) ASSERT_EQ(seen[k], k);
    }
}

// Spheres around spheres would reach twice as far.
TEST(SphereTree, NodesAreNotMuchLargerThanTheyMustBe) {
    std::vector<Ball> balls;
    for (int x = 0; x < 16; ++x)
        for (int y = 0; y < 16; ++y)
            for (int z = 0; z < 16; ++z) balls.push_back({{1.0 * x, 1.0 * y, 1.0 * z}, 0.5});
    const SphereTree tree(balls);
    EXPECT_LT(tree.nodes()[0].radius, 1.02 * (7.5 * std::sqrt(3) + 0.5));
}

TEST(SphereTree, OfNothingIsEmptyAndOfBadBallsIsRefused) {
    EXPECT_TRUE(SphereTree(std::vector<Ball>{}).is_empty());
    const SphereTree one(std::vector<Ball>{{{1, 2, 3}, 0.5}});
    ASSERT_EQ(one.nodes().size(), 1u);
    EXPECT_NEAR(one.nodes()[0].radius, 0.5, 1e-14);
    EXPECT_THROW(SphereTree(std::vector<Ball>{{{0, 0, 0}, 0}}), InputError);
    EXPECT_THROW(SphereTree(std::vector<Ball>{{{0, 0, 0}, -1}}), InputError);
    EXPECT_THROW(SphereTree(std::vector<Ball>{{{std::nan(""), 0, 0}, 1}}), InputError);
}

}  // namespace
}  // namespace bristle::geometry
