// The bristle: its derivatives by differences in every regime, and what `newton` leaves out of them.
#include "contact/bristle.h"

#include "tests/support/random.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::contact {
namespace {

using testing_support::Random;

struct Case {
    BristleLaw law;
    Vec3 strain, speed;
    double normal, step;
};

double decade(Random& random, double low, double high) {
    return std::pow(10, random.uniform(low, high));
}

Vec3 in_plane_direction(Random& random) {
    const double phi = random.uniform(-pi, pi);
    return {std::cos(phi), std::sin(phi), 0};
}

// `stretch` of the limit is |w|, `pace` of the stick speed is |v|.
Case make_case(Random& random, double stretch, double pace) {
    Case c;
    c.law.stick_speed = decade(random, -6, 1);
    c.law.static_friction = decade(random, -2, 0.5);
    c.law.kinetic_friction = c.law.static_friction * random.uniform(0, 1);
    c.law.strain_share = random.uniform(0, 1);
    c.normal = decade(random, -3, 6);
    c.step = decade(random, -5, -2);
    const double limit = c.law.static_friction * c.normal;
    c.law.stiffness = decade(random, 1, 9);
    c.law.damping = decade(random, -3, 1) * limit / c.law.stick_speed;
    c.law.viscous = random.chance(0.5) ? decade(random, -3, 1) * limit / c.law.stick_speed : 0;
    c.speed = pace * c.law.stick_speed * in_plane_direction(random);
    c.strain =
        (stretch * limit * in_plane_direction(random) - c.law.damping * c.speed) / c.law.stiffness;
    return c;
}

BristleForce force_of(const Case& c) {
    return bristle_force(c.law, c.strain, c.speed, c.normal, c.step);
}

double size_of(const Mat3& m) {
    double sum = 0;
    for (const Vec3& row : m.row) sum += dot(row, row);
    return std::sqrt(sum);
}

Eigen::Matrix3d eigen(const Mat3& m) {
    Eigen::Matrix3d out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out(i, j) = m(i, j);
    return out;
}

// In error by ε⁴ and 1e-16/ε.
template <class F> Vec3 slope(const F& f, double e) {
    return (8.0 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e);
}

void expect_derivatives(const Case& c) {
    const BristleForce f = force_of(c);
    const double limit = c.law.static_friction * c.normal, pace = norm(c.speed);
    const double w = norm(c.law.stiffness * c.strain + c.law.damping * c.speed);
    // No difference may straddle the limit; beyond it, w turns on its own length.
    const double room = 1e-3 * (limit > 0 ? std::abs(w - limit) : w);
    const double e_speed = std::min({1e-3 * c.law.stick_speed, 1e-3 * pace, room / c.law.damping});
    const double e_strain = room / c.law.stiffness;
    const double size = norm(f.force) + limit + c.law.kinetic_friction * c.normal;
    for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        if (k == 2) continue;  // strain and speed are in the plane
        const auto with_strain = [&](double t) {
            Case moved = c;
            moved.strain += t * axis;
            return force_of(moved).force;
        };
        const auto with_speed = [&](double t) {
            Case moved = c;
            moved.speed += t * axis;
            return force_of(moved).force;
        };
        ASSERT_GT(std::min(e_strain, e_speed), 0);
        EXPECT_LE(norm(f.by_strain.column(k) - slope(with_strain, e_strain)),
                  1e-9 * size_of(f.by_strain) + 4e-15 * size / e_strain);
        EXPECT_LE(norm(f.by_speed.column(k) - slope(with_speed, e_speed)),
                  1e-9 * size_of(f.by_speed) + 4e-15 * size / e_speed);
    }
    // By the normal force: piecewise linear, but where the limit passes |w|.
    const double e_normal = std::min(1e-3 * c.normal, 1e-3 * room / c.law.static_friction);
    const auto with_normal = [&](double t) {
        return bristle_force(c.law, c.strain, c.speed, c.normal + t, c.step).force;
    };
    EXPECT_LE(norm(f.by_normal_force - slope(with_normal, e_normal)),
              1e-9 * norm(f.by_normal_force) + 4e-15 * size / e_normal);
}

