#include "live/wire/scene_message.h"

#include "geometry/convex_hull.h"
#include "io/painting.h"
#include "io/scene/quantities.h"
#include "io/sketch.h"
#include "live/wire/ground.h"
#include "live/wire/messages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace bristle::live {
namespace {

constexpr size_t most_quantities = 4000;  // names; the page asks for any other by writing it

using Floats = google::protobuf::RepeatedField<float>;

void put(Floats& field, Vec3 v) {
    for (const double value : {v.x, v.y, v.z}) field.Add(static_cast<float>(value));
}
void put(Floats& field, const Pose& pose) {
    put(field, pose.position);
    const Quat& q = pose.orientation;
    for (const double value : {q.w, q.x, q.y, q.z}) field.Add(static_cast<float>(value));
}

Pose pose_of(const Body& body) { return {body.position, body.orientation}; }

// ---- Paints ------------------------------------------------------------------------------------------------

// `images`: the first of its file.
void put_paint(const io::MeshPaint& from, uint32_t images, wire::Paint& paint) {
    paint.mutable_color()->Assign(from.color.begin(), from.color.end());
    paint.set_metalness(from.metalness);
    paint.set_roughness(from.roughness);
    paint.mutable_glow()->Assign(from.glow.begin(), from.glow.end());
    if (from.color_image) paint.set_color_image(images + *from.color_image);
    if (from.surface_image) paint.set_surface_image(images + *from.surface_image);
    if (from.normal_image) paint.set_normal_image(images + *from.normal_image);
    if (from.glow_image) paint.set_glow_image(images + *from.glow_image);
    paint.set_least_opacity(from.least_opacity);
    paint.set_is_clear(from.is_clear);
    paint.set_has_two_sides(from.has_two_sides);
}

void put_surface(const io::PaintedSurface& from, wire::Surface& surface) {
    for (const auto& vertex : from.vertices)
        for (const float value : vertex) surface.add_vertices(value);
    for (const auto& place : from.image_places)
        for (const float value : place) surface.add_image_places(value);
    for (const auto& triangle : from.triangles)
        for (const uint32_t corner : triangle) surface.add_triangles(corner);
}

// ---- Parts ---------------------------------------------------------------------------------------------

class Parts {
  public:
    explicit Parts(wire::Scene& scene) : scene_(scene) {}

    void add(BodyId body, const std::string& name, const Geometry& geometry, const Pose& pose,
             bool is_sketch, const io::Look& look,
             const std::optional<io::Visual::Aim>& aim = std::nullopt) {
        aim_ = aim;
        body_ = body;
        name_ = name;
        is_sketch_ = is_sketch;
        look_ = look;
        draw(geometry, pose);
    }

  private:
    void draw(const Geometry& geometry, const Pose& pose) {
        pose_ = pose;
        std::visit([this](const auto& kind) { part(kind); }, geometry);
    }
    wire::Part& add_part(wire::Part::Kind kind, std::initializer_list<double> size) {
        wire::Part& part = *scene_.add_parts();
        part.set_body(body_.index);
        part.set_kind(kind);
        for (const double value : size) part.add_size(static_cast<float>(value));
        put(*part.mutable_pose(), pose_);
        part.set_name(name_);
        part.set_is_sketch(is_sketch_);
        part.mutable_color()->Assign(look_.color.begin(), look_.color.end());
        part.set_finish(static_cast<wire::Part::Finish>(look_.finish));
        if (aim_) {
            part.set_aim_body(aim_->body.index);
            put(*part.mutable_aim_at(), aim_->at);
            part.set_aim_along(static_cast<float>(aim_->along));
        }
        return part;
    }
    wire::Surface& add_surface() {
        add_part(wire::Part::SURFACE, {})
            .set_surface(static_cast<uint32_t>(scene_.surfaces_size()));
        return *scene_.add_surfaces();
    }
    static void add_triangle(wire::Surface& surface, uint32_t a, uint32_t b, uint32_t c) {
        for (const uint32_t corner : {a, b, c}) surface.add_triangles(corner);
    }

