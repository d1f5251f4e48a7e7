// Who touches whom, and of what: groups and masks, joints, exceptions, materials of pairs and of triangles.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

bool is_caught(const Model& m, BodyId body) {
    World world(m, {.step = 2e-3});
    world.advance_to(1);
    return world.pose(body).position.z > 0;
}

// A ball above the floor with these groups and masks.
bool is_caught(uint32_t group, uint32_t mask, uint32_t floor_group, uint32_t floor_mask) {
    Model m;
    const BodyId ball = m.add(Body::sphere(0.1, 1).at({0, 0, 0.2}));
    m.add(Shape{.body = ball, .geometry = Sphere{0.1}, .group = group, .mask = mask});
    m.add(Shape{.body = m.ground(), .geometry = Plane{}, .group = floor_group, .mask = floor_mask});
    return is_caught(m, ball);
}

TEST(ContactFilter, NeedsEachGroupInTheOthersMask) {
    EXPECT_TRUE(is_caught(1, 0xffffffff, 1, 0xffffffff));
    EXPECT_TRUE(is_caught(2, 4, 4, 2));
    EXPECT_FALSE(is_caught(2, 4, 4, 1)) << "the floor does not want it";
    EXPECT_FALSE(is_caught(2, 1, 4, 2)) << "it does not want the floor";
    EXPECT_FALSE(is_caught(2, 4, 4, 0));
    EXPECT_FALSE(is_caught(0, 0xffffffff, 1, 0xffffffff)) << "in no group";
    EXPECT_TRUE(is_caught(0x80000000, 6, 6, 0x80000000));
}

TEST(ContactFilter, LetsBodiesPassThatAreToldTo) {
    for (bool told : {false, true})
        for (bool swapped : {false, true}) {
            Model m;
            const BodyId table = add_box(m, {1, 1, 0.1}, 5, {0, 0, 0.5});
            const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.8});
            m.add(Fixed{.a = m.ground(), .b = table, .at = {}});
            if (told) m.add(swapped ? NoContact{ball, table} : NoContact{table, ball});
            World world(m, {.step = 2e-3});
            world.advance_to(1);
            EXPECT_EQ(world.pose(ball).position.z > 0.5, !told);
        }
}

// What is fixed to the ground moves as one with it, but the ground's own shapes still touch the ball.
TEST(ContactFilter, NoContactWithOneOfTwoWeldedBodiesKeepsTheOther) {
    Model m;
    add_floor(m);
    const BodyId table = add_box(m, {1, 1, 0.1}, 5, {0, 0, 0.5});
    m.add(Fixed{.a = m.ground(), .b = table, .at = {}});
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.8});
    m.add(NoContact{table, ball});
    World world(m, {.step = 2e-3});
    world.advance_to(2);
    EXPECT_NEAR(world.pose(ball).position.z, 0.1, 0.01) << "through the table and onto the floor";
}

TEST(ContactFilter, JoinedBodiesDoNotTouch) {
    for (bool joined : {true, false}) {
        Model m;
        m.gravity = {};
        const BodyId a = add_ball(m, 0.3, 1, {0, 0, 0}), b = add_ball(m, 0.3, 1, {0.5, 0, 0});
        if (joined) m.add(Revolute{.a = a, .b = b, .at = {0.25, 0, 0}, .axis = {0, 0, 1}});
        World world(m, {.step = 1e-3});
        world.step();
        EXPECT_EQ(world.contacts().empty(), joined);
        EXPECT_EQ(norm(world.twist(b).linear) > 0, !joined);
    }
}

TEST(ContactFilter, BodiesJoinedToTheGroundTouchTheGround) {
    Model m;
    add_floor(m);
    const BodyId arm = m.add(Body::box({1, 0.1, 0.1}, 1).at({0.5, 0, 0.5}));
    m.add(Shape{.body = arm, .geometry = Box{{1, 0.1, 0.1}}});
    m.add(Revolute{.a = m.ground(), .b = arm, .at = {0, 0, 0.5}, .axis = {0, 1, 0}});
    World world(m, {.step = 1e-3});
    world.advance_to(3);
    EXPECT_FALSE(world.contacts().empty());
    for (Vec3 corner : {Vec3{0.5, 0.05, -0.05}, Vec3{0.5, -0.05, 0.05}, Vec3{0.5, 0.05, 0.05}})
        EXPECT_GT(world.point(arm, corner).z, -2e-3);
}

TEST(ContactFilter, NeighboursInAChainTouchButForThoseJoined) {
    // Three balls in a row, the outer ones folded onto each other.
    Model m;
    m.gravity = {};
    const BodyId a = add_ball(m, 0.3, 1, {0, 0, 0}), b = add_ball(m, 0.3, 1, {0.4, 0, 0}),
                 c = add_ball(m, 0.3, 1, {0.2, 0.56, 0});
    m.add(Spherical{.a = a, .b = b, .at = {0.2, 0, 0}});
    m.add(Spherical{.a = b, .b = c, .at = {0.3, 0.28, 0}});
    World world(m, {.step = 1e-3});
    world.step();
    ASSERT_EQ(world.contacts().size(), 1u);
    EXPECT_EQ(world.contacts()[0].body_a, a);
    EXPECT_EQ(world.contacts()[0].body_b, c);
}

