#include "state/state.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

State some_state() {
    State s;
    s.time = 1.5;
    s.steps = 7;
    s.position = {Vec4{1, 2, 3, 0}, Vec4{4, 5, 6, 0}};
    s.velocity = {Vec4{7, 8, 9, 0}, Vec4{-1, -2, -3, 0}};
    s.acceleration = {Vec4{}, Vec4{1, 1, 1, 0}};
    s.force = {Vec4{}, Vec4{}};
    s.multiplier = {0.1, 0.2, 0.3};
    s.closure_multiplier = {Vec4{1, 0, 0, 0}};
    s.memory = {5, 6};
    return s;
}

TEST(State, ComesBackFromItsBytes) {
    const State from = some_state();
    State to = some_state();
    to.time = 0;
    to.position[1] = Vec4{};
    to.memory[0] = -1;
    ASSERT_NE(to.hash(), from.hash());
    ASSERT_TRUE(to.assign(from.bytes()));
    EXPECT_EQ(to.bytes(), from.bytes());
    EXPECT_EQ(to.hash(), from.hash());
    EXPECT_EQ(to.time, 1.5);
    EXPECT_EQ(to.steps, 7u);
}

TEST(State, RefusesBytesOfAnotherShapeAndStaysAsItWas) {
    State state = some_state();
    const auto before = state.bytes();
    State bigger = some_state();
    bigger.position.push_back(Vec4{});
    // One more here and one less there: as many bytes, but not the same shape.
    State shifted = some_state();
    shifted.multiplier.pop_back();
    shifted.memory.push_back(1);
    ASSERT_EQ(shifted.bytes().size(), before.size());
    std::vector<std::byte> cut(before.begin(), before.end() - 1), longer = before;
    longer.push_back(std::byte{0});
    for (const auto& bytes :
         {bigger.bytes(), shifted.bytes(), cut, longer, std::vector<std::byte>{}}) {
        EXPECT_FALSE(state.assign(bytes));
        EXPECT_EQ(state.bytes(), before);
    }
}

// A count so large that count × size wraps around must not pass for a small one.
TEST(State, RefusesBytesWithAbsurdCounts) {
    State state = some_state();
    auto bytes = state.bytes();
    for (size_t i = 0; i < 8; ++i) bytes[i] = std::byte{0xff};
    EXPECT_FALSE(state.assign(bytes));
}

TEST(State, HashTellsOneUlpInEveryPart) {
    const State s = some_state();
    const auto expect_other = [&](auto&& change) {
        State other = s;
        change(other);
        EXPECT_NE(other.hash(), s.hash());
    };
    const auto nudge = [](double x) { return std::nextafter(x, 1e300); };
    expect_other([&](State& o) { o.time = nudge(o.time); });
    expect_other([&](State& o) { o.steps += 1; });
    expect_other([&](State& o) { o.position[1][2] = nudge(o.position[1][2]); });
    expect_other([&](State& o) { o.velocity[0][0] = nudge(o.velocity[0][0]); });
    expect_other([&](State& o) { o.acceleration[1][1] = nudge(o.acceleration[1][1]); });
    expect_other([&](State& o) { o.force[0][0] = nudge(0); });
    expect_other([&](State& o) { o.multiplier[2] = nudge(o.multiplier[2]); });
    expect_other([&](State& o) { o.closure_multiplier[0][0] = nudge(1); });
    expect_other([&](State& o) { o.memory[1] = nudge(o.memory[1]); });
}

}  // namespace
}  // namespace bristle
