#include "scenes/bodies.h"

#include "scenes/plain/boxes.h"
#include "scenes/plain/jointed.h"

#include <cmath>
#include <string>

namespace bristle::scenes {
namespace {

constexpr Vec3 y_axis{0, 1, 0};

Vec3 from(const plain::Vec3& v) { return {v[0], v[1], v[2]}; }
Pose from(const plain::Pose& p) {
    const auto& [w, v] = p.orientation;
    return {from(p.position), {w, v[0], v[1], v[2]}};
}

Geometry from(const plain::Piece& piece) {
    switch (piece.kind) {
        case plain::Piece::Kind::ball: return Sphere{piece.radius};
        case plain::Piece::Kind::capsule: return Capsule{piece.radius, piece.length};
        case plain::Piece::Kind::box: break;
    }
    return Box{from(piece.size)};
}

Geometry geometry_of(const plain::Body& body) {
    if (body.pieces.size() == 1) return from(body.pieces[0]);
    Compound whole;
    for (const plain::Piece& piece : body.pieces)
        whole.parts.push_back({from(piece), from(piece.pose)});
    return whole;
}

Body body_of(const plain::Body& from_plain, Motion motion) {
    Body body;
    const double depth = motion == Motion::in_plane ? from_plain.pieces[0].size[1] : 1;
    body.name = from_plain.name;
    body.mass = from_plain.inertia.mass / depth;
    body.inertia = Mat3::diagonal(from(from_plain.inertia.moments) / depth);
    const Pose pose = from(from_plain.pose);
    return body.at(pose.position, pose.orientation);
}

Material material(double friction, double restitution) {
    return {.name = "scene",
            .restitution = restitution,
            .static_friction = friction,
            .kinetic_friction = friction};
}

void add_floor(Model& m, MaterialId of) {
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = of, .name = "floor"});
}

JointId add_joint(ManyBodies& out, const plain::Joint& joint) {
    const auto body = [&](int place) {
        return place == plain::Joint::ground ? Model::ground()
                                             : out.bodies[static_cast<size_t>(place)];
    };
    Model& m = out.model;
    if (joint.kind == plain::Joint::Kind::ball)
        return m.add(Spherical{.a = body(joint.a), .b = body(joint.b), .at = from(joint.at)});
    const JointId hinge = m.add(Revolute{
        .a = body(joint.a), .b = body(joint.b), .at = from(joint.at), .axis = from(joint.axis)});
    if (joint.min > -unlimited || joint.max < unlimited)
        m.add(Limit{.joint = hinge, .min = joint.min, .max = joint.max});
    if (joint.is_driven)
        m.add(Drive{.joint = hinge, .control = Drive::Control::speed, .target = joint.speed});
    return hinge;
}

BodyId add_box(Model& m, Vec3 size, double mass, const Pose& pose, MaterialId of,
               const std::string& name) {
    const BodyId box = m.add(Body::box(size, mass).at(pose.position, pose.orientation).named(name));
    m.add(Shape{.body = box, .geometry = Box{size}, .material = of});
    return box;
}

}  // namespace

ManyBodies build(const plain::Scene& scene, Motion motion) {
    ManyBodies out;
    Model& m = out.model;
    m.gravity = {0, 0, -plain::gravity};
    if (motion == Motion::in_plane) m.plane_normal = y_axis;
    const MaterialId of = m.add(material(scene.friction, scene.restitution));
    for (const plain::Body& body : scene.bodies) {
        out.bodies.push_back(m.add(body_of(body, motion)));
        m.add(Shape{.body = out.bodies.back(), .geometry = geometry_of(body), .material = of});
    }
    for (const plain::Piece& piece : scene.scenery)
        m.add(Shape{.body = Model::ground(),
                    .geometry = from(piece),
                    .pose = from(piece.pose),
                    .material = of});
    if (scene.floor == plain::Floor::plane) add_floor(m, of);
    for (const plain::Joint& joint : scene.joints) out.joints.push_back(add_joint(out, joint));
    return out;
}

ManyBodies stack(int boxes, Motion motion) { return build(plain::stack(boxes), motion); }
ManyBodies pyramid(int rows, Motion motion) { return build(plain::pyramid(rows), motion); }
ManyBodies wall(int columns, int rows) { return build(plain::wall(columns, rows)); }
ManyBodies pile(int cubes) { return build(plain::pile(cubes)); }
ManyBodies ragdolls(int count) { return build(plain::ragdolls(count)); }
ManyBodies tumbler(int cubes) { return build(plain::tumbler(cubes)); }
ManyBodies chains(int count, int links) { return build(plain::chains(count, links)); }
ManyBodies joint_grid(int side, Motion motion) { return build(plain::joint_grid(side), motion); }

// ---- The house of cards -----------------------------------------------------------------------------
//
// A card leans along u = (sin φ, cos φ) with its underside towards w = (cos φ, −sin φ). It stands on the lower
// edge of its underside and meets its partner at the upper one, L cos φ higher; both ridge edges, t sin φ
// above that, carry the cards that are laid. With a load V on a card of weight G, friction at its foot is
// tan φ (G/2 + V) / (G + V) ≤ tan φ of what it bears, so it stands where friction is above tan φ = 0.40.

namespace {

struct CardPlan {
    double height = 0.15, width = 0.1, thickness = 0.005;  // m
    double angle = 22 * pi / 180;
    double gap = 1e-6;       // m: enough that rounding makes no overlap
    double pitch = 0.15;     // m, between ridges; the feet of a pair are 0.12 m apart
    double overhang = 0.02;  // m, of laid cards beyond the outer ridges

