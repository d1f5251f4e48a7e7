#include <bristle/model.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::model {
namespace {

void expect_near(Vec3 a, Vec3 b, double bound = 1e-14) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], bound);
}

Vec3 diagonal(const Mat3& m) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_TRUE(i == j || m(i, j) == 0);
    return {m(0, 0), m(1, 1), m(2, 2)};
}

// Textbook moments of homogeneous bodies.
TEST(Body, FactoriesHaveTheMomentsOfTheBook) {
    EXPECT_EQ(diagonal(Body::point(3).inertia), Vec3{});
    EXPECT_EQ(Body::point(3).mass, 3);

    const Body rod = Body::rod(2, 3);
    expect_near(rod.center, {1, 0, 0});
    expect_near(diagonal(rod.inertia), {0, 1, 1});

    expect_near(diagonal(Body::box({1, 2, 3}, 12).inertia), {13, 10, 5});
    expect_near(diagonal(Body::sphere(0.5, 10).inertia), {1, 1, 1});
    expect_near(diagonal(Body::cylinder(2, 3, 12).inertia), {21, 21, 24});
    expect_near(Body::box({1, 2, 3}, 12).center, {});
}

TEST(Body, ARodBetweenTwoPointsLiesBetweenThem) {
    for (const Vec3 to : {Vec3{1, 2, 3}, Vec3{-1, 0, 0}, Vec3{0, 0, 5}, Vec3{0, -1e-3, 0}}) {
        const Vec3 from{0.5, 0.25, -1};
        const Body rod = Body::rod(from, from + to, 2);
        const Pose pose{rod.position, rod.orientation};
        expect_near(pose * Vec3{}, from);
        expect_near(pose * Vec3{norm(to), 0, 0}, from + to);
        expect_near(pose * rod.center, from + 0.5 * to);
        EXPECT_NEAR(rod.inertia(1, 1), 2 * dot(to, to) / 12, 1e-14 * dot(to, to));
    }
}

TEST(Body, IsNamedPlacedAndMovedWithoutChangingTheOriginal) {
    const Body box = Body::box({1, 1, 1}, 1);
    const Body other =
        box.named("x").at({1, 2, 3}, Quat::about({0, 0, 1}, 1)).moving({4, 5, 6}, {7, 8, 9});
    EXPECT_EQ(other.name, "x");
    EXPECT_EQ(other.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(other.orientation, Quat::about({0, 0, 1}, 1));
    EXPECT_EQ(other.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(other.angular_velocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(other.mass, 1);
    EXPECT_EQ(box.position, Vec3{});
    EXPECT_TRUE(box.name.empty());
}

TEST(Table, IsLinearBetweenRowsAndBeyondTheEnds) {
    const ForceLaw law = table({{-1, -10}, {0, 0}, {2, 1}, {3, 5}});
    EXPECT_EQ(law(-1, 0), -10);
    EXPECT_EQ(law(-0.5, 0), -5);
    EXPECT_EQ(law(0, 0), 0);
    EXPECT_EQ(law(1, 0), 0.5);
    EXPECT_EQ(law(2, 0), 1);
    EXPECT_EQ(law(2.5, 0), 3);
    EXPECT_EQ(law(3, 0), 5);
    EXPECT_EQ(law(4, 0), 9);
    EXPECT_EQ(law(-3, 0), -30);
    EXPECT_EQ(law(1, 99), law(1, -99));  // the rate does not matter
    const ForceLaw line = table({{0, 1}, {1, 3}});
    EXPECT_EQ(line(-1, 0), -1);
    EXPECT_EQ(line(0.5, 0), 2);
    EXPECT_EQ(line(5, 0), 11);
}

TEST(Model, StartsWithTheGroundAlone) {
    const Model model;
    ASSERT_EQ(model.bodies().size(), 1u);
    EXPECT_EQ(model.bodies()[0].name, "ground");
    EXPECT_EQ(Model::ground().index, 0u);
    EXPECT_EQ(model.gravity, (Vec3{0, 0, -9.81}));
}

TEST(Model, TakesAxesOfAnyLengthAndQuaternionsToo) {
    Model m;
    Body body = Body::box({1, 1, 1}, 1);
    body.orientation = {2, 0, 0, 2};
    const BodyId a = m.add(body);
    EXPECT_NEAR(m.bodies()[a.index].orientation.w, std::sqrt(0.5), 1e-15);
    for (double length : {1e-100, 1e-3, 7.0, 1e100}) {
        const JointId j =
            m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 0, length}});
        expect_near(m.joints()[j.index].axis, {0, 0, 1});
    }
    // So long that its square overflows.
    const JointId j = m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 0, 1e200}});
    expect_near(m.joints()[j.index].axis, {0, 0, 1});
}

