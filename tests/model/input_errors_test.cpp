// Every mistake that add() can find, with the words it finds for it.
#include <bristle/model.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::model {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class F> std::string error(const F& f) {
    try {
        f();
    } catch (const InputError& e) {
        return e.what();
    }
    return "nothing was thrown";
}

class InputErrors : public testing::Test {
  protected:
    InputErrors() {
        a = model.add(Body::box({1, 1, 1}, 1));
        b = model.add(Body::box({1, 1, 1}, 1).at({1, 0, 0}));
        hinge = model.add(Revolute{.a = a, .b = b, .at = {}, .axis = {0, 0, 1}});
        guide = model.add(Prismatic{.a = Model::ground(), .b = a, .at = {}, .axis = {0, 0, 1}});
        ball = model.add(Spherical{.a = a, .b = b, .at = {}});
    }

    // The message, and that the model has not taken it.
    template <class T> std::string refuse(T thing) {
        const size_t before = size();
        const std::string message = error([&] { model.add(thing); });
        EXPECT_EQ(size(), before);
        return message;
    }
    size_t size() const {
        return model.bodies().size() + model.joints().size() + model.drives().size()
             + model.limits().size() + model.coordinates().size() + model.forces().size()
             + model.springs().size() + model.joint_springs().size() + model.bushings().size()
             + model.motors().size() + model.user_forces().size();
    }

    Model model;
    BodyId a, b;
    JointId hinge, guide, ball;
};

TEST_F(InputErrors, OfBodies) {
    const auto body = [](auto change) {
        Body x = Body::box({1, 1, 1}, 1).named("x");
        change(x);
        return x;
    };
    EXPECT_EQ(refuse(Body::point(not_a_number)),
              "body 3: mass is nan; it must be positive and finite");
    EXPECT_EQ(refuse(Body::point(-2).named("ball")),
              "body 'ball': mass is -2; it must be positive and finite");
    EXPECT_EQ(refuse(Body::point(0)), "body 3: mass is 0; it must be positive and finite");
    EXPECT_EQ(refuse(Body::point(unlimited)),
              "body 3: mass is inf; it must be positive and finite");
    EXPECT_EQ(refuse(body([](Body& x) { x.center.x = not_a_number; })),
              "body 'x': center is not finite (nan, 0, 0)");
    EXPECT_EQ(refuse(body([](Body& x) { x.position.y = unlimited; })),
              "body 'x': position is not finite (0, inf, 0)");
    EXPECT_EQ(refuse(body([](Body& x) { x.velocity.z = -unlimited; })),
              "body 'x': velocity is not finite (0, 0, -inf)");
    EXPECT_EQ(refuse(body([](Body& x) { x.angular_velocity.x = not_a_number; })),
              "body 'x': angular velocity is not finite (nan, 0, 0)");
    EXPECT_EQ(refuse(body([](Body& x) { x.inertia(1, 1) = not_a_number; })),
              "body 'x': inertia is not finite (0, nan, 0)");
    EXPECT_EQ(refuse(body([](Body& x) { x.inertia(0, 1) = 0.1; })),
              "body 'x': inertia is not symmetric");
    const std::string rule = " belong to no body; each must be at most the sum of the other two";
    EXPECT_EQ(refuse(body([](Body& x) {
                  x.inertia = Mat3::diagonal({1, 1, 2.5});
              })),
              "body 'x': principal moments of inertia 1, 1, 2.5" + rule);
    EXPECT_EQ(refuse(body([](Body& x) {
                  x.inertia = Mat3::diagonal({-1, -1, -1});
              })),
              "body 'x': principal moments of inertia -1, -1, -1" + rule);
    EXPECT_EQ(refuse(body([](Body& x) {
                  x.inertia = Mat3::diagonal({1, 0, 0});
              })),
              "body 'x': principal moments of inertia 1, 0, 0" + rule);
    const std::string rotation =
        "body 'x': orientation is not a rotation; give a quaternion of length one";
    EXPECT_EQ(refuse(body([](Body& x) { x.orientation = {0, 0, 0, 0}; })), rotation);
    EXPECT_EQ(refuse(body([](Body& x) { x.orientation = {not_a_number, 0, 0, 0}; })), rotation);
    EXPECT_EQ(error([] {
                  Body::rod({1, 2, 3}, {1, 2, 3}, 1);
              }),
              "rod: its two ends coincide; give two different points");
    EXPECT_EQ(error([] {
                  Body::rod({1, 2, 3}, {1, 2, not_a_number}, 1);
              }),
              "rod: its two ends coincide; give two different points");
}

