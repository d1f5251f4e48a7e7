#include "contact/normal.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bristle::contact {
namespace {

constexpr double least_restitution = 0.01;

double soft_force(const NormalLaw& law, double depth) {
    if (law.exponent == 1.5) return law.stiffness * depth * std::sqrt(depth);
    if (law.exponent == 1) return law.stiffness * depth;
    return law.stiffness * std::pow(depth, law.exponent);
}

struct Elastic {
    double force, slope;
};
Elastic elastic(const NormalLaw& law, double depth) {
    if (depth <= 0) return {0, 0};
    const double soft = soft_force(law, depth);
    Elastic e{soft, law.exponent * soft / depth};
    const double beyond = depth - law.hard_beyond;
    if (!(law.hardening > 0) || beyond <= 0) return e;
    const double curved = std::min(beyond, law.hard_beyond);
    const double cube = law.hardening * curved * curved * curved;
    return {e.force + cube * (curved + 4 * (beyond - curved)), e.slope + 4 * cube};
}
double elastic_force(const NormalLaw& law, double depth) { return elastic(law, depth).force; }

// Mean of the elastic force along the way, and its derivative by the end.
MeanNormalForce mean_elastic(const NormalLaw& law, double from, double to) {
    if (from <= 0 && to <= 0) return {};
    const double way = to - from, deepest = std::max(from, to);
    if (from > 0 && to > 0 && std::abs(way) < 0.1 * deepest) {
        // The difference of energies would lose its digits; five Gauss points are exact to 1e-15.
        static constexpr double node[5] = {0.046910077030668, 0.230765344947158, 0.5,
                                           0.769234655052842, 0.953089922969332};
        static constexpr double weight[5] = {0.118463442528095, 0.239314335249683,
                                             0.284444444444444, 0.239314335249683,
                                             0.118463442528095};
        MeanNormalForce mean;
        for (int i = 0; i < 5; ++i) {
            const Elastic f = elastic(law, from + node[i] * way);
            mean.force += weight[i] * f.force;
            mean.by_depth += weight[i] * node[i] * f.slope;
        }
        return mean;
    }
    const double mean = (stored_energy(law, to) - stored_energy(law, from)) / way;
    return {mean, (elastic_force(law, to) - mean) / way};
}

template <class F> double bisect(F positive_below, double low, double high) {
    for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
        const double middle = 0.5 * (low + high);
        (positive_below(middle) > 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

double stored_energy(const NormalLaw& law, double depth) {
    if (!(depth > 0)) return 0;
    const double soft = soft_force(law, depth) * depth / (law.exponent + 1);
    const double beyond = depth - law.hard_beyond;
    if (!(law.hardening > 0) || beyond <= 0) return soft;
    const double curved = std::min(beyond, law.hard_beyond), straight = beyond - curved;
    const double cube = law.hardening * curved * curved * curved;
    return soft + cube * (curved * curved / 5 + straight * (curved + 2 * straight));
}

double depth_that_stores(const NormalLaw& law, double energy) {
    if (!(energy > 0) || !(law.stiffness > 0)) return 0;
    const double power = (law.exponent + 1) * energy / law.stiffness;
    const double soft =
        law.exponent == 1 ? std::sqrt(power) : std::pow(power, 1 / (law.exponent + 1));
    if (!(law.hardening > 0) || soft <= law.hard_beyond) return soft;
    // The energy is convex: from beyond, Newton's method comes down to it.
    double depth = soft;
    for (int i = 0; i < 100; ++i) {
        const double beyond = (stored_energy(law, depth) - energy) / elastic_force(law, depth);
        if (!(beyond > 1e-15 * depth)) break;
        depth -= beyond;
    }
    return depth;
}

NormalForce normal_force(const NormalLaw& law, double depth, double rate) {
    if (!(depth > 0)) return {};
    const Elastic spring = elastic(law, depth);
    if (law.viscous > 0) {
        const double force = spring.force + law.viscous * rate;
        return force > 0 ? NormalForce{force, spring.slope, law.viscous} : NormalForce{};
    }
    const double damping = 1 + law.factor * rate;
    return damping > 0 ? NormalForce{spring.force * damping, spring.slope * damping,
                                     spring.force * law.factor}
                       : NormalForce{};
}

MeanNormalForce mean_normal_force(const NormalLaw& law, double before, double depth, double step) {
    return mean_normal_force(law, before, depth, (depth - before) / step, step);
}

MeanNormalForce mean_normal_force(const NormalLaw& law, double before, double depth,
                                  double approach, double step) {
    const MeanNormalForce mean = mean_elastic(law, before, depth);
    if (law.viscous > 0) {
        // Damped only while it touches.
        const double force =
            mean.force + law.viscous * (std::max(depth, 0.0) - std::max(before, 0.0)) / step;
        if (!(force > 0)) return {};
        return {force, mean.by_depth + (depth > 0 ? law.viscous / step : 0)};
    }
    const double damping = 1 + law.factor * approach;
    if (!(damping > 0)) return {};
    BRISTLE_ASSERT(!(mean.force < 0));  // contacts push
    return {mean.force * damping, mean.by_depth * damping + mean.force * law.factor / step};
}

double local_depth(const NormalLaw& law, double before, double free_depth, double compliance,
                   double step) {
    if (!(free_depth > 0) && !(before > 0)) return free_depth;
    // δ + compliance · F̄(δ) rises with δ: below free_depth where F̄ is taken as large as it is there, above
    // it at free_depth itself.
    const auto excess = [&](double depth) {
        return depth + compliance * mean_normal_force(law, before, depth, step).force - free_depth;
    };
    const bool stays = free_depth > 0 && excess(0) < 0;
    double low = stays ? 0
                       : free_depth
                             - compliance * mean_normal_force(law, before, free_depth, step).force,
           high = stays ? free_depth : std::min(free_depth, 0.0);
    if (!stays && free_depth > 0) high = 0;
    for (int i = 0; i < 60 && high - low > 1e-3 * (stays ? high : free_depth - low); ++i) {
        // The force is nearly a power of the depth: halving its logarithm finds its decade soon.
        const double middle = stays && high > 4 * low
                                ? (low > 0 ? std::sqrt(low * high) : high / 16)
                                : 0.5 * (low + high);
        (excess(middle) < 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

double exact_hertz_damping(double restitution) {
    const double e = std::clamp(restitution, least_restitution, 1.0);
    if (e > 1 - 1e-6) return 1.5 * (1 - e);
    const auto balance = [e](double x) { return x - std::log1p(x) + e * x + std::log1p(-e * x); };
    // Positive near 0, where it is (1 − e²) x²/2, and −∞ at 1/e.
    return bisect(balance, 0, 1 / e);
}

double voigt_restitution(double z) {
    const double s = std::sqrt(std::abs(1 - z * z));
    const double angle = s < 1e-6 ? 2 : 2 * (z < 1 ? std::acos(z) : std::acosh(z)) / s;
    return std::exp(-z * angle);
}

double exact_voigt_damping(double restitution) {
    const double e = std::clamp(restitution, least_restitution, 1.0);
    return bisect([e](double ratio) { return voigt_restitution(ratio) - e; }, 0, 1e3);
}

double hertz_restitution(double x) {
    if (x < 1e-6) return 1 - 2.0 / 3 * x;
    const auto balance = [x](double e) { return x - std::log1p(x) + e * x + std::log1p(-e * x); };
    return bisect(balance, 0, std::min(1.0, 1 / x));
}

double decrement_damping(double restitution) {
    const double l = -std::log(std::clamp(restitution, least_restitution, 1.0));
    return l / std::hypot(std::numbers::pi, l);
}

}  // namespace bristle::contact
