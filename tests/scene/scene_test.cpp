// Each section of a scene file makes the model that the same calls in C++ make, bit by bit.

#include <bristle/scene.h>

#include "tests/scene/model_text.h"

#include <gtest/gtest.h>

namespace bristle::io {
namespace {

Model model_of(const std::string& yaml, const Overrides& overrides = {}) {
    return parse_scene(yaml, "scene.yaml", ".", overrides).model;
}

void expect_same(const std::string& yaml, const Model& model) {
    EXPECT_EQ(text_of(model_of(yaml)), text_of(model));
}

TEST(Scene, OfNothingIsTheEmptyModel) {
    const Scene scene = parse_scene("title: Nothing {1 + 1}\n", "folder/empty.yaml");
    EXPECT_EQ(text_of(scene.model), text_of(Model{}));
    EXPECT_EQ(scene.name, "empty");
    EXPECT_EQ(scene.title, "Nothing 2");
    EXPECT_EQ(scene.duration, 10);
    EXPECT_EQ(std::get<AugmentedLagrangian>(scene.solver).step, AugmentedLagrangian{}.step);
}

TEST(Scene, HasBodiesOfEveryType) {
    Model model;
    model.gravity = {0, 0, -1.62};
    Body general;
    general.mass = 3;
    general.center = {0.1, 0, 0};
    general.inertia = Mat3{{{{2, 0.1, 0}, {0.1, 2, 0}, {0, 0, 3}}}};
    model.add(general.named("general").at({1, 2, 3}, {0.8, 0.6, 0, 0}));
    model.add(Body::point(2).named("point").moving({1, 0, 0}));
    model.add(Body::rod({0, 0, 0}, {0.3, 0.4, 0.5}, 1.5).named("bar").moving({}, {0, 1, 0}));
    model.add(
        Body::rod(0.7, 1.5).named("rod").at({0, 1, 0}, Quat::about({0, 1, 0}, 30 * pi / 180)));
    model.add(Body::box({1, 2, 3}, 4).named("box"));
    model.add(Body::sphere(0.3, 4).named("ball").at(
        {}, Quat::about({0, 0, -1}, 0.5) * Quat::about({1, 2, 3}, 0.1)));
    model.add(Body::cylinder(0.3, 2, 4).named("roll"));
    model.add(Body::of(Capsule{0.3, 2}, 7800).named("capsule"));
    const Geometry ring = Torus{0.5, 0.1, Torus::Arc::half};
    model.add(Body::of(ring, 2 / mass_properties(ring).volume).named("ring"));
    model.add(Body::of(chain_link(0.02, 0.005, 0.03), 7800).named("link"));
    model.add(
        Body::of(ConvexPolyhedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 10).named("hull"));
    model.add(Body::of(Compound{{{Sphere{0.1}, {{0, 0, 1}, {}}}, {Box{{1, 1, 1}}, {}}}}, 10)
                  .named("both"));
    expect_same(R"(
gravity: [0, 0, -1.62]
bodies:
  general:
    mass: 3
    center: [0.1, 0, 0]
    inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]
    position: [1, 2, 3]
    rotation: [0.8, 0.6, 0, 0]
  point: {type: point, mass: 2, velocity: [1, 0, 0]}
  bar: {type: rod, from: [0, 0, 0], to: [0.3, 0.4, 0.5], mass: 1.5, angular_velocity: [0, 1, 0]}
  rod: {type: rod, length: 0.7, mass: 1500 g, position: [0, 1, 0], rotation: {axis: y, angle: 30 deg}}
  box: {type: box, size: [1, 2, 3], mass: 4}
  ball: {type: sphere, radius: 0.3, mass: 4, rotation: [{axis: [1, 2, 3], angle: 0.1}, {axis: -z, angle: 0.5}]}
  roll: {type: cylinder, radius: 0.3, length: 2, mass: 4}
  capsule: {type: capsule, radius: 0.3, length: 2, density: 7800}
  ring: {type: torus, radius: 0.5, tube: 0.1, arc: half, mass: 2}
  link: {type: chain_link, radius: 0.02, tube: 0.005, straight: 0.03, density: 7800}
  hull: {type: convex, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], density: 10}
  both:
    type: compound
    density: 10
    parts: [{type: sphere, radius: 0.1, position: [0, 0, 1]}, {type: box, size: [1, 1, 1]}]
)",
                model);
}

