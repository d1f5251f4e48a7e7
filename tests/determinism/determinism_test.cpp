// The same input gives the same bits: run after run, and through snapshots and moves.
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "tests/support/every_element.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace bristle {
namespace {

Model struck_limit() {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    m.add(Limit{.joint = pin, .max = 0.5, .restitution = 0.7});
    return m;
}

Model saturated_drive() {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    m.add(Drive{.joint = pin, .target = [](double t) { return std::sin(9 * t); }, .max_effort = 7});
    return m;
}

// Many turns, counted, with a rotor on it.
Model counted_turns() {
    Model m;
    const BodyId wheel = m.add(Body::cylinder(0.5, 0.1, 1).moving({}, {0, 0, 30}));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}});
    m.add(Coordinate{.joint = pin, .inertia = 0.1, .ratio = 3});
    m.add(JointSpring{.joint = pin, .stiffness = 0.5, .damping = 0.01});
    m.add(Motor{.joint = pin, .effort = [](double t) { return std::sin(t); }, .no_load_speed = 50});
    return m;
}

std::map<std::string, Model> models() {
    std::map<std::string, Model> out{{"four bars", scenes::four_bars(10).model},
                                     {"machine", scenes::machine15().model},
                                     {"flyball", scenes::flyball().model},
                                     {"chain", scenes::chain(10, 1000).model},
                                     {"limit", struck_limit()},
                                     {"drive", saturated_drive()},
                                     {"turns", counted_turns()}};
    for (uint64_t seed = 1; seed <= 5; ++seed)
        out["random " + std::to_string(seed)] = testing_support::random_mechanism(seed).model;
    return out;
}

std::vector<AugmentedLagrangian> settings() {
    return {{},
            {.integrator = Integrator::hht},
            {.integrator = Integrator::generalized_alpha, .projection = Projection::mass}};
}

TEST(Determinism, TwoRunsGiveTheSameBits) {
    for (const auto& [name, model] : models()) {
        for (const auto& s : settings()) {
            World first(model, s), second(model, s);
            EXPECT_EQ(first.hash(), second.hash()) << name;
            for (int i = 0; i < 300; ++i) {
                first.step();
                second.step();
                // What is read in between changes nothing.
                first.energy();
                first.constraint_error();
                if (!first.model().joints().empty()) first.reaction({0});
            }
            EXPECT_EQ(first.hash(), second.hash()) << name;
            EXPECT_EQ(first.snapshot().bytes(), second.snapshot().bytes()) << name;
        }
    }
}

TEST(Determinism, ASnapshotContinuesToTheSameBits) {
    for (const auto& [name, model] : models()) {
        for (const auto& s : settings()) {
            World world(model, s);
            for (int i = 0; i < 150; ++i) world.step();
            const Snapshot middle = world.snapshot();
            const uint64_t hash = world.hash();
            for (int i = 0; i < 700; ++i) world.step();
            const uint64_t end = world.hash();
            world.restore(middle);  // back in the same world
            EXPECT_EQ(world.hash(), hash) << name;
            for (int i = 0; i < 700; ++i) world.step();
            EXPECT_EQ(world.hash(), end) << name << ", in the same world";
            World other(model, s);  // and in a new one
            other.restore(middle);
            for (int i = 0; i < 700; ++i) other.step();
            EXPECT_EQ(other.hash(), end) << name << ", in a new world";
        }
    }
}

TEST(Determinism, ASnapshotKeepsCommands) {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1)),
                 other = m.add(Body::rod({0, 2, 0}, {1, 2, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    const JointId hinge =
        m.add(Revolute{.a = m.ground(), .b = other, .at = {0, 2, 0}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin});
    const ForceId motor = m.add(Motor{.joint = hinge});
    World world(m);
    const uint64_t idle = world.hash();
    world.command(drive, 0.4);
    world.command(motor, -3);
    EXPECT_NE(world.hash(), idle);
    const Snapshot s = world.snapshot();
    world.advance_to(0.3);
    World again(m);
    again.restore(s);
    again.advance_to(0.3);
    EXPECT_EQ(again.hash(), world.hash());
    EXPECT_NEAR(again.coordinate(pin), 0.4, 1e-3);
}

TEST(Determinism, TheHashTellsAVelocityOneUlpAway) {
    Model m = scenes::dzhanibekov().model, n;
    n.gravity = m.gravity;
    Body b = m.bodies()[1];
    b.velocity.x = std::nextafter(b.velocity.x, 1.0);
    n.add(b);
    const World first(m), second(n);
    EXPECT_NE(first.hash(), second.hash());
}

TEST(Determinism, AMovedWorldContinuesEqually) {
    for (const auto& [name, model] : models()) {
        World stays(model), goes(model);
        stays.advance_to(0.1);
        goes.advance_to(0.1);
        World gone(std::move(goes));
        stays.advance_to(0.2);
        gone.advance_to(0.2);
        World assigned(scenes::pendulum().model);
        assigned = std::move(gone);
        stays.advance_to(0.3);
        assigned.advance_to(0.3);
        EXPECT_EQ(stays.hash(), assigned.hash()) << name;
        EXPECT_EQ(stays.statistics().iterations, assigned.statistics().iterations) << name;
    }
}

TEST(Determinism, ACopyOfTheModelIsTheSameModel) {
    const Model model = scenes::four_bars(3).model,
                copy =
                    model;  // NOLINT(performance-unnecessary-copy-initialization): what is tested
    World first(model), second(copy);
    first.advance_to(0.2);
    second.advance_to(0.2);
    EXPECT_EQ(first.hash(), second.hash());
}

}  // namespace
}  // namespace bristle
