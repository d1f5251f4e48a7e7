// What a scene file can say of joints and frames: rates, gauges, friction, directions, forces that feel contacts.
#include <bristle/scene.h>
#include <bristle/world.h>

#include "io/oddities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::io {
namespace {

Scene scene_of(const std::string& text) { return parse_scene(text); }

std::string mistake_in(const std::string& text) {
    try {
        parse_scene(text);
    } catch (const SceneError& e) {
        return e.messages.empty() ? "" : e.messages[0];
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Mat3 rotation_of(const std::string& rotation) {
    const Scene s = scene_of("bodies: {b: {type: point, mass: 1, rotation: " + rotation + "}}");
    return s.model.bodies()[1].orientation.matrix();
}

TEST(TwoDirections, MakeAFrame) {
    const Mat3 m = rotation_of("{z: [0, 0, 2], x: [1, 1, 5]}");
    const double s = std::sqrt(0.5);
    EXPECT_LT(norm(m.column(2) - Vec3{0, 0, 1}), 1e-15) << "the first is kept";
    EXPECT_LT(norm(m.column(0) - Vec3{s, s, 0}), 1e-15) << "the second is turned across it";
    EXPECT_LT(norm(m.column(1) - Vec3{-s, s, 0}), 1e-15) << "right-handed";
    const Mat3 n = rotation_of("{x: [1, 1, 5], z: [0, 0, 2]}");
    EXPECT_LT(norm(n.column(0) - normalized(Vec3{1, 1, 5})), 1e-15);
    EXPECT_GT(n.column(2).z, 0);
    EXPECT_LT(std::abs(dot(n.column(0), n.column(2))), 1e-15);
    for (const char* pair : {"{x: y, y: z}", "{y: z, z: x}", "{z: x, x: y}", "{y: z, x: y}"}) {
        const Mat3 turned = rotation_of(pair);
        EXPECT_LT(norm(turned.column(0) - Vec3{0, 1, 0}), 1e-15) << pair;
        EXPECT_LT(norm(turned.column(1) - Vec3{0, 0, 1}), 1e-15) << pair;
        EXPECT_LT(norm(turned.column(2) - Vec3{1, 0, 0}), 1e-15) << pair;
    }
}

TEST(TwoDirections, ThatMakeNoneAreMistakes) {
    const auto body = [](const std::string& rotation) {
        return mistake_in("bodies: {b: {type: point, mass: 1, rotation: " + rotation + "}}");
    };
    EXPECT_TRUE(contains(body("{z: [0, 0, 1], x: [0, 0, -3]}"), "z and x are parallel"));
    EXPECT_TRUE(contains(body("{z: [0, 0, 0], x: [1, 0, 0]}"), "z has no length"));
    EXPECT_TRUE(contains(body("{z: [0, 0, 1]}"), "rotation"));
    EXPECT_TRUE(contains(body("{x: x, y: y, z: z}"), "rotation"));
    EXPECT_TRUE(contains(body("{z: z, w: x}"), "w"));
}

TEST(StartRatesOfScenes, StartAMechanismAndTellWhatTheyChange) {
    const std::string bar = R"(
bodies:
  crank:   {type: rod, from: [0, 0, 0], to: [0, 0, 0.2], mass: 1SPIN}
  coupler: {type: rod, from: [0, 0, 0.2], to: [1, 0, 0.8], mass: 2}
  rocker:  {type: rod, from: [1, 0, 0], to: [1, 0, 0.8], mass: 1.5}
joints:
  A: {type: revolute, b: crank, at: [0, 0, 0], axis: yRATE}
  B: {type: revolute, a: crank, b: coupler, at: [0, 0, 0.2], axis: y}
  C: {type: revolute, a: coupler, b: rocker, at: [1, 0, 0.8], axis: y}
  D: {type: revolute, b: rocker, at: [1, 0, 0], axis: y}
)";
    const auto with = [&](const std::string& spin, const std::string& rate,
                          const std::string& more) {
        std::string text = bar + more;
        text.replace(text.find("SPIN"), 4, spin);
        text.replace(text.find("RATE"), 4, rate);
        return scene_of(text);
    };
    const std::string impulses = "solver: {type: impulse}\n";
    for (const std::string& solver : {std::string(), impulses}) {
        const Scene rate = with("", ", rate: 60 rpm", solver);
        const World world(rate.model, rate.solver);
        EXPECT_NEAR(world.coordinate_rate(rate.model.joint("A")), 2 * pi, 1e-9);
        EXPECT_TRUE(oddities_of_start(world, rate).empty());
        const Scene spin = with(", angular_velocity: [0, 6, 0]", "", solver);
        const auto said = oddities_of_start(World(spin.model, spin.solver), spin);
        ASSERT_EQ(said.size(), 1u);
        EXPECT_TRUE(contains(said[0], "'crank' was given (0, 0, 0) m/s and (0, 6, 0) rad/s"))
            << said[0];
        EXPECT_TRUE(contains(said[0], "starts with")) << said[0];
        EXPECT_TRUE(contains(said[0], "% of it")) << said[0];
    }
    const Scene rate = with("", ", rate: -1.5", "");
    EXPECT_EQ(scene_of(scene_text(rate)).model.joints()[0].rate, -1.5) << "written and read again";
    EXPECT_TRUE(contains(mistake_in("bodies: {b: {type: point, mass: 1}}\njoints: {J: {type: "
                                    "spherical, b: b, at: [0, 0, 0], rate: 1}}"),
                         "rate"));
}

constexpr const char* jointed = R"(
bodies:
  arm: {type: box, size: [0.1, 0.2, 0.3], mass: 2}
  leg: {type: box, size: [0.1, 0.2, 0.3], mass: 2, position: [3, 0, 0]}
  ram: {type: box, size: [0.1, 0.2, 0.3], mass: 2, position: [6, 0, 0]}
joints:
  cross: {type: universal, b: arm, at: [0, 0, 0], axis_a: x, axis_b: y}
  first: {type: turn_gauge, of: cross}
  second: {type: turn_gauge, of: cross, side: b}
  hip: {type: spherical, b: leg, at: [3, 0, 0]}
  cone: {type: swing_gauge, of: hip, axis: -z}
  pipe: {type: cylindrical, b: ram, at: [6, 0, 0], axis: z}
  spin: {type: turn_gauge, of: pipe}
  drift: {type: slide_gauge, a: arm, b: leg, at: [1, 0, 0], axis: x}
drives:
  turner: {joint: spin, control: speed, target: 60 rpm}
  lifter: {joint: pipe, control: position, target: 0.1*t}
  dry: {joint: first, control: friction, max_effort: 2 N*m}
limits:
  stop: {joint: second, min: -20 deg, max: 20 deg}
  socket: {joint: cone, max: 40 deg}
duration: 0.5
)";

TEST(Gauges, AreSaidOfAJoint) {
    const Scene s = scene_of(jointed);
    const auto joint = [&](const char* name) {
        return s.model.joints()[s.model.joint(name).index];
    };
    EXPECT_EQ(joint("first").axis, (Vec3{1, 0, 0}));
    EXPECT_EQ(joint("first").axis_b, (Vec3{0, 1, 0}));
    EXPECT_EQ(joint("second").axis, (Vec3{0, -1, 0}));
    EXPECT_EQ(joint("second").b, Model::ground());
    EXPECT_EQ(joint("cone").b, s.model.body("leg"));
    EXPECT_EQ(joint("spin").axis, (Vec3{0, 0, 1}));
    World world(s.model, s.solver);
    world.advance_to(0.5);
    EXPECT_NEAR(world.coordinate(s.model.joint("spin")), pi, 1e-6);
    EXPECT_NEAR(world.coordinate(s.model.joint("pipe")), 0.05, 1e-6);
    const Scene again = scene_of(scene_text(s));
    World other(again.model, again.solver);
    other.advance_to(0.5);
    EXPECT_EQ(world.hash(), other.hash()) << "written and read again it is the same";
}

TEST(Gauges, AreAngularToUnitsOfWhatActsOnThem) {
    const auto with_limit = [](const std::string& limit) {
        std::string text = jointed;
        const size_t at = text.find("{joint: cone, max: 40 deg}");
        return mistake_in(text.replace(at, 26, "{joint: cone, max: " + limit + "}"));
    };
    EXPECT_EQ(with_limit("0.7"), "");
    EXPECT_TRUE(contains(with_limit("2 mm"), "max"));
}

TEST(Friction, RefusesWhatItCannotBe) {
    const auto with = [](const std::string& drive) {
        std::string text = jointed;
        const size_t at = text.find("{joint: first, control: friction, max_effort: 2 N*m}");
        return mistake_in(text.replace(at, 52, drive));
    };
    EXPECT_TRUE(contains(with("{joint: hip, control: friction, max_effort: 2}"), "gauge"));
    EXPECT_TRUE(contains(with("{joint: cone, control: friction, max_effort: 2}"), "turn gauges"));
    EXPECT_TRUE(contains(with("{joint: first, control: friction}"), "max_effort"));
    EXPECT_TRUE(
        contains(with("{joint: first, control: friction, max_effort: 2, target: 1}"), "target"));
    EXPECT_TRUE(contains(with("{joint: first, control: friction, max_effort: 2 N}"), "max_effort"));
}

// A block on a floor without friction of its own is braked by μ n, n being what the floor presses with.
TEST(ForcesOfScenes, ReadTheNormalForceOfContacts) {
    for (const char* solver : {"augmented_lagrangian", "impulse"}) {
        SCOPED_TRACE(solver);
        const Scene s = scene_of(std::string(R"(
materials: {ice: {static_friction: 0, kinetic_friction: 0, restitution: 0}}
bodies:
  block: {type: box, size: [0.2, 0.2, 0.1], mass: 3, position: [0, 0, 0.05], velocity: [2, 0, 0], material: ice}
shapes:
  floor: {type: plane, material: ice}
forces:
  brake: {type: force, body: block, force: [-0.2*n, 0, 0]}
solver: {step: 1 ms, type: )") + solver
                                 + "}\n");
        World world(s.model, s.solver);
        world.advance_to(0.5);
        EXPECT_NEAR(world.twist(s.model.body("block")).linear.x, 2 - 0.2 * 9.81 * 0.5, 0.02);
        EXPECT_EQ(scene_of(scene_text(s)).model.user_forces()[0].text->force[0], "-0.2*n");
    }
}

// Two distances from one point to two points of a body were told to hold the same.
TEST(DoubleJoints, AreThoseThatHoldTheSame) {
    const auto is_told = [](const std::string& joints) {
        const Scene scene = scene_of(
            "bodies: {arm: {type: rod, from: [0, 0, 1], to: [1, 0, 1], mass: 1}}\njoints: {"
            + joints + "}");
        const std::vector<std::string> found = oddities(scene);
        return std::any_of(found.begin(), found.end(), [](const std::string& sentence) {
            return contains(sentence, "one of them will do");
        });
    };
    const std::string distance = "{type: distance, b: arm, at_a: [0, 0, 2], at_b: [0, 0, 1]}";
    EXPECT_TRUE(is_told("A: " + distance + ", B: " + distance));
    EXPECT_TRUE(
        is_told("A: " + distance
                + ", B: {type: distance, a: arm, b: ground, at_a: [0, 0, 1], at_b: [0, 0, 2]}"));
    EXPECT_FALSE(is_told("A: " + distance
                         + ", B: {type: distance, b: arm, at_a: [0, 0, 2], at_b: [1, 0, 1]}"));
    const std::string pin = "{type: revolute, b: arm, at: [0, 0, 1], axis: y}";
    EXPECT_TRUE(is_told("A: " + pin + ", B: " + pin));
    EXPECT_FALSE(is_told("A: " + pin + ", B: {type: revolute, b: arm, at: [1, 0, 1], axis: y}"));
}

}  // namespace
}  // namespace bristle::io