TEST(Scene, CanBePlanar) {
    Model model;
    model.plane_normal = Vec3{0, 1, 0};
    const Quat upright = Quat::about({-1, 0, 0}, pi / 2);  // z to y
    const double along = 2 * 0.25 / 2, across = 2 * (3 * 0.25 + 0.04) / 12;
    Body wheel;
    wheel.name = "wheel";
    wheel.mass = 2;
    wheel.inertia = Mat3::diagonal({across, along, across});
    const BodyId id = model.add(wheel.at({1, 0, 2}));
    model.add(
        Shape{.body = id, .geometry = Cylinder{0.5, 0.2}, .pose = {{}, upright}, .name = "wheel"});
    const ConvexPolyhedron wedge{{{0, -0.05, 0},
                                  {0, 0.05, 0},
                                  {1, -0.05, 0},
                                  {1, 0.05, 0},
                                  {0, -0.05, 0.5},
                                  {0, 0.05, 0.5}}};
    model.add(Body::of(wedge, 80).named("wedge"));
    model.add(Shape{.body = model.ground(),
                    .geometry = Compound{{{Cylinder{0.1, 0.1}, {{1, 0, 0}, upright}}}},
                    .name = "post"});
    const Model made = parse_scene(R"(
planar: true
bodies:
  wheel: {type: circle, radius: 0.5, thickness: 0.2, mass: 2, position: [1, 0, 2], material: default}
  wedge: {type: polygon, points: [[0, 0], [1, 0], [0, 0.5]], area_density: 8}
shapes:
  post: {type: compound, parts: [{type: circle, radius: 0.1, position: [1, 0, 0]}]}
)")
                           .model;
    EXPECT_EQ(made.plane_normal, model.plane_normal);
    EXPECT_EQ(made.bodies()[1].inertia, model.bodies()[1].inertia);
    for (size_t i = 0; i < 2; ++i) {
        const Mat3 turn = made.shapes()[i].pose.orientation.matrix(),
                   wanted = model.shapes()[i].pose.orientation.matrix();
        for (int k = 0; k < 3; ++k) EXPECT_LE(norm(turn.column(k) - wanted.column(k)), 1e-15);
    }
    const auto& part = std::get<Compound>(made.shapes()[1].geometry).parts[0];
    EXPECT_LE(norm(part.pose.orientation.matrix() * Vec3{0, 0, 1} - Vec3{0, 1, 0}), 1e-15);
    const Body &wedge_made = made.bodies()[2], &wedge_meant = model.bodies()[2];
    EXPECT_NEAR(wedge_made.mass, 2, 1e-15);
    EXPECT_EQ(wedge_made.center, wedge_meant.center);
    World world(made);  // which looks whether all fits into the plane
    EXPECT_EQ(world.degrees_of_freedom(), 6);

    EXPECT_FALSE(parse_scene("planar: false").model.plane_normal);
    EXPECT_EQ(parse_scene("planar: [0, 3, 4]").model.plane_normal, (Vec3{0, 3, 4}));
    // Seen from above, right is x and up is y.
    const Model flat = parse_scene(R"(
planar: -z
shapes: {plate: {type: polygon, points: [[0, 0], [1, 0], [1, 2]]}}
)")
                           .model;
    const auto& points = std::get<ConvexPolyhedron>(flat.shapes()[0].geometry).points;
    EXPECT_EQ((Vec3{points[4].x, points[4].y, 0}), (Vec3{1, 2, 0}));
}

