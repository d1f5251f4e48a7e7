// A model as text, every bit of it: what functions cannot show, they show by their values.
#pragma once

#include <bristle/model.h>

#include <fmt/format.h>

#include <string>

namespace bristle {

inline std::string text_of(double x) { return fmt::format("{:a} ", x); }
inline std::string text_of(Vec3 v) { return text_of(v.x) + text_of(v.y) + text_of(v.z); }
inline std::string text_of(Quat q) { return text_of(q.w) + text_of(Vec3{q.x, q.y, q.z}); }
inline std::string text_of(const Mat3& m) {
    return text_of(m.row[0]) + text_of(m.row[1]) + text_of(m.row[2]);
}
inline std::string text_of(const Pose& p) { return text_of(p.position) + text_of(p.orientation); }
template <class Tag> std::string text_of(Id<Tag> id) { return fmt::format("#{} ", id.index); }
inline std::string text_of(const TimeFunction& f) {
    return f ? text_of(f(0)) + text_of(f(0.3)) + text_of(f(7)) : "none ";
}
inline std::string text_of(const ForceLaw& f) {
    return f ? text_of(f(0.1, 0.2)) + text_of(f(-3, 1)) : "none ";
}

struct GeometryText {
    std::string operator()(const Sphere& s) const { return "sphere " + text_of(s.radius); }
    std::string operator()(const Box& b) const { return "box " + text_of(b.size); }
    std::string operator()(const Capsule& c) const {
        return "capsule " + text_of(c.radius) + text_of(c.length);
    }
    std::string operator()(const Cylinder& c) const {
        return "cylinder " + text_of(c.radius) + text_of(c.length);
    }
    std::string operator()(const Plane&) const { return "plane "; }
    std::string operator()(const Torus& t) const {
        return fmt::format("torus {} ", static_cast<int>(t.arc)) + text_of(t.radius)
             + text_of(t.tube);
    }
    std::string operator()(const ConvexPolyhedron& c) const {
        std::string text = "convex ";
        for (Vec3 p : c.points) text += text_of(p);
        return text;
    }
    std::string operator()(const HeightField& f) const {
        std::string text = fmt::format("heights {} {} ", f.columns, f.rows);
        text += text_of(f.spacing_x) + text_of(f.spacing_y);
        for (double h : f.heights) text += text_of(h);
        return text;
    }
    std::string operator()(const Mesh& m) const {
        std::string text = "mesh ";
        for (Vec3 p : m.surface->vertices) text += text_of(p);
        for (const auto& t : m.surface->triangles)
            text += fmt::format("{} {} {} ", t[0], t[1], t[2]);
        for (MaterialId material : m.surface->materials) text += text_of(material);
        return text + fmt::format("{} balls ", m.spheres);
    }
    std::string operator()(const Compound& c) const {
        std::string text = "compound ";
        for (const CompoundPart& part : c.parts)
            text += text_of(part.pose) + std::visit(*this, part.geometry);
        return text;
    }
};

// Everything is asked of one state.
struct StillKinematics final : Kinematics {
    double time() const override { return 0.7; }
    Pose pose(BodyId) const override { return {{1, 2, 3}, Quat::about({1, 1, 0}, 0.4)}; }
    Twist twist(BodyId) const override { return {{0.1, -0.2, 0.3}, {2, 0, -1}}; }
};
struct TextSink final : ForceSink {
    std::string text;
    void add_force(BodyId b, Vec3 f, Vec3 at) override {
        text += "force " + text_of(b) + text_of(f) + text_of(at);
    }
    void add_torque(BodyId b, Vec3 t) override { text += "torque " + text_of(b) + text_of(t); }
};

inline std::string text_of(const ContactLaw& l) {
    std::string text = fmt::format("{} {} {} ", static_cast<int>(l.normal),
                                   static_cast<int>(l.damping), static_cast<int>(l.spin));
    for (double x : {l.stiffness, l.elastic_modulus, l.exponent, l.restitution, l.damping_factor,
                     l.static_friction, l.kinetic_friction, l.viscous_friction, l.stick_speed,
                     l.stick_stiffness, l.stick_damping, l.stick_strain, l.rolling_resistance,
                     l.spinning_resistance, l.foundation})
        text += text_of(x);
    return text;
}

inline std::string forces_text(const Model& m) {
    std::string text;
    for (const Spring& s : m.springs())
        text += s.name + " spring " + text_of(s.a) + text_of(s.b) + text_of(s.at_a)
              + text_of(s.at_b) + text_of(s.stiffness) + text_of(s.damping) + text_of(s.free_length)
              + text_of(s.law) + "\n";
    for (const JointSpring& s : m.joint_springs())
        text += s.name + " joint spring " + text_of(s.joint) + text_of(s.stiffness)
              + text_of(s.damping) + text_of(s.rest) + text_of(s.law) + "\n";
    for (const Bushing& b : m.bushings())
        text += b.name + " bushing " + text_of(b.a) + text_of(b.b) + text_of(b.at) + text_of(b.axes)
              + text_of(b.at_b.value_or(b.at)) + text_of(b.axes_b.value_or(b.axes))
              + text_of(b.stiffness) + text_of(b.damping) + text_of(b.angular_stiffness)
              + text_of(b.angular_damping) + "\n";
    for (const Motor& f : m.motors())
        text += f.name + " motor " + text_of(f.joint) + text_of(f.effort) + text_of(f.no_load_speed)
              + "\n";
    for (const UserForce& f : m.user_forces()) {
        TextSink sink;
        f.apply(StillKinematics{}, sink);
        text += f.name + " " + sink.text;
        for (BodyId b : f.bodies) text += "depends " + text_of(b);
        text += "\n";
    }
    for (const auto [kind, index] : m.forces())
        text += fmt::format("{}:{} ", static_cast<int>(kind), index);
    return text + "\n";
}

inline std::string text_of(const Model& m) {
    std::string text = text_of(m.gravity)
                     + fmt::format("{} {}\n", static_cast<int>(m.friction_rule),
                                   static_cast<int>(m.restitution_rule));
    if (m.plane_normal) text += "planar " + text_of(*m.plane_normal) + "\n";
    for (const Body& b : m.bodies())
        text += b.name + " " + text_of(b.mass) + text_of(b.center) + text_of(b.inertia)
              + text_of(Pose{b.position, b.orientation}) + text_of(b.velocity)
              + text_of(b.angular_velocity) + "\n";
    for (const Joint& j : m.joints())
        text += fmt::format("{} {} ", j.name, to_string(j.type)) + text_of(j.a) + text_of(j.b)
              + text_of(j.at_a) + text_of(j.at_b) + text_of(j.axis) + text_of(j.axis_b)
              + text_of(j.length) + text_of(j.start_angle) + text_of(j.ratio) + text_of(j.first)
              + text_of(j.second) + "\n";
    for (const Drive& d : m.drives())
        text += fmt::format("{} drive {} ", d.name, static_cast<int>(d.control)) + text_of(d.joint)
              + text_of(d.target) + text_of(d.max_effort) + text_of(d.max_speed) + "\n";
    for (const Limit& l : m.limits())
        text += l.name + " limit " + text_of(l.joint) + text_of(l.min) + text_of(l.max)
              + text_of(l.restitution) + "\n";
    for (const Coordinate& c : m.coordinates())
        text +=
            c.name + " rotor " + text_of(c.joint) + text_of(c.inertia) + text_of(c.ratio) + "\n";
    text += forces_text(m);
    for (const Material& a : m.materials()) {
        text += a.name + " ";
        for (double x :
             {a.young, a.poisson, a.restitution, a.static_friction, a.kinetic_friction,
              a.viscous_friction, a.rolling_resistance, a.spinning_resistance, a.foundation})
            text += text_of(x);
        text += "\n";
    }
    for (const ContactPair& p : m.contact_pairs())
        text += "pair " + text_of(p.a) + text_of(p.b) + text_of(p.law) + "\n";
    for (const Shape& s : m.shapes())
        text += s.name + " " + std::visit(GeometryText{}, s.geometry) + text_of(s.body)
              + text_of(s.pose) + text_of(s.material) + fmt::format("{} {}\n", s.group, s.mask);
    for (const NoContact& n : m.no_contacts())
        text += "apart " + text_of(n.a) + text_of(n.b) + "\n";
    return text;
}

}  // namespace bristle
