// Mechanisms under impulses: energy, forces and work that joints and drives must not invent.
#include <bristle/world.h>

#include "tests/support/crank_and_piston.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace bristle::impulse {
namespace {

constexpr double g = 9.81;

// ---- Small forces on what is fast ------------------------------------------------------------------------

// Velocities are swept in single precision: what a part of a step adds to 300 rad/s or 300 m/s is less than a rounding.
TEST(SmallForces, AreNotLostOnFastBodies) {
    Model m;
    m.gravity = {0, 0, -1e-3};
    const BodyId wheel = m.add(Body::cylinder(0.2, 0.1, 2).moving({}, {0, 0, 300}));
    const JointId pin =
        m.add(Revolute{.a = Model::ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}});
    m.add(Motor{.joint = pin, .effort = 0.02});
    const BodyId sledge = m.add(Body::box({1, 1, 1}, 2).moving({0, 0, 300}));
    m.add(Prismatic{.a = Model::ground(), .b = sledge, .at = {}, .axis = {0, 0, 1}});
    World world(m, Impulse{.step = 1e-3});
    world.advance_to(0.1);
    EXPECT_NEAR(world.twist(wheel).angular.z - 300, 0.02 / 0.04 * 0.1, 1e-5);
    EXPECT_NEAR(world.twist(sledge).linear.z - 300, -1e-4, 1e-7);
}

// ---- Slender bodies on hinges, turning freely in a cone ---------------------------------------------------

class SlenderBody : public testing::TestWithParam<std::tuple<double, double, double>> {};

TEST_P(SlenderBody, KeepsItsEnergy) {
    const auto [step, spin, axial] = GetParam();
    Model m;
    m.gravity = {};
    for (double tilt : {0.0, 0.3, 0.8}) {
        const Vec3 end{std::cos(tilt), 0, std::sin(tilt)}, at{0, 3 * tilt, 0};
        Body rod = Body::rod(at, at + end, 1).moving({}, {0, 0, spin});
        // About its axis as little as is asked, or as is made up.
        rod.inertia = rod.inertia + (axial / 12) * (Mat3::identity());
        const BodyId id = m.add(rod);
        m.add(Revolute{.a = Model::ground(), .b = id, .at = at, .axis = {0, 0, 1}});
    }
    World world(m, Impulse{.step = step});
    // The velocities of a step are those of its chord: from the second step on they are alike.
    for (int i = 0; i < 3; ++i) world.step();
    const double start = world.energy().total();
    double most = start, least = start;
    while (world.time() < 10) {
        world.step();
        most = std::max(most, world.energy().total());
        least = std::min(least, world.energy().total());
    }
    EXPECT_LT(most / start - 1, 1e-4);
    EXPECT_GT(least / start - 1, -1e-4);
}

INSTANTIATE_TEST_SUITE_P(Steps, SlenderBody,
                         testing::Combine(testing::Values(1e-3, 5e-3, 1e-2),
                                          testing::Values(1.0, 5.0, 20.0),
                                          testing::Values(0.0, 1e-6, 0.01)));

// ---- Fast wheels: up to two radians a step nothing is gained ---------------------------------------------

TEST(FastSpin, GainsNothing) {
    for (double step : {1e-3, 5e-3, 1e-2})
        for (double turn : {0.1, 0.5, 1.0, 1.5, 2.0})
            for (bool is_hinged : {false, true}) {
                const double spin = turn / step;
                const Vec3 axis = normalized({1, 0, 2});
                Model m;
                m.gravity = {};
                Body wheel = Body::cylinder(0.1, 0.05, 1).at(0.22 * axis);
                // A little off its axis, so that it wobbles.
                wheel = wheel.moving({}, spin * normalized(axis + Vec3{0, 0.05, 0}));
                wheel.orientation = Quat::about({0, 1, 0}, std::atan2(1, 2));
                const BodyId id = m.add(wheel);
                if (is_hinged)
                    m.add(Revolute{.a = Model::ground(), .b = id, .at = {}, .axis = axis});
                else
                    m.add(Spherical{.a = Model::ground(), .b = id, .at = {}});
                World world(m, Impulse{.step = step});
                for (int i = 0; i < 3; ++i) world.step();
                const double start = world.energy().total();
                double most = start;
                while (world.time() < 3) {
                    world.step();
                    most = std::max(most, world.energy().total());
                }
                EXPECT_LT(most / start, 1.001) << step << ' ' << turn << ' ' << is_hinged;
            }
}

// ---- What is held twice ------------------------------------------------------------------------------------

