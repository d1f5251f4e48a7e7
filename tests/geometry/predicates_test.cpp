// Signs of determinants against exact rational arithmetic.
#include "geometry/predicates.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bristle::geometry {
namespace {

struct ExactVec {
    mpq_class x, y, z;
    explicit ExactVec(Vec3 v) : x(v.x), y(v.y), z(v.z) {}
    ExactVec(mpq_class a, mpq_class b, mpq_class c)
        : x(std::move(a)), y(std::move(b)), z(std::move(c)) {}
};
ExactVec operator-(const ExactVec& a, const ExactVec& b) {
    return {mpq_class(a.x - b.x), mpq_class(a.y - b.y), mpq_class(a.z - b.z)};
}
ExactVec cross(const ExactVec& a, const ExactVec& b) {
    return {mpq_class(a.y * b.z - a.z * b.y), mpq_class(a.z * b.x - a.x * b.z),
            mpq_class(a.x * b.y - a.y * b.x)};
}
mpq_class dot(const ExactVec& a, const ExactVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

mpq_class rational_orient(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const ExactVec e(d);
    return dot(ExactVec(a) - e, cross(ExactVec(b) - e, ExactVec(c) - e));
}

int sign(double x) { return (x > 0) - (x < 0); }

void expect_exact(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const mpq_class exact = rational_orient(a, b, c, d);
    const double value = orient(a, b, c, d);
    ASSERT_EQ(sign(value), sgn(exact));
    const ExactVec n = cross(ExactVec(b) - ExactVec(a), ExactVec(d) - ExactVec(c));
    const Vec3 rounded = exact_cross(a, b, c, d);
    ASSERT_EQ(sign(rounded.x), sgn(n.x));
    ASSERT_EQ(sign(rounded.y), sgn(n.y));
    ASSERT_EQ(sign(rounded.z), sgn(n.z));
}

TEST(Predicates, APointBelowACounterClockwiseTriangleIsOnThePositiveSide) {
    EXPECT_GT(orient({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), 0);
    EXPECT_LT(orient({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 0);
    EXPECT_EQ(orient({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 0}), 0);
}

TEST(Predicates, SignsAreThoseOfRationalArithmetic) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> real(-1, 1);
    const auto any = [&] { return Vec3{real(random), real(random), real(random)}; };
    for (int i = 0; i < 3000; ++i) expect_exact(any(), any(), any(), any());
}

// Points of a plane, rounded, moved by a few units of the last place: the plain determinant is all noise.
TEST(Predicates, SignsAreRightForPointsThatAreAlmostInAPlane) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> real(-1, 1);
    std::uniform_int_distribution<int> ulps(-2, 2), exponent(-60, 60);
    for (int i = 0; i < 5000; ++i) {
        const double scale = std::ldexp(1.0, exponent(random));
        const Vec3 o{real(random), real(random), real(random)},
            u{real(random), real(random), real(random)},
            v{real(random), real(random), real(random)};
        const auto in_plane = [&] {
            Vec3 p = scale * (o + real(random) * u + real(random) * v);
            for (int k = 0; k < 3; ++k)
                for (int n = ulps(random), s = n > 0 ? 1 : -1; n != 0; n -= s)
                    p[k] = std::nextafter(p[k], s * 1e300);
            return p;
        };
        expect_exact(in_plane(), in_plane(), in_plane(), in_plane());
    }
}

TEST(Predicates, ZeroIsZeroOnAGrid) {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> whole(-3, 3);
    const auto any = [&] {
        return Vec3{0.1 * whole(random), 0.1 * whole(random), 0.1 * whole(random)};
    };
    for (int i = 0; i < 5000; ++i) expect_exact(any(), any(), any(), any());
}

TEST(Predicates, SizesFromTinyToHugeDoNotMatter) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> real(-1, 1), exponent(-25, 25);
    const auto any = [&] {
        const double s = std::pow(10, exponent(random));
        return Vec3{s * real(random), s * real(random), s * real(random)};
    };
    for (int i = 0; i < 3000; ++i) expect_exact(any(), any(), any(), any());
}

}  // namespace
}  // namespace bristle::geometry
