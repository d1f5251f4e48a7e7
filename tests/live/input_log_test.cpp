#include "live/show/input_log.h"

#include <gtest/gtest.h>

namespace bristle::live {
namespace {

TEST(InputLog, GivesBackWhatWasPutIn) {
    InputLog log;
    log.add({3, CommandDrive{{1}, 0.5}});
    log.add({4, AddBody{.geometry = Sphere{0.25}, .position = {1, 2, 3}, .name = "ball"}});
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(std::get<CommandDrive>(log[0].input).value, 0.5);
    EXPECT_EQ(std::get<AddBody>(log[1].input).name, "ball");
    EXPECT_EQ(log.step(1), 4u);
    EXPECT_EQ(log.first_from(4), 1u);
    EXPECT_EQ(log.first_from(5), 2u);
}

// A hand that moves while the simulation stands still would fill the memory. Commands stay: each leaves its rounding in the state.
TEST(InputLog, OfMovesWithoutAStepBetweenThemKeepsTheLast) {
    InputLog log;
    log.add({7, CommandDrive{{1}, 0.1}});
    for (int i = 0; i < 1000; ++i) log.add({7, MoveGrab{{double(i), 0, 0}}});
    log.add({7, CommandDrive{{1}, 0.2}});
    log.add({7, MoveGrab{{-1, 0, 0}}});
    ASSERT_EQ(log.size(), 3u);
    EXPECT_EQ(std::get<CommandDrive>(log[0].input).value, 0.1);
    EXPECT_EQ(std::get<CommandDrive>(log[1].input).value, 0.2);
    EXPECT_EQ(std::get<MoveGrab>(log[2].input).to.x, -1);
    log.add({8, MoveGrab{{0, 0, 0}}});
    EXPECT_EQ(log.size(), 4u);
}

TEST(InputLog, KeepsWhatAnEditCameAfter) {
    InputLog log;
    log.add({7, MoveGrab{{1, 0, 0}}});
    log.add({7, ReleaseGrab{}});
    log.add({7, MoveGrab{{2, 0, 0}}});
    EXPECT_EQ(log.size(), 3u);
}

}  // namespace
}  // namespace bristle::live