    void part(const Sphere& s) { add_part(wire::Part::SPHERE, {s.radius}); }
    void part(const Box& b) { add_part(wire::Part::BOX, {b.size.x, b.size.y, b.size.z}); }
    void part(const Capsule& c) { add_part(wire::Part::CAPSULE, {c.radius, c.length}); }
    void part(const Cylinder& c) { add_part(wire::Part::CYLINDER, {c.radius, c.length}); }
    void part(const Plane&) { add_part(wire::Part::PLANE, {}); }
    void part(const Torus& t) {
        add_part(wire::Part::TORUS, {t.radius, t.tube, t.arc == Torus::Arc::half ? 1.0 : 0.0});
    }
    void part(const ConvexPolyhedron& p) {
        const ConvexHull hull(p.points);
        wire::Surface& surface = add_surface();
        for (const Vec3 v : hull.vertices()) put(*surface.mutable_vertices(), v);
        for (const ConvexHull::Face& face : hull.faces()) {
            const auto loop = hull.loop(face);
            for (size_t i = 2; i < loop.size(); ++i)
                add_triangle(surface, loop[0], loop[i - 1], loop[i]);
        }
    }
    void part(const HeightField& f) {
        add_part(wire::Part::FIELD, {}).set_surface(static_cast<uint32_t>(scene_.fields_size()));
        encode(f, FieldGrid::of(f), *scene_.add_fields());
    }
    void part(const Mesh& m) {
        if (look_.painting) return part(*look_.painting);
        const auto [known, is_new] =
            surfaces_.try_emplace(m.surface.get(), static_cast<uint32_t>(scene_.surfaces_size()));
        if (!is_new) {
            add_part(wire::Part::SURFACE, {}).set_surface(known->second);
            return;
        }
        wire::Surface& surface = add_surface();
        for (const Vec3 v : m.surface->vertices) put(*surface.mutable_vertices(), v);
        for (const auto& t : m.surface->triangles) add_triangle(surface, t[0], t[1], t[2]);
    }
    // A part for each of its surfaces, which are one after the other, as their paints are.
    void part(const io::Painting& painting) {
        const auto [known, is_new] =
            surfaces_.try_emplace(&painting, static_cast<uint32_t>(scene_.surfaces_size()));
        if (is_new) {
            paints_[&painting] = static_cast<uint32_t>(scene_.paints_size());
            const auto images = static_cast<uint32_t>(scene_.images_size());
            for (const std::string& bytes : painting.images) scene_.add_images(bytes);
            for (const io::PaintedSurface& s : painting.surfaces) {
                put_surface(s, *scene_.add_surfaces());
                put_paint(s.paint, images, *scene_.add_paints());
            }
        }
        for (uint32_t i = 0; i < painting.surfaces.size(); ++i) {
            wire::Part& part = add_part(wire::Part::SURFACE, {});
            part.set_surface(known->second + i);
            part.set_paint(paints_[&painting] + i);
        }
    }
    void part(const Compound& c) {
        const Pose outer = pose_;
        for (const CompoundPart& p : c.parts)
            draw(p.geometry, {outer * p.pose.position, outer.orientation * p.pose.orientation});
    }

