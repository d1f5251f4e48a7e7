// What is asked to come back after impacts under impulses does, at any step; many at once gain nothing; and in which order they leave
// is a choice.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::impulse {
namespace {

using namespace testing_support;

constexpr double gravity = 9.81;
constexpr Impulse::Direct ways[] = {Impulse::Direct::where_it_pays, Impulse::Direct::never};

// Of a ball that falls from this height: the highest it comes again, as a speed over that of the impact.
double returned(double restitution, double height, const Impulse& settings) {
    Model m;
    const MaterialId s = m.add(Material{.restitution = restitution});
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.1 + height}, {}, {}, s);
    add_floor(m, s);
    World world(m, settings);
    const double fall = std::sqrt(2 * height / gravity);
    double highest = 0;
    bool rises = false;
    while (world.time() < fall * (1 + 1.5 * restitution) + 3 * settings.step) {
        world.step();
        const double up = world.twist(ball).linear.z;
        if (rises && up <= 0) break;
        rises |= up > 0;
        if (rises) highest = std::max(highest, world.pose(ball).position.z - 0.1);
    }
    return std::sqrt(highest / height);
}

TEST(ImpulseRestitution, IsThatOfTheMaterialAtAnySpeedAndPhase) {
    for (Impulse::Direct direct : ways)
        for (double step : {0.005, 0.01})
            for (double restitution : {0.0, 0.2, 0.5, 0.8, 1.0})
                for (double speed : {0.7, 2.0, 5.0, 20.0})
                    for (int phase = 0; phase < 7; ++phase) {
                        const double at = speed + 0.019 * phase;
                        const double asked =
                            at > 4 * gravity * step ? restitution : 0;  // what is slower rests
                        // Swept in parts, where restitution begins and ends with a part.
                        const double lost =
                            direct == Impulse::Direct::never ? 0.3 * gravity * step / at : 0;
                        EXPECT_NEAR(returned(restitution, at * at / (2 * gravity),
                                             {.step = step, .direct = direct}),
                                    asked, 0.02 + lost)
                            << restitution << " at " << at << " m/s, " << step << " s";
                    }
}

// An elastic ball comes back as high as it was, for a minute.
TEST(ImpulseRestitution, OfOneKeepsTheEnergy) {
    for (Impulse::Direct direct : ways)
        for (double step : {0.002, 0.005, 0.01}) {
            Model m;
            const MaterialId s = m.add(Material{.restitution = 1});
            const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 1.1}, {}, {}, s);
            add_floor(m, s);
            World world(m, Impulse{.step = step, .direct = direct});
            double highest = 0;
            while (world.time() < 60) {
                world.step();
                if (world.time() > 58) highest = std::max(highest, world.pose(ball).position.z);
            }
            EXPECT_LT(highest, 1.1 + 5e-3) << step;
            // A contact gives by a ten-thousandth of what it changes, and there are some 65.
            if (direct == Impulse::Direct::where_it_pays) {
                EXPECT_GT(highest, 1.1 - 0.015) << step;
            }
        }
}

// A mass on a rail that falls onto a stop turned back where it was when it struck, up to a step's way above it: with a restitution of 0.25 it
// rose to 8.1 instead of 6.25 cm.
TEST(ImpulseRestitution, OfAStopIsWhatItIsAskedFor) {
    for (double restitution : {0.0, 0.25, 0.5, 0.75, 1.0})
        for (double speed : {1.0, 2.0, 4.43})
            for (int phase = 0; phase < 7; ++phase) {
                const double at = speed + 0.019 * phase, height = at * at / (2 * gravity);
                Model m;
                const BodyId body = m.add(Body::box({0.1, 0.1, 0.1}, 3));
                const JointId rail =
                    m.add(Prismatic{.a = Model::ground(), .b = body, .at = {}, .axis = {0, 0, 1}});
                m.add(Limit{.joint = rail, .min = -height, .restitution = restitution});
                World world(m, Impulse{.step = 5e-3});
                const double start = world.energy().total();
                double highest = -height, most = 0;
                bool rises = false;
                while (world.time() < at / gravity * (1 + 1.5 * restitution) + 0.02) {
                    world.step();
                    const double up = world.coordinate_rate(rail);
                    if (rises && up <= 0) break;
                    rises |= up > 0;
                    if (rises) highest = std::max(highest, world.coordinate(rail));
                    if (rises) most = std::max(most, world.energy().total() - start);
                }
                EXPECT_NEAR(std::sqrt((highest + height) / height), restitution, 0.02)
                    << restitution << " at " << at << " m/s";
                EXPECT_LT(highest, 1e-4);
                EXPECT_LT(most, 1e-3 * 3 * gravity * height) << restitution << " at " << at;
            }
}

