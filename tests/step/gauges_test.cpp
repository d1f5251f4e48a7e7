// Gauges: coordinates beside the one a joint has, driven, limited and read under both solvers.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

const Settings both[] = {AugmentedLagrangian{.step = 2e-3}, Impulse{.step = 2e-3}};

TEST(Gauges, TurnACylindricalJointWhileItSlides) {
    for (const Settings& settings : both) {
        SCOPED_TRACE(settings.index());
        Model model;
        const auto ram = model.add(Body::box({0.2, 0.3, 0.4}, 3).at({0, 0, 1}));
        const auto joint = model.add(
            Cylindrical{.a = Model::ground(), .b = ram, .at = {0, 0, 1}, .axis = {0, 0, 1}});
        const auto turn =
            model.add(TurnGauge{.a = Model::ground(), .b = ram, .axis = {0, 0, 1}, .rate = 8});
        model.add(Drive{.joint = turn, .control = Drive::Control::speed, .target = 8.0});
        model.add(Drive{.joint = joint,
                        .control = Drive::Control::position,
                        .target = [](double t) { return 0.1 * t * t; }});
        World world(model, settings);
        world.advance_to(2);
        EXPECT_NEAR(world.coordinate(turn), 16, 1e-5) << "turns are counted";
        EXPECT_NEAR(world.coordinate_rate(turn), 8, 1e-6);
        EXPECT_NEAR(world.coordinate(joint), 0.4, 1e-5);
        EXPECT_NEAR(World(world.model_now(), settings).coordinate(turn), 16, 1e-5)
            << "and go on with a world that goes on";
    }
}

// A cross at angles α about a's axis and β about b's has turned b by R(x, α) R(y, β).
TEST(Gauges, AreTheTwoAnglesOfACross) {
    for (const Settings& settings : both) {
        SCOPED_TRACE(settings.index());
        Model model;
        const auto shaft = model.add(Body::box({0.2, 0.3, 0.4}, 3));
        const Vec3 x{1, 0, 0}, y{0, 1, 0};
        model.add(Universal{.a = Model::ground(), .b = shaft, .at = {}, .axis_a = x, .axis_b = y});
        const auto first =
            model.add(TurnGauge{.a = Model::ground(), .b = shaft, .axis = x, .mark = y});
        const auto second =
            model.add(TurnGauge{.a = shaft, .b = Model::ground(), .axis = -y, .mark = x});
        model.add(Drive{.joint = first, .target = [](double t) { return 0.9 * t * t; }});
        model.add(Drive{.joint = second, .target = [](double t) { return -0.7 * t * t; }});
        World world(model, settings);
        world.advance_to(1);
        const Mat3 expected = (Quat::about(x, 0.9) * Quat::about(y, -0.7)).matrix(),
                   turned = world.pose(shaft).orientation.matrix();
        for (int k = 0; k < 3; ++k)
            EXPECT_LT(norm(expected.column(k) - turned.column(k)), 1e-5) << k;
    }
}

TEST(Gauges, StopACrossAtItsAngles) {
    for (const Settings& settings : both) {
        SCOPED_TRACE(settings.index());
        Model model;
        model.gravity = {};
        const auto shaft = model.add(Body::box({0.2, 0.3, 0.4}, 3));
        const Vec3 x{1, 0, 0}, y{0, 1, 0};
        model.add(Universal{.a = Model::ground(), .b = shaft, .at = {}, .axis_a = x, .axis_b = y});
        const auto first =
            model.add(TurnGauge{.a = Model::ground(), .b = shaft, .axis = x, .mark = y, .rate = 2});
        const auto second =
            model.add(TurnGauge{.a = shaft, .b = Model::ground(), .axis = -y, .mark = x});
        model.add(Limit{.joint = first, .min = -0.5, .max = 0.5});
        model.add(Limit{.joint = second, .min = -0.1, .max = 0.1});
        World world(model, settings);
        world.advance_to(0.2);
        EXPECT_NEAR(world.coordinate(first), 0.4, 1e-3);
        world.advance_to(1);
        EXPECT_NEAR(world.coordinate(first), 0.5, 1e-4);
        EXPECT_NEAR(world.coordinate_rate(first), 0, 1e-4);
        EXPECT_LT(std::abs(world.coordinate(second)), 0.1 + 1e-4);
    }
}