TEST(Scene, HasShapesAndMaterials) {
    Model model;
    model.friction_rule = Combine::maximum;
    model.restitution_rule = Combine::mean;
    const auto steel = model.add(Material{.name = "steel",
                                          .young = 2.1e11,
                                          .poisson = 0.28,
                                          .static_friction = 0.5,
                                          .kinetic_friction = 0.4,
                                          .rolling_resistance = 1e-3});
    const auto rubber = model.add(Material{.name = "rubber", .young = 1e6, .restitution = 0.8});
    model.add(ContactPair{steel,
                          rubber,
                          {.normal = ContactLaw::Normal::kelvin_voigt,
                           .damping = ContactLaw::Damping::published,
                           .stiffness = 1e7,
                           .restitution = 0.4,
                           .stick_strain = 0.5}});
    const auto ball = model.add(Body::sphere(0.1, 2).named("ball").at({0, 0, 1}));
    model.add(Shape{.body = ball,
                    .geometry = Sphere{0.1},
                    .material = steel,
                    .group = 2,
                    .mask = 0xff,
                    .name = "ball"});
    const auto block = model.add(Body::point(1).named("block"));
    model.add(Shape{.body = model.ground(),
                    .geometry = Plane{},
                    .pose = {{0, 0, -1}, Quat::about({0, 1, 0}, 0.1)},
                    .material = rubber,
                    .name = "floor"});
    model.add(Shape{.body = block, .geometry = Box{{1, 2, 3}}, .name = "box"});
    model.add(Shape{.body = block, .geometry = Capsule{0.1, 0}, .name = "capsule"});
    model.add(Shape{.body = block, .geometry = Cylinder{0.1, 2}, .name = "cylinder"});
    model.add(Shape{.body = block, .geometry = Torus{1, 0.1}, .name = "torus"});
    model.add(Shape{.body = model.ground(),
                    .geometry = HeightField{3, 2, 0.5, 0.25, {0, 1, 2, 3, 4, 5}},
                    .name = "hills"});
    model.add(Shape{.body = model.ground(),
                    .geometry = HeightField{2, 2, 0.5, 0.5, {0, 1, 2, 3}},
                    .name = "hill"});
    model.add(NoContact{ball, block});
    model.add(NoContact{model.ground(), block});
    expect_same(R"(
friction_rule: maximum
restitution_rule: mean
materials:
  steel: {young: 2.1e11, poisson: 0.28, static_friction: 0.5, kinetic_friction: 0.4, rolling_resistance: 1 mm}
  rubber: {young: 1 MPa, restitution: 0.8}
contact_pairs:
  - {a: steel, b: rubber, normal: kelvin_voigt, damping: published, stiffness: 1e7, restitution: 0.4, stick_strain: 0.5}
bodies:
  ball: {type: sphere, radius: 0.1, mass: 2, position: [0, 0, 1], material: steel, group: 2, mask: 0xff}
  block: {type: point, mass: 1}
shapes:
  floor: {type: plane, material: rubber, position: [0, 0, -1], rotation: {axis: y, angle: 0.1}}
  box: {type: box, size: [1, 2, 3], body: block}
  capsule: {type: capsule, radius: 0.1, length: 0, body: block}
  cylinder: {type: cylinder, radius: 0.1, length: 2, body: block}
  torus: {type: torus, radius: 1, tube: 0.1, body: block}
  hills: {type: height_field, columns: 3, rows: 2, spacing: 0.5, spacing_y: 0.25, heights: [0, 1, 2, 3, 4, 5]}
  hill: {type: height_field, columns: 2, rows: 2, spacing: 0.5, heights: [0, 1, 2, 3]}
no_contact: [[ball, block], {pair: [ground, block]}]
)",
                model);
}

