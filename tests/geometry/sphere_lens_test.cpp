#include "geometry/sphere_lens.h"

#include "tests/support/random.h"

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

namespace bristle::geometry {
namespace {

using testing_support::Random;
// Textbook formulas lose up to 60 digits here: a cap of 1e-24 of its radius has its height squared and more.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<120>>;

struct ExactLens {
    Exact volume, rim, plane, centroid, axial, across;
};

// By another way: slices x² + y² ≤ r² − z² from the plane to the apex, by the antiderivatives of the textbook, z from
// the centre of the ball.
struct ExactCap {
    Exact volume, first, second, across;  // about the centre of the ball
};
ExactCap slices(const Exact& r, const Exact& from, const Exact& to) {
    const Exact& p = boost::math::constants::pi<Exact>();
    const auto power = [](const Exact& z, int n) {
        Exact out = 1;
        for (int i = 0; i < n; ++i) out *= z;
        return out;
    };
    const auto moment = [&](int n) {
        return Exact(r * r * (power(to, n + 1) - power(from, n + 1)) / (n + 1)
                     - (power(to, n + 3) - power(from, n + 3)) / (n + 3));
    };
    const Exact fourth = power(r, 4) * (to - from) - 2 * r * r * (power(to, 3) - power(from, 3)) / 3
                       + (power(to, 5) - power(from, 5)) / 5;
    return {p * moment(0), p * moment(1), p * moment(2), p / 4 * fourth};
}

ExactLens exact_lens(double radius_a, double radius_b, double depth) {
    const Exact a = radius_a, b = radius_b, d = a + b - depth;
    const Exact plane = (d * d + a * a - b * b) / (2 * d);
    const ExactCap ca = slices(a, plane, a), cb = slices(b, d - plane, b);
    const Exact& p = boost::math::constants::pi<Exact>();
    ExactLens out;
    out.volume = ca.volume + cb.volume;
    out.rim = p * (a * a - plane * plane);
    out.plane = plane;
    // Of ball b, z is d − z.
    const Exact first = ca.first + d * cb.volume - cb.first;
    const Exact second = ca.second + d * d * cb.volume - 2 * d * cb.first + cb.second;
    out.centroid = first / out.volume;
    out.axial = second - first * first / out.volume;
    out.across = ca.across + cb.across;
    return out;
}

double error(double value, const Exact& exact) {
    return std::abs(static_cast<double>((Exact(value) - exact) / exact));
}

TEST(SphereLens, AgreesWithExactArithmeticHoweverLittleTheBallsTouch) {
    Random random(1);
    for (int trial = 0; trial < 4000; ++trial) {
        const double a = std::pow(10, random.uniform(-3, 3)),
                     b = a * std::pow(10, random.uniform(-6, 6)), least = std::min(a, b);
        const double depth =
            trial % 4 == 0
                ? least * random.uniform(1e-3, 1.999)
                : 2 * least * std::pow(10, random.uniform(trial % 4 == 1 ? -12 : -3, 0)) * 0.999;
        const Lens l = lens(a, b, depth);
        const ExactLens e = exact_lens(a, b, depth);
        // A dozen roundings each; the moments across lose one digit near the whole ball.
        EXPECT_LT(error(l.volume, e.volume), 3e-15) << a << " " << b << " " << depth;
        EXPECT_LT(error(l.rim, e.rim), 3e-15);
        EXPECT_LT(error(l.axial, e.axial), 3e-14);
        EXPECT_LT(error(l.across, e.across), 1e-14);
        EXPECT_LT(error(l.plane, e.plane) * std::abs(static_cast<double>(e.plane)),
                  4e-16 * (a + b));
        // The centroid is where it is in the lens to a part of the lens, but for the rounding of the place itself.
        EXPECT_LT(std::abs(static_cast<double>(Exact(l.centroid) - e.centroid)),
                  4e-16 * (a + b) + 1e-14 * depth);
        EXPECT_DOUBLE_EQ(l.volume, lens_volume(a, b, depth));
    }
}

TEST(SphereLens, OfEqualBallsInOnePlaceIsTheBall) {
    const Lens l = lens(0.5, 0.5, 1.0);
    EXPECT_DOUBLE_EQ(l.volume, 4 * pi / 3 / 8);
    EXPECT_EQ(l.rim, 0);
    EXPECT_EQ(l.centroid, 0);
    EXPECT_DOUBLE_EQ(l.axial, l.volume * 0.05);
    EXPECT_DOUBLE_EQ(l.across, l.axial);
}

TEST(SphereLens, OfABallInsideAnotherIsTheSmaller) {
    for (const double depth : {2.0, 2.5, 4.0}) {
        const Lens inner_b = lens(3, 1, depth), inner_a = lens(1, 3, depth);
        EXPECT_DOUBLE_EQ(inner_b.volume, 4 * pi / 3);
        EXPECT_DOUBLE_EQ(inner_b.centroid, 4 - depth);
        EXPECT_EQ(inner_a.centroid, 0);
        EXPECT_EQ(inner_a.rim, 0);
    }
}

// The last lens before one ball is inside the other, and the first after: no jump.
TEST(SphereLens, IsContinuousWhereOneBallSlipsInsideTheOther) {
    const double e = 1e-9;
    const Lens before = lens(3, 1, 2 - e), after = lens(3, 1, 2 + e);
    EXPECT_NEAR(before.volume, after.volume, 1e-14);
    EXPECT_NEAR(before.centroid, after.centroid, 3 * e);
    EXPECT_NEAR(before.axial, after.axial, 3 * e);
    EXPECT_NEAR(before.across, after.across, 3 * e);
    EXPECT_NEAR(before.rim, 0, 20 * e);
}

TEST(SphereLens, GrowsByItsRim) {
    for (const double depth : {1e-6, 0.1, 0.7, 1.4}) {
        const double e = 1e-5 * depth;
        const double slope =
            (lens_volume(1, 0.8, depth + e) - lens_volume(1, 0.8, depth - e)) / (2 * e);
        EXPECT_NEAR(slope, lens(1, 0.8, depth).rim, 1e-8 * slope);
    }
}

TEST(SphereLens, OfBallsThatDoNotTouchIsNothing) {
    for (const double depth : {0.0, -1.0, -1e-300, std::nan("")}) {
        EXPECT_EQ(lens(1, 2, depth).volume, 0);
        EXPECT_EQ(lens_volume(1, 2, depth), 0);
    }
    // Below what doubles can hold, still no NaN.
    const Lens l = lens(1e-150, 1e-150, 1e-160);
    EXPECT_EQ(l.volume, 0);
    EXPECT_TRUE(std::isfinite(l.centroid) && std::isfinite(l.axial));
}

}  // namespace
}  // namespace bristle::geometry
