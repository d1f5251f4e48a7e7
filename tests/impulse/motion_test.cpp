// Motion under impulses against what mechanics says in closed form: impact, friction, free bodies.
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "tests/support/contact_scenes.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::impulse {
namespace {

using testing_support::add_ball;
using testing_support::add_box;
using testing_support::add_floor;
using testing_support::Random;

constexpr double g = 9.81;

// ---- Impact --------------------------------------------------------------------------------------------

// The highest speed upward after the first impact of a ball that falls from this height.
double rebound(double restitution, double height, const Impulse& settings) {
    Model m;
    const MaterialId of = m.add(Material{.restitution = restitution});
    add_floor(m, of);
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.1 + height}, {}, {}, of);
    World world(m, settings);
    double fastest = 0;
    const double end = std::sqrt(2 * height / g) + 3 * settings.step;
    while (world.time() < end) {
        world.step();
        fastest = std::max(fastest, world.twist(ball).linear.z);
    }
    return fastest;
}

TEST(ImpulseImpact, ReturnsItsRestitution) {
    for (double restitution : {0.0, 0.3, 0.5, 0.8, 1.0})
        for (double step : {0.01, 0.0025}) {
            const double speed = std::sqrt(2 * g * 1.3);
            // The impact is a fall of up to a step early or late, and so is the rebound.
            EXPECT_NEAR(rebound(restitution, 1.3, {.step = step}), restitution * speed,
                        1.5 * g * step)
                << restitution << " at " << step;
        }
}

TEST(ImpulseImpact, DoesNotBounceBelowTheRestingSpeed) {
    const auto height = [](double speed) { return speed * speed / (2 * g); };
    // 4 g h, if it is not given: 0.39 m/s.
    EXPECT_LT(rebound(0.8, height(0.3), {}), 1e-3);
    EXPECT_GT(rebound(0.8, height(0.5), {}), 0.8 * 0.5 - g * 0.01);
    EXPECT_GT(rebound(0.8, height(0.3), {.resting_speed = 0}), 0.8 * 0.3 - g * 0.01);
    EXPECT_LT(rebound(0.8, height(1.8), {.resting_speed = 2}), 1e-3);
}

// Boxes that fly into each other, tumbling: no force from outside.
TEST(ImpulseImpact, KeepsMomentumAndAngularMomentum) {
    for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never}) {
        Model m;
        m.gravity = {};
        Random random(11);
        std::vector<BodyId> boxes;
        for (int i = 0; i < 27; ++i) {
            const int column = i % 3 - 1, row = i / 3 % 3 - 1, layer = i / 9 - 1;
            const Vec3 at{0.8 * column, 0.8 * row, 0.8 * layer};
            Body box = Body::box({0.5, 0.4, 0.3}, random.uniform(0.5, 2));
            boxes.push_back(
                m.add(box.at(at).moving(-2 * at + random.vector(0.5), random.vector(2))));
            m.add(Shape{.body = boxes.back(), .geometry = Box{{0.5, 0.4, 0.3}}});
        }
        World world(m, Impulse{.step = 0.005, .direct = direct});
        const auto momentum = [&] {
            Vec3 linear, angular;
            for (BodyId b : boxes) {
                const Body& body = m.bodies()[b.index];
                const Pose pose = world.pose(b);
                const Twist twist = world.twist(b);
                const Mat3 r = pose.orientation.matrix();
                linear += body.mass * twist.linear;
                angular += body.mass * cross(pose.position, twist.linear)
                         + r * (body.inertia * (r.transposed() * twist.angular));
            }
            return std::pair(linear, angular);
        };
        const auto [linear, angular] = momentum();
        const double energy = world.energy().kinetic;
        size_t contacts = 0;
        while (world.time() < 1) {
            world.step();
            contacts += world.contacts().size();
        }
        const auto [linear_end, angular_end] = momentum();
        ASSERT_GT(contacts, 100u);
        EXPECT_LT(world.energy().kinetic, energy);
        // Sweeps compute in float, of momenta of about 30 kg m/s.
        EXPECT_LT(norm(linear_end - linear), 2e-5);
        // Of 2.4: arms are those where the step began, and the bodies move on in it. Without weight nothing rests, so there are
        // many impacts.
        EXPECT_LT(norm(angular_end - angular), 0.03);
    }
}

// ---- Friction ------------------------------------------------------------------------------------------

struct Incline {
    Incline(double friction, double angle) {
        const MaterialId of = model.add(
            Material{.restitution = 0, .static_friction = friction, .kinetic_friction = friction});
        const Quat turn = Quat::about({0, 1, 0}, angle);
        model.add(Shape{
            .body = Model::ground(), .geometry = Plane{}, .pose = {{}, turn}, .material = of});
        const Vec3 size{0.6, 0.6, 0.2};
        down = turn.matrix() * Vec3{1, 0, 0};
        block = model.add(Body::box(size, 2).at(turn.matrix() * Vec3{0, 0, 0.1}, turn));
        model.add(Shape{.body = block, .geometry = Box{size}, .material = of});
    }
    Model model;
    BodyId block;
    Vec3 down;
};

