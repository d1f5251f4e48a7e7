// Reactions and efforts under impulses against statics.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::impulse {
namespace {

constexpr double g = 9.81;

void expect_near(Vec3 a, Vec3 b, double close) {
    EXPECT_NEAR(a.x, b.x, close);
    EXPECT_NEAR(a.y, b.y, close);
    EXPECT_NEAR(a.z, b.z, close);
}

TEST(ImpulseReaction, OfAHingeIsTheWeightThatHangsOnIt) {
    Model m;
    const BodyId upper = m.add(Body::rod({0, 0, 0}, {0, 0, -1}, 2)),
                 lower = m.add(Body::rod({0, 0, -1}, {0, 0, -2}, 3));
    const JointId top = m.add(Revolute{.a = m.ground(), .b = upper, .at = {}, .axis = {0, 1, 0}}),
                  middle =
                      m.add(Revolute{.a = upper, .b = lower, .at = {0, 0, -1}, .axis = {0, 1, 0}});
    World world(m, Impulse{.sleep_after = unlimited});
    world.advance_to(0.5);
    // The balance of momentum is found to a millionth of the velocity that a step gives.
    expect_near(world.reaction(top).force, {0, 0, 5 * g}, 1e-5);
    expect_near(world.reaction(middle).force, {0, 0, 3 * g}, 1e-5);
    expect_near(world.reaction(top).moment, {}, 1e-5);
}

// A hinge along x that the rod, out along x, would bend: it carries the moment.
TEST(ImpulseReaction, OfAHingeHasTheMomentAcrossItsAxis) {
    Model m;
    const BodyId rod = m.add(Body::box({1, 0.1, 0.1}, 2).at({0.5, 0, 0}));
    const JointId hinge = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {1, 0, 0}});
    World world(m, Impulse{.sleep_after = unlimited});
    world.advance_to(0.5);
    expect_near(world.reaction(hinge).force, {0, 0, 2 * g}, 1e-4);
    // The weight turns about +y; the hinge turns it back.
    expect_near(world.reaction(hinge).moment, {0, -2 * g * 0.5, 0}, 1e-4);
}

// A beam of two boxes welded together and to the wall, with a force at its end.
TEST(ImpulseReaction, OfAWeldIsThatOfACantilever) {
    Model m;
    const BodyId near = m.add(Body::box({1, 0.1, 0.1}, 2).at({0.5, 0, 0})),
                 far = m.add(Body::box({1, 0.1, 0.1}, 3).at({1.5, 0, 0}));
    const JointId wall = m.add(Fixed{.a = m.ground(), .b = near, .at = {}}),
                  seam = m.add(Fixed{.a = near, .b = far, .at = {1, 0, 0}});
    const Vec3 push{0, 4, -7};
    m.add(UserForce{.apply = [=](const Kinematics&, ForceSink& sink) {
        sink.add_force(far, push, {2, 0, 0});
    }});
    World world(m, Impulse{});
    world.advance_to(0.1);
    const Vec3 near_weight{0, 0, -2 * g}, far_weight{0, 0, -3 * g};
    const Reaction at_wall = world.reaction(wall), at_seam = world.reaction(seam);
    expect_near(at_wall.force, -(near_weight + far_weight + push), 1e-9);
    expect_near(at_wall.moment,
                -(cross({0.5, 0, 0}, near_weight) + cross({1.5, 0, 0}, far_weight)
                  + cross({2, 0, 0}, push)),
                1e-9);
    expect_near(at_seam.force, -(far_weight + push), 1e-9);
    expect_near(at_seam.moment, -(cross({0.5, 0, 0}, far_weight) + cross({1, 0, 0}, push)), 1e-9);
}

// A bracket on the wall, and a rod that hangs on its end.
TEST(ImpulseReaction, OfAWeldToTheGroundHasWhatHangsOnIt) {
    Model m;
    const BodyId bracket = m.add(Body::box({1, 0.1, 0.1}, 2).at({0.5, 0, 0})),
                 rod = m.add(Body::box({0.1, 0.1, 1}, 3).at({1, 0, -0.5}));
    const JointId wall = m.add(Fixed{.a = m.ground(), .b = bracket, .at = {}});
    m.add(Revolute{.a = bracket, .b = rod, .at = {1, 0, 0}, .axis = {0, 1, 0}});
    World world(m, Impulse{.sleep_after = unlimited});
    world.advance_to(0.5);
    expect_near(world.reaction(wall).force, {0, 0, 5 * g}, 1e-4);
    expect_near(world.reaction(wall).moment, {0, -(2 * 0.5 + 3 * 1) * g, 0}, 1e-4);
}

// The same beam, on a hinge that a drive holds: the weld in it is between bodies that can move.
TEST(ImpulseReaction, OfAWeldBetweenMovingBodies) {
    Model m;
    const BodyId near = m.add(Body::box({1, 0.1, 0.1}, 2).at({0.5, 0, 0})),
                 far = m.add(Body::box({1, 0.1, 0.1}, 3).at({1.5, 0, 0}));
    const JointId hinge = m.add(Revolute{.a = m.ground(), .b = near, .at = {}, .axis = {0, 1, 0}}),
                  seam = m.add(Fixed{.a = near, .b = far, .at = {1, 0, 0}});
    const DriveId drive = m.add(Drive{.joint = hinge, .target = [](double) { return 0.0; }});
    World world(m, Impulse{});
    world.advance_to(0.5);
    expect_near(world.reaction(seam).force, {0, 0, 3 * g}, 1e-5);
    expect_near(world.reaction(seam).moment, {0, -3 * g * 0.5, 0}, 1e-5);
    EXPECT_NEAR(world.effort(drive), -(2 * g * 0.5 + 3 * g * 1.5), 1e-5);
}

