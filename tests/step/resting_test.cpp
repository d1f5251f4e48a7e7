// Bodies far from the action take no part (spec A13).
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

// Boxes on a floor, in rows 2 m apart, and a driven ball that comes along.
struct Field {
    Model model;
    std::vector<BodyId> boxes;
    BodyId ball;
};

Field field(int boxes, double start = -3, double speed = 2) {
    Field f;
    Model& m = f.model;
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    f.ball = m.add(Body::sphere(.2, 5).at({start, 0, .2}).named("ball"));
    m.add(Shape{.body = f.ball, .geometry = Sphere{.2}});
    const JointId rail =
        m.add(Prismatic{.a = m.ground(), .b = f.ball, .at = {start, 0, .2}, .axis = {1, 0, 0}});
    m.add(Drive{.joint = rail, .control = Drive::Control::speed, .target = [speed](double) {
                    return speed;
                }});
    for (int i = 0; i < boxes; ++i) {
        const double y = i % 2 == 0 ? .1 : 3.;
        f.boxes.push_back(m.add(Body::box({.3, .3, .3}, 1).at({2. * i, y, .15})));
        m.add(Shape{.body = f.boxes.back(), .geometry = Box{{.3, .3, .3}}});
    }
    return f;
}

int taken_out(const World& world, const std::vector<BodyId>& boxes) {
    int count = 0;
    for (BodyId id : boxes) count += world.is_taken_out(id);
    return count;
}

constexpr AugmentedLagrangian with_taking_out{.step = 5e-3, .take_out_beyond = 3};

TEST(Resting, FarBodiesAreTakenOutAndTheNearStay) {
    const Field f = field(20, -3, 0);
    World world(f.model, with_taking_out);
    EXPECT_EQ(taken_out(world, f.boxes), 0);
    const size_t whole = world.coordinates();
    world.advance_to(3);
    World plain(f.model, {.step = 5e-3});
    plain.advance_to(3);
    // The first is 3 m away, the next 5.8 m.
    EXPECT_FALSE(world.is_taken_out(f.boxes[0]));
    EXPECT_EQ(taken_out(world, f.boxes), 19);
    EXPECT_EQ(world.coordinates(), whole - 19 * 12);
    EXPECT_NEAR(world.energy().potential, plain.energy().potential, 1e-9);
    // They can still be asked.
    EXPECT_NEAR(world.pose(f.boxes[7]).position.z, .15, 2e-3);
    EXPECT_EQ(norm(world.twist(f.boxes[7]).linear), 0);
    double weight = 0;
    for (const Contact& c : world.contacts())
        if (c.body_a == f.boxes[7] || c.body_b == f.boxes[7]) weight += std::abs(c.force.z);
    EXPECT_NEAR(weight, 9.81, 1e-6);
    const auto hit = world.cast_ray({14, 3, 5}, {0, 0, -1});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, f.boxes[7]);
    EXPECT_NEAR(hit->distance, 4.7, 2e-3);
}

TEST(Resting, TheyAreBackBeforeAnythingTouchesThem) {
    const Field f = field(10);
    World plain(f.model, {.step = 5e-3}), world(f.model, with_taking_out);
    int most = 0;
    for (int i = 0; i < 2000; ++i) {
        plain.step();
        world.step();
        const double x = world.pose(f.ball).position.x;
        for (BodyId id : f.boxes)
            ASSERT_FALSE(norm(world.pose(id).position - Vec3{x, 0, .2}) < 2.5
                         && world.is_taken_out(id))
                << world.time();
        most = std::max(most, taken_out(world, f.boxes));
    }
    EXPECT_GE(most, 7);
    // Those that were pushed aside have moved, by about the same; those that were not, not at all.
    for (size_t i = 0; i < f.boxes.size(); ++i) {
        const Vec3 way = world.pose(f.boxes[i]).position - plain.pose(f.boxes[i]).position;
        if (i % 2 == 1) {
            EXPECT_LT(norm(way), 1e-9) << i;
        } else {
            const Vec3 start{2. * static_cast<double>(i), .1, .15};
            EXPECT_GT(norm(plain.pose(f.boxes[i]).position - start), .1) << i;
            EXPECT_LT(norm(way), .1) << i;
        }
    }
}