TEST(ImpulseFriction, HoldsABlockOnASlopeWithoutCreeping) {
    for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never}) {
        const Incline slope(0.5, std::atan(0.5) - 0.01);
        World world(slope.model, Impulse{.direct = direct, .sleep_after = unlimited});
        world.advance_to(2);
        const Vec3 settled = world.pose(slope.block).position;
        EXPECT_LT(norm(settled - slope.model.bodies()[slope.block.index].position), 1e-3);
        world.advance_to(20);
        EXPECT_LT(norm(world.pose(slope.block).position - settled), 1e-8);
    }
}

// s = g (sin α − μ cos α) t²/2; semi-implicit steps are half a step of the speed ahead.
TEST(ImpulseFriction, LetsABlockSlideWithTheRightAcceleration) {
    for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never})
        for (double angle : {0.6, 0.9}) {
            const Incline slope(0.5, angle);
            World world(slope.model, Impulse{.direct = direct});
            const Vec3 start = world.pose(slope.block).position;
            world.advance_to(1);
            const double a = g * (std::sin(angle) - 0.5 * std::cos(angle));
            EXPECT_NEAR(dot(world.twist(slope.block).linear, slope.down), a, 0.002 * a) << angle;
            EXPECT_NEAR(dot(world.pose(slope.block).position - start, slope.down), 0.5 * a,
                        0.006 * a)
                << angle;
        }
}

TEST(ImpulseFriction, StopsASlidingBlockWhereItMust) {
    Model m;
    add_floor(m, m.add(Material{.static_friction = 0.4, .kinetic_friction = 0.4}));
    const BodyId block = add_box(m, {0.6, 0.6, 0.2}, 1, {0, 0, 0.1}, {2, 0, 0}, MaterialId{1});
    World world(m, Impulse{});
    world.advance_to(1.5);
    // v²/(2 μ g), less the half step by which it brakes early. A step is 2 cm long.
    EXPECT_NEAR(world.pose(block).position.x, 2 * 2 / (2 * 0.4 * g) - 2 * 0.01 / 2, 3e-4);
    EXPECT_LT(norm(world.twist(block).linear), 1e-9);
}

// ---- Free bodies ---------------------------------------------------------------------------------------

TEST(ImpulseFreeBody, KeepsItsAngularMomentumAndBoundsItsEnergy) {
    Model m;
    m.gravity = {};
    // About its middle axis, almost: it turns over again and again.
    const BodyId body =
        m.add(Body::box({0.4, 0.2, 0.05}, 1).at({}).moving({1, 0, 0}, {0, 5, 1e-3}));
    const Mat3 inertia = m.bodies()[body.index].inertia;
    World world(m, Impulse{.sleep_after = unlimited});
    const auto momentum = [&] {
        const Mat3 r = world.pose(body).orientation.matrix();
        return r * (inertia * (r.transposed() * world.twist(body).angular));
    };
    const Vec3 start = momentum();
    const double energy = world.energy().kinetic;
    double worst = 0, least = energy, most = energy, side = 1;
    int flips = 0;
    while (world.time() < 60) {
        world.step();
        worst = std::max(worst, norm(momentum() - start) / norm(start));
        least = std::min(least, world.energy().kinetic);
        most = std::max(most, world.energy().kinetic);
        const double now = (world.pose(body).orientation.matrix() * Vec3{0, 1, 0}).y;
        if (now * side < -0.5) {
            side = -side;
            ++flips;
        }
    }
    EXPECT_GE(flips, 20);
    EXPECT_LT(worst, 1e-12);
    EXPECT_LT(most / energy - 1, 2e-4);
    EXPECT_GT(least / energy - 1, -2e-4);
    EXPECT_NEAR(world.pose(body).position.x, world.time(), 1e-10);
}

// Semi-implicit Euler's parabola is g h t/2 below the true one, exactly.
TEST(ImpulseFreeBody, FallsAsItsRuleSays) {
    Model m;
    const BodyId ball = m.add(Body::sphere(0.1, 1).moving({1, 0, 3}));
    World world(m, Impulse{.step = 0.01});
    world.advance_to(1);
    EXPECT_NEAR(world.pose(ball).position.z, 3 - g / 2 - g * 0.01 / 2, 1e-12);
    EXPECT_NEAR(world.pose(ball).position.x, 1, 1e-12);
    EXPECT_NEAR(world.twist(ball).linear.z, 3 - g, 1e-12);
}

}  // namespace
}  // namespace bristle::impulse
