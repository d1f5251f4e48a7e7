#include "live/wire/messages.h"

#include "live/wire/fields.h"

#include <fmt/format.h>

namespace bristle::live {
namespace {

template <class Field, class Values> void put(Field& field, const Values& values) {
    field.Assign(values.begin(), values.end());
}
template <class Field, class Values> void take(const Field& field, Values& values) {
    values.assign(field.begin(), field.end());
}

using Numbers = google::protobuf::RepeatedField<double>;

void put(Numbers& field, Vec3 v) {
    const double values[] = {v.x, v.y, v.z};
    field.Assign(values, values + 3);
}
// ---- Geometry one can add while it runs -----------------------------------------------------------------

struct PutGeometry {
    wire::AddBody& message;
    void set(wire::Part::Kind kind, std::initializer_list<double> size) const {
        message.set_kind(kind);
        message.mutable_size()->Assign(size.begin(), size.end());
    }
    void operator()(const Sphere& s) const { set(wire::Part::SPHERE, {s.radius}); }
    void operator()(const Box& b) const { set(wire::Part::BOX, {b.size.x, b.size.y, b.size.z}); }
    void operator()(const Capsule& c) const { set(wire::Part::CAPSULE, {c.radius, c.length}); }
    void operator()(const Cylinder& c) const { set(wire::Part::CYLINDER, {c.radius, c.length}); }
    // A prism: its corners below, then those above.
    void operator()(const ConvexPolyhedron& p) const {
        set(wire::Part::SURFACE, {2 * p.points.back().z});
        for (size_t i = 0; i < p.points.size() / 2; ++i) {
            message.add_outline(p.points[i].x);
            message.add_outline(p.points[i].y);
        }
    }
    template <class Other> void operator()(const Other&) const {
        throw InputError(
            "add: only spheres, boxes, capsules, cylinders and prisms can be added live");
    }
};

ConvexPolyhedron prism(const wire::AddBody& m, const Fields& fields, double height) {
    constexpr int fewest = 3, most = 64;
    if (m.outline_size() % 2 != 0 || m.outline_size() < 2 * fewest || m.outline_size() > 2 * most)
        fields.fail(wire::AddBody::kOutlineFieldNumber,
                    fmt::format("must be x y of {} … {} corners", fewest, most));
    const auto numbers = fields.numbers(wire::AddBody::kOutlineFieldNumber, m.outline_size());
    ConvexPolyhedron out;
    for (const double z : {-0.5 * height, 0.5 * height})
        for (size_t i = 0; i < numbers.size(); i += 2)
            out.points.push_back({numbers[i], numbers[i + 1], z});
    return out;
}

Geometry geometry(const Fields& fields, const wire::AddBody& m) {
    const auto size = [&](int count) {
        return fields.numbers(wire::AddBody::kSizeFieldNumber, count);
    };
    switch (m.kind()) {
        case wire::Part::SPHERE: return Sphere{size(1)[0]};
        case wire::Part::BOX: {
            const auto edges = size(3);
            return Box{{edges[0], edges[1], edges[2]}};
        }
        case wire::Part::CAPSULE: {
            const auto lengths = size(2);
            return Capsule{lengths[0], lengths[1]};
        }
        case wire::Part::CYLINDER: {
            const auto lengths = size(2);
            return Cylinder{lengths[0], lengths[1]};
        }
        case wire::Part::SURFACE: return prism(m, fields, size(1)[0]);
        default:
            fields.fail(wire::AddBody::kKindFieldNumber,
                        "must be SPHERE, BOX, CAPSULE, CYLINDER or SURFACE");
    }
}

// ---- Inputs ------------------------------------------------------------------------------------------------

struct PutInput {
    wire::Input& message;