// ω² r m inwards, and a weld inside a spinning group carries the share of what is beyond it.
TEST(ImpulseReaction, OfARotorIsCentripetal) {
    Model m;
    m.gravity = {};
    const double spin = 3;
    const BodyId
        near = m.add(
            Body::box({1, 0.1, 0.1}, 2).at({0.5, 0, 0}).moving({0, 0.5 * spin, 0}, {0, 0, spin})),
        far = m.add(
            Body::box({1, 0.1, 0.1}, 3).at({1.5, 0, 0}).moving({0, 1.5 * spin, 0}, {0, 0, spin}));
    const JointId hinge = m.add(Revolute{.a = m.ground(), .b = near, .at = {}, .axis = {0, 0, 1}}),
                  seam = m.add(Fixed{.a = near, .b = far, .at = {1, 0, 0}});
    World world(m, Impulse{.step = 1e-3});
    world.advance_to(0.7);
    const double hinge_load = (2 * 0.5 + 3 * 1.5) * spin * spin, seam_load = 3 * 1.5 * spin * spin;
    EXPECT_NEAR(norm(world.reaction(hinge).force), hinge_load, 1e-3 * hinge_load);
    EXPECT_NEAR(norm(world.reaction(seam).force), seam_load, 1e-3 * seam_load);
    const Vec3 outward = world.pose(far).orientation.matrix() * Vec3{1, 0, 0};
    EXPECT_LT(dot(world.reaction(hinge).force, outward), -0.99 * hinge_load);
}

// A block on a lift that is too heavy for its drive: it pushes with all it has, and slips down.
TEST(ImpulseEffort, OfADriveAtStallIsItsLimit) {
    Model m;
    const BodyId block = m.add(Body::box({1, 1, 1}, 10));
    const JointId lift = m.add(Prismatic{.a = m.ground(), .b = block, .at = {}, .axis = {0, 0, 1}});
    const DriveId drive = m.add(Drive{.joint = lift,
                                      .control = Drive::Control::speed,
                                      .target = [](double) { return 1.0; },
                                      .max_effort = 90});
    World world(m, Impulse{});
    world.advance_to(1);
    EXPECT_NEAR(world.effort(drive), 90, 1e-9);
    EXPECT_NEAR(world.coordinate_rate(lift), 90.0 / 10 - g, 1e-9);
}

TEST(ImpulseEffort, OfADriveThatHoldsIsTheLoad) {
    for (Drive::Control control : {Drive::Control::position, Drive::Control::speed}) {
        Model m;
        const BodyId block = m.add(Body::box({1, 1, 1}, 10));
        const JointId lift =
            m.add(Prismatic{.a = m.ground(), .b = block, .at = {}, .axis = {0, 0, 1}});
        const DriveId drive = m.add(Drive{.joint = lift,
                                          .control = control,
                                          .target = [](double) { return 0.0; },
                                          .max_effort = 150});
        World world(m, Impulse{});
        world.advance_to(1);
        EXPECT_NEAR(world.effort(drive), 10 * g, 1e-5);
        EXPECT_NEAR(world.coordinate(lift), 0, 1e-6);
    }
}

// The motor is not a drive: what it gives is seen at the stop that it presses on.
TEST(ImpulseEffort, OfAStopIsWhatPressesOnIt) {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 2));
    const JointId hinge = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    const LimitId stop = m.add(Limit{.joint = hinge, .min = -1, .max = 0});
    m.add(Motor{.joint = hinge, .effort = [](double) { return 3.0; }});
    World world(m, Impulse{});
    world.advance_to(1);
    // Weight and motor turn it against the upper stop, which pushes back.
    EXPECT_NEAR(world.effort(stop), -(2 * g * 0.5 + 3), 1e-5);
    EXPECT_NEAR(world.coordinate(hinge), 0, 1e-5);
}

TEST(ImpulseEffort, OfContactsIsTheWeight) {
    Model m;
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    for (int i = 0; i < 3; ++i) {
        const BodyId b = m.add(Body::box({1, 1, 1}, 5).at({0, 0, 0.5 + i}));
        m.add(Shape{.body = b, .geometry = Box{{1, 1, 1}}});
    }
    World world(m, Impulse{});
    world.advance_to(3);
    Vec3 on_floor;
    for (const Contact& c : world.contacts()) {
        if (c.body_b == Model::ground()) on_floor += c.force;
        if (c.body_a == Model::ground()) on_floor -= c.force;
    }
    expect_near(on_floor, {0, 0, 15 * g}, 1e-3);
}

TEST(ImpulseTension, OfASpringIsItsLoad) {
    Model m;
    const BodyId ball = m.add(Body::sphere(0.1, 2).at({0, 0, -1}));
    const ForceId spring = m.add(Spring{.a = m.ground(),
                                        .b = ball,
                                        .at_a = {},
                                        .at_b = {0, 0, -1},
                                        .stiffness = 400,
                                        .damping = 30,
                                        .free_length = 1});
    World world(m, Impulse{.sleep_after = unlimited});
    world.advance_to(4);
    EXPECT_NEAR(world.tension(spring), 2 * g, 1e-4);
    EXPECT_NEAR(world.pose(ball).position.z, -1 - 2 * g / 400, 1e-7);
}

}  // namespace
}  // namespace bristle::impulse
