// Where shapes touch, for the pictures of docs/: one JSON object a picture, with the shapes as polygons
// or by name and size, and the contacts as World::contacts() tells them after a step too short to move.
#include <bristle/bristle.h>

#include "geometry/convex_hull.h"

#include <cmath>
#include <cstdio>
#include <string>

using namespace bristle;

namespace {

const Vec3 x_axis{1, 0, 0}, y_axis{0, 1, 0};

std::string text(Vec3 v) {
    char out[100];
    std::snprintf(out, sizeof out, "[%.6g,%.6g,%.6g]", v.x, v.y, v.z);
    return out;
}

template <class Items, class Format> std::string list(const Items& items, const Format& format) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ",") + format(item);
    return "[" + out + "]";
}

std::string polygons(const std::vector<std::vector<Vec3>>& faces) {
    return "\"faces\":" + list(faces, [](const auto& face) { return list(face, text); });
}

std::string sizes(const char* kind, double first, double second, Vec3 size = {}) {
    char out[200];
    std::snprintf(out, sizeof out, "\"kind\":\"%s\",\"sizes\":[%.6g,%.6g],\"size\":", kind, first,
                  second);
    return out + text(size);
}

struct Describe {
    std::string operator()(const Sphere& s) const { return sizes("sphere", s.radius, 0); }
    std::string operator()(const Box& b) const { return sizes("box", 0, 0, b.size); }
    std::string operator()(const Capsule& c) const { return sizes("capsule", c.radius, c.length); }
    std::string operator()(const Cylinder& c) const {
        return sizes("cylinder", c.radius, c.length);
    }
    std::string operator()(const Plane&) const { return sizes("plane", 0, 0); }
    std::string operator()(const Torus& t) const {
        return sizes(t.arc == Torus::Arc::half ? "half torus" : "torus", t.radius, t.tube);
    }
    std::string operator()(const ConvexPolyhedron& c) const {
        const ConvexHull hull(c.points);
        std::vector<std::vector<Vec3>> faces;
        for (const ConvexHull::Face& face : hull.faces()) {
            faces.emplace_back();
            for (const uint32_t v : hull.loop(face)) faces.back().push_back(hull.vertices()[v]);
        }
        return sizes("convex", 0, 0) + "," + polygons(faces);
    }
    std::string operator()(const HeightField& f) const {
        const auto at = [&](uint32_t column, uint32_t row) {
            return Vec3{column * f.spacing_x, row * f.spacing_y,
                        f.heights[row * f.columns + column]};
        };
        std::vector<std::vector<Vec3>> faces;
        for (uint32_t row = 0; row + 1 < f.rows; ++row)
            for (uint32_t column = 0; column + 1 < f.columns; ++column) {
                const Vec3 a = at(column, row), b = at(column + 1, row + 1);
                faces.push_back({a, at(column + 1, row), b});
                faces.push_back({a, b, at(column, row + 1)});
            }
        return sizes("height field", 0, 0) + "," + polygons(faces);
    }
    std::string operator()(const Mesh& m) const {
        std::vector<std::vector<Vec3>> faces;
        for (const auto& t : m.surface->triangles) {
            faces.emplace_back();
            for (const uint32_t v : t) faces.back().push_back(m.surface->vertices[v]);
        }
        return sizes("mesh", 0, 0) + "," + polygons(faces);
    }
    std::string operator()(const Compound& c) const {
        return sizes("compound", 0, 0) + ",\"parts\":"
             + list(c.parts,
                    [](const CompoundPart& part) { return describe(part.geometry, part.pose); });
    }

    static std::string describe(const Geometry& geometry, const Pose& pose) {
        const Mat3 m = pose.orientation.matrix();
        return "{" + std::visit(Describe{}, geometry) + ",\"position\":" + text(pose.position)
             + ",\"columns\":[" + text(m.column(0)) + "," + text(m.column(1)) + ","
             + text(m.column(2)) + "]}";
    }
};

// One shape that stands and one that moves, a little in each other.
void touch(const char* name, const Geometry& below, const Pose& at, const Geometry& above,
           Vec3 position, Quat orientation = {}) {
    Model model;
    model.gravity = {};
    const MaterialId soft = model.add(Material{});
    model.add(ContactPair{soft, soft, {.stiffness = 1}});
    const BodyId body = model.add(Body::box({1, 1, 1}, 1).at(position, orientation));
    model.add(Shape{.body = Model::ground(), .geometry = below, .pose = at, .material = soft});
    model.add(Shape{.body = body, .geometry = above, .material = soft});
    World world(model, {.step = 1e-6});
    world.step();
    const auto contact = [&](const Contact& c) {
        // The picture shows the push on the body that moves.
        const double side = c.body_a == body ? 1 : -1;
        return "{\"point\":" + text(c.point) + ",\"normal\":" + text(side * c.normal) + "}";
    };
    std::printf("{\"name\":\"%s\",\"below\":%s,\"above\":%s,\"contacts\":%s}\n", name,
                Describe::describe(below, at).c_str(),
                Describe::describe(above, {position, orientation}).c_str(),
                list(world.contacts(), contact).c_str());
}

void alone(const char* name, const Geometry& geometry, const Pose& at = {}) {
    std::printf("{\"name\":\"%s\",\"below\":%s,\"contacts\":[]}\n", name,
                Describe::describe(geometry, at).c_str());
}

// A roof with four sides and its tip up: faces, edges and a vertex to touch.
Mesh roof() {
    TriangleMesh m;
    m.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0.7}};
    m.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {0, 2, 1}, {0, 3, 2}};
    return {std::make_shared<const TriangleMesh>(m)};
}

