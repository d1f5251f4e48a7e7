// Impacts that are over within a step: what comes back is what was asked for, and many at once gain nothing.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle::step {
namespace {

using namespace testing_support;

constexpr double step = 5e-3, gravity = 9.81;

struct Fall {
    double stiffness, restitution, speed;
    ContactLaw::Normal normal = ContactLaw::Normal::hunt_crossley;
    double phase = 0;  // steps until it meets the floor
    double gravity = step::gravity;
    double foundation = 0;  // N/m³, of volumes
};

// The speed with which a ball leaves the floor, over that with which it came.
double returned(const Fall& f) {
    Model m;
    m.gravity = {0, 0, -f.gravity};
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{s,
                      s,
                      {.normal = f.normal,
                       .damping = ContactLaw::Damping::exact,
                       .stiffness = f.stiffness,
                       .restitution = f.restitution,
                       .foundation = f.foundation}});
    const double gap = f.speed * step * f.phase;
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.1 + gap}, {0, 0, -f.speed}, {}, s);
    add_floor(m, s);
    World world(m, {.step = step});
    bool has_met = false;
    while (world.time() < 1) {
        world.step();
        has_met |= !world.contacts().empty();
        const double height = world.pose(ball).position.z - 0.1, up = world.twist(ball).linear.z;
        if (has_met && up > 0 && height > 0)
            return std::sqrt((up * up + 2 * f.gravity * height)
                             / (f.speed * f.speed + 2 * f.gravity * gap));
    }
    return 0;
}

TEST(Strike, ReturnsWhatWasAskedFor) {
    for (double stiffness : {1e5, 1e6, 1e7, 1e8, 1e9, 1e10})
        for (double restitution : {0.0, 0.2, 0.5, 0.8, 1.0})
            for (double speed : {0.7, 2.0, 5.0, 20.0})
                for (double phase : {1.0, 1.01, 1.3, 1.6, 1.99})
                    EXPECT_NEAR(returned({.stiffness = stiffness,
                                          .restitution = restitution,
                                          .speed = speed,
                                          .phase = phase}),
                                restitution, 0.02)
                        << stiffness << " N/m^1.5, " << speed << " m/s, phase " << phase;
}

TEST(Strike, ReturnsWhatTheOtherLawsReturn) {
    for (double restitution : {0.1, 0.5, 0.9})
        for (double phase : {1.2, 1.7})
            EXPECT_NEAR(returned({.stiffness = 1e9,
                                  .restitution = restitution,
                                  .speed = 3,
                                  .normal = ContactLaw::Normal::kelvin_voigt,
                                  .phase = phase}),
                        restitution, 0.02);
}

// A ball on a floor ends its step where it would have been: 1.3 steps to the floor, 0.7 back.
// The area of a region, frozen where the step was predicted to end, returned 0.3 to 1.9 times what came.
TEST(Strike, OfVolumesReturnsWhatWasAskedFor) {
    for (double foundation : {1e7, 1e8, 1e10, 1e12})
        for (double restitution : {0.0, 0.2, 0.5, 0.8, 1.0})
            for (double speed : {0.7, 2.0, 5.0, 20.0})
                for (double phase : {1.0, 1.01, 1.3, 1.6, 1.99})
                    EXPECT_NEAR(returned({.stiffness = 0,
                                          .restitution = restitution,
                                          .speed = speed,
                                          .normal = ContactLaw::Normal::volumetric,
                                          .phase = phase,
                                          .foundation = foundation}),
                                restitution, 0.02)
                        << foundation << " N/m3, " << speed << " m/s, phase " << phase;
}

TEST(Strike, EndsWhereItWouldHaveBeen) {
    Model m;
    m.gravity = {};
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{s, s, {.stiffness = 1e9, .restitution = 1}});
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.1 + 1.3 * 4 * step}, {0, 0, -4}, {}, s);
    add_floor(m, s);
    World world(m, {.step = step});
    world.step();
    world.step();
    EXPECT_NEAR(world.pose(ball).position.z, 0.1 + 0.7 * 4 * step, 1e-8);
    EXPECT_NEAR(world.twist(ball).linear.z, 4, 1e-6);
    EXPECT_EQ(world.statistics().impact_steps, 1u);
    ASSERT_EQ(world.contacts().size(), 1u);
    EXPECT_NEAR(world.contacts()[0].force.z, 8 / step, 1e-6 * 8 / step);
}

