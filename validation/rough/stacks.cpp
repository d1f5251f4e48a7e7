// Families of what stands until it is struck: stacks and houses of cards.
#include "validation/rough/ground.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::validation::rough {
namespace {

BodyId add_box(Model& m, Vec3 size, double mass, Vec3 at, Quat turn, MaterialId material) {
    const BodyId body =
        m.add(Body::box(size, mass).at(at, turn).named(fmt::format("box {}", m.bodies().size())));
    m.add(Shape{.body = body, .geometry = Box{size}, .material = material});
    return body;
}

// Comes flying, and is there after so many seconds.
void add_ball(Model& m, double radius, double mass, Vec3 target, Vec3 velocity, double when) {
    const Vec3 from = target - when * velocity - 0.5 * when * when * m.gravity;
    const BodyId ball = m.add(Body::sphere(radius, mass).at(from).moving(velocity).named("ball"));
    m.add(Shape{.body = ball, .geometry = Sphere{radius}});
}

}  // namespace

Case stacks(uint64_t seed) {
    Random random(seed);
    Case c;
    add_plane(c, {});
    const int count = random.whole(5, 20);
    const double edge = random.between(0.1, 1), density = random.magnitude(100, 5000),
                 mass = density * std::pow(edge, 3), out_of_line = random.between(0, 0.05) * edge;
    for (int i = 0; i < count; ++i)
        add_box(c.model, {edge, edge, edge}, mass,
                {random.between(-1, 1) * out_of_line, random.between(-1, 1) * out_of_line,
                 (i + 0.5) * edge},
                Quat::about({0, 0, 1}, random.between(0, 1)), {});
    // What comes later than this would have to start very high.
    const double when = 1, radius = 0.4 * edge;
    const Vec3 target{0, 0, random.between(1, count) * edge}, velocity{random.between(3, 15), 0, 0};
    add_ball(c.model, radius, mass * random.magnitude(0.1, 10), target,
             velocity + when * c.model.gravity, when);
    c.about = fmt::format("{} boxes of {:.2f} m", count, edge);
    return c;
}

// Storeys of leaning pairs with planks across; each just touches the next.
Case cards(uint64_t seed) {
    Random random(seed);
    Case c;
    add_plane(c, {});
    const double friction = random.between(0.5, 0.9);
    const MaterialId paper = c.model.add(Material{.name = "paper",
                                                  .restitution = 0,
                                                  .static_friction = friction,
                                                  .kinetic_friction = friction});
    const int storeys = random.whole(1, 4);
    const double length = 0.2, width = 0.12, thick = random.between(2e-3, 6e-3),
                 lean = random.between(0.2, 0.35);
    const double mass = 1000 * length * width * thick;
    const double height = length * std::cos(lean) + thick * std::sin(lean),
                 spread = length * std::sin(lean) + thick * std::cos(lean);
    double floor = 0;
    for (int storey = 0; storey < storeys; ++storey) {
        const int pairs = storeys - storey;
        for (int i = 0; i < pairs; ++i) {
            const double middle = (i - 0.5 * (pairs - 1)) * 2.1 * spread;
            for (const double side : {-1.0, 1.0})
                add_box(c.model, {thick, width, length}, mass,
                        {middle + side * (spread / 2 + 1e-5), 0, floor + height / 2 + 1e-5},
                        Quat::about({0, 1, 0}, -side * lean), paper);
        }
        floor += height + 2e-5;
        // One plank across them all carries the next storey.
        const double across = ((pairs - 1) * 2.1 + 0.5) * spread;
        if (pairs > 1)
            add_box(c.model, {across, width, thick}, mass * across / length,
                    {0, 0, floor + thick / 2}, {}, paper);
        if (pairs > 1) floor += thick + 1e-5;
    }
    if (random.chance(0.5))
        add_ball(c.model, 0.03, 0.1, {0, 0, random.between(0.05, 0.9) * floor + 0.03},
                 {random.between(1, 5), 0, -9.81}, 1);
    c.about = fmt::format("{} storeys of {:.1f} mm", storeys, 1e3 * thick);
    return c;
}

}  // namespace bristle::validation::rough
