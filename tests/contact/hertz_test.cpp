// Hertz: stiffness against the integrals of the half-space under an elliptical pressure, and limits.
#include "contact/hertz.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::contact {
namespace {

using testing_support::Random;

constexpr Vec3 along_x{1, 0, 0}, along_y{0, 1, 0};
const collision::Curvature flat{0, 0, along_x};

collision::Curvature ball(double radius) { return {1 / radius, 1 / radius, along_x}; }
collision::Curvature cylinder(double radius, Vec3 axis) { return {0, 1 / radius, axis}; }

// Two bodies pressed over an ellipse of semi-axes 1 and b with p = p₀ √(1 − x² − (y/b)²), E* = 1. Their
// surfaces come together by δ − A x² − B y², with
//     δ = p₀ b/2 ∫ dw/√((1+w)(b²+w)w),  A and B the same with 1/(1+w) and 1/(b²+w) more,  F = ⅔ p₀ π b.
// With w = tan²φ the integrands are periodic and the trapezoidal rule exact. (Nothing here knows of
// complete elliptic integrals or eccentricities.)
struct Ellipse {
    double a, b, stiffness;  // A, B, F/δ^1.5
};
Ellipse pressed_ellipse(double b) {
    const int n = 200000;
    long double delta = 0, ax = 0, by = 0;
    for (int i = 0; i < n; ++i) {
        const double phi = pi / 2 * (i + 0.5) / n, c2 = std::cos(phi) * std::cos(phi), s2 = 1 - c2;
        const double inner = b * b * c2 + s2, common = 2 / std::sqrt(inner);
        delta += common;
        ax += common * c2;
        by += common * c2 / inner;
    }
    const double scale = b / 2 * (pi / 2) / n;
    const auto d = static_cast<double>(delta) * scale;
    return {static_cast<double>(ax) * scale, static_cast<double>(by) * scale,
            2.0 / 3 * pi * b / std::pow(d, 1.5)};
}

TEST(Hertz, OfASphereOnAPlane) {
    for (double radius : {1e-3, 0.1, 10.0})
        for (double modulus : {1e5, 2e11})
            EXPECT_NEAR(hertz_stiffness(ball(radius), flat, modulus, radius) / modulus,
                        4.0 / 3 * std::sqrt(radius), 1e-9 * std::sqrt(radius));
}

TEST(Hertz, OfTwoSpheresAndOfASphereInASocket) {
    EXPECT_NEAR(hertz_stiffness(ball(0.2), ball(0.3), 1e9, 0.2),
                4.0 / 3 * 1e9 * std::sqrt(0.2 * 0.3 / 0.5), 1e-9 * 1e9);
    const collision::Curvature socket{-1 / 0.3, -1 / 0.3, along_x};
    EXPECT_NEAR(hertz_stiffness(ball(0.2), socket, 1e9, 0.2),
                4.0 / 3 * 1e9 * std::sqrt(0.2 * 0.3 / 0.1), 1e-9 * 1e9);
}

TEST(Hertz, OfEqualCrossedCylindersIsThatOfASphere) {
    for (double radius : {1e-3, 0.1, 10.0})
        EXPECT_NEAR(
            hertz_stiffness(cylinder(radius, along_x), cylinder(radius, along_y), 1, radius),
            4.0 / 3 * std::sqrt(radius), 1e-9 * std::sqrt(radius));
}

TEST(Hertz, OfEllipsesFromTheHalfSpaceItself) {
    // The line's end of the range is where the stiffness takes the length for the long radius.
    for (double b : {0.999999, 0.999, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02}) {
        const Ellipse e = pressed_ellipse(b);
        const collision::Curvature body{2 * e.a, 2 * e.b, along_x};
        EXPECT_NEAR(hertz_stiffness(body, flat, 1, 1) / e.stiffness, 1, 1e-8) << "b/a = " << b;
        EXPECT_NEAR(hertz_stiffness(flat, body, 7e9, 1) / (7e9 * e.stiffness), 1, 1e-8);
    }
}

// The gap is a quadratic form; what of it belongs to which body, and turned how, does not matter.
TEST(Hertz, DependsOnTheSumOfTheFormsOnly) {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
        const auto form = [](const collision::Curvature& c, double out[3]) {
            const Vec3 d = c.direction;
            out[0] += c.first * d.x * d.x + c.second * d.y * d.y;
            out[1] += (c.first - c.second) * d.x * d.y;
            out[2] += c.first * d.y * d.y + c.second * d.x * d.x;
        };
        const auto body = [&] {
            const double phi = random.uniform(-pi, pi);
            return collision::Curvature{
                random.uniform(0.5, 5), random.uniform(0.5, 5), {std::cos(phi), std::sin(phi), 0}};
        };
        const collision::Curvature a = body(), b = body();
        double m[3] = {0, 0, 0};
        form(a, m);
        form(b, m);
        const double mean = (m[0] + m[2]) / 2, off = std::hypot((m[0] - m[2]) / 2, m[1]);
        const collision::Curvature sum{mean - off, mean + off, along_x};
        EXPECT_NEAR(hertz_stiffness(a, b, 1, 1), hertz_stiffness(sum, flat, 1, 1), 1e-9);
        EXPECT_NEAR(hertz_stiffness(a, b, 1, 1), hertz_stiffness(b, a, 1, 1), 1e-12);
    }
}

