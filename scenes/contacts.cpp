#include "scenes/contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace bristle::scenes {
namespace {

constexpr Vec3 x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};

Material with_friction(double friction) {
    return {.name = "dry", .static_friction = friction, .kinetic_friction = friction};
}

// One material for everything in the scene, which touches itself by this law.
MaterialId add_law(Model& m, const ContactLaw& law) {
    const MaterialId material = m.add(Material{.name = "scene"});
    m.add(ContactPair{material, material, law});
    return material;
}

void add_floor(Model& m, MaterialId material, const Slope& slope = {}) {
    m.add(Shape{.body = m.ground(),
                .geometry = Plane{},
                .pose = {{}, slope.frame()},
                .material = material,
                .name = "floor"});
}

}  // namespace

Vec3 Slope::down() const { return {std::cos(angle), 0, -std::sin(angle)}; }
Vec3 Slope::normal() const { return {std::sin(angle), 0, std::cos(angle)}; }
Quat Slope::frame() const { return Quat::about(y_axis, angle); }
Vec3 Slope::at(double way, double across, double above) const {
    return way * down() + across * y_axis + above * normal();
}

// ---- Impacts ---------------------------------------------------------------------------------------

namespace {

FallingBall ball_in_the_air(const Drop& drop, MaterialId (*add_material)(Model&, const Drop&)) {
    FallingBall out;
    out.drop = drop;
    out.model.gravity = {0, 0, -drop.gravity};
    const MaterialId material = add_material(out.model, drop);
    out.ball = out.model.add(Body::sphere(drop.radius, drop.mass)
                                 .at({0, 0, drop.radius + drop.height})
                                 .moving({0, 0, -drop.speed})
                                 .named("ball"));
    out.model.add(Shape{.body = out.ball, .geometry = Sphere{drop.radius}, .material = material});
    return out;
}

MaterialId add_law_of(Model& m, const Drop& drop) { return add_law(m, drop.law); }

MaterialId add_steel(Model& m, const Drop&) {
    return m.add(Material{.name = "steel", .young = 210e9, .poisson = 0.3, .restitution = 1});
}

MaterialId material_of(const FallingBall& scene) { return scene.model.shapes()[0].material; }

}  // namespace

FallingBall falling_ball(const Drop& drop) {
    FallingBall out = ball_in_the_air(drop, add_law_of);
    add_floor(out.model, material_of(out));
    return out;
}

FallingBall ball_over_plate(const Drop& drop, double thickness) {
    FallingBall out = ball_in_the_air(drop, add_law_of);
    out.model.add(Shape{.body = Model::ground(),
                        .geometry = Box{{2, 2, thickness}},
                        .pose = {{0, 0, -thickness / 2}, {}},
                        .material = material_of(out),
                        .name = "plate"});
    return out;
}

FallingBall bouncing_ball() {
    return falling_ball({.law = {.stiffness = 1e7,
                                 .damping_factor = 0.143319988479,
                                 .static_friction = 0,
                                 .kinetic_friction = 0}});
}

FallingBall steel_impact() {
    const double radius = 0.01, density = 7800;
    FallingBall out = ball_in_the_air({.mass = density * 4 / 3 * pi * std::pow(radius, 3),
                                       .radius = radius,
                                       .height = 1e-6,
                                       .speed = 1,
                                       .gravity = 0},
                                      add_steel);
    add_floor(out.model, material_of(out));
    return out;
}

TwoBalls colliding_balls(const ContactLaw& law) {
    TwoBalls out;
    Model& m = out.model;
    m.gravity = {};
    const MaterialId material = add_law(m, law);
    const double radius = 0.1, gap = 1e-3;
    out.striking = m.add(Body::sphere(radius, 1).moving({3, 0, 0}).named("striking"));
    out.struck = m.add(Body::sphere(radius, 2).at({2 * radius + gap, 0, 0}).named("struck"));
    for (BodyId ball : {out.striking, out.struck})
        m.add(Shape{.body = ball, .geometry = Sphere{radius}, .material = material});
    return out;
}

