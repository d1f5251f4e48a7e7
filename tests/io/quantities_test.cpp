#include "io/scene/quantities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::io {
namespace {

struct Mechanism {
    Model model;
    BodyId crank, ball;
    JointId pin;
    DriveId motor;
    ForceId spring;
};

Mechanism mechanism() {
    Mechanism out;
    Model& m = out.model;
    out.crank = m.add(Body::rod({0, 0, 0}, {0, 0, 1}, 1).named("crank 1"));
    out.ball = m.add(Body::sphere(0.1, 2).at({3, 0, 0.1}).named("ball"));
    m.add(Shape{.body = out.ball, .geometry = Sphere{0.1}});
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    out.pin = m.add(Revolute{.a = m.ground(), .b = out.crank, .axis = {0, 1, 0}, .name = "A"});
    out.motor = m.add(Drive{.joint = out.pin,
                            .control = Drive::Control::speed,
                            .target = [](double) { return 2.0; },
                            .name = "crank 1"});
    out.spring = m.add(Spring{.a = m.ground(),
                              .b = out.crank,
                              .at_a = {1, 0, 1},
                              .at_b = {0, 0, 1},
                              .stiffness = 100,
                              .free_length = 0.5,
                              .name = "s.1"});
    return out;
}

World moved(const Mechanism& m) {
    World world(m.model);
    world.advance_to(0.3);
    return world;
}

double value(const World& world, const std::string& name) {
    const auto found = quantities(world.model(), name);
    EXPECT_EQ(found.size(), 1u) << name;
    return found.front().read(world);
}

std::string error_of(const Model& model, const std::string& name) {
    try {
        quantities(model, name);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Quantities, AreWhatTheWorldSays) {
    const Mechanism m = mechanism();
    const World w = moved(m);
    EXPECT_EQ(value(w, "crank 1.angular_velocity.y"), w.twist(m.crank).angular.y);
    EXPECT_EQ(value(w, "crank 1.point(1, 0, -0.5e0).z"), w.point(m.crank, {1, 0, -.5}).z);
    EXPECT_EQ(value(w, "crank 1.orientation.w"), w.pose(m.crank).orientation.w);
    EXPECT_EQ(value(w, "A.coordinate"), w.coordinate(m.pin));
    EXPECT_EQ(value(w, "A.rate"), w.coordinate_rate(m.pin));
    EXPECT_EQ(value(w, "A.angle"), w.angle(m.pin));
    EXPECT_EQ(value(w, "A.reaction.force.norm"), norm(w.reaction(m.pin).force));
    EXPECT_EQ(value(w, "A.reaction.moment.x"), w.reaction(m.pin).moment.x);
    EXPECT_EQ(value(w, "s.1.tension"), w.tension(m.spring));
    EXPECT_EQ(value(w, "energy.total"), w.energy().total());
    EXPECT_EQ(value(w, "contact.count"), static_cast<double>(w.contacts().size()));
    EXPECT_NE(value(w, "solver.iterations"), 0);
    // It lies still: the floor carries its weight.
    EXPECT_NEAR(value(w, "contact.force(ball).z"), 2 * 9.81, 1e-6);
    EXPECT_NEAR(value(w, "contact.force(ground).z"), -2 * 9.81, 1e-6);
}

TEST(Quantities, ABodyAndADriveMayShareAName) {
    const Mechanism m = mechanism();
    const World w = moved(m);
    EXPECT_EQ(value(w, "crank 1.effort"), w.effort(m.motor));
    EXPECT_EQ(value(w, "crank 1.position.x"), w.pose(m.crank).position.x);
}

TEST(Quantities, AVectorStandsForItsPartsWithNamesAndUnits) {
    const auto found = quantities(mechanism().model, "A.reaction.moment");
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].name, "A.reaction.moment.y");
    EXPECT_EQ(found[1].unit, "N m");
    EXPECT_EQ(quantities(mechanism().model, "crank 1.effort")[0].unit, "N m");
    EXPECT_EQ(quantities(mechanism().model, "crank 1.orientation").size(), 4u);
}

TEST(Quantities, ChangeOfEnergyStartsAtZero) {
    const Mechanism m = mechanism();
    World w(m.model);
    const auto change = quantities(m.model, "energy.change");
    const double start = w.energy().total();
    EXPECT_EQ(change[0].read(w), 0);
    w.advance_to(0.3);
    EXPECT_EQ(change[0].read(w), w.energy().total() - start);
}

TEST(Quantities, MistakesAreExplained) {
    const Model model = mechanism().model;
    EXPECT_TRUE(contains(error_of(model, "crank 1.positon.x"), "did you mean 'position.x'"));
    EXPECT_TRUE(contains(error_of(model, "cranc 1.position"), "did you mean 'crank 1.position'"));
    EXPECT_TRUE(contains(error_of(model, "ball.effort"), "body 'ball' has no 'effort'"));
    EXPECT_TRUE(contains(error_of(model, "ball.point(1, 2)"), "point(x, y, z)"));
    EXPECT_TRUE(contains(error_of(model, "energy.totl"), "did you mean 'total'"));
    for (const char* wrong :
         {"", ".", "ball", "ball.", "ball.position.w", "ball.position.", "A.effort",
          "contact.force", "contact.force(A)", "ball.point(1, 2, x)", "ball.point(1, 2, 3, 4)",
          "ball.point(1,2,nan)", "crank 1.point(1, 2, 3).w", "solver"})
        EXPECT_NE(error_of(model, wrong), "") << wrong;
}

