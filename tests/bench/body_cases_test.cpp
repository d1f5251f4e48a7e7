// How a run is judged, on motions that are known.
#include "bench/body_cases.h"

#include <gtest/gtest.h>

#include <functional>

namespace bristle::bench::many_bodies {
namespace {

using namespace scenes::plain;

// Bodies that move as a function of the step says, with a clock of which each step takes `cost` ticks.
struct Scripted {
    std::function<Pose(std::size_t body, int step)> pose_at;
    std::function<double(int step)> cost = [](int) { return 1.0; };
    int steps = 0;
    double clock = 0;

    void step() {
        ++steps;
        clock += cost(steps);
    }
    Pose pose(std::size_t body) const { return pose_at(body, steps); }
};

Outcome follow_script(const Case& c, Scripted& script) {
    return follow(c, script, [&] { return script.clock; });
}

TEST(BodyCases, TimeOnlyTheLastSteps) {
    const Case c{"", pile(2), 0.1, 10, 4, Case::Judged::by_depth};
    Scripted script{[&](std::size_t i, int) { return c.scene.bodies[i].pose; },
                    [](int step) { return step <= 6 ? 100.0 : step; }};
    const Outcome out = follow_script(c, script);
    EXPECT_DOUBLE_EQ(out.time, (7 + 8 + 9 + 10) / 4.0);
    EXPECT_DOUBLE_EQ(out.spent, 634);
    EXPECT_EQ(script.steps, 10);
}

TEST(BodyCases, StandingShowsTheLargestDisplacementEver) {
    const Case c{"", stack(3), 0.1, 20, 20, Case::Judged::by_standing};
    Scripted script{[&](std::size_t i, int step) {
        Pose pose = c.scene.bodies[i].pose;
        if (i == 1 && step == 7) pose.position = pose.position + Vec3{0.03, 0.04, -0.2};
        return pose;
    }};
    const Outcome out = follow_script(c, script);
    EXPECT_NEAR(out.drift, 0.05, 1e-15);
    EXPECT_EQ(out.fell_at, 0);
    EXPECT_EQ(remark(out), "");
    EXPECT_NEAR(findings(c, out).at(0).error, 0.05, 1e-15);
}

TEST(BodyCases, WhatFallsIsTimedUntilThen) {
    const Case c{"", stack(2), 0.1, 20, 20, Case::Judged::by_standing};
    // The top starts at 0.75 m and has come down by 5 % between the 3rd and the 4th step.
    Scripted script{[&](std::size_t i, int step) {
                        Pose pose = c.scene.bodies[i].pose;
                        if (i == 1) pose.position[2] -= 0.01 * step;
                        return pose;
                    },
                    [](int step) { return step; }};
    const Outcome out = follow_script(c, script);
    EXPECT_EQ(script.steps, 4);
    EXPECT_DOUBLE_EQ(out.fell_at, 0.4);
    EXPECT_DOUBLE_EQ(out.time, 2.5);
    EXPECT_EQ(remark(out), ", timed until it fell at 0.40 s");
    EXPECT_TRUE(std::isnan(findings(c, out).at(0).error));
}

TEST(BodyCases, DepthIsThatOfTheFinalPoses) {
    const Case c{"", stack(3), 0.1, 5, 5, Case::Judged::by_depth};
    Scripted script{[&](std::size_t i, int step) {
        Pose pose = c.scene.bodies[i].pose;
        pose.position[2] -= 0.001 * step * static_cast<double>(i * i);
        return pose;
    }};
    const auto found = findings(c, follow_script(c, script));
    EXPECT_NEAR(found.at(0).error, 0.01, 1e-15);  // 5 and 15 mm
    EXPECT_NEAR(found.at(1).error, 0.015, 1e-15);
    EXPECT_EQ(found.at(2).error, 2);
}

// A pile that bursts has no depth, so it must show otherwise.
TEST(BodyCases, WhatLeavesItsRoomIsCounted) {
    const Case c{"", pile(5), 0.1, 2, 2, Case::Judged::by_depth};
    Scripted script{[&](std::size_t i, int) {
        Pose pose = c.scene.bodies[i].pose;
        if (i == 2) pose.position[0] = 1.7;
        if (i == 4) pose.position[2] = -0.1;
        return pose;
    }};
    EXPECT_EQ(findings(c, follow_script(c, script)).at(3).error, 2);
}

// A link that turns about its middle takes both its joints' sides along.
TEST(BodyCases, GapsAreBetweenTheSidesOfAJoint) {
    const Case c{"", chains(1, 3), 0.1, 4, 2, Case::Judged::by_joints};
    const auto run = [&](int when) {
        Scripted script{[&](std::size_t i, int step) {
            Pose pose = c.scene.bodies[i].pose;
            if (i == 1 && step == when)
                pose.orientation = Quat::about({0, 1, 0}, 0.2) * pose.orientation;
            return pose;
        }};
        return follow_script(c, script).gap;
    };
    EXPECT_NEAR(run(3), 0.2 * std::sin(0.1), 1e-15);
    EXPECT_NEAR(run(1), 0, 1e-15);  // before the steps that count
}

TEST(BodyCases, WhatIsNotFiniteIsAnError) {
    const Case c{"", stack(1), 0.1, 5, 5, Case::Judged::by_standing};
    Scripted script{[](std::size_t, int step) { return Pose{{0, 0, step < 3 ? 0.25 : NAN}, {}}; }};
    EXPECT_THROW(follow_script(c, script), std::runtime_error);
}

}  // namespace
}  // namespace bristle::bench::many_bodies
