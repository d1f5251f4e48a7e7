// Where the time of a step goes.
#include <bristle/world.h>

#include "base/stage_timer.h"
#include "scenes/contacts.h"
#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

namespace bristle::step {
namespace {

TEST(StageTimer, AddsUpStagesAndKeepsTheLongestStep) {
    StageTimer timer;
    for (int step = 0; step < 3; ++step) {
        const StageTimer::Step measured(&timer);
        timer.enter(1);
        const auto until =
            std::chrono::steady_clock::now() + std::chrono::milliseconds(step == 1 ? 20 : 1);
        while (std::chrono::steady_clock::now() < until) {
        }
        timer.enter(2);
    }
    EXPECT_EQ(timer.steps(), 3u);
    EXPECT_EQ(timer.worst_step(), 1u);
    EXPECT_GE(timer.worst()[1], 0.020);
    EXPECT_GE(timer.total()[1], 0.022);
    EXPECT_LT(timer.total()[2], timer.total()[1]);
}

TEST(Profile, IsEmptyUnlessAskedFor) {
    World world(scenes::four_bars(1).model);
    world.step();
    EXPECT_TRUE(world.profile().stages.empty());
}

TEST(Profile, NamesStagesOfBothSolversAndChangesNoState) {
    for (const Settings& settings : {Settings{AugmentedLagrangian{}}, Settings{Impulse{}}}) {
        const Model model = scenes::four_bars(3).model;
        World plain(model, settings), measured(model, settings);
        measured.measure_stages();
        for (int i = 0; i < 50; ++i) {
            plain.step();
            measured.step();
        }
        EXPECT_EQ(plain.hash(), measured.hash());
        const StepProfile profile = measured.profile();
        EXPECT_EQ(profile.steps, 50u);
        EXPECT_LT(profile.worst_step, 50u);
        double total = 0, worst = 0;
        for (const StepProfile::Stage& s : profile.stages) {
            EXPECT_FALSE(s.name.empty());
            total += s.total;
            worst += s.worst;
        }
        EXPECT_GT(total, 0);
        EXPECT_GE(worst, total / 50);
        EXPECT_LE(worst, total);
    }
}

// A change makes new equations and a new solver; what was measured stays.
TEST(Profile, GoesOnAfterAChange) {
    World world(scenes::four_bars(1).model);
    world.measure_stages();
    world.step();
    world.change([](Model& m) { m.add(Body::point(1).at({0, 5, 0})); });
    world.step();
    EXPECT_EQ(world.profile().steps, 2u);
}

}  // namespace
}  // namespace bristle::step
