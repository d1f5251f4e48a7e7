#include "machines/operator/arm.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {
namespace {

// Between two bodies that turn about a common pivot, a point of each.
double length(InPlane on_a, InPlane pivot, InPlane on_b, double angle) {
    return (pivot + on_b.turned(angle) - on_a).size();
}

}  // namespace

TipPose ArmGeometry::tip_at(const ArmAngles& a) const {
    const InPlane teeth =
        foot + elbow.turned(a.boom) + wrist.turned(a.stick) + tip.turned(a.bucket);
    return {teeth.x, teeth.z, a.bucket + tip.angle()};
}

std::optional<ArmAngles> ArmGeometry::angles_at(const TipPose& pose) const {
    const double bucket_angle = pose.attack - tip.angle();
    const InPlane to_wrist = InPlane{pose.reach, pose.height} - tip.turned(bucket_angle) - foot;
    const double first = elbow.size(), second = wrist.size(), way = to_wrist.size();
    const double cosine = (first * first + way * way - second * second) / (2 * first * way);
    if (!(std::abs(cosine) <= 1)) return {};
    const double line = to_wrist.angle() + std::acos(cosine);
    const InPlane to_elbow{first * std::cos(line), first * std::sin(line)};
    return ArmAngles{line - elbow.angle(), (to_wrist - to_elbow).angle() - wrist.angle(),
                     bucket_angle};
}

std::optional<Cylinders> ArmGeometry::cylinders_at(const ArmAngles& a) const {
    // The rocker, seen from its pivot in the stick: the coupler's pin on the bucket is `way` off.
    const InPlane pin = wrist + coupler_pin.turned(a.bucket - a.stick) - rocker_pivot;
    const double rocker = rocker_pin.size(), way = pin.size();
    const double cosine = (rocker * rocker + way * way - coupler * coupler) / (2 * rocker * way);
    if (!(std::abs(cosine) <= 1)) return {};
    const double line = pin.angle() + std::acos(cosine);
    const InPlane end = rocker_pivot + InPlane{rocker * std::cos(line), rocker * std::sin(line)};
    return Cylinders{length(boom.on_a, foot, boom.on_b, a.boom),
                     length(stick.on_a, elbow, stick.on_b, a.stick - a.boom),
                     (end - bucket.on_a).size()};
}

std::optional<Cylinders> ArmGeometry::reached(const TipPose& pose, double margin) const {
    const std::optional<ArmAngles> angles = angles_at(pose);
    if (!angles) return {};
    const std::optional<Cylinders> lengths = cylinders_at(*angles);
    if (!lengths) return {};
    size_t i = 0;
    for (const Cylinder* c : {&boom, &stick, &bucket}) {
        const double is = (*lengths)[i++];
        if (is < c->shortest + margin || is > c->longest - margin) return {};
    }
    return lengths;
}

std::optional<Cylinders> ArmGeometry::rates_at(const TipPose& pose, const TipPose& rate) const {
    // Differences of closed forms: their error is some 1e-8 of the rate.
    const double h = 1e-4;
    const auto at = [&](double t) -> std::optional<Cylinders> {
        const std::optional<ArmAngles> angles =
            angles_at({pose.reach + t * rate.reach, pose.height + t * rate.height,
                       pose.attack + t * rate.attack});
        if (!angles) return {};
        return cylinders_at(*angles);
    };
    const std::optional<Cylinders> before = at(-h), after = at(h);
    if (!before || !after) return {};
    Cylinders out{};
    for (size_t i = 0; i < out.size(); ++i) out[i] = ((*after)[i] - (*before)[i]) / (2 * h);
    return out;
}

}  // namespace bristle::machines
