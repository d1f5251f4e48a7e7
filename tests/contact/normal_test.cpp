// The normal force: its derivatives by differences, its mean by quadrature, its energy by arithmetic.
#include "contact/normal.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::contact {
namespace {

using testing_support::Random;

double decade(Random& random, double low, double high) {
    return std::pow(10, random.uniform(low, high));
}

// Hertz family or Kelvin–Voigt, over many decades; `damped` 0 is elastic.
NormalLaw random_law(Random& random, double scale, double step, bool voigt, double damped) {
    NormalLaw law;
    law.stiffness = decade(random, 0, 12);
    if (voigt) {
        law.exponent = 1;
        law.viscous = damped * law.stiffness * step;
    } else {
        const double exponents[] = {1, 1.5, 2, 2.2, 3};
        law.exponent = exponents[random.integer(0, 4)];
        law.factor = damped * step / scale;
    }
    return law;
}

// In error by ε⁴ and 1e-16/ε.
template <class F> double slope(const F& f, double x, double e) {
    return (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * e);
}

// An oracle of its own: the mean of the elastic force along the way, by Simpson's rule in a variable that
// takes the sting out of the power at zero (depth = to · s⁴ near the surface).
double mean_by_quadrature(const NormalLaw& law, double from, double to) {
    const double low = std::max(std::min(from, to), 0.0), high = std::max(std::max(from, to), 0.0);
    if (high == 0) return 0;
    if (from == to) return law.stiffness * std::pow(to, law.exponent);
    const int n = 4000;
    long double sum = 0;
    for (int i = 0; i <= n; ++i) {
        const long double s = static_cast<long double>(i) / n;
        const long double depth = low + (high - low) * s * s * s * s;
        const long double f = law.stiffness
                            * std::pow(depth, static_cast<long double>(law.exponent))
                            * (4 * s * s * s);
        sum += f * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return static_cast<double>(sum / (3 * n) * (high - low) / std::abs(to - from));
}

TEST(NormalForce, HasTheDerivativesOfDifferencesInEveryRegime) {
    Random random(1);
    int pushing = 0, pulling = 0, open = 0;
    for (int i = 0; i < 20000; ++i) {
        const double depth = decade(random, -12, 0), step = decade(random, -5, -2);
        const NormalLaw law =
            random_law(random, depth, step, random.chance(0.3), random.uniform(0, 2));
        const double rate = random.uniform(-2, 2) * depth / step;
        const double elastic = law.stiffness * std::pow(depth, law.exponent);
        // Next to the clip there is no derivative to compare with.
        const double margin =
            law.viscous > 0 ? (elastic + law.viscous * rate) / elastic : 1 + law.factor * rate;
        if (std::abs(margin) < 0.05) continue;
        const NormalForce f = normal_force(law, depth, rate);
        (f.force > 0 ? pushing : pulling) += 1;
        const double by_depth =
            slope([&](double d) { return normal_force(law, d, rate).force; }, depth, 1e-3 * depth);
        const double by_rate = slope([&](double r) { return normal_force(law, depth, r).force; },
                                     rate, 1e-3 * depth / step);
        const double size = f.force + elastic;
        EXPECT_NEAR(f.by_depth, by_depth, 1e-9 * size / depth);
        EXPECT_NEAR(f.by_rate, by_rate, 1e-9 * size * step / depth);
        EXPECT_GE(f.force, 0);
        const NormalForce gap = normal_force(law, -depth, rate);
        open += gap.force == 0 && gap.by_depth == 0 && gap.by_rate == 0;
        EXPECT_EQ(gap.force, 0);
    }
    EXPECT_GT(pushing, 5000);
    EXPECT_GT(pulling, 2000) << "never clipped by damping";
    EXPECT_GT(open, 5000);
}

TEST(NormalForce, OfNotANumberIsNone) {
    const NormalLaw law{1e6, 1.5, 0.1, 0};
    EXPECT_EQ(normal_force(law, NAN, 1).force, 0);
    EXPECT_EQ(normal_force(law, 1e-3, NAN).force, 0);
}

TEST(MeanNormalForce, IsTheQuadratureOfTheElasticForceAlongTheWay) {
    Random random(2);
    for (int i = 0; i < 1500; ++i) {
        const double scale = decade(random, -12, 0);
        const NormalLaw law = random_law(random, scale, 1e-3, false, 0);
        double from = scale * random.uniform(-1, 1), to = scale * random.uniform(-1, 1);
        if (i % 3 == 0) to = from * (1 + decade(random, -12, -0.5) * (random.chance(0.5) ? 1 : -1));
        if (i % 7 == 0) from = 0;
        const double known = mean_by_quadrature(law, from, to);
        // Simpson's rule on s⁴ⁿ⁺³ is good to 1e-12; the ratio of energies loses one digit.
        EXPECT_NEAR(mean_normal_force(law, from, to, 1e-3).force, known, 1e-11 * known)
            << law.exponent << " from " << from << " to " << to;
    }
}

// What the contact does on its way is what it stores: F̄ Δδ = U(δ₁) − U(δ₀).
TEST(MeanNormalForce, DoesTheWorkThatIsStored) {
    Random random(3);
    for (int i = 0; i < 20000; ++i) {
        const double scale = decade(random, -12, 0);
        const NormalLaw law = random_law(random, scale, 1e-3, false, 0);
        const double from = scale * random.uniform(-1, 1), to = scale * random.uniform(-1, 1);
        const double before = stored_energy(law, from), after = stored_energy(law, to);
        const double work = mean_normal_force(law, from, to, 1e-3).force * (to - from);
        EXPECT_NEAR(work, after - before, 4e-15 * std::max(before, after));
    }
}

// Closed impact, whatever its steps: with damping less comes back, never more.
TEST(MeanNormalForce, TakesEnergyNeverGivesItOnAnyRoundTrip) {
    Random random(4);
    for (int i = 0; i < 5000; ++i) {
        const double scale = decade(random, -9, 0), step = decade(random, -5, -2);
        const NormalLaw law =
            random_law(random, scale, step, random.chance(0.3), random.uniform(0, 5));
        double depth = -scale * random.uniform(0, 1), work = 0, most = 0;
        const double start = depth;
        for (int k = 0; k < 6; ++k) {
            const double next = k == 5 ? start : scale * random.uniform(-1, 1);
            work += mean_normal_force(law, depth, next, step).force * (next - depth);
            most = std::max(most, stored_energy(law, next));
            depth = next;
        }
        EXPECT_GE(work, -1e-14 * most);
    }
}

TEST(MeanNormalForce, HasTheDerivativeOfDifferencesInEveryRegime) {
    Random random(5);
    int staying = 0, striking = 0, releasing = 0, apart = 0, clipped = 0, near = 0;
    for (int i = 0; i < 30000; ++i) {
        const double scale = decade(random, -12, 0), step = decade(random, -5, -2);
        const NormalLaw law =
            random_law(random, scale, step, random.chance(0.3), random.uniform(0, 2));
        const double from = scale * random.uniform(-1, 1);
        double to = scale * random.uniform(-1, 1);
        if (i % 3 == 0 && from > 0) {
            // The range of the Gauss points.
            to = from * (1 + random.uniform(-0.08, 0.08));
            ++near;
        }
        // Where the branches meet (depth zero, a way of 0.1, the clip) the differences must not straddle.
        const double e = 1e-4 * std::min(std::abs(to), scale);
        const auto force = [&](double d) { return mean_normal_force(law, from, d, step).force; };
        const double elastic = stored_energy(law, scale) / scale;
        const bool cut = std::min({force(to + 3 * e), force(to), force(to - 3 * e)}) == 0
                      && std::max({force(to + 3 * e), force(to), force(to - 3 * e)}) > 0;
        if (std::abs(to) < 1e-3 * scale || cut) continue;
        const MeanNormalForce mean = mean_normal_force(law, from, to, step);
        if (from <= 0 && to <= 0)
            ++apart;
        else if (mean.force == 0)
            ++clipped;
        else
            ++(from <= 0 ? striking : to <= 0 ? releasing : staying);
        // 1e-16 F/ε of rounding in the differences.
        EXPECT_NEAR(mean.by_depth, slope(force, to, e),
                    1e-8 * mean.by_depth + 1e-14 * (elastic + mean.force) / e)
            << law.exponent << " viscous " << law.viscous << " from " << from / scale << " to "
            << to / scale;
        EXPECT_GE(mean.by_depth, 0);
        EXPECT_GE(mean.force, 0);
    }
    for (int count : {staying, striking, releasing, apart, clipped, near}) EXPECT_GT(count, 1000);
}

TEST(MeanNormalForce, BecomesTheForceOfTheInstantAsTheWayVanishes) {
    Random random(6);
    for (int i = 0; i < 5000; ++i) {
        const double depth = decade(random, -12, 0), step = decade(random, -5, -2);
        const NormalLaw law =
            random_law(random, depth, step, random.chance(0.3), random.uniform(0, 2));
        for (double share : {0.0, 1e-16, -1e-13, 1e-11, -1e-11}) {
            const double to = depth * (1 + share), rate = (to - depth) / step;
            const double instant = normal_force(law, depth, rate).force;
            EXPECT_NEAR(mean_normal_force(law, depth, to, step).force, instant, 1e-10 * instant);
        }
        // Its slope is half the law's, and all of the damping's.
        const NormalForce instant = normal_force(law, depth, 0);
        EXPECT_NEAR(mean_normal_force(law, depth, depth, step).by_depth,
                    0.5 * instant.by_depth + instant.by_rate / step,
                    1e-12 * (instant.by_depth + instant.by_rate / step));
    }
}

// Both sides of each switch: zero depth at either end, a way of a tenth, exponents beside the special ones.
TEST(MeanNormalForce, IsContinuousWhereItsBranchesMeet) {
    Random random(7);
    const double tiny = 1e-13;
    for (int i = 0; i < 5000; ++i) {
        const double scale = decade(random, -9, 0), step = decade(random, -5, -2);
        NormalLaw law = random_law(random, scale, step, random.chance(0.3), random.uniform(0, 1));
        const double other = scale * random.uniform(0.1, 1);
        const auto expect_same = [&](double f1, double t1, double f2, double t2) {
            const MeanNormalForce a = mean_normal_force(law, f1, t1, step),
                                  b = mean_normal_force(law, f2, t2, step);
            const double size = stored_energy(law, scale) / scale;
            EXPECT_NEAR(a.force, b.force, 1e-10 * size);
            return std::pair(a, b);
        };
        expect_same(other, tiny * scale, other, -tiny * scale);  // releases, or just not
        expect_same(tiny * scale, other, -tiny * scale, other);  // strikes, or touched already
        expect_same(-other, tiny * scale, -other, -tiny * scale);
        for (double way : {0.9, 1 / 0.9}) {
            // A way of a tenth of the deepest: from energies to Gauss points.
            const auto [a, b] =
                expect_same(other, other * way * (1 + tiny), other, other * way * (1 - tiny));
            EXPECT_NEAR(a.by_depth, b.by_depth, 1e-10 * a.by_depth);
        }
        if (law.viscous > 0) continue;
        for (double exponent : {1.0, 1.5}) {
            law.exponent = exponent;
            const double exact = mean_normal_force(law, 0, other, step).force;
            law.exponent = std::nextafter(exponent, 2);
            EXPECT_NEAR(mean_normal_force(law, 0, other, step).force, exact, 1e-12 * exact);
        }
    }
}

TEST(MeanNormalForce, ClipsWhereTheForceIsZero) {
    // Where the damping just takes all of it, the force comes to zero and does not jump.
    const NormalLaw hertz{1e6, 1.5, 0.2, 0}, voigt{1e6, 1, 0, 3e3};
    const double h = 1e-3, before = 0.01;
    for (const NormalLaw& law : {hertz, voigt}) {
        double low = -0.01, high = before;
        for (int i = 0; i < 200; ++i) {
            const double middle = 0.5 * (low + high);
            (mean_normal_force(law, before, middle, h).force > 0 ? high : low) = middle;
        }
        EXPECT_GT(low, -0.01) << "was never clipped";
        EXPECT_NEAR(mean_normal_force(law, before, high, h).force, 0,
                    1e-10 * normal_force(law, before, 0).force);
    }
}

// Its promise is Newton's start: where one contact alone would end. It is asked over 20 decades of stiffness.
TEST(LocalDepth, SolvesItsEquationOverTwentyDecades) {
    Random random(8);
    int deep = 0, shallow = 0;
    for (int i = 0; i < 20000; ++i) {
        const double free = decade(random, -9, 0), step = decade(random, -5, -2);
        NormalLaw law = random_law(random, free, step, random.chance(0.2), random.uniform(0, 2));
        law.stiffness = decade(random, -4, 16);
        const double compliance = decade(random, -9, -3);
        if (law.viscous > 0)
            law.viscous = random.uniform(0, 2) * std::sqrt(law.stiffness / compliance) * step;
        const double before = free * random.uniform(-2, 0);
        const double depth = local_depth(law, before, free, compliance, step);
        const auto excess = [&](double d) {
            return d + compliance * mean_normal_force(law, before, d, step).force - free;
        };
        ASSERT_GT(depth, 0);
        ASSERT_LE(depth, free);
        // Half of the last bracket: 1e-3 of the depth.
        EXPECT_LE(excess(depth * (1 - 1e-3)), 1e-15 * free);
        EXPECT_GE(excess(std::min(depth * (1 + 1e-3), free)), -1e-15 * free);
        ++(depth < 1e-3 * free ? deep : shallow);
    }
    EXPECT_GT(deep, 1000);
    EXPECT_GT(shallow, 1000);
}

// A contact that was closed and is thrown off within the step ends open: the force of the rest of its
// way is still in the equation, so it ends beyond where it would without contact.
TEST(LocalDepth, SolvesItsEquationWhenTheContactOpensInTheStep) {
    const NormalLaw law{1e9, 1.5, 0, 0};
    const double h = 1e-3, compliance = 0.25e-6, before = 1e-3;
    for (double free : {1e-4, 1e-6, -1e-4}) {
        const double depth = local_depth(law, before, free, compliance, h);
        const double force = mean_normal_force(law, before, depth, h).force;
        EXPECT_NEAR(depth + compliance * force, free, 1e-2 * compliance * force) << free;
    }
}

TEST(LocalDepth, LeavesWhatDoesNotTouch) {
    const NormalLaw law{1e9, 1.5, 0.1, 0};
    EXPECT_EQ(local_depth(law, -1, -0.5, 1e-6, 1e-3), -0.5);
    EXPECT_EQ(local_depth(law, -1, 0, 1e-6, 1e-3), 0);
    EXPECT_TRUE(std::isnan(local_depth(law, -1, NAN, 1e-6, 1e-3)));
}

}  // namespace
}  // namespace bristle::contact