    void operator()(const CommandDrive& c) const {
        put_command(wire::Command::DRIVE, c.drive.index, c.value);
    }
    void operator()(const CommandMotor& c) const {
        put_command(wire::Command::MOTOR, c.motor.index, c.value);
    }
    void operator()(const CommandInput& c) const {
        put_command(wire::Command::INPUT, c.force.index, c.value);
        message.mutable_command()->set_input(c.input);
    }
    void operator()(const Grab& g) const {
        wire::Grab& m = *message.mutable_grab();
        m.set_body(g.body.index);
        put(*m.mutable_at(), g.at);
        put(*m.mutable_to(), g.to);
    }
    void operator()(const MoveGrab& g) const {
        put(*message.mutable_move_grab()->mutable_to(), g.to);
    }
    void operator()(const ReleaseGrab&) const { message.mutable_release_grab(); }
    void operator()(const AddBody& b) const {
        wire::AddBody& m = *message.mutable_add_body();
        std::visit(PutGeometry{m}, b.geometry);
        m.set_density(b.density);
        if (b.mass > 0) m.set_mass(b.mass);
        if (!b.material.empty()) m.set_material(b.material);
        put(*m.mutable_position(), b.position);
        const Quat& q = b.orientation;
        const double turn[] = {q.w, q.x, q.y, q.z};
        m.mutable_orientation()->Assign(turn, turn + 4);
        put(*m.mutable_velocity(), b.velocity);
        m.set_name(b.name);
    }
    void operator()(const AddSpring& s) const {
        wire::AddSpring& m = *message.mutable_add_spring();
        m.set_a(s.a.index);
        m.set_b(s.b.index);
        put(*m.mutable_at_a(), s.at_a);
        put(*m.mutable_at_b(), s.at_b);
        m.set_stiffness(s.stiffness);
        m.set_damping(s.damping);
        m.set_name(s.name);
    }
    void operator()(const AddJoint& j) const {
        wire::AddJoint& m = *message.mutable_add_joint();
        m.set_type(to_string(j.type));
        m.set_a(j.a.index);
        m.set_b(j.b.index);
        put(*m.mutable_at(), j.at);
        put(*m.mutable_axis(), j.axis);
        m.set_name(j.name);
    }
    void operator()(const Remove& r) const {
        wire::Remove& m = *message.mutable_remove();
        m.set_kind(static_cast<wire::Remove::Kind>(r.what.index()));
        m.set_index(std::visit([](auto id) { return id.index; }, r.what));
    }

  private:
    void put_command(wire::Command::Kind kind, uint32_t index, double value) const {
        wire::Command& m = *message.mutable_command();
        m.set_kind(kind);
        m.set_index(index);
        m.set_value(value);
    }
};

JointType joint_type(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(JointType::slide_gauge); ++i)
        if (to_string(static_cast<JointType>(i)) == name) return static_cast<JointType>(i);
    throw InputError(fmt::format("there is no joint type '{}'", name));
}

Quat orientation(const Fields& fields, const wire::AddBody& m) {
    if (m.orientation().empty()) return {};
    const auto q = fields.numbers(wire::AddBody::kOrientationFieldNumber, 4);
    return {q[0], q[1], q[2], q[3]};
}

Input decode_kind(const wire::Input& message) {
    switch (message.kind_case()) {
        case wire::Input::kCommand: {
            const wire::Command& m = message.command();
            const double value = Fields(m, any_number).number(wire::Command::kValueFieldNumber);
            if (m.kind() == wire::Command::DRIVE) return CommandDrive{{m.index()}, value};
            if (m.kind() == wire::Command::INPUT)
                return CommandInput{{m.index()}, m.input(), value};
            return CommandMotor{{m.index()}, value};
        }
        case wire::Input::kGrab: return decode(message.grab());
        case wire::Input::kMoveGrab: return decode(message.move_grab());
        case wire::Input::kReleaseGrab: return ReleaseGrab{};
        case wire::Input::kAddBody: return decode(message.add_body());
        case wire::Input::kAddSpring: return decode(message.add_spring());
        case wire::Input::kAddJoint: return decode(message.add_joint());
        case wire::Input::kRemove: return decode(message.remove());
        default: throw InputError("it is of no known kind");
    }
}

}  // namespace

void encode(const Frame& frame, wire::State& state) {
    state.set_time(frame.time);
    state.set_step(frame.step);
    state.set_revision(frame.revision);
    put(*state.mutable_poses(), frame.poses);
    put(*state.mutable_contacts(), frame.contacts);
    put(*state.mutable_contact_bodies(), frame.contact_bodies);
    put(*state.mutable_reactions(), frame.reactions);
    put(*state.mutable_tensions(), frame.tensions);
    put(*state.mutable_values(), frame.values);
    state.set_watch(frame.watch);
    put(*state.mutable_grab(), frame.grab);
    put(*state.mutable_contours(), frame.contours);
    put(*state.mutable_grains(), frame.grains);
    put(*state.mutable_grain_colors(), frame.grain_colors);
    put(*state.mutable_shared_volumes()->mutable_vertices(), frame.shared_volumes.vertices);
    put(*state.mutable_shared_volumes()->mutable_triangles(), frame.shared_volumes.triangles);
    const Transport& from = frame.transport;
    wire::Transport& to = *state.mutable_transport();
    to.set_is_running(from.is_running);
    to.set_is_repeating(from.is_repeating);
    to.set_speed(from.speed);
    to.set_lag(from.lag);
    to.set_first(from.first);
    to.set_last(from.last);
    to.set_overruns(from.overruns);
    to.set_slipped(from.slipped);
    to.set_busy(from.busy);
    to.set_is_recorded(from.is_recorded);
    to.set_trouble(from.trouble);
}