TEST(Resting, WhatTouchesGoesTogether) {
    Field f = field(1, -3, 0);
    Model& m = f.model;
    // A tower 20 m away, and a plank from the ball's neighbourhood to another one.
    std::vector<BodyId> tower;
    for (int i = 0; i < 3; ++i) {
        tower.push_back(m.add(Body::box({.5, .5, .5}, 1).at({20, 0, .25 + .5 * i})));
        m.add(Shape{.body = tower.back(), .geometry = Box{{.5, .5, .5}}});
    }
    const BodyId near = m.add(Body::box({.5, .5, .5}, 1).at({-1, 3, .25})),
                 far = m.add(Body::box({.5, .5, .5}, 1).at({9, 3, .25})),
                 plank = m.add(Body::box({11, .2, .1}, 5).at({4, 3, .55}));
    m.add(Shape{.body = near, .geometry = Box{{.5, .5, .5}}});
    m.add(Shape{.body = far, .geometry = Box{{.5, .5, .5}}});
    m.add(Shape{.body = plank, .geometry = Box{{11, .2, .1}}});
    World world(m, with_taking_out);
    world.advance_to(5);
    for (BodyId id : tower) EXPECT_TRUE(world.is_taken_out(id));
    EXPECT_FALSE(world.is_taken_out(far));
    EXPECT_FALSE(world.is_taken_out(plank));
    EXPECT_NEAR(world.pose(tower[2]).position.z, 1.25, .01);
}

TEST(Resting, JointedThingsRestToo) {
    Field f = field(1, -3, 0);
    Model& m = f.model;
    const BodyId rod = m.add(Body::box({.1, .1, 1}, 2).at({20, 0, 5}));
    const JointId pin =
        m.add(Revolute{.a = m.ground(), .b = rod, .at = {20, 0, 5.5}, .axis = {0, 1, 0}});
    const ForceId spring = m.add(Spring{.a = m.ground(),
                                        .b = rod,
                                        .at_a = {20, 0, 10},
                                        .at_b = {20, 0, 5.5},
                                        .stiffness = 10,
                                        .free_length = 4});
    World world(m, with_taking_out);
    world.advance_to(1);
    ASSERT_TRUE(world.is_taken_out(rod));
    EXPECT_NEAR(world.reaction(pin).force.z, 2 * 9.81 - 5, 1e-9);
    EXPECT_NEAR(world.tension(spring), 5, 1e-9);
    EXPECT_EQ(world.coordinate(pin), 0);
    EXPECT_EQ(world.coordinate_rate(pin), 0);
}

TEST(Resting, SnapshotsAndHashesHoldThoseThatAreOut) {
    const Field f = field(12);
    World a(f.model, with_taking_out), b(f.model, with_taking_out);
    a.advance_to(3);
    ASSERT_GT(taken_out(a, f.boxes), 0);
    const Snapshot then = a.snapshot();
    const uint64_t hash = a.hash();
    a.advance_to(8);
    b.advance_to(8);
    EXPECT_EQ(a.hash(), b.hash());
    const uint64_t later = a.hash();
    a.restore(then);
    EXPECT_EQ(a.hash(), hash);
    a.advance_to(8);
    EXPECT_EQ(a.hash(), later);
    // And into another world of the same model.
    World c(f.model, with_taking_out);
    c.restore(then);
    c.advance_to(8);
    EXPECT_EQ(c.hash(), later);
}

TEST(Resting, AWorldWhereAllRestsIsEmptyAndGoesOn) {
    Model m;
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    const BodyId box = m.add(Body::box({1, 1, 1}, 1).at({0, 0, .5}));
    m.add(Shape{.body = box, .geometry = Box{{1, 1, 1}}});
    World world(m, with_taking_out);
    world.advance_to(5);
    EXPECT_TRUE(world.is_taken_out(box));
    EXPECT_EQ(world.coordinates(), 0u);
    EXPECT_NEAR(world.time(), 5, 1e-12);
    // A change brings everything back; what comes flying wakes what it meets.
    BodyId stone;
    world.change([&](Model& now) {
        stone = now.add(Body::sphere(.1, 1).at({-3, 0, .6}).moving({5, 0, 2}));
        now.add(Shape{.body = stone, .geometry = Sphere{.1}});
    });
    EXPECT_FALSE(world.is_taken_out(box));
    world.advance_to(7);
    EXPECT_GT(norm(world.pose(box).position - Vec3{0, 0, .5}), 1e-3);
}

TEST(Resting, DrivenThingsNeverRest) {
    const Field f = field(1, -3, 0);
    World world(f.model, with_taking_out);
    world.advance_to(2);
    EXPECT_FALSE(world.is_taken_out(f.ball));
}

}  // namespace
}  // namespace bristle::step
