// All inputs of a session, by step. Commands and moves of the hand come sixty times a second for hours, the others are rare and
// large: those are kept elsewhere, so that a day of steering takes a hundred megabytes and not a gigabyte.
#pragma once

#include "live/show/edits.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace bristle::live {

class InputLog {
  public:
    size_t size() const { return entries_.size(); }
    uint64_t step(size_t i) const { return entries_[i].step; }
    InputAt operator[](size_t i) const {
        const Entry& entry = entries_[i];
        return {entry.step, std::visit([](const auto& what) { return whole(what); }, entry.what)};
    }
    // Behind all others. Of moves of the hand in a step only the last is felt; of commands each leaves its rounding.
    void add(const InputAt& input) {
        for (size_t i = entries_.size(); i-- > 0 && entries_[i].step == input.step;) {
            if (std::holds_alternative<Large>(entries_[i].what)) break;
            if (!std::holds_alternative<MoveGrab>(input.input)
                || !std::holds_alternative<MoveGrab>(entries_[i].what))
                continue;
            entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
        entries_.push_back(
            {input.step, std::visit([](const auto& what) { return small(what); }, input.input)});
    }
    void resize(size_t size) { entries_.resize(size); }
    size_t first_from(uint64_t step) const {
        const auto at =
            std::lower_bound(entries_.begin(), entries_.end(), step,
                             [](const Entry& e, uint64_t value) { return e.step < value; });
        return static_cast<size_t>(at - entries_.begin());
    }

  private:
    using Large = std::shared_ptr<const Input>;
    using Small = std::variant<CommandDrive, CommandMotor, CommandInput, MoveGrab, Large>;
    struct Entry {
        uint64_t step = 0;
        Small what;
    };
    static Small small(const CommandDrive& c) { return c; }
    static Small small(const CommandMotor& c) { return c; }
    static Small small(const CommandInput& c) { return c; }
    static Small small(const MoveGrab& m) { return m; }
    template <class Other> static Small small(const Other& other) {
        return std::make_shared<const Input>(other);
    }
    static Input whole(const Large& large) { return *large; }
    template <class Other> static Input whole(const Other& other) { return other; }

    std::vector<Entry> entries_;
};

}  // namespace bristle::live
