// Forces with a memory: what has pressures, engine speeds or slips of its own besides the bodies' motion, and levers.
//
//     struct Leak : StatefulLaw { … };
//     const ForceId cylinder = model.add(StatefulForce{.law = std::make_shared<Leak>(), .joints = {rod}});
//     world.command(cylinder, 0, 0.5);   // its first input
//     world.memory(cylinder)[0];         // its first number
//
// It acts along *ways*: one for each of its joints, along the joint's coordinate, and three for each of its points, of a body that
// pushes against scenery there. A step asks the law what it does if every way ends at such a place with such a rate. The law goes
// from its memory at the beginning to that at the end, by whatever rule suits it, and tells the mean efforts of the step and how
// they resist. Both solvers look for the motion that goes with those efforts (Newton's method, with what is told of resistance), so
// that what is stiff needs no shorter step if the law's own rule needs none. Memory and inputs are in the state of the world: in
// snapshots, hashes and keyframes.
#pragma once

#include <bristle/function.h>
#include <bristle/math.h>
#include <bristle/shape.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bristle {

using JointId = Id<struct JointTag>;

// Where a ray meets scenery: shapes of the ground.
struct SceneryHit {
    double distance = 0;  // m
    Vec3 point, normal;   // unit, against the ray
    MaterialId material;
};
class Scenery {
  public:
    virtual ~Scenery() = default;
    virtual std::optional<SceneryHit> cast_ray(Vec3 origin, Vec3 direction,
                                               double length) const = 0;
};

// Where a point of a body acts in this step, and along which directions: settled when the step begins.
struct PointAim {
    Vec3 at;                                                      // world
    std::array<Vec3, 3> axis{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // orthonormal
    std::array<double, 8> noted{};  // what the law wants to know of it in this step
};

// What a law is asked, and where it answers. Lists are by ways: joints, then points, along their axes; matrices by rows, an
// effort each, and zero before they are filled.
struct LawStep {
    double time = 0;  // s: when the step ends
    double step = 0;  // s: how long it is
    std::span<const double> inputs;
    std::span<const double> before;  // memory when the step began
    std::span<const PointAim> aims;
    // A joint's coordinate, or how far a point has gone in this step; and how fast. A point keeps its place against the body's
    // frame but does not turn with it: where a wheel touches, and its rate is that of the tread there.
    std::span<const double> start, start_rate, end, end_rate;

    std::span<double> memory;  // when the step ends
    std::span<double>
        effort;  // mean of the step, N or N m; on b of a joint, on the body of a point
    std::span<double> stiffness;  // −∂ effort / ∂ end
    std::span<double> damping;    // −∂ effort / ∂ end_rate
};

// What people and tables call an input, and the ends that a lever of it needs.
struct LawInput {
    std::string name;
    double low = -1, high = 1;
};
// A number that a law tells of its memory.
struct LawReading {
    std::string name, unit;
};

// The same answer to the same question; it is asked several times a step. Nothing may be allocated.
class StatefulLaw {
  public:
    virtual ~StatefulLaw() = default;
    virtual size_t memory_size() const = 0;
    virtual size_t input_count() const { return 0; }
    // For channels, tables and plots: inputs by names of their own ("input 0", if it says none), and what can be read. Inputs that
    // are not for people come last, and are left out.
    virtual std::vector<LawInput> inputs() const;
    virtual std::vector<LawReading> readings() const { return {}; }
    virtual double read(size_t reading, std::span<const double> memory) const;
    // Both come filled with zeros.
    virtual void start(std::span<double> memory, std::span<double> inputs) const;
    // For point `index`, when a step begins. A law without points has nothing to aim.
    virtual PointAim aim(size_t index, const Pose&, const Twist&, std::span<const double> inputs,
                         std::span<const double> memory, const Scenery&) const;
    virtual void step(const LawStep&) const = 0;
};

struct StatefulForce {
    std::shared_ptr<const StatefulLaw> law;
    std::vector<JointId> joints;
    std::vector<BodyId> points;
    std::string name;
    // Instead of commands: inputs as functions of time. Shorter than the law's inputs, or empty ones: commanded.
    std::vector<TimeFunction> inputs = {};

    bool is_commanded(size_t input) const { return input >= inputs.size() || !inputs[input]; }
};

}  // namespace bristle
