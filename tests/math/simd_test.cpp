#include "math/simd.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>

namespace bristle::math {
namespace {

using testing_support::Random;

TEST(Simd, CrossAndDotAreThoseOfVectors) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3 a = random.vector(10), b = random.vector(10);
        EXPECT_EQ(to_vec3(cross(to_vec4(a), to_vec4(b))), cross(a, b));
        EXPECT_EQ(cross(to_vec4(a), to_vec4(b))[3], 0);
        // The order of the sum differs: a rounding of the largest term.
        EXPECT_NEAR(dot(to_vec4(a), to_vec4(b)), dot(a, b), 1e-13);
        EXPECT_EQ(to_vec3(to_vec4(a)), a);
    }
}

TEST(Simd, CrossObeysTheHandRule) {
    const Vec4 x{1, 0, 0, 0}, y{0, 1, 0, 0}, z{0, 0, 1, 0};
    EXPECT_EQ(to_vec3(cross(x, y)), to_vec3(z));
    EXPECT_EQ(to_vec3(cross(y, z)), to_vec3(x));
    EXPECT_EQ(to_vec3(cross(z, x)), to_vec3(y));
}

TEST(Simd, SumTakesAllFourLanes) {
    EXPECT_EQ(sum(Vec4{1, 20, 300, 4000}), 4321);
    EXPECT_EQ(sum(broadcast(0.25)), 1);
}

TEST(Simd, FusedProductsRoundOnce) {
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const Vec3 a = random.vector(1), b = random.vector(1), c = random.vector(1e-9);
        const Vec4 plus = fma(to_vec4(a), to_vec4(b), to_vec4(c)),
                   minus = fnma(to_vec4(a), to_vec4(b), to_vec4(c)),
                   scaled = fma(a.x, to_vec4(b), to_vec4(c));
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(plus[k], std::fma(a[k], b[k], c[k]));
            EXPECT_EQ(minus[k], std::fma(-a[k], b[k], c[k]));
            EXPECT_EQ(scaled[k], std::fma(a.x, b[k], c[k]));
        }
        EXPECT_EQ(plus[3], 0);
    }
}

}  // namespace
}  // namespace bristle::math
