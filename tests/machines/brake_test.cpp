// A brake in a joint: holds what it can, gives way beyond, and lets nothing go.
#include "machines/parts/brake.h"

#include <bristle/analysis.h>
#include <bristle/world.h>

#include "tests/machines/asked.h"
#include "tests/machines/solvers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle::machines {
namespace {

using testing_support::Asked;
using testing_support::solvers;

// A pendulum of 10 kg whose middle is 1 m beside its pin: 98.1 N m.
struct Pendulum {
    explicit Pendulum(Brake brake = {}) {
        body = model.add(Body::box({0.2, 0.2, 0.2}, 10).at({1, 0, 0}));
        pin =
            model.add(Revolute{.a = model.ground(), .b = body, .at = {0, 0, 0}, .axis = {0, 1, 0}});
        brake.joint = pin;
        hold = add_brake(model, brake);
    }
    Model model;
    BodyId body;
    JointId pin;
    ForceId hold;
};

TEST(Brake, HoldsBelowItsEffortWithoutCreep) {
    for (const Settings& settings : solvers()) {
        const Pendulum p({.effort = 150, .start = 1});
        World world(p.model, settings);
        world.advance_to(5);
        const double settled = world.coordinate(p.pin);
        EXPECT_NEAR(settled, 0.002 * 98.1 / 150, 2e-5);  // its windup
        world.advance_to(65);
        EXPECT_NEAR(world.coordinate(p.pin), settled, 1e-9);
        EXPECT_NEAR(world.efforts(p.hold)[0], -98.1, 0.1);
    }
}

TEST(Brake, GivesWayAtItsEffortTimesWhatItIsSetBy) {
    for (const Settings& settings : solvers()) {
        Pendulum p({.effort = 400});
        p.model.gravity = {};
        World world(p.model, settings);
        // Spun up, and then braked by a quarter of it: I ω' = −100 N m.
        const double inertia = 10 + 10 * 0.04 * 2 / 12;
        world.advance_to(0.01);
        set_velocity(world, p.body, {{0, 0, -5}, {0, 5, 0}});
        const double before = world.coordinate_rate(p.pin);
        world.command(p.hold, brake_lever, 0.25);
        world.advance_to(0.21);
        EXPECT_NEAR(before - world.coordinate_rate(p.pin), 0.2 * 100 / inertia, 0.05);
        world.command(p.hold, brake_lever, 0);
        const double free = world.coordinate_rate(p.pin);
        world.advance_to(0.4);
        EXPECT_NEAR(world.coordinate_rate(p.pin), free, 1e-5);  // its hinge's rounding
    }
}

TEST(Brake, TellsTheDerivativesOfItsEffort) {
    Pendulum p({.effort = 300, .windup = 0.01, .calming = 0.03});
    const StatefulLaw& law = *p.model.stateful_forces()[0].law;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < 200; ++i) {
        Asked asked(law, 1);
        asked.inputs[brake_lever] = 0.5 * (1 + any(random));
        asked.before[0] = 0.01 * any(random);
        asked.end[0] = 0.01 * any(random);
        asked.end_rate[0] = 0.2 * any(random);
        asked.ask(5e-3);
        // Not where it just gives way: there the derivative has two sides.
        const double limit = asked.inputs[brake_lever] * 300;
        if (std::abs(std::abs(asked.effort[0]) - limit) < 1e-3 * limit && asked.stiffness[0] != 0)
            continue;
        const double stiffness = asked.stiffness[0], damping = asked.damping[0];
        EXPECT_NEAR(asked.slope(asked.end[0], 1e-8, 5e-3)[0], stiffness, 1e-3 * 30000);
        EXPECT_NEAR(asked.slope(asked.end_rate[0], 1e-7, 5e-3)[0], damping, 1e-3 * 900);
    }
}

TEST(Brake, IsInSnapshotsAndTellsWhatItIs) {
    const Pendulum p({.effort = 150, .start = 1, .name = "lock"});
    World world(p.model);
    world.advance_to(0.3);
    const Snapshot kept = world.snapshot();
    world.advance_to(0.6);
    const uint64_t then = world.hash();
    world.restore(kept);
    world.advance_to(0.6);
    EXPECT_EQ(world.hash(), then);
    const auto brake = brake_of(p.model.stateful_forces()[0]);
    ASSERT_TRUE(brake);
    EXPECT_EQ(brake->effort, 150);
    EXPECT_EQ(brake->name, "lock");
}

TEST(Brake, RefusesNumbersThatAreNone) {
    for (const Brake& bad : {Brake{.effort = 0}, Brake{.effort = NAN}, Brake{.windup = -1},
                             Brake{.calming = -1}, Brake{.start = 2}, Brake{.start = NAN}})
        EXPECT_THROW(Pendulum{bad}, InputError);
}

}  // namespace
}  // namespace bristle::machines
