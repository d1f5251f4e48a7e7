#include "machines/results/parts_found.h"

#include <bristle/error.h>

#include "geometry/tessellate.h"
#include "machines/parts/brake.h"
#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"
#include "machines/parts/tyre.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace bristle::machines {
namespace {

using Names = std::initializer_list<const char*>;

std::optional<JointId> joint_of(const Model& model, Names names) {
    for (const char* name : names)
        for (uint32_t i = 0; i < model.joints().size(); ++i)
            if (model.contains(JointId{i}) && model.joints()[i].name == name) return JointId{i};
    return {};
}

// What is missing is told at once.
class Needed {
  public:
    explicit Needed(const Model& model) : model_(model) {}
    JointId joint(Names names) {
        if (const auto found = joint_of(model_, names)) return *found;
        std::string text;
        for (const char* name : names)
            text += fmt::format("{}'{}'", text.empty() ? "" : " or ", name);
        missing_ += fmt::format("{}{}", missing_.empty() ? "" : ", ", text);
        return {};
    }
    void check() const {
        if (missing_.empty()) return;
        throw InputError(
            fmt::format("the scene has no joint named {}; the results of a machine need a boom "
                        "pivot and boom cylinder (of a loader arm pivot and lift cylinder), a "
                        "bucket pivot and bucket cylinder (tilt cylinder), and take stick pivot, "
                        "stick cylinder, swing, blade cylinder and outrigger cylinder where there "
                        "are some",
                        missing_));
    }

  private:
    const Model& model_;
    std::string missing_;
};

const StatefulForce* stateful(const Model& model, uint32_t force) {
    const auto [kind, index] = model.forces()[force];
    return model.contains(ForceId{force}) && kind == Model::ForceKind::stateful
             ? &model.stateful_forces()[index]
             : nullptr;
}

// ---- Cylinders ------------------------------------------------------------------------------------------

struct Moved {
    std::optional<Lever> lever;
    CylinderForce working, holding;
};

Moved moved_by(const Model& model, JointId joint) {
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        const StatefulForce* force = stateful(model, i);
        const auto circuit = force == nullptr ? std::nullopt : circuit_of(*force);
        if (!circuit) continue;
        for (size_t f = 0; f < circuit->functions.size(); ++f) {
            const HydraulicFunction& function = circuit->functions[f];
            if (function.joint != joint) continue;
            const Valve& valve = function.valve;
            const double pump = circuit->pump.relief;
            return {Lever{force->name + "." + function.name, ForceId{i}, lever_of(f), {}},
                    {function.area_a * std::min(pump, valve.relief_a),
                     function.area_b * std::min(pump, valve.relief_b)},
                    {function.area_a * valve.relief_a, function.area_b * valve.relief_b}};
        }
    }
    for (uint32_t i = 0; i < model.drives().size(); ++i) {
        const Drive& drive = model.drives()[i];
        if (!model.contains(DriveId{i}) || drive.joint != joint
            || drive.control != Drive::Control::hydraulic)
            continue;
        const CylinderForce both{drive.max_effort, drive.max_effort};
        return {Lever{drive.name, {}, 0, DriveId{i}}, both, both};
    }
    return {};
}

ArmCylinder cylinder_at(const Model& model, JointId joint) {
    const Joint& j = model.joints()[joint.index];
    const Moved moved = moved_by(model, joint);
    ArmCylinder cylinder{j.name, joint, 0, unlimited, moved.working, moved.holding, moved.lever};
    for (uint32_t i = 0; i < model.limits().size(); ++i) {
        const Limit& limit = model.limits()[i];
        if (!model.contains(LimitId{i}) || limit.joint != joint) continue;
        cylinder.shortest = std::max(cylinder.shortest, limit.min);
        cylinder.longest = std::min(cylinder.longest, limit.max);
    }
    if (!(cylinder.shortest > 0 && cylinder.shortest < cylinder.longest
          && std::isfinite(cylinder.longest)))
        throw InputError(fmt::format(
            "joint '{}' has no stroke; give it a limit with a min and a max, its lengths in m",
            j.name));
    return cylinder;
}

// ---- What hangs together --------------------------------------------------------------------------------

std::vector<BodyId> connected(const Model& model, BodyId from, std::optional<BodyId> not_through) {
    std::vector<bool> is_in(model.bodies().size(), false);
    is_in[from.index] = true;
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t i = 0; i < model.joints().size(); ++i) {
            const Joint& j = model.joints()[i];
            if (!model.contains(JointId{i}) || j.type >= JointType::gear) continue;
            const auto stops = [&](BodyId b) {
                return b == Model::ground() || (not_through && b == *not_through);
            };
            if (stops(j.a) || stops(j.b) || is_in[j.a.index] == is_in[j.b.index]) continue;
            is_in[j.a.index] = is_in[j.b.index] = grows = true;
        }
    }
    std::vector<BodyId> out;
    for (uint32_t i = 1; i < is_in.size(); ++i)
        if (is_in[i]) out.push_back({i});
    return out;
}

