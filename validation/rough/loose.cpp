// Families of loose things: in a bucket that is carried, spawned in each other, of very different masses.
#include "validation/rough/commands.h"
#include "validation/rough/ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {
namespace {

using Control = Drive::Control;

Material any_material(Random& random) {
    const double friction = random.between(0.2, 0.9);
    return {.name = "stuff",
            .restitution = random.between(0, 0.5),
            .static_friction = friction,
            .kinetic_friction = 0.9 * friction};
}

// Open above.
Compound bucket_plates(double inside, double wall) {
    const double outside = inside + 2 * wall, middle = (inside + wall) / 2;
    Compound out{{{Box{{outside, outside, wall}}, {{0, 0, -middle}, {}}}}};
    for (const double side : {-1.0, 1.0}) {
        out.parts.push_back({Box{{wall, outside, inside}}, {{side * middle, 0, 0}, {}}});
        out.parts.push_back({Box{{inside, wall, inside}}, {{0, side * middle, 0}, {}}});
    }
    return out;
}

// A post that turns, a boom that goes up and down, a bucket at its end that tips.
struct Carrier {
    BodyId bucket;
    std::vector<Lever> levers;
};

Carrier add_carrier(Model& m, Random& random, Vec3 at, double inside, double load) {
    const double arm = 3, wall = 0.08, mass = 500;
    const BodyId post = m.add(Body::cylinder(0.2, 1, mass).at({0, 0, at.z}).named("post")),
                 boom = m.add(Body::rod({0, 0, at.z}, {arm, 0, at.z}, 300).named("boom"));
    const Compound plates = bucket_plates(inside, wall);
    const BodyId bucket =
        m.add(Body::of(plates, 300 / Body::of(plates, 1).mass).at(at).named("bucket"));
    m.add(Shape{.body = bucket, .geometry = plates});
    const double weight = (load + 600) * 9.81;
    const struct {
        const char* name;
        BodyId a, b;
        Vec3 at, axis;
        double stop, effort, speed;
    } hinges[] = {{"swing", Model::ground(), post, {0, 0, at.z}, {0, 0, 1}, unlimited, weight, 0.8},
                  {"lift", post, boom, {0, 0, at.z}, {0, -1, 0}, 0.4, 3 * arm * weight, 0.3},
                  {"tip", boom, bucket, {arm, 0, at.z}, {0, 1, 0}, 2.2, weight * inside, 0.4}};
    Carrier out{bucket, {}};
    const Control control = random.chance(0.5) ? Control::speed : Control::hydraulic;
    for (const auto& h : hinges) {
        const JointId joint =
            m.add(Revolute{.a = h.a, .b = h.b, .at = h.at, .axis = h.axis, .name = h.name});
        if (h.stop < unlimited) m.add(Limit{.joint = joint, .min = -h.stop, .max = h.stop});
        const bool is_valve = control == Control::hydraulic;
        const DriveId drive = m.add(Drive{.joint = joint,
                                          .control = control,
                                          .max_effort = h.effort,
                                          .max_speed = is_valve ? h.speed : 0,
                                          .name = h.name});
        const double most = is_valve ? 1 : h.speed;
        out.levers.push_back({drive, -most, most});
    }
    return out;
}

Case loose(uint64_t seed, int count) {
    Random random(seed);
    Case c;
    Model& m = c.model;
    const MaterialId stuff = m.add(any_material(random));
    add_plane(c, {});
    const double inside = 1.2, size = count > 30 ? 0.22 : 0.3, density = random.between(500, 2500);
    const Vec3 at{3, 0, 2};
    const double load = count * density * std::pow(size, 3) * 0.6;
    Carrier carrier = add_carrier(m, random, at, inside, load);
    const int a_row = static_cast<int>(inside / (1.5 * size));
    const double pitch = inside / a_row;
    for (int i = 0; i < count; ++i) {
        const int column = i % a_row, row = i / a_row % a_row, layer = i / (a_row * a_row);
        add_thing(m, random, size * random.between(0.6, 1), density,
                  at
                      + Vec3{(column + 0.5) * pitch - inside / 2, (row + 0.5) * pitch - inside / 2,
                             (layer + 0.6) * 1.5 * size - inside / 2},
                  stuff);
    }
    c.about = fmt::format("{} things, {:.0f} kg/m3", count, density);
    // The bucket is held upright for the most part, and now and then tipped.
    c.command = [commands = Commands(random.next(), Commands::Manner::any,
                                     {carrier.levers[0], carrier.levers[1]}),
                 tip = carrier.levers[2], bucket = carrier.bucket](World& world) mutable {
        commands(world);
        const bool is_tipped = std::fmod(world.time(), 20) > 16;
        const Vec3 up = world.pose(bucket).orientation.matrix().column(2),
                   ahead = world.pose(bucket).orientation.matrix().column(0);
        const double lean = std::atan2(ahead.z, up.z);  // about y, against the tip's sense
        world.command(tip.drive, std::clamp(is_tipped ? 1.0 : 2 * lean, -1.0, 1.0) * tip.high);
    };
    return c;
}

}  // namespace