WallPendulum pendulum_and_wall(const ContactLaw& law) {
    WallPendulum out;
    Model& m = out.model;
    const MaterialId material = add_law(m, law);
    out.radius = 0.1;
    out.ball = {1, 0, 0};
    out.wall = out.radius;
    out.rod = m.add(Body::rod({}, {-1, 0, 0}, 1).named("rod"));
    out.pin = m.add(Revolute{.a = m.ground(), .b = out.rod, .at = {}, .axis = y_axis});
    m.add(Shape{.body = out.rod,
                .geometry = Sphere{out.radius},
                .pose = {out.ball, {}},
                .material = material});
    m.add(Shape{.body = m.ground(),
                .geometry = Box{{0.2, 1, 1}},
                .pose = {{out.wall + 0.1, 0, -1}, {}},
                .material = material,
                .name = "wall"});
    return out;
}

FloorPendulum double_pendulum_and_floor(const ContactLaw& law) {
    FloorPendulum out;
    Model& m = out.model;
    const MaterialId material = add_law(m, law);
    out.radius = 0.1;
    out.floor = -1.4;
    out.ball = {1, 0, 0};
    out.upper = m.add(Body::rod({}, {1, 0, 0}, 1).named("upper"));
    out.lower = m.add(Body::rod({1, 0, 0}, {2, 0, 0}, 1).named("lower"));
    m.add(Revolute{.a = m.ground(), .b = out.upper, .at = {}, .axis = y_axis});
    m.add(Revolute{.a = out.upper, .b = out.lower, .at = {1, 0, 0}, .axis = y_axis});
    for (BodyId rod : {out.upper, out.lower})
        m.add(Shape{.body = rod,
                    .geometry = Sphere{out.radius},
                    .pose = {out.ball, {}},
                    .material = material});
    m.add(Shape{.body = m.ground(),
                .geometry = Plane{},
                .pose = {{0, 0, out.floor}, {}},
                .material = material,
                .name = "floor"});
    return out;
}

FallingBox falling_box(FallingBox::Foremost foremost, const ContactLaw& law) {
    FallingBox out;
    Model& m = out.model;
    const MaterialId material = add_law(m, law);
    out.size = {1, 0.5, 0.5};
    // Not in balance over the edge or corner, so that it tumbles.
    Quat turned;
    if (foremost != FallingBox::Foremost::face) turned = Quat::about(y_axis, 0.6);
    if (foremost == FallingBox::Foremost::corner) turned = Quat::about(x_axis, 0.5) * turned;
    double lowest = 0;
    for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
            for (const double z : {-0.5, 0.5}) {
                const Vec3 corner{x * out.size.x, y * out.size.y, z * out.size.z};
                lowest = std::min(lowest, (turned.matrix() * corner).z);
            }
    out.box = m.add(Body::box(out.size, 1).at({0, 0, 1 - lowest}, turned).named("box"));
    m.add(Shape{.body = out.box, .geometry = Box{out.size}, .material = material});
    add_floor(m, material);
    return out;
}

FallingRod falling_rod(const ContactLaw& law) {
    FallingRod out;
    Model& m = out.model;
    const MaterialId material = add_law(m, law);
    out.rod = m.add(Body::rod({0, 0, 1}, {0.8, 0, 0.4}, 1).named("rod"));
    m.add(Shape{
        .body = out.rod, .geometry = Sphere{0.1}, .pose = {{1, 0, 0}, {}}, .material = material});
    add_floor(m, material);
    return out;
}

HangingBox hanging_box(const ContactLaw& law) {
    HangingBox out;
    Model& m = out.model;
    const MaterialId material = add_law(m, law);
    out.size = {0.2, 0.2, 0.6};
    out.post = 0.2;
    const Quat turned = Quat::about(z_axis, 0.3) * Quat::about(y_axis, 1.0);
    const Vec3 hook{};
    out.box = m.add(Body::box(out.size, 2)
                        .at(hook - turned.matrix() * Vec3{0, 0, out.size.z / 2}, turned)
                        .named("box"));
    m.add(Spherical{.a = m.ground(), .b = out.box, .at = hook});
    m.add(Shape{.body = out.box, .geometry = Box{out.size}, .material = material});
    m.add(Shape{.body = m.ground(),
                .geometry = Box{{0.2, 2, 2}},
                .pose = {{out.post + 0.1, 0, -1.2}, {}},
                .material = material,
                .name = "post"});
    return out;
}

