// Newmark, LUA (2.12) and (2.13), and its relatives, LUA (2.43) and (2.47) (spec A6).
#pragma once

#include <bristle/world.h>

namespace bristle::lagrange {

// Weights of the integrator: q = q̂ + βh² q̈, q̇ = q̂̇ + γh q̈, and (1−δm), (1−δf) on inertia and forces.
struct IntegratorWeights {
    double step, beta_h2, gamma_h;
    double inertia, force;  // 1 − δm, 1 − δf
    // An impact is stepped by the midpoint rule instead,
    //     M (q̈₀ + q̈) + 2 J(q̄)ᵀ λ = Q₀ + Q + 2 F̄,   q̄ = (q₀ + q)/2
    // whose constraint forces do no work on the way from q₀ to q, because the constraints are quadratic:
    // J(q̄)(q − q₀) = Φ(q) − Φ(q₀). At the end of the step alone, an impulse in a joint would do
    // ½ λ Δqᵀ Φqq Δq.
    bool is_midpoint = false;
    bool is_inertial = false;  // the midpoint rule without applied forces
    double applied() const { return is_inertial ? 0 : is_midpoint ? 1 : force; }
};
inline IntegratorWeights midpoint_weights(double h) {
    return {h, 0.25 * h * h, 0.5 * h, 1, 2, true};
}
inline IntegratorWeights inertia_weights(double h) {
    return {h, 0.25 * h * h, 0.5 * h, 1, 2, true, true};
}
// Implicit Euler's rule.
inline IntegratorWeights euler_weights(double h) { return {h, h * h, h, 1, 1}; }
IntegratorWeights integrator_weights(const AugmentedLagrangian&, double step);

}  // namespace bristle::lagrange