TEST(Scene, HasJointsOfEveryType) {
    Model model;
    const auto a =
        model.add(Body::rod(1, 1).named("a").at({1, 0, 0}, Quat::about({0, 0, 1}, pi / 2)));
    const auto b = model.add(Body::rod(1, 1).named("b"));
    const auto g = model.ground();
    model.add(Fixed{.a = a, .b = b, .at = {1, 2, 3}, .name = "fixed"});
    const auto pin =
        model.add(Revolute{.a = g, .b = b, .at = {0, 0, 1}, .axis = {0, 1, 0}, .name = "pin"});
    const auto slide = model.add(Prismatic{.a = g,
                                           .b = b,
                                           .at = {},
                                           .axis = {1, 1, 0},
                                           .at_b = Vec3{0, 0, 1},
                                           .axis_b = Vec3{1, 0.9, 0},
                                           .name = "slide"});
    model.add(Cylindrical{.a = a, .b = b, .at = {}, .axis = {0, 0, -1}, .name = "cylinder"});
    model.add(Spherical{.a = a, .b = b, .at = {1, 0, 0}, .at_b = Vec3{0, 0, 1}, .name = "ball"});
    model.add(Universal{
        .a = a, .b = b, .at = {}, .axis_a = {0, 1, 0}, .axis_b = {0, 0, 1}, .name = "cross"});
    model.add(Planar{.a = g,
                     .b = b,
                     .at = {},
                     .normal = {0, 0, 1},
                     .normal_b = Vec3{0, 0.1, 1},
                     .name = "plane"});
    model.add(PointOnLine{.a = g, .b = b, .at = {}, .axis = {1, 0, 0}, .name = "wire"});
    model.add(PointOnPlane{.a = g, .b = b, .at = {}, .normal = {1, 0, 0}, .name = "table"});
    model.add(Distance{
        .a = g, .b = b, .at_a = {0, 0, 1}, .at_b = {1, 0, 0}, .length = 1.5, .name = "bar"});
    model.add(Screw{.a = g, .b = b, .at = {}, .axis = {0, 0, 1}, .lead = 0.005, .name = "screw"});
    model.add(Gear{pin, slide, -2, "gear"});
    model.add(RackAndPinion{slide, pin, 0.05, "rack"});
    // In the bodies' frames: a is turned by a right angle about z.
    const Pose in_a{{1, 0, 0}, model.bodies()[a.index].orientation};
    model.add(Revolute{.a = a,
                       .b = b,
                       .at = in_a * Vec3{1, 0, 0},
                       .axis = in_a.orientation.matrix() * Vec3{1, 0, 0},
                       .at_b = Vec3{0.5, 0, 0},
                       .axis_b = Vec3{0, 1, 0},
                       .name = "rough"});
    model.add(Spherical{.a = a, .b = b, .at = {0.5, 0, 0}, .name = "at b's end"});
    model.add(Distance{
        .a = a, .b = b, .at_a = in_a * Vec3{1, 0, 0}, .at_b = {0.5, 0, 0}, .name = "strut"});
    expect_same(R"(
bodies:
  a: {type: rod, length: 1, mass: 1, position: [1, 0, 0], rotation: {axis: z, angle: pi/2}}
  b: {type: rod, length: 1, mass: 1}
joints:
  fixed: {type: fixed, a: a, b: b, at: [1, 2, 3]}
  pin: {type: revolute, a: ground, b: b, at: [0, 0, 1], axis: y}
  slide: {type: prismatic, b: b, at: [0, 0, 0], axis: [1, 1, 0], at_b: [0, 0, 1], axis_b: [1, 0.9, 0]}
  cylinder: {type: cylindrical, a: a, b: b, at: [0, 0, 0], axis: -z}
  ball: {type: spherical, a: a, b: b, at: [1, 0, 0], at_b: [0, 0, 1]}
  cross: {type: universal, a: a, b: b, at: [0, 0, 0], axis_a: y, axis_b: z}
  plane: {type: planar, b: b, at: [0, 0, 0], normal: z, normal_b: [0, 0.1, 1]}
  wire: {type: point_on_line, b: b, at: [0, 0, 0], axis: x}
  table: {type: point_on_plane, b: b, at: [0, 0, 0], normal: x}
  bar: {type: distance, b: b, at_a: [0, 0, 1], at_b: [1, 0, 0], length: 1.5}
  screw: {type: screw, b: b, at: [0, 0, 0], axis: z, lead: 5 mm}
  gear: {type: gear, first: pin, second: slide, ratio: -2}
  rack: {type: rack_and_pinion, rack: slide, pinion: pin, radius: 0.05}
  rough: {type: revolute, a: a, b: b, on_a: [1, 0, 0], axis_on_a: x, on_b: [0.5, 0, 0], axis_on_b: y}
  at b's end: {type: spherical, a: a, b: b, on_b: [0.5, 0, 0]}
  strut: {type: distance, a: a, b: b, on_a: [1, 0, 0], on_b: [0.5, 0, 0]}
)",
                model);
}