TEST_F(InputErrors, OfJointsBodies) {
    const std::string unknown =
        "names a body that this model does not have; use the id that add returned";
    EXPECT_EQ(refuse(Fixed{.a = a, .b = BodyId{9}}), "joint 3 (fixed): " + unknown);
    EXPECT_EQ(refuse(Revolute{.a = {}, .b = a, .axis = {0, 0, 1}, .name = "pin"}),
              "joint 'pin' (revolute): " + unknown);
    EXPECT_EQ(refuse(Spherical{.a = a, .b = a}), "joint 3 (spherical): joins a body to itself");
    EXPECT_EQ(refuse(Distance{.a = b, .b = b, .at_b = {1, 0, 0}}),
              "joint 3 (distance): joins a body to itself");
    EXPECT_EQ(refuse(Fixed{.a = Model::ground(), .b = Model::ground()}),
              "joint 3 (fixed): joins a body to itself");
    EXPECT_EQ(refuse(Universal{.a = a, .b = BodyId{3}, .axis_a = {1, 0, 0}, .axis_b = {0, 1, 0}}),
              "joint 3 (universal): " + unknown);
}

TEST_F(InputErrors, OfJointsPlaces) {
    const Vec3 nowhere{not_a_number, 0, 0};
    EXPECT_EQ(refuse(Fixed{.a = a, .b = b, .at = nowhere}),
              "joint 3 (fixed): its point is not finite (nan, 0, 0)");
    EXPECT_EQ(refuse(Revolute{.a = a, .b = b, .at = nowhere, .axis = {0, 0, 1}}),
              "joint 3 (revolute): its point is not finite (nan, 0, 0)");
    const std::string none = "joint 3: axis has no length; give a direction",
                      no_normal = "joint 3: normal has no length; give a direction";
    EXPECT_EQ(refuse(Revolute{.a = a, .b = b}), none);
    EXPECT_EQ(refuse(Prismatic{.a = a, .b = b}), none);
    EXPECT_EQ(refuse(Cylindrical{.a = a, .b = b}), none);
    EXPECT_EQ(refuse(PointOnLine{.a = a, .b = b}), none);
    EXPECT_EQ(refuse(Screw{.a = a, .b = b, .lead = 1}), none);
    EXPECT_EQ(refuse(Planar{.a = a, .b = b}), no_normal);
    EXPECT_EQ(refuse(PointOnPlane{.a = a, .b = b}), no_normal);
    EXPECT_EQ(refuse(Revolute{.a = a, .b = b, .axis = nowhere}),
              "joint 3: axis is not finite (nan, 0, 0)");
    EXPECT_EQ(refuse(Screw{.a = a, .b = b, .axis = {0, 0, 1}, .lead = unlimited}),
              "joint 3: lead is not finite");
    EXPECT_EQ(refuse(Universal{.a = a, .b = b, .axis_b = {0, 1, 0}}),
              "joint 3: axis_a has no length; give a direction");
    EXPECT_EQ(refuse(Universal{.a = a, .b = b, .axis_a = {1, 0, 0}}),
              "joint 3: axis_b has no length; give a direction");
    EXPECT_EQ(refuse(Universal{
                  .a = a, .b = b, .axis_a = {1, 0, 0}, .axis_b = {1, 1, 0}, .name = "cross"}),
              "joint 'cross': axis_a and axis_b are not perpendicular (cosine 0.707); a cross has "
              "right angles");
    EXPECT_EQ(refuse(Distance{.a = a, .b = b, .at_a = {1, 2, 3}, .at_b = {1, 2, 3}}),
              "joint 3: its two ends coincide; use a spherical joint");
    EXPECT_EQ(refuse(Distance{.a = a, .b = b, .at_a = nowhere}),
              "joint 3: at_a is not finite (nan, 0, 0)");
    EXPECT_EQ(refuse(Distance{.a = a, .b = b, .at_b = nowhere}),
              "joint 3: at_b is not finite (nan, 0, 0)");
}

