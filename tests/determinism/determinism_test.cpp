// The same input gives the same bits: run after run, and through snapshots and moves.
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "tests/support/contact_scenes.h"
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

// ---- Contacts --------------------------------------------------------------------------------------

// Balls and boxes that fall on each other: pairs of moving bodies meet for the first time while it runs.
Model heap(double friction) {
    Model m;
    const MaterialId s = m.add(Material{.static_friction = friction, .kinetic_friction = friction});
    testing_support::add_floor(m, s);
    for (int i = 0; i < 3; ++i) {
        testing_support::add_box(m, {0.4, 0.3, 0.2}, 1, {0.05 * i, 0.02 * i, 0.11 + 0.3 * i}, {},
                                 s);
        testing_support::add_ball(m, 0.1, 0.5, {0.1 + 0.3 * i, 0.5, 0.3 + 0.25 * i},
                                  {-1, -0.2 * i, 0}, {}, s);
    }
    return m;
}

// Four balls in a row; the first runs into them.
Model row_of_balls(double friction) {
    Model m;
    const MaterialId s = m.add(Material{.static_friction = friction, .kinetic_friction = friction});
    testing_support::add_floor(m, s);
    for (int i = 0; i < 4; ++i)
        testing_support::add_ball(m, 0.1, 1, {0.5 * i, 0, 0.1}, {i == 0 ? 4.0 : 0, 0, 0}, {}, s);
    return m;
}

Model bouncing() {
    Model m;
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{s, s, {.stiffness = 1e5, .restitution = 0.7}});
    testing_support::add_floor(m, s);
    testing_support::add_ball(m, 0.1, 1, {0, 0, 0.2}, {0.5, 0, 0}, {}, s);
    return m;
}

struct ContactModel {
    const char* name;
    Model (*make)();
};
void PrintTo(const ContactModel& m, std::ostream* out) { *out << m.name; }
class DeterminismOfContacts : public testing::TestWithParam<ContactModel> {};

TEST_P(DeterminismOfContacts, TwoRunsGiveTheSameBits) {
    const Model model = GetParam().make();
    World first(model, {.step = 2e-3}), second(model, {.step = 2e-3});
    size_t touched = 0;
    for (int i = 0; i < 400; ++i) {
        first.step();
        second.step();
        first.energy();
        touched += first.contacts().size();
        first.constraint_error();
        ASSERT_EQ(first.hash(), second.hash()) << "step " << i;
    }
    EXPECT_GT(touched, 10u);
    EXPECT_EQ(first.snapshot().bytes(), second.snapshot().bytes());
}

// From every step of the first impacts: closing, deepest, opening, between.
TEST_P(DeterminismOfContacts, ASnapshotInMidImpactContinuesToTheSameBits) {
    const Model model = GetParam().make();
    World world(model, {.step = 2e-3});
    std::vector<Snapshot> snapshots;
    int touching = 0;
    for (int i = 0; i < 120; ++i) {
        if (i >= 50) snapshots.push_back(world.snapshot());
        touching += i >= 50 && !world.contacts().empty();
        world.step();
    }
    EXPECT_GT(touching, 3);
    for (int i = 120; i < 250; ++i) world.step();
    const uint64_t end = world.hash();
    for (size_t k = 0; k < snapshots.size(); ++k) {
        World fresh(model, {.step = 2e-3});
        fresh.restore(snapshots[k]);
        for (size_t i = 50 + k; i < 250; ++i) fresh.step();
        ASSERT_EQ(fresh.hash(), end) << "in a new world from step " << 50 + k;
        if (k % 10 != 0) continue;
        // And in the same one, whose pairs have all met by now.
        world.restore(snapshots[k]);
        for (size_t i = 50 + k; i < 250; ++i) world.step();
        ASSERT_EQ(world.hash(), end) << "in the same world from step " << 50 + k;
    }
}

// The matrix grows when moving bodies meet. What has met before must not show in the results.
TEST_P(DeterminismOfContacts, PairsThatMetBeforeLeaveNoTrace) {
    const Model model = GetParam().make();
    const AugmentedLagrangian settings{.step = 2e-3};
    World fresh(model, settings);
    const Snapshot start = fresh.snapshot();
    fresh.advance_to(0.15);
    const Snapshot middle = fresh.snapshot();
    fresh.advance_to(0.6);
    World used(model, settings);
    used.advance_to(1.2);
    ASSERT_NE(used.hash(), fresh.hash());
    for (const Snapshot& s : {start, middle}) {
        used.restore(s);
        used.advance_to(0.6);
        EXPECT_EQ(used.hash(), fresh.hash());
    }
}

INSTANTIATE_TEST_SUITE_P(Of, DeterminismOfContacts,
                         testing::Values(ContactModel{"heap", [] { return heap(0.6); }},
                                         ContactModel{"slippery heap", [] { return heap(0); }},
                                         ContactModel{"row", [] { return row_of_balls(0.6); }},
                                         ContactModel{"slippery row",
                                                      [] { return row_of_balls(0); }},
                                         ContactModel{"bouncing", bouncing}));

// Reactions are computed from contact forces; asking for them must not disturb.
TEST(DeterminismWithContacts, AskingForReactionsChangesNothing) {
    Model m;
    testing_support::add_floor(m);
    const BodyId arm = testing_support::add_box(m, {1, 0.1, 0.1}, 1, {0.5, 0, 0.3});
    const JointId pin =
        m.add(Revolute{.a = m.ground(), .b = arm, .at = {0, 0, 0.3}, .axis = {0, 1, 0}});
    const DriveId brake =
        m.add(Drive{.joint = pin, .control = Drive::Control::speed, .max_effort = 1});
    testing_support::add_ball(m, 0.1, 1, {0.9, 0, 0.6});
    World quiet(m, {.step = 2e-3}), asked(m, {.step = 2e-3});
    for (int i = 0; i < 500; ++i) {
        quiet.step();
        asked.step();
        EXPECT_TRUE(is_finite(asked.reaction(pin).force));
        asked.effort(brake);
        ASSERT_EQ(quiet.hash(), asked.hash()) << "step " << i;
    }
    EXPECT_FALSE(quiet.contacts().empty());
}

TEST(DeterminismWithContacts, ASnapshotOfAnotherModelIsRefused) {
    World a(heap(0.6)), b(bouncing());
    a.step();
    const uint64_t before = b.hash();
    EXPECT_THROW(b.restore(a.snapshot()), InputError);
    EXPECT_EQ(b.hash(), before);
}

// Models that differ in their shapes only: a snapshot of one names colliders the other does not have.
TEST(DeterminismWithContacts, ASnapshotOfAModelWithOtherShapesIsRefused) {
    Model many = bouncing(), few;
    few.gravity = many.gravity;
    few.add(many.bodies()[1]);
    World with(many, {.step = 2e-3}), without(few, {.step = 2e-3});
    with.advance_to(0.15);
    EXPECT_THROW(without.restore(with.snapshot()), InputError);
    Model other = bouncing();
    testing_support::add_floor(other);
    World more(other, {.step = 2e-3});
    EXPECT_THROW(more.restore(with.snapshot()), InputError);
}

}  // namespace
}  // namespace bristle