TEST(BristleForce, HasTheDerivativesOfDifferencesWhileItSticks) {
    Random random(1);
    for (int i = 0; i < 4000; ++i)
        expect_derivatives(make_case(random, random.uniform(0.01, 0.99), decade(random, -3, 0.7)));
}

TEST(BristleForce, HasTheDerivativesOfDifferencesWhileItSlips) {
    Random random(2);
    for (int i = 0; i < 4000; ++i)
        expect_derivatives(make_case(random, 1 + decade(random, -2, 3), decade(random, -3, 3)));
}

TEST(BristleForce, HasTheDerivativesOfDifferencesOnBothSidesOfTheLimit) {
    Random random(3);
    for (int i = 0; i < 4000; ++i) {
        const double off = decade(random, -4, -2);
        expect_derivatives(
            make_case(random, random.chance(0.5) ? 1 - off : 1 + off, decade(random, -1, 0.5)));
    }
}

TEST(BristleForce, HasTheDerivativesOfDifferencesInTheStribeckRange) {
    Random random(4);
    for (int i = 0; i < 4000; ++i) {
        Case c = make_case(random,
                           random.chance(0.5) ? random.uniform(0.1, 0.9) : random.uniform(1.1, 4),
                           random.uniform(0.3, 2));
        if (random.chance(0.3)) c.law.kinetic_friction = 0;
        expect_derivatives(c);
    }
}

TEST(BristleForce, IsViscousAloneWithoutFriction) {
    Random random(5);
    for (int i = 0; i < 1000; ++i) {
        Case c = make_case(random, 1, decade(random, -3, 3));
        c.law.static_friction = c.law.kinetic_friction = 0;
        c.law.viscous = decade(random, -3, 3);
        c.strain = {};
        const BristleForce f = force_of(c);
        EXPECT_LE(norm(f.force + c.law.viscous * c.speed), 1e-15 * norm(f.force));
        for (int k = 0; k < 2; ++k)
            for (int l = 0; l < 2; ++l) {
                EXPECT_NEAR(f.by_speed(k, l), k == l ? -c.law.viscous : 0, 1e-14 * c.law.viscous);
                EXPECT_EQ(f.by_strain(k, l), 0);
            }
        EXPECT_EQ(norm(f.strain), 0);
    }
}

// At v = 0 the sliding part is |v| v/v_s²: once differentiable, so the difference is off by ε/v_s.
TEST(BristleForce, HasItsDerivativesAtRest) {
    Random random(6);
    for (int i = 0; i < 2000; ++i) {
        const bool slips = random.chance(0.5);
        const Case c = make_case(random, slips ? 1.5 : random.uniform(0.05, 0.9), 0);
        const BristleForce f = force_of(c);
        EXPECT_EQ(f.slips, slips);
        const double limit = c.law.static_friction * c.normal;
        // It keeps its direction: the bristle's.
        EXPECT_LE(norm(f.force
                       + std::min(1.0, slips ? limit / norm(c.law.stiffness * c.strain) : 1.0)
                             * c.law.stiffness * c.strain),
                  1e-13 * limit);
        const double e = std::min(1e-7 * c.law.stick_speed, 1e-5 * limit / c.law.damping);
        for (int k = 0; k < 2; ++k) {
            Vec3 axis;
            axis[k] = e;
            Case plus = c, minus = c;
            plus.speed = axis;
            minus.speed = -axis;
            const Vec3 known = (force_of(plus).force - force_of(minus).force) / (2 * e);
            EXPECT_LE(norm(f.by_speed.column(k) - known),
                      1e-6 * (c.law.damping + limit / c.law.stick_speed + c.law.viscous)
                          + 1e-15 * limit / e);
        }
        EXPECT_TRUE(is_finite(f.force));
    }
}

