// The 15-body machine, from the same file the peers' programs read.
#include "scenes/machine15_json.h"
#include "scenes/mechanisms.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace bristle::scenes {
namespace {

Vec3 vec3(const nlohmann::json& j) { return {j.at(0), j.at(1), j.at(2)}; }

// Under a quarter of the machine, some 49 kN, a wheel gives way by 14 mm.
constexpr double wheel_radius = 0.6, wheel_stiffness = 3e7, wheel_friction = 0.8;

void put_on_wheels(Model& m) {
    const MaterialId rubber = m.add(Material{.name = "rubber"}),
                     soil = m.add(Material{.name = "soil"});
    m.add(ContactPair{.a = rubber,
                      .b = soil,
                      .law = {.stiffness = wheel_stiffness,
                              .restitution = 0.3,
                              .static_friction = wheel_friction,
                              .kinetic_friction = wheel_friction}});
    for (uint32_t i = 1; i < m.bodies().size(); ++i)
        if (m.bodies()[i].name.starts_with("wheel"))
            m.add(Shape{.body = {i}, .geometry = Sphere{wheel_radius}, .material = rubber});
    m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = soil});
}

double cylinder_speed(double t) { return 0.1 * std::sin(2 * pi * 0.25 * t); }

}  // namespace

const char* machine15_data() { return machine15_json; }

Machine15 machine15(Machine15::Variant variant) {
    const auto data = nlohmann::json::parse(machine15_json);
    Machine15 out;
    Model& m = out.model;
    m.gravity = vec3(data.at("gravity"));
    std::map<std::string, BodyId> body;
    std::map<std::string, Pose> start;
    std::map<std::string, double> angle;
    for (const auto& b : data.at("bodies")) {
        const std::string name = b.at("name");
        Body described;
        described.name = name;
        described.mass = b.at("mass");
        described.inertia = Mat3::diagonal(vec3(b.at("inertia")));
        described.position = vec3(b.at("position"));
        described.orientation = Quat::about({0, 1, 0}, b.at("rotation_about_y"));
        angle[name] = b.at("rotation_about_y");
        start[name] = {described.position, described.orientation};
        body[name] = m.add(described);
    }
    if (variant == Machine15::Variant::on_wheels)
        put_on_wheels(m);
    else
        m.add(Fixed{.a = m.ground(), .b = body.at("chassis")});
    const auto local = [&](const std::string& name, Vec3 at) {
        return start.at(name).orientation.matrix().transposed() * (at - start.at(name).position);
    };
    Vec3 cylinder_axis;
    for (const auto& j : data.at("joints")) {
        const std::string type = j.at("type"), a = j.at("a"), b = j.at("b");
        const Vec3 at = vec3(j.at("at"));
        const std::string name = fmt::format("{} - {}", a, b);
        if (type == "revolute") {
            const JointId joint = m.add(Revolute{.a = body.at(a),
                                                 .b = body.at(b),
                                                 .at = at,
                                                 .axis = vec3(j.at("axis")),
                                                 .name = name});
            const double torque = b.starts_with("wheel") ? 20e3 : b == "platform" ? 1e6 : 0;
            if (torque > 0)
                m.add(Drive{.joint = joint,
                            .control = Drive::Control::speed,
                            .target = 0,
                            .max_effort = torque,
                            .name = name});
        } else if (type == "universal") {
            m.add(Universal{.a = body.at(a),
                            .b = body.at(b),
                            .at = at,
                            .axis_a = {0, 1, 0},
                            // Perpendicular to the cylinder in the x-z plane.
                            .axis_b = {-std::sin(angle.at(b)), 0, -std::cos(angle.at(b))},
                            .name = name});
        } else if (type == "prismatic") {
            const JointId joint = m.add(Prismatic{.a = body.at(a),
                                                  .b = body.at(b),
                                                  .at = at,
                                                  .axis = vec3(j.at("axis")),
                                                  .name = name});
            if (variant != Machine15::Variant::welded_with_free_cylinder || a != "bucket_cylinder")
                out.cylinders.push_back(m.add(Drive{.joint = joint,
                                                    .control = Drive::Control::speed,
                                                    .target = cylinder_speed,
                                                    .max_effort = 1e6,
                                                    .name = name}));
        } else if (type == "spherical") {
            m.add(Spherical{.a = body.at(a), .b = body.at(b), .at = at, .name = name});
            out.loops.push_back({body.at(a), body.at(b), local(a, at), local(b, at)});
        } else {
            throw InputError(fmt::format("machine15.json: joint type '{}' is not known", type));
        }
    }
    out.chassis = body.at("chassis");
    out.bucket = body.at("bucket");
    return out;
}

}  // namespace bristle::scenes
