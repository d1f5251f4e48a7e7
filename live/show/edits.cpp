#include "live/show/edits.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <unordered_set>

namespace bristle::live {
namespace {

bool is_finite(const Quat& q) { return is_finite(Vec3{q.x, q.y, q.z}) && std::isfinite(q.w); }

struct IsFinite {
    bool operator()(const CommandDrive& c) const { return std::isfinite(c.value); }
    bool operator()(const CommandMotor& c) const { return std::isfinite(c.value); }
    bool operator()(const CommandInput& c) const { return std::isfinite(c.value); }
    bool operator()(const Grab& g) const { return is_finite(g.at) && is_finite(g.to); }
    bool operator()(const MoveGrab& m) const { return is_finite(m.to); }
    bool operator()(const ReleaseGrab&) const { return true; }
    bool operator()(const AddBody& b) const {
        return std::isfinite(b.density) && std::isfinite(b.mass) && is_finite(b.position)
            && is_finite(b.orientation) && is_finite(b.velocity);
    }
    bool operator()(const AddSpring& s) const {
        return is_finite(s.at_a) && is_finite(s.at_b) && std::isfinite(s.stiffness)
            && std::isfinite(s.damping);
    }
    bool operator()(const AddJoint& j) const { return is_finite(j.at) && is_finite(j.axis); }
    bool operator()(const Remove&) const { return true; }
};

Pose pose_of(const Model& model, BodyId id) {
    const Body& body = model.bodies()[id.index];
    return {body.position, body.orientation};
}

// "box 1" if no body is called so yet.
std::string free_name(const Model& model, const std::string& wanted, const char* kind) {
    std::unordered_set<std::string_view> taken;
    for (const Body& b : model.bodies()) taken.insert(b.name);
    const auto is_taken = [&](const std::string& name) { return taken.contains(name); };
    if (!wanted.empty()) {
        if (is_taken(wanted))
            throw InputError(fmt::format("add: there is a body '{}' already", wanted));
        return wanted;
    }
    for (size_t i = 1;; ++i)
        if (std::string name = fmt::format("{} {}", kind, i); !is_taken(name)) return name;
}

struct KindName {
    const char* operator()(const Sphere&) const { return "sphere"; }
    const char* operator()(const Box&) const { return "box"; }
    const char* operator()(const Capsule&) const { return "capsule"; }
    const char* operator()(const Cylinder&) const { return "cylinder"; }
    const char* operator()(const ConvexPolyhedron&) const { return "polygon"; }
    template <class Other> const char* operator()(const Other&) const {
        throw InputError(
            "add: only spheres, boxes, capsules, cylinders and prisms can be added live");
    }
};

Vec3 axis_of(const AddJoint& joint) {
    if (norm(joint.axis) < 1e-12)
        throw InputError(fmt::format("add: a {} joint needs an axis", to_string(joint.type)));
    return normalized(joint.axis);
}

}  // namespace

void require(const Model& model, BodyId id, const char* what) {
    if (id.index >= model.bodies().size() || !model.contains(id))
        throw InputError(fmt::format("{}: there is no body {}", what, id.index));
}

bool changes_model(const Input& input) {
    return !std::holds_alternative<CommandDrive>(input)
        && !std::holds_alternative<CommandMotor>(input)
        && !std::holds_alternative<CommandInput>(input) && !std::holds_alternative<MoveGrab>(input);
}

bool replaces(const Input& later, const Input& earlier) {
    if (later.index() != earlier.index()) return false;
    if (const auto* drive = std::get_if<CommandDrive>(&later))
        return drive->drive == std::get<CommandDrive>(earlier).drive;
    if (const auto* motor = std::get_if<CommandMotor>(&later))
        return motor->motor == std::get<CommandMotor>(earlier).motor;
    if (const auto* lever = std::get_if<CommandInput>(&later)) {
        const auto& before = std::get<CommandInput>(earlier);
        return lever->force == before.force && lever->input == before.input;
    }
    return std::holds_alternative<MoveGrab>(later);
}

void check_values(const Input& input) {
    if (!std::visit(IsFinite{}, input)) throw InputError("a number of the input is not finite");
}

void change_model(Model& model, const AddBody& add) {
    const char* kind = std::visit(KindName{}, add.geometry);
    if (!(add.density > 0)) throw InputError("add: the density must be positive");
    const double turn = std::hypot(std::hypot(add.orientation.w, add.orientation.x),
                                   std::hypot(add.orientation.y, add.orientation.z));
    if (!(turn > 1e-6)) throw InputError("add: the orientation is not a quaternion");
    const Quat unit{add.orientation.w / turn, add.orientation.x / turn, add.orientation.y / turn,
                    add.orientation.z / turn};
    const std::string name = free_name(model, add.name, kind);
    const MaterialId material = add.material.empty() ? MaterialId{} : model.material(add.material);
    // The density that gives the mass that is asked for.
    const double density = add.mass > 0 ? add.mass / Body::of(add.geometry, 1).mass : add.density;
    const BodyId body = model.add(
        Body::of(add.geometry, density).named(name).at(add.position, unit).moving(add.velocity));
    model.add(Shape{.body = body, .geometry = add.geometry, .material = material, .name = name});
}

void change_model(Model& model, const AddSpring& add) {
    require(model, add.a, "add spring");
    require(model, add.b, "add spring");
    const Vec3 from = pose_of(model, add.a) * add.at_a, to = pose_of(model, add.b) * add.at_b;
    model.add(Spring{.a = add.a,
                     .b = add.b,
                     .at_a = from,
                     .at_b = to,
                     .stiffness = add.stiffness,
                     .damping = add.damping,
                     .free_length = norm(to - from),
                     .name = add.name});
}

void change_model(Model& model, const AddJoint& add) {
    require(model, add.a, "add joint");
    require(model, add.b, "add joint");
    switch (add.type) {
        case JointType::fixed:
            model.add(Fixed{.a = add.a, .b = add.b, .at = add.at, .name = add.name});
            return;
        case JointType::revolute:
            model.add(Revolute{
                .a = add.a, .b = add.b, .at = add.at, .axis = axis_of(add), .name = add.name});
            return;
        case JointType::prismatic:
            model.add(Prismatic{
                .a = add.a, .b = add.b, .at = add.at, .axis = axis_of(add), .name = add.name});
            return;
        case JointType::spherical:
            model.add(Spherical{.a = add.a, .b = add.b, .at = add.at, .name = add.name});
            return;
        case JointType::distance:
            model.add(Distance{.a = add.a,
                               .b = add.b,
                               .at_a = pose_of(model, add.a) * model.bodies()[add.a.index].center,
                               .at_b = add.at,
                               .name = add.name});
            return;
        default:
            throw InputError(fmt::format(
                "add: a {} joint cannot be added live; fixed, revolute, prismatic, spherical and "
                "distance joints can",
                to_string(add.type)));
    }
}

void change_model(Model& model, const Remove& remove) {
    const auto check = [&](auto id, size_t count, const char* kind) {
        if (id.index >= count || !model.contains(id))
            throw InputError(fmt::format("remove: there is no {} {}", kind, id.index));
        model.remove(id);
    };
    if (const auto* body = std::get_if<BodyId>(&remove.what)) {
        if (*body == Model::ground()) throw InputError("remove: the ground stays");
        check(*body, model.bodies().size(), "body");
    } else if (const auto* joint = std::get_if<JointId>(&remove.what)) {
        check(*joint, model.joints().size(), "joint");
    } else {
        check(std::get<ForceId>(remove.what), model.forces().size(), "force");
    }
}

}  // namespace bristle::live