    wire::Scene& scene_;
    std::map<const void*, uint32_t> surfaces_;        // the first of a mesh, and of a painting
    std::map<const io::Painting*, uint32_t> paints_;  // the first of each
    BodyId body_;
    std::string name_;
    bool is_sketch_ = false;
    io::Look look_;
    std::optional<io::Visual::Aim> aim_;
    Pose pose_;
};

// ---- How they look ---------------------------------------------------------------------------------------

// By what the material is called.
io::Finish finish_of(const std::string& material) {
    static constexpr std::pair<const char*, io::Finish> words[] = {
        {"rubber", io::Finish::rubber},     {"tyre", io::Finish::rubber},
        {"steel", io::Finish::metal},       {"metal", io::Finish::metal},
        {"iron", io::Finish::metal},        {"alumin", io::Finish::metal},
        {"brass", io::Finish::metal},       {"glass", io::Finish::glass},
        {"soil", io::Finish::earth},        {"earth", io::Finish::earth},
        {"sand", io::Finish::earth},        {"clay", io::Finish::earth},
        {"concrete", io::Finish::concrete}, {"stone", io::Finish::concrete},
        {"wood", io::Finish::wood}};
    for (const auto& [word, finish] : words)
        if (material.find(word) != std::string::npos) return finish;
    return io::Finish::paint;
}

io::Look look_of(const io::Scene& scene, const Model& model, uint32_t shape) {
    if (const auto own = scene.shape_looks.find(shape); own != scene.shape_looks.end())
        return own->second;
    const Shape& s = model.shapes()[shape];
    if (const auto body = scene.body_looks.find(s.body.index); body != scene.body_looks.end())
        return body->second;
    return {.finish = finish_of(s.material.index < model.materials().size()
                                    ? model.materials()[s.material.index].name
                                    : std::string())};
}

// A height field of the scene is told as it was at the start, whatever it is now: `Ground` tells what differs.
void add_field(const io::Scene& from, const Model& model, uint32_t shape, double waiting,
               Parts& parts, wire::Scene& scene) {
    const Model& first = shape < from.model.shapes().size() ? from.model : model;
    const Shape& s = first.shapes()[shape];
    parts.add(s.body, s.name, s.geometry, s.pose, false, look_of(from, model, shape));
    wire::Field& field = *scene.mutable_fields()->rbegin();
    field.set_shape(shape);
    field.set_is_away(s.body == Model::ground()
                      && io::waits(std::get<HeightField>(s.geometry), s.pose.position, waiting));
}

void add_parts(const io::Scene& from, const Model& model,
               const std::vector<io::SketchSolid>& sketch, wire::Scene& scene) {
    Parts parts(scene);
    const double waiting = io::waiting_level(model);
    std::vector<bool> has_visual(model.bodies().size());
    for (const io::Visual& v : from.visuals) {
        if (!model.contains(v.body)) continue;
        has_visual[v.body.index] = v.body != Model::ground();
        // What looks at a body that is gone stays as it is.
        const bool aims = v.aim && model.contains(v.aim->body);
        parts.add(v.body, v.name, v.geometry, v.pose, false, v.look, aims ? v.aim : std::nullopt);
    }
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        if (!model.contains(ShapeId{i}) || has_visual[s.body.index]) continue;
        if (std::holds_alternative<HeightField>(s.geometry))
            add_field(from, model, i, waiting, parts, scene);
        else
            parts.add(s.body, s.name, s.geometry, s.pose, false, look_of(from, model, i));
    }
    for (const io::SketchSolid& solid : sketch) {
        if (has_visual[solid.body.index]) continue;
        const auto look = from.body_looks.find(solid.body.index);
        parts.add(solid.body, "", solid.geometry, solid.pose, true,
                  look == from.body_looks.end() ? io::Look{} : look->second);
    }
}

// ---- Where things are ------------------------------------------------------------------------------------

struct Region {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    void add(Vec3 p) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    void add(const Region& other) {
        add(other.low);
        add(other.high);
    }
    bool is_empty() const { return !(low.x <= high.x); }
    double size() const { return is_empty() ? 0 : norm(high - low); }
};

