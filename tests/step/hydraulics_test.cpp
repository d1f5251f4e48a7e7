// Pistons behind valves: closed forms, and what holds in every step.
#include <bristle/world.h>

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using testing_support::Mechanism;
using testing_support::Random;
using testing_support::random_mechanism;

// A point on a rail along z, pushed by a piston.
struct Lift {
    Lift(double mass, double max_effort, double max_speed, TimeFunction valve = {}) {
        body = model.add(Body::box({0.1, 0.1, 0.1}, mass));
        rail = model.add(
            Prismatic{.a = model.ground(), .b = body, .at = {0, 0, 0}, .axis = {0, 0, 1}});
        piston = model.add(Drive{.joint = rail,
                                 .control = Drive::Control::hydraulic,
                                 .target = std::move(valve),
                                 .max_effort = max_effort,
                                 .max_speed = max_speed});
    }
    Model model;
    BodyId body;
    JointId rail;
    DriveId piston;
};

// K7: a spring of 2 m and 200 N/m from a wall to a small mass, and a piston that draws it to the other wall.
struct SpringRig {
    static constexpr double stiffness = 200, speed = 1, mass = 0.01;
    explicit SpringRig(double max_effort) {
        model.gravity = {};
        slide = model.add(Body::point(mass).at({2, 0, 0}));
        model.add(Spring{.a = model.ground(),
                         .b = slide,
                         .at_a = {0, 0, 0},
                         .at_b = {2, 0, 0},
                         .stiffness = stiffness,
                         .free_length = 2});
        strut = model.add(
            Distance{.a = model.ground(), .b = slide, .at_a = {5, 0, 0}, .at_b = {2, 0, 0}});
        piston = model.add(Drive{.joint = strut,
                                 .control = Drive::Control::hydraulic,
                                 .max_effort = max_effort,
                                 .max_speed = speed});
    }
    Model model;
    BodyId slide;
    JointId strut;
    DriveId piston;
};

// The spring is stretched at v until it needs all of F. What the mass then has of motion takes it further, by
// v √(m/k), to where it turns: there it is locked.
TEST(Hydraulics, ContractingStretchesASpringAsFarAsItsEffortGoes) {
    for (double most : {200.0, 400.0}) {
        SpringRig rig(most);
        World world(rig.model);
        const double k = SpringRig::stiffness, v = SpringRig::speed;
        const auto stretch = [&] { return world.pose(rig.slide).position[0] - 2; };
        world.advance_to(0.1);
        EXPECT_NEAR(stretch(), 0, 1e-12) << "it holds until it is told otherwise";
        world.command(rig.piston, -1);
        for (double t : {0.1, 0.5, 0.99 * most / k}) {
            world.advance_to(0.1 + t);
            EXPECT_NEAR(stretch(), v * (world.time() - 0.1), 1e-9);
            EXPECT_NEAR(world.coordinate_rate(rig.strut), -v, 1e-9);
            EXPECT_NEAR(world.effort(rig.piston), -k * stretch(), 1e-5);
        }
        world.advance_to(most / k + 0.3);
        const double end = stretch();
        // The turn is seen at the end of a step: the way is a sine, flat there, of (ωh)²/8 a step.
        EXPECT_NEAR(end, most / k + v * std::sqrt(SpringRig::mass / k), 2e-4);
        world.advance_to(most / k + 2);
        EXPECT_NEAR(stretch(), end, 1e-12) << "it keeps what it has won";
        EXPECT_NEAR(world.effort(rig.piston), -k * end, 1e-6);
        // The spring helps now, with more than the drive has.
        const double start = world.time();
        world.command(rig.piston, 1);
        while (world.time() < start + 0.9 * most / k) {
            world.step();
            ASSERT_NEAR(world.coordinate_rate(rig.strut), v, 1e-9);
            ASSERT_NEAR(stretch(), end - v * (world.time() - start), 1e-9);
        }
    }
}

TEST(Hydraulics, AcceleratesWithItsEffortUpToItsSpeed) {
    Lift lift(10, 118.1, 1);  // 20 N more than the weight
    World world(lift.model);
    world.command(lift.piston, 1);
    world.advance_to(0.4);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.16, 1e-9);
    EXPECT_NEAR(world.coordinate_rate(lift.rail), 0.8, 1e-9);
    EXPECT_NEAR(world.effort(lift.piston), 118.1, 1e-9);
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate_rate(lift.rail), 1, 1e-9);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.75, 1e-6);
    EXPECT_NEAR(world.effort(lift.piston), 98.1, 1e-6);
}

