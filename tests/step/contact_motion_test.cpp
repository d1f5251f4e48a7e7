// Moving ground, fast bodies, bodies that start inside each other.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

TEST(ContactMotion, ABeltCarriesABoxAlong) {
    Model m;
    const BodyId belt = add_box(m, {20, 1, 0.1}, 10, {0, 0, -0.05});
    const JointId rail = m.add(Prismatic{.a = m.ground(), .b = belt, .at = {}, .axis = {1, 0, 0}});
    m.add(Drive{
        .joint = rail, .control = Drive::Control::speed, .target = [](double) { return 1.0; }});
    const BodyId box = add_box(m, {0.4, 0.4, 0.2}, 1, {0, 0, 0.1});
    World world(m, {.step = 2e-3});
    // μ g = 5.9 m/s²: at the belt's speed after 0.17 s, having lost v²/(2 μ g) of way on it.
    world.advance_to(0.1);
    EXPECT_NEAR(world.twist(box).linear.x, 0.6 * 9.81 * 0.1, 0.03);
    world.advance_to(2);
    EXPECT_NEAR(world.twist(box).linear.x, 1, 1e-6);
    const double behind = world.pose(belt).position.x - world.pose(box).position.x;
    EXPECT_NEAR(behind, 1 / (2 * 0.6 * 9.81), 5e-3);
    world.advance_to(8);
    EXPECT_NEAR(world.pose(belt).position.x - world.pose(box).position.x, behind, 1e-7)
        << "it creeps";
}

// A thousandth of its height, unless the step does not resolve that; and the run can say from where on it would.
TEST(ContactMotion, HowDeepABoxRestsDependsOnTheStepOnlyWhereThatIsLong) {
    const double natural = 1e-3 * 0.2, resolved = std::sqrt(natural / (1.5 * 9.81)) / 2;
    const auto depth_at = [&](double h) {
        Model m;
        add_floor(m);
        const BodyId box = add_box(m, {0.4, 0.4, 0.2}, 3, {0, 0, 0.1});
        World world(m, {.step = h});
        world.advance_to(0.5);
        const bool is_resolved = h < resolved;
        EXPECT_EQ(world.statistics().resting_step < unlimited, !is_resolved) << h;
        if (!is_resolved) {
            EXPECT_NEAR(world.statistics().resting_step, resolved, 1e-9) << h;
        }
        return 0.1 - world.pose(box).position.z;
    };
    const double depth = depth_at(1e-4);
    EXPECT_GT(depth, 0.2 * natural);
    EXPECT_LT(depth, 2 * natural);
    EXPECT_NEAR(depth_at(1e-3), depth, 1e-3 * depth);
    EXPECT_NEAR(depth_at(5e-4), depth, 1e-3 * depth);
    EXPECT_GT(depth_at(5e-3), 3 * depth);
}

// A ball that rolls on a turntable goes in circles, at 2/7 of the table's rate for a homogeneous ball
// (Ω k/(1 + k), k = 2/5), about a centre that depends on how it starts.
TEST(ContactMotion, ABallRollsInCirclesOnATurntable) {
    const double rate = 2, radius = 0.1;
    Model m;
    const BodyId table =
        m.add(Body::cylinder(5, 0.1, 100).at({0, 0, -0.05}).moving({}, {0, 0, rate}));
    m.add(Shape{.body = table, .geometry = Cylinder{5, 0.1}});
    const JointId axle = m.add(Revolute{.a = m.ground(), .b = table, .at = {}, .axis = {0, 0, 1}});
    m.add(Drive{
        .joint = axle, .control = Drive::Control::speed, .target = [=](double) { return rate; }});
    // At (1, 0) with velocity v: rolls if v − ω × R z = Ω × r. Circle of radius 0.5 about (0.5, 0).
    const double w = 2.0 / 7 * rate;
    const Vec3 at{1, 0, radius}, v{0, 0.5 * w, 0}, ground{0, rate, 0};
    const Vec3 spin = cross(Vec3{0, 0, 1}, v - ground) / radius;
    const BodyId ball = add_ball(m, radius, 1, at, v, spin);
    World world(m, {.step = 1e-3});
    for (double t = 0.5; t < 11.1; t += 0.5) {
        world.advance_to(t);
        const Vec3 known{0.5 + 0.5 * std::cos(w * t), 0.5 * std::sin(w * t), radius};
        EXPECT_LE(norm(world.pose(ball).position - known), 5e-3) << t;
        // No slip between the ball's lowest point and the table's.
        const Vec3 foot = world.pose(ball).position - Vec3{0, 0, radius};
        const Vec3 slip = world.twist(ball).linear
                        + cross(world.twist(ball).angular, {0, 0, -radius})
                        - cross({0, 0, rate}, foot);
        EXPECT_LE(std::hypot(slip.x, slip.y), 1e-3) << t;
    }
}

