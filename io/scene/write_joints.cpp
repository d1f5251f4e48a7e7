// Bodies, joints and what acts on them, as a file says them.
#include "io/scene/exact.h"
#include "io/scene/writing.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::io {
namespace {

std::string inertia_text(const Mat3& m) {
    const auto is_nothing = [](double x) { return x == 0 && !std::signbit(x); };
    const bool is_diagonal = is_nothing(m(0, 1)) && is_nothing(m(0, 2)) && is_nothing(m(1, 0))
                          && is_nothing(m(1, 2)) && is_nothing(m(2, 0)) && is_nothing(m(2, 1));
    if (is_diagonal) return written(Vec3{m(0, 0), m(1, 1), m(2, 2)});
    return fmt::format("[{}, {}, {}]", written(m.row[0]), written(m.row[1]), written(m.row[2]));
}

Entry& put_bodies(Entry& entry, BodyId a, BodyId b, const FileNames& names) {
    return entry.name("a", names.of(a)).name("b", names.of(b));
}

// The word of the file for each type.
const char* type_word(JointType type) {
    static constexpr const char* words[] = {
        "fixed",     "revolute", "prismatic",     "cylindrical",    "spherical",
        "universal", "planar",   "point_on_line", "point_on_plane", "distance",
        "screw",     "gear",     "turn_gauge",    "swing_gauge",    "slide_gauge"};
    return words[static_cast<size_t>(type)];
}

void put_axes(Entry& entry, const Joint& j) {
    switch (j.type) {
        case JointType::universal:
            entry.put("axis_a", written(before_direction(j.axis)));
            entry.put("axis_b", written(before_direction(j.axis_b)));
            return;
        case JointType::turn_gauge:
        case JointType::swing_gauge:
            entry.put("axis", written(before_direction(j.axis)));
            entry.put(j.type == JointType::turn_gauge ? "mark" : "axis_b",
                      written(before_direction(j.axis_b)));
            return;
        case JointType::slide_gauge:
        case JointType::point_on_line: entry.put("axis", written(before_direction(j.axis))); return;
        case JointType::point_on_plane:
            entry.put("normal", written(before_direction(j.axis)));
            return;
        case JointType::revolute:
        case JointType::prismatic:
        case JointType::cylindrical:
        case JointType::screw:
        case JointType::planar: break;
        default: return;
    }
    const std::string word = j.type == JointType::planar ? "normal" : "axis";
    entry.put(word, written(before_direction(j.axis)));
    if (j.axis_b != j.axis) entry.put(word + "_b", written(before_direction(j.axis_b)));
}

Entry joint_entry(const Joint& j, const FileNames& names) {
    Entry entry(*section("joints").find(type_word(j.type)));
    if (j.type == JointType::gear)
        return entry.name("first", names.of(j.first))
            .name("second", names.of(j.second))
            .number("ratio", j.ratio);
    put_bodies(entry, j.a, j.b, names);
    const auto with_rate = [&]() -> Entry& {
        return j.rate ? entry.number("rate", *j.rate) : entry;
    };
    if (j.type == JointType::distance) {
        entry.put("at_a", written(j.at_a)).put("at_b", written(j.at_b)).number("length", j.length);
        return with_rate();
    }
    const bool is_turning = j.type == JointType::turn_gauge || j.type == JointType::swing_gauge;
    if (!is_turning) entry.put("at", written(j.at_a));
    // Only with b's point said may the axes of a universal joint be out of square.
    const bool is_square =
        j.type != JointType::universal || std::abs(dot(j.axis, j.axis_b)) <= 1e-9;
    if ((j.at_b != j.at_a && !is_turning) || !is_square) entry.put("at_b", written(j.at_b));
    put_axes(entry, j);
    if (j.type == JointType::screw) entry.number("lead", before_lead(j.ratio));
    if (j.start_angle != 0) entry.number("start_angle", j.start_angle);
    return with_rate();
}

Entry force_entry(const Spring& s, const FileNames& names) {
    Entry entry(*section("forces").find("spring"));
    put_bodies(entry, s.a, s.b, names).put("at_a", written(s.at_a)).put("at_b", written(s.at_b));
    // A law takes the place of the two numbers.
    if (!s.law) entry.number("stiffness", s.stiffness).number("damping", s.damping);
    return entry.number("free_length", s.free_length).function("law", s.law);
}
Entry force_entry(const JointSpring& s, const FileNames& names) {
    Entry entry(*section("forces").find("joint_spring"));
    entry.name("joint", names.of(s.joint));
    if (!s.law) entry.number("stiffness", s.stiffness).number("damping", s.damping);
    return entry.number("rest", s.rest).function("law", s.law);
}
Entry force_entry(const Bushing& b, const FileNames& names) {
    Entry entry(*section("forces").find("bushing"));
    put_bodies(entry, b.a, b.b, names)
        .put("at", written(b.at))
        .rotation("axes", before_rotation(b.axes));
    if (b.at_b) entry.put("at_b", written(*b.at_b));
    if (b.axes_b) entry.put("axes_b", written(before_rotation(*b.axes_b)));
    return entry.vector("stiffness", b.stiffness)
        .vector("damping", b.damping)
        .vector("angular_stiffness", b.angular_stiffness)
        .vector("angular_damping", b.angular_damping);
}
Entry force_entry(const Motor& m, const FileNames& names) {
    return Entry(*section("forces").find("motor"))
        .name("joint", names.of(m.joint))
        .function("effort", m.effort)
        .number("no_load_speed", m.no_load_speed);
}
Entry force_entry(const UserForce& f, const FileNames& names) {
    const auto three = [](const std::vector<std::string>& texts) {
        return fmt::format("[{}, {}, {}]", written(texts[0]), written(texts[1]), written(texts[2]));
    };
    Entry entry(*section("forces").find("force"));
    entry.name("body", names.of(f.text->body)).vector("at", f.text->at);
    if (!f.text->force.empty()) entry.put("force", three(f.text->force));
    if (!f.text->torque.empty()) entry.put("torque", three(f.text->torque));
    return entry;
}

}  // namespace

