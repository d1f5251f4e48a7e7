// What drives put in (World::work) is what bodies got, also in a step in which a target has a kink: its rate jumps there, and so does the
// energy in motion.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

struct Sledge {
    Model model;
    JointId slide;
    DriveId drive;
    Sledge(double mass, TimeFunction target, Drive::Control control, double most) {
        const auto body = model.add(Body::box({0.2, 0.2, 0.2}, mass));
        slide = model.add(Prismatic{.a = Model::ground(), .b = body, .at = {}, .axis = {1, 0, 0}});
        drive = model.add(Drive{
            .joint = slide, .control = control, .target = std::move(target), .max_effort = most});
    }
};

TEST(Work, OfATargetThatStartsToMoveIsTheKineticEnergy) {
    for (const double step : {1e-3, 5e-3, 7e-3}) {
        Sledge s(
            2.5, [](double t) { return std::max(0.0, t - 0.25); }, Drive::Control::position,
            unlimited);
        World world(s.model, AugmentedLagrangian{.step = step});
        world.advance_to(0.5);
        EXPECT_NEAR(world.energy().kinetic, 1.25, 1e-9);
        EXPECT_NEAR(world.work(s.drive), 1.25, 1e-6) << step;
    }
}

TEST(Work, OfATargetThatStopsIsTakenBack) {
    for (const double step : {1e-3, 5e-3, 7e-3}) {
        Sledge s(
            2.5, [](double t) { return std::min(t, 0.25); }, Drive::Control::position, unlimited);
        World world(s.model, AugmentedLagrangian{.step = step});
        const double began = world.energy().kinetic;
        world.advance_to(0.5);
        EXPECT_NEAR(world.energy().kinetic, 0, 1e-9);
        EXPECT_NEAR(world.work(s.drive), -began, 1e-6) << step;
    }
}

TEST(Work, OfASpeedThatJumpsAndOfOneThatIsLimitedIsTheKineticEnergy) {
    for (const double most : {unlimited, 40.0}) {
        Sledge s(
            2.5, [](double t) { return t < 0.1 ? 0.0
                                     : t < 0.4 ? 1.0
                                               : -2.0; },
            Drive::Control::speed, most);
        World world(s.model, AugmentedLagrangian{.step = 5e-3});
        world.advance_to(0.3);
        EXPECT_NEAR(world.energy().kinetic, 1.25, 1e-6);
        EXPECT_NEAR(world.work(s.drive), 1.25, 1e-3) << most;
        world.advance_to(1);
        EXPECT_NEAR(world.energy().kinetic, 5, 1e-6);
        EXPECT_NEAR(world.work(s.drive), 5, 1e-3) << most;
    }
}

}  // namespace
}  // namespace bristle
