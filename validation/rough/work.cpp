// Work of drives and gaps of joints, from what a world tells.
#include "validation/rough/account.h"

#include <algorithm>
#include <cmath>

namespace bristle::validation::rough {
namespace {

struct Look : Kinematics {
    const World& world;
    explicit Look(const World& w) : world(w) {}
    double time() const override { return world.time(); }
    Pose pose(BodyId b) const override { return world.pose(b); }
    Twist twist(BodyId b) const override { return world.twist(b); }
};

struct Power : ForceSink {
    const World& world;
    double watts = 0;
    explicit Power(const World& w) : world(w) {}
    void add_force(BodyId b, Vec3 force, Vec3 at) override {
        const Twist t = world.twist(b);
        watts += dot(force, t.linear + cross(t.angular, at - world.pose(b).position));
    }
    void add_torque(BodyId b, Vec3 torque) override {
        watts += dot(torque, world.twist(b).angular);
    }
};

Vec3 local(const Body& body, Vec3 at) {
    return body.orientation.matrix().transposed() * (at - body.position);
}

}  // namespace

Work::Work(const World& world) {
    const Model& model = world.model();
    for (uint32_t i = 0; i < model.drives().size(); ++i) {
        const Drive& drive = model.drives()[i];
        if (model.contains(DriveId{i}))
            sources_.push_back({drive.joint, i, false, drive.max_effort, 0, 0, 0});
    }
    for (uint32_t i = 0; i < model.motors().size(); ++i)
        if (model.motors()[i].effort)
            sources_.push_back({model.motors()[i].joint, i, true, 0, 0, 0, 0});
    for (Source& s : sources_) {
        s.coordinate = world.coordinate(s.joint);
        s.rate = world.coordinate_rate(s.joint);
        s.effort = effort(world, s);
    }
    user_power_ = power_of_users(world);
}

double Work::effort(const World& world, const Source& s) const {
    if (!s.is_motor) return world.effort(DriveId{s.index});
    const Motor& motor = world.model().motors()[s.index];
    const double full = motor.effort(world.time());
    if (!(motor.no_load_speed < unlimited) || full == 0) return full;
    return full
         * (1 - std::copysign(1, full) * world.coordinate_rate(s.joint) / motor.no_load_speed);
}

double Work::power_of_users(const World& world) const {
    Power power(world);
    for (const UserForce& f : world.model().user_forces()) f.apply(Look(world), power);
    return power.watts;
}

// A drive that gets to another rate within a step tells its effort before and after, and not the one that took it there:
// that may have been all it has.
double Work::most(const Source& before, const Source& after) {
    const double way = after.coordinate - before.coordinate;
    const double told = std::max(before.effort * way, after.effort * way);
    const bool jumps = std::abs(after.rate - before.rate)
                     > 0.1 * std::max(std::abs(after.rate), std::abs(before.rate));
    return jumps && after.strongest < unlimited ? std::max(told, after.strongest * std::abs(way))
                                                : told;
}

void Work::update(const World& world, double step) {
    for (Source& s : sources_) {
        Source now = s;
        now.coordinate = world.coordinate(s.joint);
        now.rate = world.coordinate_rate(s.joint);
        now.effort = effort(world, s);
        const double way = now.coordinate - s.coordinate;
        by_end_ += now.effort * way;
        by_mean_ += (now.effort + s.effort) / 2 * way;
        if (s.is_motor) {
            at_most_ += most(s, now);
        } else {
            now.work = world.work(DriveId{s.index});
            at_most_ += now.work - s.work;
        }
        s = now;
    }
    if (world.model().user_forces().empty()) return;
    const double power = power_of_users(world), work = step * (user_power_ + power) / 2;
    by_end_ += work;
    by_mean_ += work;
    at_most_ += work;
    user_power_ = power;
}

JointGaps::JointGaps(const Model& model) {
    for (uint32_t i = 0; i < model.joints().size(); ++i) {
        const Joint& j = model.joints()[i];
        if (!model.contains(JointId{i}) || j.type == JointType::gear) continue;
        if (j.type == JointType::distance && model.is_acted_on({i})) continue;  // a free strut
        const Body &a = model.bodies()[j.a.index], &b = model.bodies()[j.b.index];
        sides_.push_back({i, j.type, j.a, j.b, local(a, j.at_a), local(b, j.at_b),
                          a.orientation.matrix().transposed() * j.axis, j.length});
    }
}

JointGaps::Gap JointGaps::worst(const World& world) const {
    Gap out;
    for (const Side& s : sides_) {
        const Pose a = world.pose(s.a);
        const Vec3 apart = world.pose(s.b) * s.at_b - a * s.at_a;
        const Vec3 axis = a.orientation.matrix() * s.axis;
        double gap = norm(apart);
        switch (s.type) {
            case JointType::distance: gap = std::abs(gap - s.length); break;
            case JointType::prismatic:
            case JointType::cylindrical:
            case JointType::screw:
            case JointType::point_on_line: gap = norm(cross(apart, axis)); break;
            case JointType::planar:
            case JointType::point_on_plane: gap = std::abs(dot(apart, axis)); break;
            default: break;
        }
        if (gap > out.distance) out = {gap, s.joint};
    }
    return out;
}

}  // namespace bristle::validation::rough
