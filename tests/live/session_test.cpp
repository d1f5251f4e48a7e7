#include "live/show/session.h"

#include "live/clock/real_time.h"
#include "live/show/simulation.h"
#include "live/wire/protocol.pb.h"
#include "tests/live/scenes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <thread>

namespace bristle::live {
namespace {

using namespace std::chrono_literals;

// Waits for the answer to an order.
std::string answer(Session& session, Order order) {
    std::promise<std::string> promise;
    auto future = promise.get_future();
    if (!session.post(std::move(order), [&](const std::string& e) { promise.set_value(e); }))
        return "full";
    return future.get();
}

// The next frame that is wanted; fails after a while.
template <class Is> Frame frame_that(Session& session, const Is& is) {
    Frame frame;
    for (int i = 0; i < 5000; ++i) {
        if (session.take(frame) && is(frame)) return frame;
        std::this_thread::sleep_for(1ms);
    }
    ADD_FAILURE() << "no such frame came";
    return frame;
}

TEST(Session, StartsWithAFrameAndTheScene) {
    Session session(std::make_unique<Simulation>(workshop()), {.begin = Begin::paused});
    const Frame frame = frame_that(session, [](const Frame&) { return true; });
    EXPECT_EQ(frame.time, 0);
    EXPECT_FALSE(frame.transport.is_running);
    EXPECT_EQ(session.scene()->revision(), frame.revision);
    Frame again;
    EXPECT_FALSE(session.take(again));
}

TEST(Session, KeepsPaceWithTheClock) {
    Session session(std::make_unique<Simulation>(workshop()), {});
    const Frame first = frame_that(session, [](const Frame& f) { return f.time > 0.1; });
    const Nanoseconds start = wall_now();
    EXPECT_EQ(answer(session, SetSpeed{4}), "");
    const Frame later = frame_that(session, [](const Frame& f) { return f.time > 2.5; });
    const double wall = static_cast<double>(wall_now() - start) * 1e-9;
    // What the clock gave up is counted, so this holds on a busy machine too.
    const double slipped = later.transport.slipped - first.transport.slipped;
    EXPECT_NEAR((later.time - first.time) / 4, wall - slipped, 0.15);
    EXPECT_EQ(answer(session, SetSpeed{0}).find("the speed must be"), 0u);
}

TEST(Session, StepsGoesBackAndTellsErrors) {
    Session session(std::make_unique<Simulation>(workshop()), {.begin = Begin::paused});
    EXPECT_EQ(answer(session, StepOnce{500}), "");
    Frame frame = frame_that(session, [](const Frame& f) { return f.step == 500; });
    EXPECT_FALSE(frame.transport.is_running);
    EXPECT_EQ(answer(session, GoTo{0.25}), "");
    frame = frame_that(session, [](const Frame& f) { return f.step == 125; });
    EXPECT_TRUE(frame.transport.is_repeating);
    EXPECT_NEAR(frame.transport.last, 1, 1e-9);
    EXPECT_NE(answer(session, Input{Remove{BodyId{77}}}), "");
    EXPECT_NE(answer(session, Wishes{.quantities = {"nobody.mass"}}), "");
    EXPECT_EQ(answer(session, live::Run{}), "");
    frame_that(session, [](const Frame& f) { return f.time > 0.3; });
    EXPECT_EQ(answer(session, Pause{}), "");
    frame = frame_that(session, [](const Frame& f) { return !f.transport.is_running; });
    std::this_thread::sleep_for(30ms);
    EXPECT_FALSE(session.take(frame));
}

TEST(Session, ASceneThatChangesIsThereBeforeItsFrames) {
    Session session(std::make_unique<Simulation>(workshop()), {});
    EXPECT_EQ(
        answer(session, Input{AddBody{.geometry = Box{{0.1, 0.1, 0.1}}, .position = {5, 0, 1}}}),
        "");
    const Frame frame = frame_that(session, [](const Frame& f) { return f.revision == 2; });
    EXPECT_GE(session.scene()->revision(), frame.revision);
    EXPECT_EQ(frame.poses.size(), static_cast<size_t>(7 * session.scene()->bodies_size()));
}

// What a user's force can do wrong.
class Failing : public Simulation {
  public:
    Failing() : Simulation(workshop()) {}
    bool advance() override {
        if (step() == 50) throw SimulationError("it broke");
        return Simulation::advance();
    }
};

TEST(Session, AFailureStopsTheClockAndNothingElse) {
    Session session(std::make_unique<Failing>(), {});
    Frame frame = frame_that(session, [](const Frame& f) { return !f.transport.trouble.empty(); });
    EXPECT_EQ(frame.transport.trouble, "it broke");
    EXPECT_FALSE(frame.transport.is_running);
    EXPECT_EQ(frame.step, 50u);
    EXPECT_EQ(answer(session, GoTo{0.02}), "");
    frame = frame_that(session, [](const Frame& f) { return f.step == 10; });
    EXPECT_EQ(frame.transport.trouble, "");
}

// What cannot be shown, or is refused by something other than an InputError, is told and ends nothing.
TEST(Session, WhatCannotBeShownStopsTheClockAndNothingElse) {
    struct Unseen : Simulation {
        using Simulation::Simulation;
        void fill(Frame& frame) const override {
            if (step() > 50) throw std::logic_error("nobody can see this");
            Simulation::fill(frame);
        }
    };
    Session session(std::make_unique<Unseen>(workshop()), {});
    const Frame frame =
        frame_that(session, [](const Frame& f) { return !f.transport.trouble.empty(); });
    EXPECT_EQ(frame.transport.trouble, "nobody can see this");
    EXPECT_FALSE(frame.transport.is_running);
    EXPECT_EQ(answer(session, GoTo{0.02}), "");
    frame_that(session, [](const Frame& f) { return f.step == 10; });
}

// An order that goes somewhere lasts until it may go on.
struct Busy : Simulation {
    std::latch &is_busy, &may_go_on;
    Busy(std::latch& busy, std::latch& go_on)
        : Simulation(workshop()), is_busy(busy), may_go_on(go_on) {}
    void go_to(double) override {
        is_busy.count_down();
        may_go_on.wait();
    }
};

TEST(Session, RefusesOrdersWhenTooManyWait) {
    std::latch is_busy(1), may_go_on(1);
    Session session(std::make_unique<Busy>(is_busy, may_go_on), {.begin = Begin::paused});
    session.post(GoTo{0});
    is_busy.wait();
    std::atomic<int> done = 0;
    int taken = 0;
    const auto post = [&](const Order& order) {
        taken += session.post(order, [&](const auto&) { ++done; });
    };
    for (int i = 0; i < 3000; ++i) post(SetSpeed{1});
    EXPECT_EQ(taken, 1024);
    // What ends something still has places of its own, and these an end too.
    for (int i = 0; i < 3000; ++i) post(Pause{});
    EXPECT_EQ(taken, 1024 + 64);
    may_go_on.count_down();
    for (int i = 0; i < 2000 && done < taken; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(done, taken);
}

// A program that steers faster than a busy simulation takes it would shut all others out.
TEST(Session, OfCommandsThatNobodyWaitsForTheNewestCounts) {
    std::latch is_busy(1), may_go_on(1);
    Session session(std::make_unique<Busy>(is_busy, may_go_on), {.begin = Begin::paused});
    session.post(GoTo{0});
    is_busy.wait();
    for (int i = 0; i < 3000; ++i) EXPECT_TRUE(session.post(Input{CommandDrive{{0}, double(i)}}));
    EXPECT_TRUE(session.post(SetSpeed{1}));
    may_go_on.count_down();
}

// Ten thousand steps of one order could not be stopped.
TEST(Session, StopsWhatTakesLongWhenSomebodySaysPause) {
    Session session(std::make_unique<Simulation>(workshop()), {.begin = Begin::paused});
    std::promise<std::string> promise;
    session.post(StepOnce{100'000'000}, [&](const std::string& e) { promise.set_value(e); });
    // Meanwhile it is seen.
    frame_that(session, [](const Frame& f) { return f.step > 0; });
    EXPECT_EQ(answer(session, Pause{}), "");
    EXPECT_EQ(promise.get_future().get().find("stopped after "), 0u);
    EXPECT_EQ(answer(session, StepOnce{5}), "");
}

TEST(Session, EndsAtOnceWhateverItDoes) {
    for (int i = 0; i < 20; ++i) {
        Session session(std::make_unique<Simulation>(workshop()), {});
        session.post(SetSpeed{0.01});
        std::this_thread::sleep_for(std::chrono::milliseconds(i));
    }
}

}  // namespace
}  // namespace bristle::live
