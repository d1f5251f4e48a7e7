#include "lagrange/kinematics.h"

namespace bristle::lagrange {
namespace {

Vec3 value(const Combination& c, const Vec4* entities, bool with_constant = true) {
    Vec4 sum = with_constant ? to_vec4(c.constant) : Vec4{};
    for (const auto& t : c.terms) sum = fma(t.coefficient, entities[t.entity], sum);
    return to_vec3(sum);
}

void spread(const Combination& c, Vec3 force, Vec4* generalized) {
    const Vec4 f = to_vec4(force);
    for (const auto& t : c.terms)
        generalized[t.entity] = fma(t.coefficient, f, generalized[t.entity]);
}

struct FrameNow {
    Vec3 origin;
    Vec3 axis[3];  // completed to three if fewer are represented
    Vec3 start[3];
    size_t rank;  // how many are
};

FrameNow frame_now(const GroupFrame& f, const Vec4* q) {
    FrameNow now{};
    now.origin = value(f.origin, q);
    now.rank = f.axis.size();
    for (size_t k = 0; k < now.rank; ++k) {
        now.axis[k] = value(f.axis[k], q);
        now.start[k] = f.axis_start[k];
    }
    return now;
}

void complete(FrameNow& f) {
    if (f.rank == 0) {
        for (int k = 0; k < 3; ++k) {
            f.start[k] = {k == 0 ? 1. : 0, k == 1 ? 1. : 0, k == 2 ? 1. : 0};
            f.axis[k] = f.start[k];
        }
    } else if (f.rank == 1) {
        // A rod has no turn about itself: the shortest rotation from its start is as good as any.
        f.start[1] = any_perpendicular(f.start[0]);
        const Vec3 from = f.start[0], to = normalized(f.axis[0]);
        const double c = dot(from, to);
        if (c < -1 + 1e-9) {
            f.axis[1] = f.start[1];
        } else {
            const Vec3 w = cross(from, to);
            const Vec3 s = f.start[1];
            f.axis[1] = s + cross(w, s) + (1 / (1 + c)) * cross(w, cross(w, s));
        }
        f.start[2] = cross(f.start[0], f.start[1]);
        f.axis[2] = cross(f.axis[0], f.axis[1]);
    } else if (f.rank == 2) {
        f.start[2] = cross(f.start[0], f.start[1]);
        f.axis[2] = cross(f.axis[0], f.axis[1]);
    }
}

Mat3 rotation(const FrameNow& f) {
    // Σ now startᵀ, made a rotation again: the entities obey their constraints to 1e-12 only.
    Vec3 x = normalized(f.axis[0]);
    Vec3 y = normalized(f.axis[1] - dot(f.axis[1], x) * x);
    Vec3 z = cross(x, y);
    const double handed = dot(cross(f.start[0], f.start[1]), f.start[2]) > 0 ? 1 : -1;
    return Mat3::outer(x, f.start[0]) + Mat3::outer(y, f.start[1])
         + Mat3::outer(handed * z, f.start[2]);
}

Vec3 angular_velocity(const GroupFrame& frame, FrameNow& f, const Vec4* v) {
    Vec3 rate[3];
    for (size_t k = 0; k < f.rank; ++k) rate[k] = value(frame.axis[k], v, false);
    return spin_of(f.axis, rate, f.rank);
}

const GroupFrame& frame_of(const System& s, BodyId body) {
    return s.frames[s.group_of[body.index]];
}

}  // namespace

bool is_mirrored(const System& system, const Vec4* q) {
    for (const GroupFrame& frame : system.frames) {
        if (frame.axis.size() < 3) continue;
        const FrameNow f = frame_now(frame, q);
        const double now = dot(cross(f.axis[0], f.axis[1]), f.axis[2]),
                     at_start = dot(cross(f.start[0], f.start[1]), f.start[2]);
        if (now * at_start < 0) return true;
    }
    return false;
}

Mat3 group_rotation(const GroupFrame& frame, const Vec4* q) {
    FrameNow now = frame_now(frame, q);
    complete(now);
    return rotation(now);
}

void group_axes(const GroupFrame& frame, const Vec4* q, Vec4& origin, Vec4 axis[3]) {
    const auto sum = [q](const Combination& c) {
        Vec4 out = to_vec4(c.constant);
        for (const auto& t : c.terms) out = fma(t.coefficient, q[t.entity], out);
        return out;
    };
    if (frame.axis.size() == 3) {
        origin = sum(frame.origin);
        for (size_t k = 0; k < 3; ++k) axis[k] = sum(frame.axis[k]);
        return;
    }
    FrameNow now = frame_now(frame, q);
    complete(now);
    origin = to_vec4(now.origin);
    for (int k = 0; k < 3; ++k) axis[k] = to_vec4(now.axis[k]);
}

Pose body_pose(const System& system, const Vec4* q, BodyId id) {
    const Body& body = system.model().bodies()[id.index];
    if (system.group_of[id.index] == 0) return {body.position, body.orientation};
    const GroupFrame& frame = frame_of(system, id);
    FrameNow now = frame_now(frame, q);
    complete(now);
    const Mat3 r = rotation(now);
    return {now.origin + r * (body.position - frame.center_start),
            Quat::from(r * body.orientation.matrix())};
}

Twist body_twist(const System& system, const Vec4* q, const Vec4* v, BodyId id) {
    if (system.group_of[id.index] == 0) return {};
    const GroupFrame& frame = frame_of(system, id);
    FrameNow now = frame_now(frame, q);
    const Vec3 omega = angular_velocity(frame, now, v);
    complete(now);
    const Vec3 arm =
        rotation(now) * (system.model().bodies()[id.index].position - frame.center_start);
    return {value(frame.origin, v, false) + cross(omega, arm), omega};
}

Vec3 carry_point(const System& s, const Vec4* q, BodyId id, Vec3 at_start) {
    if (s.group_of[id.index] == 0) return at_start;
    const GroupFrame& f = s.frames[s.group_of[id.index]];
    const Body& body = s.model().bodies()[id.index];
    const Pose pose = body_pose(s, q, id);
    return pose.position + group_rotation(f, q) * (at_start - body.position);
}

Vec3 carry_axis(const System& s, const Vec4* q, BodyId id, Vec3 at_start) {
    if (s.group_of[id.index] == 0) return at_start;
    return group_rotation(s.frames[s.group_of[id.index]], q) * at_start;
}

Vec3 point_rate(const System& system, const Vec4* q, const Vec4* rate, BodyId id, Vec3 at) {
    if (system.group_of[id.index] == 0) return {};
    const GroupFrame& frame = frame_of(system, id);
    const FrameNow now = frame_now(frame, q);
    Vec3 out = value(frame.origin, rate, false);
    for (size_t k = 0; k < now.rank; ++k)
        out += dot(now.axis[k], at - now.origin) * value(frame.axis[k], rate, false);
    return out;
}

Wrench inertia_force(const System& system, const Vec4* q, const Vec4* a, BodyId id) {
    if (system.group_of[id.index] == 0) return {};
    const Body& body = system.model().bodies()[id.index];
    const GroupFrame& frame = frame_of(system, id);
    FrameNow now = frame_now(frame, q);
    Vec3 rate[3];
    for (size_t k = 0; k < now.rank; ++k) rate[k] = value(frame.axis[k], a, false);
    // In group coordinates at the start: centre of mass and second moments of this body alone.
    const Mat3 r = body.orientation.matrix();
    const Vec3 c = Pose{body.position, body.orientation} * body.center - frame.center_start;
    const Mat3 own = 0.5 * body.inertia.trace() * Mat3::identity() - body.inertia;
    const Mat3 second = r * own * r.transposed();
    Vec3 center = now.origin, center_rate = value(frame.origin, a, false);
    for (size_t k = 0; k < now.rank; ++k) {
        const double x = dot(frame.axis_start[k], c);
        center += x * now.axis[k];
        center_rate += x * rate[k];
    }
    Wrench m{body.mass * center_rate, cross(center, body.mass * center_rate)};
    for (size_t i = 0; i < now.rank; ++i)
        for (size_t j = 0; j < now.rank; ++j)
            m.moment += dot(frame.axis_start[i], second * frame.axis_start[j])
                      * cross(now.axis[i], rate[j]);
    return m;
}

void add_momentum(const System& system, BodyId id, const Twist& twist, Vec4* momentum) {
    if (system.group_of[id.index] == 0) return;
    const Body& body = system.model().bodies()[id.index];
    const GroupFrame& frame = frame_of(system, id);
    const Mat3 r = body.orientation.matrix();
    const Vec3 center = Pose{body.position, body.orientation} * body.center;
    const Vec3 velocity = twist.linear + cross(twist.angular, center - body.position);
    const Mat3 second =
        r * (0.5 * body.inertia.trace() * Mat3::identity() - body.inertia) * r.transposed();
    spread(frame.origin, body.mass * velocity, momentum);
    for (size_t k = 0; k < frame.axis.size(); ++k) {
        const double x = dot(frame.axis_start[k], center - frame.center_start);
        spread(frame.axis[k],
               x * body.mass * velocity + cross(twist.angular, second * frame.axis_start[k]),
               momentum);
    }
}

void apply_force(const System& system, const Vec4* q, BodyId id, Vec3 force, Vec3 at,
                 Vec4* generalized) {
    if (system.group_of[id.index] == 0) return;
    const GroupFrame& frame = frame_of(system, id);
    const FrameNow now = frame_now(frame, q);
    spread(frame.origin, force, generalized);
    for (size_t k = 0; k < now.rank; ++k)
        spread(frame.axis[k], dot(now.axis[k], at - now.origin) * force, generalized);
}

void apply_torque(const System& system, const Vec4* q, BodyId id, Vec3 torque, Vec4* generalized) {
    if (system.group_of[id.index] == 0) return;
    const GroupFrame& frame = frame_of(system, id);
    const FrameNow now = frame_now(frame, q);
    // Power τ·ω with ω as angular_velocity reads it.
    if (now.rank == 1) spread(frame.axis[0], cross(torque, now.axis[0]), generalized);
    if (now.rank == 2) {
        spread(frame.axis[0], cross(torque, now.axis[0]), generalized);
        spread(frame.axis[1], dot(torque, now.axis[0]) * cross(now.axis[0], now.axis[1]),
               generalized);
    }
    if (now.rank == 3)
        for (int k = 0; k < 3; ++k)
            spread(frame.axis[k], 0.5 * cross(torque, now.axis[k]), generalized);
}

double EntityKinematics::normal_force(BodyId body, std::optional<BodyId> against) const {
    double sum = 0;
    for (const state::ContactMemory& c : contacts_) {
        const BodyId a{static_cast<uint32_t>(c.bodies >> 32)},
            b{static_cast<uint32_t>(c.bodies & 0xffffffffu)};
        if (a != body && b != body) continue;
        if (!against || *against == (a == body ? b : a)) sum += dot(c.force, c.normal);
    }
    return sum;
}

}  // namespace bristle::lagrange
