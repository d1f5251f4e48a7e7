// A World that impulses move: the same bits however it is run, what is kept when it is taken back, changed or
// spoilt, and what falls asleep.
#include <bristle/world.h>

#include "scenes/bodies.h"
#include "scenes/mechanisms.h"
#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace bristle::impulse {
namespace {

using testing_support::add_ball;
using testing_support::add_box;
using testing_support::add_floor;

uint64_t hash_after(const Model& model, Impulse settings, int threads, int steps) {
    settings.threads = threads;
    World world(model, settings);
    for (int i = 0; i < steps; ++i) world.step();
    return world.hash();
}

// A crank that a motor turns, a rod and a slider: a loop, and a load on it.
Model driven_slider() {
    Model m;
    const BodyId crank = m.add(Body::rod({0, 0, 0}, {0.3, 0, 0}, 1)),
                 rod = m.add(Body::rod({0.3, 0, 0}, {1.3, 0, 0}, 2)),
                 slider = m.add(Body::box({0.2, 0.2, 0.2}, 3).at({1.3, 0, 0}));
    const JointId pin =
        m.add(Revolute{.a = m.ground(), .b = crank, .at = {}, .axis = {0, 1, 0}, .name = "pin"});
    m.add(Revolute{.a = crank, .b = rod, .at = {0.3, 0, 0}, .axis = {0, 1, 0}});
    m.add(Spherical{.a = rod, .b = slider, .at = {1.3, 0, 0}});
    const JointId guide =
        m.add(Prismatic{.a = m.ground(), .b = slider, .at = {1.3, 0, 0}, .axis = {1, 0, 0}});
    m.add(Drive{.joint = pin,
                .control = Drive::Control::speed,
                .target = [](double t) { return 6 * std::sin(t) + 6; },
                .max_effort = 20});
    m.add(JointSpring{.joint = guide, .stiffness = 50, .damping = 2});
    return m;
}

// Boxes one on the other, each exactly on the one below.
struct Stack {
    explicit Stack(int boxes) {
        add_floor(model);
        for (int i = 0; i < boxes; ++i)
            box.push_back(add_box(model, {0.5, 0.5, 0.5}, 1, {0, 0, 0.25 + 0.5 * i}));
    }
    Model model;
    std::vector<BodyId> box;
};

std::vector<Pose> poses(const World& world) {
    const auto view = world.poses();
    return {view.begin(), view.end()};
}

// ---- The same bits -------------------------------------------------------------------------------------

TEST(ImpulseWorld, HasTheSameStateOnAnyNumberOfThreads) {
    constexpr auto in_plane = scenes::Motion::in_plane;
    struct Case {
        const char* name;
        Model model;
        int steps;
    };
    const Case cases[] = {{"pile", scenes::pile(300).model, 120},
                          {"ragdolls", scenes::ragdolls(8).model, 150},
                          {"drum", scenes::tumbler(60).model, 60},
                          {"driven slider", driven_slider(), 500},
                          {"planar pyramid", scenes::pyramid(10, in_plane).model, 60},
                          {"planar net", scenes::joint_grid(8, in_plane).model, 60},
                          {"machine", scenes::machine15().model, 100}};
    for (const Case& c : cases) {
        const uint64_t one = hash_after(c.model, {}, 1, c.steps);
        EXPECT_EQ(hash_after(c.model, {}, 1, c.steps), one) << c.name << ", again";
        EXPECT_EQ(hash_after(c.model, {}, 2, c.steps), one) << c.name << ", two threads";
        EXPECT_EQ(hash_after(c.model, {}, 4, c.steps), one) << c.name << ", four threads";
        EXPECT_NE(hash_after(c.model, {}, 1, c.steps - 1), one) << c.name << ", a step less";
    }
}

TEST(ImpulseWorld, HasTheSameStateOnAnyNumberOfThreadsWhenSweptInBaumgartesWay) {
    const Model pile = scenes::pile(300).model;
    const Impulse settings{.correction = Impulse::Correction::baumgarte,
                           .direct = Impulse::Direct::never};
    const uint64_t one = hash_after(pile, settings, 1, 120);
    EXPECT_EQ(hash_after(pile, settings, 3, 120), one);
}

void expect_goes_the_same_way_again(const Model& model, int before, int after, const char* name) {
    World world(model, Impulse{});
    for (int i = 0; i < before; ++i) world.step();
    const Snapshot kept = world.snapshot();
    const uint64_t hash = world.hash();
    for (int i = 0; i < after; ++i) world.step();
    const uint64_t end = world.hash();
    EXPECT_NE(end, hash) << name;
    world.restore(kept);
    EXPECT_EQ(world.hash(), hash) << name;
    for (int i = 0; i < after; ++i) world.step();
    EXPECT_EQ(world.hash(), end) << name << ", the same world";
    World other(model, Impulse{});
    other.restore(kept);
    for (int i = 0; i < after; ++i) other.step();
    EXPECT_EQ(other.hash(), end) << name << ", another world";
}

TEST(ImpulseWorld, GoesTheSameWayAgainFromASnapshot) {
    expect_goes_the_same_way_again(scenes::pile(100).model, 120, 80, "pile");
    expect_goes_the_same_way_again(scenes::ragdolls(4).model, 100, 80, "ragdolls");
    expect_goes_the_same_way_again(driven_slider(), 130, 200, "driven slider");
    expect_goes_the_same_way_again(scenes::machine15().model, 50, 50, "machine");
}

// What sleeps is not looked at until it wakes: nothing of the future may be left over there.
TEST(ImpulseWorld, GoesTheSameWayAgainFromASnapshotOfSleepers) {
    Stack stack(4);
    add_ball(stack.model, 0.2, 3, {-40, 0, 20.8}, {20, 0, 0});
    World world(stack.model, Impulse{});
    world.advance_to(1.5);
    ASSERT_TRUE(world.is_taken_out(stack.box[3])) << "the ball comes too early";
    const Snapshot kept = world.snapshot();
    world.advance_to(4);
    const uint64_t end = world.hash();
    ASSERT_GT(norm(world.pose(stack.box[3]).position - Vec3{0, 0, 1.75}), 0.1)
        << "the ball missed it";
    world.restore(kept);
    world.advance_to(4);
    EXPECT_EQ(world.hash(), end);
}

// ---- Sleep ---------------------------------------------------------------------------------------------

TEST(ImpulseWorld, FallsAsleepAndIsWokenByWhatStrikesIt) {
    Stack stack(5);
    World world(stack.model, Impulse{});
    world.advance_to(2);
    for (BodyId b : stack.box) EXPECT_TRUE(world.is_taken_out(b));
    const std::vector<Pose> asleep = poses(world);
    const uint64_t iterations = world.statistics().iterations;
    world.advance_to(7);
    EXPECT_TRUE(poses(world) == asleep);
    EXPECT_EQ(world.statistics().iterations, iterations) << "it should cost nothing";
    for (BodyId b : stack.box) EXPECT_EQ(norm(world.twist(b).linear), 0);

    BodyId ball;
    world.change([&](Model& m) { ball = add_ball(m, 0.2, 5, {-3, 0, 2}, {12, 0, 0}); });
    world.advance_to(9);
    EXPECT_GT(norm(world.pose(stack.box[4]).position - asleep[5].position), 0.3);
}

TEST(ImpulseWorld, StaysAwakeIfItIsToldTo) {
    Stack stack(3);
    World world(stack.model, Impulse{.sleep_after = unlimited});
    world.advance_to(3);
    for (BodyId b : stack.box) EXPECT_FALSE(world.is_taken_out(b));
}

TEST(ImpulseWorld, IsWokenByACommand) {
    Model m;
    const BodyId slider = m.add(Body::box({0.2, 0.2, 0.2}, 1));
    const JointId guide =
        m.add(Prismatic{.a = m.ground(), .b = slider, .at = {}, .axis = {1, 0, 0}});
    const DriveId drive = m.add(Drive{.joint = guide, .control = Drive::Control::speed});
    World world(m, Impulse{});
    world.advance_to(2);
    ASSERT_TRUE(world.is_taken_out(slider));
    world.command(drive, 0.5);
    world.advance_to(3);
    EXPECT_FALSE(world.is_taken_out(slider));
    EXPECT_NEAR(world.coordinate(guide), 0.5, 1e-9);
}

// ---- Changes -------------------------------------------------------------------------------------------

TEST(ImpulseWorld, KeepsRestingContactsWhenSomethingIsAddedFarAway) {
    Stack stack(10);
    World world(stack.model, Impulse{.sleep_after = unlimited});
    world.advance_to(2);
    const std::vector<Pose> before = poses(world);
    const size_t contacts = world.contacts().size();
    world.change([](Model& m) { add_ball(m, 0.2, 1, {50, 0, 5}); });
    EXPECT_EQ(world.contacts().size(), contacts);
    for (int i = 0; i < 100; ++i) world.step();
    // Warm contacts hold at once; cold ones would let it sink and rise by tenths of millimetres.
    for (BodyId b : stack.box)
        EXPECT_LT(norm(world.pose(b).position - before[b.index].position), 1e-6);
}

TEST(ImpulseWorld, KeepsMotionAndTurnsWhenItChanges) {
    const Model slider = driven_slider();
    World plain(slider, Impulse{}), changed(slider, Impulse{});
    plain.advance_to(1.5);
    changed.advance_to(1.5);
    changed.change([](Model& m) { m.add(Body::point(1).at({0, 30, 0})); });
    const JointId pin = slider.joint("pin");
    EXPECT_EQ(changed.coordinate(pin), plain.coordinate(pin));
    // Not for long: where its drive is at its limit, at a dead centre, the mechanism is as good as free.
    plain.advance_to(1.6);
    changed.advance_to(1.6);
    EXPECT_GT(plain.coordinate(pin), 2 * pi) << "it should have counted a turn";
    // Joints are taken up again where they are, with what they were open by.
    EXPECT_NEAR(changed.coordinate(pin), plain.coordinate(pin), 1e-4);
    EXPECT_NEAR(changed.coordinate_rate(pin), plain.coordinate_rate(pin), 1e-4);
}

TEST(ImpulseWorld, UndoesAChangeFromASnapshot) {
    Stack stack(4);
    World world(stack.model, Impulse{});
    world.advance_to(0.3);
    const Snapshot kept = world.snapshot();
    const uint64_t hash = world.hash();
    world.advance_to(0.6);
    const uint64_t end = world.hash();
    world.change([&](Model& m) { m.remove(stack.box[1]); });
    world.advance_to(1);
    world.restore(kept);
    EXPECT_EQ(world.hash(), hash);
    world.advance_to(0.6);
    EXPECT_EQ(world.hash(), end);
}

// ---- Failure -------------------------------------------------------------------------------------------

TEST(ImpulseWorld, ThrowsAndKeepsItsStateWhenAForceIsNotANumber) {
    bool is_spoilt = false;
    Stack stack(3);
    const BodyId arm = stack.model.add(Body::box({1, 0.2, 0.2}, 1).at({5, 0, 5}));
    stack.model.add(Revolute{.a = Model::ground(), .b = arm, .at = {4.5, 0, 5}, .axis = {0, 1, 0}});
    for (BodyId target : {arm, stack.box[2]}) {
        Model m = stack.model;
        m.add(UserForce{.apply = [&is_spoilt, target](const Kinematics& k, ForceSink& sink) {
            sink.add_force(target, {is_spoilt ? std::nan("") : 0.1, 0, 0}, k.pose(target).position);
        }});
        World world(m, Impulse{});
        world.advance_to(0.2);
        const uint64_t before = world.hash();
        const std::vector<Pose> there = poses(world);
        is_spoilt = true;
        for (int i = 0; i < 2; ++i) {
            EXPECT_THROW(world.step(), SimulationError);
            EXPECT_EQ(world.hash(), before);
            EXPECT_TRUE(poses(world) == there);
        }
        is_spoilt = false;
        world.advance_to(0.4);
        const uint64_t mended = world.hash();
        World fresh(m, Impulse{});
        fresh.advance_to(0.4);
        EXPECT_EQ(mended, fresh.hash());
    }
}

TEST(ImpulseWorld, ThrowsAndKeepsItsStateWhenALawOrTargetIsNotANumber) {
    bool is_spoilt = false;
    const auto value = [&is_spoilt](double good) { return is_spoilt ? std::nan("") : good; };
    const TimeFunction target = [&](double t) { return value(t); };
    const std::function<void(Model&, JointId)> elements[] = {
        [&](Model& m, JointId j) { m.add(Drive{.joint = j, .target = target, .max_effort = 5}); },
        [&](Model& m, JointId j) {
            m.add(Drive{.joint = j, .control = Drive::Control::speed, .target = target});
        },
        [&](Model& m, JointId j) {
            m.add(Drive{.joint = j,
                        .control = Drive::Control::hydraulic,
                        .target = target,
                        .max_effort = 5,
                        .max_speed = 1});
        },
        [&](Model& m, JointId j) { m.add(Motor{.joint = j, .effort = target}); },
        [&](Model& m, JointId j) {
            m.add(Motor{.joint = j, .effort = target, .no_load_speed = 3});
        },
        [&](Model& m, JointId j) {
            m.add(JointSpring{.joint = j, .law = [&](double x, double) { return value(x); }});
        }};
    for (size_t i = 0; i < std::size(elements); ++i)
        for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never}) {
            Model m;
            const BodyId arm = m.add(Body::box({1, 0.2, 0.2}, 1).at({0.5, 0, 0}));
            elements[i](m, m.add(Revolute{.a = m.ground(), .b = arm, .at = {}, .axis = {0, 1, 0}}));
            World world(m, Impulse{.direct = direct});
            world.advance_to(0.2);
            const uint64_t before = world.hash();
            is_spoilt = true;
            EXPECT_THROW(world.step(), SimulationError) << "element " << i;
            EXPECT_EQ(world.hash(), before) << "element " << i;
            is_spoilt = false;
        }
}

TEST(ImpulseWorld, LetsAnExceptionOfTheUsersThroughAndKeepsItsState) {
    bool is_spoilt = false;
    Stack stack(2);
    stack.model.add(UserForce{.apply = [&is_spoilt](const Kinematics&, ForceSink&) {
        if (is_spoilt) throw std::runtime_error("the user's own");
    }});
    World world(stack.model, Impulse{});
    world.advance_to(0.2);
    const uint64_t before = world.hash();
    is_spoilt = true;
    EXPECT_ANY_THROW(world.step());
    EXPECT_EQ(world.hash(), before);
}

}  // namespace
}  // namespace bristle::impulse
