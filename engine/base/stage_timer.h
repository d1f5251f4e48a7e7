// Where the time of a step goes: the clock is read when one stage ends and the next begins. Solvers hold a pointer to
// a timer, which is null unless somebody asked; then a stage costs a comparison.
#pragma once

#include "base/rooms.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <span>

namespace bristle::base {

class StageTimer {
  public:
    static constexpr size_t most_stages = 16;
    using Times = std::array<double, most_stages>;  // s

    void start_step() {
        now_ = {};
        stage_ = 0;
        last_ = Clock::now();
    }
    void enter(size_t stage) {
        const Clock::time_point time = Clock::now();
        now_[stage_] += std::chrono::duration<double>(time - last_).count();
        stage_ = stage;
        last_ = time;
    }
    void end_step() {
        enter(stage_);
        double sum = 0;
        for (size_t i = 0; i < most_stages; ++i) {
            total_[i] += now_[i];
            sum += now_[i];
        }
        if (sum > worst_sum_) {
            worst_sum_ = sum;
            worst_ = now_;
            worst_step_ = steps_;
        }
        ++steps_;
    }

    const Times& total() const { return total_; }
    const Times& worst() const { return worst_; }  // of the longest step
    uint64_t worst_step() const { return worst_step_; }
    uint64_t steps() const { return steps_; }

    // A step, from here to the end of the scope, however it ends.
    class Step {
      public:
        explicit Step(StageTimer* timer) : timer_(timer) {
            if (timer_ != nullptr) timer_->start_step();
        }
        ~Step() {
            if (timer_ != nullptr) timer_->end_step();
        }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

      private:
        StageTimer* timer_;
    };

  private:
    using Clock = std::chrono::steady_clock;
    Times now_{}, total_{}, worst_{};
    double worst_sum_ = 0;
    uint64_t steps_ = 0, worst_step_ = 0;
    size_t stage_ = 0;
    Clock::time_point last_;
};

}  // namespace bristle::base
