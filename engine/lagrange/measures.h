// Scalar functions of the entities (angles, displacements, lengths): value, rate, gradient, curvature.
#pragma once

#include "lagrange/system.h"

namespace bristle {

// Writes the gradient with respect to each term's entity to gradient[m.first …]. `counted` is the
// angle at the last accepted step, which tells on which turn the new one is.
MeasureValue evaluate_measure(const System&, const Measure& m, const Vec4* position,
                              const Vec4* velocity, double counted, Vec4* gradient);

}  // namespace bristle
