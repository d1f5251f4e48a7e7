// Every element that is not contact: impulses in steps of 1 ms go where the augmented Lagrangian goes.
#include <bristle/world.h>

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

// How far the two solvers' coordinates are apart in a second, at worst, and how far they went.
struct Difference {
    double apart = 0, range = 0;
};

Difference compare(const Model& m, JointId joint, double step = 1e-3) {
    World impulses(m, Impulse{.step = step, .sleep_after = unlimited});
    World reference(m, AugmentedLagrangian{.step = 1e-3});
    Difference out;
    const double start = reference.coordinate(joint);
    for (int i = 1; i <= 50; ++i) {
        impulses.advance_to(0.02 * i);
        reference.advance_to(0.02 * i);
        const double y = reference.coordinate(joint);
        out.apart = std::max(out.apart, std::abs(impulses.coordinate(joint) - y));
        out.range = std::max(out.range, std::abs(y - start));
    }
    return out;
}

// Within the share of its motion that is given; a model that hardly moves would show nothing.
void expect_agrees(const Model& m, JointId joint, double share) {
    const Difference d = compare(m, joint);
    EXPECT_GT(d.range, 0.05);
    EXPECT_LE(d.apart, share * d.range) << "of " << d.range << ": " << d.apart / d.range;
}

struct Hinged {
    Hinged() {
        rod = model.add(Body::box({1, 0.1, 0.2}, 2).at({0.5, 0, 0}));
        hinge = model.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    }
    Model model;
    BodyId rod;
    JointId hinge;
};

struct Guided {
    Guided() {
        block = model.add(Body::box({0.3, 0.3, 0.3}, 2));
        guide = model.add(Prismatic{.a = Model::ground(), .b = block, .at = {}, .axis = {0, 0, 1}});
    }
    Model model;
    BodyId block;
    JointId guide;
};

TEST(ImpulseElements, PendulumSwings) {
    const Hinged h;
    expect_agrees(h.model, h.hinge, 1e-3);
}

TEST(ImpulseElements, SpringPulls) {
    for (double stiffness : {40.0, 4000.0}) {
        Hinged h;
        h.model.add(Spring{.a = Model::ground(),
                           .b = h.rod,
                           .at_a = {1, 0, 1},
                           .at_b = {1, 0, 0},
                           .stiffness = stiffness,
                           .damping = 5,
                           .free_length = 0.6});
        expect_agrees(h.model, h.hinge, 0.02);
    }
}

TEST(ImpulseElements, SpringWithALawPulls) {
    Hinged h;
    h.model.add(Spring{.a = Model::ground(),
                       .b = h.rod,
                       .at_a = {1, 0, 1},
                       .at_b = {1, 0, 0},
                       .free_length = 0.5,
                       .law = [](double x, double v) { return 90 * x + 300 * x * x * x + 2 * v; }});
    expect_agrees(h.model, h.hinge, 0.01);
}

TEST(ImpulseElements, JointSpringTurnsBack) {
    Hinged h;
    h.model.add(JointSpring{.joint = h.hinge, .stiffness = 25, .damping = 0.5, .rest = -0.3});
    expect_agrees(h.model, h.hinge, 0.01);
    Guided s;
    s.model.add(JointSpring{
        .joint = s.guide, .law = [](double x, double v) { return 80 * x + 200 * x * x * x + v; }});
    expect_agrees(s.model, s.guide, 0.02);
}

TEST(ImpulseElements, BushingGivesWay) {
    Model m;
    const BodyId carrier = m.add(Body::box({0.3, 0.3, 0.3}, 2)),
                 arm = m.add(Body::box({1, 0.1, 0.1}, 1).at({0.5, 0, 0}));
    m.add(Bushing{.a = m.ground(),
                  .b = carrier,
                  .at = {},
                  .axes = Quat::about({1, 2, 3}, 0.4),
                  .stiffness = {300, 400, 500},
                  .damping = {5, 4, 6},
                  .angular_stiffness = {80, 60, 70},
                  .angular_damping = {1, 1, 1}});
    const JointId hinge = m.add(Revolute{.a = carrier, .b = arm, .at = {}, .axis = {0, 1, 0}});
    expect_agrees(m, hinge, 2e-3);
}

TEST(ImpulseElements, GearsTurnTogether) {
    Hinged h;
    const BodyId wheel = h.model.add(Body::cylinder(0.3, 0.1, 3).at({0, 2, 0}));
    const JointId axle =
        h.model.add(Revolute{.a = Model::ground(), .b = wheel, .at = {0, 2, 0}, .axis = {0, 1, 0}});
    h.model.add(Gear{.first = h.hinge, .second = axle, .ratio = -2.5});
    expect_agrees(h.model, axle, 1e-3);
    World world(h.model, Impulse{});
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate(axle), -2.5 * world.coordinate(h.hinge), 1e-6);
}