// ---- Fast ------------------------------------------------------------------------------------------

struct Shot {
    Vec3 end;
    double farthest = -1e9;
    bool failed = false;
};

// Half a metre a step, through a wall that is a fiftieth of that.
Shot shoot(const Geometry& wall, Pose wall_pose, double from, Vec3 off, double stiffness,
           bool moving_wall = false) {
    Model m;
    m.gravity = {};
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{s, s, {.stiffness = stiffness}});
    const BodyId bullet = add_ball(m, 0.01, 0.03, Vec3{from, 0, 0} + off, {100, 0, 0}, {}, s);
    const BodyId holder = moving_wall ? m.add(Body::box({0.01, 2, 2}, 1e4)) : Model::ground();
    m.add(Shape{.body = holder, .geometry = wall, .pose = wall_pose, .material = s});
    World world(m, {.step = 5e-3});
    Shot shot;
    try {
        for (int i = 0; i < 20; ++i) {
            world.step();
            shot.farthest = std::max(shot.farthest, world.pose(bullet).position.x);
        }
    } catch (const SimulationError&) {
        shot.failed = true;
    }
    shot.end = world.pose(bullet).position;
    return shot;
}

// With a stiffness that stops it; the estimated one is made for what rests.
class FastContact : public testing::TestWithParam<double> {
  protected:
    void expect_stopped(const Geometry& wall, Pose pose, uint64_t seed, bool moving = false) {
        Random random(seed);
        for (int i = 0; i < 40; ++i) {
            const Shot shot = shoot(wall, pose, random.uniform(-8, -0.1),
                                    {0, random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)},
                                    GetParam(), moving);
            ASSERT_FALSE(shot.failed) << "shot " << i;
            ASSERT_LT(shot.farthest, 0.005) << "shot " << i;
        }
    }
};

TEST_P(FastContact, ABulletDoesNotPassAThinWall) { expect_stopped(Box{{0.01, 2, 2}}, {}, 1); }

TEST_P(FastContact, ABulletDoesNotPassAThinWallThatCouldMove) {
    expect_stopped(Box{{0.01, 2, 2}}, {}, 2, true);
}

TEST_P(FastContact, ABulletDoesNotPassASheetOfTriangles) {
    expect_stopped(Mesh{share(flat_sheet(-1, 1, 1, 7))}, {{}, Quat::about({0, 1, 0}, -pi / 2)}, 3);
}

TEST_P(FastContact, ABulletDoesNotPassAThinBlockOfTriangles) {
    expect_stopped(Mesh{share(block({0.005, 1, 1}))}, {}, 4);
}

INSTANTIATE_TEST_SUITE_P(Stiffness, FastContact, testing::Values(1e8, 1e10));

