// The teeth go where they are to go.
#include "machines/operator/tip.h"

#include "tests/operator/site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::machines {
namespace {

using testing_support::Site;

constexpr double dt = 0.02;

void act(Site& site, Hands& hands) {
    for (const Command& c : hands.take()) carry_out(site.world, c);
    for (int i = 0; i < 4; ++i) site.world.step();
}

TEST(ArmGeometry, KnowsWhereTheModelsTeethAndCylindersAre) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> x(0, 1);
    for (int i = 0; i < 20; ++i) {
        const Site site(fmt::format("boom_angle: {}, stick_angle: {}, bucket_angle: {}",
                                    1.8 * x(random) - 0.7, -0.3 - 2 * x(random),
                                    0.5 - 2.6 * x(random)));
        const Excavator& e = site.excavator;
        Eyes eyes(e);
        const Senses s = eyes.look(site.world);
        const Vec3 seen = s.world_point(e, s.swing, s.tip.reach, s.tip.height);
        EXPECT_NEAR(norm(seen - s.teeth), 0, 1e-9);
        const auto angles = e.arm.angles_at(s.tip);
        ASSERT_TRUE(angles);
        const auto lengths = e.arm.cylinders_at(*angles);
        ASSERT_TRUE(lengths);
        for (size_t c = 0; c < 3; ++c) EXPECT_NEAR((*lengths)[c], s.cylinders[c], 1e-9) << c;
    }
}

// m, of the teeth on the line while it goes at 0.2 to 0.8 m/s, standing on its tyres.
TEST(Tip, FollowsLinesFromRandomPoses) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> x(0, 1);
    for (int i = 0; i < 16; ++i) {
        Site site;
        const Excavator& e = site.excavator;
        Eyes eyes(e);
        Hands hands(e);
        hands.move(Control::parking_brake, 1);
        ArmServo servo(e);
        const auto any = [&] {
            for (;;) {
                const TipPose pose{4 + 4.5 * x(random), -0.6 + 4 * x(random),
                                   -pi / 2 - 0.5 + x(random)};
                if (e.arm.reached(pose, 0.1)) return pose;
            }
        };
        const TipPose begin = any(), end = any();
        for (int k = 0; k < 600; ++k) {
            servo.go(eyes.look(site.world), *e.arm.reached(begin), 0.01, hands);
            act(site, hands);
        }
        Senses s = eyes.look(site.world);
        EXPECT_LT(std::hypot(s.tip.reach - begin.reach, s.tip.height - begin.height), 0.06) << i;
        const double speed = 0.2 + 0.6 * x(random);
        // Not all pairs of poses can be joined by a line.
        const auto is_line = [&] {
            for (double share = 0; share <= 1; share += 0.02) {
                const TipPose p{begin.reach + share * (end.reach - begin.reach),
                                begin.height + share * (end.height - begin.height),
                                begin.attack + share * (end.attack - begin.attack)};
                if (!e.arm.reached(p, 0.03)) return false;
            }
            return true;
        };
        if (!is_line()) continue;
        TipPath path({{s.teeth, s.tip.attack + s.pitch(0), speed},
                      {s.world_point(e, 0, end.reach, end.height), end.attack, speed}});
        double worst = 0, sum = 0, behind = 0;
        const double start_reach = s.tip.reach, start_height = s.tip.height;
        int looks = 0;
        auto state = TipPath::State::going;
        const double start = site.world.time();
        while (state == TipPath::State::going && site.world.time() < start + 60) {
            s = eyes.look(site.world);
            state = path.follow(e, s, servo, dt, hands);
            act(site, hands);
            // Off the line, and behind the point on it.
            const double along = std::atan2(end.height - start_height, end.reach - start_reach);
            const double off = std::abs(-std::sin(along) * (s.tip.reach - start_reach)
                                        + std::cos(along) * (s.tip.height - start_height));
            worst = std::max(worst, off);
            sum += off;
            behind = std::max(behind, path.error());
            ++looks;
        }
        EXPECT_EQ(state, TipPath::State::arrived) << i;
        EXPECT_LT(worst, 0.1) << i;
        EXPECT_LT(behind, 0.25) << i;
        EXPECT_LT(sum / looks, 0.04) << i;
        // As fast as it was asked to be, but for beginning and end, and a pump that gives 6 l/s to all.
        EXPECT_LT(site.world.time() - start, 2.2 * path.length() / speed + 3) << i;
    }
}

