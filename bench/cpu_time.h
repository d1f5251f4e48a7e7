// CPU time, for benchmarks: what else the machine does is not in it.
#pragma once

#include <ctime>

namespace bristle::bench {

enum class CpuTimeOf : clockid_t {
    thread = CLOCK_THREAD_CPUTIME_ID,
    process = CLOCK_PROCESS_CPUTIME_ID
};

inline double cpu_seconds(CpuTimeOf whose) {
    timespec t{};
    clock_gettime(static_cast<clockid_t>(whose), &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace bristle::bench
