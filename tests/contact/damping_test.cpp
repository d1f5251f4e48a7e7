// Restitution: an impact is integrated from touch to release, by Runge and Kutta, with the law as printed.
#include "contact/normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace bristle::contact {
namespace {

// Force from depth and rate of a mass that strikes with `speed`; what it leaves with, over that.
double restitution_of(const std::function<double(double, double)>& force, double mass, double speed,
                      double step) {
    double depth = 0, rate = speed;
    const auto pull = [&](double d, double r) { return -force(d, r) / mass; };
    for (long i = 0; i < 50'000'000; ++i) {
        const double k1 = pull(depth, rate),
                     k2 = pull(depth + step / 2 * rate, rate + step / 2 * k1),
                     k3 = pull(depth + step / 2 * (rate + step / 2 * k1), rate + step / 2 * k2),
                     k4 = pull(depth + step * (rate + step / 2 * k2), rate + step * k3);
        const double next_depth = depth + step * rate + step * step / 6 * (k1 + k2 + k3),
                     next_rate = rate + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        // It lets go when the force does: at zero depth, or before, if the damping would pull.
        if (next_rate < 0 && (next_depth <= 0 || force(next_depth, next_rate) <= 0)) {
            const double share = next_depth <= 0 ? depth / (depth - next_depth) : 0;
            return -(rate + share * (next_rate - rate)) / speed;
        }
        depth = next_depth;
        rate = next_rate;
    }
    return NAN;
}

double hertz_restitution(double x, double exponent, double stiffness, double mass, double speed) {
    const double a = x / speed;
    const double deepest =
        std::pow((exponent + 1) * mass * speed * speed / (2 * stiffness), 1 / (exponent + 1));
    return restitution_of(
        [=](double d, double r) {
            return d > 0 ? stiffness * std::pow(d, exponent) * (1 + a * r) : 0;
        },
        mass, speed, 1e-4 * deepest / speed / (1 + x));
}

TEST(Damping, ExactHertzReturnsItsRestitutionWhateverTheExponent) {
    for (double e : {0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0})
        for (double exponent : {1.0, 1.5, 2.0})
            EXPECT_NEAR(hertz_restitution(exact_hertz_damping(e), exponent, 1e7, 1, 3), e, 2e-7)
                << "exponent " << exponent;
}

TEST(Damping, ExactHertzReturnsItsRestitutionWhateverMassSpeedAndStiffness) {
    for (double mass : {1e-3, 1e3})
        for (double speed : {0.01, 30.0})
            for (double stiffness : {1e4, 1e10})
                EXPECT_NEAR(
                    hertz_restitution(exact_hertz_damping(0.4), 1.5, stiffness, mass, speed), 0.4,
                    2e-7);
}

// What is printed does not return its ε: 0.5 gives 0.66 (spec B1).
TEST(Damping, PublishedHertzReturnsMoreThanItsRestitution) {
    EXPECT_NEAR(hertz_restitution(1.5 * (1 - 0.5), 1.5, 1e7, 1, 3), 0.66, 0.005);
    for (double e : {0.1, 0.3, 0.5, 0.7, 0.9})
        EXPECT_GT(hertz_restitution(0.75 * (1 - e * e), 1.5, 1e7, 1, 3), e + 0.005);
}

// x − ln(1 + x) = −εx − ln(1 − εx), by its own series near ε = 1: x = 3/2 (1 − ε) + …
TEST(Damping, ExactHertzSolvesItsEquationAndHasTheRightLimits) {
    for (double e = 0.01; e < 0.9999; e += 0.0007) {
        const double x = exact_hertz_damping(e);
        ASSERT_GT(x, 0);
        // Solved for what is nearly 1 when little comes back.
        EXPECT_NEAR(e * x, 1 - (1 + x) * std::exp(-(1 + e) * x), 1e-14) << e;
    }
    for (double d : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10})
        // What comes back is 1 − ⅔x, but for x²; logarithms that cancel leave 1e-8 of it.
        EXPECT_NEAR(2.0 / 3 * exact_hertz_damping(1 - d), d, 1.5e-8 + d * d) << "1 - " << d;
    EXPECT_EQ(exact_hertz_damping(1), 0);
    double last = exact_hertz_damping(0.01);
    for (double e = 0.011; e <= 1; e += 0.001) {
        EXPECT_LT(exact_hertz_damping(e), last);
        last = exact_hertz_damping(e);
    }
    EXPECT_EQ(exact_hertz_damping(0), exact_hertz_damping(0.01));
}

double voigt_restitution(double zeta, double stiffness, double mass) {
    const double c = 2 * zeta * std::sqrt(stiffness * mass), period = std::sqrt(mass / stiffness);
    return restitution_of([=](double d, double r) { return stiffness * d + c * r; }, mass, 2,
                          2e-5 * period / (1 + zeta));
}

// The force ends when it would pull, before the depth is zero: that is what the formula says.
TEST(Damping, ExactVoigtReturnsItsRestitutionBelowAndBeyondCritical) {
    bool below = false, beyond = false;
    for (double e : {0.02, 0.05, 0.1, 0.13, 0.1353, 0.14, 0.3, 0.5, 0.7, 0.9, 0.99}) {
        const double zeta = exact_voigt_damping(e);
        (zeta < 1 ? below : beyond) = true;
        EXPECT_NEAR(voigt_restitution(zeta, 1e5, 2), e, 1e-4 * e + 1e-5) << "zeta " << zeta;
    }
    EXPECT_TRUE(below && beyond);
    EXPECT_NEAR(exact_voigt_damping(1), 0, 1e-15);
    // Critical damping returns exp(−2).
    EXPECT_NEAR(exact_voigt_damping(std::exp(-2.0)), 1, 1e-9);
}

// As published: the decrement of a free linear oscillator over half a period, which pulls at its end.
TEST(Damping, DecrementIsThatOfALinearOscillator) {
    for (double e : {0.05, 0.3, 0.5, 0.9, 0.999}) {
        const double zeta = decrement_damping(e);
        EXPECT_NEAR(std::exp(-std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta)), e, 1e-14)
            << zeta;
    }
    EXPECT_EQ(decrement_damping(1), 0);
    EXPECT_EQ(decrement_damping(0), decrement_damping(0.01));
    // A contact that cannot pull returns more.
    for (double e : {0.1, 0.5, 0.9}) EXPECT_GT(voigt_restitution(decrement_damping(e), 1e5, 2), e);
}

}  // namespace
}  // namespace bristle::contact
