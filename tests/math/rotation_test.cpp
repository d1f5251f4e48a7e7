#include <bristle/math.h>

#include "tests/support/random.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace bristle::math {
namespace {

using testing_support::Random;

void expect_near(const Mat3& a, const Mat3& b, double bound) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(a(i, j), b(i, j), bound) << i << ", " << j;
}

// A few roundings of numbers of order one.
constexpr double rounding = 4e-15;

void expect_round_trip(Quat q) {
    const Mat3 r = q.matrix();
    const Quat back = Quat::from(r);
    EXPECT_NEAR(back.w * back.w + back.x * back.x + back.y * back.y + back.z * back.z, 1, rounding);
    expect_near(back.matrix(), r, rounding);
    // The same rotation has two signs.
    EXPECT_NEAR(std::abs(q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z), 1, rounding);
}

TEST(Quat, SurvivesTheWayOverAMatrix) {
    Random random(1);
    for (int i = 0; i < 300; ++i) expect_round_trip(random.rotation());
    expect_round_trip({});
}

TEST(Quat, SurvivesHalfTurns) {
    Random random(2);
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 0},
                            Vec3{0, 1, -1}, Vec3{1, 1, 1}, Vec3{1e-9, 0, 1}})
        for (double angle : {pi, -pi, pi - 1e-9, pi + 1e-12, 3 * pi})
            expect_round_trip(Quat::about(axis, angle));
    for (int i = 0; i < 100; ++i) expect_round_trip(Quat::about(random.direction(), pi));
    expect_round_trip({0, 1, 0, 0});
    expect_round_trip({0, 0, 1, 0});
    expect_round_trip({0, 0, 0, 1});
}

TEST(Quat, TurnsByTheRightHandAsEigenDoes) {
    Random random(3);
    const Vec3 y = Quat::about({0, 0, 2}, pi / 2).matrix() * Vec3{1, 0, 0};
    EXPECT_NEAR(y.x, 0, 1e-15);
    EXPECT_NEAR(y.y, 1, 1e-15);
    for (int i = 0; i < 100; ++i) {
        const Vec3 axis = random.direction();
        const double angle = random.uniform(-10, 10);
        const Eigen::Matrix3d known =
            Eigen::AngleAxisd(angle, Eigen::Vector3d(axis.x, axis.y, axis.z)).toRotationMatrix();
        const Mat3 mine = Quat::about(random.uniform(0.1, 10) * axis, angle).matrix();
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(mine(r, c), known(r, c), rounding);
    }
}

TEST(Quat, MultipliesAsMatricesDo) {
    Random random(4);
    for (int i = 0; i < 100; ++i) {
        const Quat a = random.rotation(), b = random.rotation();
        expect_near((a * b).matrix(), a.matrix() * b.matrix(), rounding);
        expect_near(a.conjugate().matrix(), a.matrix().transposed(), rounding);
        // The length does not matter to the matrix.
        expect_near(Quat{3 * a.w, 3 * a.x, 3 * a.y, 3 * a.z}.matrix(), a.matrix(), rounding);
    }
}

TEST(Mat3, MultipliesAndTransposes) {
    Random random(5);
    const Mat3 a = Mat3::columns(random.vector(1), random.vector(1), random.vector(1));
    const Mat3 b = Mat3::columns(random.vector(1), random.vector(1), random.vector(1));
    const Vec3 v = random.vector(1), w = random.vector(1);
    const Vec3 left = (a * b) * v, right = a * (b * v);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(left[i], right[i], rounding);
    EXPECT_EQ(a.transposed().transposed(), a);
    EXPECT_NEAR(dot(w, a * v), dot(a.transposed() * w, v), rounding);
    EXPECT_NEAR(dot(w, Mat3::outer(w, v) * v), dot(w, w) * dot(v, v), rounding);
    EXPECT_EQ(Mat3::identity() * v, v);
    EXPECT_EQ(a.column(1), a.transposed().row[1]);
    EXPECT_EQ(Mat3::diagonal({1, 2, 3}).trace(), 6);
}

TEST(Vec3, HasAPerpendicularInEveryDirection) {
    Random random(6);
    for (int i = 0; i < 200; ++i) {
        const Vec3 a = random.direction(), u = any_perpendicular(a);
        EXPECT_NEAR(dot(a, u), 0, rounding);
        EXPECT_NEAR(norm(u), 1, rounding);
    }
    for (int k = 0; k < 3; ++k) {
        Vec3 a;
        a[k] = -1;
        EXPECT_EQ(dot(a, any_perpendicular(a)), 0);
    }
}

TEST(Pose, CarriesLocalPointsToTheWorld) {
    const Pose pose{{1, 2, 3}, Quat::about({0, 0, 1}, pi / 2)};
    const Vec3 p = pose * Vec3{1, 0, 5};
    EXPECT_NEAR(p.x, 1, rounding);
    EXPECT_NEAR(p.y, 3, rounding);
    EXPECT_NEAR(p.z, 8, rounding);
}

}  // namespace
}  // namespace bristle::math