TEST(Scene, HasWhatActsOnJointsAndBodies) {
    Model model;
    const auto b = model.add(Body::rod(1, 1).named("b"));
    const auto pin = model.add(
        Revolute{.a = model.ground(), .b = b, .at = {}, .axis = {0, 1, 0}, .name = "pin"});
    const auto slide = model.add(
        Prismatic{.a = model.ground(), .b = b, .at = {}, .axis = {1, 0, 0}, .name = "slide"});
    model.add(Drive{.joint = pin,
                    .control = Drive::Control::speed,
                    .target = [](double t) { return 2 * pi * std::sin(t); },
                    .max_effort = 100,
                    .name = "motor"});
    model.add(Drive{.joint = slide, .name = "commanded"});
    model.add(Limit{pin, -1, 1, 0.2, "stop"});
    model.add(Limit{.joint = slide, .max = 1, .name = "one end"});
    model.add(Coordinate{pin, 0.1, 20, "flywheel"});
    model.add(Spring{.a = model.ground(),
                     .b = b,
                     .at_a = {0, 0, 1},
                     .at_b = {1, 0, 0},
                     .stiffness = 4530,
                     .damping = 2,
                     .free_length = 0.07,
                     .name = "spring"});
    model.add(Spring{.a = model.ground(),
                     .b = b,
                     .at_a = {0, 0, 1},
                     .at_b = {1, 0, 0},
                     .law = [](double x, double v) { return 100 * x + 5 * std::pow(v, 3); },
                     .name = "law"});
    model.add(
        JointSpring{.joint = pin, .stiffness = 3, .damping = 1, .rest = 0.1, .name = "torsion"});
    model.add(
        JointSpring{.joint = slide, .law = table({{-1, -5}, {0, 0}, {1, 9}}), .name = "table"});
    model.add(Bushing{.a = model.ground(),
                      .b = b,
                      .at = {1, 0, 0},
                      .axes = Quat::about({0, 0, 1}, 45 * pi / 180),
                      .at_b = Vec3{1, 0, 0.01},
                      .axes_b = Quat::about({0, 0, 1}, 46 * pi / 180),
                      .stiffness = {1e6, 1e6, 1e5},
                      .damping = {1, 2, 3},
                      .angular_stiffness = {4, 5, 6},
                      .angular_damping = {7, 8, 9},
                      .name = "bushing"});
    model.add(Motor{.joint = pin,
                    .effort = [](double t) { return t < 5 ? 10 * t : 50; },
                    .no_load_speed = 300,
                    .name = "engine"});
    model.add(Motor{.joint = slide, .name = "lever"});
    model.add(UserForce{[b](const Kinematics& k, ForceSink& sink) {
                            const Vec3 arm = k.pose(b).orientation.matrix() * Vec3{1, 0, 0};
                            const Vec3 v = k.twist(b).linear + cross(k.twist(b).angular, arm);
                            const Vec3 p = k.pose(b).position + arm;
                            sink.add_force(b, {10 * std::sin(k.time()), p.x * p.y, -2 * v.z}, p);
                        },
                        {b},
                        "wind"});
    model.add(UserForce{[b](const Kinematics&, ForceSink& sink) {
                            sink.add_torque(b, {0, 0, 3});
                        },
                        {},
                        "twist"});
    expect_same(R"(
bodies: {b: {type: rod, length: 1, mass: 1}}
joints:
  pin: {type: revolute, b: b, at: [0, 0, 0], axis: y}
  slide: {type: prismatic, b: b, at: [0, 0, 0], axis: x}
drives:
  motor: {joint: pin, control: speed, target: 2*pi*sin(t), max_effort: 100}
  commanded: {joint: slide}
limits:
  stop: {joint: pin, min: -1, max: 1, restitution: 0.2}
  one end: {joint: slide, min: -unlimited, max: 1}
rotors:
  flywheel: {joint: pin, inertia: 0.1, ratio: 20}
forces:
  spring: {type: spring, b: b, at_a: [0, 0, 1], on_b: [1, 0, 0], stiffness: 4530, damping: 2, free_length: 7 cm}
  law: {type: spring, b: b, at_a: [0, 0, 1], at_b: [1, 0, 0], law: 100*x + 5*v^3}
  torsion: {type: joint_spring, joint: pin, stiffness: 3, damping: 1, rest: 0.1}
  table: {type: joint_spring, joint: slide, law: {table: [[-1, -5], [0, 0], [1, 9]]}}
  bushing:
    type: bushing
    b: b
    at: [1, 0, 0]
    axes: {axis: z, angle: 45 deg}
    at_b: [1, 0, 0.01]
    axes_b: {axis: z, angle: 46 deg}
    stiffness: [1e6, 1e6, 1e5]
    damping: [1, 2, 3]
    angular_stiffness: [4, 5, 6]
    angular_damping: [7, 8, 9]
  engine: {type: motor, joint: pin, effort: {table: [[0, 0], [5, 50]]}, no_load_speed: 300}
  lever: {type: motor, joint: slide}
  wind: {type: force, body: b, at: [1, 0, 0], force: [10*sin(t), x*y, -2*vz]}
  twist: {type: force, body: b, torque: [0, 0, 3]}
)",
                model);
}