TEST(BristleForce, IsNothingWithNeitherStrainNorSpeed) {
    Case c;
    c.law = {1e5, 1e2, 1e-3, 0.5, 0.4, 0.1, 1};
    c.normal = 10;
    c.step = 1e-3;
    const BristleForce f = force_of(c);
    EXPECT_EQ(norm(f.force), 0);
    EXPECT_FALSE(f.slips);
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(f.by_strain(k, k), -1e5);
        EXPECT_EQ(f.by_speed(k, k), -(1e2 + 0.1));
        EXPECT_EQ(f.newton(k, k), 1e5 + (1e2 + 0.1) / 1e-3);
    }
    c.normal = 0;
    EXPECT_EQ(norm(force_of(c).force), 0);
    EXPECT_TRUE(is_finite(force_of(c).by_normal_force));
}

// Without friction (or pressure) nothing holds, and so nothing may be stiff: at rest as in motion.
TEST(BristleForce, HasNoStiffnessWithoutFriction) {
    for (Vec3 speed : {Vec3{}, Vec3{1e-9, 0, 0}})
        for (bool pressed : {false, true}) {
            const BristleLaw law{1e5, 1e2, 1e-3, pressed ? 0.0 : 0.5, pressed ? 0.0 : 0.4, 0, 1};
            const BristleForce f = bristle_force(law, {}, speed, pressed ? 10 : 0, 1e-3);
            EXPECT_EQ(norm(f.force), 0);
            EXPECT_EQ(size_of(f.by_strain), 0);
            EXPECT_EQ(size_of(f.by_speed), 0);
            EXPECT_EQ(size_of(f.newton), 0);
        }
}

TEST(BristleForce, IsContinuousAtTheLimitAndAtRest) {
    Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const Case c = make_case(random, 1, decade(random, -3, 1));
        Case below = c, beyond = c;
        below.strain = (1 - 1e-13) * c.strain;
        below.speed = (1 - 1e-13) * c.speed;
        beyond.strain = (1 + 1e-13) * c.strain;
        beyond.speed = (1 + 1e-13) * c.speed;
        const double size = c.law.static_friction * c.normal + norm(force_of(c).force)
                          + c.law.damping * norm(c.speed) + c.law.stiffness * norm(c.strain);
        EXPECT_LE(norm(force_of(below).force - force_of(beyond).force), 1e-10 * size);
    }
}

// Friction takes energy or stores it: with no strain it only brakes; and it never exceeds the cone.
TEST(BristleForce, StaysInTheConeAndOpposesTheSlip) {
    Random random(8);
    for (int i = 0; i < 20000; ++i) {
        Case c = make_case(random, decade(random, -3, 3),
                           random.chance(0.1) ? 0 : decade(random, -4, 4));
        const BristleForce f = force_of(c);
        const double limit = c.law.static_friction * c.normal;
        EXPECT_LE(norm(f.force + c.law.viscous * c.speed), limit * (1 + 1e-12));
        // The strain that is kept is at most η of the limit.
        if (f.slips) {
            EXPECT_NEAR(c.law.stiffness * norm(f.strain), c.law.strain_share * limit,
                        1e-12 * limit);
        }
        c.strain = {};
        EXPECT_LE(dot(force_of(c).force, c.speed), 0);
    }
}

// ---- newton --------------------------------------------------------------------------------------

// The symmetric part of −(∂F/∂u + ∂F/∂v/h).
Mat3 true_symmetric(const Case& c, const BristleForce& f) {
    const Mat3 m = -1.0 * (f.by_strain + (1 / c.step) * f.by_speed);
    return 0.5 * (m + m.transposed());
}

Case any_case(Random& random) {
    Case c =
        make_case(random, decade(random, -3, 3), random.chance(0.05) ? 0 : decade(random, -3, 3));
    if (random.chance(0.1)) c.law.kinetic_friction = 0;
    if (random.chance(0.05)) c.normal = 0;
    return c;
}

TEST(BristleNewton, IsSymmetricAndPositiveAlways) {
    Random random(9);
    for (int i = 0; i < 20000; ++i) {
        const Eigen::Matrix3d m = eigen(force_of(any_case(random)).newton);
        ASSERT_LE((m - m.transpose()).norm(), 1e-14 * m.norm());
        const auto values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m).eigenvalues();
        ASSERT_GE(values(0), -1e-14 * m.norm() - 1e-200);
    }
}

