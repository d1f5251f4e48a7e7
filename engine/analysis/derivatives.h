// Derivatives and integrals of users' functions of time.
#pragma once

#include <bristle/model.h>

namespace bristle::analysis {

// By central differences at ever smaller steps, extrapolated to zero (Richardson, as Ridders organized it):
// the column in which neighbours agree best is taken, so no step has to be chosen. Smooth functions come
// out to some 1e-12 (first) and 1e-10 (second derivative) of their size.
struct Derivatives {
    double first = 0, second = 0;
};
Derivatives derivatives(const TimeFunction&, double time);

// Simpson's rule, halved until it agrees to 1e-13 of the size.
double integral(const TimeFunction&, double from, double to);

}  // namespace bristle::analysis
