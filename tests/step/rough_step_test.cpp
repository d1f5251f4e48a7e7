// What the step does where a calm one would fail or gain (docs/rough.md).
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "tests/support/contact_scenes.h"
#include "tests/support/crank_and_piston.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bristle::step {
namespace {

using namespace testing_support;

// Links of 0.1 m whip at 45 m/s: no step of 5 ms can follow them.
TEST(RoughStep, FollowsAWhipOrSlowsItDown) {
    scenes::Chain chain = scenes::chain(10, 1000);
    for (BodyId link : chain.links)
        chain.model.add(Shape{.body = link, .geometry = Sphere{0.01}, .group = 2, .mask = 1});
    chain.model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .pose = {{0, 0, -5}}});
    World world(chain.model, {.step = 5e-3});
    double largest = 0, lowest = world.energy().total(), rise = 0;
    for (int i = 0; i < 2000; ++i) {
        ASSERT_NO_THROW(world.step()) << world.time();
        const double energy = world.energy().total();
        largest = std::max(largest, world.energy().kinetic);
        lowest = std::min(lowest, energy);
        rise = std::max(rise, energy - lowest);
        ASSERT_LE(world.constraint_error().position, 1e-8) << world.time();
    }
    EXPECT_GT(largest, 5e3);
    EXPECT_LE(rise, 3e-3 * largest);
}

// Joints of a taut chain that is bent over a post are closed around it: straightened, it went in by millimetres in every step.
TEST(RoughStep, WindsAChainAboutAPost) {
    Model m;
    const double length = 0.2, radius = 0.02;
    BodyId last = Model::ground();
    for (int i = 0; i < 15; ++i) {
        const Vec3 from{length * i, 0, 0}, to{length * (i + 1), 0, 0};
        const BodyId link = m.add(Body::rod(from, to, 0.3));
        m.add(Shape{.body = link,
                    .geometry = Capsule{radius, 0.7 * length},
                    .pose = {{}, Quat::about({0, 1, 0}, std::numbers::pi / 2)}});
        m.add(Spherical{.a = last, .b = link, .at = from});
        last = link;
    }
    const Vec3 end{15 * length, 0, 0};
    const BodyId ball = m.add(Body::sphere(0.1, 70).at(end + Vec3{0.1, 0, 0}));
    m.add(Spherical{.a = last, .b = ball, .at = end});
    m.add(Shape{.body = Model::ground(),
                .geometry = Cylinder{0.15, 4},
                .pose = {{-0.4, 0.05, -1.3}, Quat::about({1, 0, 0}, std::numbers::pi / 2)}});
    World world(m, {.step = 5e-3});
    double deepest = 0, strongest = 0;
    bool is_told = false;
    for (int i = 0; i < 550; ++i) {
        world.step();
        // Where it was rough is told: a link and the post.
        const RoughPlace place = world.statistics().last_rough;
        is_told |= place.why != RoughPlace::Why::nothing && place.a.index != place.b.index
                && norm(place.point - Vec3{-0.4, 0, -1.3}) < 0.5
                && describe(place, world.model()).find("ground") != std::string::npos;
        for (const Contact& c : world.contacts()) {
            deepest = std::max(deepest, c.depth);
            strongest = std::max(strongest, norm(c.force));
        }
    }
    EXPECT_GT(strongest, 500);  // it does wind about it
    EXPECT_TRUE(is_told);
    EXPECT_LT(deepest, 0.15 * 2 * radius);
}

