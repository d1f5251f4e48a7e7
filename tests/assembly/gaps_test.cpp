// Gradients of the joints' gaps against differences.
#include "assembly/gaps.h"

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

namespace bristle::assembly {
namespace {

using testing_support::Random;

class Gaps : public testing::TestWithParam<JointType> {};

TEST_P(Gaps, ChangeAsTheirGradientsSay) {
    Random random(static_cast<uint64_t>(GetParam()) + 5);
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1)),
                 b = m.add(Body::box({1, 1, 1}, 1).at({1, 0, 0}));
    const JointId id = testing_support::add_joint(m, GetParam(), a, b, random.vector(0.5), random);
    const JointGap gap(m.joints()[id.index], {}, {1, 0, 0});
    const Placement at_a{random.rotation().matrix(), random.vector(0.3)},
        at_b{random.rotation().matrix(), random.vector(0.3) + Vec3{1, 0, 0}};
    const Vec3 shift_a = random.vector(1), turn_a = random.vector(1), shift_b = random.vector(1),
               turn_b = random.vector(1);
    const auto rows_at = [&](double t) {
        std::vector<GapRow> rows;
        gap.append_rows({rotation_by(t * turn_a) * at_a.rotation, at_a.position + t * shift_a},
                        {rotation_by(t * turn_b) * at_b.rotation, at_b.position + t * shift_b},
                        rows);
        return rows;
    };
    const auto here = rows_at(0);
    ASSERT_FALSE(here.empty());
    const double e = 1e-3;
    const auto p1 = rows_at(e), m1 = rows_at(-e), p2 = rows_at(2 * e), m2 = rows_at(-2 * e);
    for (size_t i = 0; i < here.size(); ++i) {
        const double known = (8 * (p1[i].gap - m1[i].gap) - (p2[i].gap - m2[i].gap)) / (12 * e);
        const double mine = dot(here[i].a.shift, shift_a) + dot(here[i].a.turn, turn_a)
                          + dot(here[i].b.shift, shift_b) + dot(here[i].b.turn, turn_b);
        EXPECT_NEAR(mine, known, 1e-10) << "row " << i;  // ε⁴ of smooth functions
    }
}

INSTANTIATE_TEST_SUITE_P(OfEveryJoint, Gaps,
                         testing::Values(JointType::fixed, JointType::revolute,
                                         JointType::prismatic, JointType::cylindrical,
                                         JointType::spherical, JointType::universal,
                                         JointType::planar, JointType::point_on_line,
                                         JointType::point_on_plane, JointType::distance,
                                         JointType::screw),
                         [](const auto& info) {
                             std::string name = to_string(info.param);
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

TEST(Rotations, RoundTripBetweenVectorAndMatrix) {
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const Vec3 angle = random.uniform(0, 3.1) * random.direction();
        EXPECT_LT(norm(rotation_vector(rotation_by(angle)) - angle), 1e-13);
        const Vec3 u = random.direction(), v = random.direction();
        EXPECT_LT(norm(shortest_turn(u, v) * u - v), 1e-14);
        EXPECT_LT(norm(shortest_turn(u, -u) * u + u), 1e-14);
    }
}

}  // namespace
}  // namespace bristle::assembly
