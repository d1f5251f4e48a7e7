#include "base/jobs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

namespace bristle::base {
namespace {

class JobsOn : public testing::TestWithParam<int> {};

TEST_P(JobsOn, TakeEveryPieceOnce) {
    Jobs jobs(GetParam());
    EXPECT_EQ(jobs.threads(), GetParam());
    std::vector<uint32_t> taken(37);
    for (uint32_t round = 0; round < 5000; ++round) {
        const uint32_t pieces = round % 38;
        // Not atomic: a piece that two take is a race, which the thread sanitizer sees.
        jobs.run(pieces, [&](uint32_t i) { ++taken[i]; });
        for (uint32_t i = 0; i < taken.size(); ++i) ASSERT_EQ(taken[i], i < pieces ? 1u : 0u);
        std::fill(taken.begin(), taken.end(), 0);
    }
}

// Each round reads all that the one before wrote, whoever that was.
TEST_P(JobsOn, SeeWhatTheRoundBeforeHasWritten) {
    constexpr uint32_t pieces = 16;
    Jobs jobs(GetParam());
    std::vector<std::vector<uint64_t>> now(pieces, std::vector<uint64_t>(8, 1)), next = now;
    uint64_t expected = 1;
    for (int round = 0; round < 3000; ++round) {
        jobs.run(pieces, [&](uint32_t i) {
            uint64_t sum = 0;
            for (const auto& list : now) sum = std::accumulate(list.begin(), list.end(), sum);
            for (uint64_t& x : next[i]) x = sum;
        });
        expected *= pieces * 8;
        ++expected;
        for (auto& list : next)
            for (uint64_t& x : list) ++x;
        std::swap(now, next);
        for (const auto& list : now)
            for (uint64_t x : list) ASSERT_EQ(x, expected) << "round " << round;
    }
}

TEST_P(JobsOn, GiveNoWorkerTwoPiecesAtATime) {
    Jobs jobs(GetParam());
    const auto workers = static_cast<size_t>(GetParam());
    std::vector<uint32_t> inside(workers), done(workers);
    uint32_t total = 0;
    for (int round = 0; round < 500; ++round)
        jobs.run(50, [&](uint32_t, uint32_t worker) {
            ASSERT_LT(worker, workers);
            ASSERT_EQ(inside[worker]++, 0u);
            ++done[worker];
            --inside[worker];
        });
    for (uint32_t n : done) total += n;
    EXPECT_EQ(total, 500u * 50u);
}

// Helpers that have gone to sleep are woken.
TEST_P(JobsOn, WorkAgainAfterAPause) {
    Jobs jobs(GetParam());
    for (int round = 0; round < 5; ++round) {
        std::vector<uint32_t> taken(20);
        jobs.run(20, [&](uint32_t i) { ++taken[i]; });
        EXPECT_EQ(taken, std::vector<uint32_t>(20, 1));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

TEST_P(JobsOn, EndWithoutHavingWorked) {
    for (int i = 0; i < 50; ++i) Jobs jobs(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Threads, JobsOn, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace bristle::base
