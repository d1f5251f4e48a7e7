#include "state/state.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::state {
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

ContactMemory some_contact(uint64_t pair) {
    ContactMemory c{};
    c.pair = pair;
    c.feature = 3;
    c.strain = {1e-6, 2e-6, 0};
    c.share = {0, 0, 9.81};
    c.depth = 1e-4;
    c.flags = weighed_contact;
    return c;
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

// ---- Contacts: the one part that may be longer or shorter ------------------------------------------

TEST(State, TakesMoreOrFewerContactsFromBytes) {
    for (size_t there : {0u, 1u, 5u})
        for (size_t here : {0u, 1u, 5u}) {
            State from = some_state(), to = some_state();
            for (size_t i = 0; i < there; ++i) from.contacts.push_back(some_contact(i));
            for (size_t i = 0; i < here; ++i) to.contacts.push_back(some_contact(100 + i));
            to.time = 0;
            ASSERT_TRUE(to.assign(from.bytes()));
            EXPECT_EQ(to.bytes(), from.bytes());
            EXPECT_EQ(to.hash(), from.hash());
            ASSERT_EQ(to.contacts.size(), there);
            for (size_t i = 0; i < there; ++i) EXPECT_EQ(to.contacts[i].pair, i);
        }
}

TEST(State, RefusesDamagedBytesOfContactsAndStaysAsItWas) {
    State state = some_state();
    state.contacts = {some_contact(1), some_contact(2)};
    const auto good = state.bytes();
    const size_t count_at = good.size() - 2 * sizeof(ContactMemory) - sizeof(uint64_t);
    // Cut anywhere: in a contact, between two, in their count, before it.
    for (size_t size = 0; size < good.size(); ++size) {
        EXPECT_FALSE(state.assign({good.begin(), good.begin() + static_cast<ptrdiff_t>(size)}))
            << size;
        ASSERT_EQ(state.bytes(), good);
    }
    for (uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{3}, uint64_t{1} << 32, ~uint64_t{0},
                           ~uint64_t{0} / sizeof(ContactMemory) + 1}) {
        auto bytes = good;
        for (size_t i = 0; i < 8; ++i)
            bytes[count_at + i] = static_cast<std::byte>(count >> (8 * i));
        EXPECT_FALSE(state.assign(bytes)) << count;
        ASSERT_EQ(state.bytes(), good);
    }
    auto longer = good;
    longer.push_back(std::byte{0});
    EXPECT_FALSE(state.assign(longer));
}

TEST(State, HashTellsEveryBitOfAContact) {
    State state = some_state();
    state.contacts = {some_contact(1)};
    const uint64_t hash = state.hash();
    auto* bytes = reinterpret_cast<unsigned char*>(state.contacts.data());
    for (size_t i = 0; i < sizeof(ContactMemory); ++i)
        for (unsigned bit = 0; bit < 8; ++bit) {
            bytes[i] = static_cast<unsigned char>(bytes[i] ^ (1u << bit));
            EXPECT_NE(state.hash(), hash) << "byte " << i;
            bytes[i] = static_cast<unsigned char>(bytes[i] ^ (1u << bit));
        }
    EXPECT_EQ(state.hash(), hash);
    state.contacts.push_back(some_contact(2));
    EXPECT_NE(state.hash(), hash);
    // No padding whose bytes nobody sets.
    EXPECT_EQ(sizeof(ContactMemory) % 8, 0u);
    EXPECT_EQ(sizeof(ContactMemory), 8 * (3 + 3 + 3 + 1 + 6 + 6 + 6 + 6 + 3 + 2 + 3 + 3 + 1 + 1));
}

}  // namespace
}  // namespace bristle::state
