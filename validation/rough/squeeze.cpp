// A family of what is pressed hard: grippers, wedges, presses.
#include "validation/rough/commands.h"
#include "validation/rough/ground.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::validation::rough {
namespace {

using Control = Drive::Control;

BodyId add_solid(Model& m, const Geometry& geometry, double mass, Vec3 at, const char* name) {
    const BodyId body =
        m.add(Body::of(geometry, mass / Body::of(geometry, 1).mass).at(at).named(name));
    m.add(Shape{.body = body, .geometry = geometry});
    return body;
}

// A slide with a drive of limited effort; the target is a speed.
Lever add_slide(Model& m, BodyId body, Vec3 at, Vec3 axis, double effort, double speed,
                Control control, double stroke, const char* name) {
    const JointId joint =
        m.add(Prismatic{.a = Model::ground(), .b = body, .at = at, .axis = axis, .name = name});
    m.add(Limit{.joint = joint, .min = -stroke, .max = stroke});
    const bool is_valve = control == Control::hydraulic;
    const DriveId drive = m.add(Drive{.joint = joint,
                                      .control = control,
                                      .max_effort = effort,
                                      .max_speed = is_valve ? speed : 0,
                                      .name = name});
    return is_valve ? Lever{drive, -1, 1} : Lever{drive, -speed, speed};
}

Control speed_or_valve(Random& random) {
    return random.chance(0.5) ? Control::speed : Control::hydraulic;
}

// Two fingers about something that stands on a table.
void add_gripper(Case& c, Random& random) {
    Model& m = c.model;
    const double mass = random.magnitude(0.1, 100),
                 effort = mass * 9.81 * random.magnitude(10, 1e4);
    const BodyId held = add_thing(m, random, 0.3, 1, {0, 0, 0.3});
    const double density = mass / m.bodies()[held.index].mass;
    m.remove(held);
    add_thing(m, random, 0.3, density, {0, 0, 0.3});
    std::vector<Lever> levers;
    const Control control = speed_or_valve(random);
    for (const double side : {-1.0, 1.0}) {
        const Vec3 at{side * 0.4, 0, 0.3};
        const BodyId finger = add_solid(m, Box{{0.1, 0.3, 0.4}}, mass * random.between(0.5, 5), at,
                                        side < 0 ? "left" : "right");
        levers.push_back(add_slide(m, finger, at, {-side, 0, 0}, effort, 0.3, control, 0.36,
                                   side < 0 ? "left" : "right"));
    }
    c.about = fmt::format("gripper {:.1f} kg, {:.1e} N", mass, effort);
    c.command = Commands(random.next(), Commands::Manner::violent, levers);
}

// A wedge pressed down between two blocks that walls hold.
void add_wedge(Case& c, Random& random) {
    Model& m = c.model;
    const double effort = random.magnitude(1e3, 1e6), mass = random.magnitude(10, 1000);
    const ConvexPolyhedron wedge{{{-0.3, -0.3, 0.4},
                                  {0.3, -0.3, 0.4},
                                  {-0.3, 0.3, 0.4},
                                  {0.3, 0.3, 0.4},
                                  {0, -0.3, -0.4},
                                  {0, 0.3, -0.4}}};
    const Vec3 above{0, 0, 1.05};
    const BodyId body = add_solid(m, wedge, mass, above, "wedge");
    for (const double side : {-1.0, 1.0}) {
        add_solid(m, Box{{0.5, 0.5, 0.6}}, mass * random.magnitude(0.1, 10), {side * 0.27, 0, 0.3},
                  side < 0 ? "left" : "right");
        m.add(Shape{.body = Model::ground(),
                    .geometry = Box{{0.5, 4, 2}},
                    .pose = {{side * random.between(0.8, 1.2), 0, 1}, {}},
                    .name = "side"});
    }
    const Lever lever = add_slide(m, body, above, {0, 0, -1}, effort, random.between(0.1, 1),
                                  speed_or_valve(random), 0.8, "press");
    c.about = fmt::format("wedge {:.0f} kg, {:.1e} N", mass, effort);
    c.command = Commands(random.next(), Commands::Manner::violent, {lever});
}

// A piston that presses a heap against a wall, and runs into its own stops.
void add_press(Case& c, Random& random) {
    Model& m = c.model;
    const double effort = random.magnitude(1e3, 1e6);
    const Vec3 at{-1.2, 0, 0.51};
    const BodyId ram = add_solid(m, Box{{0.2, 1.2, 1}}, random.magnitude(10, 1000), at, "ram");
    for (int i = 0; i < 6; ++i)
        add_thing(m, random, 0.35, random.between(200, 3000),
                  {-0.6 + 0.5 * (i % 3), i < 3 ? -0.3 : 0.3, 0.35});
    m.add(Shape{.body = Model::ground(),
                .geometry = Box{{0.5, 4, 2}},
                .pose = {{0.95, 0, 1}, {}},
                .name = "anvil"});
    for (const double side : {-1.0, 1.0})
        m.add(Shape{.body = Model::ground(),
                    .geometry = Box{{4, 0.5, 2}},
                    .pose = {{0, side * 0.9, 1}, {}},
                    .name = "side"});
    const Lever lever = add_slide(m, ram, at, {1, 0, 0}, effort, random.between(0.1, 1),
                                  speed_or_valve(random), random.between(0.6, 2), "ram");
    c.about = fmt::format("press {:.1e} N", effort);
    c.command = Commands(random.next(), Commands::Manner::any, {lever});
}

}  // namespace

Case squeezes(uint64_t seed) {
    Random random(seed);
    Case c;
    add_plane(c, {});
    switch (seed % 3) {
        case 0: add_gripper(c, random); break;
        case 1: add_wedge(c, random); break;
        default: add_press(c, random);
    }
    return c;
}

}  // namespace bristle::validation::rough