TEST(Hydraulics, HoldsMoreThanItCanLift) {
    Lift lift(100, 200, 1);
    World world(lift.model);
    for (double valve : {0.0, 1.0, 0.0}) {
        world.command(lift.piston, valve);
        world.advance_to(world.time() + 1);
        EXPECT_NEAR(world.coordinate(lift.rail), 0, 1e-12);
        EXPECT_NEAR(world.effort(lift.piston), 981, 1e-6);
    }
}

TEST(Hydraulics, AHelpingLoadDoesNotOverrunIt) {
    Lift lift(100, 200, 0.5);
    World world(lift.model);
    world.command(lift.piston, -1);
    world.advance_to(0.1);  // 11.81 m/s² take it to its speed in 42 ms
    const double start = world.coordinate(lift.rail);
    for (int i = 0; i < 1000; ++i) {
        world.step();
        ASSERT_NEAR(world.coordinate_rate(lift.rail), -0.5, 1e-9);
        ASSERT_NEAR(world.coordinate(lift.rail), start - 0.5 * (world.time() - 0.1), 1e-9);
        ASSERT_NEAR(world.effort(lift.piston), 981, 1e-5);
    }
}

// A load that comes and goes: it rises while the load is small, by a start v²/2a and an end of the same length
// but the other way, so v t in all; and keeps the height when the load is back.
TEST(Hydraulics, IsARatchet) {
    Lift lift(1, 200, 0.5);
    lift.model.gravity = {};
    lift.model.add(Motor{.joint = lift.rail,
                         .effort = [](double t) { return t < 1 || t > 2 ? -300.0 : -100.0; }});
    World world(lift.model);
    world.command(lift.piston, 1);
    double highest = 0;
    while (world.time() < 3) {
        world.step();
        ASSERT_GE(world.coordinate(lift.rail), highest - 1e-12) << world.time();
        highest = world.coordinate(lift.rail);
        if (world.time() < 0.999) {
            ASSERT_NEAR(highest, 0, 1e-12);
        }
    }
    // The load changes twice, each time seen up to a step late.
    EXPECT_NEAR(highest, 0.5, 2 * 0.5 * 1e-3);
    EXPECT_NEAR(world.effort(lift.piston), 300, 1e-6);
    world.command(lift.piston, 0);
    world.advance_to(4);
    EXPECT_NEAR(world.coordinate(lift.rail), highest, 1e-12);
}

// A bob on a string below a carriage: its speed across the string is its own.
TEST(Hydraulics, ClosingStopsThePistonAtOnceAndLeavesTheRestItsMomentum) {
    Model m;
    const BodyId carriage = m.add(Body::box({0.1, 0.1, 0.1}, 1)),
                 bob = m.add(Body::point(2).at({0, 0, -1}));
    const JointId rail =
        m.add(Prismatic{.a = m.ground(), .b = carriage, .at = {}, .axis = {1, 0, 0}});
    m.add(Distance{.a = carriage, .b = bob, .at_a = {}, .at_b = {0, 0, -1}});
    const DriveId piston = m.add(Drive{
        .joint = rail, .control = Drive::Control::hydraulic, .max_effort = 1e6, .max_speed = 2});
    const double h = 1e-4;
    World world(m, {.step = h});
    world.command(piston, 1);
    world.advance_to(0.7);
    const double place = world.coordinate(rail);
    const Vec3 along = world.pose(bob).position - world.pose(carriage).position,
               across = cross({0, 1, 0}, along);
    const double speed = dot(world.twist(bob).linear, across);
    EXPECT_GT(std::abs(along[0]), 0.3);
    EXPECT_GT(std::abs(speed), 1);
    world.command(piston, 0);
    world.step();
    EXPECT_NEAR(world.coordinate(rail), place, 1e-9);
    EXPECT_NEAR(world.coordinate_rate(rail), 0, 1e-9);
    // But for what weight does to it, and the turn of the string, in a step.
    EXPECT_NEAR(dot(world.twist(bob).linear, across), speed, 20 * h);
}

TEST(Hydraulics, RunsAtTheValvesShareOfItsSpeedAndNoFaster) {
    const std::pair<double, double> cases[] = {{0.5, 0.5}, {-0.25, -0.25}, {3, 1}, {-3, -1}};
    for (const auto& [valve, share] : cases) {
        Lift lift(1, 1000, 0.4);
        World world(lift.model);
        world.command(lift.piston, valve);
        world.advance_to(1);
        EXPECT_NEAR(world.coordinate_rate(lift.rail), 0.4 * share, 1e-9);
        EXPECT_NEAR(world.coordinate(lift.rail), 0.4 * share, 1e-3);
    }
}

