#include "contact/hertz.h"

#include <algorithm>
#include <cmath>

namespace bristle::contact {
namespace {

// Principal relative curvatures: 2A ≤ 2B.
struct Relative {
    double low, high;
};

Relative relative_curvature(const collision::Curvature& a, const collision::Curvature& b) {
    const double sum = a.first + a.second + b.first + b.second;
    const double da = a.first - a.second, db = b.first - b.second;
    const double c = dot(a.direction, b.direction);
    const double cos2 = da != 0 && db != 0 ? 2 * std::min(c * c, 1.0) - 1 : 0;
    const double difference = std::sqrt(std::max(da * da + db * db + 2 * da * db * cos2, 0.0));
    return {0.5 * (sum - difference), 0.5 * (sum + difference)};
}

struct Elliptic {
    double k, e;  // of the first and second kind
};

}  // namespace

double hertz_stiffness(const collision::Curvature& a, const collision::Curvature& b, double modulus,
                       double length) {
    Relative r = relative_curvature(a, b);
    if (!(r.high < 1e12 / length) || !(r.high > 1e-6 / length))
        return 4.0 / 3.0 * modulus * std::sqrt(length);
    // A line contact ends somewhere.
    if (r.low < 1e-4 * r.high) r.low = std::clamp(1 / length, 1e-4 * r.high, r.high);
    const double ratio = r.high / r.low;
    if (ratio < 1 + 1e-9) return 4.0 / 3.0 * modulus / std::sqrt(r.high);
    const auto elliptic = [](double modulus2) {
        const double m = std::sqrt(modulus2);
        return Elliptic{std::comp_ellint_1(m), std::comp_ellint_2(m)};
    };
    // B/A rises with the eccentricity from 1 to ∞.
    double low = 0, high = 1 - 1e-14;
    for (int i = 0; i < 60; ++i) {
        const double e2 = 0.5 * (low + high);
        const auto [k, e] = elliptic(e2);
        const double now = e2 < 1e-8 ? 1 + e2 : (e / (1 - e2) - k) / (k - e);
        (now < ratio ? low : high) = e2;
    }
    const double e2 = 0.5 * (low + high);
    const auto [k, e] = elliptic(e2);
    return 2 * pi / 3 * modulus * std::sqrt((k - e) / (0.5 * r.low * e2 * k * k * k));
}

}  // namespace bristle::contact
