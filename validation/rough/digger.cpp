// The digger: lengths are those of one of 5 t, and grow with the cube root of the mass.
#include "validation/rough/machines.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::validation::rough {
namespace {

using Control = Drive::Control;

struct Builder {
    Random& random;
    Machine out;
    double size;  // of a length of one of 5 t
    MaterialId steel, rubber;

    Vec3 at(double x, double y, double z) const { return size * Vec3{x, y, z}; }
    // A bar of a box between two points.
    BodyId link(const char* name, double mass, Vec3 from, Vec3 to, double width) {
        const Vec3 along = to - from;
        const Vec3 edges{norm(along) - size * 0.2, size * width, size * width};
        const BodyId body = out.model.add(
            Body::box(edges, mass)
                .at((from + to) / 2, Quat::about({0, 1, 0}, -std::atan2(along.z, along.x)))
                .named(name));
        out.model.add(Shape{.body = body, .geometry = Box{edges}, .material = steel});
        return body;
    }
    BodyId block(const char* name, double mass, Vec3 edges, Vec3 where) {
        const BodyId body = out.model.add(Body::box(edges, mass).at(where).named(name));
        out.model.add(Shape{.body = body, .geometry = Box{edges}, .material = steel});
        return body;
    }
    // Open in front: a back, a bottom and two sides.
    BodyId bucket(double mass, Vec3 where) {
        const double t = 0.06;
        const Compound plates{{{Box{at(t, 0.8, 0.6)}, {at(0, 0, -0.35), {}}},
                               {Box{at(0.5, 0.8, t)}, {at(0.25, 0, -0.62), {}}},
                               {Box{at(0.5, t, 0.5)}, {at(0.25, 0.37, -0.38), {}}},
                               {Box{at(0.5, t, 0.5)}, {at(0.25, -0.37, -0.38), {}}}}};
        Body body = Body::of(plates, 1);
        body = Body::of(plates, mass / body.mass).at(where).named("bucket");
        const BodyId id = out.model.add(body);
        out.model.add(Shape{.body = id, .geometry = plates, .material = steel});
        return id;
    }
    // A hinge of the arm about y, its stops and what moves it.
    void hinge(BodyId a, BodyId b, Vec3 where, const char* name, double stop, double torque,
               Control control) {
        const JointId joint =
            out.model.add(Revolute{.a = a, .b = b, .at = where, .axis = {0, 1, 0}, .name = name});
        out.model.add(Limit{.joint = joint,
                            .min = -stop,
                            .max = stop,
                            .restitution = random.chance(0.3) ? 0.5 : 0});
        const double speed = random.between(0.5, 1.5);
        const DriveId drive =
            out.model.add(Drive{.joint = joint,
                                .control = control,
                                .max_effort = torque,
                                .max_speed = control == Control::hydraulic ? speed : 0,
                                .name = name});
        out.arm.push_back(control == Control::hydraulic  ? Lever{drive, -1, 1}
                          : control == Control::position ? Lever{drive, -1.3 * stop, 1.3 * stop}
                                                         : Lever{drive, -speed, speed});
    }
    // The same by a telescopic strut between two points.
    void strut(BodyId a, BodyId b, Vec3 where, Vec3 at_a, Vec3 at_b, const char* name,
               double stroke, double force) {
        out.model.add(Revolute{.a = a, .b = b, .at = where, .axis = {0, 1, 0}, .name = name});
        const JointId joint = out.model.add(Distance{
            .a = a, .b = b, .at_a = at_a, .at_b = at_b, .name = fmt::format("{} strut", name)});
        const double length = norm(at_b - at_a);
        out.model.add(
            Limit{.joint = joint, .min = (1 - stroke) * length, .max = (1 + stroke) * length});
        const DriveId drive = out.model.add(Drive{.joint = joint,
                                                  .control = Control::hydraulic,
                                                  .max_effort = force,
                                                  .max_speed = size * random.between(0.1, 0.3),
                                                  .name = name});
        out.arm.push_back({drive, -1, 1});
    }
};

void add_wheels(Builder& b, double mass, double torque) {
    Model& m = b.out.model;
    const double radius = b.size * 0.45, width = b.size * 0.3,
                 turns = b.random.between(1, 3) / radius;
    const bool is_round = b.random.chance(0.5);
    for (int i = 0; i < 4; ++i) {
        const Vec3 hub = b.at(i < 2 ? 0.9 : -0.9, i % 2 ? -0.8 : 0.8, 0.45);
        const Quat across = Quat::about({1, 0, 0}, pi / 2);
        const BodyId wheel =
            m.add((is_round ? Body::sphere(radius, mass) : Body::cylinder(radius, width, mass))
                      .at(hub, across)
                      .named(fmt::format("wheel {}", i)));
        if (is_round)
            m.add(Shape{.body = wheel, .geometry = Sphere{radius}, .material = b.rubber});
        else
            m.add(Shape{.body = wheel, .geometry = Cylinder{radius, width}, .material = b.rubber});
        const JointId joint = m.add(Revolute{.a = b.out.chassis,
                                             .b = wheel,
                                             .at = hub,
                                             .axis = {0, 1, 0},
                                             .name = fmt::format("hub {}", i)});
        const DriveId drive = m.add(Drive{.joint = joint,
                                          .control = Control::speed,
                                          .max_effort = torque,
                                          .name = fmt::format("hub {}", i)});
        b.out.wheels.push_back({drive, -turns, turns});
    }
    b.out.about += is_round ? " balls" : " cylinders";
}

}  // namespace

