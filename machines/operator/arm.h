// The geometry of an excavator's arm in its own plane: angles, teeth, and cylinders.
//
// All is in the frame of the platform: x ahead of the swing's axis, z up along it. An arm's links are vectors in the frames of boom,
// stick and bucket, rotated by angles about the pivots, counted upwards from the platform's x:
//
//     teeth = foot + R(boom) elbow + R(stick) wrist + R(bucket) tip
//
// Where the teeth and the bucket's angle are given, the wrist is; foot, elbow and wrist are a triangle, of whose two the one with
// the elbow above is the machine's. A cylinder's length follows from the angle between the bodies it joins; the bucket's through
// rocker and coupler, by the cosine rule.
#pragma once

#include <bristle/model.h>

#include <array>
#include <optional>

namespace bristle::machines {

// A point in the arm's plane, or a vector.
struct InPlane {
    double x = 0, z = 0;

    constexpr InPlane operator+(InPlane o) const { return {x + o.x, z + o.z}; }
    constexpr InPlane operator-(InPlane o) const { return {x - o.x, z - o.z}; }
    InPlane turned(double angle) const {
        const double c = std::cos(angle), s = std::sin(angle);
        return {c * x - s * z, s * x + c * z};
    }
    double size() const { return std::hypot(x, z); }
    double angle() const { return std::atan2(z, x); }
};

struct ArmAngles {
    double boom = 0, stick = 0, bucket = 0;  // rad, above the platform's x
};
// What an operator means: where the teeth are and how the bucket stands, `attack` being the direction from its pivot to the teeth.
struct TipPose {
    double reach = 0, height = 0;  // m: from the swing's axis, above the turntable
    double attack = 0;             // rad: −π/2 is straight down, −π with the mouth level
};
using Cylinders = std::array<double, 3>;  // of boom, stick and bucket: m, or m/s

class ArmGeometry {
  public:
    struct Cylinder {
        InPlane on_a, on_b;  // in the frames of the two bodies
        double shortest = 0, longest = unlimited;
    };
    InPlane foot;               // in the platform
    InPlane elbow, wrist, tip;  // in boom, stick and bucket
    Cylinder boom, stick;
    // Of the bucket: from the stick to a pin of the rocker, which the coupler joins to the bucket.
    Cylinder bucket;
    InPlane rocker_pivot, rocker_pin, coupler_pin;  // in stick, rocker and bucket
    double coupler = 0;                             // m

    TipPose tip_at(const ArmAngles&) const;
    // Nothing where the arm is too short, or too long.
    std::optional<ArmAngles> angles_at(const TipPose&) const;
    std::optional<Cylinders> cylinders_at(const ArmAngles&) const;
    // Both, if no cylinder has to go beyond its ends, less a margin in m.
    std::optional<Cylinders> reached(const TipPose&, double margin = 0) const;
    // What moves a tip at this pose with these rates: along reach and height in m/s, attack in rad/s.
    std::optional<Cylinders> rates_at(const TipPose& pose, const TipPose& rate) const;
};

}  // namespace bristle::machines
