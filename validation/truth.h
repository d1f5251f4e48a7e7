// The parts of the suite `truth`: cases that the solvers were not made for, both of them, against closed forms and
// integrations of the equations of motion that are written for the case alone.
#pragma once

#include <bristle/world.h>

#include "validation/checks.h"

#include <array>
#include <functional>

namespace bristle::validation {

void validate_truth_rotation(Checks&);     // flywheel, tops, epicyclic gear
void validate_truth_mechanisms(Checks&);   // slider-crank, trammel, hoop
void validate_truth_contact(Checks&);      // turntable, disc, volumes, cradle, Painlevé's rod
void validate_truth_impacts(Checks&);      // restitution, several at once, clearance, tippe top
void validate_truth_convergence(Checks&);  // contact, with nothing given but materials

// Classic Runge–Kutta of order 4 with so many equal steps.
template <size_t N, class Rate>
std::array<double, N> integrate(std::array<double, N> y, double time, int steps, const Rate& rate) {
    const double h = time / steps;
    const auto moved = [&](const std::array<double, N>& by, double share) {
        std::array<double, N> out = y;
        for (size_t i = 0; i < N; ++i) out[i] += share * by[i];
        return out;
    };
    for (int n = 0; n < steps; ++n) {
        const auto a = rate(y), b = rate(moved(a, h / 2)), c = rate(moved(b, h / 2)),
                   d = rate(moved(c, h));
        for (size_t i = 0; i < N; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return y;
}

// What a world of given settings is off by after a second.
using ErrorWith = std::function<double(const Settings&)>;

// Under the augmented Lagrangian the error at 1 ms and that it is of second order; under impulses, which are of first order, the
// order and the error at 5 ms. Errors below `rounding` have no order: they are that, or the turn from slow to fast rotation.
void judge(Checks&, const std::string& name, const std::string& quantity, const ErrorWith&,
           double bound, double impulse_bound, double rounding = 1e-7);

}  // namespace bristle::validation
