// Bodies, shapes and the geometry of both.
#include "io/mesh_file.h"
#include "io/scene/sections.h"

namespace bristle::io {
namespace {

std::shared_ptr<const TriangleMesh> read_mesh(const Object& o) {
    const std::filesystem::path path = o.file("file");
    const double scale = o.number("scale"), merge = o.number("merge_distance");
    if (!o.is_good()) return {};
    Context& context = o.context();
    auto& known = context.meshes[{path, scale, merge}];
    if (known) return known;
    try {
        TriangleMesh mesh = load_mesh(path, {.merge_distance = merge});
        if (scale != 1)
            for (Vec3& vertex : mesh.vertices) vertex = scale * vertex;
        known = std::make_shared<const TriangleMesh>(std::move(mesh));
        for (auto& file : files_of_mesh(path)) context.scene.files.push_back(std::move(file));
    } catch (const InputError& error) {
        context.mistakes.add(o.find("file")->mark, error.what());
    }
    return known;
}

Compound read_compound(const Object& o) {
    Compound compound;
    if (const Node* parts = o.find("parts"))
        read_each(o.context(), *parts, section("parts"), [&](const Object& part, const Node&) {
            const Pose pose = part.pose();
            if (auto geometry = read_geometry(part))
                compound.parts.push_back({std::move(*geometry), pose});
        });
    return compound;
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
    if (type == "mesh") return Mesh{read_mesh(o)};
    if (type == "compound") return read_compound(o);
    if (type == "chain_link") {
        const double radius = o.number("radius"), tube = o.number("tube"),
                     straight = o.number("straight");
        return o.is_good() ? chain_link(radius, tube, straight) : Compound{};
    }
    if (type == "height_field") {
        const double spacing = o.number("spacing");
        return HeightField{o.integer("columns"), o.integer("rows"), spacing,
                           o.has("spacing_y") ? o.number("spacing_y") : spacing,
                           o.numbers("heights")};
    }
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

std::optional<uint32_t> read_solid(const Object& o, const std::string& name) {
    Context& context = o.context();
    const auto geometry = read_geometry(o);
    const double mass = o.number("mass"), density = o.number("density");
    const Pose pose = o.pose();
    const Vec3 velocity = o.vector("velocity"), turning = o.vector("angular_velocity");
    Shape shape{.material = o.material("material"),
                .group = o.integer("group"),
                .mask = o.integer("mask"),
                .name = name};
    if (!o.is_good()) return {};
    const BodyId id = context.scene.model.add(homogeneous(*geometry, mass, density)
                                                  .named(name)
                                                  .at(pose.position, pose.orientation)
                                                  .moving(velocity, turning));
    if (o.has("material")) {
        shape.body = id;
        shape.geometry = *geometry;
        const ShapeId shape_id = context.scene.model.add(std::move(shape));
        context.define(context.shapes, name, o.node().mark, shape_id.index);
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
    read_named(context, node, section("bodies"), context.bodies, read_body);
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
        if (!o.is_good()) return {};
        shape.geometry = std::move(*geometry);
        return context.scene.model.add(std::move(shape)).index;
    };
    read_named(context, node, section("shapes"), context.shapes, read);
}

}  // namespace bristle::io
