// What words of a model mean: coordinates, drives, springs.
#include "mechanics/coordinates.h"
#include "mechanics/drives.h"
#include "mechanics/force_laws.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

namespace bristle::mechanics {
namespace {

using testing_support::Random;

TEST(Coordinates, StartWhereTheJointSays) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1).at({3, 0, 0}));
    const JointId hinge = m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 0, 2}});
    const BodyId b = m.add(Body::box({1, 1, 1}, 1)), c = m.add(Body::box({1, 1, 1}, 1));
    const JointId slide = m.add(
        Prismatic{.a = m.ground(), .b = b, .at = {}, .axis = {2, 0, 0}, .at_b = Vec3{0.25, 0, 0}});
    const JointId bar =
        m.add(Distance{.a = m.ground(), .b = c, .at_a = {0, 0, 0}, .at_b = {3, 4, 0}});
    EXPECT_EQ(start_value(m, hinge), 0);
    EXPECT_DOUBLE_EQ(start_value(m, slide), 0.25);
    EXPECT_DOUBLE_EQ(start_value(m, bar), 5);
    const JointId gear = m.add(Gear{.first = hinge, .second = slide, .ratio = 3});
    EXPECT_DOUBLE_EQ(held_difference(m, m.joints()[gear.index]), 0.25);
}

TEST(Coordinates, TurnsAreCountedToTheNearest) {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const double last = random.uniform(-100, 100), true_angle = last + random.uniform(-3, 3);
        EXPECT_NEAR(counted(std::remainder(true_angle, 2 * pi), last), true_angle, 1e-12);
    }
}

Drive drive_of(Drive::Control control, double max_speed = 0) {
    Drive d;
    d.control = control;
    d.max_speed = max_speed;
    return d;
}

TEST(Drives, TargetIsTheFunctionOrTheCommand) {
    Drive d = drive_of(Drive::Control::speed);
    EXPECT_EQ(target_of(d, 0, 2, 5), 5);
    d.target = [](double t) { return 3 * t; };
    EXPECT_EQ(target_of(d, 0, 2, 5), 6);
    d.target = [](double) { return std::nan(""); };
    d.name = "lift";
    try {
        target_of(d, 0, 2, 5);
        FAIL() << "nothing was thrown";
    } catch (const SimulationError& e) {
        EXPECT_STREQ(e.what(), "drive 'lift': its target at t = 2 s is nan");
    }
}

TEST(Drives, ValvesOpenNoFurtherThanFully) {
    const Drive piston = drive_of(Drive::Control::hydraulic, 0.2);
    EXPECT_DOUBLE_EQ(asked_rate(piston, 0.5), 0.1);
    EXPECT_DOUBLE_EQ(asked_rate(piston, 7), 0.2);
    EXPECT_DOUBLE_EQ(asked_rate(piston, -7), -0.2);
    EXPECT_DOUBLE_EQ(asked_rate(drive_of(Drive::Control::speed), -7), -7);
}

TEST(Drives, ACommandDoesNotMakeACoordinateJump) {
    const Drive d = drive_of(Drive::Control::position);
    double command = 1, offset = 0.25;
    give_command(d, command, offset, 4);
    EXPECT_DOUBLE_EQ(command + offset, 1.25);
    EXPECT_EQ(command, 4);
    EXPECT_NEAR(offset_after(offset, 20e-3, 1e-3), offset / std::exp(1.0), 1e-15);
    double rate = 1, reference = 0.25;
    give_command(drive_of(Drive::Control::speed), rate, reference, 4);
    EXPECT_EQ(reference, 0.25);
}

TEST(Drives, APistonKeepsWhatItHasWon) {
    EXPECT_EQ(stored_by(1, 0.3, 0.4), 0.4);
    EXPECT_EQ(stored_by(1, 0.3, 0.2), 0.3);
    EXPECT_EQ(stored_by(-1, 0.3, 0.4), 0.3);
    EXPECT_EQ(stored_by(-1, 0.3, 0.2), 0.2);
    EXPECT_EQ(stored_by(0, 0.3, 0.2), 0.3);
}

TEST(ForceLaws, DerivativesOfALawAreItsOwn) {
    Spring s;
    s.law = [](double x, double v) { return 100 * x + 40 * x * x * x + (2 + x * x) * v; };
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const double x = random.uniform(-2, 2), v = random.uniform(-2, 2);
        const Resistance r = resistance(s, x, v, 1);
        EXPECT_DOUBLE_EQ(r.effort, s.law(x, v));
        EXPECT_NEAR(r.stiffness, 100 + 120 * x * x + 2 * x * v, 1e-4);
        EXPECT_NEAR(r.damping, 2 + x * x, 1e-4);
        EXPECT_NEAR(stored_energy(s, x), 50 * x * x + 10 * x * x * x * x, 1e-10);
    }
}

TEST(ForceLaws, LinearSpringsAreExact) {
    JointSpring s;
    s.stiffness = 30;
    s.damping = 4;
    const Resistance r = resistance(s, 0.5, -2, 1);
    EXPECT_EQ(r.effort, 30 * 0.5 - 8);
    EXPECT_EQ(r.stiffness, 30);
    EXPECT_EQ(r.damping, 4);
    EXPECT_EQ(stored_energy(s, 0.5), 0.5 * 30 * 0.25);
}

TEST(ForceLaws, TiltIsTheSineOfASmallTurn) {
    Random random(5);
    for (int k = 0; k < 3; ++k) {
        const Mat3 a = random.rotation().matrix();
        const double angle = 1e-3;
        const Mat3 b = Quat::about(a.column(k), angle).matrix() * a;
        for (int n = 0; n < 3; ++n)
            EXPECT_NEAR(tilt(a, b, n), n == k ? std::sin(angle) : 0, 1e-15) << k << ", " << n;
    }
}

TEST(ForceLaws, AMotorPushesNoMoreAtItsNoLoadSpeed) {
    EXPECT_DOUBLE_EQ(40 - droop(40, 8) * 8, 0);
    EXPECT_DOUBLE_EQ(-40 + droop(-40, 8) * 8, 0);
    EXPECT_EQ(droop(40, unlimited), 0);
}

}  // namespace
}  // namespace bristle::mechanics
