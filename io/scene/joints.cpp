// Joints, and what acts on their coordinates.
#include "io/scene/functions.h"
#include "io/scene/sections.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::io {
namespace {

Pose start(const Object& o, BodyId body) {
    const Body& b = o.context().scene.model.bodies()[body.index];
    return {b.position, b.orientation};
}

// Where the two sides of a joint are in the world.
struct Sides {
    Vec3 a;
    std::optional<Vec3> b;
};

Sides points(const Object& o, BodyId a, BodyId b, std::string_view at) {
    Sides sides;
    if (o.has("at_b")) sides.b = o.vector("at_b");
    if (o.has("on_b")) sides.b = start(o, b) * o.vector("on_b");
    if (o.has(at))
        sides.a = o.vector(at);
    else if (o.has("on_a"))
        sides.a = start(o, a) * o.vector("on_a");
    else if (sides.b)
        sides = {*sides.b, {}};
    return sides;
}

// `word` is axis or normal.
Sides axes(const Object& o, BodyId a, BodyId b, const std::string& word) {
    const bool has_b = o.type().find(word + "_b").has_value();
    Sides sides;
    if (has_b && o.has(word + "_b")) sides.b = o.axis(word + "_b");
    if (has_b && o.has(word + "_on_b"))
        sides.b = start(o, b).orientation.matrix() * o.axis(word + "_on_b");
    if (o.has(word))
        sides.a = o.axis(word);
    else if (o.has(word + "_on_a"))
        sides.a = start(o, a).orientation.matrix() * o.axis(word + "_on_a");
    else if (sides.b)
        sides = {*sides.b, {}};
    return sides;
}

// In what things are that act on a joint: of one that turns, or slides.
struct Units {
    std::string coordinate, rate, effort, inertia;