void decode(const wire::State& state, Frame& frame) {
    frame.time = state.time();
    frame.step = state.step();
    frame.revision = state.revision();
    take(state.poses(), frame.poses);
    take(state.contacts(), frame.contacts);
    take(state.contact_bodies(), frame.contact_bodies);
    take(state.reactions(), frame.reactions);
    take(state.tensions(), frame.tensions);
    take(state.values(), frame.values);
    frame.watch = state.watch();
    take(state.grab(), frame.grab);
    take(state.contours(), frame.contours);
    take(state.grains(), frame.grains);
    take(state.grain_colors(), frame.grain_colors);
    take(state.shared_volumes().vertices(), frame.shared_volumes.vertices);
    take(state.shared_volumes().triangles(), frame.shared_volumes.triangles);
    const wire::Transport& from = state.transport();
    frame.transport = {.is_running = from.is_running(),
                       .is_repeating = from.is_repeating(),
                       .speed = from.speed(),
                       .lag = from.lag(),
                       .first = from.first(),
                       .last = from.last(),
                       .overruns = from.overruns(),
                       .slipped = from.slipped(),
                       .busy = from.busy(),
                       .is_recorded = from.is_recorded(),
                       .trouble = from.trouble()};
}

wire::Input encode(const InputAt& input) {
    wire::Input message;
    message.set_step(input.step);
    std::visit(PutInput{message}, input.input);
    return message;
}

Grab decode(const wire::Grab& m, double largest) {
    const Fields fields(m, largest);
    return {.body = {m.body()},
            .at = fields.vector(wire::Grab::kAtFieldNumber),
            .to = fields.vector(wire::Grab::kToFieldNumber)};
}

MoveGrab decode(const wire::MoveGrab& m, double largest) {
    return {.to = Fields(m, largest).vector(wire::MoveGrab::kToFieldNumber)};
}

AddBody decode(const wire::AddBody& m, double largest) {
    using M = wire::AddBody;
    const Fields fields(m, largest);
    AddBody body{.geometry = geometry(fields, m),
                 .material = m.material(),
                 .position = fields.vector(M::kPositionFieldNumber),
                 .orientation = orientation(fields, m),
                 .velocity = fields.vector_or(M::kVelocityFieldNumber, {}),
                 .name = m.name()};
    if (m.has_density()) body.density = fields.number(M::kDensityFieldNumber);
    if (m.has_mass()) body.mass = Fields(m, any_number).number(M::kMassFieldNumber);
    return body;
}

AddSpring decode(const wire::AddSpring& m, double largest) {
    using M = wire::AddSpring;
    const Fields fields(m, largest);
    return {.a = {m.a()},
            .b = {m.b()},
            .at_a = fields.vector_or(M::kAtAFieldNumber, {}),
            .at_b = fields.vector_or(M::kAtBFieldNumber, {}),
            .stiffness = Fields(m, any_number).number(M::kStiffnessFieldNumber),
            .damping = Fields(m, any_number).number(M::kDampingFieldNumber),
            .name = m.name()};
}

AddJoint decode(const wire::AddJoint& m, double largest) {
    using M = wire::AddJoint;
    const Fields fields(m, largest);
    return {.type = joint_type(m.type()),
            .a = {m.a()},
            .b = {m.b()},
            .at = fields.vector(M::kAtFieldNumber),
            .axis = fields.vector_or(M::kAxisFieldNumber, {0, 0, 1}),
            .name = m.name()};
}

Remove decode(const wire::Remove& m) {
    switch (m.kind()) {
        case wire::Remove::BODY: return {BodyId{m.index()}};
        case wire::Remove::JOINT: return {JointId{m.index()}};
        case wire::Remove::FORCE: return {ForceId{m.index()}};
        default: Fields(m, any_number).fail(wire::Remove::kKindFieldNumber, "is none we know");
    }
}

InputAt decode(const wire::Input& message) {
    try {
        return {.step = message.step(), .input = decode_kind(message)};
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("input of a recording: {}; the file is damaged", error.what()));
    }
}

}  // namespace bristle::live