// ---- Friction --------------------------------------------------------------------------------------

BodyOnSlope block_on_incline(double angle, double friction, double speed) {
    BodyOnSlope out;
    out.slope = {angle};
    Model& m = out.model;
    const MaterialId material = m.add(with_friction(friction));
    const Vec3 size{1, 0.5, 0.5};
    out.body = m.add(Body::box(size, 1)
                         .at(out.slope.at(0, 0, size.z / 2), out.slope.frame())
                         .moving(speed * out.slope.down())
                         .named("block"));
    m.add(Shape{.body = out.body, .geometry = Box{size}, .material = material});
    add_floor(m, material, out.slope);
    return out;
}

namespace {

// A planar block of 1 kg on two contact points at x, its spring drawn at floor level, where friction
// acts: so nothing tilts it.
BodyId add_planar_block(Model& m, double x, double speed, MaterialId material) {
    const Vec3 size{0.4, 0.2, 0.2};
    const double foot = 1e-3;
    const BodyId block =
        m.add(Body::box(size, 1).at({x, 0, size.z / 2}).moving({speed, 0, 0}).named("block"));
    for (const double side : {-0.5, 0.5})
        m.add(Shape{.body = block,
                    .geometry = Sphere{foot},
                    .pose = {{side * size.x, 0, foot - size.z / 2}, {}},
                    .material = material});
    m.add(Planar{.a = m.ground(), .b = block, .at = {x, 0, size.z / 2}, .normal = y_axis});
    return block;
}

}  // namespace

MassSpring mass_spring_friction() {
    MassSpring out;
    Model& m = out.model;
    out.step = 0.01;
    out.free_length = 1.5;
    const double mass = 1, friction = 0.02, gravity = 9.81, n = 5;
    const double stiffness = mass / std::pow(n * out.step, 2);
    const MaterialId material = add_law(m, {.static_friction = friction,
                                            .kinetic_friction = friction,
                                            .stick_speed = n * friction * gravity * out.step,
                                            .stick_stiffness = stiffness,
                                            .stick_damping = 2 * std::sqrt(stiffness * mass)});
    const BodyId block = out.block = add_planar_block(m, out.free_length + 1, 0, material);
    add_floor(m, material);
    const double free_length = out.free_length;
    m.add(UserForce{[block, free_length](const Kinematics& now, ForceSink& sink) {
                        const double k = now.time() < 10 ? 1 : 10;
                        const Vec3 at = now.pose(block) * Vec3{0, 0, -0.1};
                        sink.add_force(block, {-k * (at.x - free_length), 0, 0}, at);
                    },
                    {block},
                    "spring"});
    return out;
}

StickSlip stick_slip(double stick_speed, double stick_stiffness) {
    StickSlip out;
    Model& m = out.model;
    m.gravity = {0, 0, -10};
    out.free_length = 1.5;
    out.belt_speed = 0.05;
    // 0.1 N s/m of viscosity, on two contact points.
    const MaterialId material = add_law(m, {.static_friction = 0.15,
                                            .kinetic_friction = 0.1,
                                            .viscous_friction = 0.05,
                                            .stick_speed = stick_speed,
                                            .stick_stiffness = stick_stiffness,
                                            .stick_damping = std::sqrt(stick_stiffness)});
    out.block = add_planar_block(m, out.free_length, out.belt_speed, material);
    const Vec3 belt_size{40, 1, 0.1};
    const BodyId belt = m.add(Body::box(belt_size, 10)
                                  .at({0, 0, -belt_size.z / 2})
                                  .moving({out.belt_speed, 0, 0})
                                  .named("belt"));
    m.add(Shape{.body = belt, .geometry = Box{belt_size}, .material = material});
    const JointId slide = m.add(Prismatic{.a = m.ground(), .b = belt, .at = {}, .axis = x_axis});
    m.add(Drive{.joint = slide,
                .control = Drive::Control::speed,
                .target = out.belt_speed,
                .name = "belt"});
    m.add(Spring{.a = m.ground(),
                 .b = out.block,
                 .at_a = {},
                 .at_b = {out.free_length, 0, 0},
                 .stiffness = 2,
                 .free_length = out.free_length,
                 .name = "spring"});
    return out;
}

