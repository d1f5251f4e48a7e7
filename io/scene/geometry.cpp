// Bodies, shapes and the geometry of both.
#include "io/mesh_file.h"
#include "io/scene/hollow.h"
#include "io/scene/looks.h"
#include "io/scene/sections.h"
#include "io/scene/terrain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::io {
namespace {

// What the file has, as the object wants it.
std::shared_ptr<const TriangleMesh> prepared(const Object& o, TriangleMesh mesh) {
    const double scale = o.number("scale");
    if (scale != 1)
        for (Vec3& vertex : mesh.vertices) vertex = scale * vertex;
    enum class Repair : uint8_t { nothing, safe };
    if (o.word<Repair>("repair") == Repair::safe) mesh = repaired(mesh).mesh;
    return std::make_shared<const TriangleMesh>(std::move(mesh));
}

std::shared_ptr<const Painting> scaled(const std::shared_ptr<const Painting>& painting,
                                       double scale) {
    if (!painting || scale == 1) return painting;
    auto out = std::make_shared<Painting>(*painting);
    for (PaintedSurface& surface : out->surfaces)
        for (auto& vertex : surface.vertices)
            for (float& value : vertex) value = static_cast<float>(scale * value);
    return out;
}

std::shared_ptr<const TriangleMesh> mesh_of_file(const Object& o) {
    const std::filesystem::path path = o.file("file");
    const double scale = o.number("scale"), merge = o.number("merge_distance");
    const std::string repair = o.text("repair");
    if (!o.is_good()) return {};
    Context& context = o.context();
    auto& known = context.meshes[{path, scale, merge, repair}];
    if (known) return known;
    if (context.extent.tell_mesh) context.extent.tell_mesh(path);
    try {
        MeshFile loaded = load_mesh_file(path, {.merge_distance = merge});
        known = prepared(o, std::move(loaded.mesh));
        context.paintings[known.get()] = scaled(loaded.painting, scale);
        for (auto& file : loaded.files) context.scene.files.push_back(std::move(file));
        for (auto& warning : loaded.warnings)
            context.mistakes.warn(o.find("file")->mark, std::move(warning));
    } catch (const InputError& error) {
        context.mistakes.add(o.find("file")->mark, error.what());
    }
    return known;
}

std::vector<MaterialId> materials_of_triangles(const Object& o) {
    std::vector<MaterialId> list;
    if (const Node* node = o.find("materials"))
        for (const auto& item : node->entries)
            if (const auto id = o.context().find(o.context().materials, *item.value))
                list.push_back({*id});
    return list;
}

// Shapes of equal triangles share them, as those of one file do.
std::shared_ptr<const TriangleMesh> shared_by_all(
    std::vector<std::shared_ptr<const TriangleMesh>>& all,
    std::shared_ptr<const TriangleMesh> mesh) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& other) {
        return other->triangles == mesh->triangles && other->vertices == mesh->vertices
            && other->materials == mesh->materials;
    });
    if (same != all.end()) return *same;
    return all.emplace_back(std::move(mesh));
}

std::shared_ptr<const TriangleMesh> written_mesh(const Object& o) {
    TriangleMesh mesh{o.points("vertices"), o.triangles("triangles"), materials_of_triangles(o)};
    for (const auto& triangle : mesh.triangles)
        for (const uint32_t corner : triangle)
            if (corner >= mesh.vertices.size() && o.is_good())
                o.context().mistakes.add(o.find("triangles")->mark,
                                         fmt::format("a triangle names vertex {}; expected one of "
                                                     "the {} vertices, counted from 0",
                                                     corner, mesh.vertices.size()));
    if (!o.is_good()) return {};
    return shared_by_all(o.context().written_meshes, prepared(o, std::move(mesh)));
}

// What the object says, or the file of its mesh; nothing if neither does.
std::optional<Look> look_of(const Object& o, const std::optional<Geometry>& geometry) {
    if (auto look = read_look(o)) return look;
    const auto* const mesh = geometry ? std::get_if<Mesh>(&*geometry) : nullptr;
    if (mesh == nullptr) return {};
    const auto& paintings = o.context().paintings;
    const auto found = paintings.find(mesh->surface.get());
    if (found == paintings.end() || !found->second) return {};
    return Look{.painting = found->second};
}

// ---- Discs and plates -----------------------------------------------------------------------------------

// Of the plane of the scene: what is to the right and up for who looks along the normal.
struct PlaneAxes {
    Vec3 normal, right, up;

    explicit PlaneAxes(const Model& model)
        : normal(normalized(model.plane_normal.value_or(Vec3{0, 1, 0}))) {
        const bool is_level = std::abs(normal.z) > 0.999;
        const Vec3 above = is_level ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
        up = normalized(above - dot(above, normal) * normal);
        right = cross(normal, up);
    }
};

// The turn that takes a geometry from its own frame into that of its object: a disc is a cylinder, whose
// axis is z.
Quat turn_of(const Object& o) {
    if (o.type().name != "circle") return {};
    const Vec3 normal = PlaneAxes(o.context().scene.model).normal;
    const Vec3 axis = cross({0, 0, 1}, normal);
    return norm(axis) > 1e-9 ? Quat::about(axis, std::atan2(norm(axis), normal.z)) : Quat{};
}