TEST(ImpulseElements, RackFollowsItsPinion) {
    Guided s;
    const BodyId wheel = s.model.add(Body::cylinder(0.2, 0.1, 3).at({0.5, 0, 0}));
    const JointId axle = s.model.add(
        Revolute{.a = Model::ground(), .b = wheel, .at = {0.5, 0, 0}, .axis = {0, 1, 0}});
    s.model.add(RackAndPinion{.rack = s.guide, .pinion = axle, .radius = 0.2});
    expect_agrees(s.model, axle, 2e-3);
    World world(s.model, Impulse{});
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate(s.guide), 0.2 * world.coordinate(axle), 1e-6);
    EXPECT_GT(std::abs(world.coordinate(axle)), 2 * pi) << "turns should be counted";
}

TEST(ImpulseElements, ScrewTurnsAsItAdvances) {
    Model m;
    const BodyId nut = m.add(Body::cylinder(0.2, 0.3, 2));
    const JointId screw =
        m.add(Screw{.a = m.ground(), .b = nut, .at = {}, .axis = {0, 0, 1}, .lead = 0.5});
    expect_agrees(m, screw, 2e-3);
    World world(m, Impulse{});
    world.advance_to(1);
    EXPECT_NEAR(std::remainder(2 * pi * world.coordinate(screw) / 0.5 - world.angle(screw), 2 * pi),
                0, 1e-5);
}

TEST(ImpulseElements, MotorRunsUpToItsNoLoadSpeed) {
    Hinged h;
    h.model.gravity = {};
    h.model.add(Motor{.joint = h.hinge, .effort = [](double) { return 6.0; }, .no_load_speed = 4});
    expect_agrees(h.model, h.hinge, 2e-3);
    World world(h.model, Impulse{.step = 1e-3});
    world.advance_to(8);
    // But for (h ω)².
    EXPECT_NEAR(world.coordinate_rate(h.hinge), 4, 4 * 1.6e-5);
    Hinged plain;
    plain.model.add(Motor{.joint = plain.hinge, .effort = [](double t) { return 9 * t - 12; }});
    // Against its weight, which it almost balances: half a step of 9 N m/s is much of what is left.
    expect_agrees(plain.model, plain.hinge, 0.01);
}

TEST(ImpulseElements, RotorIsInTheWay) {
    Hinged h;
    h.model.add(Coordinate{.joint = h.hinge, .inertia = 0.01, .ratio = 12});
    expect_agrees(h.model, h.hinge, 1e-3);
    const double with = compare(h.model, h.hinge).range,
                 without = compare(Hinged().model, h.hinge).range;
    EXPECT_LT(with, 0.7 * without);
}

TEST(ImpulseElements, PositionDriveFollows) {
    for (double most : {unlimited, 12.0}) {
        Hinged h;
        h.model.add(Drive{.joint = h.hinge,
                          .target = [](double t) { return 0.5 * std::sin(4 * t); },
                          .max_effort = most});
        expect_agrees(h.model, h.hinge, most < unlimited ? 0.025 : 0.005);
    }
}

TEST(ImpulseElements, SpeedDriveFollows) {
    for (double most : {unlimited, 12.0}) {
        Hinged h;
        h.model.add(Drive{.joint = h.hinge,
                          .control = Drive::Control::speed,
                          .target = [](double t) { return 2 * std::sin(5 * t); },
                          .max_effort = most});
        expect_agrees(h.model, h.hinge, 0.003);
    }
}

TEST(ImpulseElements, LimitStopsAndReturns) {
    for (double restitution : {0.0, 0.6}) {
        Hinged h;
        h.model.add(Limit{.joint = h.hinge, .max = 0.8, .restitution = restitution});
        expect_agrees(h.model, h.hinge, 0.012);
        World world(h.model, Impulse{.step = 1e-3});
        double farthest = 0;
        while (world.time() < 1) {
            world.step();
            farthest = std::max(farthest, world.coordinate(h.hinge));
        }
        EXPECT_LT(farthest, 0.8 + 1e-5);
        EXPECT_GT(farthest, 0.79);
    }
}

// The error falls with the step.
TEST(ImpulseElements, AreOfFirstOrder) {
    Hinged h;
    h.model.add(JointSpring{.joint = h.hinge, .stiffness = 25, .damping = 0.5});
    h.model.add(Coordinate{.joint = h.hinge, .inertia = 0.01, .ratio = 5});
    const double coarse = compare(h.model, h.hinge, 4e-3).apart,
                 fine = compare(h.model, h.hinge, 1e-3).apart;
    EXPECT_NEAR(std::log2(coarse / fine) / 2, 1, 0.2);
}

}  // namespace
}  // namespace bristle::impulse
