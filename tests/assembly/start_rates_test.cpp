// Giving one body of a mechanism its speed silently started the whole at a fraction of it: 6 rad/s became 0.36.
#include <bristle/analysis.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

// A four-bar of unequal links; the crank's rate decides all.
struct FourBar {
    Model model;
    BodyId crank, coupler, rocker;
    JointId pin;
    explicit FourBar(std::optional<double> rate) {
        const Vec3 a{0, 0, 0}, b{0, 0, 0.2}, c{1, 0, 0.8}, d{1, 0, 0};
        crank = model.add(Body::rod(a, b, 1).named("crank"));
        coupler = model.add(Body::rod(b, c, 2).named("coupler"));
        rocker = model.add(Body::rod(d, c, 1.5).named("rocker"));
        const Vec3 y{0, 1, 0};
        pin = model.add(Revolute{
            .a = Model::ground(), .b = crank, .at = a, .axis = y, .name = "A", .rate = rate});
        model.add(Revolute{.a = crank, .b = coupler, .at = b, .axis = y});
        model.add(Revolute{.a = coupler, .b = rocker, .at = c, .axis = y});
        model.add(Revolute{.a = Model::ground(), .b = rocker, .at = d, .axis = y, .name = "D"});
    }
};

TEST(StartRates, MoveAWholeMechanismUnderBothSolvers) {
    const FourBar bar(6.0);
    // Of the loop closure: the crank's end goes along x at 1.2 m/s, and the rocker follows the coupler's line.
    const Vec3 along = normalized(Vec3{1, 0, 0.6});
    const double rocker = 6 * 0.2 * along.x / (0.8 * along.x);
    for (const Settings& settings : {Settings(AugmentedLagrangian{}), Settings(Impulse{})}) {
        const World world(bar.model, settings);
        EXPECT_NEAR(world.coordinate_rate(bar.pin), 6, 1e-9);
        EXPECT_NEAR(world.twist(bar.crank).angular.y, 6, 1e-9);
        EXPECT_NEAR(world.twist(bar.rocker).angular.y, rocker, 1e-9);
        EXPECT_NEAR(norm(world.twist(bar.rocker).linear), 0, 1e-9);
    }
    EXPECT_TRUE(start_changes(bar.model).empty()) << "no body was given anything";
}

TEST(StartRates, AreOfSlidesLengthsScrewsAndGearsToo) {
    Model model;
    model.gravity = {};
    const auto cart = model.add(Body::box({0.1, 0.1, 0.1}, 2));
    const auto slide = model.add(
        Prismatic{.a = Model::ground(), .b = cart, .at = {}, .axis = {1, 0, 0}, .rate = -0.5});
    const auto nut = model.add(Body::box({0.1, 0.1, 0.1}, 2).at({0, 1, 0}));
    const auto screw = model.add(Screw{.a = Model::ground(),
                                       .b = nut,
                                       .at = {0, 1, 0},
                                       .axis = {0, 0, 1},
                                       .lead = 0.01,
                                       .rate = 0.02});
    const auto first = model.add(Body::cylinder(0.1, 0.1, 1).at({3, 0, 0}));
    const auto second = model.add(Body::cylinder(0.1, 0.1, 1).at({4, 0, 0}));
    const auto one = model.add(
        Revolute{.a = Model::ground(), .b = first, .at = {3, 0, 0}, .axis = {0, 0, 1}, .rate = 3});
    const auto two =
        model.add(Revolute{.a = Model::ground(), .b = second, .at = {4, 0, 0}, .axis = {0, 0, 1}});
    model.add(Gear{.first = one, .second = two, .ratio = -2});
    World world(model);
    EXPECT_NEAR(world.coordinate_rate(slide), -0.5, 1e-9);
    EXPECT_NEAR(world.twist(cart).linear.x, -0.5, 1e-9);
    EXPECT_NEAR(world.coordinate_rate(screw), 0.02, 1e-9);
    EXPECT_NEAR(world.twist(nut).angular.z, 4 * pi, 1e-9);
    EXPECT_NEAR(world.twist(second).angular.z, -6, 1e-9);
    world.advance_to(1);
    EXPECT_NEAR(world.coordinate(slide), -0.5, 1e-6);
}

TEST(StartRates, AreNotAskedForAgainByAWorldThatGoesOn) {
    FourBar bar(6.0);
    bar.model.gravity = {};
    World world(bar.model);
    world.advance_to(0.1);
    const double rate = world.coordinate_rate(bar.pin);
    ASSERT_GT(std::abs(rate - 6), 0.1);
    EXPECT_NEAR(World(world.model_now()).coordinate_rate(bar.pin), rate, 1e-9);
}

TEST(StartRates, ThatContradictEachOtherNameTheJoint) {
    FourBar bar(6.0);
    bar.model.add(Revolute{.a = Model::ground(),
                           .b = bar.rocker,
                           .at = {1, 0, 0},
                           .axis = {0, 1, 0},
                           .name = "E",
                           .rate = -3});
    try {
        World world(bar.model);
        FAIL() << "two rates of one freedom";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("start rate"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("'"), std::string::npos) << e.what();
    }
    EXPECT_THROW(
        bar.model.add(Prismatic{
            .a = Model::ground(), .b = bar.rocker, .at = {}, .axis = {1, 0, 0}, .rate = NAN}),
        InputError);
}

TEST(StartChanges, SayWhichBodyAndByHowMuch) {
    FourBar bar({});
    Model model = bar.model;
    Model given;
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        Body body = model.bodies()[i];
        if (i == bar.crank.index) body.angular_velocity = {0, 6, 0};
        given.add(body);
    }
    const Vec3 y{0, 1, 0};
    for (const Joint& j : model.joints())
        given.add(Revolute{.a = j.a, .b = j.b, .at = j.at_a, .axis = y, .name = j.name});
    const auto changes = start_changes(given);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].body, bar.crank);
    // It is what a world starts with, under either solver after a step.
    const World world(given);
    EXPECT_NEAR(changes[0].starts.angular.y, world.twist(bar.crank).angular.y, 1e-5);
    EXPECT_NEAR(changes[0].share(), 1 - changes[0].starts.angular.y / 6, 1e-9);
    EXPECT_GT(changes[0].share(), 0.5);
    const std::string text = describe(changes[0], given);
    EXPECT_NE(text.find("'crank'"), std::string::npos);
    EXPECT_NE(text.find("(0, 6, 0) rad/s"), std::string::npos) << text;
    EXPECT_NE(text.find(" %"), std::string::npos) << text;
    EXPECT_TRUE(start_changes(bar.model).empty());
}

}  // namespace
}  // namespace bristle