// A rod on a ball joint is drawn sideways and rests on its cone of 30°: the cone's moment is that of its weight.
TEST(Gauges, LimitABallJointToACone) {
    for (const Settings& settings : both) {
        SCOPED_TRACE(settings.index());
        Model model;
        model.gravity = {3, 4, 0};
        const auto rod = model.add(Body::rod({0, 0, 0}, {0, 0, -1}, 2));
        model.add(Spherical{.a = Model::ground(), .b = rod, .at = {}});
        const auto swing =
            model.add(SwingGauge{.a = Model::ground(), .b = rod, .axis = {0, 0, -1}});
        const auto cone = model.add(Limit{.joint = swing, .max = pi / 6});
        World world(model, settings);
        world.advance_to(0.1);
        EXPECT_GT(world.coordinate(swing), 0.01) << "free inside";
        EXPECT_NEAR(world.effort(cone), 0, 1e-12);
        world.advance_to(3);
        EXPECT_NEAR(world.coordinate(swing), pi / 6, 1e-4);
        EXPECT_NEAR(world.effort(cone), -2 * 5 * 0.5 * std::cos(pi / 6), 1e-2);
        const Vec3 tip = world.point(rod, {1, 0, 0});
        EXPECT_NEAR(tip.x, 0.6 * std::sin(pi / 6), 1e-2) << "it leans where it is drawn to";
        EXPECT_NEAR(tip.y, 0.8 * std::sin(pi / 6), 1e-2);
    }
}

TEST(Gauges, ReadWithoutHoldingAnything) {
    for (const Settings& settings : both) {
        SCOPED_TRACE(settings.index());
        Model model;
        const auto stone = model.add(Body::box({0.2, 0.2, 0.2}, 1).moving({1, 0, 3}, {0, 0, 0.5}));
        const auto slide =
            model.add(SlideGauge{.a = Model::ground(), .b = stone, .at = {}, .axis = {1, 0, 0}});
        const auto turn = model.add(TurnGauge{.a = Model::ground(), .b = stone, .axis = {0, 0, 1}});
        const auto swing =
            model.add(SwingGauge{.a = Model::ground(), .b = stone, .axis = {1, 0, 0}});
        World world(model, settings);
        world.advance_to(1);
        EXPECT_NEAR(world.coordinate(slide), 1, 1e-6);
        EXPECT_NEAR(world.coordinate_rate(slide), 1, 1e-9);
        EXPECT_NEAR(world.coordinate(turn), 0.5, 1e-6);
        EXPECT_NEAR(world.coordinate(swing), 0.5, 1e-6);
        EXPECT_NEAR(world.coordinate_rate(swing), 0.5, 1e-6);
        EXPECT_NEAR(world.pose(stone).position.z, 3 - 0.5 * 9.81, 2e-2) << "it falls";
        EXPECT_EQ(world.degrees_of_freedom(), 6);
    }
}

TEST(Gauges, CarryFrictionOfACrossAndAPlane) {
    for (const Settings& settings : both) {
        SCOPED_TRACE(settings.index());
        Model model;
        model.gravity = {};
        const auto puck = model.add(Body::cylinder(0.1, 0.05, 2));
        const Vec3 z{0, 0, 1};
        model.add(Planar{.a = Model::ground(), .b = puck, .at = {}, .normal = z});
        const auto turn =
            model.add(TurnGauge{.a = Model::ground(), .b = puck, .axis = z, .rate = 6});
        model.add(Drive{.joint = turn, .control = Drive::Control::friction, .max_effort = 0.02});
        World world(model, settings);
        world.advance_to(4);
        const double way = 0.5 * (0.5 * 2 * 0.01) * 36 / 0.02;
        EXPECT_NEAR(world.coordinate(turn), way, 5e-3 * way);
        EXPECT_NEAR(world.coordinate_rate(turn), 0, 1e-6);
    }
}

}  // namespace
}  // namespace bristle