TEST(BristleNewton, IsTheTrueSymmetricPartAtRestAndWhereSlipHasNoStribeck) {
    Random random(10);
    for (int i = 0; i < 5000; ++i) {
        // At rest; and fast, where κ has gone.
        const Case c = make_case(random, decade(random, -2, 2),
                                 random.chance(0.5) ? 0 : random.uniform(7, 1e3));
        const BristleForce f = force_of(c);
        const Mat3 known = true_symmetric(c, f);
        EXPECT_LE(size_of(f.newton - known), 1e-14 * size_of(known));
    }
}

// The bristle along the slip and pulling less than kinetic friction: force rises with the speed.
TEST(BristleNewton, IsTheTrueSymmetricPartOnTheRisingBranch) {
    Random random(11);
    for (int i = 0; i < 5000; ++i) {
        Case c = make_case(random, 0.5, random.uniform(0.1, 3));
        c.law.kinetic_friction = c.law.static_friction;
        const double limit = c.law.static_friction * c.normal;
        c.strain =
            (random.uniform(-3, 0.99) * limit * normalized(c.speed) - c.law.damping * c.speed)
            / c.law.stiffness;
        const BristleForce f = force_of(c);
        const Mat3 known = true_symmetric(c, f);
        EXPECT_LE(size_of(f.newton - known), 1e-12 * size_of(known));
    }
}

// Stribeck's falling branch is kept apart, and is negative. Where the bristle is along the slip the two
// are all there is.
TEST(BristleNewton, AndTheFallingBranchAreTheTrueSymmetricPartAlongTheSlip) {
    Random random(15);
    int falling = 0;
    for (int i = 0; i < 5000; ++i) {
        Case c = make_case(random, 0.5, random.uniform(0.1, 3));
        const double limit = c.law.static_friction * c.normal;
        c.strain = (random.uniform(-3, 3) * limit * normalized(c.speed) - c.law.damping * c.speed)
                 / c.law.stiffness;
        const BristleForce f = force_of(c);
        const Mat3 known = true_symmetric(c, f);
        EXPECT_LE(size_of(f.newton + f.falling - known),
                  1e-12 * (size_of(f.newton) + size_of(f.falling)));
        const auto values =
            Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(eigen(f.falling)).eigenvalues();
        EXPECT_LE(values(2), 1e-14 * size_of(f.falling));
        falling += size_of(f.falling) > 0;
    }
    EXPECT_GT(falling, 1000);
    EXPECT_LT(falling, 4000);
}

// What newton leaves out: (2κ/v_s²) of gap ⊗ v where it falls, and gap's part across the slip. |gap| is at
// most (μ_s + μ_d) N and 2κ|v|/v_s² at most √(2/e)/v_s, so never more than this.
TEST(BristleNewton, LeavesOutNoMoreThanStribecksSlope) {
    Random random(12);
    double worst = 0;
    for (int i = 0; i < 30000; ++i) {
        const Case c = any_case(random);
        const BristleForce f = force_of(c);
        const double bound = std::sqrt(2 / std::exp(1.0)) / c.law.stick_speed / c.step
                           * (c.law.static_friction + c.law.kinetic_friction) * c.normal;
        const double left_out = size_of(f.newton - true_symmetric(c, f));
        EXPECT_LE(left_out, bound + 1e-13 * size_of(f.newton));
        if (bound > 0) worst = std::max(worst, left_out / bound);
    }
    EXPECT_GT(worst, 0.3) << "the bound is never approached: make it tighter";
}

// A step of one mass that friction holds: m Δ/h² = m v₀/h + P + F(u₀ + Δ, Δ/h), with the parameters a
// contact estimates (k = m/(2h)², c = 2√(km), v_s = 2 μ g h). Stribeck's slope that newton leaves out
// is then at most √(2/e) m/(2h²), 0.43 of the mass term: away from kinks each iteration contracts to
// that. At the kink of the limit it can jump to and fro; the solver's remedy is here too: corrections
// that turn round are halved.
struct Step {
    double mass, h, normal;
    BristleLaw law;
    Vec3 strain, before, push;
};

