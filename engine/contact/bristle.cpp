#include "contact/bristle.h"

#include <cmath>

namespace bristle::contact {

SlipDirection plain_direction(Vec3 v) {
    const double speed = norm(v);
    if (!(speed > 0)) return {};
    const Vec3 along = v / speed;
    return {along, (1 / speed) * (Mat3::identity() - Mat3::outer(along, along))};
}

BristleForce bristle_force(const BristleLaw& law, Vec3 u, Vec3 v, double normal, double step) {
    return bristle_force(law, u, v, normal, step, plain_direction(v));
}

BristleForce bristle_force(const BristleLaw& law, Vec3 u, Vec3 v, double normal, double step,
                           const SlipDirection& sliding) {
    BristleForce out;
    const double speed = norm(v), vs2 = law.stick_speed * law.stick_speed;
    const double kappa = std::exp(-speed * speed / vs2);
    // 1 − κ goes to zero with |v|; expm1 keeps its digits.
    const double blend = -std::expm1(-speed * speed / vs2);
    const double fall = 2 * kappa / vs2;  // dκ/dv = −fall · v
    const Vec3 w = law.stiffness * u + law.damping * v;
    const double size = norm(w), limit = law.static_friction * normal;
    const Mat3 one = Mat3::identity();

    Vec3 stick = w;
    Mat3 stick_by_w = one;
    Vec3 stick_by_normal;
    out.strain = u;
    if (size > limit || limit == 0) {
        const Vec3 along = size > 0 ? w / size : Vec3{};
        out.slips = true;
        stick = limit * along;
        stick_by_w = size > 0 ? (limit / size) * (one - Mat3::outer(along, along)) : Mat3{};
        stick_by_normal = law.static_friction * along;
        if (law.stiffness > 0) out.strain = law.strain_share * limit / law.stiffness * along;
    }
    const double kinetic = law.kinetic_friction * normal;
    const Vec3 direction = speed > 0 ? v / speed : Vec3{};
    out.force = -(kappa * stick + blend * kinetic * sliding.along + law.viscous * v);
    out.by_normal_force = -(kappa * stick_by_normal + blend * law.kinetic_friction * sliding.along);

    const Mat3 turning = blend * kinetic * sliding.by_speed;
    const Vec3 gap = kinetic * sliding.along - stick;
    const Mat3 stribeck = fall * Mat3::outer(gap, v);
    out.by_strain = (-kappa * law.stiffness) * stick_by_w;
    out.by_speed = (-kappa * law.damping) * stick_by_w - turning - stribeck - law.viscous * one;

    const double rising = fall * dot(gap, direction) * speed;
    out.newton = (kappa * (law.stiffness + law.damping / step)) * stick_by_w
               + (1 / step) * (turning + law.viscous * one);
    const Mat3 slope = (rising / step) * Mat3::outer(direction, direction);
    if (rising > 0)
        out.newton = out.newton + slope;
    else
        out.falling = slope;
    return out;
}

}  // namespace bristle::contact
