#include <bristle/model.h>

#include "math/symmetric_eigen.h"
#include "model/input_checks.h"
#include "model/joint_kind.h"
#include "model/planar.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle {

using namespace model;
namespace {

// The moments of a real body obey the triangle inequality, or it would have negative mass somewhere.
void check_inertia(const std::string& where, const Mat3& inertia) {
    for (const Vec3& row : inertia.row) check_finite(where, "inertia", row);
    const double size = std::abs(inertia.trace());
    const Mat3 skew = inertia - inertia.transposed();
    for (const Vec3& row : skew.row)
        if (norm(row) > 1e-9 * size) fail(where, "inertia is not symmetric");
    const auto [i, axes] = symmetric_eigen(inertia);
    const double largest = std::max({i.x, i.y, i.z});
    if (2 * largest > inertia.trace() + 1e-9 * size || i.x + i.y + i.z < 0)
        fail(where, fmt::format("principal moments of inertia {}, {}, {} belong to no body; each "
                                "must be at most the "
                                "sum of the other two",
                                i.x, i.y, i.z));
}

}  // namespace

const char* to_string(JointType type) { return kind_of(type).name; }

Model::Model() {
    Body ground;
    ground.name = "ground";
    ground.mass = unlimited;
    bodies_.push_back(ground);
    body_gone_.push_back(false);
    materials_.push_back({.name = "default"});
}

BodyId Model::add(Body body) {
    const std::string where = label("body", body.name, bodies_.size());
    if (!(body.mass > 0) || !std::isfinite(body.mass))
        fail(where, fmt::format("mass is {}; it must be positive and finite", body.mass));
    check_finite(where, "center", body.center);
    check_finite(where, "position", body.position);
    check_finite(where, "velocity", body.velocity);
    check_finite(where, "angular velocity", body.angular_velocity);
    check_inertia(where, body.inertia);
    body.orientation = checked_rotation(where, "orientation is", body.orientation);
    if (plane_normal) check_planar(body, where, checked_plane_normal(*plane_normal));
    bodies_.push_back(std::move(body));
    body_gone_.push_back(false);
    return {static_cast<uint32_t>(bodies_.size() - 1)};
}

JointId Model::add_joint(Joint joint) {
    const std::string where =
        label("joint", joint.name, joints_.size()) + " (" + to_string(joint.type) + ")";
    if (joint.type != JointType::gear) {
        for (BodyId body : {joint.a, joint.b})
            if (!contains(body))
                fail(where,
                     "names a body that this model does not have; use the id that add returned");
        if (joint.a == joint.b) fail(where, "joins a body to itself");
    }
    check_finite(where, "its point", joint.at_a);
    check_finite(where, "its point", joint.at_b);
    if (joint.rate && !std::isfinite(*joint.rate)) fail(where, "rate is not finite");
    if (plane_normal) check_planar(joint, where, checked_plane_normal(*plane_normal));
    joints_.push_back(std::move(joint));
    joint_gone_.push_back(false);
    return {static_cast<uint32_t>(joints_.size() - 1)};
}

JointId Model::add(const Fixed& j) {
    return add_joint({.type = JointType::fixed,
                      .a = j.a,
                      .b = j.b,
                      .at_a = j.at,
                      .at_b = j.at_b.value_or(j.at),
                      .name = j.name});
}

JointId Model::add(const Spherical& j) {
    return add_joint({.type = JointType::spherical,
                      .a = j.a,
                      .b = j.b,
                      .at_a = j.at,
                      .at_b = j.at_b.value_or(j.at),
                      .name = j.name});
}

namespace {

template <class J>
Joint along(JointType type, const J& j, Vec3 axis, std::optional<Vec3> axis_b, size_t index) {
    const std::string where = label("joint", j.name, index);
    const bool by_normal = kind_of(type).place == Place::plane;
    const Vec3 u = checked_direction(where, by_normal ? "normal" : "axis", axis);
    std::optional<double> rate;
    if constexpr (requires { j.rate; }) rate = j.rate;
    return {
        .type = type,
        .a = j.a,
        .b = j.b,
        .at_a = j.at,
        .at_b = j.at_b.value_or(j.at),
        .axis = u,
        .axis_b = axis_b ? checked_direction(where, by_normal ? "normal_b" : "axis_b", *axis_b) : u,
        .name = j.name,
        .rate = rate};
}

template <class J>
Joint turning(JointType type, const J& j, Vec3 axis, std::optional<Vec3> axis_b, size_t index) {
    if (!std::isfinite(j.start_angle))
        fail(label("joint", j.name, index), "start_angle is not finite");
    Joint joint = along(type, j, axis, axis_b, index);
    joint.start_angle = j.start_angle;
    return joint;
}

}  // namespace