namespace {

BodyOnSlope round_body(Round round, double angle, double radius, const Material& material,
                       Vec3 velocity, Vec3 spin) {
    BodyOnSlope out;
    out.slope = {angle};
    Model& m = out.model;
    const MaterialId id = m.add(material);
    const double length = 1;
    const Quat across = out.slope.frame() * Quat::about(x_axis, pi / 2);
    const bool is_ball = round == Round::ball;
    const Body body = is_ball ? Body::sphere(radius, 1) : Body::cylinder(radius, length, 1);
    out.body = m.add(body.at(out.slope.at(0, 0, radius), is_ball ? out.slope.frame() : across)
                         .moving(velocity, spin)
                         .named(is_ball ? "ball" : "cylinder"));
    const Geometry geometry =
        is_ball ? Geometry{Sphere{radius}} : Geometry{Cylinder{radius, length}};
    m.add(Shape{.body = out.body, .geometry = geometry, .material = id});
    add_floor(m, id, out.slope);
    return out;
}

}  // namespace

BodyOnSlope rolling(Round round, double angle, double friction, double speed) {
    return round_body(round, angle, 0.25, with_friction(friction), speed * Slope{angle}.down(), {});
}

BodyOnSlope rolling_cylinder() { return rolling(Round::cylinder, pi / 12, 0.5); }

BodyOnSlope resisted_ball(double angle, double resistance, double radius) {
    return round_body(Round::ball, angle, radius,
                      Material{.name = "soft", .rolling_resistance = resistance}, {}, {});
}

BodyOnSlope spinning_ball(double angular_speed, double resistance, double radius) {
    return round_body(Round::ball, 0, radius,
                      Material{.name = "soft", .spinning_resistance = resistance}, {},
                      {0, 0, angular_speed});
}

// ---- What must stand still -------------------------------------------------------------------------

BodyOnSlope frame_on_slope(Feet feet, double angle) {
    BodyOnSlope out;
    out.slope = {angle};
    Model& m = out.model;
    const MaterialId material = m.add(with_friction(0.5));
    const Vec3 size{5, 2.5, 1};
    const double foot = 0.2;  // half its height, or radius
    out.body = m.add(Body::box(size, 20000)
                         .at(out.slope.at(0, 0, size.z / 2 + 2 * foot), out.slope.frame())
                         .named("frame"));
    for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5}) {
            const Geometry geometry = feet == Feet::balls
                                        ? Geometry{Sphere{foot}}
                                        : Geometry{Box{{2 * foot, 2 * foot, 2 * foot}}};
            m.add(Shape{.body = out.body,
                        .geometry = geometry,
                        .pose = {{x * size.x, y * size.y, -size.z / 2 - foot}, {}},
                        .material = material,
                        .name = "foot"});
        }
    add_floor(m, material, out.slope);
    return out;
}

BoxStack box_stack(int boxes) {
    BoxStack out;
    out.size = 0.5;
    for (int i = 0; i < boxes; ++i) {
        out.boxes.push_back(out.model.add(Body::box({out.size, out.size, out.size}, 1)
                                              .at({0, 0, (i + 0.5) * out.size})
                                              .named("box " + std::to_string(i))));
        out.model.add(
            Shape{.body = out.boxes.back(), .geometry = Box{{out.size, out.size, out.size}}});
    }
    out.model.add(Shape{.body = Model::ground(), .geometry = Plane{}, .name = "floor"});
    return out;
}

