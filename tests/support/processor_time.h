// How long something computes, whatever else the machine does.
#pragma once

#include <ctime>

namespace bristle::testing_support {

// Of this program, and not the clock's: other tests run beside it.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// What may take so many seconds as users run it may take twenty times as many with assertions and without optimization; all builds
// with sanitizers have assertions, too.
constexpr double patient(double seconds) {
#ifdef NDEBUG
    return seconds;
#else
    return 20 * seconds;
#endif
}

}  // namespace bristle::testing_support