JointId Model::add(const Revolute& j) {
    return add_joint(turning(JointType::revolute, j, j.axis, j.axis_b, joints_.size()));
}
JointId Model::add(const Prismatic& j) {
    return add_joint(along(JointType::prismatic, j, j.axis, j.axis_b, joints_.size()));
}
JointId Model::add(const Cylindrical& j) {
    return add_joint(turning(JointType::cylindrical, j, j.axis, j.axis_b, joints_.size()));
}
JointId Model::add(const Planar& j) {
    return add_joint(turning(JointType::planar, j, j.normal, j.normal_b, joints_.size()));
}
JointId Model::add(const PointOnLine& j) {
    return add_joint(along(JointType::point_on_line, j, j.axis, {}, joints_.size()));
}
JointId Model::add(const PointOnPlane& j) {
    return add_joint(along(JointType::point_on_plane, j, j.normal, {}, joints_.size()));
}

JointId Model::add(const Screw& j) {
    if (!std::isfinite(j.lead)) fail(label("joint", j.name, joints_.size()), "lead is not finite");
    Joint joint = turning(JointType::screw, j, j.axis, j.axis_b, joints_.size());
    joint.ratio = j.lead / (2 * pi);
    return add_joint(std::move(joint));
}

JointId Model::add(const Universal& j) {
    const std::string where = label("joint", j.name, joints_.size());
    const Vec3 u = checked_direction(where, "axis_a", j.axis_a),
               v = checked_direction(where, "axis_b", j.axis_b);
    if (!j.at_b && std::abs(dot(u, v)) > 1e-9)
        fail(
            where,
            fmt::format(
                "axis_a and axis_b are not perpendicular (cosine {:.3g}); a cross has right angles",
                dot(u, v)));
    return add_joint({.type = JointType::universal,
                      .a = j.a,
                      .b = j.b,
                      .at_a = j.at,
                      .at_b = j.at_b.value_or(j.at),
                      .axis = u,
                      .axis_b = v,
                      .name = j.name});
}

JointId Model::add(const Distance& j) {
    const std::string where = label("joint", j.name, joints_.size());
    check_finite(where, "at_a", j.at_a);
    check_finite(where, "at_b", j.at_b);
    if (!(norm(j.at_b - j.at_a) > 0)) fail(where, "its two ends coincide; use a spherical joint");
    const double length = j.length.value_or(norm(j.at_b - j.at_a));
    if (!(length > 0) || !std::isfinite(length))
        fail(where, fmt::format("length is {}; it must be positive and finite", length));
    return add_joint({.type = JointType::distance,
                      .a = j.a,
                      .b = j.b,
                      .at_a = j.at_a,
                      .at_b = j.at_b,
                      .length = length,
                      .name = j.name,
                      .rate = j.rate});
}

JointId Model::add(const Gear& j) {
    const std::string where = label("joint", j.name, joints_.size()) + " (gear)";
    for (JointId id : {j.first, j.second})
        if (!has_coordinate(id))
            fail(where,
                 "needs two joints that have a coordinate: revolute, prismatic, cylindrical, "
                 "screw, or gauges");
    if (j.first == j.second) fail(where, "couples a joint with itself");
    if (!std::isfinite(j.ratio) || j.ratio == 0)
        fail(where, fmt::format("ratio is {}; it must be finite and not zero", j.ratio));
    return add_joint({.type = JointType::gear,
                      .ratio = j.ratio,
                      .first = j.first,
                      .second = j.second,
                      .name = j.name});
}

JointId Model::add(const RackAndPinion& j) {
    const std::string where = label("joint", j.name, joints_.size()) + " (rack and pinion)";
    if (!has_coordinate(j.rack) || joints_[j.rack.index].type != JointType::prismatic)
        fail(where, "the rack must be a prismatic joint");
    if (!has_coordinate(j.pinion) || joints_[j.pinion.index].type != JointType::revolute)
        fail(where, "the pinion must be a revolute joint");
    return add(Gear{.first = j.pinion, .second = j.rack, .ratio = j.radius, .name = j.name});
}

JointId Model::add(const TurnGauge& j) {
    const std::string where = label("joint", j.name, joints_.size());
    const Vec3 u = checked_direction(where, "axis", j.axis),
               mark = checked_direction(where, "mark", j.mark.value_or(any_perpendicular(u)));
    if (norm(cross(u, mark)) < 1e-3)
        fail(where, "mark is along the axis; give a direction of b across it");
    if (!std::isfinite(j.start_angle)) fail(where, "start_angle is not finite");
    const Vec3 at = contains(j.b) ? bodies_[j.b.index].position : Vec3{};
    return add_joint({.type = JointType::turn_gauge,
                      .a = j.a,
                      .b = j.b,
                      .at_a = at,
                      .at_b = at,
                      .axis = u,
                      .axis_b = mark,
                      .start_angle = j.start_angle,
                      .name = j.name,
                      .rate = j.rate});
}

