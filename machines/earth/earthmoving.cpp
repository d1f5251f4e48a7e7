#include "machines/earth/earthmoving.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

// rad: planes flatter than this, and what the angles together leave to the direction in which no force makes the soil fail.
constexpr double margin = 0.02;
constexpr double golden = 0.6180339887498949;
constexpr int searches = 40;  // of the golden section: the angle to 1e-8 rad

double cot(double x) { return std::cos(x) / std::sin(x); }

// Force of the blade on the soil, along the direction that is δ from its normal.
double push(const Soil& s, const Blade& b, double beta) {
    const double a = b.rake, d = b.depth, phi = s.friction_angle, top = d * (cot(a) + cot(beta)),
                 c = cot(beta + phi);
    const double resisting = (0.5 * s.density * b.gravity * d + b.surcharge) * top
                           + s.cohesion * d * (1 + cot(beta) * c)
                           + s.adhesion * d * (1 - cot(a) * c);
    return resisting * std::sin(beta + phi) / std::sin(a + beta + s.steel_friction_angle + phi);
}

}  // namespace

Failure wedge_at(const Soil& s, const Blade& b, double beta) {
    const double a = b.rake, phi = s.friction_angle, total = a + s.steel_friction_angle;
    const double p = push(s, b, beta);
    const double momentum = s.density * b.depth * std::sin(a)
                          * (std::sin(beta) + std::cos(beta) * cot(beta + phi)) / std::sin(a + beta)
                          * std::sin(beta + phi) / std::sin(total + beta + phi);
    return {.ahead = p * std::sin(total) + s.adhesion * b.depth * cot(a),
            .down = p * std::cos(total) - s.adhesion * b.depth,
            .by_speed = momentum * std::sin(total),
            .angle = beta};
}

Failure wedge_failure(const Soil& s, const Blade& b) {
    if (!(b.depth > 0)) return {};
    double low = margin,
           high =
               std::min(pi / 2, pi - b.rake - s.steel_friction_angle - s.friction_angle) - margin;
    if (!(high > low)) high = low;
    // P(β) has one least value between the two angles where it grows without bound.
    double x = high - golden * (high - low), y = low + golden * (high - low);
    double at_x = push(s, b, x), at_y = push(s, b, y);
    for (int i = 0; i < searches; ++i) {
        if (at_x < at_y) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - golden * (high - low);
            at_x = push(s, b, x);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + golden * (high - low);
            at_y = push(s, b, y);
        }
    }
    return wedge_at(s, b, 0.5 * (low + high));
}

}  // namespace bristle::machines
