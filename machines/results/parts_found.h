// What the results of a machine are computed from (docs/excavator.md, "Report"), found in its model by the names of joints.
//
//     boom pivot, boom cylinder       or arm pivot, lift cylinder
//     bucket pivot, bucket cylinder   or bucket pivot, tilt cylinder
//     stick pivot, stick cylinder     a loader has none
//     swing                           left out: what carries the boom stands on the ground itself
//     blade cylinder, outrigger cylinder    supports, if there are some
//
// Cylinders are distances with a limit at either end. What moves them is a function of a circuit, or a hydraulic drive.
#pragma once

#include <bristle/world.h>

#include <optional>
#include <string>
#include <vector>

namespace bristle::machines {

// What moves a joint, and is commanded: a function of a circuit, or a drive.
struct Lever {
    std::string name;
    std::optional<ForceId> circuit;
    size_t input = 0;
    DriveId drive;
    void command(World&, double) const;
};

// Forces along a cylinder: the oil pushes it longer, or pulls.
struct CylinderForce {
    double push = unlimited, pull = unlimited;  // N
};

struct ArmCylinder {
    std::string name;
    JointId joint;
    double shortest = 0, longest = 0;  // m
    CylinderForce working;             // under the pump's relief pressure …
    CylinderForce holding;             // … and under that of its ports
    std::optional<Lever> lever;
};

struct Wheel {
    BodyId body;
    ForceId tyre;
    std::string name;  // of the tyre
};

struct PartsFound {
    std::optional<JointId> swing;
    BodyId base, carrier;         // what stands, and what swings on it and carries the boom
    std::vector<BodyId> moved;    // boom, bucket and all else that the carrier carries
    std::vector<BodyId> machine;  // all that joints connect
    BodyId boom, stick, bucket;   // without a stick of its own the boom is what holds the bucket
    JointId boom_pivot, bucket_pivot;
    std::optional<JointId> stick_pivot;
    std::vector<ArmCylinder> cylinders;  // boom, stick if there is one, bucket
    std::optional<Lever> swing_lever;
    std::vector<Lever> supports;  // of blade and outriggers
    std::vector<Wheel> wheels;
    std::optional<ForceId> travel;  // a drive train
    std::vector<ForceId> brakes;
    std::optional<ForceId> circuit;  // with an engine
    Vec3 hinge;                      // the bucket's pivot, in the stick
    Vec3 tip;  // of the bucket's shapes what is farthest from its pivot, in the bucket

    bool has_stick() const { return stick_pivot.has_value(); }
    const ArmCylinder& bucket_cylinder() const { return cylinders.back(); }
};

// Throws InputError that says which joints are needed and which are missing.
PartsFound parts_found(const Model&);

// Where a machine's numbers are told: the origin on the swing's axis (or where the boom turns), `ahead` in the arm's plane.
struct Axes {
    Vec3 origin, ahead{1, 0, 0}, left{0, 1, 0}, up{0, 0, 1};
    Vec3 of(Vec3 world) const {  // a point
        const Vec3 d = world - origin;
        return {dot(d, ahead), dot(d, left), dot(d, up)};
    }
};
// As the model stands at its start.
Axes axes_of(const Model&, const PartsFound&);

// ---- Parts of a model: copies without what does not matter ------------------------------------------------

// The arm alone, without forces, drives, stops and shapes; its carrier is held, and gravity is along the swing's axis.
Model arm_alone(const Model&, const PartsFound&);
// All of the machine, nothing else of the scene, and no ground; its base is held.
Model in_the_air(const Model&, const PartsFound&);
// All of the machine on a level plane under its wheels.
Model on_level_ground(const Model&, const PartsFound&);

}  // namespace bristle::machines
