// Ranges, differentials that lock in part, and brakes; on hubs alone and on tyres.
#include "machines/parts/drive_train.h"

#include <bristle/world.h>

#include "machines/parts/tyre.h"
#include "tests/machines/asked.h"
#include "tests/machines/solvers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::machines {
namespace {

using testing_support::solvers;

constexpr double radius = 0.5, mass = 12000;
constexpr MaterialId ice{1};

// Four wheels on tyres, both axles driven; the right ones may stand on ice. x forward, up a slope of the given gradient.
struct Machine {
    explicit Machine(double gradient = 0, const std::vector<Axle>& axles = {{}, {}},
                     bool right_on_ice = false) {
        model.add(Material{.name = "ice"});
        model.add(Shape{
            .body = model.ground(), .geometry = Box{{2000, 100, 1}}, .pose = {{0, 50, -0.5}, {}}});
        model.add(Shape{.body = model.ground(),
                        .geometry = Box{{2000, 100, 1}},
                        .pose = {{0, -50, -0.5}, {}},
                        .material = right_on_ice ? ice : MaterialId{}});
        const double slope = std::atan(gradient);
        model.gravity = 9.81 * Vec3{-std::sin(slope), 0, -std::cos(slope)};
        Tyre tyre;
        tyre.radius = radius;
        tyre.grip = {{ice, 0.1}};
        const double z = radius - mass * 9.81 / 4 / tyre.stiffness;
        body = model.add(Body::box({4, 2, 1}, mass - 600).at({0, 0, z + 0.3}));
        train.axles = axles;
        size_t axle = 0;
        for (const double x : {-1.4, 1.4}) {
            const auto hub = [&](double y) {
                const Vec3 at{x, y, z};
                wheels.push_back(model.add(Body::sphere(0.4, 150).at(at)));
                add_tyre(model, wheels.back(), tyre);
                hubs.push_back(model.add(
                    Revolute{.a = body, .b = wheels.back(), .at = at, .axis = {0, 1, 0}}));
                return hubs.back();
            };
            train.axles[axle].left = hub(1);
            train.axles[axle].right = hub(-1);
            train.axles[axle].share = 0.5;
            ++axle;
        }
        drive = add_drive_train(model, train);
    }
    double speed(const World& w) const { return w.twist(body).linear.x; }
    Model model;
    DriveTrain train;
    BodyId body;
    std::vector<BodyId> wheels;
    std::vector<JointId> hubs;
    ForceId drive;
};

TEST(DriveTrain, PullsWithTheTorqueOfItsRangeAndRunsToItsSpeed) {
    for (const Settings& settings : solvers()) {
        const Machine m;
        World world(m.model, settings);
        world.advance_to(1);
        world.command(m.drive, pedal, 0.1);
        world.advance_to(1.6);
        const double before = m.speed(world);
        world.advance_to(1.8);
        // 0.1 of the torque less 0.9 of what retards, also for the wheels' own inertia; power does not bound it yet.
        const double spin = 0.5 * (before + m.speed(world)) / radius,
                     torque = 0.1 * m.train.ranges[0].torque
                            - 0.9 * m.train.retarding * spin / m.train.ranges[0].speed,
                     inertia = mass + 4 * 0.4 * 150 * 0.16 / (radius * radius);
        EXPECT_LT(spin, m.train.power / m.train.ranges[0].torque);
        EXPECT_NEAR((m.speed(world) - before) / 0.2, torque / radius / inertia,
                    0.05 * torque / radius / inertia);
        world.command(m.drive, pedal, 1);
        world.advance_to(6);
        EXPECT_NEAR(m.speed(world), radius * m.train.ranges[0].speed,
                    0.03 * radius * m.train.ranges[0].speed);
        world.command(m.drive, range, 2);
        world.advance_to(40);
        EXPECT_NEAR(m.speed(world), radius * m.train.ranges[1].speed,
                    0.03 * radius * m.train.ranges[1].speed);
        // Let go, it is retarded; in neutral it is not.
        world.command(m.drive, pedal, 0);
        const double fast = m.speed(world);
        world.advance_to(41);
        EXPECT_LT(m.speed(world), fast - 0.3);
        world.command(m.drive, range, 0);
        const double rolling = m.speed(world);
        world.advance_to(42);
        EXPECT_NEAR(m.speed(world), rolling, 0.005 * rolling);
    }
}

TEST(DriveTrain, BacksAndChangesDirection) {
    const Machine m;
    World world(m.model);
    world.command(m.drive, pedal, -0.5);
    world.advance_to(3);
    EXPECT_LT(m.speed(world), -1);
    world.command(m.drive, pedal, 0.5);
    world.advance_to(8);
    EXPECT_GT(m.speed(world), 1);
}

TEST(DriveTrain, BrakesWithWhatThePedalAsksFor) {
    for (const Settings& settings : solvers()) {
        const Machine m;
        World world(m.model, settings);
        world.command(m.drive, range, 2);
        world.command(m.drive, pedal, 1);
        world.advance_to(12);
        world.command(m.drive, pedal, 0);
        world.command(m.drive, range, 0);
        world.command(m.drive, service_brake, 0.2);
        world.advance_to(12.5);
        const double v = m.speed(world);
        world.advance_to(13);
        const double torque = 4 * 0.2 * m.train.service_torque,
                     inertia = mass + 4 * 0.4 * 150 * 0.16 / (radius * radius);
        EXPECT_NEAR((v - m.speed(world)) / 0.5, torque / radius / inertia,
                    0.05 * torque / radius / inertia);
        world.advance_to(20);
        const double x = world.pose(m.body).position.x;
        EXPECT_NEAR(m.speed(world), 0, 1e-6);
        world.advance_to(25);
        EXPECT_NEAR(world.pose(m.body).position.x, x, 1e-6);
    }
}

TEST(DriveTrain, TheParkingBrakeHoldsOnASlopeWithoutCreep) {
    for (const Settings& settings : solvers()) {
        const Machine m(0.6);
        World world(m.model, settings);
        world.command(m.drive, parking_brake, 1);
        world.advance_to(20);
        const Vec3 there = world.pose(m.body).position;
        EXPECT_LT(std::abs(there.x), 0.2);
        world.advance_to(80);
        EXPECT_LT(norm(world.pose(m.body).position - there), 1e-9);
        EXPECT_EQ(world.statistics().rough_steps, 0u);
        world.command(m.drive, parking_brake, 0);
        world.command(m.drive, range, 0);
        world.advance_to(81);
        EXPECT_LT(m.speed(world), -3);
    }
}

// With the right wheels on ice an open differential pulls with twice what ice bears, a locked one with what the other side bears, too.
TEST(DriveTrain, ALimitedSlipAxlePullsWithOneSideOnIce) {
    for (const Settings& settings : solvers()) {
        double pull[2];
        for (const bool locks : {false, true}) {
            const Axle axle{.lock_preload = locks ? 500 : 1e-3, .lock_share = locks ? 0.5 : 0};
            const Machine m(0, {axle, axle}, true);
            World world(m.model, settings);
            world.advance_to(1);
            world.command(m.drive, pedal, 0.2);
            world.advance_to(2);
            pull[locks] = m.speed(world) * mass / 1.0;
        }
        const double ice_grip = 0.1 * 0.85 * mass * 9.81 / 2;
        EXPECT_LT(pull[0], 2.1 * ice_grip);
        // The share that is locked goes to the other side.
        EXPECT_GT(pull[1], 1.3 * pull[0]);
    }
}

TEST(DriveTrain, TellsTheDerivativesOfItsTorques) {
    Model m;
    DriveTrain train;
    const BodyId body = m.add(Body::box({1, 1, 1}, 1));
    JointId hubs[4];
    for (JointId& hub : hubs) {
        const BodyId wheel = m.add(Body::box({1, 1, 1}, 1));
        hub = m.add(Revolute{.a = body, .b = wheel, .at = {}, .axis = {0, 1, 0}});
    }
    train.axles = {{hubs[0], hubs[1], 0.4}, {hubs[2], hubs[3], 0.6}};
    add_drive_train(m, train);
    for (const double speed : {1.0, 3.0, 4.7, -2.0})
        for (const double brake : {0.0, 0.5}) {
            testing_support::Asked asked(*m.stateful_forces()[0].law, 4);
            asked.inputs = {0.7, 1, brake, 0};
            for (size_t i = 0; i < 4; ++i) {
                asked.end_rate[i] = speed + 0.001 * static_cast<double>(i);
                asked.end[i] = 1e-5 * static_cast<double>(i * i);
                asked.before[i] = -0.02 * speed;
            }
            asked.ask(5e-3);
            const testing_support::Asked at = asked;
            for (size_t j = 0; j < 4; ++j) {
                const std::vector<double> stiffness = asked.slope(asked.end[j], 1e-8, 5e-3),
                                          damping = asked.slope(asked.end_rate[j], 1e-6, 5e-3);
                for (size_t i = 0; i < 4; ++i) {
                    EXPECT_NEAR(at.stiffness[4 * i + j], stiffness[i], 10) << speed << i << j;
                    EXPECT_NEAR(at.damping[4 * i + j], damping[i], 1) << speed << i << j;
                }
            }
        }
}

TEST(DriveTrain, RefusesNumbersThatAreNone) {
    Model m;
    EXPECT_THROW(add_drive_train(m, {}), InputError);
    const BodyId wheel = m.add(Body::box({1, 1, 1}, 1));
    const JointId hub = m.add(Revolute{.a = m.ground(), .b = wheel, .at = {}, .axis = {0, 1, 0}});
    EXPECT_THROW(add_drive_train(m, {.axles = {{hub, hub, 0.4}}}), InputError);
    EXPECT_THROW(add_drive_train(m, {.ranges = {}, .axles = {{hub, hub, 1}}}), InputError);
}

}  // namespace
}  // namespace bristle::machines