Gripper gripper(Gripper::Grip grip) {
    Gripper out;
    Model& m = out.model;
    const double box = 0.1, thickness = 0.02, squeeze = 2e-3;
    const MaterialId pad =
        grip == Gripper::Grip::force ? MaterialId{0} : add_law(m, {.stiffness = 1e6});
    out.box = m.add(Body::box({box, box, box}, 1).at({0, 0, 1}).named("box"));
    m.add(Shape{.body = out.box, .geometry = Box{{box, box, box}}, .material = pad});
    for (const double side : {-1.0, 1.0}) {
        const Vec3 at{side * (box + thickness) / 2, 0, 1}, size{thickness, 0.08, 0.2};
        const BodyId finger =
            m.add(Body::box(size, 0.5).at(at).named(side < 0 ? "left finger" : "right finger"));
        m.add(Shape{.body = finger, .geometry = Box{size}, .material = pad});
        // The coordinate grows towards the box.
        const JointId slide =
            m.add(Prismatic{.a = m.ground(), .b = finger, .at = at, .axis = -side * x_axis});
        Drive drive{.joint = slide, .name = side < 0 ? "left" : "right"};
        if (grip == Gripper::Grip::force) {
            drive.control = Drive::Control::speed;
            drive.target = 0.1;
            drive.max_effort = 20;
        } else {
            drive.target = squeeze;
        }
        out.fingers.push_back(finger);
        out.drives.push_back(m.add(drive));
    }
    return out;
}

LinkedChain chain_links(int links, double angle, double tube) {
    LinkedChain out;
    Model& m = out.model;
    const double radius = 4 * tube, straight = 6 * tube;
    out.tube = tube;
    out.pitch = straight + 2 * radius - 2 * out.tube;
    const Geometry link = chain_link(radius, out.tube, straight);
    const Vec3 along{std::sin(angle), 0, -std::cos(angle)};
    // x of a link along the chain, every other one turned by a right angle.
    const Quat flat = Quat::about(y_axis, pi / 2 - angle);
    m.add(Shape{.body = m.ground(), .geometry = link, .pose = {{}, flat}, .name = "first link"});
    const Body body = Body::of(link, 7800);
    out.mass = body.mass;
    for (int i = 1; i < links; ++i) {
        const Quat turned = i % 2 == 0 ? flat : flat * Quat::about(x_axis, pi / 2);
        out.links.push_back(
            m.add(body.at(i * out.pitch * along, turned).named("link " + std::to_string(i))));
        m.add(Shape{.body = out.links.back(), .geometry = link});
    }
    return out;
}

ObjectField object_field(int boxes) {
    ObjectField out;
    Model& m = out.model;
    out.ball = m.add(Body::sphere(.2, 5).at({0, 0, 1}).named("ball"));
    m.add(Shape{.body = out.ball, .geometry = Sphere{.2}, .name = "ball"});
    const JointId rail = m.add(Prismatic{
        .a = m.ground(), .b = out.ball, .at = {0, 0, 1}, .axis = {1, 0, 0}, .name = "rail"});
    m.add(
        Drive{.joint = rail, .target = [](double t) { return .3 * std::sin(t); }, .name = "swing"});
    for (int i = 0; i < boxes; ++i) {
        const int ring = (i - 10) / 60;
        const double radius = i < 10 ? 1.5 : 20 + 2. * ring;
        const double angle = 2 * pi * (i < 10 ? i / 10. : (i - 10) % 60 / 60.);
        const std::string name = "box " + std::to_string(i);
        out.boxes.push_back(m.add(Body::box({.3, .3, .3}, 1)
                                      .at({radius * std::cos(angle), radius * std::sin(angle), .15})
                                      .named(name)));
        m.add(Shape{.body = out.boxes.back(), .geometry = Box{{.3, .3, .3}}, .name = name});
    }
    m.add(Shape{.body = m.ground(), .geometry = Plane{}, .name = "floor"});
    return out;
}

}  // namespace bristle::scenes
