// How many random cases a test tries, or for how long.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace bristle::testing_support {

// The count as given; a part of it where the environment says so: BRISTLE_TEST_DEPTH=0.05 tries every twentieth, the
// first ones of the same sequence. The sanitizers of the gate do, where a case takes ten times as long.
inline double depth() {
    static const double depth = [] {
        const char* part = std::getenv("BRISTLE_TEST_DEPTH");
        return part == nullptr ? 1.0 : std::clamp(std::atof(part), 0.0, 1.0);
    }();
    return depth;
}
inline int scaled(int count) { return std::max(1, static_cast<int>(count * depth())); }
// At least two, so that something is tried.
inline double scaled_seconds(double seconds) { return std::max(2.0, seconds * depth()); }

}  // namespace bristle::testing_support