// What moves and where it is held; scenery too, unless it is much larger.
Region region_of(const Model& model, const std::vector<io::SketchPart>& sketch) {
    Region moving, scenery;
    const double waiting = io::waiting_level(model);
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& s = model.shapes()[i];
        if (!model.contains(ShapeId{i})) continue;
        const auto* field = std::get_if<HeightField>(&s.geometry);
        if (field != nullptr && s.body == Model::ground()
            && io::waits(*field, s.pose.position, waiting))
            continue;
        const Pose body = pose_of(model.bodies()[s.body.index]);
        for (const Vec3 p : io::extent_points(s.geometry))
            (s.body == Model::ground() ? scenery : moving).add(body * (s.pose * p));
    }
    for (const io::SketchPart& s : sketch) {
        const Pose body = pose_of(model.bodies()[s.body.index]);
        if (const auto* bar = std::get_if<io::Bar>(&s.part)) {
            moving.add(body * bar->from);
            moving.add(body * bar->to);
        } else if (const auto* solid = std::get_if<io::Solid>(&s.part)) {
            for (const Vec3 p : io::extent_points(solid->geometry))
                moving.add(body * (solid->pose * p));
        }
    }
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type >= JointType::gear) continue;
        moving.add(j.at_a);
        moving.add(j.at_b);
    }
    for (const Spring& s : model.springs()) {
        moving.add(s.at_a);
        moving.add(s.at_b);
    }
    if (!scenery.is_empty() && (moving.is_empty() || scenery.size() < 5 * moving.size()))
        moving.add(scenery);
    if (moving.is_empty()) moving.add(Vec3{});
    return moving;
}

// The normal of the plane all joints let things move in, if there is one.
std::optional<Vec3> plane_of_motion(const Model& model) {
    std::optional<Vec3> normal;
    std::vector<bool> is_held(model.bodies().size());
    const auto is_along = [&](Vec3 axis) { return norm(cross(axis, *normal)) < 1e-6; };
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type != JointType::revolute) continue;
        if (!normal) normal = j.axis;
        if (!is_along(j.axis)) return {};
    }
    if (!normal || std::abs(dot(*normal, model.gravity)) > 1e-6 * norm(model.gravity)) return {};
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type >= JointType::gear) continue;
        is_held[j.a.index] = is_held[j.b.index] = true;
        const bool slides = j.type == JointType::prismatic || j.type == JointType::point_on_line;
        if (slides && std::abs(dot(j.axis, *normal)) > 1e-6) return {};
    }
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i}) && !is_held[i]) return {};
    // Seen with x (or y) to the right and z up; what moves in a level plane, from above.
    const bool from_behind = std::abs(normal->z) > 0.5 ? normal->z > 0
                           : std::abs(normal->y) > 0.5 ? normal->y < 0
                                                       : normal->x > 0;
    return from_behind ? -*normal : *normal;
}

// ---- Joints, springs, names --------------------------------------------------------------------------------

void add_joints(const Model& model, wire::Scene& scene) {
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        wire::Joint& joint = *scene.add_joints();
        joint.set_name(j.name);
        joint.set_type(to_string(j.type));
        joint.set_is_gone(!model.contains(JointId{i}));
        if (j.type >= JointType::gear || joint.is_gone()) continue;  // holds no bodies
        const Body &a = model.bodies()[j.a.index], &b = model.bodies()[j.b.index];
        joint.set_a(j.a.index);
        joint.set_b(j.b.index);
        put(*joint.mutable_at_a(), io::to_local(a, j.at_a));
        put(*joint.mutable_at_b(), io::to_local(b, j.at_b));
        if (norm(j.axis) > 0)
            put(*joint.mutable_axis(), a.orientation.matrix().transposed() * j.axis);
    }
}

void add_link(const Model& model, uint32_t force, const std::string& name, BodyId a, BodyId b,
              Vec3 at_a, Vec3 at_b, wire::Scene& scene) {
    wire::Link& link = *scene.add_links();
    link.set_name(name);
    link.set_force(force);
    link.set_a(a.index);
    link.set_b(b.index);
    link.set_is_gone(!model.contains(ForceId{force}));
    put(*link.mutable_at_a(), io::to_local(model.bodies()[a.index], at_a));
    put(*link.mutable_at_b(), io::to_local(model.bodies()[b.index], at_b));
}

