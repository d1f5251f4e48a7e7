#include "live/show/timeline.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

using testing_support::Random;

// Step by step, as it happened: which of the computed steps are left in the end, and what step each of them was.
struct Diary {
    std::vector<std::pair<uint64_t, uint64_t>> lines;  // computed, step
    uint64_t computed = 0, step = 0;
    std::vector<RewindAt> rewinds;

    void advance() {
        ++computed;
        lines.emplace_back(computed, ++step);
    }
    void rewind(uint64_t to) {
        ++computed;  // a step of its own
        std::erase_if(lines, [to](const auto& line) { return line.second > to; });
        step = to;
        rewinds.push_back({computed, to});
    }
};

TEST(Timeline, CountsWhatWasNotTakenBack) {
    Random random(18);
    for (int trial = 0; trial < 200; ++trial) {
        Diary diary;
        for (int i = 0; i < 60; ++i) {
            if (random.chance(0.2))
                diary.rewind(
                    static_cast<uint64_t>(random.integer(0, static_cast<int>(diary.step))));
            else
                diary.advance();
        }
        const Timeline timeline(0.01, diary.rewinds);
        for (uint64_t computed = 1; computed <= diary.computed; ++computed) {
            const auto line = std::find_if(diary.lines.begin(), diary.lines.end(),
                                           [&](const auto& one) { return one.first == computed; });
            const bool is_rewind =
                std::any_of(diary.rewinds.begin(), diary.rewinds.end(),
                            [&](const RewindAt& r) { return r.computed == computed; });
            if (is_rewind) continue;
            ASSERT_EQ(timeline.counts(computed), line != diary.lines.end()) << trial;
            if (line != diary.lines.end()) {
                ASSERT_EQ(timeline.stretch_at(computed).step_of(computed), line->second);
            }
        }
    }
}

// Each rewind cut all stretches before it, one by one.
TEST(Timeline, AMillionRewindsTakeNoTime) {
    std::vector<RewindAt> rewinds;
    constexpr uint64_t count = 1'000'000;
    for (uint64_t i = 0; i < count; ++i) rewinds.push_back({count + i, count - i});
    const Timeline timeline(0.01, rewinds);
    EXPECT_FALSE(timeline.counts(count / 2));
    for (uint64_t i = 0; i < count; ++i) timeline.counts(i);
    EXPECT_EQ(timeline.stretches().size(), 2u);
}

}  // namespace
}  // namespace bristle::live