// A piston pushes a crank to its dead point, where it is longest, and its valve closes: where the piston is to stay, joints reach
// just so, or not. Everything stood still for good; now the lock gives way, and what else there is goes on.
TEST(RoughStep, GoesOnWhereAPistonIsLockedBeyondReach) {
    CrankAndPiston linkage;
    Model& m = linkage.model;
    const BodyId weight = m.add(Body::sphere(0.1, 200).at(linkage.pin + Vec3{0.3, 0, 0.3}));
    m.add(Spherical{.a = linkage.crank, .b = weight, .at = linkage.pin});
    const BodyId wheel = m.add(Body::cylinder(0.2, 0.1, 10).at({3, 0, 1}).moving({}, {0, 0, 2}));
    m.add(Revolute{.a = Model::ground(), .b = wheel, .at = {3, 0, 1}, .axis = {0, 0, 1}});
    // Things that fall and roll keep steps rough.
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .pose = {{0, 0, -2}}});
    for (int i = 0; i < 8; ++i)
        add_box(m, {0.2, 0.2, 0.2}, 2, {3 + 0.15 * i, 1, 0.3 * i}, {1, 0, 0});
    World world(m, {.step = 5e-3});
    for (int i = 0; i < 2000; ++i) {
        world.step();
        ASSERT_NEAR(norm(world.twist(wheel).angular), 2, 0.02) << world.time();
    }
    EXPECT_GT(world.coordinate(linkage.piston), 0.1);
}

// A ball runs along two thin rails, many of their diameters a step: what touches of a rail goes with it.
TEST(SlenderContact, GoesAlongWithWhatTouchesIt) {
    for (double speed : {0.5, 8.0, 30.0}) {
        Model m;
        const MaterialId smooth =
            m.add(Material{.restitution = 0, .static_friction = 0, .kinetic_friction = 0});
        for (double y : {-0.05, 0.05})
            m.add(Shape{.body = Model::ground(),
                        .geometry = Capsule{0.005, 100},
                        .pose = {{0, y, 0}, Quat::about({0, 1, 0}, std::numbers::pi / 2)},
                        .material = smooth});
        const double height = std::sqrt(0.105 * 0.105 - 0.05 * 0.05);
        const BodyId ball = m.add(Body::sphere(0.1, 1).at({-40, 0, height}).moving({speed, 0, 0}));
        m.add(Shape{.body = ball, .geometry = Sphere{0.1}, .material = smooth});
        World world(m, {.step = 5e-3});
        while (world.time() < 2) {
            world.step();
            ASSERT_NEAR(world.twist(ball).linear.x, speed, 1e-6 * speed) << world.time();
            ASSERT_NEAR(world.pose(ball).position.z, height, 2e-3) << world.time();
        }
        EXPECT_EQ(world.statistics().rough_steps, 0u) << speed;
    }
}

// A beam that turns faster than its valve, pushed at by a load that runs ahead: the valve holds its speed, and does not take it
// back to where it was. It was taken for a locked one, and driven into what it touched.
TEST(RoughStep, LeavesAPistonWhoseLoadRunsAhead) {
    Model m;
    const BodyId ram = m.add(Body::box({0.2, 0.2, 0.2}, 100).at({0, 0, 1}));
    const JointId rail =
        m.add(Prismatic{.a = Model::ground(), .b = ram, .at = {0, 0, 1}, .axis = {0, 0, -1}});
    m.add(Drive{.joint = rail,
                .control = Drive::Control::hydraulic,
                .target = [](double) { return 1.0; },
                .max_effort = 100,
                .max_speed = 0.5});
    // Loose things on it make every step a rough one.
    m.add(Shape{.body = ram, .geometry = Box{{0.2, 0.2, 0.2}}});
    for (int i = 0; i < 6; ++i)
        add_box(m, {0.05, 0.05, 0.05}, 0.2, {0.03 * (i % 3) - 0.03, 0.03 * (i / 3), 1.13},
                {0, 0, 0});
    World world(m, {.step = 5e-3});
    for (int i = 0; i < 200; ++i) {
        const double before = world.coordinate(rail);
        world.step();
        // Its weight is ten times what it may push with: from the second step on it runs at its speed.
        if (i < 10) continue;
        ASSERT_NEAR((world.coordinate(rail) - before) / 5e-3, 0.5, 0.05) << i;
    }
    EXPECT_GT(world.statistics().rough_steps, 10u);
}

