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
//         clock.finish_tick(wall_now());
//     }
//
// Instants are integer nanoseconds, counted by multiplication from the last change of speed, so nothing
// adds up over hours. A step is due when the time at its end has come. A tick that is not done when the next
// one begins is an overrun: it is counted, it takes no further step, and the steps are made up for by the
// ticks that follow at once. A step that waited longer than `most_lag` is made the present one: the clock
// slips, and counts by how much. A step is never stretched. Always, exactly to the nanosecond,
//
//     wall time = simulated time / speed + slipped + lag        (summed over stretches of one speed)
//
// where wall time is that of running, lag is since the simulated time was due, and a step that
// is under way when the speed changes has a share in both stretches.
// This class reads no clock and never sleeps, so tests decide what time it is.
#pragma once

#include "live/clock/histogram.h"

#include <cstdint>
#include <string>
#include <vector>

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
std::string summary(const ClockStatistics&);  // a table for the terminal

class Clock {
  public:
    static constexpr double slowest = 0.01, fastest = 100;
    static constexpr Nanoseconds shortest_tick = 1'000'000, most_lag = 100'000'000;
    // s. Beyond, what is due would be no number of nanoseconds, or all at once.
    static constexpr double shortest_step = 1e-12, longest_step = 1e6;

    explicit Clock(double step);  // s; throws InputError outside shortest_step … longest_step

    // From standing still, with the lag there was when it stopped.
    void start(Nanoseconds now);
    void stop(Nanoseconds now);
    bool is_running() const { return is_running_; }
    // At once and without a jump. Throws InputError outside slowest … fastest.
    void set_speed(double speed, Nanoseconds now);
    double speed() const { return speed_; }

    Nanoseconds next_tick() const;  // may have passed; the end of time while the clock stands still
    void wake(Nanoseconds now);     // too early: no tick, and nothing is due
    bool is_due() const;            // a step, in this tick
    void stepped(Nanoseconds now);
    // All steps of the tick are done, or given up.
    void finish_tick(Nanoseconds now);

    double lag(Nanoseconds now) const;  // s of wall time
    double busy() const;  // share of the time spent computing, over about the last second
    const ClockStatistics& statistics() const { return statistics_; }

  private:
    // Of one speed: step number `base` was due `offset` before `origin`, those from `first` on are of this
    // stretch. The offset has a fraction, or changes of speed would round the simulated time.
    struct Stretch {
        Nanoseconds origin;
        double offset;  // ns of wall time, and so is the length of a step
        double step;
        uint64_t base, first;
    };
    Nanoseconds due(uint64_t step) const;  // when the time after so many steps comes
    Nanoseconds begin_of_tick(int64_t) const;
    int64_t tick_at(Nanoseconds) const;
    void slip(Nanoseconds now);

    double step_, speed_ = 1;
    bool is_running_ = false;
    ClockStatistics statistics_;
    std::vector<Stretch>
        stretches_;            // the last one is now; those before have steps to be made up for
    double tick_ = 0;          // ns of wall time
    int64_t next_tick_ = 1;    // counted from the origin of the last stretch
    Nanoseconds reached_ = 0;  // when the time that is simulated was due
    Nanoseconds stopped_ = 0;  // when
    Nanoseconds woken_ = 0, last_ = 0, deadline_ = 0, tick_end_ = 0;
    bool is_awake_ = false;
    Nanoseconds computed_ = 0, averaged_ = 0;  // since when busy_ was averaged
    double busy_ = 0;
};

}  // namespace bristle::live
