// The fundamental equation of earthmoving against the wedge it stands for, and soils.
#include "machines/earth/earthmoving.h"

#include <bristle/error.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::machines {
namespace {

// Balance of the wedge written down as two equations in P and R, solved for P: no formula of earthmoving.cpp.
struct Balance {
    double push, ahead, down;
};
Balance balance(const Soil& s, const Blade& b, double beta, double speed) {
    const double a = b.rake, d = b.depth, f = s.friction_angle, e = s.steel_friction_angle;
    const double blade = d / std::sin(a), plane = d / std::sin(beta),
                 base = d * (std::cos(a) / std::sin(a) + std::cos(beta) / std::sin(beta));
    const double weight = 0.5 * s.density * b.gravity * d * base + b.surcharge * base;
    // Soil slides up the plane at β with the speed that keeps it on the blade.
    const double rising = speed * std::sin(a) / std::sin(a + beta), flow = s.density * speed * d;
    // x: P sin(a+e) + c_a L cos a − R sin(β+f) − c F cos β = ṁ v cos β; z likewise.
    const double x = -s.adhesion * blade * std::cos(a) + s.cohesion * plane * std::cos(beta)
                   + flow * rising * std::cos(beta);
    const double z = s.adhesion * blade * std::sin(a) + s.cohesion * plane * std::sin(beta) + weight
                   + flow * rising * std::sin(beta);
    // [sin(a+e) −sin(β+f); cos(a+e) cos(β+f)] [P R]ᵀ = [x z]ᵀ
    const double det = std::sin(a + e) * std::cos(beta + f) + std::sin(beta + f) * std::cos(a + e);
    const double p = (x * std::cos(beta + f) + z * std::sin(beta + f)) / det;
    return {p, p * std::sin(a + e) + s.adhesion * blade * std::cos(a),
            p * std::cos(a + e) - s.adhesion * blade * std::sin(a)};
}

TEST(Earthmoving, IsTheLeastOfAllWedges) {
    for (const Soil& soil : {sand(), loam(), clay(), gravel()})
        for (const double depth : {0.05, 0.2, 0.6})
            for (const double rake : {0.35, 0.8, 1.2, pi / 2})
                for (const double surcharge : {0.0, 8e3}) {
                    const Blade blade{.depth = depth, .rake = rake, .surcharge = surcharge};
                    const Failure f = wedge_failure(soil, blade);
                    double least = 1e300;
                    for (double beta = 0.03; beta < pi / 2; beta += 1e-4) {
                        const double room =
                            pi - rake - soil.steel_friction_angle - soil.friction_angle - beta;
                        if (room < 0.03) break;
                        least = std::min(least, balance(soil, blade, beta, 0).push);
                    }
                    const Balance here = balance(soil, blade, f.angle, 0);
                    EXPECT_NEAR(here.push, least, 1e-6 * least) << soil.name;
                    EXPECT_NEAR(f.ahead, here.ahead, 1e-9 * here.push);
                    EXPECT_NEAR(f.down, here.down, 1e-9 * here.push);
                    for (const double v : {0.5, 2.0})
                        EXPECT_NEAR(f.ahead + f.by_speed * v * v,
                                    balance(soil, blade, f.angle, v).ahead, 1e-9 * here.push);
                }
}

// A vertical smooth wall in cohesionless soil: Rankine's passive pressure.
TEST(Earthmoving, IsRankinesPressureOnASmoothWall) {
    Soil soil = sand();
    soil.cohesion = soil.adhesion = soil.steel_friction_angle = 0;
    const double depth = 0.7, k = std::pow(std::tan(pi / 4 + soil.friction_angle / 2), 2);
    const Failure f = wedge_failure(soil, {.depth = depth, .rake = pi / 2});
    EXPECT_NEAR(f.ahead, 0.5 * soil.density * 9.81 * depth * depth * k, 1e-6 * f.ahead);
    EXPECT_NEAR(f.angle, pi / 4 - soil.friction_angle / 2, 1e-6);
    EXPECT_NEAR(f.down, 0, 1e-9 * f.ahead);
    // With cohesion 2 c d √k more.
    soil.cohesion = 5e3;
    const Failure g = wedge_failure(soil, {.depth = depth, .rake = pi / 2});
    EXPECT_NEAR(g.ahead - f.ahead, 2 * 5e3 * depth * std::sqrt(k), 1e-6 * g.ahead);
}

TEST(Earthmoving, NothingResistsAboveTheGround) {
    EXPECT_EQ(wedge_failure(sand(), {.depth = 0}).ahead, 0);
    EXPECT_EQ(wedge_failure(sand(), {.depth = -1}).ahead, 0);
    EXPECT_EQ(wedge_failure(sand(), {.depth = std::nan("")}).ahead, 0);
}

TEST(Soils, CarryByBekkersCurveAndItsInverse) {
    for (const Soil& soil : {sand(), loam(), clay(), gravel()}) {
        check(soil);
        for (const double z : {0.001, 0.03, 0.2})
            EXPECT_NEAR(soil.sinkage(soil.pressure(z, 0.4), 0.4), z, 1e-12);
        EXPECT_EQ(soil.pressure(-1, 0.4), 0);
        EXPECT_EQ(soil.sinkage(-1, 0.4), 0);
        EXPECT_LT(soil.loose_density(), soil.density);
        EXPECT_GT(soil.compacted_density(), soil.density);
    }
    Soil bad = sand();
    bad.density = std::nan("");
    EXPECT_THROW(check(bad), InputError);
    bad = clay();
    bad.standing_angle = 0.2;
    EXPECT_THROW(check(bad), InputError);
}

}  // namespace
}  // namespace bristle::machines