// At a stop, with all it has, then told to stand still: it holds.
TEST(RoughStep, ADriveThatLetsGoAtAStopHolds) {
    for (double side : {-1.0, 1.0}) {
        Model m;
        const BodyId body = m.add(Body::box({0.2, 0.2, 0.2}, 10));
        const JointId rail =
            m.add(Prismatic{.a = Model::ground(), .b = body, .at = {}, .axis = {0, 0, 1}});
        const DriveId drive =
            m.add(Drive{.joint = rail, .control = Drive::Control::speed, .max_effort = 1e4});
        m.add(Limit{.joint = rail, .min = -0.3, .max = 0.3});
        World world(m, {.step = 5e-3});
        world.command(drive, side);
        world.advance_to(1);
        EXPECT_NEAR(world.coordinate(rail), 0.3 * side, 1e-9);
        world.command(drive, 0);
        for (int i = 0; i < 100; ++i) {
            world.step();
            ASSERT_NEAR(world.coordinate(rail), 0.3 * side, 1e-9);
        }
        // The weight is all there is to hold, with the stop's help where it pushes up.
        EXPECT_LE(std::abs(world.effort(drive)), 98.1 * (1 + 1e-6));
    }
}

// Six boxes spawned half in each other come apart, and are not thrown.
// A drive and stops of a joint between two bodies that are both fixed have nothing to move: in a rough step their mass was infinite, and
// what they did no number.
TEST(RoughStep, LeavesDrivesOfWhatCannotMove) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 10).at({5, 0, 1})),
                 b = m.add(Body::box({1, 1, 1}, 10).at({5, 0, 3}));
    m.add(Fixed{.a = m.ground(), .b = a, .at = {5, 0, 1}});
    m.add(Fixed{.a = m.ground(), .b = b, .at = {5, 0, 3}});
    const JointId swing = m.add(Revolute{.a = a, .b = b, .at = {5, 0, 2}, .axis = {0, 0, 1}});
    const DriveId drive =
        m.add(Drive{.joint = swing, .control = Drive::Control::speed, .max_effort = 100});
    m.add(Limit{.joint = swing, .min = -1, .max = 1});
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    BodyId crate;
    for (int i = 0; i < 4; ++i) {
        crate = m.add(Body::box({0.3, 0.3, 0.3}, 2).at({0.1 * i, 0, 0.3 + 0.1 * i}));
        m.add(Shape{.body = crate, .geometry = Box{{0.3, 0.3, 0.3}}});
    }
    World world(m, AugmentedLagrangian{.step = 5e-3});
    world.command(drive, 0.1);
    ASSERT_NO_THROW(world.advance_to(1));
    EXPECT_GT(world.statistics().rough_steps, 10u);
    EXPECT_TRUE(is_finite(world.pose(crate).position));
    EXPECT_TRUE(std::isfinite(world.effort(drive)));
}

TEST(RoughStep, ThingsSpawnedInEachOtherComeApartGently) {
    Model m;
    std::vector<BodyId> boxes;
    for (int i = 0; i < 6; ++i)
        boxes.push_back(
            add_box(m, {0.3, 0.3, 0.3}, 10, {0.1 * (i % 3), 0.1 * (i / 3), 0.16 + 0.1 * (i % 2)}));
    add_floor(m);
    World world(m, {.step = 5e-3});
    double fastest = 0;
    while (world.time() < 8) {
        world.step();
        for (BodyId b : boxes) fastest = std::max(fastest, norm(world.twist(b).linear));
    }
    EXPECT_LT(fastest, 3);
    double deepest = 0;
    for (const Contact& c : world.contacts()) deepest = std::max(deepest, c.depth);
    EXPECT_LT(deepest, 0.03);
}

}  // namespace
}  // namespace bristle::step
