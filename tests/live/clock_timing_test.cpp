#include "live/clock/clock.h"
#include "live/clock/real_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

namespace bristle::live {
namespace {

// A real minute on this machine, at three speeds side by side: simulated time is speed times wall time, within
// one tick and what was counted as late or slipped.
TEST(RealTime, ScalesTimeExactlyOverAMinute) {
    const double step = 0.005;
    const Nanoseconds duration = 60'000'000'000;
    const auto run = [&](double speed) {
        Clock clock(step);
        const Nanoseconds begin = wall_now();
        clock.set_speed(speed, begin);
        clock.start(begin);
        while (clock.next_tick() <= begin + duration) {
            sleep_until(clock.next_tick());
            clock.wake(wall_now());
            while (clock.is_due()) clock.stepped(wall_now());
            clock.finish_tick(wall_now());
        }
        const ClockStatistics& statistics = clock.statistics();
        const double simulated = double(statistics.steps) * step;
        const double tick = std::max(1e-3, step / speed);
        const double slipped = double(statistics.slipped) * 1e-9;
        EXPECT_LE(simulated, speed * (double(wall_now() - begin) * 1e-9 - slipped) + 1e-9);
        EXPECT_GE(simulated, speed * (double(duration) * 1e-9 - slipped - tick) - 1e-9);
    };
    std::jthread half([&] { run(0.5); });
    std::jthread seven([&] { run(7); });
    run(1);
}

}  // namespace
}  // namespace bristle::live
