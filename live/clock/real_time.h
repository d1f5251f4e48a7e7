// The machine's clock, and a thread that is woken by it in time.
#pragma once

#include "live/clock/clock.h"

#include <string>

namespace bristle::live {

Nanoseconds wall_now();  // never goes back and is never set (CLOCK_MONOTONIC)
// Until that instant, not for a duration: a late sleep does not make the next one late.
void sleep_until(Nanoseconds);
// For the calling thread: before all ordinary threads (SCHED_FIFO), its memory always present. Empty, or why
// it was refused and how to allow it; then the thread goes on as before.
std::string use_real_time_scheduling();

}  // namespace bristle::live