// Left alone where nothing is turned, to the sign of a zero.
Pose turned(Pose pose, const Object& o) {
    const Quat turn = turn_of(o);
    if (turn != Quat{}) pose.orientation = pose.orientation * turn;
    return pose;
}

// Once around, and always to the same side; corners on a straight line are harmless.
bool is_convex(const std::vector<std::array<double, 2>>& corners) {
    double turned = 0, left = 0, right = 0;
    const size_t n = corners.size();
    for (size_t i = 0; i < n; ++i) {
        const auto &a = corners[i], &b = corners[(i + 1) % n], &c = corners[(i + 2) % n];
        const double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
        const double angle = std::atan2(ux * vy - uy * vx, ux * vx + uy * vy);
        turned += angle;
        left = std::max(left, angle);
        right = std::min(right, angle);
    }
    const double straight = 1e-9;  // rad
    return std::abs(std::abs(turned) - 2 * pi) < 1e-6 && (left < straight || right > -straight);
}

ConvexPolyhedron read_polygon(const Object& o) {
    const auto corners = o.corners("points");
    const double half = 0.5 * o.number("thickness");
    if (!o.is_good()) return {};
    const auto mistake = [&](const char* what) {
        o.context().mistakes.add(o.find("points")->mark, what);
    };
    if (corners.size() < 3)
        mistake("the polygon has too few points; expected three or more");
    else if (!is_convex(corners))
        mistake(
            "the polygon is not convex; expected corners around a convex outline, and "
            "compounds of several for others");
    const PlaneAxes axes(o.context().scene.model);
    ConvexPolyhedron out;
    for (const auto& [x, z] : corners)
        for (double side : {-half, half})
            out.points.push_back(x * axes.right + z * axes.up + side * axes.normal);
    return out;
}

// ---- All geometries -------------------------------------------------------------------------------------

Compound read_compound(const Object& o) {
    Compound compound;
    if (const Node* parts = o.find("parts"))
        read_each(o.context(), *parts, section("parts"), [&](const Object& part, const Node&) {
            const Pose pose = turned(part.pose(), part);
            if (auto geometry = read_geometry(part))
                compound.parts.push_back({std::move(*geometry), pose});
        });
    return compound;
}

Mesh read_hollow(const Object& o) {
    const double radius = o.number("radius"), thickness = o.number("thickness");
    const auto segments = static_cast<uint32_t>(o.integer("segments"));
    const double length = o.type().name == "pipe" ? o.number("length") : 0;
    if (!o.is_good()) return {};
    TriangleMesh mesh = o.type().name == "pipe" ? pipe_mesh(radius, thickness, length, segments)
                                                : bowl_mesh(radius, thickness, segments);
    return {shared_by_all(o.context().written_meshes,
                          std::make_shared<const TriangleMesh>(std::move(mesh)))};
}

Geometry geometry_of(const Object& o) {
    const std::string& type = o.type().name;
    if (type == "sphere") return Sphere{o.number("radius")};
    if (type == "box") return Box{o.vector("size")};
    if (type == "cylinder") return Cylinder{o.number("radius"), o.number("length")};
    if (type == "capsule") return Capsule{o.number("radius"), o.number("length")};
    if (type == "torus")
        return Torus{o.number("radius"), o.number("tube"), o.word<Torus::Arc>("arc")};
    if (type == "convex") return ConvexPolyhedron{o.points("points")};
    if (type == "circle") return Cylinder{o.number("radius"), o.number("thickness")};
    if (type == "polygon") return read_polygon(o);
    if (type == "mesh")
        return Mesh{o.has("file") ? mesh_of_file(o) : written_mesh(o), o.integer("spheres")};
    if (type == "compound") return read_compound(o);
    if (type == "chain_link") {
        const double radius = o.number("radius"), tube = o.number("tube"),
                     straight = o.number("straight");
        return o.is_good() ? chain_link(radius, tube, straight) : Compound{};
    }
    if (type == "pipe" || type == "bowl") return read_hollow(o);
    if (type == "height_field") return read_height_field(o);
    return Plane{};
}

// By its mass where the engine has a closed form for it, as the interface in C++ does.
// `mass` zero: not given.
Body homogeneous(const Geometry& geometry, double mass, double density) {
    if (mass == 0) return Body::of(geometry, density);
    if (const auto* box = std::get_if<Box>(&geometry)) return Body::box(box->size, mass);
    if (const auto* sphere = std::get_if<Sphere>(&geometry))
        return Body::sphere(sphere->radius, mass);
    if (const auto* cylinder = std::get_if<Cylinder>(&geometry))
        return Body::cylinder(cylinder->radius, cylinder->length, mass);
    return Body::of(geometry, mass / mass_properties(geometry).volume);
}