Machine digger(Random& random) {
    const double mass = random.magnitude(1e3, 20e3), size = std::cbrt(mass / 5e3);
    Builder b{random, {}, size, {}, {}};
    Model& m = b.out.model;
    b.steel = m.add(Material{.name = "steel",
                             .restitution = random.between(0, 0.4),
                             .static_friction = 0.4,
                             .kinetic_friction = 0.3});
    const double grip = random.between(0.5, 1);
    b.rubber = m.add(Material{.name = "rubber",
                              .restitution = random.between(0, 0.3),
                              .static_friction = grip,
                              .kinetic_friction = 0.9 * grip});
    b.out.soil = m.add(Material{.name = "soil",
                                .restitution = 0.3,
                                .static_friction = grip,
                                .kinetic_friction = 0.9 * grip});
    b.out.about = fmt::format("digger {:.1f} t", mass / 1e3);
    b.out.mass = mass;
    b.out.half_length = size * 1.4;
    b.out.half_width = size * 1;
    b.out.chassis = b.block("chassis", 0.4 * mass, b.at(2.4, 1.1, 0.4), b.at(0, 0, 0.8));
    add_wheels(b, 0.03 * mass, 0.3 * mass * 9.81 * size * 0.45);
    const BodyId turret = b.block("turret", 0.3 * mass, b.at(1.2, 1, 0.6), b.at(-0.2, 0, 1.36));
    const Vec3 foot = b.at(0.5, 0, 1.5), elbow = b.at(2.1, 0, 2.6), wrist = b.at(2.9, 0, 1.3);
    const BodyId boom = b.link("boom", 0.08 * mass, foot, elbow, 0.25),
                 stick = b.link("stick", 0.05 * mass, elbow, wrist, 0.2);
    b.out.bucket = b.bucket(0.05 * mass, wrist);
    const JointId slew = m.add(Revolute{.a = b.out.chassis,
                                        .b = turret,
                                        .at = b.at(-0.2, 0, 1.03),
                                        .axis = {0, 0, 1},
                                        .name = "slew"});
    const double weight = mass * 9.81 * size;
    b.out.arm.push_back(
        {m.add(Drive{
             .joint = slew, .control = Control::speed, .max_effort = 0.3 * weight, .name = "slew"}),
         -1, 1});
    const Control kinds[] = {Control::speed, Control::position, Control::hydraulic};
    const int kind = random.whole(0, 3);
    const Control control = kinds[kind % 3];
    if (kind == 3) {
        b.strut(turret, boom, foot, b.at(0.6, 0, 1.2), b.at(1.3, 0, 1.95), "boom", 0.25,
                0.8 * mass * 9.81);
        b.strut(boom, stick, elbow, b.at(1.2, 0, 2.2), b.at(2, 0, 2.85), "stick", 0.2,
                0.5 * mass * 9.81);
        b.out.about += " struts";
    } else {
        b.hinge(turret, boom, foot, "boom", 0.6, 0.8 * weight, control);
        b.hinge(boom, stick, elbow, "stick", 0.8, 0.3 * weight, control);
        b.out.about += kind == 0 ? " speeds" : kind == 1 ? " positions" : " valves";
    }
    b.hinge(stick, b.out.bucket, wrist, "bucket", 1, 0.1 * weight, control);
    return b.out;
}

}  // namespace bristle::validation::rough
