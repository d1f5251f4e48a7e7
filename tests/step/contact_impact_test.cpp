// Impacts with friction, from soft to far beyond what the step resolves: each converges, and Coulomb and
// Newton agree about what comes out.
#include <bristle/world.h>

#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using namespace testing_support;

struct Outcome {
    double up = 0, along = 0, spin = 0;
    StepStatistics statistics;
};

// A ball strikes the floor at 3 m/s, spinning about y.
Outcome strike(ContactLaw law, double spin, double step) {
    Model m;
    m.gravity = {};
    const MaterialId s = m.add(Material{});
    m.add(ContactPair{s, s, law});
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 0.1105}, {0, 0, -3}, {0, spin, 0}, s);
    add_floor(m, s);
    World world(m, {.step = step});
    bool struck = false;
    for (int i = 0;
         i < 1e6 && !(struck && world.contacts().empty() && world.twist(ball).linear.z > 0); ++i) {
        world.step();
        struck |= !world.contacts().empty();
        if (world.time() > 1) break;
    }
    return {world.twist(ball).linear.z, world.twist(ball).linear.x, world.twist(ball).angular.y,
            world.statistics()};
}

class Impact : public testing::TestWithParam<std::tuple<double, double, double>> {};

TEST_P(Impact, OfASpinningBallConvergesAndObeysCoulomb) {
    const auto [stiffness, restitution, step] = GetParam();
    for (double friction : {0.1, 0.6})
        for (double spin : {0.0, 0.1, 1.0, 3.0, 10.0, 100.0}) {
            SCOPED_TRACE(testing::Message() << "friction " << friction << " spin " << spin);
            Outcome out;
            ASSERT_NO_THROW(out = strike({.stiffness = stiffness,
                                          .restitution = restitution,
                                          .static_friction = friction,
                                          .kinetic_friction = friction},
                                         spin, step));
            // A turn of ω h in a step is known to its square.
            const double turn = spin * step, allowed = 1e-6 + turn * turn;
            EXPECT_LE(out.up, 3 * (1 + allowed));
            // Few strikes are left to the rough step.
            EXPECT_LE(out.statistics.rough_steps, 4u);
            // No energy from nothing.
            const double before = 0.5 * 9 + 0.2 * 0.01 * spin * spin;
            const double after =
                0.5 * (out.up * out.up + out.along * out.along) + 0.2 * 0.01 * out.spin * out.spin;
            EXPECT_LE(after, before * (1 + 1e-6));
            // The spin drags it along with at most μ times the normal impulse, and no further than to rolling.
            const double impulse = 3 + out.up;
            EXPECT_LE(std::abs(out.along), friction * impulse * (1 + allowed) + 1e-9);
            // The angular momentum about the point of contact is kept, m v R + I ω. That point is half way
            // between the surfaces when the step ends: at half the depth, or half of what it rose again.
            const double deepest = std::pow(2.5 * 0.5 * 9 / stiffness, 0.4);
            EXPECT_NEAR(0.1 * out.along + 0.4 * 0.01 * out.spin, 0.4 * 0.01 * spin,
                        0.5 * std::max(deepest, 3 * step) * std::abs(out.along)
                            + 0.004 * spin * allowed + 1e-9);
        }
}

INSTANTIATE_TEST_SUITE_P(Sweep, Impact,
                         testing::Combine(testing::Values(1e4, 1e6, 1e8),
                                          testing::Values(0.0, 0.5, 1.0),
                                          testing::Values(1e-4, 1e-3, 5e-3)));

// Resolved and sliding all through: J_t = μ J_n exactly; rolling at the end: v = 2/7 R ω.
TEST(ImpactOfABall, SlidesOrGripsAsCoulombSays) {
    const ContactLaw law{
        .stiffness = 1e6, .restitution = 0.7, .static_friction = 0.2, .kinetic_friction = 0.2};
    const Outcome slides = strike(law, 300, 1e-5);
    EXPECT_NEAR(slides.up, 3 * 0.7, 0.01);
    EXPECT_NEAR(slides.along, 0.2 * (3 + slides.up), 1e-3);
    const Outcome grips = strike(law, 5, 1e-5);
    EXPECT_NEAR(grips.along, 2.0 / 7 * 0.1 * 5, 0.01);
}

// How fast they meet is how fast the surfaces come together; that a ball spins about its centre has nothing
// to do with it.
TEST(ImpactOfABall, ReturnsTheSameHoweverFastItSpins) {
    for (double h : {1e-5, 1e-4, 1e-3}) {
        const ContactLaw law{
            .stiffness = 1e6, .restitution = 0.5, .static_friction = 0, .kinetic_friction = 0};
        const double still = strike(law, 0, h).up;
        for (double spin : {10.0, 100.0, 300.0})
            EXPECT_NEAR(strike(law, spin, h).up, still, 1e-3 * still)
                << "spin " << spin << " step " << h;
    }
}

// Strikes and lies: friction takes the spin, and nothing creeps.
TEST(ImpactOfABall, ComesToRestRolling) {
    Model m;
    add_floor(m);
    const BodyId ball = add_ball(m, 0.1, 1, {0, 0, 1}, {}, {0, 50, 0});
    World world(m, {.step = 2e-3});
    world.advance_to(5);
    // The trapezoidal rule turns by 2 atan(ω h/2) in a step: (ω h)²/12 less than ω h.
    const double v = world.twist(ball).linear.x, turn = v / 0.1 * 2e-3;
    EXPECT_NEAR(v, 0.1 * world.twist(ball).angular.y, 1.1 * v * turn * turn / 12 + 1e-7);
    EXPECT_NEAR(world.twist(ball).linear.x, 2.0 / 7 * 0.1 * 50, 0.04);
    EXPECT_NEAR(world.pose(ball).position.z, 0.1, 1e-3);
}

}  // namespace
}  // namespace bristle::step