Case loose_20(uint64_t seed) { return loose(seed, 20); }
Case loose_50(uint64_t seed) { return loose(seed, 50); }

Case overlaps(uint64_t seed) {
    Random random(seed);
    Case c;
    const MaterialId stuff = c.model.add(any_material(random));
    add_plane(c, {});
    const double size = random.magnitude(0.1, 1), density = random.magnitude(100, 8000);
    for (int i = 0; i < 12; ++i)
        add_thing(c.model, random, size, density,
                  {random.between(-size, size) / 2, random.between(-size, size) / 2,
                   1.2 * size + random.between(-size, size) / 2},
                  stuff);
    c.about = fmt::format("12 of {:.2f} m in each other", size);
    c.starts_overlapping = true;
    c.settling = 5;
    return c;
}

namespace {

BodyId add_box(Model& m, double edge, double mass, Vec3 at, MaterialId material) {
    const Vec3 edges{edge, edge, edge};
    const BodyId body =
        m.add(Body::box(edges, mass).at(at).named(fmt::format("box {}", m.bodies().size())));
    m.add(Shape{.body = body, .geometry = Box{edges}, .material = material});
    return body;
}

}  // namespace

Case mass_ratios(uint64_t seed) {
    Random random(seed);
    Case c;
    Model& m = c.model;
    const MaterialId stuff = m.add(any_material(random));
    add_plane(c, {});
    const double ratio = random.magnitude(1e2, 1e5), edge = random.between(0.2, 0.6);
    switch (random.whole(0, 3)) {
        case 0: {  // heavy on light, dropped from a hand's breadth
            c.about = fmt::format("heavy on light, 1:{:.0f}", ratio);
            const int count = random.whole(1, 4);
            for (int i = 0; i < count; ++i) add_box(m, edge, 1, {0, 0, (i + 0.5) * edge}, stuff);
            add_box(m, edge, ratio, {0, 0, (count + 0.5) * edge + random.between(0, 0.1)}, stuff);
            break;
        }
        case 1:  // light between heavy
            c.about = fmt::format("light between heavy, 1:{:.0f}", ratio);
            add_box(m, edge, ratio, {0, 0, 0.5 * edge}, stuff);
            add_box(m, edge, 1, {0, 0, 1.5 * edge}, stuff);
            add_box(m, edge, ratio, {0, 0, 2.5 * edge + 0.05}, stuff);
            break;
        case 2: {  // a heavy ball on a string of light bars, swung
            c.about = fmt::format("heavy on a light string, 1:{:.0f}", ratio);
            const int links = random.whole(2, 8);
            BodyId last = Model::ground();
            Vec3 end{0, 0, 4};
            for (int i = 0; i < links; ++i) {
                const Vec3 next = end + Vec3{0.3, 0, 0};
                const BodyId link = m.add(Body::rod(end, next, 1).named(fmt::format("link {}", i)));
                m.add(
                    Spherical{.a = last, .b = link, .at = end, .name = fmt::format("joint {}", i)});
                last = link;
                end = next;
            }
            const BodyId ball =
                m.add(Body::sphere(0.3, ratio).at(end + Vec3{0.3, 0, 0}).named("ball"));
            m.add(Shape{.body = ball, .geometry = Sphere{0.3}, .material = stuff});
            m.add(Spherical{.a = last, .b = ball, .at = end, .name = "load"});
            break;
        }
        default:  // a light hammer on a hinge of a heavy block, and a heavy block that falls on it
            c.about = fmt::format("hinged, 1:{:.0f}", ratio);
            const BodyId block = add_box(m, edge, ratio, {0, 0, 0.5 * edge}, stuff),
                         hammer = add_box(m, edge / 2, 1, {1.2 * edge, 0, 0.5 * edge}, stuff);
            m.add(Revolute{.a = block,
                           .b = hammer,
                           .at = {0.7 * edge, 0, 0.5 * edge},
                           .axis = {0, 1, 0},
                           .name = "hinge"});
            add_box(m, edge, ratio, {1.1 * edge, 0, 2 * edge}, stuff);
    }
    return c;
}

}  // namespace bristle::validation::rough
