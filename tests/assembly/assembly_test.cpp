#include <bristle/analysis.h>

#include "scenes/linkages.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

namespace bristle::assembly {
namespace {

using testing_support::Random;
using testing_support::random_mechanism;

std::string complaint_about(const Model& model, const AssemblyOptions& options = {}) {
    try {
        assembled(model, options);
    } catch (const SimulationError& e) {
        return e.what();
    }
    return "";
}

TEST(Assembly, LeavesWhatIsTogetherWhereItIs) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const Model model = random_mechanism(seed).model, same = assembled(model);
        for (size_t i = 1; i < model.bodies().size(); ++i)
            EXPECT_LT(norm(same.bodies()[i].position - model.bodies()[i].position), 1e-12);
    }
}

TEST(Assembly, MovesTheLighterBodyMore) {
    Model m;
    const BodyId light = m.add(Body::point(1)), heavy = m.add(Body::point(3).at({1, 0, 0}));
    m.add(Spherical{.a = light, .b = heavy, .at = {}, .at_b = Vec3{1, 0, 0}});
    const Model whole = assembled(m);
    // Least Σ m d²: three quarters and one quarter of the way.
    EXPECT_NEAR(whole.bodies()[light.index].position.x, 0.75, 1e-6);
    EXPECT_NEAR(whole.bodies()[heavy.index].position.x, 0.75, 1e-6);
}

TEST(Assembly, KeepsWhatItIsTold) {
    Model m;
    const BodyId a = m.add(Body::point(1)), b = m.add(Body::point(1).at({1, 0, 0}));
    m.add(Spherical{.a = a, .b = b, .at = {}, .at_b = Vec3{1, 0, 0}});
    const Model whole = assembled(m, {.keep = {a}});
    EXPECT_EQ(whole.bodies()[a.index].position, Vec3{});
    EXPECT_LT(norm(whole.bodies()[b.index].position), 1e-12);
    EXPECT_NE(complaint_about(m, {.keep = {a, b}}).find("by 1 m"), std::string::npos);
    EXPECT_THROW(assembled(m, {.keep = {{7}}}), InputError);
}

TEST(Assembly, NamesTheJointsThatStayApart) {
    Model m;
    const BodyId a = m.add(Body::point(1).at({1, 0, 0})), b = m.add(Body::point(1).at({2, 0, 0}));
    m.add(Distance{
        .a = m.ground(), .b = a, .at_a = {}, .at_b = {1, 0, 0}, .length = 1, .name = "first"});
    m.add(Distance{
        .a = a, .b = b, .at_a = {1, 0, 0}, .at_b = {2, 0, 0}, .length = 1, .name = "second"});
    m.add(Distance{.a = b,
                   .b = m.ground(),
                   .at_a = {2, 0, 0},
                   .at_b = {5, 0, 0},
                   .length = 1,
                   .name = "third"});
    const std::string text = complaint_about(m);
    for (const char* part : {"'first' (distance) by 0.667 m", "'second'", "'third'", "lengths"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_THROW(World{m}, SimulationError);
}

TEST(Assembly, LeavesASingularStart) {
    // Two bars in one line towards a pin that is nearer than they are long: only sideways can they reach it, and
    // no first motion brings them closer.
    Model m;
    const BodyId a = m.add(Body::rod({}, {1, 0, 0}, 1)),
                 b = m.add(Body::rod({1, 0, 0}, {2, 0, 0}, 1));
    m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 1, 0}});
    m.add(Revolute{.a = a, .b = b, .at = {1, 0, 0}, .axis = {0, 1, 0}});
    m.add(Revolute{
        .a = b, .b = m.ground(), .at = {2, 0, 0}, .axis = {0, 1, 0}, .at_b = Vec3{1.5, 0, 0}});
    EXPECT_LT(scenes::largest_gap(m, assembled(m)), 1e-12);
}

TEST(Assembly, TurnsOppositeAxesAround) {
    Model m;
    const BodyId a = m.add(Body::box({1, 0.5, 0.2}, 1));
    m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 0, 1}, .axis_b = Vec3{0, 0, -1}});
    EXPECT_LT(scenes::largest_gap(m, assembled(m)), 1e-12);
}

