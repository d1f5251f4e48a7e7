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
#include <iterator>
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

// The session went back to a step when so many were computed.
struct RewindAt {
    uint64_t computed = 0, to_step = 0;
};

class Timeline {
  public:
    // Rewinds in the order of the file, in which `computed` never falls.
    explicit Timeline(double step_length, const std::vector<RewindAt>& rewinds = {})
        : step_length_(step_length) {
        std::vector<Stretch> all(1);
        for (const RewindAt& rewind : rewinds)
            all.push_back({.begin = rewind.computed,
                           .shift = static_cast<int64_t>(rewind.computed)
                                  - static_cast<int64_t>(rewind.to_step)});
        // Each ends where the lowest of the rewinds after it leads to; what is left of none is left out.
        uint64_t end = std::numeric_limits<uint64_t>::max();
        for (size_t i = all.size(); i-- > 0;) {
            all[i].end_step = end;
            if (i > 0) end = std::min(end, all[i].begin_step() + 1);
        }
        for (const Stretch& stretch : all)
            if (stretch.begin_step() < stretch.end_step) stretches_.push_back(stretch);
    }

    uint64_t computed(uint64_t log_time) const {
        const double steps = std::round(static_cast<double>(log_time) * 1e-9 / step_length_);
        return steps < 9e18 ? static_cast<uint64_t>(steps) : uint64_t{9'000'000'000'000'000'000u};
    }
    const Stretch& stretch_at(uint64_t computed) const {
        const auto after =
            std::upper_bound(stretches_.begin(), stretches_.end(), computed,
                             [](uint64_t value, const Stretch& s) { return value < s.begin; });
        return after == stretches_.begin() ? *after : *std::prev(after);
    }
    bool counts(uint64_t computed) const {
        const Stretch& stretch = stretch_at(computed);
        return stretch.begin <= computed && stretch.step_of(computed) < stretch.end_step;
    }
    // By `begin` and by `begin_step`, both.
    const std::vector<Stretch>& stretches() const { return stretches_; }

  private:
    double step_length_;
    std::vector<Stretch> stretches_;
};

}  // namespace bristle::live
