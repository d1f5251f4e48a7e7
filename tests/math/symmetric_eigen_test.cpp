#include "math/symmetric_eigen.h"

#include "tests/support/random.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>

namespace bristle::math {
namespace {

using testing_support::Random;

double largest(const Mat3& m) {
    double most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(m(i, j)));
    return most;
}

// A = R D Rᵀ, R a rotation, D Eigen's values: each to rounding of the largest entry.
void expect_decomposes(const Mat3& a) {
    const auto [values, axes] = symmetric_eigen(a);
    const double size = largest(a);
    const Mat3 back = axes * Mat3::diagonal(values) * axes.transposed();
    EXPECT_LE(largest(back - a), 1e-14 * size);
    EXPECT_LE(largest(axes * axes.transposed() - Mat3::identity()), 1e-14);
    EXPECT_NEAR(dot(cross(axes.column(0), axes.column(1)), axes.column(2)), 1, 1e-14);
    if (size == 0) return;

    Eigen::Matrix3d e;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) e(i, j) = a(i, j) / size;
    const Eigen::Vector3d known = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(e).eigenvalues();
    double mine[3] = {values.x / size, values.y / size, values.z / size};
    std::sort(mine, mine + 3);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mine[i], known(i), 1e-14);
}

Mat3 with_values(Vec3 values, Random& random) {
    const Mat3 r = random.rotation().matrix();
    const Mat3 a = r * Mat3::diagonal(values) * r.transposed();
    return 0.5 * (a + a.transposed());
}

TEST(SymmetricEigen, DecomposesRandomMatrices) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        Mat3 a;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c <= r; ++c) a(r, c) = a(c, r) = random.uniform(-1, 1);
        expect_decomposes(a);
    }
}

TEST(SymmetricEigen, DecomposesDegenerateMatrices) {
    Random random(2);
    expect_decomposes({});
    expect_decomposes(Mat3::identity());
    expect_decomposes(Mat3::diagonal({3, -2, 0}));
    for (int i = 0; i < 30; ++i) {
        expect_decomposes(with_values({2, 2, 2}, random));
        expect_decomposes(with_values({1, 1, 5}, random));
        expect_decomposes(with_values({1, 5, 5}, random));
        expect_decomposes(with_values({0, 0, 1}, random));
        expect_decomposes(with_values({0, 1, 1}, random));
        expect_decomposes(with_values({1, 1 + 1e-12, 1 - 1e-12}, random));
        expect_decomposes(with_values({1e-12, 1, 1e6}, random));
    }
}

TEST(SymmetricEigen, DecomposesTinyAndHugeMatrices) {
    Random random(3);
    for (double scale : {1e-200, 1e-30, 1e30, 1e200}) {
        for (int i = 0; i < 20; ++i) {
            expect_decomposes(scale * with_values({1, 2, 3}, random));
            expect_decomposes(scale * with_values({1, 1, 0}, random));
            expect_decomposes(scale * with_values({1e-10, 1, 1}, random));
        }
    }
}

}  // namespace
}  // namespace bristle::math
