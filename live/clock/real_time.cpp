#include "live/clock/real_time.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>

namespace bristle::live {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
// Above everything ordinary, below the kernel's own threads for interrupts (50).
constexpr int priority = 40;

}  // namespace

Nanoseconds wall_now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return Nanoseconds(time.tv_sec) * second + time.tv_nsec;
}

void sleep_until(Nanoseconds instant) {
    const timespec time{.tv_sec = time_t(instant / second), .tv_nsec = long(instant % second)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
    }
}

std::string use_real_time_scheduling() {
    sched_param parameters{};
    parameters.sched_priority = priority;
    if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters))
        return fmt::format(
            "real-time scheduling was refused ({}); the simulation goes on with ordinary "
            "scheduling, "
            "steps may come late. To allow it, add the line \"@realtime - rtprio {}\" to "
            "/etc/security/limits.conf, join the group realtime and log in again; or give the "
            "program the right: "
            "sudo setcap cap_sys_nice,cap_ipc_lock+ep followed by its path",
            std::generic_category().message(error), priority);
    // Only what is there: with MCL_FUTURE a small limit would make later allocations fail.
    if (mlockall(MCL_CURRENT) != 0)
        return fmt::format(
            "memory could not be locked ({}); real-time scheduling is on, but a page that was "
            "swapped out can make "
            "a step late. To allow it, add \"@realtime - memlock unlimited\" to "
            "/etc/security/limits.conf, or "
            "give the program cap_ipc_lock",
            std::generic_category().message(errno));
    return {};
}

}  // namespace bristle::live
