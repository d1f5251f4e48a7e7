// Scalar functions of the entities (angles, displacements, lengths): value, rate, gradient, curvature.
#pragma once

#include "lagrange/system.h"
#include "state/state.h"

namespace bristle::lagrange {

// Writes the gradient with respect to each term's entity to gradient[m.first …], unless that is null. `counted`
// is the angle at the last accepted step, which tells on which turn the new one is.
MeasureValue evaluate_measure(const System&, const Measure& m, const Vec4* position,
                              const Vec4* velocity, double counted, Vec4* gradient);

// The same for a measure of a state, which knows the counted angle.
MeasureValue evaluate_measure(const System&, uint32_t measure, const state::State&, Vec4* gradient);

// Effort of a spring, bushing or motor along its measure, and how it resists.
struct ForceValue {
    double effort, stiffness, damping;  // F, −∂F/∂y, −∂F/∂ẏ
};
ForceValue evaluate_force(const System&, const MeasureForce&, const MeasureValue&, double time,
                          const state::State&);

}  // namespace bristle::lagrange