JointId Model::add(const SwingGauge& j) {
    const std::string where = label("joint", j.name, joints_.size());
    const Vec3 u = checked_direction(where, "axis", j.axis);
    const Vec3 at = contains(j.b) ? bodies_[j.b.index].position : Vec3{};
    return add_joint({.type = JointType::swing_gauge,
                      .a = j.a,
                      .b = j.b,
                      .at_a = at,
                      .at_b = at,
                      .axis = u,
                      .axis_b = j.axis_b ? checked_direction(where, "axis_b", *j.axis_b) : u,
                      .name = j.name});
}

JointId Model::add(const SlideGauge& j) {
    return add_joint(along(JointType::slide_gauge, j, j.axis, {}, joints_.size()));
}

bool Model::is_acted_on(JointId id) const {
    const auto acts = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x.joint == id; });
    };
    const bool geared = std::any_of(joints_.begin(), joints_.end(), [&](const Joint& j) {
        return j.type == JointType::gear && (j.first == id || j.second == id);
    });
    return geared || acts(drives_) || acts(limits_) || acts(coordinates_) || acts(joint_springs_)
        || acts(motors_)
        || std::any_of(stateful_forces_.begin(), stateful_forces_.end(),
                       [&](const StatefulForce& f) {
                           return std::find(f.joints.begin(), f.joints.end(), id) != f.joints.end();
                       });
}

bool Model::has_coordinate(JointId id) const {
    if (!contains(id)) return false;
    return kind_of(joints_[id.index]).coordinate != CoordinateKind::none;
}

namespace {

void check_coordinate(const Model& model, const std::string& where, JointId joint) {
    if (!model.has_coordinate(joint))
        fail(where,
             "needs a joint with a coordinate: revolute, prismatic, cylindrical, screw or "
             "distance; or a "
             "turn, swing or slide gauge between the bodies of another joint");
}

}  // namespace

DriveId Model::add(Drive d) {
    const std::string where = label("drive", d.name, drives_.size());
    check_coordinate(*this, where, d.joint);
    if (!(d.max_effort > 0))
        fail(where, fmt::format("max_effort is {}; it must be positive", d.max_effort));
    const bool is_hydraulic = d.control == Drive::Control::hydraulic;
    if (is_hydraulic && !(d.max_speed > 0 && std::isfinite(d.max_speed)))
        fail(where,
             fmt::format("max_speed is {}; a hydraulic drive needs a positive one", d.max_speed));
    const bool is_friction = d.control == Drive::Control::friction;
    if (is_friction && !std::isfinite(d.max_effort))
        fail(where, "friction needs a max_effort: what it holds and resists with");
    if (is_friction && d.target) fail(where, "friction has no target: it only resists");
    if (is_friction && joints_[d.joint.index].type == JointType::swing_gauge)
        fail(where,
             "friction along a swing has no direction where the axes meet; give it to turn gauges "
             "about the axes of the joint");
    if (!is_hydraulic && d.max_speed != 0)
        fail(where, fmt::format("max_speed is {}; only a hydraulic drive has one", d.max_speed));
    for (uint32_t i = 0; i < drives_.size(); ++i)
        if (drives_[i].joint == d.joint && contains(DriveId{i})
            && is_friction == (drives_[i].control == Drive::Control::friction))
            fail(where,
                 is_friction ? "the joint has friction already" : "the joint has a drive already");
    drive_gone_.push_back(false);
    drives_.push_back(std::move(d));
    return {static_cast<uint32_t>(drives_.size() - 1)};
}

LimitId Model::add(Limit l) {
    const std::string where = label("limit", l.name, limits_.size());
    check_coordinate(*this, where, l.joint);
    if (!(l.min < l.max)) fail(where, fmt::format("min {} is not below max {}", l.min, l.max));
    if (!(l.restitution >= 0 && l.restitution <= 1))
        fail(where, fmt::format("restitution is {}; it must be between 0 and 1", l.restitution));
    limit_gone_.push_back(false);
    limits_.push_back(std::move(l));
    return {static_cast<uint32_t>(limits_.size() - 1)};
}