Step random_step(Random& random, double kinetic_share) {
    Step s;
    s.mass = decade(random, -2, 2);
    s.h = 5e-3;
    const double g = 9.81, mu = decade(random, -1.5, 0);
    s.normal = s.mass * g;
    s.law.stiffness = s.mass / (4 * s.h * s.h);
    s.law.damping = 2 * std::sqrt(s.law.stiffness * s.mass);
    s.law.stick_speed = 2 * mu * g * s.h;
    s.law.static_friction = mu;
    s.law.kinetic_friction = kinetic_share * mu;
    const double limit = mu * s.normal;
    s.strain = random.uniform(0, 1) * limit / s.law.stiffness * in_plane_direction(random);
    s.before = decade(random, -2, 2) * s.law.stick_speed * in_plane_direction(random);
    s.push = random.uniform(0, 2) * limit * in_plane_direction(random);
    return s;
}

struct Convergence {
    double average = 0, slowest = 0;
    int worst = 0, failed = 0;
};

void solve(const Step& s, bool halving, Convergence& out) {
    const double h = s.h, m = s.mass, limit = s.law.static_friction * s.normal;
    Vec3 way = h * s.before, last_x;
    double last = 0, relax = 1;
    int i = 0, smooth = 0;
    bool slipped = false;
    for (; i < 100; ++i) {
        const BristleForce f = bristle_force(s.law, s.strain + way, way / h, s.normal, h);
        const Vec3 residual = (m / (h * h)) * way - (m / h) * s.before - s.push - f.force;
        const double left = norm(residual);
        if (left < 1e-9 * limit) break;
        // Contraction is measured where nothing changes between sticking and slipping for a while.
        smooth = f.slips == slipped && relax == 1 ? smooth + 1 : 0;
        if (smooth > 5) out.slowest = std::max(out.slowest, left / last);
        slipped = f.slips;
        last = left;
        const Eigen::Matrix3d t = eigen(f.newton) + m / (h * h) * Eigen::Matrix3d::Identity();
        const Eigen::Vector3d solved =
            t.ldlt().solve(Eigen::Vector3d(residual.x, residual.y, residual.z));
        Vec3 x{solved(0), solved(1), solved(2)};
        if (halving && i >= 2)
            relax = dot(x, last_x) < -0.25 * dot(last_x, last_x) ? 0.5 * relax
                                                                 : std::min(1.0, 2 * relax);
        last_x = x;
        way -= relax * x;
    }
    out.worst = std::max(out.worst, i);
    out.failed += i == 100;
    out.average += i;
}

Convergence convergence(double kinetic_share, bool halving) {
    Random random(13);
    Convergence out;
    const int runs = 4000;
    for (int i = 0; i < runs; ++i) solve(random_step(random, kinetic_share), halving, out);
    out.average /= runs;
    return out;
}

TEST(BristleNewton, SeldomJumpsToAndFroForEver) {
    for (double share : {1.0, 0.8, 0.5, 0.2, 0.0}) {
        const Convergence c = convergence(share, false);
        EXPECT_LE(c.average, 8) << share;
        EXPECT_LE(c.failed, 20) << share;  // of 4000
    }
}

TEST(BristleNewton, AlwaysConvergesWhenCorrectionsThatTurnRoundAreHalved) {
    for (double share : {1.0, 0.8, 0.5, 0.2, 0.0}) {
        const Convergence c = convergence(share, true);
        EXPECT_EQ(c.failed, 0) << share;
        EXPECT_LE(c.average, share == 1 ? 4 : 7) << share;
        EXPECT_LE(c.worst, share == 1 ? 11 : 30) << share;
        EXPECT_LE(c.slowest, 0.43 * (1 - share) + 0.1) << share;
    }
}

}  // namespace
}  // namespace bristle::contact
