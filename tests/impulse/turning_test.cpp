// What turns on a floor under impulses: faces rub like faces, and rolling and spinning are resisted.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::impulse {
namespace {

using namespace testing_support;

constexpr double gravity = 9.81;
constexpr Impulse::Direct ways[] = {Impulse::Direct::where_it_pays, Impulse::Direct::never};

double time_until_still(World& world, BodyId body) {
    while (world.time() < 10 && norm(world.twist(body).angular) > 0.05) world.step();
    return world.time();
}

// Pressed evenly, μ m g ⅔ R brakes ½ m R²: 3 R ω/(4 μ g). All friction at the rim stopped it a third too early.
TEST(ImpulseTurning, OfADiscIsBrakedOverItsFace) {
    for (Impulse::Direct direct : ways) {
        const double radius = 0.1, spin = 30, friction = 0.3;
        Model m;
        const MaterialId s = m.add(
            Material{.restitution = 0, .static_friction = friction, .kinetic_friction = friction});
        add_floor(m, s);
        const BodyId disc =
            m.add(Body::of(Cylinder{radius, 0.02}, 1000).at({0, 0, 0.01}).moving({}, {0, 0, spin}));
        m.add(Shape{.body = disc, .geometry = Cylinder{radius, 0.02}, .material = s});
        World world(m, Impulse{.step = 0.005, .direct = direct});
        const double exact = 3 * radius * spin / (4 * friction * gravity);
        EXPECT_NEAR(time_until_still(world, disc), exact, 0.05 * exact);
    }
}

// A ball that rolls: ρ g/(1.4 R) of deceleration.
TEST(ImpulseTurning, OfABallThatRollsIsResisted) {
    for (Impulse::Direct direct : ways) {
        const double radius = 0.1, speed = 1, resistance = 5e-3;
        Model m;
        const MaterialId s = m.add(Material{.restitution = 0, .rolling_resistance = resistance});
        add_floor(m, s);
        const BodyId ball =
            add_ball(m, radius, 2, {0, 0, radius}, {speed, 0, 0}, {0, speed / radius, 0}, s);
        World world(m, Impulse{.step = 0.005, .direct = direct});
        world.advance_to(6);
        const double slowing = resistance * gravity / (1.4 * radius),
                     way = speed * speed / (2 * slowing);
        EXPECT_NEAR(world.pose(ball).position.x, way, 0.02 * way);
        EXPECT_LT(norm(world.twist(ball).linear), 1e-4);
    }
}

// One that spins in place: ρ m g against ⅖ m R².
TEST(ImpulseTurning, OfABallThatSpinsIsResisted) {
    for (Impulse::Direct direct : ways) {
        const double radius = 0.1, spin = 20, resistance = 5e-3;
        Model m;
        const MaterialId s = m.add(Material{.restitution = 0, .spinning_resistance = resistance});
        add_floor(m, s);
        const BodyId ball = add_ball(m, radius, 2, {0, 0, radius}, {}, {0, 0, spin}, s);
        World world(m, Impulse{.step = 0.005, .direct = direct});
        world.advance_to(0.3);
        double told = 0;
        for (const Contact& c : world.contacts()) told += c.torque.z;
        EXPECT_NEAR(std::abs(told), resistance * 2 * gravity, 0.02 * resistance * 2 * gravity);
        const double exact = 0.4 * radius * radius * spin / (resistance * gravity);
        EXPECT_NEAR(time_until_still(world, ball), exact, 0.02 * exact);
    }
}

// It stands on a slope up to tan α = ρ/R, and rolls down beyond.
TEST(ImpulseTurning, HoldsABallOnASlope) {
    for (double share : {0.9, 1.2}) {
        const double radius = 0.1, resistance = 5e-3;
        Model m;
        const double angle = share * std::atan(resistance / radius);
        m.gravity = {gravity * std::sin(angle), 0, -gravity * std::cos(angle)};
        const MaterialId s = m.add(Material{.restitution = 0, .rolling_resistance = resistance});
        add_floor(m, s);
        const BodyId ball = add_ball(m, radius, 2, {0, 0, radius}, {}, {}, s);
        World world(m, Impulse{.sleep_after = unlimited});
        world.advance_to(2);
        if (share < 1)
            EXPECT_LT(std::abs(world.pose(ball).position.x), 1e-3);
        else
            EXPECT_GT(world.pose(ball).position.x, 0.05);
    }
}

// It crept outwards by h w² r/2 a second, 3 mm/s at 10 ms: velocities of the beginning of a step held it, and they lead straight on.
TEST(ImpulseTurning, WhatLiesOnATurntableStaysAtItsRadius) {
    for (const double spin : {1.0, 2.0}) {
        Model m;
        const MaterialId s =
            m.add(Material{.restitution = 0, .static_friction = 0.8, .kinetic_friction = 0.7});
        const BodyId table =
            m.add(Body::cylinder(1, 0.1, 50).at({0, 0, -0.05}).moving({}, {0, 0, spin}));
        m.add(Shape{.body = table, .geometry = Cylinder{1, 0.1}, .material = s});
        const JointId axle =
            m.add(Revolute{.a = Model::ground(), .b = table, .at = {}, .axis = {0, 0, 1}});
        m.add(Drive{.joint = axle, .control = Drive::Control::speed, .target = [=](double) {
                        return spin;
                    }});
        const BodyId box = m.add(Body::box({0.1, 0.1, 0.1}, 1)
                                     .at({0.6, 0, 0.05})
                                     .moving({0, 0.6 * spin, 0}, {0, 0, spin}));
        m.add(Shape{.body = box, .geometry = Box{{0.1, 0.1, 0.1}}, .material = s});
        World world(m, Impulse{.step = 10e-3});
        world.advance_to(10);
        const Vec3 at = world.pose(box).position;
        EXPECT_NEAR(std::hypot(at.x, at.y), 0.6, 1e-4) << spin;
    }
}

}  // namespace
}  // namespace bristle::impulse