TEST_F(InputErrors, OfCouplings) {
    const std::string two =
        "joint 3 (gear): needs two joints that have a coordinate: revolute, prismatic, "
        "cylindrical, "
        "screw, or gauges";
    EXPECT_EQ(refuse(Gear{.first = hinge, .second = ball}), two);
    EXPECT_EQ(refuse(Gear{.first = JointId{8}, .second = hinge}), two);
    EXPECT_EQ(refuse(Gear{}), two);
    EXPECT_EQ(refuse(Gear{.first = hinge, .second = hinge}),
              "joint 3 (gear): couples a joint with itself");
    EXPECT_EQ(refuse(Gear{.first = hinge, .second = guide, .ratio = 0}),
              "joint 3 (gear): ratio is 0; it must be finite and not zero");
    EXPECT_EQ(refuse(Gear{.first = hinge, .second = guide, .ratio = not_a_number}),
              "joint 3 (gear): ratio is nan; it must be finite and not zero");
    EXPECT_EQ(refuse(RackAndPinion{.rack = hinge, .pinion = hinge, .radius = 1}),
              "joint 3 (rack and pinion): the rack must be a prismatic joint");
    EXPECT_EQ(refuse(RackAndPinion{.rack = guide, .pinion = guide, .radius = 1}),
              "joint 3 (rack and pinion): the pinion must be a revolute joint");
    EXPECT_EQ(refuse(RackAndPinion{.rack = guide, .pinion = JointId{77}, .radius = 1}),
              "joint 3 (rack and pinion): the pinion must be a revolute joint");
    EXPECT_EQ(refuse(RackAndPinion{.rack = guide, .pinion = hinge}),
              "joint 3 (gear): ratio is 0; it must be finite and not zero");
}