// A door on two hinges: what they carry against each other stays what it must be, and the weight is shared.
TEST(RedundantJoints, DoNotPressAgainstEachOther) {
    for (double step : {1e-3, 5e-3}) {
        Model m;
        const BodyId door = m.add(Body::box({0.8, 0.04, 2}, 20).at({0.4, 0, 1}));
        const auto hinge = [&](double z) {
            return m.add(
                Revolute{.a = Model::ground(), .b = door, .at = {0, 0, z}, .axis = {0, 0, 1}});
        };
        const JointId low = hinge(0.3), high = hinge(1.7);
        m.add(Motor{.joint = low, .effort = [](double t) { return 2 * std::sin(t); }});
        World world(m, Impulse{.step = step});
        world.advance_to(30);
        for (JointId id : {low, high}) {
            EXPECT_NEAR(world.reaction(id).force.z, 10 * g, 1) << step;
            EXPECT_LT(norm(world.reaction(id).force), 110) << step;
        }
    }
}

// ---- Work --------------------------------------------------------------------------------------------------

TEST(ImpulseDrive, ToldItsWork) {
    Model m;
    const BodyId box = m.add(Body::box({0.2, 0.2, 0.2}, 10));
    const JointId rail =
        m.add(Prismatic{.a = Model::ground(), .b = box, .at = {}, .axis = {0, 0, 1}});
    const DriveId lift = m.add(Drive{.joint = rail,
                                     .control = Drive::Control::speed,
                                     .target = [](double) { return 0.5; },
                                     .max_effort = 200});
    World world(m, Impulse{.step = 5e-3});
    world.advance_to(2);
    const Energy e = world.energy();
    EXPECT_GT(world.work(lift), 90);
    // Started by force and not by a jump, it knows its work to the first order.
    EXPECT_NEAR(world.work(lift), e.kinetic + 10 * g * world.coordinate(rail),
                0.02 * world.work(lift));
}

// A wheel on its own axle has no other speed than its spin: its drive was undone.
TEST(ImpulseDrive, OfLimitedEffortTurnsAWheelOnItsAxle) {
    for (double effort : {1.0, 100.0, 1e4})
        for (double step : {10e-3, 5e-3, 2e-3, 1e-3}) {
            Model m;
            m.gravity = {};
            Body body;
            body.mass = 5;
            body.inertia = Mat3::identity();
            const BodyId wheel = m.add(body);
            const JointId axle =
                m.add(Revolute{.a = Model::ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}});
            m.add(Drive{.joint = axle, .target = [](double) { return 1.0; }, .max_effort = effort});
            World world(m, Impulse{.step = step});
            if (effort == 1) {
                world.advance_to(1);
                EXPECT_NEAR(world.coordinate(axle), 0.5, step) << step;
                continue;
            }
            world.advance_to(4);
            EXPECT_NEAR(world.coordinate(axle), 1, 1e-3) << effort << " N m, " << step;
            EXPECT_LT(static_cast<double>(world.statistics().iterations),
                      2.5 * static_cast<double>(world.statistics().steps));
        }
}

// It goes further than half a turn in a step: 6,500 and 14,000 rpm.
TEST(ImpulseDrive, TurnsASpindleAsFastAsItIsTold) {
    for (double speed : {681.0, 1466.0}) {
        Model m;
        const BodyId spindle = m.add(Body::cylinder(0.05, 0.2, 2));
        const JointId axle =
            m.add(Revolute{.a = Model::ground(), .b = spindle, .at = {}, .axis = {0, 0, 1}});
        m.add(Drive{.joint = axle, .control = Drive::Control::speed, .target = [=](double t) {
                        return std::min(1.0, 2 * t) * speed;
                    }});
        World world(m, Impulse{.step = 5e-3});
        world.advance_to(1);
        EXPECT_NEAR(world.twist(spindle).angular.z, speed, 1e-6 * speed);
    }
}

// Thin is not nothing: a shaft of 10 mm and a metre has a seven-thousandth of its largest moment, and keeps it.
TEST(ImpulseBodies, KeepTheInertiaTheyHave) {
    Model m;
    m.gravity = {};
    const BodyId shaft = m.add(Body::cylinder(0.005, 1, 0.6162));
    const JointId axle =
        m.add(Revolute{.a = Model::ground(), .b = shaft, .at = {}, .axis = {0, 0, 1}});
    m.add(Motor{.joint = axle, .effort = 1e-3});
    World world(m, Impulse{.step = 2e-3});
    world.advance_to(0.5);
    EXPECT_NEAR(world.coordinate_rate(axle), 1e-3 * 0.5 / (0.5 * 0.6162 * 0.005 * 0.005), 0.1);
}

