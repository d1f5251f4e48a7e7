#include <bristle/analysis.h>

#include "scenes/linkages.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

namespace bristle::analysis {
namespace {

using testing_support::random_mechanism;

TEST(Mobility, CountsAsTheWorldDoes) {
    for (uint64_t seed = 1; seed <= 150; ++seed) {
        const World world(random_mechanism(seed, {.slender = seed % 3 == 0}).model);
        const Mobility m = mobility(world);
        EXPECT_EQ(m.degrees_of_freedom, world.degrees_of_freedom()) << "seed " << seed;
        EXPECT_EQ(m.redundant_constraints, world.redundant_constraints()) << "seed " << seed;
        // The equations' own null space is as large.
        EXPECT_EQ(linearize(world).n, m.degrees_of_freedom) << "seed " << seed;
    }
}

// Three of five conditions of each hinge only keep its bodies in the plane. A second coupler between the cranks is one too many.
TEST(Mobility, OfAPlanarModelIsThatOfThePlane) {
    Model m;
    m.plane_normal = Vec3{0, 1, 0};
    const BodyId left = m.add(Body::rod({0, 0, 0}, {0, 0, 1}, 1)),
                 right = m.add(Body::rod({2, 0, 0}, {2, 0, 1}, 1)),
                 top = m.add(Body::rod({0, 0, 1}, {2, 0, 1}, 1));
    const auto hinge = [&](BodyId a, BodyId b, Vec3 at) {
        return m.add(Revolute{.a = a, .b = b, .at = at, .axis = {0, 1, 0}});
    };
    hinge(Model::ground(), left, {0, 0, 0});
    hinge(Model::ground(), right, {2, 0, 0});
    hinge(left, top, {0, 0, 1});
    hinge(top, right, {2, 0, 1});
    EXPECT_EQ(mobility(World(m)).degrees_of_freedom, 1);
    EXPECT_EQ(mobility(World(m)).redundant_constraints, 0);
    const BodyId middle = m.add(Body::rod({0, 0, 0.5}, {2, 0, 0.5}, 1));
    hinge(left, middle, {0, 0, 0.5});
    const JointId last = hinge(middle, right, {2, 0, 0.5});
    const Mobility again = mobility(World(m));
    EXPECT_EQ(again.degrees_of_freedom, 1);
    ASSERT_EQ(again.redundancies.size(), 1u);
    EXPECT_EQ(again.redundancies[0].joint, last);
    EXPECT_EQ(again.redundancies[0].redundant, 1);
    EXPECT_EQ(again.redundancies[0].conditions, 2);
}

TEST(Mobility, NamesWhatIsRedundantInAFourBar) {
    const auto s = scenes::four_bar({}, 0.8);
    const World world(s.model);
    const Mobility m = mobility(world);
    ASSERT_EQ(m.redundancies.size(), 1U);
    EXPECT_EQ(m.redundancies[0].joint, s.d);
    EXPECT_EQ(m.redundancies[0].redundant, 3);
    EXPECT_EQ(m.redundancies[0].implied_by, (std::vector{s.a, s.b, s.c}));
    ASSERT_EQ(m.freedoms.size(), 1U);
    EXPECT_EQ(m.freedoms[0].joints.size(), 4U);
    EXPECT_EQ(
        explain(m, world),
        "1 degree of freedom, 3 redundant conditions\n"
        "joint 'D' (revolute): 3 of its 5 conditions already follow from 'A', 'B', 'C'\n"
        "freedom 1: moves bodies 'crank', 'coupler', 'rocker' in joints 'A', 'B', 'C', 'D'\n");
}

TEST(Mobility, TellsLoopsApart) {
    // Two doors: the second hinge of each repeats the first of the same.
    Model m;
    std::vector<JointId> hinges;
    for (double x : {0.0, 5.0}) {
        const BodyId leaf = m.add(Body::box({0.8, 0.05, 2}, 20).at({x + 0.4, 0, 1}));
        for (double z : {0.3, 1.7})
            hinges.push_back(
                m.add(Revolute{.a = m.ground(), .b = leaf, .at = {x, 0, z}, .axis = {0, 0, 1}}));
    }
    const Mobility found = mobility(World(m));
    ASSERT_EQ(found.redundancies.size(), 2U);
    EXPECT_EQ(found.redundancies[0].implied_by, std::vector{hinges[0]});
    EXPECT_EQ(found.redundancies[1].implied_by, std::vector{hinges[2]});
}

TEST(Mobility, SeparatesTheFreedomsOfAnArm) {
    Model m;
    BodyId last = m.ground();
    std::vector<JointId> joints;
    for (int i = 0; i < 4; ++i) {
        const BodyId link = m.add(Body::box({1, 0.1, 0.2}, 1).at({i + 0.5, 0, 0}));
        joints.push_back(m.add(
            Revolute{.a = last, .b = link, .at = {1.0 * i, 0, 0}, .axis = {0, 1, i % 2 * 1.0}}));
        last = link;
    }
    const Mobility found = mobility(World(m));
    ASSERT_EQ(found.freedoms.size(), 4U);
    for (size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(found.freedoms[k].joints, std::vector{joints[k]});
        EXPECT_EQ(found.freedoms[k].bodies.size(), 4 - k);
    }
}

TEST(Mobility, SaysWhatFloats) {
    Model m;
    const BodyId box = m.add(Body::box({1, 1, 1}, 1).named("crate"));
    const World world(m);
    const Mobility found = mobility(world);
    ASSERT_EQ(found.freedoms.size(), 6U);
    EXPECT_EQ(found.freedoms[0].bodies, std::vector{box});
    EXPECT_NE(explain(found, world).find("freedom 6: moves body 'crate' freely"),
              std::string::npos);
}

// Symptom: `bristle info` of a planar scene with a cylinder ended in a crash. Cause: a strut has no conditions, and the largest element
// of a matrix without rows was asked for.
TEST(Mobility, CountsAStrutInAPlane) {
    Model m;
    m.plane_normal = Vec3{0, 1, 0};
    const BodyId arm = m.add(Body::box({1, 0.2, 0.2}, 1).at({1, 0, 0}));
    m.add(Revolute{.a = m.ground(), .b = arm, .at = {0.5, 0, 0}, .axis = {0, 1, 0}});
    const JointId strut =
        m.add(Distance{.a = m.ground(), .b = arm, .at_a = {0.5, 0, -1}, .at_b = {1.2, 0, 0}});
    EXPECT_EQ(mobility(World(m)).degrees_of_freedom, 0);
    m.add(Drive{
        .joint = strut, .control = Drive::Control::hydraulic, .max_effort = 10, .max_speed = 1});
    EXPECT_EQ(mobility(World(m)).degrees_of_freedom, 1);
}

}  // namespace
}  // namespace bristle::analysis
