// What world.contacts() and reaction() say of bodies that rest, by statics; and of bodies that slide.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

Vec3 force_on(const World& world, BodyId body) {
    Vec3 sum;
    for (const Contact& c : world.contacts()) {
        if (c.body_a == body) sum += c.force;
        if (c.body_b == body) sum -= c.force;
    }
    return sum;
}

TEST(ContactReport, OfABallAtRestIsItsWeight) {
    // Estimated, resolved, and stiffer than the step resolves.
    for (double stiffness : {0.0, 1e5, 1e7, 1e10}) {
        Model m;
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s, s, {.stiffness = stiffness}});
        const ShapeId floor = add_floor(m, s);
        const BodyId ball = add_ball(m, 0.1, 2, {0.3, -0.2, 0.1}, {}, {}, s);
        World world(m, {.step = 2e-3});
        world.advance_to(4);
        const auto contacts = world.contacts();
        ASSERT_EQ(contacts.size(), 1u) << stiffness;
        const Contact& c = contacts[0];
        EXPECT_EQ(c.a, floor);
        EXPECT_EQ(c.b, ShapeId{1});
        EXPECT_EQ(c.body_a, m.ground());
        EXPECT_EQ(c.body_b, ball);
        EXPECT_LE(norm(c.normal - Vec3{0, 0, -1}), 1e-12);
        EXPECT_LE(norm(force_on(world, ball) - Vec3{0, 0, 2 * 9.81}), 1e-9 * 2 * 9.81) << stiffness;
        EXPECT_GT(c.depth, 0);
        EXPECT_NEAR(c.depth, 0.1 - world.pose(ball).position.z, 1e-12);
        if (stiffness > 0) {
            EXPECT_NEAR(stiffness * std::pow(c.depth, 1.5), 2 * 9.81, 1e-6 * 2 * 9.81);
        }
        EXPECT_NEAR(c.point.x, 0.3, 1e-9);
        EXPECT_NEAR(c.point.y, -0.2, 1e-9);
        EXPECT_FALSE(c.slips);
        EXPECT_LT(c.slip_speed, 1e-9);
        EXPECT_EQ(norm(c.torque), 0);
    }
}

TEST(ContactReport, OfAStackIsTheWeightAboveEachFace) {
    for (double stiffness : {0.0, 1e7, 1e10}) {
        Model m;
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s, s, {.stiffness = stiffness}});
        add_floor(m, s);
        std::vector<BodyId> boxes;
        for (int i = 0; i < 4; ++i)
            boxes.push_back(add_box(m, {0.5, 0.5, 0.2}, 1 + i, {0, 0, 0.1 + 0.2 * i}, {}, s));
        World world(m, {.step = 2e-3});
        world.advance_to(4);
        double above = 0;
        for (int i = 3; i >= 0; --i) {
            // The net force on every box is its weight.
            EXPECT_LE(
                norm(force_on(world, boxes[static_cast<size_t>(i)]) - Vec3{0, 0, 9.81 * (1 + i)}),
                1e-7 * 98.1)
                << "box " << i << " stiffness " << stiffness;
            above += 9.81 * (1 + i);
        }
        EXPECT_LE(norm(force_on(world, m.ground()) + Vec3{0, 0, above}), 1e-7 * above) << stiffness;
    }
}

TEST(ContactReport, OfABoxOnAnInclineHasFrictionAndNormalByHand) {
    for (double stiffness : {0.0, 1e9}) {
        const double slope = 0.3, g = 9.81;
        Model m;
        m.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)};
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s, s, {.stiffness = stiffness}});
        add_floor(m, s);
        const BodyId box = add_box(m, {1, 0.5, 0.5}, 3, {0, 0, 0.25}, {}, s);
        World world(m, {.step = 2e-3});
        world.advance_to(4);
        EXPECT_LE(norm(force_on(world, box) + 3.0 * m.gravity), 1e-7 * 3 * g);
        Vec3 moment;
        for (const Contact& c : world.contacts())
            moment += cross(c.point - world.pose(box).position, -c.force);
        EXPECT_LE(norm(moment), 1e-7 * 3 * g);
        for (const Contact& c : world.contacts()) EXPECT_FALSE(c.slips);
    }
}

// A beam pinned at one end leans on the floor with a ball at the other. Whatever friction history left, the
// moments about the pin balance, and the pin carries the rest; also with a stiffness the step does not see.
void expect_statics(bool slender, double stiffness, double friction) {
    Model m;
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{
        s, s, {.stiffness = stiffness, .static_friction = friction, .kinetic_friction = friction}});
    const double radius = 0.05, mass = 4, g = 9.81;
    const Vec3 pin_at{0, 0, 0.5}, foot{1.2, 0, radius}, along = foot - pin_at;
    const double length = norm(along);
    const Quat tilt = Quat::about({0, 1, 0}, std::atan2(-along.z, along.x));
    const BodyId beam =
        m.add(slender ? Body::rod(pin_at, foot, mass)
                      : Body::box({length, 0.1, 0.1}, mass).at(0.5 * (pin_at + foot), tilt));
    const Vec3 end{slender ? length : length / 2, 0, 0}, middle{slender ? length / 2 : 0, 0, 0};
    const JointId pin =
        m.add(Revolute{.a = m.ground(), .b = beam, .at = pin_at, .axis = {0, 1, 0}});
    m.add(Shape{.body = beam, .geometry = Sphere{radius}, .pose = {end, {}}, .material = s});
    add_floor(m, s);
    World world(m, {.step = 2e-3});
    world.advance_to(6);
    SCOPED_TRACE(testing::Message() << "stiffness " << stiffness << " friction " << friction);
    ASSERT_EQ(world.contacts().size(), 1u);
    // On a slender rod friction acts where the ball's centre is: it has no moment about its axis.
    const Vec3 floor = force_on(world, beam),
               at = slender ? world.point(beam, end) : world.contacts()[0].point;
    const Vec3 moment =
        cross(at - pin_at, floor) + cross(world.point(beam, middle) - pin_at, {0, 0, -mass * g});
    EXPECT_NEAR(moment.y, 0, 1e-5 * mass * g);
    const Reaction r = world.reaction(pin);
    EXPECT_LE(norm(r.force + floor + Vec3{0, 0, -mass * g}), 1e-5 * mass * g);
    EXPECT_NEAR(r.moment.y, 0, 1e-9);
    if (friction == 0) {
        EXPECT_NEAR(floor.x, 0, 1e-9 * mass * g);
        EXPECT_NEAR(floor.z, mass * g / 2, 1e-3 * mass * g);
        EXPECT_NEAR(r.force.z, mass * g / 2, 1e-3 * mass * g);
    }
}

