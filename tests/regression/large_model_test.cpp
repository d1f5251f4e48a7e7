// Symptom: a row of 4,000 four-bars took 19 s to build, and counting the freedom of 1,000 took 6 minutes.
// Cause: every body asked every other whether it held the common axis; a rank-revealing QR filled up.
#include <bristle/world.h>

#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

#include <ctime>

namespace bristle {
namespace {

TEST(LargeModels, AreBuiltAndCountedInLinearTime) {
    const std::clock_t start = std::clock();
    const int n = 2000;
    World world(scenes::four_bars(n).model);
    EXPECT_EQ(world.coordinates(), 3u * (n + 1));
    EXPECT_EQ(world.degrees_of_freedom(), 1);
    // Revolute joints leave 6 (2n + 1) − 5 (3n + 1) + redundant = 1.
    EXPECT_EQ(world.redundant_constraints(), 3 * n);
    world.step();
    EXPECT_GT(norm(world.reaction({0}).force), 0);
    // Some 0.2 s; the sanitizers take ten times as long.
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20);
}

TEST(LargeModels, FreedomIsCountedThroughSingularPositions) {
    // Cranks and couplers in one line: n more ways to move than anywhere else.
    for (int n : {1, 2, 10}) {
        Model m;
        std::vector<BodyId> cranks;
        for (int i = 0; i <= n; ++i) {
            const Vec3 foot{static_cast<double>(i), 0, 0}, head{i + 1.0, 0, 0};
            cranks.push_back(m.add(Body::rod(foot, head, 1)));
            m.add(Revolute{.a = m.ground(), .b = cranks.back(), .at = foot, .axis = {0, 1, 0}});
        }
        for (int i = 0; i < n; ++i) {
            const Vec3 from{i + 1.0, 0, 0}, to{i + 2.0, 0, 0};
            const BodyId coupler = m.add(Body::rod(from, to, 1));
            const auto k = static_cast<size_t>(i);
            m.add(Revolute{.a = cranks[k], .b = coupler, .at = from, .axis = {0, 1, 0}});
            m.add(Revolute{.a = cranks[k + 1], .b = coupler, .at = to, .axis = {0, 1, 0}});
        }
        EXPECT_EQ(World(m).degrees_of_freedom(), n + 1);
    }
}

}  // namespace
}  // namespace bristle