TEST(Assembly, KeepsTurnsThatAJointDoesNotFree) {
    Random random(4);
    Model m;
    const Quat start = random.rotation();
    const BodyId welded = m.add(Body::box({1, 0.5, 0.2}, 1).at({1, 1, 1}, start));
    m.add(Fixed{.a = m.ground(), .b = welded, .at = {}, .at_b = Vec3{0.3, 0.2, 0.1}});
    const BodyId slider = m.add(Body::box({1, 0.5, 0.2}, 1).at({3, 0, 0}, start));
    const Vec3 tilted = normalized(Vec3{1, 0.2, 0.3});
    m.add(Prismatic{.a = m.ground(),
                    .b = slider,
                    .at = {3, 1, 0},
                    .axis = {1, 0, 0},
                    .at_b = Vec3{3, 0, 0},
                    .axis_b = tilted});
    const Model whole = assembled(m);
    const auto turn = [&](BodyId b) {
        return (whole.bodies()[b.index].orientation * start.conjugate()).matrix();
    };
    EXPECT_LT(norm(turn(welded) * Vec3{1, 2, 3} - Vec3{1, 2, 3}), 1e-12);
    // Only about the axis perpendicular to both.
    const Vec3 still = normalized(cross(tilted, Vec3{1, 0, 0}));
    EXPECT_LT(norm(turn(slider) * still - still), 1e-12);
    EXPECT_LT(norm(turn(slider) * tilted - Vec3{1, 0, 0}), 1e-12);
}

TEST(Assembly, TakesSpringsWithTheirBodies) {
    Model m;
    const BodyId a = m.add(Body::point(1).at({1, 0, 0}));
    m.add(Spherical{.a = m.ground(), .b = a, .at = {}, .at_b = Vec3{1, 0, 0}});
    m.add(Spring{.a = m.ground(), .b = a, .at_a = {0, 0, 2}, .at_b = {1, 0, 0.5}, .stiffness = 1});
    const Model whole = assembled(m);
    EXPECT_EQ(whole.springs()[0].at_a, (Vec3{0, 0, 2}));
    EXPECT_LT(norm(whole.springs()[0].at_b - Vec3{0, 0, 0.5}), 1e-9);
}

TEST(Assembly, ClosesRandomMechanismsFromRoughPositions) {
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        const Model rough = scenes::roughened(random_mechanism(seed).model, 0.3, 0, seed);
        const Model whole = assembled(rough);
        EXPECT_TRUE(whole.is_assembled()) << "seed " << seed;
        EXPECT_LT(scenes::largest_gap(rough, whole), 1e-11) << "seed " << seed;
    }
}

TEST(Assembly, ClosesALargeNet) {
    // 10 × 20 points in a square net of bars; every mesh is a loop.
    Model m;
    std::vector<std::vector<BodyId>> net(10);
    const auto place = [](size_t i, size_t k) {
        return Vec3{0.1 * static_cast<double>(i), 0.1 * static_cast<double>(k), 0};
    };
    for (size_t i = 0; i < net.size(); ++i) {
        for (size_t k = 0; k < 20; ++k) {
            net[i].push_back(m.add(Body::point(1).at(place(i, k))));
            if (k)
                m.add(Distance{.a = net[i][k - 1],
                               .b = net[i][k],
                               .at_a = place(i, k - 1),
                               .at_b = place(i, k)});
            if (i)
                m.add(Distance{.a = net[i - 1][k],
                               .b = net[i][k],
                               .at_a = place(i - 1, k),
                               .at_b = place(i, k)});
        }
    }
    const Model rough = scenes::roughened(m, 0.03, 0, 1);
    EXPECT_LT(scenes::largest_gap(rough, assembled(rough)), 1e-12);
}

TEST(Assembly, IsDoneByTheWorldIfNeeded) {
    const Model rough = scenes::roughened(scenes::rssr(), 0.2, 0.3, 2);
    ASSERT_FALSE(rough.is_assembled());
    const World world(rough);
    EXPECT_TRUE(world.model().is_assembled());
    EXPECT_EQ(world.degrees_of_freedom(), 2);
}

}  // namespace
}  // namespace bristle::assembly