TEST(Tip, SwingsToAnyAngleWithoutGoingBeyond) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> x(-pi, pi);
    Site site;
    const Excavator& e = site.excavator;
    Eyes eyes(e);
    Hands hands(e);
    hands.move(Control::parking_brake, 1);
    for (int i = 0; i < 8; ++i) {
        const double angle = x(random), start = site.world.time();
        const double first = wrapped(angle - eyes.look(site.world).swing);
        double beyond = 0;
        bool is_there = false;
        while (!is_there && site.world.time() < start + 30) {
            const Senses s = eyes.look(site.world);
            is_there = swing_to(e, s, angle, 0.02, hands);
            act(site, hands);
            const double left = wrapped(angle - s.swing);
            if (left * first < 0 && std::abs(left) < 1) beyond = std::max(beyond, std::abs(left));
        }
        EXPECT_TRUE(is_there) << i;
        EXPECT_LT(beyond, 0.05) << i;
        // A time-optimal swing at 0.9 rad/s and 0.5 rad/s² would take |first|/0.9 + 1.8 s.
        EXPECT_LT(site.world.time() - start, std::abs(first) / 0.9 + 6) << i;
        for (int k = 0; k < 100; ++k) act(site, hands);
        EXPECT_LT(std::abs(wrapped(angle - eyes.look(site.world).swing)), 0.04) << i;
    }
}

// A place that the arm does not reach is said to be none; levers go to the middle.
TEST(Tip, LetsGoWhereALineLeavesItsReach) {
    Site site;
    const Excavator& e = site.excavator;
    Eyes eyes(e);
    Hands hands(e);
    ArmServo servo(e);
    const Senses s = eyes.look(site.world);
    TipPath path({{s.teeth, s.tip.attack, 0.5}, {s.teeth + Vec3{20, 0, 0}, s.tip.attack, 0.5}});
    auto state = TipPath::State::going;
    for (int i = 0; i < 2000 && state == TipPath::State::going; ++i) {
        state = path.follow(e, eyes.look(site.world), servo, dt, hands);
        act(site, hands);
    }
    EXPECT_EQ(state, TipPath::State::out_of_reach);
    for (const Control c : {Control::boom, Control::stick, Control::bucket})
        EXPECT_EQ(hands.at(c), 0);
}

TEST(Hands, TellOnlyWhatTheyMovedAndStayWithinTheEnds) {
    Site site;
    Hands hands(site.excavator);
    EXPECT_GT(hands.take().size(), 10U);
    EXPECT_TRUE(hands.take().empty());
    hands.move(Control::boom, 7);
    hands.move(Control::pedal, -9);
    hands.move(Control::service_brake, -1);
    hands.move(Control::steering, 3);
    EXPECT_EQ(hands.at(Control::boom), 1);
    EXPECT_EQ(hands.at(Control::pedal), -1);
    EXPECT_EQ(hands.at(Control::service_brake), 0);
    EXPECT_EQ(hands.at(Control::steering), site.excavator.steering_end);
    EXPECT_EQ(hands.take().size(), 3U);
    // Less than a hand can move is no movement.
    hands.move(Control::boom, 1 - 1e-4);
    EXPECT_TRUE(hands.take().empty());
    hands.move(Control::boom, NAN);
    EXPECT_TRUE(std::isfinite(hands.at(Control::boom)));
}

TEST(LeverLaw, KnowsDeadBandsAndTheFlowOfAValve) {
    const LeverLaw law{.dead_band = 0.08, .forwards = 0.2, .backwards = 0.1};
    EXPECT_EQ(law.lever(0), 0);
    EXPECT_NEAR(law.lever(0.1), 0.08 + 0.92 * 0.5, 1e-12);
    EXPECT_NEAR(law.lever(-0.1), -1, 1e-12);
    EXPECT_EQ(law.lever(5), 1);
    EXPECT_GT(law.lever(1e-9), 0.08);
}

}  // namespace
}  // namespace bristle::machines