// A pendulum, whose stop is reached by the weight of what hangs on its hinge; and two stops of a chain that are struck in one step, with
// different restitution.
TEST(ImpulseRestitution, OfStopsOfHingesGainsNothing) {
    for (int phase = 0; phase < 20; ++phase) {
        Model m;
        const BodyId rod = m.add(Body::rod({}, {1, 0, 0}, 1));
        const JointId hinge =
            m.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
        m.add(Limit{.joint = hinge, .max = 0.8 + 0.01 * phase, .restitution = 0.6});
        World world(m, Impulse{.step = 5e-3});
        double before = 0, left = 0;
        while (world.time() < 2 && !(left < 0)) {
            world.step();
            const double rate = world.coordinate_rate(hinge);
            if (rate > 0 && world.coordinate(hinge) < 0.8 + 0.01 * phase - 1e-4) before = rate;
            left = rate;
        }
        EXPECT_NEAR(-left / before, 0.6, 0.02) << phase;
    }
    for (double other : {0.0, 0.5, 1.0}) {
        Model m;
        BodyId last = Model::ground();
        for (int i = 0; i < 3; ++i) {
            const double at = i;
            const BodyId rod = m.add(Body::rod({at, 0, 0}, {at + 1, 0, 0}, 1 + i));
            const JointId hinge =
                m.add(Revolute{.a = last, .b = rod, .at = {at, 0, 0}, .axis = {0, 1, 0}});
            m.add(Limit{.joint = hinge,
                        .min = -0.3 - 0.1 * i,
                        .max = 0.5 + 0.1 * i,
                        .restitution = i == 1 ? other : 1});
            last = rod;
        }
        World world(m, Impulse{.step = 5e-3});
        const double start = world.energy().total();
        double most = 0;
        while (world.time() < 20) {
            world.step();
            most = std::max(most, world.energy().total() - start);
        }
        EXPECT_LT(most, 0.01 * 60) << other;
    }
}

// Drops of one ball, each at another place of a step, come nearer to each other as the step is refined.
TEST(ImpulseRestitution, ConvergesWithTheStep) {
    const auto height_after = [](double step) {
        Model m;
        const MaterialId s = m.add(Material{.restitution = 0.7});
        const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 1.1}, {}, {}, s);
        add_floor(m, s);
        World world(m, Impulse{.step = step});
        world.advance_to(1.5);
        return world.pose(ball).position.z;
    };
    // t₁ = √(2/g), then flights of 2 e^k g t₁/g: in the third at 1.5 s.
    const double first = std::sqrt(2 / gravity), speed = gravity * first;
    const double third = first * (1 + 2 * 0.7 + 2 * 0.49), left = 1.5 - first * (1 + 2 * 0.7);
    ASSERT_LT(1.5, third);
    const double exact = 0.1 + 0.49 * speed * left - gravity * left * left / 2;
    double last = 1;
    for (double step : {0.01, 0.0025, 0.000625}) {
        const double error = std::abs(height_after(step) - exact);
        EXPECT_LT(error, 6 * step);
        EXPECT_LT(error, 0.5 * last);
        last = error;
    }
}

TEST(ImpulseRestitution, IsToldWhereTheRestingSpeedTookItAway) {
    for (double restitution : {0.0, 1.0}) {
        Model m;
        const MaterialId s = m.add(Material{.restitution = restitution});
        add_ball(m, 0.1, 1, {0, 0, 0.13}, {}, {}, s);
        add_floor(m, s);
        World world(m, Impulse{.resting_speed = 1});
        world.advance_to(1);
        const double speed = std::sqrt(2 * gravity * 0.03);
        EXPECT_NEAR(world.statistics().lost_bounce, restitution * speed, 0.01);
    }
}

// ---- Many at once ------------------------------------------------------------------------------------------

TEST(ImpulseRestitution, OfManyAtOnceGainsNothing) {
    for (Impulse::Direct direct : ways)
        for (Impulse::Impacts impacts : {Impulse::Impacts::together, Impulse::Impacts::in_turn})
            for (unsigned seed = 1; seed <= 40; ++seed) {
                std::mt19937 random(seed);
                const auto between = [&](double low, double high) {
                    return std::uniform_real_distribution(low, high)(random);
                };
                Model m;
                m.gravity = {};
                const double friction = seed % 2 == 0 ? 0.4 : 0;
                const MaterialId s = m.add(Material{.restitution = between(0.5, 1),
                                                    .static_friction = friction,
                                                    .kinetic_friction = friction});
                std::vector<BodyId> bodies;
                for (int i = 0; i < 8; ++i) {
                    const Vec3 at{0.6 * (i % 2), 0.6 * (i / 2 % 2), 0.6 * (i / 4)};
                    const Vec3 speed = between(3, 12) * (Vec3{0.3, 0.3, 0.3} - at)
                                     + Vec3{between(-1, 1), between(-1, 1), between(-1, 1)};
                    const Vec3 spin{between(-5, 5), between(-5, 5), between(-5, 5)};
                    const double mass = between(0.5, 5);
                    if (i % 3 == 0) {
                        bodies.push_back(
                            m.add(Body::box({0.2, 0.3, 0.25}, mass).at(at).moving(speed, spin)));
                        m.add(Shape{.body = bodies.back(),
                                    .geometry = Box{{0.2, 0.3, 0.25}},
                                    .material = s});
                    } else {
                        bodies.push_back(add_ball(m, 0.15, mass, at, speed, spin, s));
                    }
                }
                World world(m, Impulse{.step = 0.005, .direct = direct, .impacts = impacts});
                const auto momentum = [&] {
                    Vec3 sum;
                    for (BodyId b : bodies)
                        sum += world.model().bodies()[b.index].mass * world.twist(b).linear;
                    return sum;
                };
                const Vec3 start = momentum();
                const double energy = world.energy().kinetic;
                double most = 0;
                for (int i = 0; i < 200; ++i) {
                    world.step();
                    most = std::max(most, world.energy().kinetic);
                }
                // Boxes that tumble freely move it by a thousandth themselves.
                EXPECT_LE(most, energy * (1 + 3e-3)) << "seed " << seed;
                EXPECT_LT(world.energy().kinetic, energy) << "seed " << seed;
                EXPECT_LE(norm(momentum() - start), 1e-3 * std::sqrt(energy)) << "seed " << seed;
            }
}

