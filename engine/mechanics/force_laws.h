// Springs and motors along a coordinate.
#pragma once

#include <bristle/model.h>

#include <cmath>

namespace bristle::mechanics {

// What resists an elongation x that grows at this rate: F, ∂F/∂x, ∂F/∂ẋ.
struct Resistance {
    double effort, stiffness, damping;
};

// Of a Spring or JointSpring (or one direction of a bushing). The derivatives of a law are central differences over steps
// that are small beside the model's size, or beside x.
template <class SpringLike>
Resistance resistance(const SpringLike& s, double x, double rate, double model_size) {
    if (!s.law) return {s.stiffness * x + s.damping * rate, s.stiffness, s.damping};
    const double dx = 1e-6 * (1e-3 * model_size + std::abs(x)), dv = 1e-5 * (1 + std::abs(rate));
    return {s.law(x, rate), (s.law(x + dx, rate) - s.law(x - dx, rate)) / (2 * dx),
            (s.law(x, rate + dv) - s.law(x, rate - dv)) / (2 * dv)};
}

// The work against the law at rest; by Simpson's rule if it is not linear.
template <class SpringLike> double stored_energy(const SpringLike& s, double x) {
    if (!s.law) return 0.5 * s.stiffness * x * x;
    constexpr int n = 64;
    double work = 0;
    for (int i = 0; i <= n; ++i)
        work += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * s.law(x * i / n, 0);
    return work * x / (3 * n);
}

// A motor's effort falls linearly to zero at its no-load speed: effort − droop · rate.
inline double droop(double effort, double no_load_speed) {
    return std::abs(effort) / no_load_speed;
}

// Sine of the turn of b's axes about a's axis k, up to second order, if i, j, k are cyclic: ½ (bᵢ·aⱼ − bⱼ·aᵢ).
inline double tilt(const Mat3& a, const Mat3& b, int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return 0.5 * (dot(b.column(i), a.column(j)) - dot(b.column(j), a.column(i)));
}

}  // namespace bristle::mechanics
