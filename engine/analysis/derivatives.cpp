#include "analysis/derivatives.h"

#include <array>
#include <cmath>

namespace bristle::analysis {
namespace {

// Extrapolates d(h), whose error has only even powers of h, and rounding(h). Small steps must not win because
// their rounded values happen to be equal.
template <class Difference, class Rounding>
double extrapolate(const Difference& d, const Rounding& rounding) {
    constexpr int levels = 24;
    constexpr double shrink = 1.5;
    std::array<double, levels> row{}, last{};
    double h = 0.1, best = 0, error = unlimited;
    for (int i = 0; i < levels; ++i, h /= shrink) {
        row[0] = d(h);
        double factor = 1;
        for (size_t j = 1; j <= static_cast<size_t>(i); ++j) {
            factor *= shrink * shrink;
            row[j] = row[j - 1] + (row[j - 1] - last[j - 1]) / (factor - 1);
            const double doubt =
                std::max(std::abs(row[j] - row[j - 1]), std::abs(row[j] - last[j - 1]))
                + rounding(h);
            if (doubt < error) {
                error = doubt;
                best = row[j];
            }
        }
        last = row;
    }
    return best;
}

double simpson(const TimeFunction& f, double a, double b, double fa, double fm, double fb,
               double whole, double allowed, int depth) {
    const double m = (a + b) / 2, f1 = f((a + m) / 2), f2 = f((m + b) / 2);
    const double left = (m - a) / 6 * (fa + 4 * f1 + fm), right = (b - m) / 6 * (fm + 4 * f2 + fb);
    const double change = left + right - whole;
    if (depth == 0 || std::abs(change) <= 15 * allowed) return left + right + change / 15;
    return simpson(f, a, m, fa, f1, fm, left, allowed / 2, depth - 1)
         + simpson(f, m, b, fm, f2, fb, right, allowed / 2, depth - 1);
}

}  // namespace

Derivatives derivatives(const TimeFunction& f, double t) {
    constexpr double epsilon = 2.2e-16;
    const double here = f(t);
    const double first = extrapolate([&](double h) { return (f(t + h) - f(t - h)) / (2 * h); },
                                     [&](double h) { return epsilon * std::abs(here) / h; });
    // Time is rounded too.
    const double rounded = epsilon * (std::abs(here) + std::abs(t * first));
    return {first,
            extrapolate([&](double h) { return ((f(t + h) - here) - (here - f(t - h))) / (h * h); },
                        [&](double h) { return 4 * rounded / (h * h); })};
}

double integral(const TimeFunction& f, double from, double to) {
    if (from == to) return 0;
    // In parts, so that a function that happens to vanish at five points is not taken for zero.
    constexpr int parts = 16;
    const double h = (to - from) / parts;
    double sum = 0;
    for (int i = 0; i < parts; ++i) {
        const double a = from + i * h, b = i + 1 == parts ? to : a + h;
        const double fa = f(a), fm = f((a + b) / 2), fb = f(b);
        const double whole = (b - a) / 6 * (fa + 4 * fm + fb);
        const double size = std::abs(b - a) * (std::abs(fa) + std::abs(fm) + std::abs(fb));
        sum += simpson(f, a, b, fa, fm, fb, whole, 1e-13 * size + 1e-300, 20);
    }
    return sum;
}

}  // namespace bristle::analysis