// A rod on a hinge, with a drive that pushes it down and may do little: it gives way, its effort within its bound.
TEST(Strike, GoesThroughJointsAndGivesWayInDrives) {
    Model m;
    const MaterialId s = m.add(Material{.restitution = 0});
    const BodyId arm = m.add(Body::box({1, 0.1, 0.1}, 2).at({0.5, 0, 1}));
    m.add(Shape{.body = arm, .geometry = Sphere{0.1}, .pose = {{0.5, 0, 0}}, .material = s});
    const JointId hinge =
        m.add(Revolute{.a = m.ground(), .b = arm, .at = {0, 0, 1}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = hinge,
                                      .control = Drive::Control::speed,
                                      .target = [](double) { return 3.0; },
                                      .max_effort = 40});
    add_floor(m, s);
    World world(m, {.step = step});
    for (int i = 0; i < 400; ++i) {
        world.step();
        ASSERT_LE(std::abs(world.effort(drive)), 40 * (1 + 1e-9));
        ASSERT_LE(world.constraint_error().position, 1e-9);
        ASSERT_GE(world.point(arm, {0.5, 0, 0}).z, 0.08);
    }
    EXPECT_LT(norm(world.twist(arm).linear), 1e-3);
}

// Balls and boxes thrown together in the air: momentum stays, energy does not grow.
TEST(Strike, OfManyKeepsMomentumAndGainsNothing) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const auto between = [&](double low, double high) {
            return std::uniform_real_distribution(low, high)(random);
        };
        Model m;
        m.gravity = {};
        const MaterialId s = m.add(Material{});
        m.add(ContactPair{s,
                          s,
                          {.stiffness = std::pow(10, between(6, 10)),
                           .restitution = between(0.5, 1),
                           .static_friction = 0.4,
                           .kinetic_friction = 0.4}});
        std::vector<BodyId> bodies;
        for (int i = 0; i < 8; ++i) {
            const Vec3 at{0.6 * (i % 2), 0.6 * (i / 2 % 2), 0.6 * (i / 4)};
            const Vec3 toward = Vec3{0.3, 0.3, 0.3} - at;
            const Vec3 speed =
                between(3, 12) * toward + Vec3{between(-1, 1), between(-1, 1), between(-1, 1)};
            const Vec3 spin{between(-5, 5), between(-5, 5), between(-5, 5)};
            const double mass = between(0.5, 5);
            if (i % 3 == 0) {
                bodies.push_back(
                    m.add(Body::box({0.2, 0.3, 0.25}, mass).at(at).moving(speed, spin)));
                m.add(
                    Shape{.body = bodies.back(), .geometry = Box{{0.2, 0.3, 0.25}}, .material = s});
            } else {
                bodies.push_back(add_ball(m, 0.15, mass, at, speed, spin, s));
            }
        }
        World world(m, {.step = step});
        const auto momentum = [&] {
            Vec3 sum;
            for (BodyId b : bodies) {
                const Body& body = world.model().bodies()[b.index];
                sum += body.mass * world.twist(b).linear;
            }
            return sum;
        };
        const Vec3 start = momentum();
        const double energy = world.energy().kinetic;
        for (int i = 0; i < 200; ++i) {
            world.step();
            ASSERT_LE(world.energy().kinetic + world.energy().contact, energy * (1 + 1e-3))
                << "seed " << seed << " at " << world.time();
        }
        EXPECT_LE(norm(momentum() - start), 1e-3 * std::sqrt(energy)) << "seed " << seed;
        EXPECT_GT(world.statistics().impact_steps, 0u);
    }
}

}  // namespace
}  // namespace bristle::step