TEST(ContactFilter, ShapesOfOneBodyOrWeldedBodiesDoNotTouch) {
    Model m;
    m.gravity = {};
    const BodyId a = add_ball(m, 0.3, 1, {0, 0, 0}), b = add_ball(m, 0.3, 1, {0.3, 0, 0});
    m.add(Shape{.body = a, .geometry = Box{{0.5, 0.5, 0.5}}});
    m.add(Fixed{.a = a, .b = b, .at = {}});
    World world(m, {.step = 1e-3});
    world.step();
    EXPECT_TRUE(world.contacts().empty());
}

// ---- Materials -------------------------------------------------------------------------------------

TEST(ContactMaterials, OfThePairDecide) {
    Model m;
    const MaterialId ice = m.add(Material{.name = "ice"}), wood = m.add(Material{.name = "wood"}),
                     rubber = m.add(Material{.name = "rubber"});
    m.add(ContactPair{ice, wood, {.static_friction = 0.01, .kinetic_friction = 0.01}});
    m.add(ContactPair{rubber, wood, {.static_friction = 0.8, .kinetic_friction = 0.8}});
    add_floor(m, wood);
    const BodyId slides = add_box(m, {0.4, 0.4, 0.2}, 1, {0, 0, 0.1}, {2, 0, 0}, ice),
                 brakes = add_box(m, {0.4, 0.4, 0.2}, 1, {0, 2, 0.1}, {2, 0, 0}, rubber);
    World world(m, {.step = 2e-3});
    world.advance_to(0.2);
    EXPECT_NEAR(world.twist(slides).linear.x, 2 - 0.01 * 9.81 * 0.2, 2e-3);
    EXPECT_NEAR(world.twist(brakes).linear.x, 2 - 0.8 * 9.81 * 0.2, 0.03);
}

TEST(ContactMaterials, OfEveryTriangleDecide) {
    Model m;
    m.friction_rule = Combine::minimum;
    const MaterialId ice = m.add(Material{.static_friction = 0.02, .kinetic_friction = 0.02}),
                     rubber = m.add(Material{.static_friction = 0.8, .kinetic_friction = 0.8}),
                     rough = m.add(Material{.static_friction = 5, .kinetic_friction = 5});
    // Ice for x < 1, then rubber.
    TriangleMesh mesh = flat_sheet(-1, 5, 5, 6);
    for (size_t t = 0; t < mesh.triangles.size(); ++t)
        mesh.materials.push_back(t < 4 ? ice : rubber);
    m.add(Shape{.body = m.ground(), .geometry = Mesh{share(mesh)}});
    const BodyId puck = m.add(Body::box({0.2, 0.2, 0.1}, 1).at({0, 0, 0.05}).moving({2, 0, 0}));
    // Three balls under it: a puck on meshes that cannot tip.
    for (Vec3 p : {Vec3{0.1, 0.1, -0.04}, Vec3{0.1, -0.1, -0.04}, Vec3{-0.1, 0, -0.04}})
        m.add(Shape{.body = puck, .geometry = Sphere{0.01}, .pose = {p, {}}, .material = rough});
    World world(m, {.step = 1e-3});
    world.advance_to(0.4);
    ASSERT_LT(world.pose(puck).position.x, 0.9);
    EXPECT_NEAR(world.twist(puck).linear.x, 2 - 0.02 * 9.81 * 0.4, 2e-3) << "on ice";
    world.advance_to(2);
    EXPECT_LT(norm(world.twist(puck).linear), 1e-3) << "on rubber it stops";
    // It left the ice with 1.9 m/s or so: v²/(2 μ g) = 0.24 m further.
    EXPECT_LT(world.pose(puck).position.x, 1 + 0.1 + 0.26);
    EXPECT_GT(world.pose(puck).position.x, 1);
}

TEST(ContactMaterials, CombineByTheModelsRule) {
    for (Combine rule :
         {Combine::minimum, Combine::geometric_mean, Combine::mean, Combine::maximum}) {
        Model m;
        m.friction_rule = rule;
        const MaterialId a = m.add(Material{.static_friction = 0.1, .kinetic_friction = 0.1}),
                         b = m.add(Material{.static_friction = 0.4, .kinetic_friction = 0.4});
        add_floor(m, a);
        const BodyId box = add_box(m, {0.4, 0.4, 0.1}, 1, {0, 0, 0.05}, {3, 0, 0}, b);
        World world(m, {.step = 1e-3});
        world.advance_to(0.2);
        const double v = world.twist(box).linear.x;
        world.advance_to(0.4);
        EXPECT_NEAR((v - world.twist(box).linear.x) / 0.2,
                    9.81 * m.contact_law(a, b).kinetic_friction, 2e-3);
    }
}

}  // namespace
}  // namespace bristle::step