TEST(Scene, RepeatsEntries) {
    Model model;
    for (int i = 0; i < 3; ++i)
        model.add(
            Body::rod({double(i), 0, 0}, {i + 1.0, 0, 0}, 1).named(fmt::format("link {}", i)));
    for (int i = 1; i <= 2; ++i)
        for (int j = 0; j < i; ++j)
            model.add(Body::point(1 + i / 2.0).named(fmt::format("{} of {}", j, i)));
    model.add(Body::point(1).named("half 0.5"));
    for (uint32_t i = 0; i < 2; ++i) model.add(NoContact{{i + 1}, {i + 2}});
    for (uint32_t i = 0; i < 2; ++i)
        model.add(Spherical{
            .a = {i + 1}, .b = {i + 2}, .at = {i + 1.0, 0, 0}, .name = fmt::format("J{}", i)});
    expect_same(R"(
parameters: {n: 3}
bodies:
  link {i}: {for: {i: n}, type: rod, from: [i, 0, 0], to: [i+1, 0, 0], mass: 1}
  "{j} of {i}": {for: {i: [1, 2], j: i}, type: point, mass: 1 + i/2}
  half {1/2}: {type: point, mass: 1}
  none {i}: {for: {i: 0}, type: point, mass: 1}
no_contact:
  - {for: {i: n - 1}, pair: ["link {i}", "link {i+1}"]}
joints:
  J{i}: {for: {i: n - 1}, type: spherical, a: "link {i}", b: "link {i + 1}", at: [i + 1, 0, 0]}
)",
                model);
}

TEST(Scene, TakesAliasesAndMergedMaps) {
    Model model;
    model.add(Body::box({1, 2, 3}, 4).named("a").at({0, 0, 1}));
    model.add(Body::box({1, 2, 3}, 5).named("b").at({0, 0, 1}));
    expect_same(R"(
bodies:
  a: &first {type: box, size: &size [1, 2, 3], mass: 4, position: [0, 0, 1]}
  b: {<<: *first, mass: 5, size: *size}
)",
                model);
}

