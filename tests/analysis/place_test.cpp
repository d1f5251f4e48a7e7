// Bodies put elsewhere while a world runs: by both solvers.
#include <bristle/analysis.h>

#include "scenes/linkages.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

Settings solver(int which) {
    return which == 0 ? Settings(AugmentedLagrangian{.step = 1e-3}) : Settings(Impulse{});
}

class Placing : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Placing, ::testing::Values(0, 1));

TEST_P(Placing, APendulumHasTheAngleItIsPutAtAndSwingsFromThere) {
    Model m;
    const BodyId rod = m.add(Body::rod(1, 2));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    World world(m, solver(GetParam()));
    world.advance_to(0.2);
    const double before = world.time();
    const double angle = 0.7;
    set_velocity(world, rod, {});
    set_pose(world, rod, {{}, Quat::about({0, 1, 0}, angle)});
    EXPECT_EQ(world.time(), before);
    EXPECT_NEAR(world.coordinate(pin), angle, 1e-9);
    EXPECT_NEAR(norm(world.point(rod, {1, 0, 0}) - Vec3{std::cos(angle), 0, -std::sin(angle)}), 0,
                GetParam() == 0 ? 1e-9 : 1e-7);  // joints of the impulse solver give a little
    EXPECT_NEAR(world.energy().kinetic, 0, 1e-12);
    const double energy = world.energy().total();
    world.advance_to(before + 0.5);
    // Of 2 kg that fall by up to 0.15 m: impulses lose some.
    EXPECT_NEAR(world.energy().total(), energy, GetParam() == 0 ? 1e-4 : 0.1);
    EXPECT_GT(world.energy().kinetic, 0.5);
}

TEST_P(Placing, ALoopFollowsItsCrank) {
    const scenes::FourBarModel s = scenes::four_bar({}, 0.4, {});
    World world(s.model, solver(GetParam()));
    const Pose start = world.pose(s.crank);
    set_pose(world, s.crank, {start.position, Quat::about({0, 1, 0}, 0.3) * start.orientation});
    EXPECT_LT(world.constraint_error().position, 1e-9);
    const Quat turned = world.pose(s.crank).orientation * start.orientation.conjugate();
    EXPECT_NEAR(2 * std::atan2(turned.y, turned.w), 0.3, 1e-9);
}

TEST_P(Placing, WhatItsJointsForbidBecomesTheNearest) {
    Model m;
    const BodyId rod = m.add(Body::rod(1, 2));
    m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    World world(m, solver(GetParam()));
    set_pose(world, rod, {{0.1, 0.2, 0}, Quat::about({0, 1, 0}, 0.5)});
    EXPECT_NEAR(norm(world.pose(rod).position), 0, 1e-9);
    // Drawn by the shift, too, but about where it was asked to be.
    const Quat q = world.pose(rod).orientation;
    EXPECT_NEAR(2 * std::atan2(q.y, q.w), 0.5, 0.2);
}

TEST_P(Placing, AVelocityIsSharedOutByTheJoints) {
    Model m;
    const BodyId rod = m.add(Body::rod(1, 2));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    World world(m, solver(GetParam()));
    set_velocity(world, rod, {{}, {0, 3, 0}});
    world.step();
    const double given_by_gravity = 1.5 * 9.81 * step_of(world.settings());
    EXPECT_NEAR(world.coordinate_rate(pin), 3 + given_by_gravity, 2e-2);
    // Substeps of impulses leave some hundredths.
    EXPECT_LT(world.constraint_error().velocity, GetParam() == 0 ? 1e-9 : 0.05);
}

TEST_P(Placing, WhatIsNoPlaceChangesNothing) {
    Model m;
    const BodyId ball = m.add(Body::sphere(0.1, 1));
    World world(m, solver(GetParam()));
    const uint64_t before = world.hash();
    EXPECT_THROW(set_pose(world, ball, {{NAN, 0, 0}, {}}), InputError);
    EXPECT_THROW(set_pose(world, ball, {{}, {0, 0, 0, 0}}), InputError);
    EXPECT_THROW(set_pose(world, Model::ground(), {}), InputError);
    EXPECT_THROW(set_velocity(world, ball, {{0, INFINITY, 0}, {}}), InputError);
    EXPECT_EQ(world.hash(), before);
}

}  // namespace
}  // namespace bristle
