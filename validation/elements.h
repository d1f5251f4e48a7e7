// What the two halves of the element cases share.
//
// Bounds are what the method promises at a step of 1 ms and no more:
//   exact      rounding, for motions the trapezoidal rule integrates exactly (constant acceleration)
//              and for statics;
//   kinematic  a motion that drives prescribe: as well as constraints hold;
//   lag(ω)     oscillations and rotations: the rule turns by 2 atan(ωh/2) instead of ωh a step. An
//              angle is behind by lag · ω t, and what goes with ω² is off by twice the lag.
#pragma once

#include <bristle/bristle.h>

#include "validation/checks.h"

namespace bristle::validation {

// Forces, drives, limits, free bodies and integrators: validate_elements_forces.cpp.
void validate_element_forces(Checks& check);
// An exception in a case is a failed check, and not the end of the suite.
void run_element_case(Checks& check, const char* name, void (*run)(Checks&));

namespace elements {

inline constexpr double gravity = 9.81;
inline constexpr double step = 1e-3;
inline constexpr double exact = 1e-9;
inline constexpr double kinematic = 1e-8;
inline constexpr Vec3 x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};
inline constexpr BodyId ground = Model::ground();

constexpr double square(double x) { return x * x; }

// Twice the share by which the trapezoidal rule falls behind a rotation at this angular speed: the
// factor leaves room for speeds that vary.
constexpr double lag(double angular_speed) { return 2 * square(angular_speed * step) / 12; }

}  // namespace elements
}  // namespace bristle::validation
