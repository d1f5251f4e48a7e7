// What the cases of the suite `elements` share.
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

#include <cmath>
#include <initializer_list>

namespace bristle::validation::elements {

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

// About 1 ms, so that whole steps end at `time`.
inline AugmentedLagrangian stepping_into(double time) {
    return {.step = time / std::round(time / step)};
}

inline TimeFunction constant(double value) {
    return [value](double) { return value; };
}

// A disc on a vertical shaft, and a slider on a rail.
struct Disc {
    Model model;
    BodyId body = model.add(Body::cylinder(.5, .1, 4));
    JointId shaft = model.add(Revolute{.a = ground, .b = body, .at = {}, .axis = z_axis});
    double inertia = 0.5;
};
struct Slider {
    double mass = 2;
    Model model;
    BodyId body;
    JointId rail;

    explicit Slider(Vec3 along, double speed = 0)
        : body(model.add(Body::box({.1, .1, .1}, mass).moving(speed * along))),
          rail(model.add(Prismatic{.a = ground, .b = body, .at = {}, .axis = along})) {}
};

// ---- The cases, in the order of the suite -------------------------------------------------------------

void joints(Checks&);
void mechanisms(Checks&);
void drives(Checks&);
void forces(Checks&);
void stepping_in_time(Checks&);

struct Case {
    const char* name;
    void (*run)(Checks&);
};
void run_cases(Checks&, std::initializer_list<Case>);

}  // namespace bristle::validation::elements
