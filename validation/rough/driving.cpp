// Families with a machine: terrain, obstacles, drops, rollovers, strikes, walls too narrow for it.
#include "validation/rough/bounds.h"
#include "validation/rough/ground.h"
#include "validation/rough/machines.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::validation::rough {
namespace {

Commands::Manner any_manner(Random& random) {
    return random.chance(0.3) ? Commands::Manner::violent : Commands::Manner::any;
}

// Lifts all that moves so that its lowest point is at this height.
void lift_to(Model& model, double height) {
    move(model, {{0, 0, height - moving_bounds(model).low.z}, {}});
}

}  // namespace

Case terrain(uint64_t seed) {
    Random random(seed);
    Machine machine = any_machine(random);
    const double height = random.between(0.05, 0.5);
    const Bumps bumps(random, height);
    move(machine.model, {{0, 0, bumps.highest({}, machine.half_length + 1)}, {}});
    Case c{.model = machine.model};
    const GroundKind kind = random.chance(0.5) ? GroundKind::mesh : GroundKind::height_field;
    add_bumps(c, bumps, kind, machine.soil);
    add_walls(c, field_size / 2 - 1, machine.soil);
    c.about = fmt::format("{}, {} {:.2f} m", machine.about,
                          kind == GroundKind::mesh ? "mesh" : "field", height);
    c.command = Commands(random.next(), any_manner(random), machine.levers());
    return c;
}

Case obstacles(uint64_t seed) {
    Random random(seed);
    Machine machine = any_machine(random);
    Case c{.model = machine.model};
    add_plane(c, machine.soil);
    add_walls(c, 15, machine.soil);
    // The arm reaches out further than the chassis.
    add_obstacles(c, random, 25, 3 * machine.half_length + 1.5, 14, machine.soil);
    c.about = machine.about;
    c.command = Commands(random.next(), any_manner(random), machine.levers());
    return c;
}

Case drops(uint64_t seed) {
    Random random(seed);
    Machine machine = any_machine(random);
    move(machine.model, {{}, random.orientation()},
         {{random.between(-2, 2), random.between(-2, 2), 0},
          random.between(0, 2) * random.direction()});
    lift_to(machine.model, 2);
    Case c{.model = machine.model};
    c.about = machine.about;
    add_plane(c, machine.soil);
    c.command = Commands(random.next(), any_manner(random), machine.levers());
    return c;
}

Case rollovers(uint64_t seed) {
    Random random(seed);
    Machine machine = any_machine(random);
    const bool is_upside_down = random.chance(0.5);
    const double tilt = is_upside_down ? pi : 0.9;  // rad: beyond its balance it falls on its side
    const Vec3 axis{1, random.between(-0.3, 0.3), 0};
    move(machine.model, {{}, Quat::about(axis, tilt)},
         {{}, is_upside_down ? Vec3{} : random.between(0, 1.5) * axis});
    lift_to(machine.model, 0.02);
    Case c{.model = machine.model};
    c.about = fmt::format("{} {}", machine.about, is_upside_down ? "upside down" : "pushed over");
    if (random.chance(0.5)) {
        add_plane(c, machine.soil);
    } else {
        const Bumps bumps(random, 0.3);
        move(c.model, {{0, 0, 0.15}, {}});  // the highest there is
        add_bumps(c, bumps, GroundKind::height_field, machine.soil);
        add_walls(c, field_size / 2 - 1, machine.soil);
    }
    c.command = Commands(random.next(), any_manner(random), machine.levers());
    return c;
}

Case strikes(uint64_t seed) {
    Random random(seed);
    Machine machine = any_machine(random);
    Case c{.model = machine.model};
    add_plane(c, machine.soil);
    const double reach = 2.9 * machine.half_length / 1.4, edge = 0.19 * machine.half_length;
    for (int row = -1; row <= 1; ++row)
        for (int column = -1; column <= 2; ++column)
            add_thing(c.model, random, edge, random.between(200, 2000),
                      edge * Vec3{2.0 * column, 2.0 * row, 1.2} + Vec3{reach, 0, 0}, machine.soil);
    c.about = machine.about;
    // The wheels are braked.
    c.command = Commands(random.next(), Commands::Manner::violent, machine.arm);
    return c;
}

Case narrow_walls(uint64_t seed) {
    Random random(seed);
    Machine machine = any_machine(random);
    Case c{.model = machine.model};
    add_plane(c, machine.soil);
    // A funnel: the machine fits in at its start, and not at its ends.
    const double lean = random.between(0.05, 0.15),
                 gap = machine.half_width + random.between(0.1, 0.5);
    for (const double side : {-1.0, 1.0})
        for (const double end : {-1.0, 1.0})
            c.model.add(
                Shape{.body = Model::ground(),
                      .geometry = Box{{30, 1, 6}},
                      .pose = {{15 * end, side * (gap + 0.5 + 0.2 - 15 * std::tan(lean)), 2.5},
                               Quat::about({0, 0, 1}, -side * end * lean)},
                      .material = machine.soil,
                      .name = "funnel"});
    c.about = machine.about;
    c.command = Commands(random.next(), any_manner(random), machine.levers());
    return c;
}

}  // namespace bristle::validation::rough