// 7.8 is a density in g/cm³ that is in every table; foam has 10 to 30 kg/m³.
void warn_of_grams(const Object& o) {
    const Node* const node = o.find("density");
    if (node == nullptr || node->kind != Node::Kind::scalar) return;
    const double plain = plain_number(*node).value_or(bristle::unlimited);
    if (plain < 25)
        o.context().mistakes.warn(node->mark,
                                  fmt::format("density is {0} kg/m^3, lighter than foam; write {0} "
                                              "g/cm^3 if that is meant, or {0} kg/m^3",
                                              node->text));
}

std::optional<uint32_t> read_solid(const Object& o, const std::string& name) {
    Context& context = o.context();
    const auto geometry = read_geometry(o);
    const double mass = o.number("mass");
    const double density = o.type().find("area_density") && o.has("area_density")
                             ? o.number("area_density") / o.number("thickness")
                             : o.number("density");
    warn_of_grams(o);
    const Pose pose = o.pose();
    const Vec3 velocity = o.vector("velocity"), turning = o.vector("angular_velocity");
    Shape shape{.material = o.material("material"),
                .group = o.integer("group"),
                .mask = o.integer("mask"),
                .name = name};
    if (!o.is_good()) return {};
    Body body = homogeneous(*geometry, mass, density);
    if (o.type().name == "circle") {
        const Vec3 normal = PlaneAxes(context.scene.model).normal;
        body.inertia = Mat3::diagonal({body.inertia(0, 0), body.inertia(0, 0), body.inertia(0, 0)})
                     + (body.inertia(2, 2) - body.inertia(0, 0)) * Mat3::outer(normal, normal);
        shape.pose.orientation = turn_of(o);
    }
    const BodyId id = context.scene.model.add(
        body.named(name).at(pose.position, pose.orientation).moving(velocity, turning));
    if (o.has("material")) {
        shape.body = id;
        shape.geometry = *geometry;
        const ShapeId shape_id = context.scene.model.add(std::move(shape));
        context.define(context.shapes, name, o.node().mark, shape_id.index);
        if (const auto look = look_of(o, geometry); look && look->painting)
            context.scene.shape_looks[shape_id.index] = *look;
    }
    return id.index;
}

std::optional<uint32_t> read_body(const Object& o, const std::string& name) {
    const std::string& type = o.type().name;
    if (!type.empty() && type != "point" && type != "rod") return read_solid(o, name);
    Model& model = o.context().scene.model;
    const double mass = o.number("mass");
    const Pose pose = o.pose();
    const Vec3 velocity = o.vector("velocity"), turning = o.vector("angular_velocity");
    Body body;
    if (type == "point") {
        body = Body::point(mass).at(pose.position, pose.orientation);
    } else if (type == "rod") {
        const Vec3 from = o.vector("from"), to = o.vector("to");
        const double length = o.number("length");
        if (!o.is_good()) return {};
        body = o.has("from") ? Body::rod(from, to, mass)
                             : Body::rod(length, mass).at(pose.position, pose.orientation);
    } else {
        body.mass = mass;
        body.center = o.vector("center");
        body.inertia = o.inertia("inertia");
        body.position = pose.position;
        body.orientation = pose.orientation;
    }
    if (!o.is_good()) return {};
    return model.add(body.named(name).moving(velocity, turning)).index;
}

}  // namespace

std::optional<Geometry> read_geometry(const Object& o) {
    Geometry geometry = geometry_of(o);
    if (!o.is_good()) return {};
    return geometry;
}

void read_bodies(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        const auto look = read_look(o);
        const auto id = read_body(o, name);
        if (id && look) context.scene.body_looks[*id] = *look;
        return id;
    };
    read_named(context, node, section("bodies"), context.bodies, read);
}

void read_shapes(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        auto geometry = read_geometry(o);
        Shape shape{.body = o.body("body"),
                    .pose = o.pose(),
                    .material = o.material("material"),
                    .group = o.integer("group"),
                    .mask = o.integer("mask"),
                    .name = name};
        const auto look = look_of(o, geometry);
        if (!o.is_good()) return {};
        shape.pose = turned(shape.pose, o);
        shape.geometry = std::move(*geometry);
        const uint32_t id = context.scene.model.add(std::move(shape)).index;
        if (look) context.scene.shape_looks[id] = *look;
        return id;
    };
    read_named(context, node, section("shapes"), context.shapes, read);
}

void read_visuals(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        auto geometry = read_geometry(o);
        const BodyId body = o.body("body");
        const Pose pose = o.pose();
        const Look look = look_of(o, geometry).value_or(Look{});
        std::optional<Visual::Aim> aim;
        if (o.has("aim_body"))
            aim = Visual::Aim{o.body("aim_body"), o.vector("aim_at"), o.number("aim_along")};
        if (!o.is_good()) return {};
        auto& visuals = context.scene.visuals;
        visuals.push_back({name, body, std::move(*geometry), turned(pose, o), look, aim});
        return static_cast<uint32_t>(visuals.size() - 1);
    };
    read_named(context, node, section("visuals"), context.visuals, read);
}

}  // namespace bristle::io
