// Exact motions that more than one suite compares with.
#pragma once

#include <utility>

namespace bristle::validation {

// A02: where the top of the first crank is, (x, z).
std::pair<double, double> exact_four_bars(int n, double time);

}  // namespace bristle::validation