bool has(const std::vector<BodyId>& list, BodyId body) {
    return std::find(list.begin(), list.end(), body) != list.end();
}

Vec3 in_body(const Body& body, Vec3 world) {
    return body.orientation.matrix().transposed() * (world - body.position);
}

// The point of the bucket's shapes that is farthest from its pivot, seen along it, in the middle of the arm's plane.
Vec3 tip_of(const Model& model, const PartsFound& parts) {
    const Body& bucket = model.bodies()[parts.bucket.index];
    const Joint& pivot = model.joints()[parts.bucket_pivot.index];
    const Vec3 axis = bucket.orientation.matrix().transposed() * pivot.axis_b,
               center = in_body(bucket, pivot.at_b);
    double farthest = 0;
    Vec3 tip;
    for (uint32_t i = 0; i < model.shapes().size(); ++i) {
        const Shape& shape = model.shapes()[i];
        if (!model.contains(ShapeId{i}) || shape.body != parts.bucket) continue;
        for (const Vec3 v : geometry::tessellated(shape.geometry).vertices) {
            const Vec3 d = shape.pose * v - center, flat = d - dot(d, axis) * axis;
            if (norm(flat) > farthest + 1e-9) {
                farthest = norm(flat);
                tip = center + flat;
            }
        }
    }
    if (farthest == 0)
        throw InputError(fmt::format(
            "body '{}' has no shape, so there is no telling where its teeth are", bucket.name));
    return tip;
}

void find_the_rest(const Model& model, PartsFound& parts) {
    for (uint32_t i = 0; i < model.forces().size(); ++i) {
        const StatefulForce* force = stateful(model, i);
        if (force == nullptr) continue;
        if (tyre_of(*force) && has(parts.machine, force->points.at(0)))
            parts.wheels.push_back({force->points[0], ForceId{i}, force->name});
        else if (drive_train_of(*force))
            parts.travel = ForceId{i};
        else if (brake_of(*force))
            parts.brakes.push_back(ForceId{i});
        else if (circuit_of(*force))
            parts.circuit = ForceId{i};
    }
    for (const char* name : {"blade cylinder", "outrigger cylinder"})
        if (const auto joint = joint_of(model, {name}))
            if (const auto lever = moved_by(model, *joint).lever) parts.supports.push_back(*lever);
}

// ---- Copies ---------------------------------------------------------------------------------------------

void remove_processes(Model& model) {
    for (uint32_t i = 0; i < model.processes().size(); ++i)
        if (model.contains(ProcessId{i})) model.remove(ProcessId{i});
}
void remove_forces(Model& model) {
    for (uint32_t i = 0; i < model.forces().size(); ++i)
        if (model.contains(ForceId{i})) model.remove(ForceId{i});
    for (uint32_t i = 0; i < model.drives().size(); ++i)
        if (model.contains(DriveId{i})) model.remove(DriveId{i});
    for (uint32_t i = 0; i < model.limits().size(); ++i)
        if (model.contains(LimitId{i})) model.remove(LimitId{i});
    for (uint32_t i = 0; i < model.coordinates().size(); ++i)
        if (model.contains(CoordinateId{i})) model.remove(CoordinateId{i});
}
void remove_bodies_but(Model& model, const std::vector<BodyId>& kept) {
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i}) && !has(kept, {i})) model.remove(BodyId{i});
}
template <class Is> void remove_shapes(Model& model, const Is& is) {
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        if (model.contains(ShapeId{i}) && is(model.shapes()[i])) model.remove(ShapeId{i});
}
// Joints with the ground do not count: what stands there by a joint is held as well.
void hold(Model& model, BodyId body) {
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type >= JointType::gear) continue;
        if ((j.a == Model::ground() && j.b == body) || (j.b == Model::ground() && j.a == body))
            model.remove(JointId{i});
    }
    model.add(Fixed{.a = Model::ground(), .b = body, .at = model.bodies()[body.index].position});
}
void turn_gravity(Model& model, const Model& original, const PartsFound& parts) {
    model.gravity = -norm(original.gravity) * axes_of(original, parts).up;
}

}  // namespace

void Lever::command(World& world, double value) const {
    if (circuit)
        world.command(*circuit, input, value);
    else
        world.command(drive, value);
}

