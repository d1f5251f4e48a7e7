#include "live/clock/clock.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::live {
namespace {

constexpr double nanosecond = 1e-9;  // s
constexpr Nanoseconds second = 1'000'000'000;

double length_of_tick(double step) { return std::max(step, double(Clock::shortest_tick)); }

std::string duration(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.2f} s", seconds);
}

std::string row(std::string_view name, const Histogram& of) {
    if (of.count() == 0) return fmt::format("  {:<9}{:>9}\n", name, 0);
    return fmt::format("  {:<9}{:>9}{:>11}{:>11}{:>11}{:>11}{:>11}\n", name, of.count(),
                       duration(of.mean()), duration(of.percentile(50)),
                       duration(of.percentile(99)), duration(of.percentile(99.9)),
                       duration(of.largest()));
}

}  // namespace

Clock::Clock(double step) : step_(step) {
    if (!(step >= shortest_step && step <= longest_step))
        throw InputError(fmt::format("the step of a clock must be from {} to {} s, not {} s",
                                     shortest_step, longest_step, step));
    stretches_.push_back(
        {.origin = 0, .offset = 0, .step = step / nanosecond, .base = 0, .first = 0});
    tick_ = length_of_tick(stretches_.back().step);
}

Nanoseconds Clock::due(uint64_t step) const {
    size_t i = stretches_.size() - 1;
    while (i > 0 && step < stretches_[i].first) i--;
    const Stretch& of = stretches_[i];
    return of.origin + std::llround(double(int64_t(step - of.base)) * of.step - of.offset);
}

Nanoseconds Clock::begin_of_tick(int64_t tick) const {
    const Stretch& of = stretches_.back();
    return of.origin + std::llround(double(tick) * tick_ - of.offset);
}

int64_t Clock::tick_at(Nanoseconds now) const {
    auto tick = int64_t(std::floor(double(now - stretches_.back().origin) / tick_));
    while (begin_of_tick(tick + 1) <= now) tick++;
    while (begin_of_tick(tick) > now) tick--;
    return tick;
}

void Clock::start(Nanoseconds now) {
    if (is_running_) return;
    for (Stretch& stretch : stretches_) stretch.origin += now - stopped_;
    reached_ += now - stopped_;
    is_running_ = true;
    next_tick_ = tick_at(now) + 1;
    averaged_ = now;
}

void Clock::stop(Nanoseconds now) {
    if (!is_running_) return;
    is_running_ = is_awake_ = false;
    stopped_ = now;
    computed_ = 0;
    busy_ = 0;
}

void Clock::set_speed(double speed, Nanoseconds now) {
    if (!(speed >= slowest && speed <= fastest))
        throw InputError(
            fmt::format("the speed must be from {} to {}, not {}", slowest, fastest, speed));
    if (!is_running_) now = stopped_;
    // The share of the step under way keeps its size, so the simulated time that is asked for does not jump.
    const Stretch& old = stretches_.back();
    const double since = double(now - old.origin) + old.offset;
    const double whole = std::floor(since / old.step);
    const double share = since / old.step - whole;
    const uint64_t base = old.base + uint64_t(whole);
    const double step = step_ / (speed * nanosecond);
    // Nothing was due by the change before if no step ended since.
    if (stretches_.size() > 1 && old.first == base + 1) stretches_.pop_back();
    stretches_.push_back(
        {.origin = now, .offset = share * step, .step = step, .base = base, .first = base + 1});
    speed_ = speed;
    tick_ = length_of_tick(step);
    next_tick_ = tick_at(now) + 1;
}

Nanoseconds Clock::next_tick() const {
    return is_running_ ? begin_of_tick(next_tick_) : std::numeric_limits<Nanoseconds>::max();
}

// The next step is due now, and what waited behind it is forgotten.
void Clock::slip(Nanoseconds now) {
    const Nanoseconds by = now - due(statistics_.steps + 1);
    reached_ += by;
    const double step = stretches_.back().step;
    stretches_ = {
        {.origin = now, .offset = 0, .step = step, .base = statistics_.steps + 1, .first = 0}};
    statistics_.slips++;
    statistics_.slipped += by;
}

void Clock::wake(Nanoseconds now) {
    is_awake_ = is_running_ && now >= next_tick();
    if (!is_awake_) return;
    statistics_.ticks++;
    statistics_.wake_up.add(double(now - next_tick()) * nanosecond);
    deadline_ = begin_of_tick(next_tick_ + 1);
    if (now - due(statistics_.steps + 1) > most_lag) slip(now);
    tick_end_ = begin_of_tick(tick_at(now) + 1);
    woken_ = last_ = now;
}

bool Clock::is_due() const {
    return is_awake_ && last_ < tick_end_ && due(statistics_.steps + 1) <= woken_;
}

void Clock::stepped(Nanoseconds now) {
    reached_ = due(++statistics_.steps);
    statistics_.compute.add(double(now - last_) * nanosecond);
    computed_ += now - last_;
    last_ = now;
    while (stretches_.size() > 1 && statistics_.steps + 1 >= stretches_[1].first)
        stretches_.erase(stretches_.begin());
}

void Clock::finish_tick(Nanoseconds now) {
    if (!is_awake_) return;
    is_awake_ = false;
    statistics_.lag.add(lag(now));
    if (now > deadline_) {
        statistics_.overruns++;
        statistics_.overrun.add(double(now - deadline_) * nanosecond);
    }
    next_tick_ = std::max(tick_at(woken_) + 1, tick_at(now));
    if (const Nanoseconds passed = now - averaged_; passed > 0) {
        const double weight = -std::expm1(-double(passed) / double(second));
        busy_ += weight * (double(computed_) / double(passed) - busy_);
        averaged_ = now;
        computed_ = 0;
    }
}

double Clock::lag(Nanoseconds now) const {
    return double((is_running_ ? now : stopped_) - reached_) * nanosecond;
}

double Clock::busy() const { return busy_; }

std::string summary(const ClockStatistics& of) {
    return fmt::format("  {:<9}{:>9}{:>11}{:>11}{:>11}{:>11}{:>11}\n", "", "count", "mean", "50 %",
                       "99 %", "99.9 %", "largest")
         + row("wake-up", of.wake_up) + row("compute", of.compute) + row("lag", of.lag)
         + row("overrun", of.overrun)
         + fmt::format("  {} steps in {} ticks, {} overruns, slipped {} times by {} in all\n",
                       of.steps, of.ticks, of.overruns, of.slips,
                       duration(double(of.slipped) * nanosecond));
}

}  // namespace bristle::live
