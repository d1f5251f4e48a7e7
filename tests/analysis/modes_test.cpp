#include <bristle/analysis.h>

#include "scenes/linkages.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::analysis {
namespace {

TEST(Linearize, TakesTheAngleOfAPendulum) {
    Model m;
    const BodyId rod = m.add(Body::rod({}, {0, 0, -1.2}, 3));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    m.add(JointSpring{.joint = pin, .stiffness = 7, .damping = 0.4});
    const Linearization l = linearize(World(m));
    ASSERT_EQ(l.n, 1);
    EXPECT_NEAR(l.mass[0], 3 * 1.44 / 3, 1e-12);
    EXPECT_NEAR(l.damping[0], 0.4, 1e-13);
    EXPECT_NEAR(l.stiffness[0], 7 + 3 * 9.81 * 0.6, 1e-10);
    EXPECT_LT(norm(l.basis[0][rod.index].angular - Vec3{0, 1, 0}), 1e-12);
}

TEST(Modes, OfAFreeBodyAreSixTimesZero) {
    Model m;
    m.add(Body::box({1, 2, 3}, 4));
    const auto found = modes(World(m));
    ASSERT_EQ(found.size(), 6U);
    for (const Mode& mode : found) EXPECT_EQ(mode.frequency, 0);
}

TEST(Modes, AreNoneWhereNothingMoves) {
    // No freedom, no unknowns, no bodies.
    const auto held = scenes::four_bar({}, 0.8, [](double) { return 0.0; });
    Model welded;
    welded.add(Fixed{.a = welded.ground(), .b = welded.add(Body::box({1, 1, 1}, 1)), .at = {}});
    for (const Model& m : {held.model, welded, Model{}}) {
        World world(m);
        EXPECT_TRUE(modes(world).empty());
        EXPECT_EQ(linearize(world).n, 0);
        EXPECT_TRUE(find_equilibrium(world).is_stable);
        world.guide(1);
        EXPECT_EQ(mobility(world).redundant_constraints, world.redundant_constraints());
    }
}

TEST(Modes, OfTwoBodiesOnASpringFloat) {
    for (double damping : {0.0, 0.3}) {
        Model m;
        m.gravity = {};
        const BodyId a = m.add(Body::box({0.1, 0.1, 0.1}, 1)),
                     b = m.add(Body::box({0.1, 0.1, 0.1}, 3).at({1, 0, 0}));
        m.add(Spring{.a = a,
                     .b = b,
                     .at_a = {},
                     .at_b = {1, 0, 0},
                     .stiffness = 1e6,
                     .damping = damping,
                     .free_length = 1});
        const auto found = modes(World(m));
        ASSERT_EQ(found.size(), 12U);
        for (size_t k = 0; k < 11; ++k) EXPECT_EQ(found[k].frequency, 0) << k;
        EXPECT_NEAR(found[11].frequency, std::sqrt(1e6 / 0.75) / (2 * pi), 1e-9);
        // The light one moves three times as far the other way.
        EXPECT_NEAR(std::abs(found[11].shape[a.index].linear.x), 1, 1e-9);
        EXPECT_NEAR(found[11].shape[a.index].linear.x, -3 * found[11].shape[b.index].linear.x,
                    1e-9);
    }
}

TEST(Modes, OfSlenderRodsInLineCountNoIdleAxes) {
    // Ball joints between slender rods: two swings a rod, and no spin.
    Model m;
    BodyId last = m.ground();
    for (int i = 0; i < 3; ++i) {
        const Vec3 from{0, 0, -1.0 * i};
        const BodyId rod = m.add(Body::rod(from, from + Vec3{0, 0, -1}, 1));
        m.add(Spherical{.a = last, .b = rod, .at = from});
        last = rod;
    }
    const auto found = modes(World(m));
    ASSERT_EQ(found.size(), 6U);
    for (size_t k = 0; k < 6; k += 2)
        EXPECT_NEAR(found[k].frequency, found[k + 1].frequency, 1e-12);
    EXPECT_GT(found[0].frequency, 0.2);
}

TEST(Modes, SeeAUsersForceAsTheSpringItIs) {
    const auto model = [](bool by_user) {
        Model m;
        const BodyId body = m.add(Body::box({0.2, 0.3, 0.4}, 2).at({0.3, 0.1, -0.5}));
        m.add(Spherical{.a = m.ground(), .b = body, .at = {}});
        const Vec3 at{0.3, 0.1, -0.9}, anchor{1, 0, -0.5};
        if (by_user)
            m.add(UserForce{.apply =
                                [=](const Kinematics& k, ForceSink& out) {
                                    const Vec3 p = k.pose(body) * Vec3{0, 0, -0.4};
                                    const Vec3 way = p - anchor;
                                    out.add_force(body, -80 * (1 - 0.4 / norm(way)) * way, p);
                                },
                            .bodies = {body}});
        else
            m.add(Spring{.a = m.ground(),
                         .b = body,
                         .at_a = anchor,
                         .at_b = at,
                         .stiffness = 80,
                         .free_length = 0.4});
        return m;
    };
    World spring(model(false)), user(model(true));
    find_equilibrium(spring);
    find_equilibrium(user);
    const auto a = modes(spring), b = modes(user);
    ASSERT_EQ(a.size(), 3U);
    ASSERT_EQ(b.size(), 3U);
    for (size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(a[k].frequency, b[k].frequency, 1e-6 * a[2].frequency);
}

TEST(Modes, ArePeriodsOfTheMotionItself) {
    // A four-bar with redundant loops, hung up and slightly pushed, against its own run.
    scenes::FourBarModel s = scenes::four_bar({}, 0.8);
    s.model.add(JointSpring{.joint = s.d, .stiffness = 60});
    // A push that begins after the equilibrium is found.
    s.model.add(
        Motor{.joint = s.a, .effort = [](double t) { return t > 0.02 && t < 0.04 ? 0.05 : 0.0; }});
    World still(s.model, {.step = 5e-4});
    find_equilibrium(still);
    const auto found = modes(still);
    ASSERT_EQ(found.size(), 1U);
    const double rest = still.coordinate(s.a);

    std::vector<double> crossings;
    double before = 0;
    while (crossings.size() < 9 && still.time() < 60) {
        still.step();
        const double now = still.coordinate(s.a) - rest;
        if (still.time() > 0.1 && before < 0 && now >= 0)
            crossings.push_back(still.time() - 5e-4 * now / (now - before));
        before = now;
    }
    ASSERT_EQ(crossings.size(), 9U);
    EXPECT_NEAR(8 / (crossings.back() - crossings.front()), found[0].frequency,
                2e-4 * found[0].frequency);
}

TEST(Modes, RefuseContactsThatPress) {
    Model m;
    const BodyId ball = m.add(Body::sphere(0.5, 1).at({0, 0, 0.5}));
    m.add(Shape{.body = ball, .geometry = Sphere{0.5}});
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    World world(m);
    world.advance_to(1);
    EXPECT_THROW(modes(world), SimulationError);
}

}  // namespace
}  // namespace bristle::analysis