CoordinateId Model::add(Coordinate c) {
    const std::string where = label("coordinate", c.name, coordinates_.size());
    check_coordinate(*this, where, c.joint);
    if (!(c.inertia > 0) || !std::isfinite(c.inertia))
        fail(where, fmt::format("inertia is {}; it must be positive and finite", c.inertia));
    if (!std::isfinite(c.ratio) || c.ratio == 0)
        fail(where, fmt::format("ratio is {}; it must be finite and not zero", c.ratio));
    coordinate_gone_.push_back(false);
    coordinates_.push_back(std::move(c));
    return {static_cast<uint32_t>(coordinates_.size() - 1)};
}

ForceId Model::add_force(ForceKind kind, size_t index) {
    force_gone_.push_back(false);
    forces_.push_back({kind, static_cast<uint32_t>(index)});
    return {static_cast<uint32_t>(forces_.size() - 1)};
}

ForceId Model::add(Spring s) {
    const std::string where = label("spring", s.name, forces_.size());
    for (BodyId body : {s.a, s.b})
        if (!contains(body))
            fail(where, "names a body that this model does not have; use the id that add returned");
    if (s.a == s.b) fail(where, "joins a body to itself");
    check_finite(where, "at_a", s.at_a);
    check_finite(where, "at_b", s.at_b);
    check_at_least(where, "stiffness", s.stiffness, 0);
    check_at_least(where, "damping", s.damping, 0);
    check_at_least(where, "free_length", s.free_length, 0);
    springs_.push_back(std::move(s));
    return add_force(ForceKind::spring, springs_.size() - 1);
}

ForceId Model::add(JointSpring s) {
    const std::string where = label("joint spring", s.name, forces_.size());
    check_coordinate(*this, where, s.joint);
    check_at_least(where, "stiffness", s.stiffness, 0);
    check_at_least(where, "damping", s.damping, 0);
    if (!std::isfinite(s.rest)) fail(where, "rest is not finite");
    joint_springs_.push_back(std::move(s));
    return add_force(ForceKind::joint_spring, joint_springs_.size() - 1);
}

ForceId Model::add(Bushing b) {
    const std::string where = label("bushing", b.name, forces_.size());
    for (BodyId body : {b.a, b.b})
        if (!contains(body))
            fail(where, "names a body that this model does not have; use the id that add returned");
    if (b.a == b.b) fail(where, "joins a body to itself");
    check_finite(where, "its point", b.at);
    b.axes = checked_rotation(where, "axes are", b.axes);
    if (b.at_b) check_finite(where, "at_b", *b.at_b);
    if (b.axes_b) b.axes_b = checked_rotation(where, "axes_b are", *b.axes_b);
    for (int i = 0; i < 3; ++i) {
        check_at_least(where, "stiffness", b.stiffness[i], 0);
        check_at_least(where, "damping", b.damping[i], 0);
        check_at_least(where, "angular_stiffness", b.angular_stiffness[i], 0);
        check_at_least(where, "angular_damping", b.angular_damping[i], 0);
    }
    bushings_.push_back(std::move(b));
    return add_force(ForceKind::bushing, bushings_.size() - 1);
}

ForceId Model::add(Motor m) {
    const std::string where = label("motor", m.name, forces_.size());
    check_coordinate(*this, where, m.joint);
    if (!(m.no_load_speed > 0))
        fail(where, fmt::format("no_load_speed is {}; it must be positive", m.no_load_speed));
    motors_.push_back(std::move(m));
    return add_force(ForceKind::motor, motors_.size() - 1);
}

ForceId Model::add(UserForce f) {
    const std::string where = label("user force", f.name, forces_.size());
    if (!f.apply) fail(where, "has no function");
    for (BodyId body : f.bodies)
        if (!contains(body))
            fail(where, "names a body that this model does not have; use the id that add returned");
    user_forces_.push_back(std::move(f));
    return add_force(ForceKind::user, user_forces_.size() - 1);
}

ForceId Model::add(StatefulForce f) {
    const std::string where = label("stateful force", f.name, forces_.size());
    if (!f.law) fail(where, "has no law");
    if (f.joints.empty() && f.points.empty()) fail(where, "acts on no joint and no body");
    if (f.inputs.size() > f.law->input_count()) fail(where, "has more functions than inputs");
    for (JointId joint : f.joints) check_coordinate(*this, where, joint);
    for (BodyId body : f.points) {
        if (!contains(body))
            fail(where, "names a body that this model does not have; use the id that add returned");
        if (body == ground()) fail(where, "pushes the ground against scenery, which is the same");
    }
    stateful_forces_.push_back(std::move(f));
    return add_force(ForceKind::stateful, stateful_forces_.size() - 1);
}

ProcessId Model::add(std::shared_ptr<const Process> process) {
    if (!process) throw InputError("process: there is none");
    processes_.push_back(std::move(process));
    process_gone_.push_back(false);
    return {static_cast<uint32_t>(processes_.size() - 1)};
}

}  // namespace bristle