void write_bodies(Lines& lines, const Model& model, const FileNames& names) {
    lines.begin("bodies");
    for (uint32_t i = 1; i < model.bodies().size(); ++i) {
        if (!model.contains(BodyId{i})) continue;
        const Body& b = model.bodies()[i];
        lines.add(names.bodies[i], Entry(section("bodies").types[0])
                                       .number("mass", b.mass)
                                       .vector("center", b.center)
                                       .put("inertia", inertia_text(b.inertia))
                                       .vector("position", b.position)
                                       .rotation("rotation", before_rotation(b.orientation))
                                       .vector("velocity", b.velocity)
                                       .vector("angular_velocity", b.angular_velocity));
    }
}

void write_joints(Lines& lines, const Model& model, const FileNames& names) {
    lines.begin("joints");
    for (uint32_t i = 0; i < model.joints().size(); ++i)
        if (model.contains(JointId{i}))
            lines.add(names.joints[i], joint_entry(model.joints()[i], names));
    lines.begin("drives");
    for (uint32_t i = 0; i < model.drives().size(); ++i) {
        if (!model.contains(DriveId{i})) continue;
        const Drive& d = model.drives()[i];
        lines.add(names.drives[i], Entry(section("drives").types[0])
                                       .name("joint", names.of(d.joint))
                                       .word("control", d.control)
                                       .function("target", d.target)
                                       .number("max_effort", d.max_effort)
                                       .number("max_speed", d.max_speed));
    }
    lines.begin("limits");
    for (uint32_t i = 0; i < model.limits().size(); ++i) {
        if (!model.contains(LimitId{i})) continue;
        const Limit& l = model.limits()[i];
        lines.add(names.limits[i], Entry(section("limits").types[0])
                                       .name("joint", names.of(l.joint))
                                       .number("min", l.min)
                                       .number("max", l.max)
                                       .number("restitution", l.restitution));
    }
    lines.begin("rotors");
    for (uint32_t i = 0; i < model.coordinates().size(); ++i) {
        if (!model.contains(CoordinateId{i})) continue;
        const Coordinate& c = model.coordinates()[i];
        lines.add(names.rotors[i], Entry(section("rotors").types[0])
                                       .name("joint", names.of(c.joint))
                                       .number("inertia", c.inertia)
                                       .number("ratio", c.ratio));
    }
}

void write_forces(Lines& lines, const Model& model, const FileNames& names) {
    const auto entry = [&](Model::ForceRef ref) {
        switch (ref.kind) {
            case Model::ForceKind::spring: return force_entry(model.springs()[ref.index], names);
            case Model::ForceKind::joint_spring:
                return force_entry(model.joint_springs()[ref.index], names);
            case Model::ForceKind::bushing: return force_entry(model.bushings()[ref.index], names);
            case Model::ForceKind::motor: return force_entry(model.motors()[ref.index], names);
            case Model::ForceKind::stateful:
                return io::force_entry(model.stateful_forces()[ref.index], names);
            case Model::ForceKind::user: break;
        }
        return force_entry(model.user_forces()[ref.index], names);
    };
    lines.begin("forces");
    for (uint32_t i = 0; i < model.forces().size(); ++i)
        if (model.contains(ForceId{i}) && !is_of_earth(model, ForceId{i}))
            lines.add(names.forces[i], entry(model.forces()[i]));
}

}  // namespace bristle::io
