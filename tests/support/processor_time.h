// How long something computes, whatever else the machine does.
#pragma once

#include <ctime>

extern "C" __attribute__((weak)) void __asan_init();  // there with the sanitizer

namespace bristle::testing_support {

// Of this program, and not the clock's: other tests run beside it.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// What may take so many seconds as users run it may take twenty times as many with assertions and without optimization, or with the
// address sanitizer: the gate links it with tests that were compiled without.
inline double patient(double seconds) {
#ifdef NDEBUG
    return __asan_init != nullptr ? 20 * seconds : seconds;
#else
    return 20 * seconds;
#endif
}

}  // namespace bristle::testing_support
