// Newmark and its relatives (spec A6).
#pragma once

#include <bristle/world.h>

namespace bristle {

// Weights of the integrator: q = q̂ + βh² q̈, q̇ = q̂̇ + γh q̈, and (1−δm), (1−δf) on inertia and forces.
struct IntegratorWeights {
    double step, beta_h2, gamma_h;
    double inertia, force;  // 1 − δm, 1 − δf
};
IntegratorWeights integrator_weights(const AugmentedLagrangian&, double step);

}  // namespace bristle
