// Families of what is pressed and driven against itself: grippers, wedges, pistons, arms without contact.
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

// Links of an arm on hinges and slides, each with a drive; some with two that want different things.
Case arms(uint64_t seed) {
    Random random(seed);
    Case c;
    Model& m = c.model;
    const int links = random.whole(2, 7);
    const Control kinds[] = {Control::speed, Control::position, Control::hydraulic};
    const int kind = random.whole(0, 3);  // 3: all of them
    const double length = random.between(0.3, 2), mass = random.magnitude(1, 1000),
                 shrinks = random.between(0.5, 1);
    BodyId last = Model::ground();
    Vec3 at{};
    double reach = links * length, weight = mass;
    std::vector<Lever> levers;
    for (int i = 0; i < links; ++i, weight *= shrinks, reach -= length) {
        const Vec3 next = at + length * Vec3{std::cos(0.5 * i), 0, std::sin(0.5 * i)};
        const BodyId link = m.add(Body::box({length, 0.2 * length, 0.2 * length}, weight)
                                      .at((at + next) / 2, Quat::about({0, 1, 0}, -0.5 * i))
                                      .named(fmt::format("link {}", i)));
        const std::string name = fmt::format("joint {}", i);
        const bool slides = i > 0 && random.chance(0.2);
        const Vec3 axis = i == 0             ? Vec3{0, 0, 1}
                        : random.chance(0.3) ? random.direction()
                                             : Vec3{0, 1, 0};
        const JointId joint =
            slides ? m.add(Prismatic{
                .a = last, .b = link, .at = at, .axis = normalized(next - at), .name = name})
                   : m.add(Revolute{.a = last, .b = link, .at = at, .axis = axis, .name = name});
        const double stop = slides ? 0.4 * length : random.between(0.5, 2.5);
        if (i > 0 || random.chance(0.5))
            m.add(Limit{.joint = joint,
                        .min = -stop,
                        .max = stop,
                        .restitution = random.chance(0.3) ? random.between(0, 1) : 0});
        const double load = links * mass * 9.81 * random.magnitude(0.3, 5);
        const int drives = random.chance(0.15) ? 2 : 1;
        for (int k = 0; k < drives; ++k) {
            const Control control = kinds[kind == 3 ? random.whole(0, 2) : kind];
            const double speed = (slides ? length : 1) * random.between(0.3, 3);
            const DriveId drive =
                m.add(Drive{.joint = joint,
                            .control = control,
                            .max_effort = load * (slides ? 1 : reach),
                            .max_speed = control == Control::hydraulic ? speed : 0,
                            .name = fmt::format("drive {} {}", i, k)});
            levers.push_back(control == Control::hydraulic  ? Lever{drive, -1, 1}
                             : control == Control::position ? Lever{drive, -1.5 * stop, 1.5 * stop}
                                                            : Lever{drive, -speed, speed});
        }
        last = link;
        at = next;
    }
    c.about = fmt::format("{} links, {}", links,
                          kind == 0   ? "speeds"
                          : kind == 1 ? "positions"
                          : kind == 2 ? "valves"
                                      : "mixed");
    c.command =
        Commands(random.next(),
                 random.chance(0.5) ? Commands::Manner::violent : Commands::Manner::any, levers);
    return c;
}

}  // namespace bristle::validation::rough