    Units(const Object& o, JointId joint) {
        const Model& model = o.context().scene.model;
        const bool is_known = o.is_good() && model.has_coordinate(joint);
        if (!is_known)
            coordinate = rate = effort = inertia = any_unit;
        else if (model::is_angular(model.joints()[joint.index]))
            coordinate = "rad", rate = "rad/s", effort = "N*m", inertia = "kg*m^2";
        else
            coordinate = "m", rate = "m/s", effort = "N", inertia = "kg";
    }
    std::string target(Drive::Control control) const {
        return control == Drive::Control::position ? coordinate
             : control == Drive::Control::speed    ? rate
                                                   : "";
    }
};

std::optional<uint32_t> read_coupling(const Object& o, const std::string& name) {
    Model& model = o.context().scene.model;
    if (o.type().name == "gear") {
        const Gear gear{o.joint("first"), o.joint("second"), o.number("ratio", any_unit), name};
        if (!o.is_good()) return {};
        return model.add(gear).index;
    }
    const RackAndPinion rack{o.joint("rack"), o.joint("pinion"), o.number("radius"), name};
    if (!o.is_good()) return {};
    return model.add(rack).index;
}

// A gauge's two sides, as given or as those of a joint.
struct Gauged {
    BodyId a, b;
    Vec3 at, axis;
    std::optional<Vec3> at_b, axis_b;
};

Gauged gauged(const Object& o) {
    if (!o.has("of")) return {.a = o.body("a"), .b = o.body("b")};
    const JointId id = o.joint("of");
    if (!o.is_good()) return {};
    const Joint& j = o.context().scene.model.joints()[id.index];
    if (model::is_gear(j)) throw InputError("of: a gear has no bodies; name one of its joints");
    Gauged g{j.a, j.b, j.at_a, j.axis, j.at_b, {}};
    if (model::kind_of(j).turn != model::Turn::crossed) return g;
    g.axis_b = j.axis_b;
    // The cross as seen from b turns the other way.
    if (o.type().find("side") && o.word<int>("side") == 1)
        g = {j.b, j.a, j.at_b, -j.axis_b, j.at_a, j.axis};
    return g;
}

std::optional<uint32_t> read_gauge(const Object& o, const std::string& name) {
    Model& model = o.context().scene.model;
    const std::string& type = o.type().name;
    Gauged g = gauged(o);
    if (o.has("axis")) g.axis = o.axis("axis"), g.axis_b.reset();
    const auto given = [&](const char* key) {
        return o.type().find(key) && o.has(key) ? std::optional(o.axis(key)) : std::nullopt;
    };
    const auto number = [&](const char* key) {
        return o.type().find(key) && o.has(key) ? std::optional(o.number(key)) : std::nullopt;
    };
    if (const auto other = given(type == "turn_gauge" ? "mark" : "axis_b")) g.axis_b = other;
    const auto rate = number("rate");
    const double start_angle = number("start_angle").value_or(0);
    if (type == "slide_gauge" && o.has("at")) g.at = o.vector("at"), g.at_b.reset();
    if (type == "slide_gauge" && o.has("at_b")) g.at_b = o.vector("at_b");
    if (!o.is_good()) return {};
    if (type == "turn_gauge")
        return model.add(TurnGauge{g.a, g.b, g.axis, g.axis_b, name, start_angle, rate}).index;
    if (type == "swing_gauge") return model.add(SwingGauge{g.a, g.b, g.axis, g.axis_b, name}).index;
    return model.add(SlideGauge{g.a, g.b, g.at, g.axis, g.at_b, name, rate}).index;
}

std::optional<uint32_t> read_joint(const Object& o, const std::string& name) {
    Model& model = o.context().scene.model;
    const std::string& type = o.type().name;
    if (type.ends_with("_gauge")) return read_gauge(o, name);
    if (type == "gear" || type == "rack_and_pinion") return read_coupling(o, name);
    const BodyId a = o.body("a"), b = o.body("b");
    if (!o.is_good()) return {};
    const auto [at, at_b] = points(o, a, b, type == "distance" ? "at_a" : "at");
    const bool is_plane = type == "planar" || type == "point_on_plane";
    const bool has_axis = o.type().find(is_plane ? "normal" : "axis").has_value();
    const auto [axis, axis_b] = has_axis ? axes(o, a, b, is_plane ? "normal" : "axis") : Sides{};
    // What only some types have is read before anything is made of it.
    const double lead = type == "screw" ? o.number("lead") : 0;
    const double start_angle = o.type().find("start_angle") ? o.number("start_angle") : 0;
    const auto rate =
        o.type().find("rate") && o.has("rate") ? std::optional(o.number("rate")) : std::nullopt;
    const auto length =
        type == "distance" && o.has("length") ? std::optional(o.number("length")) : std::nullopt;
    const Vec3 universal_a = type == "universal" ? o.axis("axis_a") : Vec3{};
    const Vec3 universal_b = type == "universal" ? o.axis("axis_b") : Vec3{};
    if (!o.is_good()) return {};
    if (type == "fixed") return model.add(Fixed{a, b, at, at_b, name}).index;
    if (type == "revolute")
        return model.add(Revolute{a, b, at, axis, at_b, axis_b, name, start_angle, rate}).index;
    if (type == "prismatic")
        return model.add(Prismatic{a, b, at, axis, at_b, axis_b, name, rate}).index;
    if (type == "cylindrical")
        return model.add(Cylindrical{a, b, at, axis, at_b, axis_b, name, start_angle, rate}).index;
    if (type == "spherical") return model.add(Spherical{a, b, at, at_b, name}).index;
    if (type == "universal")
        return model.add(Universal{a, b, at, universal_a, universal_b, at_b, name}).index;
    if (type == "planar")
        return model.add(Planar{a, b, at, axis, at_b, axis_b, name, start_angle}).index;
    if (type == "point_on_line") return model.add(PointOnLine{a, b, at, axis, at_b, name}).index;
    if (type == "point_on_plane") return model.add(PointOnPlane{a, b, at, axis, at_b, name}).index;
    if (type == "distance") return model.add(Distance{a, b, at, *at_b, length, name, rate}).index;
    return model.add(Screw{a, b, at, axis, lead, at_b, axis_b, name, start_angle, rate}).index;
}

// ---- Forces ------------------------------------------------------------------------------------------

std::optional<uint32_t> read_spring(const Object& o, const std::string& name) {
    const BodyId a = o.body("a"), b = o.body("b");
    if (!o.is_good()) return {};
    const auto [at_a, at_b] = points(o, a, b, "at_a");
    Spring spring{.a = a,
                  .b = b,
                  .at_a = at_a,
                  .at_b = at_b.value_or(Vec3{}),
                  .stiffness = o.number("stiffness"),
                  .damping = o.number("damping"),
                  .free_length = o.number("free_length"),
                  .law = o.law("law"),
                  .name = name};
    if (!o.is_good()) return {};
    return o.context().scene.model.add(std::move(spring)).index;
}

std::optional<uint32_t> read_bushing(const Object& o, const std::string& name) {
    Bushing bushing{.a = o.body("a"),
                    .b = o.body("b"),
                    .at = o.vector("at"),
                    .axes = o.rotation("axes"),
                    .stiffness = o.vector("stiffness"),
                    .damping = o.vector("damping"),
                    .angular_stiffness = o.vector("angular_stiffness"),
                    .angular_damping = o.vector("angular_damping"),
                    .name = name};
    if (o.has("at_b")) bushing.at_b = o.vector("at_b");
    if (o.has("axes_b")) bushing.axes_b = o.rotation("axes_b");
    if (!o.is_good()) return {};
    return o.context().scene.model.add(bushing).index;
}

// A force that is no number where its point starts: told where it is written, and not by a start that has none.
void check_start(const Object& o, const char* key, const std::vector<Expression>& three,
                 BodyId body, Vec3 at) {
    const Body& b = o.context().scene.model.bodies()[body.index];
    const Vec3 place = Pose{b.position, b.orientation} * at,
               speed = b.velocity + cross(b.angular_velocity, place - b.position);
    const double start[] = {0, place.x, place.y, place.z, speed.x, speed.y, speed.z, 0};
    for (const Expression& component : three)
        if (const double value = component(start); !std::isfinite(value)) {
            o.context().mistakes.add(
                o.find(key)->mark,
                fmt::format("{} is {} at the start; expected finite numbers", key, value));
            return;
        }
}

std::optional<uint32_t> read_force(const Object& o, const std::string& name) {
    Model& model = o.context().scene.model;
    const std::string& type = o.type().name;
    if (type == "spring") return read_spring(o, name);
    if (type == "bushing") return read_bushing(o, name);
    if (is_machine_part(type)) return read_machine_part(o, name);
    if (type == "joint_spring") {
        const JointId joint = o.joint("joint");
        const Units units(o, joint);
        JointSpring spring{
            .joint = joint,
            .stiffness = o.number("stiffness", units.effort + "/" + units.coordinate),
            .damping = o.number("damping", units.effort + "*s/" + units.coordinate),
            .rest = o.number("rest", units.coordinate),
            .law = o.law("law"),
            .name = name};
        if (!o.is_good()) return {};
        return model.add(std::move(spring)).index;
    }
    if (type == "motor") {
        const JointId joint = o.joint("joint");
        const Units units(o, joint);
        Motor motor{.joint = joint,
                    .effort = o.function("effort", units.effort),
                    .no_load_speed = o.number("no_load_speed", units.rate),
                    .name = name};
        if (!o.is_good()) return {};
        return model.add(std::move(motor)).index;
    }
    const BodyId body = o.body("body");
    const Vec3 at = o.vector("at");
    const auto force = o.functions("force"), torque = o.functions("torque");
    if (!o.is_good()) return {};
    check_start(o, "force", force, body, at);
    check_start(o, "torque", torque, body, at);
    if (!o.is_good()) return {};
    UserForce user = point_force(body, at, force, torque);
    user.name = name;
    return model.add(std::move(user)).index;
}

}  // namespace

