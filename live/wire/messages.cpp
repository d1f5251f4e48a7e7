#include "live/wire/messages.h"

#include <fmt/format.h>

#include <cmath>

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
[[noreturn]] void fail(const char* what) {
    throw InputError(fmt::format("input of a recording: {}; the file is damaged", what));
}
double finite(double value, const char* what) {
    if (!std::isfinite(value)) fail(what);
    return value;
}
Vec3 vector(const Numbers& field, const char* what) {
    if (field.size() != 3) fail(what);
    return {finite(field[0], what), finite(field[1], what), finite(field[2], what)};
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
    template <class Other> void operator()(const Other&) const {
        throw InputError("add: only spheres, boxes, capsules and cylinders can be added live");
    }
};

Geometry geometry(const wire::AddBody& message) {
    const Numbers& size = message.size();
    const auto need = [&](int count) {
        if (size.size() != count) fail("size of a body that was added");
    };
    switch (message.kind()) {
        case wire::Part::SPHERE: need(1); return Sphere{size[0]};
        case wire::Part::BOX: need(3); return Box{{size[0], size[1], size[2]}};
        case wire::Part::CAPSULE: need(2); return Capsule{size[0], size[1]};
        case wire::Part::CYLINDER: need(2); return Cylinder{size[0], size[1]};
        default: fail("kind of a body that was added");
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

Input added_body(const wire::AddBody& m) {
    if (m.orientation_size() != 4) fail("orientation of a body that was added");
    return AddBody{
        .geometry = geometry(m),
        .density = finite(m.density(), "density of a body that was added"),
        .position = vector(m.position(), "position of a body that was added"),
        .orientation = {m.orientation(0), m.orientation(1), m.orientation(2), m.orientation(3)},
        .velocity = vector(m.velocity(), "velocity of a body that was added"),
        .name = m.name()};
}

Input added_spring(const wire::AddSpring& m) {
    return AddSpring{.a = {m.a()},
                     .b = {m.b()},
                     .at_a = vector(m.at_a(), "end of a spring"),
                     .at_b = vector(m.at_b(), "end of a spring"),
                     .stiffness = finite(m.stiffness(), "stiffness of a spring"),
                     .damping = finite(m.damping(), "damping of a spring"),
                     .name = m.name()};
}

Input removed(const wire::Remove& m) {
    switch (m.kind()) {
        case wire::Remove::BODY: return Remove{BodyId{m.index()}};
        case wire::Remove::JOINT: return Remove{JointId{m.index()}};
        case wire::Remove::FORCE: return Remove{ForceId{m.index()}};
        default: fail("kind of what was removed");
    }
}

}  // namespace

JointType joint_type(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(JointType::gear); ++i)
        if (to_string(static_cast<JointType>(i)) == name) return static_cast<JointType>(i);
    throw InputError(fmt::format("there is no joint type '{}'", name));
}

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

InputAt decode(const wire::Input& message) {
    InputAt out{.step = message.step(), .input = ReleaseGrab{}};
    switch (message.kind_case()) {
        case wire::Input::kCommand: {
            const wire::Command& m = message.command();
            const double value = finite(m.value(), "value of a command");
            if (m.kind() == wire::Command::DRIVE)
                out.input = CommandDrive{{m.index()}, value};
            else
                out.input = CommandMotor{{m.index()}, value};
            break;
        }
        case wire::Input::kGrab:
            out.input = Grab{{message.grab().body()},
                             vector(message.grab().at(), "where a body was held"),
                             vector(message.grab().to(), "where a body was pulled to")};
            break;
        case wire::Input::kMoveGrab:
            out.input = MoveGrab{vector(message.move_grab().to(), "where a body was pulled to")};
            break;
        case wire::Input::kReleaseGrab: break;
        case wire::Input::kAddBody: out.input = added_body(message.add_body()); break;
        case wire::Input::kAddSpring: out.input = added_spring(message.add_spring()); break;
        case wire::Input::kAddJoint: {
            const wire::AddJoint& m = message.add_joint();
            out.input = AddJoint{.type = joint_type(m.type()),
                                 .a = {m.a()},
                                 .b = {m.b()},
                                 .at = vector(m.at(), "place of a joint"),
                                 .axis = vector(m.axis(), "axis of a joint"),
                                 .name = m.name()};
            break;
        }
        case wire::Input::kRemove: out.input = removed(message.remove()); break;
        default: fail("it is of no known kind");
    }
    return out;
}

}  // namespace bristle::live