TEST(Hertz, FallsWhenEitherCurvatureRises) {
    for (double low = 1e-3; low < 1; low *= 1.3) {
        const double k = hertz_stiffness({low, 1, along_x}, flat, 1, 1);
        EXPECT_GT(k, hertz_stiffness({low * 1.01, 1, along_x}, flat, 1, 1));
        EXPECT_GT(k, hertz_stiffness({low, 1.01, along_x}, flat, 1, 1));
    }
}

TEST(Hertz, HasNoJumpWhereTheEllipseBecomesACircle) {
    const double circle = hertz_stiffness(ball(1), flat, 1, 1);
    for (double d : {1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5})
        EXPECT_NEAR(hertz_stiffness({1 - d, 1 + d, along_x}, flat, 1, 1), circle, 1e-9 + d) << d;
}

TEST(Hertz, TakesTheLengthWhereThereIsNoRadius) {
    const double of_length = 4.0 / 3 * 3e9 * std::sqrt(0.5);
    const double sharp = collision::Curvature::sharp;
    EXPECT_NEAR(hertz_stiffness(flat, flat, 3e9, 0.5), of_length, 1e-6 * of_length);
    EXPECT_NEAR(hertz_stiffness({sharp, sharp, along_x}, flat, 3e9, 0.5), of_length,
                1e-6 * of_length);
    EXPECT_NEAR(hertz_stiffness({0, sharp, along_x}, flat, 3e9, 0.5), of_length, 1e-6 * of_length);
    EXPECT_NEAR(hertz_stiffness({0, sharp, along_x}, {0, sharp, along_y}, 3e9, 0.5), of_length,
                1e-6 * of_length);
}

// A cylinder on a plane is taken as long as the body: an ellipse whose long radius is its length.
TEST(Hertz, OfALineIsFiniteAndThatOfItsLength) {
    const double k = hertz_stiffness(cylinder(0.1, along_x), flat, 1, 2);
    EXPECT_NEAR(k, hertz_stiffness({1.0 / 2, 1 / 0.1, along_x}, flat, 1, 2), 1e-12 * k);
    EXPECT_GT(k, hertz_stiffness(ball(0.1), flat, 1, 2));
}

TEST(Hertz, IsPositiveAndFiniteForAnyCurvature) {
    Random random(2);
    const auto curvature = [&]() -> double {
        switch (random.integer(0, 4)) {
            case 0: return 0;
            case 1: return collision::Curvature::sharp;
            case 2: return -std::pow(10, random.uniform(-9, 9));
            default: return std::pow(10, random.uniform(-9, 12));
        }
    };
    for (int i = 0; i < 20000; ++i) {
        const collision::Curvature a{curvature(), curvature(),
                                     normalized({random.uniform(-1, 1), 1, 0})},
            b{curvature(), curvature(), normalized({random.uniform(-1, 1), 1, 0})};
        const double k = hertz_stiffness(a, b, 1e9, std::pow(10, random.uniform(-3, 2)));
        ASSERT_TRUE(k > 0 && std::isfinite(k))
            << k << ": " << a.first << " " << a.second << " " << b.first << " " << b.second;
    }
}

}  // namespace
}  // namespace bristle::contact