TEST_F(InputErrors, OfDrivesLimitsAndCoordinates) {
    const std::string coordinate =
        "needs a joint with a coordinate: revolute, prismatic, cylindrical, screw or distance; or "
        "a "
        "turn, swing or slide gauge between the bodies of another joint";
    EXPECT_EQ(refuse(Drive{.joint = ball}), "drive 0: " + coordinate);
    EXPECT_EQ(refuse(Drive{.name = "arm"}), "drive 'arm': " + coordinate);
    EXPECT_EQ(refuse(Drive{.joint = hinge, .max_effort = 0}),
              "drive 0: max_effort is 0; it must be positive");
    EXPECT_EQ(refuse(Drive{.joint = hinge, .max_effort = not_a_number}),
              "drive 0: max_effort is nan; it must be positive");
    const auto valve = Drive::Control::hydraulic;
    EXPECT_EQ(refuse(Drive{.joint = hinge, .control = valve}),
              "drive 0: max_speed is 0; a hydraulic drive needs a positive one");
    EXPECT_EQ(refuse(Drive{.joint = hinge, .control = valve, .max_speed = unlimited}),
              "drive 0: max_speed is inf; a hydraulic drive needs a positive one");
    EXPECT_EQ(refuse(Drive{.joint = hinge, .control = valve, .max_effort = -1, .max_speed = 1}),
              "drive 0: max_effort is -1; it must be positive");
    EXPECT_EQ(refuse(Drive{.joint = hinge, .max_speed = 2}),
              "drive 0: max_speed is 2; only a hydraulic drive has one");
    model.add(Drive{.joint = hinge});
    EXPECT_EQ(refuse(Drive{.joint = hinge}), "drive 1: the joint has a drive already");
    EXPECT_EQ(refuse(Limit{.joint = ball}), "limit 0: " + coordinate);
    EXPECT_EQ(refuse(Limit{.joint = hinge, .min = 2, .max = 1}),
              "limit 0: min 2 is not below max 1");
    EXPECT_EQ(refuse(Limit{.joint = hinge, .min = 1, .max = 1}),
              "limit 0: min 1 is not below max 1");
    EXPECT_EQ(refuse(Limit{.joint = hinge, .min = not_a_number}),
              "limit 0: min nan is not below max inf");
    EXPECT_EQ(refuse(Limit{.joint = hinge, .max = 1, .restitution = 1.5}),
              "limit 0: restitution is 1.5; it must be between 0 and 1");
    EXPECT_EQ(refuse(Limit{.joint = hinge, .max = 1, .restitution = -0.1}),
              "limit 0: restitution is -0.1; it must be between 0 and 1");
    EXPECT_EQ(refuse(Limit{.joint = hinge, .max = 1, .restitution = not_a_number}),
              "limit 0: restitution is nan; it must be between 0 and 1");
    EXPECT_EQ(refuse(Coordinate{.joint = ball, .inertia = 1}), "coordinate 0: " + coordinate);
    EXPECT_EQ(refuse(Coordinate{.joint = hinge}),
              "coordinate 0: inertia is 0; it must be positive and finite");
    EXPECT_EQ(refuse(Coordinate{.joint = hinge, .inertia = unlimited}),
              "coordinate 0: inertia is inf; it must be positive and finite");
    EXPECT_EQ(refuse(Coordinate{.joint = hinge, .inertia = 1, .ratio = 0}),
              "coordinate 0: ratio is 0; it must be finite and not zero");
}

TEST_F(InputErrors, OfForces) {
    const std::string unknown =
        "names a body that this model does not have; use the id that add returned";
    const std::string coordinate =
        "needs a joint with a coordinate: revolute, prismatic, cylindrical, screw or distance; or "
        "a "
        "turn, swing or slide gauge between the bodies of another joint";
    EXPECT_EQ(refuse(Spring{.a = a, .b = BodyId{5}}), "spring 0: " + unknown);
    EXPECT_EQ(refuse(Spring{.a = a, .b = a}), "spring 0: joins a body to itself");
    EXPECT_EQ(refuse(Spring{.a = a, .b = b, .at_a = {0, not_a_number, 0}}),
              "spring 0: at_a is not finite (0, nan, 0)");
    EXPECT_EQ(refuse(Spring{.a = a, .b = b, .at_b = {0, not_a_number, 0}}),
              "spring 0: at_b is not finite (0, nan, 0)");
    EXPECT_EQ(refuse(Spring{.a = a, .b = b, .stiffness = -1}),
              "spring 0: stiffness is -1; it must be at least 0");
    EXPECT_EQ(refuse(Spring{.a = a, .b = b, .damping = not_a_number}),
              "spring 0: damping is nan; it must be at least 0");
    EXPECT_EQ(refuse(Spring{.a = a, .b = b, .free_length = -0.5}),
              "spring 0: free_length is -0.5; it must be at least 0");
    EXPECT_EQ(refuse(JointSpring{.joint = ball}), "joint spring 0: " + coordinate);
    EXPECT_EQ(refuse(JointSpring{.joint = hinge, .stiffness = -1}),
              "joint spring 0: stiffness is -1; it must be at least 0");
    EXPECT_EQ(refuse(JointSpring{.joint = hinge, .damping = -1}),
              "joint spring 0: damping is -1; it must be at least 0");
    EXPECT_EQ(refuse(JointSpring{.joint = hinge, .rest = not_a_number}),
              "joint spring 0: rest is not finite");
    EXPECT_EQ(refuse(Bushing{.a = a, .b = BodyId{5}}), "bushing 0: " + unknown);
    EXPECT_EQ(refuse(Bushing{.a = a, .b = a}), "bushing 0: joins a body to itself");
    EXPECT_EQ(refuse(Bushing{.a = a, .b = b, .at = {unlimited, 0, 0}}),
              "bushing 0: its point is not finite (inf, 0, 0)");
    EXPECT_EQ(refuse(Bushing{.a = a, .b = b, .stiffness = {1, -1, 1}}),
              "bushing 0: stiffness is -1; it must be at least 0");
    EXPECT_EQ(refuse(Bushing{.a = a, .b = b, .damping = {1, 1, -1}}),
              "bushing 0: damping is -1; it must be at least 0");
    EXPECT_EQ(refuse(Bushing{.a = a, .b = b, .angular_stiffness = {-1, 1, 1}}),
              "bushing 0: angular_stiffness is -1; it must be at least 0");
    EXPECT_EQ(refuse(Bushing{.a = a, .b = b, .angular_damping = {-1, 1, 1}}),
              "bushing 0: angular_damping is -1; it must be at least 0");
    EXPECT_EQ(refuse(Motor{.joint = ball}), "motor 0: " + coordinate);
    EXPECT_EQ(refuse(Motor{.joint = hinge, .no_load_speed = 0}),
              "motor 0: no_load_speed is 0; it must be positive");
    EXPECT_EQ(refuse(UserForce{}), "user force 0: has no function");
    EXPECT_EQ(
        refuse(UserForce{
            .apply = [](const Kinematics&, ForceSink&) {}, .bodies = {BodyId{5}}, .name = "wind"}),
        "user force 'wind': " + unknown);
}