TEST(ContactReport, GivesReactionsOfAPinnedBeamThatRestsOnTheFloor) {
    for (double stiffness : {0.0, 1e5, 1e8, 1e12})
        for (double friction : {0.0, 0.5}) expect_statics(false, stiffness, friction);
}

// A slender rod has no entity across its axis, and yet its contact acts beside it.
TEST(ContactReport, GivesReactionsOfAPinnedSlenderRodThatRestsOnTheFloor) {
    for (double stiffness : {0.0, 1e5, 1e8, 1e12})
        for (double friction : {0.0, 0.5}) expect_statics(true, stiffness, friction);
}

// Sliding: within the cone at all times, whatever happens.
TEST(ContactReport, StaysInTheFrictionCone) {
    for (double kinetic : {0.2, 0.5})
        for (double stiffness : {0.0, 1e9}) {
            Model m;
            const MaterialId s = m.add(Material{});
            const ContactLaw law{.stiffness = stiffness,
                                 .restitution = 0.5,
                                 .static_friction = 0.5,
                                 .kinetic_friction = kinetic,
                                 .viscous_friction = 0.2};
            m.add(ContactPair{s, s, law});
            add_floor(m, s);
            for (int i = 0; i < 3; ++i) {
                add_box(m, {0.4, 0.3, 0.2}, 1, {0, double(i), 0.3 + 0.2 * i}, {3, 0, -1}, s);
                add_ball(m, 0.15, 1, {2, double(i), 0.3}, {-1.0 * i, 0.5, -2}, {10, 0, 20}, s);
            }
            World world(m, {.step = 2e-3});
            int sliding = 0, sticking = 0;
            for (int i = 0; i < 1500; ++i) {
                world.step();
                for (const Contact& c : world.contacts()) {
                    const double normal = dot(c.force, c.normal);
                    const double tangential = norm(c.force - normal * c.normal);
                    EXPECT_GE(normal, 0);
                    EXPECT_LE(tangential, 0.5 * normal * (1 + 1e-9) + 0.2 * c.slip_speed + 1e-12);
                    ++(c.slips ? sliding : sticking);
                }
            }
            EXPECT_GT(sliding, 100);
            EXPECT_GT(sticking, 100);
        }
}

TEST(ContactReport, HasRollingAndSpinningMoments) {
    Model m;
    const MaterialId s = m.add(Material{.rolling_resistance = 0.01, .spinning_resistance = 0.02});
    add_floor(m, s);
    const BodyId roller = add_ball(m, 0.2, 1, {0, 0, 0.2}, {2, 0, 0}, {0, 10, 0}, s),
                 top = add_ball(m, 0.2, 1, {0, 3, 0.2}, {}, {0, 0, 30}, s);
    World world(m, {.step = 1e-3});
    world.advance_to(0.1);
    for (const Contact& c : world.contacts()) {
        const double normal = dot(c.force, c.normal),
                     sign = c.body_a == roller || c.body_a == top ? 1 : -1;
        const Vec3 torque = sign * c.torque;
        if (c.body_a == roller || c.body_b == roller)
            EXPECT_LE(norm(torque - Vec3{0, -0.01 * normal, 0}), 1e-4 * normal);
        else
            EXPECT_LE(norm(torque - Vec3{0, 0, -0.02 * normal}), 1e-4 * normal);
    }
    ASSERT_EQ(world.contacts().size(), 2u);
    // a = −μ_r g/(R (1 + 2/5)) of a ball that rolls; ω' = −μ_s m g/(2/5 m R²) of one that spins.
    const double v = world.twist(roller).linear.x, w = world.twist(top).angular.z;
    world.advance_to(0.3);
    EXPECT_NEAR((world.twist(roller).linear.x - v) / 0.2, -0.01 * 9.81 / (0.2 * 1.4), 1e-3);
    EXPECT_NEAR((world.twist(top).angular.z - w) / 0.2, -0.02 * 9.81 / (0.4 * 0.04), 0.05);
    world.advance_to(10);
    EXPECT_LE(norm(world.twist(roller).linear), 1e-6) << "it comes to rest and stays";
    EXPECT_LE(norm(world.twist(top).angular), 1e-6);
}

TEST(ContactReport, IsEmptyWithoutShapesAndBeforeTheFirstStep) {
    Model m;
    const BodyId ball = m.add(Body::sphere(1, 1));
    World bare(m);
    bare.step();
    EXPECT_TRUE(bare.contacts().empty());
    m.add(Shape{.body = ball, .geometry = Sphere{1}});
    World alone(m);
    alone.step();
    EXPECT_TRUE(alone.contacts().empty());
    add_floor(m);
    EXPECT_TRUE(World(m).contacts().empty());
}

}  // namespace
}  // namespace bristle::step