// A rope that turns about its winch does not get longer by what a step goes straight on.
TEST(ImpulseDrive, AWinchThatStandsStillKeepsItsRope) {
    for (const Drive::Control control : {Drive::Control::speed, Drive::Control::friction}) {
        Model m;
        const BodyId load = m.add(Body::sphere(0.05, 10).at({1, 0, 0}));
        const JointId rope =
            m.add(Distance{.a = Model::ground(), .b = load, .at_a = {0, 0, 0}, .at_b = {1, 0, 0}});
        m.add(Drive{.joint = rope, .control = control, .max_effort = 1e5});
        World world(m, Impulse{.step = 10e-3});
        world.advance_to(30);
        EXPECT_NEAR(world.coordinate(rope), 1, 5e-3);
    }
}

// What a piston carries is not what it is joined to.
TEST(ImpulseDrive, APistonUnderALoadIsAsFastAsItsValveAllows) {
    Model m;
    const BodyId beam = m.add(Body::rod({0, 0, 0}, {2, 0, 0}, 10));
    const BodyId load = m.add(Body::box({0.4, 0.4, 0.4}, 2000).at({2, 0, 0}));
    m.add(Revolute{.a = Model::ground(), .b = beam, .at = {}, .axis = {0, 1, 0}});
    m.add(Fixed{.a = beam, .b = load});
    const BodyId shoe = m.add(Body::box({0.1, 0.1, 0.1}, 2).at({0.3, 0, -1}));
    m.add(Fixed{.a = Model::ground(), .b = shoe});
    const BodyId pin = m.add(Body::box({0.1, 0.1, 0.1}, 1).at({0.3, 0, 0}));
    m.add(Spherical{.a = beam, .b = pin, .at = {0.3, 0, 0}});
    const JointId ram =
        m.add(Distance{.a = shoe, .b = pin, .at_a = {0.3, 0, -1}, .at_b = {0.3, 0, 0}});
    m.add(Drive{.joint = ram,
                .control = Drive::Control::hydraulic,
                .target = [](double) { return 0.5; },
                .max_effort = 1e6,
                .max_speed = 0.1});
    World world(m, Impulse{.step = 10e-3});
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate(ram), 1.05, 2e-3);
}

// What it had won beyond the stop, by roundings, pressed against it: 3e8 N after seconds, and a step that could not balance that any more.
TEST(ImpulseDrive, APistonAtAStopPressesAsHardAsItMay) {
    Model m;
    const BodyId boom = m.add(Body::rod({0, 0, 1}, {3, 0, 1}, 300));
    const BodyId stick = m.add(Body::rod({3, 0, 1}, {5, 0, 1}, 100));
    const JointId pin =
        m.add(Revolute{.a = Model::ground(), .b = boom, .at = {0, 0, 1}, .axis = {0, 1, 0}});
    const JointId knee = m.add(Revolute{.a = boom, .b = stick, .at = {3, 0, 1}, .axis = {0, 1, 0}});
    m.add(Limit{.joint = pin, .min = -0.6, .max = 0.6});
    const DriveId lift = m.add(Drive{.joint = pin,
                                     .control = Drive::Control::hydraulic,
                                     .target = [](double) { return -1.0; },
                                     .max_effort = 3e4,
                                     .max_speed = 0.5});
    m.add(Drive{.joint = knee,
                .control = Drive::Control::hydraulic,
                .target = [](double t) { return std::sin(5 * t); },
                .max_effort = 1e4,
                .max_speed = 1});
    World world(m, Impulse{.step = 5e-3});
    double most = 0;
    while (world.time() < 20) {
        world.step();
        if (world.time() > 3) most = std::max(most, std::abs(world.effort(lift)));
    }
    EXPECT_NEAR(world.coordinate(pin), -0.6, 1e-3);
    EXPECT_LT(most, 3.1e4);
}

// ---- A piston at the end of what its linkage reaches -------------------------------------------------------

TEST(ImpulseDrive, LockedAtADeadPointStaysThere) {
    const testing_support::CrankAndPiston linkage;
    World world(linkage.model, Impulse{.step = 5e-3});
    double most = 0;
    while (world.time() < 20) {
        world.step();
        most = std::max(most, world.energy().kinetic);
        ASSERT_LT(world.coordinate(linkage.piston), linkage.reach + 1e-3) << world.time();
    }
    EXPECT_LT(most, 100);  // it whips over, and is caught
    EXPECT_LT(world.energy().kinetic, 1e-3);
}

}  // namespace
}  // namespace bristle::impulse