void add_links(const Model& model, wire::Scene& scene) {
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        const Model::ForceRef ref = model.forces()[i];
        if (ref.kind == Model::ForceKind::spring) {
            const Spring& s = model.springs()[ref.index];
            add_link(model, i, s.name, s.a, s.b, s.at_a, s.at_b, scene);
        } else if (ref.kind == Model::ForceKind::bushing) {
            const Bushing& s = model.bushings()[ref.index];
            add_link(model, i, s.name, s.a, s.b, s.at, s.at_b.value_or(s.at), scene);
        }
    }
}

// Names that stand for one number: those that no other name goes on from.
void add_quantities(const Model& model, wire::Scene& scene) {
    // Vectors have a name more than they have numbers.
    std::vector<io::QuantityUnit> all = io::quantity_units(model, 2 * most_quantities);
    std::erase_if(all, [](const auto& quantity) { return quantity.name.starts_with("ground."); });
    for (size_t i = 0; i < all.size(); ++i) {
        const bool goes_on = i + 1 < all.size() && all[i + 1].name.starts_with(all[i].name + ".");
        if (goes_on) continue;
        scene.add_quantities(all[i].name);
        scene.add_units(all[i].unit);
        if (static_cast<size_t>(scene.quantities_size()) == most_quantities) return;
    }
}

// What they name may have been removed since: then a curve is missing, and a plot without curves, too.
void add_plots(const io::Scene& from, const Model& model, wire::Scene& scene) {
    for (const io::ScenePlot& p : from.plots) {
        wire::Plot plot;
        plot.set_title(p.title);
        for (const std::string& name : p.y) {
            for (const io::Quantity& q : io::find_quantities(model, name))
                plot.add_quantities(q.name);
        }
        if (plot.quantities_size() > 0) *scene.add_plots() = std::move(plot);
    }
}

}  // namespace

wire::Scene scene_message(const io::Scene& from, const Model& model, uint32_t revision) {
    wire::Scene scene;
    scene.set_protocol(protocol_version);
    scene.set_name(from.name);
    scene.set_title(from.title);
    scene.set_revision(revision);
    scene.set_step(step_of(from.solver));
    scene.set_duration(from.duration);
    for (uint32_t i = 0; i < model.bodies().size(); ++i) {
        wire::Body& body = *scene.add_bodies();
        body.set_name(i == 0 ? "ground" : model.bodies()[i].name);
        body.set_mass(i == 0 ? 0 : model.bodies()[i].mass);
        body.set_is_gone(!model.contains(BodyId{i}));
    }
    const std::vector<io::SketchPart> sketch = io::sketch(model);
    const Region region = region_of(model, sketch);
    add_parts(from, model, io::as_solids(sketch, std::max(region.size(), 1e-3)), scene);
    put(*scene.mutable_low(), region.low);
    put(*scene.mutable_high(), region.high);
    put(*scene.mutable_gravity(), model.gravity);
    scene.set_is_planar(model.plane_normal.has_value());
    if (model.plane_normal)
        put(*scene.mutable_look_along(), normalized(*model.plane_normal));
    else if (const auto normal = plane_of_motion(model))
        put(*scene.mutable_look_along(), *normal);
    for (const Material& m : model.materials()) scene.add_materials(m.name);
    add_joints(model, scene);
    add_links(model, scene);
    add_quantities(model, scene);
    add_plots(from, model, scene);
    for (const io::Parameter& p : from.parameters) {
        wire::Parameter& parameter = *scene.add_parameters();
        parameter.set_name(p.name);
        parameter.set_about(p.about);
        parameter.set_unit(p.unit);
        parameter.set_value(p.value);
    }
    return scene;
}

}  // namespace bristle::live
