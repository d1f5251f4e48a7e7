#pragma once

#include "scenes/plain/vec3.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// The 15-body machine as data: its chassis welded to the world, so that no wheel needs a ground, or
// standing on its wheels, which are spheres on the plane z = 0.

namespace bristle::bench::peers {

using scenes::plain::Vec3;
using scenes::plain::operator-, scenes::plain::operator+, scenes::plain::cross,
    scenes::plain::rotated_about_y;

struct Drive {
    double amplitude = 0.0;  // m/s or rad/s; zero holds the joint
    double frequency = 0.0;  // Hz
    double limit = 0.0;      // N or N m

    double angular_frequency() const { return 2 * 3.14159265358979323846 * frequency; }

    double speed(double time) const { return amplitude * std::sin(angular_frequency() * time); }

    /// Integral of the speed from the start.
    double travel(double time) const {
        if (frequency == 0.0) return 0.0;
        return amplitude / angular_frequency() * (1.0 - std::cos(angular_frequency() * time));
    }

    static Drive parse(const std::string& text) {
        Drive drive;
        char prefix = 0;
        if (std::sscanf(text.c_str(),
                        "extension speed %lf sin(2 pi %lf t) m/s, force limit %lf %cN",
                        &drive.amplitude, &drive.frequency, &drive.limit, &prefix)
                != 4
            && std::sscanf(text.c_str(), "speed 0, torque limit %lf %cN m", &drive.limit, &prefix)
                   != 2)
            throw std::runtime_error("drive not understood: '" + text + "'");
        drive.limit *= prefix == 'M' ? 1e6 : 1e3;
        return drive;
    }
};

struct MachineBody {
    std::string name;
    Vec3 position;  // of the centre of mass
    double angle;   // about y
    double mass;
    Vec3 inertia;  // about the centre of mass, in body axes

    Vec3 local_point(const Vec3& world) const { return local_direction(world - position); }
    Vec3 local_direction(const Vec3& world) const { return rotated_about_y(world, -angle); }
};

enum class JointType { revolute, universal, prismatic, spherical };

struct MachineJoint {
    JointType type;
    int a, b;  // indices of bodies
    Vec3 at;
    Vec3 axis;
    Vec3 second_axis;  // of a universal joint, fixed in b
    std::optional<Drive> drive;
};

struct MachineModel {
    static constexpr int chassis = 0;
    static constexpr double wheel_radius = 0.6;  // m
    static constexpr double friction = 0.8;
    double gravity = 0.0;  // along -z
    std::vector<MachineBody> bodies;
    std::vector<MachineJoint> joints;
    bool is_on_wheels = false;

    int find(const std::string& name) const {
        for (std::size_t k = 0; k < bodies.size(); ++k)
            if (bodies[k].name == name) return static_cast<int>(k);
        throw std::runtime_error("the machine has no body '" + name + "'");
    }

    int bucket() const { return find("bucket"); }

    bool all_cylinders_driven() const {
        for (const MachineJoint& joint : joints)
            if (joint.type == JointType::prismatic && !joint.drive) return false;
        return true;
    }

    static bool is_wheel(const MachineBody& body) { return body.name.rfind("wheel_", 0) == 0; }

    MachineModel standing_on_its_wheels() const {
        MachineModel copy = *this;
        copy.is_on_wheels = true;
        return copy;
    }

    /// The same machine with its bucket cylinder free to slide.
    MachineModel with_free_bucket_cylinder() const {
        MachineModel copy = *this;
        const int rod = find("bucket_rod");
        for (MachineJoint& joint : copy.joints)
            if (joint.type == JointType::prismatic && joint.b == rod) joint.drive.reset();
        return copy;
    }

    static MachineModel load(const std::string& path) {
        std::ifstream file(path);
        if (!file) throw std::runtime_error("cannot read " + path);
        const nlohmann::json data = nlohmann::json::parse(file);
        MachineModel machine;
        machine.gravity = -data.at("gravity").at(2).get<double>();
        for (const auto& body : data.at("bodies"))
            machine.bodies.push_back({body.at("name"), body.at("position"),
                                      body.at("rotation_about_y"), body.at("mass"),
                                      body.at("inertia")});
        if (machine.find("chassis") != chassis)
            throw std::runtime_error(path + ": the chassis must be the first body");
        for (const auto& joint : data.at("joints"))
            machine.joints.push_back(machine.read_joint(joint));
        return machine;
    }

  private:
    MachineJoint read_joint(const nlohmann::json& data) const {
        MachineJoint joint{type_of(data.at("type")),
                           find(data.at("a")),
                           find(data.at("b")),
                           data.at("at"),
                           {},
                           {},
                           {}};
        if (!data.at("axis").is_null()) joint.axis = data.at("axis");
        if (joint.type == JointType::universal) {
            const Vec3 cylinder = rotated_about_y({1.0, 0.0, 0.0}, bodies[joint.b].angle);
            joint.second_axis = cross(cylinder, joint.axis);
        }
        if (data.contains("drive")) joint.drive = Drive::parse(data.at("drive"));
        return joint;
    }

    static JointType type_of(const std::string& name) {
        if (name == "revolute") return JointType::revolute;
        if (name == "universal") return JointType::universal;
        if (name == "prismatic") return JointType::prismatic;
        if (name == "spherical") return JointType::spherical;
        throw std::runtime_error("unknown joint type '" + name + "'");
    }
};

}  // namespace bristle::bench::peers