TEST(VeryFastContact, ABulletDoesNotPassAPlaneOrAHeightField) {
    for (bool field : {false, true}) {
        Model m;
        const MaterialId hard = m.add(Material{});
        m.add(ContactPair{
            hard, hard, {.stiffness = 1e9, .static_friction = 0, .kinetic_friction = 0}});
        const BodyId bullet = add_ball(m, 0.01, 0.03, {5, 5, 3}, {20, 0, -100}, {}, hard);
        if (field)
            m.add(Shape{.body = m.ground(),
                        .geometry = HeightField{11, 11, 1, 1, std::vector<double>(121)},
                        .material = hard});
        else
            add_floor(m, hard);
        World world(m, {.step = 5e-3});
        for (int i = 0; i < 20; ++i) {
            world.step();
            EXPECT_GT(world.pose(bullet).position.z, 0) << (field ? "field" : "plane");
        }
    }
}

TEST(VeryFastContact, TwoBulletsMeet) {
    Model m;
    m.gravity = {};
    const MaterialId hard = m.add(Material{});
    m.add(ContactPair{hard, hard, {.stiffness = 1e9, .static_friction = 0, .kinetic_friction = 0}});
    const BodyId a = add_ball(m, 0.01, 0.03, {-2, 0, 0}, {40, 0, 0}, {}, hard),
                 b = add_ball(m, 0.01, 0.03, {2.2, 0.001, 0}, {-40, 0, 0}, {}, hard);
    World world(m, {.step = 5e-3});
    for (int i = 0; i < 20; ++i) world.step();
    EXPECT_LT(world.pose(a).position.x, world.pose(b).position.x);
}

// ---- Overlap ---------------------------------------------------------------------------------------

TEST(OverlapAtTheStart, DoesNotExplode) {
    for (double depth : {1e-3, 0.02, 0.1, 0.19})
        for (double stiffness : {0.0, 1e6}) {
            Model m;
            const MaterialId s = m.add(Material{});
            m.add(ContactPair{s, s, {.stiffness = stiffness}});
            add_floor(m, s);
            const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.1 - depth}, {}, {}, s),
                         box = add_box(m, {0.4, 0.4, 0.2}, 1, {2, 0, 0.1 - depth / 2}, {}, s);
            World world(m, {.step = 2e-3});
            const double before = world.energy().total();
            double most = before;
            for (int i = 0; i < 1000; ++i) {
                world.step();
                most = std::max(most, world.energy().total());
            }
            // At most what the springs have stored: ∫ k δ^1.5 over the depth, one at the ball and four at the box.
            const double stored =
                stiffness / 2.5 * (std::pow(depth, 2.5) + 4 * std::pow(depth / 2, 2.5));
            if (stiffness > 0) {
                EXPECT_LE(most, before + stored * (1 + 1e-6) + 1e-6) << depth;
            }
            EXPECT_LE(most, before + (stiffness > 0 ? 1e9 : 20))
                << depth << " of no stiffness given";
            EXPECT_TRUE(is_finite(world.pose(ball).position)
                        && is_finite(world.pose(box).position));
        }
}

TEST(OverlapAtTheStart, OfBoxesInEachOtherComesApart) {
    Model m;
    m.gravity = {};
    const BodyId a = add_box(m, {1, 1, 1}, 1, {0, 0, 0}),
                 b = add_box(m, {1, 1, 1}, 1, {0.9, 0.05, 0.02});
    World world(m, {.step = 2e-3});
    world.advance_to(3);
    EXPECT_TRUE(is_finite(world.pose(a).position));
    EXPECT_LT(norm(world.twist(a).linear), 10);
    EXPECT_GT(norm(world.pose(b).position - world.pose(a).position), 0.9);
}

// Centres on top of each other: no direction to push in. Any, or none, but numbers.
TEST(OverlapAtTheStart, OfConcentricBallsStaysFinite) {
    Model m;
    m.gravity = {};
    const BodyId a = add_ball(m, 0.3, 1, {}), b = add_ball(m, 0.2, 1, {});
    World world(m, {.step = 2e-3});
    for (int i = 0; i < 100; ++i) world.step();
    EXPECT_TRUE(is_finite(world.pose(a).position) && is_finite(world.pose(b).position));
}

}  // namespace
}  // namespace bristle::step
