// What was added or removed live is undone as if it had not been; and what was before is computed again for plots.
#include "live/show/simulation.h"
#include "live/wire/protocol.pb.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

io::Scene pendulum() {
    return io::parse_scene(
        "bodies: {rod: {type: rod, from: [0,0,0], to: [1,0,0], mass: 1}}\n"
        "joints: {pin: {type: revolute, b: rod, at: [0,0,0], axis: y}}\n"
        "materials: {rubber: {static_friction: 1, kinetic_friction: 1}}\n");
}
void advance(Simulation& s, int steps) {
    for (int i = 0; i < steps; ++i) s.advance();
}

TEST(Undo, OfABodyLeavesTheMotionThatThereWouldHaveBeen) {
    Simulation changed(pendulum()), plain(pendulum());
    advance(changed, 50);
    changed.apply(
        AddBody{.geometry = Sphere{0.1}, .mass = 3, .material = "rubber", .position = {0, 0, 2}});
    EXPECT_EQ(changed.world().model().bodies().size(), 3u);
    EXPECT_NEAR(changed.world().model().bodies()[2].mass, 3, 1e-12);
    advance(changed, 30);
    changed.apply(Grab{.body = {2}, .at = {}, .to = {1, 1, 1}});
    advance(changed, 20);
    changed.undo();
    advance(plain, 100);
    EXPECT_EQ(changed.step(), 100u);
    EXPECT_EQ(changed.hash(), plain.hash());
    EXPECT_EQ(changed.scene()->bodies_size(), 2);
}

TEST(Undo, BringsBackWhatWasRemovedAndGoesFromTheLastToTheFirst) {
    Simulation s(pendulum());
    advance(s, 10);
    s.apply(AddBody{.geometry = Box{{0.1, 0.1, 0.1}}, .position = {0, 0, 2}});
    s.apply(Remove{JointId{0}});
    advance(s, 10);
    EXPECT_FALSE(s.world().model().contains(JointId{0}));
    s.undo();
    EXPECT_TRUE(s.world().model().contains(JointId{0}));
    EXPECT_EQ(s.world().model().bodies().size(), 3u);
    s.undo();
    EXPECT_EQ(s.world().model().bodies().size(), 2u);
    EXPECT_EQ(s.step(), 20u);
    EXPECT_THROW(s.undo(), InputError);
}

// Paused, the edit is of the present step: going back to it did nothing, and undoing failed. What else was done at that step
// is done again.
TEST(Undo, WhileItStandsStillLeavesTheOtherEditsOfThatStep) {
    Simulation s(pendulum()), one(pendulum());
    advance(s, 10);
    advance(one, 10);
    const AddBody first{.geometry = Sphere{0.1}, .position = {3, 0, 2}},
        second{.geometry = Sphere{0.2}, .position = {5, 0, 2}};
    s.apply(first);
    s.apply(second);
    s.undo();
    one.apply(first);
    EXPECT_EQ(s.scene()->bodies_size(), 3);
    advance(s, 10);
    advance(one, 10);
    EXPECT_EQ(s.hash(), one.hash());
    s.undo();
    EXPECT_EQ(s.scene()->bodies_size(), 2);
    EXPECT_THROW(s.undo(), InputError);
}

// The hand that took hold of what is no longer there had let go of what it held before.
TEST(Undo, LeavesNothingInTheHandThatTookWhatIsGone) {
    Simulation s(pendulum());
    s.apply(Grab{.body = {1}, .at = {}, .to = {1, 1, 1}});
    advance(s, 5);
    s.apply(AddBody{.geometry = Sphere{0.1}, .position = {3, 0, 2}});
    s.apply(Grab{.body = {2}, .at = {}, .to = {3, 0, 3}});
    advance(s, 5);
    s.undo();
    Frame frame;
    s.fill(frame);
    EXPECT_TRUE(frame.grab.empty());
}

TEST(Chronicle, TellsWhatWasBeforeAnybodyAsked) {
    Simulation s(pendulum());
    advance(s, 20);
    s.apply(Grab{.body = {1}, .at = {1, 0, 0}, .to = {1, 0, 1}});
    advance(s, 30);
    const Curves curves = s.chronicle()({"pin.angle", "rod.velocity.z"}, 10);
    ASSERT_EQ(curves.times.size(), 51u);
    ASSERT_EQ(curves.values.size(), 102u);
    EXPECT_EQ(curves.times.front(), 0);
    EXPECT_EQ(curves.values[100], s.world().coordinate({0}));
    EXPECT_THROW(s.chronicle()({"pin.nothing"}, 10), InputError);
}

}  // namespace
}  // namespace bristle::live