ConvexPolyhedron nut(int corners, double radius, double height) {
    ConvexPolyhedron out;
    for (int i = 0; i < corners; ++i)
        for (const double z : {-0.5, 0.5})
            out.points.push_back({radius * std::cos(2 * pi * i / corners),
                                  radius * std::sin(2 * pi * i / corners), z * height});
    return out;
}

HeightField hills() {
    HeightField f{.columns = 9, .rows = 9, .spacing_x = 0.4, .spacing_y = 0.4, .heights = {}};
    for (uint32_t row = 0; row < f.rows; ++row)
        for (uint32_t column = 0; column < f.columns; ++column)
            f.heights.push_back(0.25 * std::sin(1.1 * column) * std::cos(0.9 * row));
    return f;
}

}  // namespace

int main() {
    const Plane floor;
    const Box slab{{2, 2, 0.6}};
    const Pose slab_at{{0, 0, -0.3}, {}};
    const Quat lying = Quat::about(y_axis, pi / 2);
    const double sunk = 0.03;

    touch("sphere on plane", floor, {}, Sphere{0.6}, {0, 0, 0.6 - sunk});
    touch("sphere on a box's edge", slab, slab_at, Sphere{0.5}, {1.3, 0, 0.37});
    touch("sphere on a mesh: face", roof(), {}, Sphere{0.4}, {0.733, 0, 0.485});
    touch("sphere on a mesh: edge", roof(), {}, Sphere{0.4}, {0.633, -0.633, 0.58});
    touch("sphere on a mesh: vertex", roof(), {}, Sphere{0.4}, {0, 0, 1.07});
    touch("capsule lying", floor, {}, Capsule{0.35, 1.3}, {0, 0, 0.35 - sunk}, lying);
    touch("capsules crossed", Capsule{0.3, 1.6}, {{}, Quat::about(x_axis, pi / 2)},
          Capsule{0.3, 1.6}, {0, 0, 0.6 - sunk}, lying);
    touch("capsules side by side", Capsule{0.3, 1.6}, {{}, lying}, Capsule{0.3, 1.2},
          {0.5, 0, 0.6 - sunk}, lying);

    touch("box on plane: face", floor, {}, Box{{1.4, 1, 0.7}}, {0, 0, 0.35 - sunk});
    touch("box on box: four points", slab, slab_at, Box{{1.2, 1.2, 0.6}}, {0.9, 0.2, 0.3 - sunk},
          Quat::about({0, 0, 1}, 0.5));
    const double half_diagonal = 0.5 * std::sqrt(2.0);
    touch("box on box: edge on edge", Box{{2, 1, 1}}, {{}, Quat::about(x_axis, pi / 4)},
          Box{{1, 2, 1}}, {0, 0, 2 * half_diagonal - sunk}, Quat::about(y_axis, pi / 4));
    touch("convex on convex", nut(6, 1, 0.5), {{0, 0, -0.25}, {}}, nut(5, 0.7, 0.6),
          {0.45, 0.1, 0.3 - sunk}, Quat::about({0, 0, 1}, 0.3));
    touch("cylinder standing", floor, {}, Cylinder{0.5, 1.1}, {0, 0, 0.55 - sunk});
    touch("cylinder lying", floor, {}, Cylinder{0.4, 1.5}, {0, 0, 0.4 - sunk}, lying);
    const double tilt = 0.5;
    touch("cylinder tilted", floor, {}, Cylinder{0.5, 1.1},
          {0, 0, 0.55 * std::cos(tilt) + 0.5 * std::sin(tilt) - sunk}, Quat::about(y_axis, tilt));
    touch("box on a height field", hills(), {{-1.6, -1.6, 0}, {}}, Box{{1.6, 1.2, 0.4}},
          {-0.06, 0.1, 0.4});

    const Quat upright = Quat::about(x_axis, pi / 2);
    touch("torus lying", floor, {}, Torus{0.8, 0.2}, {0, 0, 0.2 - sunk});
    touch("half torus on its ends", floor, {}, Torus{0.8, 0.2, Torus::Arc::half}, {0, 0, -sunk},
          upright);
    touch("ball in a ring", Torus{0.7, 0.2}, {}, Sphere{0.75}, {0, 0, 0.6});
    const double straight = 0.9, radius = 0.5, tube = 0.16;
    touch("links of a chain", chain_link(radius, tube, straight), {{}, upright},
          chain_link(radius, tube, straight), {straight + 2 * radius - 2 * tube + sunk, 0, 0});

    alone("Sphere", Sphere{0.8});
    alone("Box", Box{{1.6, 1.1, 0.8}});
    alone("Capsule", Capsule{0.45, 1}, {{}, Quat::about(y_axis, 0.5)});
    alone("Cylinder", Cylinder{0.6, 1.3});
    alone("Plane", Plane{});
    alone("Torus", Torus{0.8, 0.25});
    alone("Torus, Arc::half", Torus{0.8, 0.25, Torus::Arc::half});
    alone("ConvexPolyhedron", nut(6, 0.9, 0.9));
    alone("HeightField", hills(), {{-1.6, -1.6, 0}, {}});
    alone("Mesh", roof());
    alone("Compound: chain_link", chain_link(0.5, 0.16, 0.9));
    alone("Compound: a dumbbell", Compound{{{Cylinder{0.15, 1.2}, {{}, lying}},
                                            {Sphere{0.45}, {{-0.8, 0, 0}, {}}},
                                            {Sphere{0.45}, {{0.8, 0, 0}, {}}}}});
}
