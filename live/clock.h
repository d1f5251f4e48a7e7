// When steps are due, and how well that was kept.
//
// Simulation time follows wall time by  t = t₀ + speed · (w − w₀).  The loop wakes once a tick, the
// length of a step in wall time but at least `shortest_tick`, and computes what is due:
//
//     clock.start(wall_now());
//     while (…) {
//         sleep_until(clock.next_tick());
//         clock.wake(wall_now());
//         while (clock.is_due()) { show.advance(); clock.stepped(wall_now()); }
//     }
//
// Instants are integer nanoseconds, counted by multiplication from the last change of speed, so nothing
// adds up over hours. A tick that is not done when the next one begins is an overrun; it is counted, and the
// steps are made up for. What cannot be made up within `most_lag` is given up: the clock slips, and counts by
// how much. A step is never stretched. Always, exactly to the nanosecond,
//
//     wall time = simulated time / speed + slipped + lag        (summed over stretches of one speed)
//
// This class reads no clock and never sleeps, so tests decide what time it is.
#pragma once

#include "live/histogram.h"

#include <cstdint>

namespace bristle::live {

using Nanoseconds = int64_t;

struct ClockStatistics {
    Histogram wake_up;  // s from when a tick was due to when it was served
    Histogram compute;  // s of a step
    Histogram lag;      // s behind at the end of a tick
    Histogram overrun;  // s beyond its end, of ticks that were too long
    uint64_t ticks = 0, steps = 0, overruns = 0, slips = 0;
    Nanoseconds slipped = 0;
};

class Clock {
  public:
    static constexpr double slowest = 0.01, fastest = 100;
    static constexpr Nanoseconds shortest_tick = 1'000'000, most_lag = 100'000'000;

    explicit Clock(double step);  // s

    // From standing still.
    void start(Nanoseconds now);
    void stop(Nanoseconds now);
    bool is_running() const { return is_running_; }
    // At once and without a jump. Throws InputError outside slowest … fastest.
    void set_speed(double speed, Nanoseconds now);
    double speed() const { return speed_; }

    Nanoseconds next_tick() const;
    void wake(Nanoseconds now);
    bool is_due() const;  // a step, in this tick
    void stepped(Nanoseconds now);
    // All steps of the tick are done, or given up.
    void finish_tick(Nanoseconds now);

    double lag(Nanoseconds now) const;  // s of wall time
    double busy() const;  // share of the time spent computing, over about the last second
    const ClockStatistics& statistics() const { return statistics_; }

  private:
    double step_, speed_ = 1;
    bool is_running_ = false;
    ClockStatistics statistics_;
};

}  // namespace bristle::live
