#include <bristle/analysis.h>

#include "scenes/linkages.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::analysis {
namespace {

Model rod_at(double angle) {
    Model m;
    const BodyId rod = m.add(Body::rod({}, {std::sin(angle), 0, -std::cos(angle)}, 2));
    m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    return m;
}

TEST(FindEquilibrium, GoesDownhillFromNearTheTop) {
    World world(rod_at(pi - 1e-3));
    const Equilibrium e = find_equilibrium(world);
    EXPECT_TRUE(e.is_stable);
    EXPECT_LT(e.residual, 1e-9);
    EXPECT_NEAR(world.point({1}, {1, 0, 0}).z, -1, 1e-12);
    EXPECT_EQ(world.time(), 0);
}

TEST(FindEquilibrium, TellsThatATopIsUnstable) {
    World world(rod_at(pi));
    EXPECT_FALSE(find_equilibrium(world).is_stable);
    EXPECT_NEAR(world.point({1}, {1, 0, 0}).z, 1, 1e-12);
}

TEST(FindEquilibrium, StaysWhereItPutsAWorld) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        // A hanging tree of boxes on ball joints, with springs across.
        testing_support::Random random(seed);
        Model m;
        BodyId last = m.ground();
        Vec3 at;
        for (int i = 0; i < 4; ++i) {
            const Vec3 to = at + 0.4 * random.direction();
            const BodyId body =
                m.add(Body::box({0.2, 0.3, 0.1}, 1).at(0.5 * (at + to), random.rotation()));
            m.add(Spherical{.a = last, .b = body, .at = at});
            m.add(Spring{.a = m.ground(),
                         .b = body,
                         .at_a = random.vector(1),
                         .at_b = to + random.vector(0.3),
                         .stiffness = 40,
                         .free_length = 0.2});
            last = body;
            at = to;
        }
        World world(m, {.step = 1e-2});
        const Equilibrium e = find_equilibrium(world);
        EXPECT_TRUE(e.is_stable) << seed;
        EXPECT_EQ(world.energy().kinetic, 0);
        const Vec3 before = world.pose(last).position;
        world.advance_to(1);
        EXPECT_LT(norm(world.pose(last).position - before), 1e-8) << seed;
    }
}

// Rods held beside their lines turned about themselves at once: that turn has hardly any inertia and was
// not counted as a freedom.
TEST(FindEquilibrium, StaysWhereItPutsRandomMechanisms) {
    for (uint64_t seed = 1; seed <= 24; ++seed) {
        auto mechanism = testing_support::random_mechanism(seed, {.slender = seed % 2 == 0});
        testing_support::Random random(seed);
        Model& m = mechanism.model;
        for (BodyId body : mechanism.bodies) {
            const Vec3 at = m.bodies()[body.index].position;
            for (int k = 0; k < 3; ++k)
                m.add(Spring{.a = m.ground(),
                             .b = body,
                             .at_a = at + random.vector(1),
                             .at_b = at + random.vector(0.2),
                             .stiffness = random.uniform(20, 2000),
                             .free_length = 0.3});
        }
        World world(m);
        EXPECT_TRUE(find_equilibrium(world).is_stable) << seed;
        const std::vector<Pose> before(world.poses().begin(), world.poses().end());
        world.advance_to(0.1);
        for (uint32_t i = 0; i < before.size(); ++i)
            EXPECT_LT(norm(world.pose({i}).position - before[i].position), 1e-7) << seed;
    }
}

TEST(FindEquilibrium, FindsEitherSideOfASnapThrough) {
    // Two slanted springs that push a slider through between them: z = ±0.3 but for its small weight.
    for (double side : {1.0, -1.0}) {
        Model m;
        m.gravity = {0, 0, -1e-3};
        const BodyId body = m.add(Body::sphere(0.1, 1).at({0, 0, 0.1 * side}));
        m.add(Prismatic{.a = m.ground(), .b = body, .at = {0, 0, 0.1 * side}, .axis = {0, 0, 1}});
        for (double x : {-1.0, 1.0})
            m.add(Spring{.a = m.ground(),
                         .b = body,
                         .at_a = {x, 0, 0},
                         .at_b = {0, 0, 0.1 * side},
                         .stiffness = 1000,
                         .free_length = std::hypot(1, 0.3)});
        World world(m);
        EXPECT_TRUE(find_equilibrium(world).is_stable);
        EXPECT_NEAR(world.pose(body).position.z, 0.3 * side, 1e-4);
    }
}

TEST(FindEquilibrium, HoldsWhatADriveHolds) {
    const auto s = scenes::four_bar({}, 0.8, [](double) { return 0.0; });
    World world(s.model);
    const Vec3 before = world.pose(s.coupler).position;
    EXPECT_TRUE(find_equilibrium(world).is_stable);
    EXPECT_LT(norm(world.pose(s.coupler).position - before), 1e-12);
    // Statics of the drive: as inverse dynamics at rest.
    World guided(s.model);
    guided.guide(0);
    EXPECT_NEAR(world.effort(s.drive), guided.effort(s.drive), 1e-9);
}

TEST(FindEquilibrium, RefusesWhatFalls) {
    Model m;
    m.add(Body::box({1, 1, 1}, 1));
    World world(m);
    world.advance_to(0.1);
    const uint64_t before = world.hash();
    EXPECT_THROW(find_equilibrium(world), SimulationError);
    EXPECT_EQ(world.hash(), before);
}

TEST(FindEquilibrium, LetsAPendulumRestOnItsStop) {
    Model m = rod_at(pi / 2);
    // Falls clockwise seen from −y, at most half a radian.
    m.add(Limit{.joint = {0}, .min = -0.5, .max = 0.5});
    World world(m);
    const Equilibrium e = find_equilibrium(world);
    EXPECT_LT(e.residual, 1e-6);
    EXPECT_NEAR(std::abs(world.coordinate({0})), 0.5, 1e-9);
    EXPECT_NEAR(std::abs(world.effort(LimitId{0})), 2 * 9.81 * 0.5 * std::cos(0.5), 1e-6);
}

TEST(FindEquilibrium, LetsABoxRestOnTheFloor) {
    Model m;
    const BodyId box = m.add(Body::box({1, 1, 1}, 2).at({0, 0, 0.52}));
    m.add(Shape{.body = box, .geometry = Box{{1, 1, 1}}});
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    World world(m);
    const Equilibrium e = find_equilibrium(world);
    EXPECT_LT(e.residual, 1e-6);
    EXPECT_EQ(world.time(), 0);
    double force = 0;
    for (const Contact& c : world.contacts()) force += c.force.z;
    EXPECT_NEAR(std::abs(force), 2 * 9.81, 1e-4);
    EXPECT_NEAR(world.pose(box).position.z, 0.5, 1e-2);
}

}  // namespace
}  // namespace bristle::analysis