// Five balls on a line without weight: the first comes with 1 m/s, the others wait, this far apart.
std::vector<double> speeds_of_a_row(double gap, const Impulse& settings, double restitution = 1) {
    Model m;
    m.gravity = {};
    const MaterialId s =
        m.add(Material{.restitution = restitution, .static_friction = 0, .kinetic_friction = 0});
    std::vector<BodyId> balls;
    for (int i = 0; i < 5; ++i)
        balls.push_back(add_ball(m, 0.05, 1, {(0.1 + gap) * i - (i == 0 ? 0.0123 : 0), 0, 0},
                                 {i == 0 ? 1.0 : 0.0, 0, 0}, {}, s));
    World world(m, settings);
    world.advance_to(0.2);
    std::vector<double> out;
    for (BodyId b : balls) out.push_back(world.twist(b).linear.x);
    return out;
}

TEST(ImpulseImpacts, TogetherAreNewtons) {
    const std::vector<double> v = speeds_of_a_row(0, {.step = 0.005});
    EXPECT_NEAR(v[0], -0.6, 1e-3);
    for (int i = 1; i < 5; ++i) EXPECT_NEAR(v[static_cast<size_t>(i)], 0.4, 1e-3);
}

TEST(ImpulseImpacts, InTurnGoThroughARowOfBalls) {
    for (double gap : {0.0, 1e-3})
        for (double step : {0.01, 0.005, 0.001}) {
            const std::vector<double> v =
                speeds_of_a_row(gap, {.step = step, .impacts = Impulse::Impacts::in_turn});
            for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(v[i], 0, 1e-3) << gap << " " << step;
            EXPECT_NEAR(v[4], 1, 1e-3) << gap << " " << step;
        }
}

// A box that falls flat leaves flat, and as fast as a ball would.
TEST(ImpulseImpacts, InTurnDoNotTurnABoxThatFallsFlat) {
    Model m;
    const MaterialId s = m.add(Material{.restitution = 0.8});
    const BodyId box = add_box(m, {0.4, 0.3, 0.2}, 2, {0, 0, 0.6}, {}, s);
    add_floor(m, s);
    World world(m, Impulse{.step = 0.005, .impacts = Impulse::Impacts::in_turn});
    double highest = 0;
    const double fall = std::sqrt(2 * 0.5 / gravity);
    while (world.time() < 2.5 * fall) {
        world.step();
        EXPECT_LT(norm(world.twist(box).angular), 1e-6);
        if (world.time() > 1.2 * fall) highest = std::max(highest, world.pose(box).position.z);
    }
    EXPECT_NEAR(highest - 0.1, 0.64 * 0.5, 0.015);
}

// What starts deep in each other is taken out of each other, and not thrown: 49 m/s before.
TEST(ImpulseOverlap, OfAWedgedHeapIsTakenApartSlowly) {
    for (double step : {10e-3, 5e-3, 2e-3, 1e-3}) {
        Model m;
        add_floor(m);
        std::vector<BodyId> bodies;
        const auto add = [&](Body body, const Geometry& shape) {
            bodies.push_back(m.add(std::move(body)));
            m.add(Shape{.body = bodies.back(), .geometry = shape});
        };
        add(Body::box({0.5, 0.5, 0.5}, 10).at({0, 0, 0.25}), Box{{0.5, 0.5, 0.5}});
        add(Body::box({0.5, 0.5, 0.5}, 1000).at({0.1, 0.05, 0.35}), Box{{0.5, 0.5, 0.5}});
        add(Body::box({0.4, 0.4, 0.6}, 5).at({-0.1, 0, 0.4}), Cylinder{0.2, 0.6});
        add(Body::sphere(0.3, 20).at({0, 0.2, 0.3}), Sphere{0.3});
        add(Body::box({0.9, 0.9, 0.16}, 3).at({0, 0, 0.3}), Torus{0.4, 0.08});
        World world(m, Impulse{.step = step});
        double fastest = 0;
        while (world.time() < 5) {
            world.step();
            for (BodyId b : bodies) fastest = std::max(fastest, norm(world.twist(b).linear));
        }
        EXPECT_LT(fastest, 6) << step;
    }
}

}  // namespace
}  // namespace bristle::impulse
