#include "validation/rough/ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {

Bumps::Bumps(Random& random, double height) : heights_(size_t{count} * count) {
    struct Wave {
        double x, y, phase, share;
    };
    std::vector<Wave> waves;
    for (int i = 0; i < 6; ++i) {
        const double number = 2 * pi / random.magnitude(2, 15), angle = random.between(0, 2 * pi);
        waves.push_back({number * std::cos(angle), number * std::sin(angle),
                         random.between(0, 2 * pi), random.between(0.1, 0.3)});
    }
    const double roughness = random.between(0, 0.3);
    for (uint32_t row = 0; row < count; ++row)
        for (uint32_t column = 0; column < count; ++column) {
            double sum = roughness * random.between(-1, 1);
            for (const Wave& w : waves)
                sum += w.share * std::sin(w.x * spacing * column + w.y * spacing * row + w.phase);
            heights_[row * count + column] = height / 2 * std::clamp(sum, -1.0, 1.0);
        }
}

// Cells are split from their lower left to their upper right corner.
double Bumps::operator()(double x, double y) const {
    const auto place = [](double at) {
        return std::clamp((at + field_size / 2) / spacing, 0.0, count - 1.000001);
    };
    const double u = place(x), v = place(y);
    const auto column = static_cast<uint32_t>(u), row = static_cast<uint32_t>(v);
    const double a = u - column, b = v - row;
    const double low = at(column, row), high = at(column + 1, row + 1);
    return a > b ? low + a * (at(column + 1, row) - low) + b * (high - at(column + 1, row))
                 : low + b * (at(column, row + 1) - low) + a * (high - at(column, row + 1));
}

double Bumps::highest(Vec3 centre, double half) const {
    double out = -unlimited;
    for (double x = -half; x <= half; x += spacing / 2)
        for (double y = -half; y <= half; y += spacing / 2)
            out = std::max(out, (*this)(centre.x + x, centre.y + y));
    return out;
}

HeightField Bumps::field() const { return {count, count, spacing, spacing, heights_}; }

TriangleMesh Bumps::mesh() const {
    TriangleMesh out;
    for (uint32_t row = 0; row < count; ++row)
        for (uint32_t column = 0; column < count; ++column)
            out.vertices.push_back({spacing * column, spacing * row, at(column, row)});
    for (uint32_t row = 0; row + 1 < count; ++row)
        for (uint32_t column = 0; column + 1 < count; ++column) {
            const uint32_t a = row * count + column, b = a + 1, c = a + count, d = c + 1;
            out.triangles.push_back({a, b, d});
            out.triangles.push_back({a, d, c});
        }
    return out;
}

void add_bumps(Case& c, const Bumps& bumps, GroundKind kind, MaterialId soil) {
    Shape shape{.body = Model::ground(),
                .pose = {Bumps::corner(), {}},
                .material = soil,
                .name = "terrain"};
    if (kind == GroundKind::mesh)
        shape.geometry = Mesh{std::make_shared<const TriangleMesh>(bumps.mesh())};
    else
        shape.geometry = bumps.field();
    c.model.add(shape);
    c.terrain = bumps;
}

void add_plane(Case& c, MaterialId soil) {
    c.model.add(
        Shape{.body = Model::ground(), .geometry = Plane{}, .material = soil, .name = "floor"});
    c.terrain = [](double, double) { return 0.0; };
}

void add_walls(Case& c, double half, MaterialId material) {
    const double thickness = 2, height = 12;
    for (int i = 0; i < 4; ++i) {
        const Quat turn = Quat::about({0, 0, 1}, i * pi / 2);
        const Vec3 at = turn.matrix() * Vec3{half + thickness / 2, 0, height / 2 - 1};
        c.model.add(Shape{.body = Model::ground(),
                          .geometry = Box{{thickness, 2 * half + 2 * thickness, height}},
                          .pose = {at, turn},
                          .material = material,
                          .name = fmt::format("wall {}", i)});
    }
    c.walls = half;
}

void add_obstacles(Case& c, Random& random, int count, double clear, double half,
                   MaterialId material) {
    for (int i = 0; i < count; ++i) {
        const double distance = random.between(clear, half), angle = random.between(0, 2 * pi);
        const Vec3 at{distance * std::cos(angle), distance * std::sin(angle), 0};
        const Quat turn = Quat::about({0, 0, 1}, random.between(0, 2 * pi));
        Shape shape{.body = Model::ground(),
                    .pose = {at, turn},
                    .material = material,
                    .name = fmt::format("obstacle {}", i)};
        switch (random.whole(0, 3)) {
            case 0:  // a block, perhaps aslant
                shape.geometry =
                    Box{{random.between(0.3, 2), random.between(0.3, 2), random.between(0.2, 1.5)}};
                if (random.chance(0.5))
                    shape.pose.orientation =
                        turn * Quat::about({0, 1, 0}, random.between(-0.5, 0.5));
                break;
            case 1:  // a post, or a log that lies
                shape.geometry = Cylinder{random.between(0.1, 0.6), random.between(1, 4)};
                if (random.chance(0.5))
                    shape.pose.orientation = turn * Quat::about({0, 1, 0}, pi / 2);
                break;
            case 2:  // a step
                shape.geometry =
                    Box{{random.between(1, 4), random.between(1, 4), random.between(0.1, 0.5)}};
                break;
            default:  // a wall
                shape.geometry =
                    Box{{random.between(0.2, 0.5), random.between(1, 6), random.between(1, 5)}};
        }
        c.model.add(shape);
    }
}

BodyId add_thing(Model& model, Random& random, double size, double density, Vec3 at,
                 MaterialId material) {
    const auto edge = [&] { return size * random.between(0.6, 1.2); };
    Geometry geometry;
    switch (random.whole(0, 3)) {
        case 0: geometry = Box{{edge(), edge(), edge()}}; break;
        case 1: geometry = Sphere{edge() / 2}; break;
        case 2: geometry = Cylinder{edge() / 2, edge()}; break;
        default: {
            ConvexPolyhedron lump;
            for (int i = 0; i < 10; ++i) lump.points.push_back(edge() / 2 * random.direction());
            // Whatever the ten are, these are not in one plane.
            const double r = 0.3 * size;
            lump.points.insert(lump.points.end(),
                               {{r, r, r}, {-r, -r, r}, {-r, r, -r}, {r, -r, -r}});
            geometry = lump;
        }
    }
    const BodyId body = model.add(Body::of(geometry, density)
                                      .at(at, random.orientation())
                                      .named(fmt::format("thing {}", model.bodies().size())));
    model.add(Shape{.body = body, .geometry = geometry, .material = material});
    return body;
}

}  // namespace bristle::validation::rough