TEST_F(InputErrors, OfTables) {
    EXPECT_EQ(error([] { table({}); }), "table: a force law needs at least two rows");
    EXPECT_EQ(error([] { table({{1, 2}}); }), "table: a force law needs at least two rows");
    EXPECT_EQ(error([] {
                  table({{1, 2}, {0, 3}});
              }),
              "table: displacement of row 1 does not increase");
    EXPECT_EQ(error([] {
                  table({{0, 2}, {1, 3}, {1, 4}});
              }),
              "table: displacement of row 2 does not increase");
    EXPECT_EQ(error([] { table({{0, 2}, {not_a_number, 3}}); }), "table: row 1 is not finite");
    EXPECT_EQ(error([] { table({{0, unlimited}, {1, 3}}); }), "table: row 0 is not finite");
}

// Numbers that a comparison with zero lets pass, and that end as NaN in the first step.
TEST_F(InputErrors, OfNumbersThatAreNotFinite) {
    EXPECT_NE(refuse(Spring{.a = a, .b = b, .stiffness = unlimited}).find("stiffness is inf"),
              std::string::npos);
    EXPECT_NE(refuse(Spring{.a = a, .b = b, .damping = unlimited}).find("damping is inf"),
              std::string::npos);
    EXPECT_NE(refuse(Spring{.a = a, .b = b, .free_length = unlimited}).find("free_length is inf"),
              std::string::npos);
    EXPECT_NE(refuse(JointSpring{.joint = hinge, .stiffness = unlimited}).find("stiffness is inf"),
              std::string::npos);
    EXPECT_NE(
        refuse(Bushing{.a = a, .b = b, .stiffness = {1, unlimited, 1}}).find("stiffness is inf"),
        std::string::npos);
    EXPECT_NE(refuse(Bushing{.a = a, .b = b, .axes = {0, 0, 0, 0}}).find("axes"),
              std::string::npos);
    EXPECT_NE(refuse(Bushing{.a = a, .b = b, .axes = {not_a_number, 0, 0, 0}}).find("axes"),
              std::string::npos);
}

}  // namespace
}  // namespace bristle::model
