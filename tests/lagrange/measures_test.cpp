// Value, rate, gradient and curvature of every kind of measure against finite differences.
#include "lagrange/measures.h"

#include "tests/support/every_element.h"
#include "tests/support/rows.h"

#include <gtest/gtest.h>

namespace bristle::lagrange {
namespace {

using namespace testing_support;

class Measures : public testing::TestWithParam<int> {
  protected:
    Measures()
        : random(static_cast<uint64_t>(GetParam())),
          system(build_system(EveryElement(static_cast<uint64_t>(GetParam()) + 100).model, {})),
          gradient(system.measure_terms.size(), Vec4{}),
          position(moved(system.start, 1, random_motion(system, 0.1, random))),
          velocity(random_motion(system, 1, random)) {}

    MeasureValue evaluate(const Measure& m, double t, double counted = 0) {
        return evaluate_measure(system, m, moved(position, t, velocity).data(), velocity.data(),
                                counted, gradient.data());
    }

    Random random;
    System system;
    std::vector<Vec4> gradient, position, velocity;
};

TEST_P(Measures, RateAndCurvatureAreTheFirstAndSecondChange) {
    for (size_t i = 0; i < system.measures.size(); ++i) {
        const Measure& m = system.measures[i];
        const double counted = evaluate(m, 0).value;
        const auto change = derivative([&](double t) {
            const MeasureValue y = evaluate(m, t, counted);
            return std::vector<double>{y.value, y.rate};
        });
        const MeasureValue y = evaluate(m, 0, counted);
        EXPECT_NEAR(y.rate, change[0], 2e-9 * (1 + std::abs(y.rate))) << "measure " << i;
        EXPECT_NEAR(y.curvature, change[1], 2e-8 * (1 + std::abs(y.curvature))) << "measure " << i;
    }
}

TEST_P(Measures, GradientTimesVelocityIsTheRate) {
    for (const Measure& m : system.measures) {
        const MeasureValue y = evaluate(m, 0);
        double rate = 0;
        for (uint32_t k = m.first; k < m.first + m.count; ++k)
            rate += math::dot(gradient[k], velocity[system.measure_terms[k].entity]);
        EXPECT_NEAR(rate, y.rate, 1e-12 * (1 + std::abs(rate)));
    }
}

TEST_P(Measures, StartAtZeroOrAtTheLength) {
    for (const Measure& m : system.measures) {
        const MeasureValue y =
            evaluate_measure(system, m, system.start.data(), velocity.data(), 0, gradient.data());
        if (m.kind == Measure::Kind::length)
            EXPECT_GT(y.value, 0);
        else if (m.kind == Measure::Kind::swing)
            EXPECT_NEAR(y.value, pi / 4, 1e-14);
        else
            EXPECT_NEAR(y.value, 0, 1e-14);
    }
}

INSTANTIATE_TEST_SUITE_P(Random, Measures, testing::Range(1, 7));

TEST(Measure, OfTwoEndsThatMeetHasNoDirectionAndNoNan) {
    Model model;
    const BodyId a = model.add(Body::point(1)), b = model.add(Body::point(1).at({1, 0, 0}));
    model.add(Spring{.a = a, .b = b, .at_a = {}, .at_b = {1, 0, 0}, .stiffness = 1});
    const System system = build_system(model, {});
    const std::vector<Vec4> together(2, Vec4{1, 2, 3, 0}),
        velocity{Vec4{1, 0, 0, 0}, Vec4{0, 1, 0, 0}};
    std::vector<Vec4> gradient(2, Vec4{7, 7, 7, 0});
    const MeasureValue y = evaluate_measure(system, system.measures[0], together.data(),
                                            velocity.data(), 0, gradient.data());
    EXPECT_EQ(y.value, 0);
    EXPECT_EQ(y.rate, 0);
    EXPECT_EQ(y.curvature, 0);
    EXPECT_EQ(to_vec3(gradient[0]), Vec3{});
}

// A body on an oblique hinge, turned by hand.
class TurningBody : public testing::Test {
  protected:
    TurningBody() : axis(normalized({1, -2, 0.5})), at{0.3, 0.1, -0.2}, system(make()) {}

    System make() const {
        Model model;
        const BodyId body = model.add(Body::box({1, 0.5, 0.3}, 1).at({0.5, 0.5, 0}));
        const JointId hinge =
            model.add(Revolute{.a = model.ground(), .b = body, .at = at, .axis = axis});
        model.add(JointSpring{.joint = hinge, .stiffness = 1});
        return build_system(model, {});
    }

    MeasureValue turned(double angle, double speed, double counted) {
        const Mat3 r = Quat::about(axis, angle).matrix();
        std::vector<Vec4> q, v;
        for (uint32_t e = 0; e < system.entity_count; ++e) {
            const Vec3 base = system.kind[e] == Entity::Kind::point ? at : Vec3{};
            const Vec3 arm = r * (to_vec3(system.start[e]) - base);
            q.push_back(to_vec4(base + arm));
            v.push_back(to_vec4(cross(speed * axis, arm)));
        }
        std::vector<Vec4> gradient(system.measure_terms.size(), Vec4{});
        return evaluate_measure(system, system.measures[0], q.data(), v.data(), counted,
                                gradient.data());
    }

    Vec3 axis, at;
    System system;
};

TEST_F(TurningBody, CountsTurnsForwardsAndBackwards) {
    double counted = 0, angle = 0;
    for (int way : {1, -1, 1}) {
        for (int i = 0; i < 300; ++i) {
            angle += way * 2.9;  // almost half a turn a step
            counted = turned(angle, 0, counted).value;
            ASSERT_NEAR(counted, angle, 1e-11);
        }
    }
    EXPECT_GT(angle, 100 * 2 * pi);
}

TEST_F(TurningBody, HasTheRateOfTheTurnAndNoCurvatureAtEveryAngle) {
    for (double angle = -7; angle < 7; angle += 0.37) {
        const MeasureValue y = turned(angle, 1.7, angle);
        EXPECT_NEAR(y.value, angle, 1e-13);
        EXPECT_NEAR(y.rate, 1.7, 1e-13);
    }
    // The tip of a vector on a circle accelerates; a steady turn needs q̈ = −ω² q⊥, along which the angle
    // does not change: so what is left beside gradient · q̈ is zero as well.
    EXPECT_NEAR(turned(0.4, 1.7, 0).curvature, 0, 1e-12);
}

}  // namespace
}  // namespace bristle::lagrange