TEST(Model, KeepsEveryJointInOneForm) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1)), b = m.add(Body::box({1, 1, 1}, 1));
    const Vec3 x{1, 0, 0}, y{0, 1, 0};
    const JointId ids[] = {
        m.add(Fixed{.a = a, .b = b}),
        m.add(Revolute{.a = a, .b = b, .at = x, .axis = 2 * y, .name = "pin"}),
        m.add(Prismatic{.a = a, .b = b, .axis = x}),
        m.add(Cylindrical{.a = a, .b = b, .axis = x}),
        m.add(Spherical{.a = a, .b = b}),
        m.add(Universal{.a = a, .b = b, .axis_a = x, .axis_b = y}),
        m.add(Planar{.a = a, .b = b, .normal = x}),
        m.add(PointOnLine{.a = a, .b = b, .axis = x}),
        m.add(PointOnPlane{.a = a, .b = b, .normal = x}),
        m.add(Distance{.a = a, .b = b, .at_a = x, .at_b = y}),
        m.add(Screw{.a = a, .b = b, .axis = x, .lead = 2 * pi * 0.3}),
    };
    for (uint32_t i = 0; i < 11; ++i) {
        EXPECT_EQ(ids[i].index, i);
        EXPECT_EQ(m.joints()[i].type, static_cast<JointType>(i));
    }
    EXPECT_EQ(m.joints()[1].name, "pin");
    EXPECT_EQ(m.joints()[1].axis, y);
    EXPECT_EQ(m.joints()[1].at_b, x);
    EXPECT_EQ(m.joints()[5].axis_b, y);
    EXPECT_EQ(m.joints()[9].at_b, y);
    EXPECT_NEAR(m.joints()[10].ratio, 0.3, 1e-15);
    const bool known[] = {false, true, true, true, false, false, false, false, false, true, true};
    for (uint32_t i = 0; i < 11; ++i)
        EXPECT_EQ(m.has_coordinate({i}), known[i]) << to_string(m.joints()[i].type);
    EXPECT_FALSE(m.has_coordinate({}));
    const JointId rack = m.add(RackAndPinion{.rack = ids[2], .pinion = ids[1], .radius = 0.1});
    EXPECT_EQ(m.joints()[rack.index].type, JointType::gear);
    EXPECT_EQ(m.joints()[rack.index].first, ids[1]);
    EXPECT_EQ(m.joints()[rack.index].second, ids[2]);
    EXPECT_EQ(m.joints()[rack.index].ratio, 0.1);
    EXPECT_STREQ(to_string(JointType::point_on_line), "point on line");
    EXPECT_STREQ(to_string(JointType::gear), "gear");
}

TEST(Model, KnowsWhereEachForceIs) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = a, .axis = {0, 0, 1}});
    EXPECT_EQ(m.add(JointSpring{.joint = pin}).index, 0u);
    EXPECT_EQ(m.add(Spring{.a = m.ground(), .b = a}).index, 1u);
    EXPECT_EQ(m.add(JointSpring{.joint = pin}).index, 2u);
    EXPECT_EQ(m.add(UserForce{.apply = [](const Kinematics&, ForceSink&) {}}).index, 3u);
    EXPECT_EQ(m.add(Bushing{.a = m.ground(), .b = a}).index, 4u);
    EXPECT_EQ(m.add(Motor{.joint = pin}).index, 5u);
    EXPECT_EQ(m.forces()[2].kind, Model::ForceKind::joint_spring);
    EXPECT_EQ(m.forces()[2].index, 1u);
    EXPECT_EQ(m.forces()[5].kind, Model::ForceKind::motor);
}

}  // namespace
}  // namespace bristle::model
