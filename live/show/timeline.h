// Which of the recorded messages count: a session that goes back and does something else leaves behind what did not
// happen in the end.
//
// Messages stand in the file by the steps computed so far, which only grow: step + shift. Each rewind begins a new
// stretch with a shift of its own, and cuts those before after the step it went back to: that state stays, only
// its inputs are others. What is left of the stretches does not overlap, and follows on each other in steps, too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace bristle::live {

struct Stretch {
    uint64_t begin = 0;  // in computed steps
    int64_t shift = 0;
    uint64_t end_step = std::numeric_limits<uint64_t>::max();  // the first that does not count

    uint64_t begin_step() const { return begin - static_cast<uint64_t>(shift); }
    uint64_t step_of(uint64_t computed) const { return computed - static_cast<uint64_t>(shift); }
    uint64_t computed_at(uint64_t step) const { return step + static_cast<uint64_t>(shift); }
};

class Timeline {
  public:
    explicit Timeline(double step_length) : step_length_(step_length), stretches_(1) {}

    uint64_t computed(uint64_t log_time) const {
        const double steps = std::round(static_cast<double>(log_time) * 1e-9 / step_length_);
        return steps < 9e18 ? static_cast<uint64_t>(steps) : uint64_t{9'000'000'000'000'000'000u};
    }
    void rewind(uint64_t computed, uint64_t to_step) {
        for (Stretch& stretch : stretches_)
            stretch.end_step = std::min(stretch.end_step, to_step + 1);
        stretches_.push_back(
            {.begin = computed,
             .shift = static_cast<int64_t>(computed) - static_cast<int64_t>(to_step)});
    }
    const Stretch& stretch_at(uint64_t computed) const {
        size_t i = stretches_.size() - 1;
        while (i > 0 && stretches_[i].begin > computed) --i;
        return stretches_[i];
    }
    bool counts(uint64_t computed) const {
        const Stretch& stretch = stretch_at(computed);
        return stretch.step_of(computed) < stretch.end_step;
    }
    const std::vector<Stretch>& stretches() const { return stretches_; }

  private:
    double step_length_;
    std::vector<Stretch> stretches_;
};

}  // namespace bristle::live
