#include "io/scene/quantities.h"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace bristle::io