TEST(Quantities, EveryNameThatIsListedCanBeRead) {
    const Mechanism m = mechanism();
    const World w = moved(m);
    const auto names = quantity_names(m.model);
    EXPECT_TRUE(std::find(names.begin(), names.end(), "ball.position.norm") != names.end());
    for (const std::string& name : names)
        for (const Quantity& q : quantities(m.model, name))
            EXPECT_TRUE(std::isfinite(q.read(w))) << q.name;
}

TEST(Quantities, OfWhatWasRemovedThereAreNone) {
    Mechanism m = mechanism();
    m.model.remove(m.pin);
    EXPECT_NE(error_of(m.model, "A.angle"), "");
    EXPECT_NE(error_of(m.model, "crank 1.effort"), "");
    EXPECT_EQ(error_of(m.model, "crank 1.position"), "");
}

// A top without gravity keeps its angular momentum; in its own axes its rates are those of Euler's equations.
TEST(Quantities, HaveMomentaAndRatesInTheBody) {
    Model model;
    model.gravity = {};
    const Vec3 spin{0.3, 0.1, 5};
    const Quat turned = Quat::about({1, 2, 0}, 0.7);
    Body top =
        Body::box({0.2, 0.3, 0.6}, 4).at({1, 2, 3}, turned).moving({0.5, 0, -1}).named("top");
    top.angular_velocity = turned.matrix() * spin;
    const auto id = model.add(top);
    const auto ball =
        model.add(Body::sphere(0.1, 2).at({-1, 0, 0}).moving({0, 3, 0}).named("ball"));
    World world(model, AugmentedLagrangian{.step = 1e-3});
    const auto vector = [&](const std::string& name) {
        return Vec3{value(world, name + ".x"), value(world, name + ".y"),
                    value(world, name + ".z")};
    };
    const Vec3 own = turned.matrix() * (top.inertia * spin);
    const Vec3 about_origin = cross(Vec3{1, 2, 3}, 4 * Vec3{0.5, 0, -1}) + own;
    EXPECT_LT(norm(vector("top.body_angular_velocity") - spin), 1e-9);
    EXPECT_LT(norm(vector("top.body_velocity") - turned.conjugate().matrix() * Vec3{0.5, 0, -1}),
              1e-9);
    EXPECT_LT(norm(vector("top.spin") - own), 1e-9);
    EXPECT_LT(norm(vector("top.angular_momentum") - about_origin), 1e-9);
    EXPECT_LT(norm(vector("top.angular_momentum(1, 2, 3)") - own), 1e-9);
    EXPECT_LT(norm(vector("momentum.linear") - Vec3{2, 6, -4}), 1e-9);
    const Vec3 both = about_origin + cross(Vec3{-1, 0, 0}, Vec3{0, 6, 0});
    EXPECT_LT(norm(vector("momentum.angular") - both), 1e-9);
    const Vec3 center = (4 * Vec3{1, 2, 3} + 2 * Vec3{-1, 0, 0}) / 6;
    EXPECT_LT(norm(vector("momentum.center") - center), 1e-9);
    EXPECT_LT(norm(vector("momentum.spin") - (both - cross(center, Vec3{2, 6, -4}))), 1e-9);
    EXPECT_LT(
        norm(vector("momentum.angular(0, 0, 1)") - (both - cross(Vec3{0, 0, 1}, Vec3{2, 6, -4}))),
        1e-9);
    EXPECT_EQ(world.angular_momentum(ball, {-1, 0, 0}), Vec3{});
    const Vec3 before = vector("momentum.angular");
    world.advance_to(1);
    EXPECT_LT(norm(vector("momentum.angular") - before), 1e-4 * norm(before)) << "it is kept";
    EXPECT_GT(norm(vector("top.angular_velocity") - turned.matrix() * spin), 0.1)
        << "its rate is not";
    EXPECT_TRUE(error_of(model, "top.spun").find("spin") != std::string::npos);
    static_cast<void>(id);
}

// A ball at rest on a floor of stiffness k presses k x^1.5 = m g, and stores 2/5 k x^2.5.
TEST(Quantities, HaveTheEnergyThatContactsStore) {
    Model model;
    const double stiffness = 1e6, weight = 2 * 9.81;
    const auto stuff = model.add(Material{.restitution = 0});
    const double depth = std::pow(weight / stiffness, 2.0 / 3);
    const auto ball = model.add(Body::sphere(0.1, 2).at({0, 0, 0.1 - depth}).named("ball"));
    model.add(Shape{.body = ball, .geometry = Sphere{0.1}, .material = stuff});
    model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = stuff});
    model.add(ContactPair{stuff, stuff, ContactLaw{.stiffness = stiffness, .restitution = 0}});
    World world(model);
    world.advance_to(0.5);
    EXPECT_NEAR(value(world, "energy.contact"), 0.4 * stiffness * std::pow(depth, 2.5),
                0.02 * 0.4 * stiffness * std::pow(depth, 2.5));
}

}  // namespace
}  // namespace bristle::io