PartsFound parts_found(const Model& model) {
    PartsFound parts;
    Needed needed(model);
    parts.boom_pivot = needed.joint({"boom pivot", "arm pivot"});
    parts.bucket_pivot = needed.joint({"bucket pivot"});
    const JointId boom = needed.joint({"boom cylinder", "lift cylinder"}),
                  bucket = needed.joint({"bucket cylinder", "tilt cylinder"});
    needed.check();
    parts.swing = joint_of(model, {"swing"});
    const Joint& pivot = model.joints()[parts.boom_pivot.index];
    parts.carrier = pivot.a;
    parts.boom = pivot.b;
    const Joint& hinge = model.joints()[parts.bucket_pivot.index];
    parts.stick = hinge.a;
    parts.bucket = hinge.b;
    parts.hinge = in_body(model.bodies()[parts.stick.index], hinge.at_a);
    parts.base = parts.carrier;
    if (parts.swing) {
        const Joint& swing = model.joints()[parts.swing->index];
        parts.base = swing.a == parts.carrier ? swing.b : swing.a;
    }
    for (const auto& [what, body] :
         {std::pair("boom pivot", parts.carrier), std::pair("swing", parts.base)})
        if (body == Model::ground())
            throw InputError(fmt::format(
                "joint '{}' is on the ground; the results are those of a machine that stands on it",
                what));
    parts.machine = connected(model, parts.carrier, {});
    parts.moved = connected(model, parts.boom, parts.carrier);
    if (!has(parts.moved, parts.bucket))
        throw InputError(
            "the bucket does not hang on the boom: no joints lead from one to the other but by "
            "what carries "
            "the boom, which is body a of its pivot");
    parts.cylinders.push_back(cylinder_at(model, boom));
    const auto stick_pivot = joint_of(model, {"stick pivot"}),
               stick = joint_of(model, {"stick cylinder"});
    if (stick_pivot && stick) {
        parts.stick_pivot = stick_pivot;
        parts.cylinders.push_back(cylinder_at(model, *stick));
    }
    parts.cylinders.push_back(cylinder_at(model, bucket));
    if (parts.swing) parts.swing_lever = moved_by(model, *parts.swing).lever;
    parts.tip = tip_of(model, parts);
    find_the_rest(model, parts);
    return parts;
}

Axes axes_of(const Model& model, const PartsFound& parts) {
    const Joint& boom = model.joints()[parts.boom_pivot.index];
    Axes axes;
    if (parts.swing)
        axes.up = model.joints()[parts.swing->index].axis;
    else if (norm(model.gravity) > 0)
        axes.up = -normalized(model.gravity);
    if (dot(axes.up, model.gravity) > 0)
        axes.up = -axes.up;  // a joint may name its axis either way
    const Body& bucket = model.bodies()[parts.bucket.index];
    const Vec3 tip = bucket.position + bucket.orientation.matrix() * parts.tip;
    Vec3 ahead = cross(boom.axis, axes.up);
    if (norm(ahead) < 1e-6) throw InputError("the boom's pivot is upright; it lifts nothing");
    ahead = normalized(ahead);
    axes.ahead = dot(ahead, tip - boom.at_a) < 0 ? -ahead : ahead;
    axes.left = cross(axes.up, axes.ahead);
    axes.origin = parts.swing ? model.joints()[parts.swing->index].at_a : boom.at_a;
    return axes;
}

Model arm_alone(const Model& model, const PartsFound& parts) {
    Model out = model;
    remove_processes(out);
    remove_forces(out);
    remove_shapes(out, [](const Shape&) { return true; });
    std::vector<BodyId> kept = parts.moved;
    kept.push_back(parts.carrier);
    remove_bodies_but(out, kept);
    hold(out, parts.carrier);
    turn_gravity(out, model, parts);
    return out;
}

Model in_the_air(const Model& model, const PartsFound& parts) {
    Model out = model;
    remove_processes(out);
    remove_shapes(out, [](const Shape&) { return true; });
    remove_bodies_but(out, parts.machine);
    hold(out, parts.base);
    turn_gravity(out, model, parts);
    return out;
}

Model on_level_ground(const Model& model, const PartsFound& parts) {
    if (parts.wheels.empty()) throw InputError("the machine has no tyres to stand on");
    Model out = model;
    remove_processes(out);
    // Of what the scene's ground is made of.
    MaterialId material;
    for (uint32_t i = 0; i < model.shapes().size(); ++i)
        if (model.contains(ShapeId{i}) && model.shapes()[i].body == Model::ground()) {
            material = model.shapes()[i].material;
            break;
        }
    remove_shapes(out, [](const Shape& s) { return s.body == Model::ground(); });
    remove_bodies_but(out, parts.machine);
    const Axes axes = axes_of(model, parts);
    double lowest = unlimited;
    for (const Wheel& wheel : parts.wheels) {
        const auto tyre = tyre_of(*stateful(model, wheel.tyre.index));
        const double center = dot(model.bodies()[wheel.body.index].position - axes.origin, axes.up);
        lowest = std::min(lowest, center - tyre->radius);
    }
    const Mat3 turned = Mat3::columns(axes.ahead, axes.left, axes.up);
    out.add(Shape{.body = Model::ground(),
                  .geometry = Plane{},
                  .pose = {axes.origin + lowest * axes.up, Quat::from(turned)},
                  .material = material,
                  .name = "level ground"});
    turn_gravity(out, model, parts);
    return out;
}

}  // namespace bristle::machines