TEST(Hydraulics, FollowsAValveThatMovesSmoothly) {
    Lift lift(1, 1000, 0.4, [](double t) { return std::sin(t); });
    World world(lift.model, {.step = 5e-3});
    world.advance_to(3);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.4 * (1 - std::cos(3)), 1e-8);
    EXPECT_NEAR(world.effort(lift.piston), 9.81 + 0.4 * std::cos(3), 1e-3);
    world.advance_to(6);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.4 * (1 - std::cos(6)), 1e-5);
}

// A function of time that turns the valve within a step: the piston, stalled by a load, was taken two thirds of a
// step's way further by the mean of both openings, with any effort.
TEST(Hydraulics, IsNotPushedFurtherByAValveThatTurnsWithinAStep) {
    Lift lift(100, 1200, 1, [](double t) { return t < 0.5 ? 1.0 : -1.0; });
    lift.model.add(
        Motor{.joint = lift.rail, .effort = [](double t) { return t < 0.2 ? 0 : -500; }});
    World world(lift.model, {.step = 0.01});
    world.advance_to(0.49);
    const double stalled = world.coordinate(lift.rail);
    EXPECT_GT(stalled, 0.01);
    world.step();
    EXPECT_LE(world.coordinate(lift.rail), stalled + 1e-12);
    world.advance_to(1);
    EXPECT_LT(world.coordinate(lift.rail), stalled - 0.4);
}

TEST(Hydraulics, PressesAgainstAStopWithItsEffort) {
    Lift lift(1, 50, 1);
    const LimitId stop = lift.model.add(Limit{.joint = lift.rail, .max = 0.3});
    World world(lift.model);
    world.command(lift.piston, 1);
    world.advance_to(2);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.3, 1e-9);
    EXPECT_NEAR(world.effort(lift.piston), 50, 1e-6);
    EXPECT_NEAR(world.effort(stop), 9.81 - 50, 1e-5);
    world.command(lift.piston, -1);
    world.advance_to(2.2);
    // It has its speed after v²/2a, a = 59.81 m/s²; the stop lets go within the first step.
    EXPECT_NEAR(world.coordinate(lift.rail), 0.3 - (0.2 - 0.5 / 59.81), 0.5 * 1e-3);
}

// Lock and stop hold the same coordinate: they must not press against each other.
TEST(Hydraulics, IsLockedAtAStopWithoutStrain) {
    Lift lift(1, 50, 1);
    const LimitId stop = lift.model.add(Limit{.joint = lift.rail, .max = 0.3});
    World world(lift.model);
    world.command(lift.piston, 1);
    world.advance_to(1);
    world.command(lift.piston, 0);
    world.advance_to(3);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.3, 1e-9);
    EXPECT_NEAR(world.effort(lift.piston) + world.effort(stop), 9.81, 1e-5);
    EXPECT_LE(world.effort(lift.piston), 50 + 1e-3);
}

TEST(Hydraulics, KeepsWhatItHasWonThroughAChange) {
    Lift lift(100, 1200, 1);
    lift.model.add(
        Motor{.joint = lift.rail, .effort = [](double t) { return t < 0.2 ? 0 : -500; }});
    World world(lift.model);
    world.command(lift.piston, 1);
    world.advance_to(0.5);
    const double stalled = world.coordinate(lift.rail);
    EXPECT_GT(stalled, 0.01);
    world.change([](Model& m) { m.add(Body::sphere(0.1, 1).at({3, 0, 0})); });
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate(lift.rail), stalled, 1e-9);
    EXPECT_NEAR(world.effort(lift.piston), 1481, 1e-4);
}

TEST(Hydraulics, IsGuidedAtTheRateOfItsValve) {
    Lift lift(1, 50, 0.2, [](double t) { return std::sin(t); });
    World world(lift.model);
    world.guide(2);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.2 * (1 - std::cos(2)), 1e-9);
    EXPECT_NEAR(world.coordinate_rate(lift.rail), 0.2 * std::sin(2), 1e-6);
    world.advance_to(3);
    EXPECT_NEAR(world.coordinate(lift.rail), 0.2 * (1 - std::cos(3)), 1e-6);
}

