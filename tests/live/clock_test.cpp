#include "live/clock/clock.h"

#include <bristle/error.h>

#include "live/clock/real_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>
#include <random>

namespace bristle::live {
namespace {

constexpr Nanoseconds microsecond = 1'000, millisecond = 1'000'000, second = 1'000'000'000;

Nanoseconds lag_of(const Clock& clock, Nanoseconds now) {
    return std::llround(clock.lag(now) * 1e9);
}

// A machine whose time is ours: it sleeps as told and a little longer, and steps take what they take.
struct Machine {
    Nanoseconds now = 5 * second;
    Nanoseconds woken = 0;

    template <typename Latency, typename Cost> void tick(Clock& clock, Latency latency, Cost cost) {
        now = std::max(now, clock.next_tick()) + latency();
        woken = now;
        clock.wake(now);
        while (clock.is_due()) {
            now += cost();
            clock.stepped(now);
        }
        clock.finish_tick(now);
    }
    void tick(Clock& clock) {
        tick(
            clock, [] { return 0; }, [] { return 0; });
    }
};

TEST(Histogram, GivesPercentilesWithinOneBin) {
    Histogram histogram;
    EXPECT_EQ(histogram.percentile(50), 0);
    for (int i = 1; i <= 1000; i++) histogram.add(i * 1e-5);
    EXPECT_EQ(histogram.count(), 1000u);
    EXPECT_NEAR(histogram.mean(), 5.005e-3, 1e-9);
    EXPECT_EQ(histogram.largest(), 1e-2);
    for (const double percent : {1.0, 10.0, 50.0, 90.0, 99.0}) {
        EXPECT_GE(histogram.percentile(percent), percent * 1e-4);
        EXPECT_LE(histogram.percentile(percent), percent * 1e-4 * std::exp2(0.125) * 1.000001);
    }
    EXPECT_EQ(histogram.percentile(100), 1e-2);
}

TEST(Histogram, TakesWhatIsBeyondItsEnds) {
    Histogram histogram;
    for (const double seconds : {-1.0, 0.0, 1e-12, 1e-7}) histogram.add(seconds);
    EXPECT_NEAR(histogram.percentile(99), 1e-7, 1e-20);
    histogram.add(86400);
    EXPECT_EQ(histogram.percentile(100), 86400);
    EXPECT_EQ(histogram.largest(), 86400);
}

// To the step, whatever the speed and however long: step n is computed at the first tick that begins n steps
// of wall time or more after the start, and never before.
void expect_exact(double speed, double step, Nanoseconds duration) {
    SCOPED_TRACE(testing::Message() << "speed " << speed << ", step " << step);
    Clock clock(step);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.set_speed(speed, begin);
    clock.start(begin);
    while (clock.next_tick() <= begin + duration) machine.tick(clock);
    const auto asked = (long double)(duration)*1e-9L * speed / step;
    // The tick that ends just after the duration still holds what became due in it.
    const long double tick = std::max((long double)(Clock::shortest_tick), step * 1e9L / speed);
    const long double in_a_tick = std::ceil(tick * 1e-9L * speed / step);
    EXPECT_LE(clock.statistics().steps, asked + 1e-3L);
    EXPECT_GE(clock.statistics().steps, asked - in_a_tick);
    EXPECT_EQ(machine.now - begin,
              std::llround((long double)(clock.statistics().steps) * step * 1e9L / speed)
                  + lag_of(clock, machine.now));
    EXPECT_EQ(clock.statistics().slips + clock.statistics().overruns, 0u);
    EXPECT_EQ(clock.statistics().slipped, 0);
}

TEST(Clock, IsExactOverAMinute) {
    for (const double speed : {0.01, 1.0 / 3, 0.5, 1.0, 7.0, 100.0})
        for (const double step : {0.002, 1.0 / 240}) expect_exact(speed, step, 60 * second);
}

TEST(Clock, IsExactOverTenHours) {
    for (const double speed : {0.01, 1.0 / 3, 0.5, 1.0, 7.0})
        expect_exact(speed, 0.1, 36'000 * second);
    expect_exact(100, 1.0, 36'000 * second);
}

TEST(Clock, TicksAtLeastAMillisecondApartAndThenComputesSeveralSteps) {
    Clock clock(0.001);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.set_speed(100, begin);
    clock.start(begin);
    EXPECT_EQ(clock.next_tick(), begin + millisecond);
    machine.tick(clock);
    EXPECT_EQ(clock.statistics().steps, 100u);
    EXPECT_EQ(clock.next_tick(), begin + 2 * millisecond);
}

TEST(Clock, CountsAnOverloadAsComputedByHand) {
    // Steps of 10 ms cost 20 ms. Every tick is one step long: it begins where the last one ended, and ends 10 ms
    // after the next one should have begun. Behind is n·10 ms after n steps; when the next step
    // waited longer than 100 ms, the clock slips by that.
    Clock clock(0.010);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.start(begin);
    const auto tick = [&] {
        machine.tick(
            clock, [] { return 0; }, [] { return 20 * millisecond; });
    };
    for (uint64_t n = 1; n <= 11; n++) {
        tick();
        EXPECT_EQ(machine.now - begin, Nanoseconds(10 + 20 * n) * millisecond);
        EXPECT_EQ(lag_of(clock, machine.now), Nanoseconds(10 + 10 * n) * millisecond);
        EXPECT_EQ(clock.statistics().steps, n);
        EXPECT_EQ(clock.statistics().overruns, n);
        EXPECT_EQ(clock.statistics().slips, 0u);
    }
    EXPECT_NEAR(clock.statistics().overrun.largest(), 0.010, 1e-12);
    // At 230 ms step 12 has waited since 120 ms: the first time that is more than 100.
    tick();
    EXPECT_EQ(clock.statistics().slips, 1u);
    EXPECT_EQ(clock.statistics().slipped, 110 * millisecond);
    EXPECT_EQ(lag_of(clock, machine.now), 20 * millisecond);
    for (int n = 0; n < 11; n++) tick();
    EXPECT_EQ(clock.statistics().slips, 2u);
    EXPECT_EQ(clock.statistics().slipped, 220 * millisecond);
    EXPECT_EQ(clock.statistics().overruns, 23u);
    EXPECT_NEAR(clock.busy(), 1 - std::exp(-0.47), 0.03);
    // The machine is fast again: all is made up for, and the lag is gone.
    for (int n = 0; n < 5; n++) machine.tick(clock);
    EXPECT_EQ(lag_of(clock, machine.now), 0);
    EXPECT_EQ(clock.statistics().slipped, 220 * millisecond);
}

TEST(Clock, MakesUpForAShortStallWithoutSlipping) {
    Clock clock(0.005);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.start(begin);
    machine.tick(
        clock, [] { return 62 * millisecond; }, [] { return 0; });
    EXPECT_EQ(clock.statistics().steps, 13u);  // 67 ms
    EXPECT_EQ(clock.statistics().overruns, 1u);
    EXPECT_NEAR(clock.statistics().overrun.largest(), 0.057, 1e-12);
    EXPECT_EQ(clock.statistics().slips, 0u);
    EXPECT_EQ(lag_of(clock, machine.now), 2 * millisecond);
    EXPECT_EQ(clock.next_tick(), begin + 70 * millisecond);
}

TEST(Clock, SlipsOnceAfterADayAsleep) {
    Clock clock(0.001);
    Machine machine;
    clock.start(machine.now);
    machine.tick(clock);
    const Nanoseconds day = 86'400 * second;
    machine.tick(
        clock, [&] { return day; }, [] { return 100 * microsecond; });
    EXPECT_EQ(clock.statistics().steps, 2u);
    EXPECT_EQ(clock.statistics().slips, 1u);
    EXPECT_EQ(clock.statistics().slipped, day);
    EXPECT_EQ(clock.statistics().overruns, 1u);
    machine.tick(clock);
    EXPECT_EQ(clock.statistics().steps, 3u);
    EXPECT_EQ(clock.statistics().slips, 1u);
    EXPECT_EQ(lag_of(clock, machine.now), 0);
}

TEST(Clock, DoesNotTakeASlowStepForALag) {
    Clock clock(0.02);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.set_speed(0.01, begin);
    clock.start(begin);
    for (int i = 0; i < 10; i++) machine.tick(clock);
    EXPECT_EQ(machine.now - begin, 20 * second);
    EXPECT_EQ(clock.statistics().steps, 10u);
    EXPECT_EQ(clock.statistics().slips, 0u);
}

TEST(Clock, ChangesSpeedAtOnceAndWithoutAJump) {
    // At a hundredth a step of 10 ms takes a second. After 0.75 s of it a quarter is left: at 100 times that
    // takes 25 µs, at a hundredth it takes 250 ms.
    Clock clock(0.010);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.set_speed(0.01, begin);
    clock.start(begin);
    const Nanoseconds then = begin + 750 * millisecond;
    clock.set_speed(100, then);
    EXPECT_EQ(lag_of(clock, then), 750 * millisecond);
    clock.set_speed(0.01, then);
    EXPECT_EQ(clock.next_tick(), begin + second);
    clock.set_speed(100, then);
    EXPECT_EQ(clock.next_tick(), then - 75 * microsecond + millisecond);
    machine.tick(clock);
    // 925 µs at 100 are 9.25 steps, and three quarters.
    EXPECT_EQ(clock.statistics().steps, 10u);
    EXPECT_EQ(lag_of(clock, machine.now), 0);
    EXPECT_EQ(clock.statistics().slipped, 0);
}

TEST(Clock, StandsStillWhenStopped) {
    Clock clock(0.010);
    EXPECT_EQ(clock.next_tick(), std::numeric_limits<Nanoseconds>::max());
    clock.start(0);
    clock.wake(14 * millisecond);
    EXPECT_TRUE(clock.is_due());
    clock.stepped(15 * millisecond);
    EXPECT_FALSE(clock.is_due());
    clock.finish_tick(15 * millisecond);
    clock.stop(16 * millisecond);
    EXPECT_FALSE(clock.is_running());
    EXPECT_EQ(clock.next_tick(), std::numeric_limits<Nanoseconds>::max());
    clock.wake(second);
    EXPECT_FALSE(clock.is_due());
    EXPECT_EQ(lag_of(clock, second), 6 * millisecond);
    clock.start(2 * second);
    EXPECT_EQ(clock.next_tick(), 2 * second + 4 * millisecond);
    clock.wake(2 * second + 3 * millisecond);  // too early
    EXPECT_FALSE(clock.is_due());
    EXPECT_EQ(clock.statistics().ticks, 1u);
}

TEST(Clock, RefusesSpeedsAndStepsThatMakeNoSense) {
    Clock clock(0.001);
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double speed : {nan, infinity, -infinity, 0.0, -0.0, -1.0, 0.0099, 100.01, 1e300}) {
        EXPECT_THROW(clock.set_speed(speed, 0), InputError) << speed;
        EXPECT_EQ(clock.speed(), 1);
    }
    for (const double speed : {0.01, 100.0}) EXPECT_NO_THROW(clock.set_speed(speed, 0));
    for (const double step : {nan, infinity, 0.0, -0.001})
        EXPECT_THROW(Clock{step}, InputError) << step;
}

// The asked-for position in steps as a broken line over the running time, in more digits than the clock has.
class BrokenLine {
  public:
    explicit BrokenLine(double step) : step_(step * 1e9L) { corners_.push_back({0, 0, 1}); }
    void set_speed(double speed, Nanoseconds running) {
        const Corner& last = corners_.back();
        corners_.push_back(
            {running, last.steps + (running - last.running) * last.speed / step_, speed});
    }
    void slip(uint64_t next_step, Nanoseconds running) {
        corners_ = {{running, (long double)(next_step), corners_.back().speed}};
    }
    long double due(uint64_t steps) const {
        size_t i = corners_.size() - 1;
        while (i > 0 && corners_[i].steps > steps) i--;
        return corners_[i].running + (steps - corners_[i].steps) * step_ / corners_[i].speed;
    }

  private:
    struct Corner {
        Nanoseconds running;
        long double steps;
        double speed;
    };
    std::deque<Corner> corners_;
    long double step_;
};

class RandomRun : public testing::TestWithParam<unsigned> {};

TEST_P(RandomRun, AccountsForEveryNanosecond) {
    std::mt19937_64 random(GetParam());
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution(low, high)(random);
    };
    const auto chance = [&](double probability) { return uniform(0, 1) < probability; };
    const double step = std::exp(uniform(std::log(2e-4), std::log(2e-2)));
    Clock clock(step);
    BrokenLine line(step);
    Machine machine;
    Nanoseconds running = 0, since = machine.now;
    Nanoseconds reached = 0;  // when what is simulated was due
    size_t changes = 0;
    clock.start(machine.now);
    double load = 0.3;
    for (int i = 0; i < 3000; i++) {
        const ClockStatistics before = clock.statistics();
        if (chance(0.02)) load = uniform(0, 2.5);
        const double tick = std::max(step / clock.speed(), 1e-3);
        const double steps = tick / (step / clock.speed());
        machine.tick(
            clock, [&] { return Nanoseconds(chance(0.003) ? uniform(0, 1e9) : uniform(0, 1e5)); },
            [&] { return Nanoseconds(tick / steps * load * uniform(0.2, 1.8) * 1e9); });
        const Nanoseconds now = running + machine.now - since;
        const ClockStatistics& after = clock.statistics();
        ASSERT_LE(after.slips, before.slips + 1);
        if (after.slips > before.slips) {
            // It slipped at the wake-up, before the steps of this tick: the next step was made due then.
            const Nanoseconds woken = running + machine.woken - since;
            const auto by = double(after.slipped - before.slipped);
            ASSERT_GT(by, Clock::most_lag);
            ASSERT_NEAR(double(woken - line.due(before.steps + 1)), by, 1);
            line.slip(before.steps + 1, woken);
        }
        if (after.steps > before.steps) reached = std::llround(line.due(after.steps));
        ASSERT_NEAR(double(now - lag_of(clock, machine.now) - reached), 0, 1) << "tick " << i;
        if (chance(0.01)) {
            clock.set_speed(std::exp(uniform(std::log(0.02), std::log(90))), machine.now);
            line.set_speed(clock.speed(), now);
            changes++;
        }
        if (chance(0.01)) {
            clock.stop(machine.now);
            running = now;
            machine.now += Nanoseconds(uniform(0, 1e10));
            since = machine.now;
            clock.start(since);
        }
    }
    EXPECT_EQ(clock.statistics().compute.count(), clock.statistics().steps);
    EXPECT_EQ(clock.statistics().wake_up.count(), clock.statistics().ticks);
    EXPECT_EQ(clock.statistics().lag.count(), clock.statistics().ticks);
    EXPECT_EQ(clock.statistics().overrun.count(), clock.statistics().overruns);
    EXPECT_GT(clock.statistics().slips, 0u);
    EXPECT_GT(changes, 0u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, testing::Range(0u, 40u));

// At one speed there is nothing to round but the due instant itself: exact.
class RandomRunAtOneSpeed : public testing::TestWithParam<double> {};

TEST_P(RandomRunAtOneSpeed, AccountsForEveryNanosecondExactly) {
    std::mt19937_64 random(7);
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution(low, high)(random);
    };
    const double speed = GetParam(), step = 0.003;
    Clock clock(step);
    Machine machine;
    const Nanoseconds begin = machine.now;
    clock.set_speed(speed, begin);
    clock.start(begin);
    for (int i = 0; i < 20'000; i++) {
        const double tick = std::max(step / speed, 1e-3);
        machine.tick(
            clock, [&] { return Nanoseconds(uniform(0, 1) < 0.001 ? uniform(0, 1e9) : 1e4); },
            [&] { return Nanoseconds(uniform(0, 1.9) * tick / (tick * speed / step) * 1e9); });
        const Nanoseconds rest =
            machine.now - begin - clock.statistics().slipped - lag_of(clock, machine.now)
            - std::llround(double(clock.statistics().steps) * step * 1e9 / speed);
        // A slip begins a new count, which is rounded by itself.
        ASSERT_LE(std::abs(rest), Nanoseconds(clock.statistics().slips));
    }
}
INSTANTIATE_TEST_SUITE_P(Speeds, RandomRunAtOneSpeed,
                         testing::Values(0.01, 1.0 / 3, 0.5, 1.0, 3.0, 7.0, 100.0));

// On this machine, with its own clock. Whatever else it does meanwhile: the account must balance.
// Beyond, the loops that look for the present tick would not end.
TEST(Clock, RefusesStepsThatAreNone) {
    for (const double step : {0.0, -1.0, 1e-300, 1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(Clock{step}, InputError) << step;
    Clock longest(Clock::longest_step), shortest(Clock::shortest_step);
    for (Clock* clock : {&longest, &shortest}) {
        clock->start(1'000'000'000);
        clock->set_speed(Clock::slowest, 2'000'000'000);
        clock->set_speed(Clock::fastest, 3'000'000'000);
        clock->wake(4'000'000'000);
        EXPECT_GT(clock->next_tick(), 0);
    }
}

TEST(RealTime, AccountsForAnOverloadInTheMiddle) {
    const double step = 0.004, speed = 2;
    Clock clock(step);
    const Nanoseconds begin = wall_now();
    clock.set_speed(speed, begin);
    clock.start(begin);
    Nanoseconds now = begin;
    uint64_t overloaded = 0;
    while (now < begin + 3 * second) {
        sleep_until(clock.next_tick());
        clock.wake(wall_now());
        while (clock.is_due()) {
            // In the second second, a step that should take 2 ms takes 5.
            const Nanoseconds from = wall_now();
            const bool is_overloaded = from > begin + second && from < begin + 2 * second;
            overloaded += is_overloaded ? 1 : 0;
            while (is_overloaded && wall_now() < from + 5 * millisecond) {
            }
            clock.stepped(wall_now());
        }
        now = wall_now();
        clock.finish_tick(now);
    }
    const ClockStatistics& statistics = clock.statistics();
    const auto simulated = Nanoseconds(std::llround(double(statistics.steps) * step * 1e9 / speed));
    EXPECT_NEAR(double(now - begin), double(simulated + statistics.slipped + lag_of(clock, now)),
                1.0 + double(statistics.slips));
    // At most 200 steps of 5 ms fit into the second and make 400 ms of it. 600 are missing: at most 100, and a step, are
    // made up for later.
    EXPECT_GE(statistics.slips, 1u);
    EXPECT_GE(statistics.slipped, 450 * millisecond);
    EXPECT_GE(statistics.overruns, overloaded);
    EXPECT_GT(overloaded, 0u);
    EXPECT_EQ(statistics.overrun.count(), statistics.overruns);
    EXPECT_GE(statistics.compute.largest(), 0.005);
    EXPECT_NE(summary(statistics).find(std::to_string(statistics.overruns) + " overruns"),
              std::string::npos);
}

TEST(RealTime, SleepsUntilAnInstantAndNotAtAllIfItHasPassed) {
    const Nanoseconds begin = wall_now();
    sleep_until(begin + 20 * millisecond);
    EXPECT_GE(wall_now(), begin + 20 * millisecond);
    const Nanoseconds then = wall_now();
    sleep_until(begin);
    EXPECT_LT(wall_now(), then + second);
}

}  // namespace
}  // namespace bristle::live
