#include "live/record/ring.h"

#include "tests/live/recordings.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace bristle::live {
namespace {

TEST(Ring, GivesBackInOrderAndSaysWhenItIsFull) {
    Ring<int> ring(3);
    EXPECT_EQ(ring.front(), nullptr);
    for (int i = 0; i < 3; ++i) {
        *ring.back() = i;
        ring.push();
    }
    EXPECT_EQ(ring.back(), nullptr);
    EXPECT_EQ(*ring.front(), 0);
    ring.pop();
    ASSERT_NE(ring.back(), nullptr);
    EXPECT_EQ(*ring.front(), 1);
}

// What the simulation's thread does with every frame: after a lap, only copying into room that is there.
TEST(Ring, ElementsKeepTheirRoom) {
    Ring<Frame> ring(4);
    std::set<const float*> rooms;
    for (uint64_t i = 0; i < 40; ++i) {
        const Frame frame = frame_at(i, 5e-3, 100 - i);
        *ring.back() = frame;
        rooms.insert(ring.back()->poses.data());
        ring.push();
        ring.pop();
    }
    EXPECT_EQ(rooms.size(), 4u);
}

TEST(Ring, CarriesEverythingFromThreadToThread) {
    Ring<uint64_t> ring(64);
    constexpr uint64_t count = 10'000;
    std::thread writer([&] {
        for (uint64_t i = 0; i < count; ++i) {
            while (ring.back() == nullptr) std::this_thread::yield();
            *ring.back() = i;
            ring.push();
        }
    });
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < count; ++i) {
        while (ring.front() == nullptr) std::this_thread::yield();
        wrong += *ring.front() != i;
        ring.pop();
    }
    writer.join();
    EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace bristle::live
