// Everything that changes the motion of a running scene. With the step it was applied at, it is all that a
// simulation needs besides the scene to be done again, bit by bit.
#pragma once

#include <bristle/model.h>

#include <cstdint>
#include <string>
#include <variant>

namespace bristle::live {

// A drive's target or a motor's effort.
struct CommandDrive {
    DriveId drive;
    double value = 0;
};
struct CommandMotor {
    ForceId motor;
    double value = 0;
};
// An input of a stateful force: a lever, a pedal.
struct CommandInput {
    ForceId force;
    uint32_t input = 0;
    double value = 0;
};
// A spring with a damper, as stiff as the body allows, from a point of the body to a point of the world.
// One body is held at a time.
struct Grab {
    BodyId body;
    Vec3 at;  // in the body
    Vec3 to;
};
struct MoveGrab {
    Vec3 to;
};
struct ReleaseGrab {};
struct AddBody {
    Geometry geometry;      // sphere, box, capsule, cylinder, or a prism: a polyhedron
    double density = 1000;  // kg/m³
    double mass = 0;        // kg; zero: by the density
    std::string material;   // empty: the first one
    Vec3 position;
    Quat orientation;
    Vec3 velocity;
    std::string name;  // empty: one that is free
};
struct AddSpring {
    BodyId a, b;
    Vec3 at_a, at_b;  // in the bodies; it starts without tension
    double stiffness = 0, damping = 0;
    std::string name;
};
struct AddJoint {
    JointType type = JointType::fixed;  // fixed, revolute, prismatic, spherical or distance
    BodyId a, b;
    Vec3 at;    // world; of a distance: b's end, a's is the body's centre
    Vec3 axis;  // world
    std::string name;
};
using Removed = std::variant<BodyId, JointId, ForceId>;
struct Remove {
    Removed what;
};

using Input = std::variant<CommandDrive, CommandMotor, CommandInput, Grab, MoveGrab, ReleaseGrab,
                           AddBody, AddSpring, AddJoint, Remove>;
struct InputAt {
    uint64_t step = 0;  // it is applied before this step is computed
    Input input;
};

}  // namespace bristle::live