TEST(Hydraulics, TurnsEveryJointThatHasACoordinate) {
    const auto run = [](const auto& joint) {
        Model m;
        m.add(Body::box({0.2, 0.2, 0.2}, 1).at({0.5, 0, 0}));
        const JointId id = m.add(joint);
        const DriveId piston = m.add(Drive{.joint = id,
                                           .control = Drive::Control::hydraulic,
                                           .max_effort = 1e6,
                                           .max_speed = 0.2});
        World world(m);
        const double start = world.coordinate(id);
        world.command(piston, 1);
        world.advance_to(1);
        EXPECT_NEAR(world.coordinate_rate(id), 0.2, 1e-9) << to_string(m.joints()[0].type);
        EXPECT_NEAR(world.coordinate(id), start + 0.2, 1e-4) << to_string(m.joints()[0].type);
        world.command(piston, 0);
        world.advance_to(1.5);
        EXPECT_NEAR(world.coordinate(id), start + 0.2, 1e-4);
    };
    const BodyId a = Model::ground(), b{1};
    run(Revolute{.a = a, .b = b, .at = {}, .axis = {0, 1, 0}});
    run(Prismatic{.a = a, .b = b, .at = {}, .axis = {0, 0, 1}});
    run(Cylindrical{.a = a, .b = b, .at = {}, .axis = {0, 0, 1}});
    run(Screw{.a = a, .b = b, .at = {}, .axis = {0, 0, 1}, .lead = 0.1});
    run(Distance{.a = a, .b = b, .at_a = {0, 0, 2}, .at_b = {0.5, 0, 0.1}});
}

TEST(Hydraulics, IsInSnapshotsAndTheHash) {
    SpringRig rig(200);
    World world(rig.model);
    world.command(rig.piston, -1);
    world.advance_to(0.5);
    const Snapshot moving = world.snapshot();
    world.advance_to(1.5);
    const uint64_t end = world.hash();
    world.restore(moving);
    world.advance_to(1.5);
    EXPECT_EQ(world.hash(), end);
    // Where it is and how fast do not tell whether the valve is open.
    World closed(rig.model), open(rig.model);
    open.command(rig.piston, -1);
    EXPECT_NE(closed.hash(), open.hash());
}

// Valves of random mechanisms are opened and closed as it comes. Whatever else happens, the coordinate goes the
// commanded way, not faster than the valve lets it, and is pushed with no more than there is.
class HydraulicMechanism : public testing::TestWithParam<int> {};

TEST_P(HydraulicMechanism, GoesTheCommandedWayOnly) {
    Mechanism m = random_mechanism(static_cast<uint64_t>(GetParam()), {.loops = 0});
    Random random(static_cast<uint64_t>(GetParam()));
    std::vector<JointId> driven;
    for (JointId j : m.joints) {
        const JointType type = m.model.joints()[j.index].type;
        if (!m.model.has_coordinate(j) || type == JointType::screw || random.chance(0.3)) continue;
        driven.push_back(j);
        m.model.add(Drive{.joint = j,
                          .control = Drive::Control::hydraulic,
                          .max_effort = random.uniform(1, 50),
                          .max_speed = random.uniform(0.2, 2)});
    }
    World world(m.model);
    std::vector<double> valve(driven.size()), last(driven.size());
    for (int i = 0; i < 500; ++i) {
        if (i % 50 == 0)
            for (uint32_t d = 0; d < driven.size(); ++d) {
                valve[d] = random.chance(0.3) ? 0 : random.uniform(-1, 1);
                world.command(DriveId{d}, valve[d]);
            }
        for (uint32_t d = 0; d < driven.size(); ++d) last[d] = world.coordinate(driven[d]);
        world.step();
        for (uint32_t d = 0; d < driven.size(); ++d) {
            const Drive& drive = m.model.drives()[d];
            const double side = valve[d] < 0 ? -1 : 1,
                         rate = side * world.coordinate_rate(driven[d]),
                         moved = side * (world.coordinate(driven[d]) - last[d]),
                         most = side * valve[d] * drive.max_speed;
            ASSERT_GE(moved, -1e-8) << "drive " << d << " step " << i;
            ASSERT_GE(rate, -1e-6) << "drive " << d << " step " << i;
            ASSERT_LE(rate, most + 1e-6) << "drive " << d << " step " << i;
            if (rate > 1e-6) {
                ASSERT_LE(side * world.effort(DriveId{d}), drive.max_effort * (1 + 1e-6))
                    << "drive " << d << " step " << i;
            }
        }
        ASSERT_LE(world.constraint_error().position, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, HydraulicMechanism, testing::Range(1, 101));

}  // namespace
}  // namespace bristle::step