TEST(Scene, SetsParametersFromOutside) {
    const std::string yaml = R"(
parameters:
  length: 1.0
  mass: {value: 2*length, unit: kg, about: of each bar}
bodies:
  bar: {type: rod, length: length, mass: mass}
)";
    EXPECT_EQ(text_of(model_of(yaml)), text_of(model_of(yaml, {{"length", "1"}})));
    Model model;
    model.add(Body::rod(3, 6).named("bar"));
    EXPECT_EQ(text_of(model_of(yaml, {{"length", "2 + 1"}})), text_of(model));
    const Scene scene = parse_scene(yaml, "scene", ".", {{"length", "3"}, {"mass", "length^2"}});
    ASSERT_EQ(scene.parameters.size(), 2u);
    EXPECT_EQ(scene.parameters[1].name, "mass");
    EXPECT_EQ(scene.parameters[1].unit, "kg");
    EXPECT_EQ(scene.parameters[1].about, "of each bar");
    EXPECT_EQ(scene.parameters[1].value, 9);
}

TEST(Scene, RefusesBadSettingsFromOutside) {
    const std::string yaml = "parameters:\n  length: 1\n  width: 2\n";
    const auto message = [&](const Overrides& overrides, const std::string& text) {
        try {
            parse_scene(text, "scene.yaml", ".", overrides);
        } catch (const SceneError& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_EQ(message({{"lenght", "2"}}, yaml),
              "scene.yaml:2:3: no parameter 'lenght' to set; did you mean 'length'?");
    EXPECT_EQ(message({{"mass", "2"}}, yaml),
              "scene.yaml:2:3: no parameter 'mass' to set; expected length or width");
    EXPECT_EQ(message({{"mass", "2"}}, "duration: 1\n"),
              "scene.yaml:1:1: no parameter 'mass' to set; the file has none");
    EXPECT_EQ(message({{"length", "2*"}}, yaml),
              "scene.yaml:2:3: length is set to '2*', letter 3: the expression ends here; expected "
              "a number, a name or '('");
    EXPECT_EQ(message({{"length", "1/0"}}, yaml),
              "scene.yaml:2:3: length is set to inf; expected a finite number");
}

TEST(Scene, HasSolversAndOutputs) {
    const Scene scene = parse_scene(R"(
bodies: {'crank {i}': {for: {i: 2}, type: point, mass: 1}}
solver: {step: 5 ms, integrator: hht, hht_delta: 0.1, projection: mass, max_iterations: 20, penalty: 1e7, take_out_beyond: 3, threads: 2}
duration: 2
outputs:
  every: 10 ms
  quantities: [energy.total, {for: {i: 2}, name: "crank {i}.position.z"}]
  plots:
    - {title: Path, x: crank 0.position.x, y: crank 0.position.z}
    - {y: [energy.kinetic, energy.potential]}
)");
    const auto& settings = std::get<AugmentedLagrangian>(scene.solver);
    EXPECT_EQ(settings.step, 5e-3);
    EXPECT_EQ(settings.integrator, Integrator::hht);
    EXPECT_EQ(settings.hht_delta, 0.1);
    EXPECT_EQ(settings.projection, Projection::mass);
    EXPECT_EQ(settings.max_iterations, 20);
    EXPECT_EQ(settings.penalty, 1e7);
    EXPECT_EQ(settings.take_out_beyond, 3);
    EXPECT_EQ(settings.threads, 2);
    EXPECT_EQ(scene.duration, 2);
    EXPECT_EQ(scene.output_step, 0.01);
    EXPECT_EQ(scene.quantities, (std::vector<std::string>{"energy.total", "crank 0.position.z",
                                                          "crank 1.position.z"}));
    ASSERT_EQ(scene.plots.size(), 2u);
    EXPECT_EQ(scene.plots[0].title, "Path");
    EXPECT_EQ(scene.plots[0].x, "crank 0.position.x");
    EXPECT_EQ(scene.plots[1].y, (std::vector<std::string>{"energy.kinetic", "energy.potential"}));
    const auto solver = [](const std::string& text) {
        return parse_scene("solver: " + text + "\n").solver;
    };
    EXPECT_EQ(std::get<Baumgarte>(solver("{type: baumgarte, frequency: 50}")).frequency, 50);
    EXPECT_EQ(std::get<Penalty>(solver("{type: penalty, penalty: 1e6, step: 1e-4}")).penalty, 1e6);
    EXPECT_EQ(step_of(solver("{type: independent_coordinates, step: 2 ms}")), 0.002);
    EXPECT_EQ(solver("augmented_lagrangian").index(), 0u);
    EXPECT_EQ(solver("penalty").index(), 2u);
    const auto impulse = std::get<Impulse>(
        solver("{type: impulse, step: 5 ms, iterations: 4, correction: baumgarte, direct: never, "
               "error_reduction: 0.2, allowed_depth: 2 mm, resting_speed: 0.5, impacts: in_turn, "
               "sleep_after: unlimited, sleep_speed: 0.1, sleep_spin: 0.3, threads: 2}"));
    EXPECT_EQ(impulse.step, 5e-3);
    EXPECT_EQ(impulse.iterations, 4);
    EXPECT_EQ(impulse.correction, Impulse::Correction::baumgarte);
    EXPECT_EQ(impulse.direct, Impulse::Direct::never);
    EXPECT_EQ(impulse.error_reduction, 0.2);
    EXPECT_EQ(impulse.allowed_depth, 2e-3);
    EXPECT_EQ(impulse.resting_speed, 0.5);
    EXPECT_EQ(impulse.impacts, Impulse::Impacts::in_turn);
    EXPECT_EQ(impulse.sleep_after, unlimited);
    EXPECT_EQ(impulse.sleep_speed, 0.1);
    EXPECT_EQ(impulse.sleep_spin, 0.3);
    EXPECT_EQ(impulse.threads, 2);
}

TEST(Scene, HasHydraulicDrives) {
    const std::string text =
        "bodies: {a: {type: box, size: [1, 1, 1], mass: 1}}\n"
        "joints: {rail: {type: prismatic, b: a, at: [0, 0, 0], axis: z}}\n";
    const Scene scene = parse_scene(text
                                    + "drives: {lift: {joint: rail, control: hydraulic, "
                                      "target: sin(t), max_effort: 50, max_speed: 20 cm/s}}\n");
    const Drive& drive = scene.model.drives()[0];
    EXPECT_EQ(drive.control, Drive::Control::hydraulic);
    EXPECT_EQ(drive.max_effort, 50);
    EXPECT_DOUBLE_EQ(drive.max_speed, 0.2);
    EXPECT_THROW(parse_scene(text + "drives: {lift: {joint: rail, control: hydraulic}}\n"),
                 SceneError);
    EXPECT_THROW(parse_scene(text + "drives: {lift: {joint: rail, max_speed: 1}}\n"), SceneError);
}

// In the order of the table, which is that of the settings.
TEST(Scene, ChangesItsSolverByName) {
    Scene scene = parse_scene("solver: {type: augmented_lagrangian, step: 2 ms}\n");
    size_t at = 0;
    for (const std::string& name : solver_names()) {
        change_solver(scene, name, 0);
        EXPECT_EQ(scene.solver.index(), parse_scene("solver: " + name + "\n").solver.index());
        EXPECT_EQ(scene.solver.index(), at++);
        EXPECT_EQ(step_of(scene.solver), 2e-3);
    }
    EXPECT_EQ(at, std::variant_size_v<Settings>);
    change_solver(scene, "impulse", 5e-3);
    EXPECT_EQ(step_of(scene.solver), 5e-3);
    EXPECT_THROW(change_solver(scene, "impulses", 0), InputError);
}

}  // namespace
}  // namespace bristle::io