    double rise() const { return height * std::cos(angle); }  // from foot to where a pair meets
    double storey() const { return rise() + thickness * std::sin(angle) + thickness + 2 * gap; }
    Vec3 size() const { return {thickness, width, height}; }
    double mass(double length) const { return 800 * length * width * thickness; }

    // Of the card on this side (−1 left, 1 right) of a pair whose feet are on the level `floor`.
    Pose leaning(double x, double floor, double side) const {
        const double c = std::cos(angle), s = std::sin(angle);
        const Vec3 along{-side * s, 0, c}, under{-side * c, 0, -s};
        const Vec3 meeting{x + side * 0.5 * gap, 0, floor + gap + rise()};
        return {meeting - 0.5 * height * along - 0.5 * thickness * under,
                Quat::about(y_axis, -side * angle)};
    }
};

void add_storey(CardHouse& house, const CardPlan& plan, int pairs, double floor, MaterialId of) {
    for (int i = 0; i < pairs; ++i)
        for (const double side : {-1.0, 1.0}) {
            const double x = plan.pitch * (i - 0.5 * (pairs - 1));
            house.leaning.push_back(add_box(house.model, plan.size(), plan.mass(plan.height),
                                            plan.leaning(x, floor, side), of,
                                            "leaning " + std::to_string(house.leaning.size())));
        }
    const double level = floor + plan.storey() - 0.5 * plan.thickness;
    for (int i = 0; i + 1 < pairs; ++i) {
        const double left = plan.pitch * (i - 0.5 * (pairs - 1));
        const double from = i == 0 ? left - plan.overhang : left + 0.5 * plan.gap;
        const double right = left + plan.pitch;
        const double to = i + 2 == pairs ? right + plan.overhang : right - 0.5 * plan.gap;
        house.laid.push_back(add_box(house.model, {to - from, plan.width, plan.thickness},
                                     plan.mass(to - from), {{0.5 * (from + to), 0, level}, {}}, of,
                                     "laid " + std::to_string(house.laid.size())));
    }
}

}  // namespace

CardHouse card_house(int storeys) {
    CardHouse house;
    const CardPlan plan;
    house.card = {plan.height, plan.width, plan.thickness};
    house.angle = plan.angle;
    house.gap = plan.gap;
    const MaterialId of = house.model.add(material(0.7, 0));
    for (int storey = 0; storey < storeys; ++storey)
        add_storey(house, plan, storeys - storey, storey * plan.storey(), of);
    house.ridge = storeys * plan.storey() - plan.thickness - plan.gap;
    add_floor(house.model, of);
    return house;
}

// ---- Unequal masses ----------------------------------------------------------------------------------

HeavyOnLight heavy_on_light(double ratio) {
    HeavyOnLight out;
    out.size = 0.5;
    const Vec3 size{out.size, out.size, out.size};
    const MaterialId of = out.model.add(material(0.5, 0));
    out.light = add_box(out.model, size, 1, {{0, 0, 0.5 * out.size}, {}}, of, "light");
    out.heavy = add_box(out.model, size, ratio, {{0, 0, 1.5 * out.size}, {}}, of, "heavy");
    add_floor(out.model, of);
    return out;
}

WeightedChain weighted_chain(int links) {
    WeightedChain out;
    Model& m = out.model;
    const plain::Piece link =
        plain::Piece::capsule(plain::link_radius, plain::link_length - 2 * plain::link_radius);
    const plain::Inertia inertia = plain::inertia_of(link, plain::link_density);
    out.link_length = plain::link_length;
    out.link_mass = inertia.mass;
    out.weight_mass = links * out.link_mass;
    BodyId above = Model::ground();
    for (int i = 0; i < links; ++i) {
        const Vec3 at{0, 0, -i * out.link_length};
        Body body;
        body.mass = inertia.mass;
        body.inertia = Mat3::diagonal(from(inertia.moments));
        out.links.push_back(m.add(
            body.at(at - Vec3{0, 0, out.link_length / 2}).named("link " + std::to_string(i))));
        m.add(Shape{.body = out.links.back(), .geometry = from(link)});
        out.joints.push_back(m.add(Spherical{.a = above, .b = out.links.back(), .at = at}));
        above = out.links.back();
    }
    out.end = {0, 0, -links * out.link_length};
    // Of the links' density.
    const double radius = std::cbrt(3 * out.weight_mass / (4 * pi * plain::link_density));
    out.weight = m.add(
        Body::sphere(radius, out.weight_mass).at(out.end - Vec3{0, 0, radius}).named("weight"));
    m.add(Shape{.body = out.weight, .geometry = Sphere{radius}});
    out.joints.push_back(m.add(Spherical{.a = above, .b = out.weight, .at = out.end}));
    return out;
}

// ---- The bullet --------------------------------------------------------------------------------------

FastBall fast_ball() {
    FastBall out;
    Model& m = out.model;
    m.gravity = {};
    out.radius = 0.005;
    out.speed = 500;
    out.wall = 1.3;
    out.thickness = 1e-3;
    const MaterialId of = m.add(material(0.5, 0.5));
    const double volume = 4. / 3 * pi * out.radius * out.radius * out.radius;
    out.ball =
        m.add(Body::sphere(out.radius, 7800 * volume).moving({out.speed, 0, 0}).named("ball"));
    m.add(Shape{.body = out.ball, .geometry = Sphere{out.radius}, .material = of});
    m.add(Shape{.body = Model::ground(),
                .geometry = Box{{out.thickness, 1, 1}},
                .pose = {{out.wall + out.thickness / 2, 0, 0}, {}},
                .material = of,
                .name = "wall"});
    return out;
}

}  // namespace bristle::scenes
