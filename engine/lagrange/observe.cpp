#include "lagrange/observe.h"

#include "lagrange/kinematics.h"
#include "lagrange/measures.h"
#include "lagrange/reactions.h"
#include "mechanics/force_laws.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {

MeasureValue measure_now(const System& s, const state::State& state, uint32_t index) {
    return evaluate_measure(s, index, state, nullptr);
}

double joint_angle(const System& s, const state::State& state, JointId id) {
    const Joint& j = s.model().joints()[id.index];
    if (!model::kind_of(j).has_angle())
        throw InputError("angle: ask a revolute, cylindrical, screw or planar joint");
    const Vec4* const q = state.position.data();
    const Vec3 e = any_perpendicular(j.axis), a = carry_axis(s, q, j.a, e),
               b = carry_axis(s, q, j.b, e);
    return std::remainder(
        std::atan2(dot(carry_axis(s, q, j.a, j.axis), cross(a, b)), dot(a, b)) + j.start_angle,
        2 * pi);
}

MeasureValue joint_coordinate(const System& s, const state::State& state, JointId id) {
    if (!s.model().has_coordinate(id))
        throw InputError(
            "coordinate: this joint has none; ask a revolute, prismatic, cylindrical, screw or "
            "distance joint, or a gauge");
    if (s.measure_of_joint[id.index] != none)
        return measure_now(s, state, s.measure_of_joint[id.index]);
    // Nothing acts on it, so the step does not measure it: read it from the bodies.
    const Joint& j = s.model().joints()[id.index];
    const Vec4* const q = state.position.data();
    double rate = 0;
    for (const auto& side : coordinate_row(s, q, id).sides) {
        rate += side.rate(body_pose(s, q, side.body).position,
                          body_twist(s, q, state.velocity.data(), side.body));
    }
    const model::CoordinateKind kind = model::kind_of(j).coordinate;
    const Vec3 along = carry_axis(s, q, j.a, j.axis);
    if (j.type == JointType::turn_gauge) {
        const Vec3 from = carry_axis(s, q, j.a, model::start_mark(j)),
                   to = carry_axis(s, q, j.b, j.axis_b);
        const double azimuth = std::atan2(dot(along, cross(from, to)), dot(from, to));
        return {std::remainder(azimuth + j.start_angle, 2 * pi), rate, 0};
    }
    if (kind == model::CoordinateKind::swing)
        return {model::swing_angle(along, carry_axis(s, q, j.b, j.axis_b)), rate, 0};
    if (kind == model::CoordinateKind::angle) return {joint_angle(s, state, id), rate, 0};
    const Vec3 way = carry_point(s, q, j.b, j.at_b) - carry_point(s, q, j.a, j.at_a);
    return {kind == model::CoordinateKind::length ? norm(way) : dot(way, along), rate, 0};
}

double measure_effort(const System& s, const state::State& state, const MeasureForce& f) {
    return evaluate_force(s, f, measure_now(s, state, f.measure), state.time, state).effort;
}

double kinetic_energy(const System& s, const state::State& state) {
    double sum = 0;
    for (const MassTerm& m : s.mass)
        sum += (m.i == m.j ? 0.5 : 1.0) * m.mass * dot(state.velocity[m.i], state.velocity[m.j]);
    for (const ScalarInertia& c : s.scalar_inertia) {
        const double v = state.velocity[c.entity][c.component];
        sum += 0.5 * c.inertia * v * v;
    }
    return sum;
}

Energy total_energy(const System& s, const state::State& state) {
    Energy energy;
    energy.kinetic = kinetic_energy(s, state);
    for (uint32_t b = 1; b < s.model().bodies().size(); ++b) {
        const Body& body = s.model().bodies()[b];
        energy.potential -=
            body.mass
            * dot(s.model().gravity, body_pose(s, state.position.data(), {b}) * body.center);
    }
    for (const MeasureForce& f : s.forces) {
        if (f.kind == MeasureForce::Kind::spring)
            energy.potential +=
                mechanics::stored_energy(f, measure_now(s, state, f.measure).value - f.rest);
    }
    // Of a patch its grip tells what was put in.
    for (const state::ContactMemory& c : state.contacts)
        if (!(c.flags & state::patch_point)) energy.contact += std::max(c.stored, 0.0) + c.strained;
    return energy;
}

}  // namespace bristle::lagrange
