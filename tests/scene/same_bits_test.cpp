// A scene and the same calls in C++ are one simulation: the same state after a hundred steps, bit by bit.

#include <bristle/scene.h>

#include <gtest/gtest.h>

namespace bristle::io {
namespace {

uint64_t hash_after(const Model& model, const Settings& settings) {
    World world(model, settings);
    for (int i = 0; i < 100; ++i) world.step();
    return world.hash();
}

void expect_same(const std::string& yaml, const Model& model,
                 const AugmentedLagrangian& settings = {}) {
    const Scene scene = parse_scene(yaml);
    EXPECT_EQ(hash_after(scene.model, scene.solver), hash_after(model, settings));
}

TEST(SameBits, OfAFourBar) {
    Model model;
    const auto crank =
        model.add(Body::rod({0, 0, 0}, {0, 0, 1}, 1).named("crank").moving({}, {0, 1, 0}));
    const auto coupler =
        model.add(Body::rod({0, 0, 1}, {1, 0, 1}, 1).named("coupler").moving({1, 0, 0}));
    const auto rocker =
        model.add(Body::rod({1, 0, 0}, {1, 0, 1}, 1).named("rocker").moving({}, {0, 1, 0}));
    const Vec3 y{0, 1, 0};
    model.add(Revolute{.a = model.ground(), .b = crank, .at = {0, 0, 0}, .axis = y, .name = "A"});
    model.add(Revolute{.a = crank, .b = coupler, .at = {0, 0, 1}, .axis = y, .name = "B"});
    model.add(Revolute{.a = coupler, .b = rocker, .at = {1, 0, 1}, .axis = y, .name = "C"});
    model.add(Revolute{.a = model.ground(), .b = rocker, .at = {1, 0, 0}, .axis = y, .name = "D"});
    expect_same(R"(
parameters: {length: 1, mass: 1}
bodies:
  crank: {type: rod, from: [0, 0, 0], to: [0, 0, length], mass: mass, angular_velocity: [0, 1, 0]}
  coupler: {type: rod, from: [0, 0, length], to: [1, 0, length], mass: mass, velocity: [1, 0, 0]}
  rocker: {type: rod, from: [1, 0, 0], to: [1, 0, length], mass: mass, angular_velocity: [0, 1, 0]}
joints:
  A: {type: revolute, b: crank, at: [0, 0, 0], axis: y}
  B: {type: revolute, a: crank, b: coupler, at: [0, 0, length], axis: y}
  C: {type: revolute, a: coupler, b: rocker, at: [1, 0, length], axis: y}
  D: {type: revolute, b: rocker, at: [1, 0, 0], axis: y}
solver: {step: 5 ms}
)",
                model, {.step = 5e-3});
}

TEST(SameBits, OfADriveByAFunctionOfTime) {
    Model model;
    const auto arm = model.add(
        Body::rod(0.8, 2).named("arm").at({0, 0, 1}, Quat::about({0, 1, 0}, 20 * pi / 180)));
    const auto pin = model.add(
        Revolute{.a = model.ground(), .b = arm, .at = {0, 0, 1}, .axis = {0, 1, 0}, .name = "pin"});
    model.add(Drive{.joint = pin,
                    .control = Drive::Control::speed,
                    .target = [](double t) { return 0.5 * std::sin(2 * pi * t); },
                    .max_effort = 50,
                    .name = "motor"});
    model.add(Coordinate{.joint = pin, .inertia = 0.01, .ratio = 10, .name = "rotor"});
    expect_same(R"(
bodies: {arm: {type: rod, length: 0.8, mass: 2, position: [0, 0, 1], rotation: {axis: y, angle: 20 deg}}}
joints: {pin: {type: revolute, b: arm, on_b: [0, 0, 0], axis: y}}
drives: {motor: {joint: pin, control: speed, target: 0.5*sin(2*pi*t), max_effort: 50}}
rotors: {rotor: {joint: pin, inertia: 0.01, ratio: 10}}
)",
                model);
}

TEST(SameBits, OfASpringAndAForceByLaws) {
    Model model;
    const auto ball = model.add(Body::sphere(0.1, 2).named("ball").at({0.3, 0, -1}));
    model.add(Spring{.a = model.ground(),
                     .b = ball,
                     .at_a = {},
                     .at_b = {0.3, 0, -1},
                     .free_length = 0.9,
                     .law = [](double x, double v) { return 100 * x + 5 * std::pow(v, 3); },
                     .name = "spring"});
    model.add(UserForce{
        [ball](const Kinematics& k, ForceSink& sink) {
            const Vec3 v = k.twist(ball).linear;
            sink.add_force(ball, {10 * std::sin(k.time()), 0, -2 * v.z}, k.pose(ball).position);
        },
        {ball},
        "wind"});
    expect_same(R"(
bodies: {ball: {type: sphere, radius: 0.1, mass: 2, position: [0.3, 0, -1]}}
forces:
  spring: {type: spring, b: ball, at_a: [0, 0, 0], on_b: [0, 0, 0], free_length: 0.9, law: 100*x + 5*v^3}
  wind: {type: force, body: ball, force: [10*sin(t), 0, -2*vz]}
)",
                model);
}

TEST(SameBits, OfContacts) {
    Model model;
    const auto steel = model.add(Material{.name = "steel",
                                          .young = 2.1e9,
                                          .restitution = 0.5,
                                          .static_friction = 0.5,
                                          .kinetic_friction = 0.4});
    for (int i = 0; i < 4; ++i) {
        const auto name = "box " + std::to_string(i);
        const auto box = model.add(
            Body::of(Box{{0.2, 0.2, 0.1}}, 7800).named(name).at({0.01 * i, 0, 0.05 + 0.101 * i}));
        model.add(
            Shape{.body = box, .geometry = Box{{0.2, 0.2, 0.1}}, .material = steel, .name = name});
    }
    const auto ball =
        model.add(Body::sphere(0.1, 2).named("ball").at({1, 0, 0.15}).moving({0.5, 0, 0}));
    model.add(Shape{.body = ball, .geometry = Sphere{0.1}, .material = steel, .name = "ball"});
    model.add(
        Shape{.body = model.ground(), .geometry = Plane{}, .material = steel, .name = "floor"});
    expect_same(R"(
materials: {steel: {young: 2.1e9, restitution: 0.5, static_friction: 0.5, kinetic_friction: 0.4}}
bodies:
  box {i}: {for: {i: 4}, type: box, size: [0.2, 0.2, 0.1], density: 7800, position: [0.01*i, 0, 0.05 + 0.101*i], material: steel}
  ball: {type: sphere, radius: 0.1, mass: 2, position: [1, 0, 0.15], velocity: [0.5, 0, 0], material: steel}
shapes: {floor: {type: plane, material: steel}}
)",
                model);
}

}  // namespace
}  // namespace bristle::io
