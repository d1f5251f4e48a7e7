// The depth of boxes in each other against cases with a known answer.
#include "scenes/plain/box_depth.h"

#include <gtest/gtest.h>

namespace bristle::scenes::plain {
namespace {

constexpr Vec3 cube = {1, 1, 1};
constexpr double rounding = 1e-15;  // m: a few units in the last place of boxes of 1 m

PlacedBox at(const Vec3& position, const Quat& orientation = {}, const Vec3& size = cube) {
    return {size, {position, orientation}};
}

TEST(BoxDepth, IsTheShortestWayOutOfAlignedBoxes) {
    EXPECT_NEAR(depth(at({}), at({0.9, 0.5, 0.2})), 0.1, rounding);
    EXPECT_NEAR(depth(at({}), at({0.3, -0.8, 0.2})), 0.2, rounding);
    EXPECT_NEAR(depth(at({}), at({0, 0, 0.75}, {}, {0.2, 0.2, 2})), 0.6, rounding);
}

TEST(BoxDepth, IsNegativeByTheGap) {
    EXPECT_NEAR(depth(at({}), at({0, 0, 1.25})), -0.25, rounding);
    EXPECT_NEAR(depth(at({}), at({1.1, 1.3, 0})), -0.3, rounding);
}

TEST(BoxDepth, OfAnEdgeInAFace) {
    const Quat diagonal = Quat::about({0, 1, 0}, pi / 4);
    const double reach = std::sqrt(0.5);
    EXPECT_NEAR(depth(at({}), at({0, 0, 0.5 + reach - 0.01}, diagonal)), 0.01, rounding);
    // The other way round, off the middle.
    EXPECT_NEAR(depth(at({0.2, 0, 0.5 + reach - 0.03}, diagonal), at({})), 0.03, rounding);
}

TEST(BoxDepth, OfACornerInAFace) {
    const double s = 1 / std::sqrt(3.0);
    // Turns the space diagonal upright.
    const Vec3 axis = (1 / std::sqrt(2.0)) * Vec3{1, -1, 0};
    const Quat upright = Quat::about(axis, -std::acos(s));
    const PlacedBox standing = at({0, 0, 0.5 + std::sqrt(0.75) - 0.02}, upright);
    EXPECT_NEAR(standing.reach({0, 0, 1}), std::sqrt(0.75), rounding);
    EXPECT_NEAR(depth(at({}), standing), 0.02, rounding);
}

// Two long boxes on edge, one along x and one along y: only the product of those edges, z, tells how deep
// they are. Their face normals, aslant, show (√2 + 2.5 − 0.01) / √2 … more.
TEST(BoxDepth, OfCrossedEdges) {
    const PlacedBox lower = at({}, Quat::about({1, 0, 0}, pi / 4), {5, 1, 1});
    const PlacedBox upper =
        at({0, 0, std::sqrt(2.0) - 0.01}, Quat::about({0, 1, 0}, pi / 4), {1, 5, 1});
    EXPECT_NEAR(depth(lower, upper), 0.01, rounding);
    EXPECT_NEAR(depth(upper, lower), 0.01, rounding);
}

// Nearly parallel edges must not become an axis made of rounding.
TEST(BoxDepth, OfNearlyAlignedBoxes) {
    for (const double angle : {1e-5, 1e-7, 1e-9, 1e-12})
        EXPECT_NEAR(depth(at({}), at({0, 0, 0.999}, Quat::about({0, 0, 1}, angle))), 1e-3, 1e-10)
            << angle;
}

TEST(BoxDepth, OfManyBoxesCountsEachPairOnce) {
    // A column of five, each 1, 2, 3, 4 mm in the one below, and one apart that only its neighbours' spheres
    // reach.
    std::vector<PlacedBox> boxes;
    double height = 0;
    for (int i = 0; i < 5; ++i) {
        boxes.push_back(at({0, 0, height}));
        height += 1 - 0.001 * (i + 1);
    }
    boxes.push_back(at({1.1, 0, 2}));
    std::swap(boxes[0], boxes[3]);
    const Depths all = depths(boxes);
    EXPECT_EQ(all.pairs, 4u);
    EXPECT_NEAR(all.mean, 0.0025, rounding);
    EXPECT_NEAR(all.max, 0.004, rounding);
    EXPECT_EQ(depths({}).pairs, 0u);
}

}  // namespace
}  // namespace bristle::scenes::plain
