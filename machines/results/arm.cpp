#include "machines/results/arm.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bristle::machines {
Arm::Arm(const Model& original, PartsFound parts, WithBucket with_bucket, double load)
    : parts_(std::move(parts)), axes_(axes_of(original, parts_)) {
    Model model = arm_alone(original, parts_);
    if (with_bucket == WithBucket::no) model.remove(parts_.bucket);
    for (const ArmCylinder& c : parts_.cylinders)
        drives_.push_back(model.add(Drive{.joint = c.joint, .name = c.name}));
    if (load > 0) {
        const Vec3 at = original.joints()[parts_.bucket_pivot.index].at_a;
        const BodyId weight = model.add(Body::point(load).at(at).named("load"));
        model.add(Fixed{.a = parts_.stick, .b = weight, .at = at});
    }
    for (uint32_t i = 1; i < model.bodies().size(); ++i)
        if (model.contains(BodyId{i})) mass_ += model.bodies()[i].mass;
    world_.emplace(model);
    for (size_t i = 0; i < count(); ++i)
        lengths_[i] = world_->coordinate(parts_.cylinders[i].joint);
    try {
        guide(lengths_, {});
    } catch (const SimulationError& e) {
        throw InputError(
            fmt::format("the arm is not moved by its {} cylinders alone: {}", count(), e.what()));
    }
}

void Arm::guide(const Lengths& lengths, const Lengths& rates) {
    std::array<DriveMotion, most_cylinders> motion;
    for (size_t i = 0; i < count(); ++i) motion[i] = {drives_[i], lengths[i], rates[i], 0};
    world_->guide(std::span(motion.data(), count()));
    lengths_ = lengths;
}

bool Arm::place(const Lengths& lengths) {
    // A way of a decimetre at most: from farther away the other side of a linkage could be found.
    const Lengths begin = lengths_;
    double way = 0;
    for (size_t i = 0; i < count(); ++i) way = std::max(way, std::abs(lengths[i] - begin[i]));
    const int pieces = std::max(1, static_cast<int>(std::ceil(10 * way)));
    try {
        for (int piece = 1; piece < pieces; ++piece) {
            Lengths between = begin;
            for (size_t i = 0; i < count(); ++i)
                between[i] += (lengths[i] - begin[i]) * piece / pieces;
            guide(between, {});
        }
        guide(lengths, {});
        return true;
    } catch (const SimulationError&) {  // it would have to come apart
        return false;
    }
}

Lengths Arm::at_shares(double boom, double stick, double bucket) const {
    const std::array<double, most_cylinders> share =
        count() == 3 ? std::array{boom, stick, bucket} : std::array{boom, bucket, 0.0};
    Lengths out{};
    for (size_t i = 0; i < count(); ++i) {
        const ArmCylinder& c = parts_.cylinders[i];
        out[i] = c.shortest + share[i] * (c.longest - c.shortest);
    }
    return out;
}

Vec3 Arm::point(BodyId body, Vec3 local) const { return axes_.of(world_->point(body, local)); }
Vec3 Arm::tip() const { return point(parts_.bucket, parts_.tip); }
Vec3 Arm::bucket_pivot() const { return point(parts_.stick, parts_.hinge); }
Vec3 Arm::center_of_mass() const { return axes_.of(world_->center_of_mass()); }

Pose Arm::pose(BodyId body) const {
    const Pose p = world_->pose(body);
    const Mat3 turn = Mat3::columns(axes_.ahead, axes_.left, axes_.up).transposed();
    return {axes_.of(p.position), Quat::from(turn * p.orientation.matrix())};
}

Vec3 Arm::tip_rate(size_t cylinder) {
    Lengths rates{};
    rates[cylinder] = 1;
    guide(lengths_, rates);
    const Vec3 v = world_->point_velocity(parts_.bucket, parts_.tip);
    guide(lengths_, {});
    return {dot(v, axes_.ahead), dot(v, axes_.left), dot(v, axes_.up)};
}

std::array<double, most_cylinders> Arm::forces() const {
    std::array<double, most_cylinders> out{};
    for (size_t i = 0; i < count(); ++i) out[i] = world_->effort(drives_[i]);
    return out;
}

bool Arm::reach(double radius, double height) {
    // Newton's method in the lengths of boom and stick; 1 mm of them for the derivatives. Steps of at most a tenth of a stroke: the
    // levers change with the way.
    constexpr double small = 1e-3, near = 1e-7;  // m
    const auto error = [&](double& r, double& h) {
        const Vec3 p = bucket_pivot();
        r = radius - p.x;
        h = height - p.z;
    };
    for (int i = 0; i < 60; ++i) {
        double r = 0, h = 0;
        error(r, h);
        if (std::hypot(r, h) < near) return true;
        const Lengths here = lengths_;
        double by[2][2];
        for (size_t k = 0; k < 2; ++k) {
            const ArmCylinder& c = parts_.cylinders[k];
            const double way = here[k] + small < c.longest ? small : -small;
            Lengths there = here;
            there[k] += way;
            if (!place(there)) return false;
            double r_there = 0, h_there = 0;
            error(r_there, h_there);
            by[0][k] = (r - r_there) / way;
            by[1][k] = (h - h_there) / way;
        }
        const double det = by[0][0] * by[1][1] - by[0][1] * by[1][0];
        Lengths next = here;
        const double step[2] = {(r * by[1][1] - h * by[0][1]) / det,
                                (h * by[0][0] - r * by[1][0]) / det};
        double shorten = 1;
        for (size_t k = 0; k < 2; ++k) {
            const ArmCylinder& c = parts_.cylinders[k];
            shorten = std::min(shorten, 0.1 * (c.longest - c.shortest) / std::abs(step[k]));
        }
        for (size_t k = 0; k < 2; ++k) {
            const ArmCylinder& c = parts_.cylinders[k];
            next[k] = std::clamp(here[k] + shorten * step[k], c.shortest, c.longest);
        }
        if (!std::isfinite(det) || det == 0 || next == here || !place(next)) return false;
    }
    return false;
}

}  // namespace bristle::machines
