#include <bristle/world.h>

#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class F> std::string input_error(const F& f) {
    try {
        f();
    } catch (const InputError& e) {
        return e.what();
    }
    return "nothing was thrown";
}

bool same(const World& world, const Snapshot& s) { return world.snapshot().bytes() == s.bytes(); }

TEST(AdvanceTo, TakesWholeStepsUntilWithinHalfAStep) {
    World world(scenes::pendulum().model, {.step = 0.01});
    EXPECT_EQ(world.time(), 0);
    world.advance_to(0.5);
    EXPECT_EQ(world.time(), 0.5);
    EXPECT_EQ(world.statistics().steps, 50u);
    world.advance_to(0.504);
    EXPECT_EQ(world.statistics().steps, 50u);
    world.advance_to(0.506);
    EXPECT_EQ(world.statistics().steps, 51u);
    EXPECT_DOUBLE_EQ(world.time(), 0.51);
    world.advance_to(0.1);  // the past is where it was
    EXPECT_EQ(world.statistics().steps, 51u);
    world.advance_to(-3);
    EXPECT_EQ(world.statistics().steps, 51u);
}

TEST(AdvanceTo, CountsTimeWithoutSummingItsRounding) {
    World world(scenes::pendulum().model);
    world.advance_to(3);
    EXPECT_EQ(world.time(), 3);
    EXPECT_EQ(world.statistics().steps, 3000u);
}

TEST(AdvanceTo, RefusesTimesThatAreNotFinite) {
    World world(scenes::pendulum().model);
    EXPECT_EQ(input_error([&] { world.advance_to(not_a_number); }), "advance_to: time is nan");
    EXPECT_EQ(input_error([&] { world.advance_to(unlimited); }), "advance_to: time is inf");
    EXPECT_EQ(world.time(), 0);
}

TEST(World, RefusesIdsOfOtherModels) {
    World world(scenes::pendulum().model);
    const BodyId body{7};
    const JointId joint{9};
    EXPECT_EQ(input_error([&] { world.pose(body); }), "body id 7 is not of this model");
    EXPECT_EQ(input_error([&] { world.twist(body); }), "body id 7 is not of this model");
    EXPECT_EQ(input_error([&] { world.acceleration(body); }), "body id 7 is not of this model");
    EXPECT_EQ(input_error([&] { world.point(body, {}); }), "body id 7 is not of this model");
    EXPECT_EQ(input_error([&] { world.point_velocity(body, {}); }),
              "body id 7 is not of this model");
    EXPECT_EQ(input_error([&] { world.reaction(joint); }), "joint id 9 is not of this model");
    EXPECT_EQ(input_error([&] { world.coordinate(joint); }), "joint id 9 is not of this model");
    EXPECT_EQ(input_error([&] { world.coordinate_rate(joint); }),
              "joint id 9 is not of this model");
    EXPECT_EQ(input_error([&] { world.effort(DriveId{0}); }), "drive id 0 is not of this model");
    EXPECT_EQ(input_error([&] { world.effort(LimitId{0}); }), "limit id 0 is not of this model");
    EXPECT_EQ(input_error([&] { world.tension(ForceId{0}); }), "force id 0 is not of this model");
    EXPECT_EQ(input_error([&] { world.command(DriveId{0}, 1); }),
              "drive id 0 is not of this model");
    EXPECT_EQ(input_error([&] { world.command(ForceId{0}, 1); }),
              "force id 0 is not of this model");
    EXPECT_EQ(input_error([&] { world.pose({}); }), "body id 4294967295 is not of this model");
}

TEST(World, RefusesCoordinatesOfJointsThatHaveNone) {
    World world(scenes::chain(2, 1).model);
    EXPECT_EQ(input_error([&] { world.coordinate(JointId{0}); }),
              "coordinate: this joint has none; ask a revolute, prismatic, cylindrical, screw or "
              "distance joint, or a gauge");
}

TEST(World, RefusesCommandsThatNothingListensTo) {
    Model m;
    const BodyId rod = m.add(Body::rod(1, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin, .target = [](double) { return 0.0; }});
    const ForceId motor = m.add(Motor{.joint = pin, .effort = [](double) { return 0.0; }});
    const ForceId spring = m.add(JointSpring{.joint = pin, .stiffness = 1});
    const ForceId user = m.add(UserForce{.apply = [](const Kinematics&, ForceSink&) {}});
    World world(m);
    EXPECT_EQ(input_error([&] { world.command(drive, 1); }),
              "command: the drive follows a function of time; leave its target empty");
    const std::string only_motors =
        "command: only a motor without a function of time takes commands";
    EXPECT_EQ(input_error([&] { world.command(motor, 1); }), only_motors);
    EXPECT_EQ(input_error([&] { world.command(spring, 1); }), only_motors);
    EXPECT_EQ(input_error([&] { world.command(user, 1); }), only_motors);
    EXPECT_EQ(input_error([&] { (void)world.tension(user); }),
              "tension: only springs and joint springs have one");
}

TEST(World, RefusesCommandsThatAreNotFinite) {
    Model m;
    const BodyId rod = m.add(Body::rod(1, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin});
    const ForceId motor = m.add(Motor{.joint = pin});
    World world(m);
    const Snapshot before = world.snapshot();
    EXPECT_EQ(input_error([&] { world.command(drive, not_a_number); }), "command: target is nan");
    EXPECT_EQ(input_error([&] { world.command(motor, unlimited); }), "command: effort is inf");
    EXPECT_TRUE(same(world, before));
}

TEST(Restore, OfAnotherModelThrowsAndChangesNothing) {
    World pendulum(scenes::pendulum().model), bars(scenes::four_bars(2).model);
    pendulum.advance_to(0.1);
    bars.advance_to(0.2);
    const Snapshot before = pendulum.snapshot();
    const std::string message = "restore: the snapshot belongs to another model";
    EXPECT_EQ(input_error([&] { pendulum.restore(bars.snapshot()); }), message);
    EXPECT_EQ(input_error([&] { pendulum.restore(Snapshot{0, 0, {}}); }), message);
    EXPECT_TRUE(same(pendulum, before));
    EXPECT_EQ(pendulum.time(), 0.1);
}

// The same number of unknowns, but a bar of another length: it would start violated by a metre.
TEST(Restore, OfAnotherModelOfTheSameShapeThrowsToo) {
    Model longer;
    const BodyId mass = longer.add(Body::point(1).at({-2, 0, 0}));
    longer.add(Distance{.a = longer.ground(), .b = mass, .at_a = {}, .at_b = {-2, 0, 0}});
    World pendulum(scenes::pendulum().model), other(longer);
    const Snapshot before = pendulum.snapshot();
    EXPECT_EQ(input_error([&] { pendulum.restore(other.snapshot()); }),
              "restore: the snapshot belongs to another model");
    EXPECT_TRUE(same(pendulum, before));
}

}  // namespace
}  // namespace bristle::step