void read_joints(Context& context, const Node& node) {
    read_named(context, node, section("joints"), context.joints, read_joint);
}

void read_drives(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        const JointId joint = o.joint("joint");
        const auto control = o.word<Drive::Control>("control");
        const Units units(o, joint);
        Drive drive{.joint = joint,
                    .control = control,
                    .target = o.function("target", units.target(control)),
                    .max_effort = o.number("max_effort", units.effort),
                    .max_speed = o.number("max_speed", units.rate),
                    .name = name};
        if (!o.is_good()) return {};
        return context.scene.model.add(std::move(drive)).index;
    };
    read_named(context, node, section("drives"), context.drives, read);
}

void read_limits(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        const JointId joint = o.joint("joint");
        const std::string unit = Units(o, joint).coordinate;
        const Limit limit{joint, o.number("min", unit), o.number("max", unit),
                          o.number("restitution"), name};
        if (!o.is_good()) return {};
        return context.scene.model.add(limit).index;
    };
    read_named(context, node, section("limits"), context.limits, read);
}

void read_rotors(Context& context, const Node& node) {
    const auto read = [&](const Object& o, const std::string& name) -> std::optional<uint32_t> {
        const JointId joint = o.joint("joint");
        const Coordinate rotor{joint, o.number("inertia", Units(o, joint).inertia),
                               o.number("ratio"), name};
        if (!o.is_good()) return {};
        return context.scene.model.add(rotor).index;
    };
    read_named(context, node, section("rotors"), context.rotors, read);
}

void read_forces(Context& context, const Node& node) {
    read_named(context, node, section("forces"), context.forces, read_force);
}

}  // namespace bristle::io
