// Contacts as a convex problem sees them: where they are, how they move, and what it made of them.
#include "lagrange/contacts.h"

namespace bristle::lagrange {

Vec3 Contacts::spin_of(const Touch& t, const Vec4* v) const {
    const Coupling& c = couplings_[t.coupling];
    Vec3 out;
    for (size_t k = 0; k < c.entity.size(); ++k) out += turning(t, k) * to_vec3(v[c.entity[k]]);
    return out;
}

void Contacts::subtract_impulse(const Touch& t, Vec3 impulse, Vec3 torque, Vec4* out) const {
    const Coupling& c = couplings_[t.coupling];
    const Vec4 push = to_vec4(impulse);
    for (size_t k = 0; k < c.entity.size(); ++k)
        out[c.entity[k]] = fma(-coefficient_[t.first_coefficient + k], push, out[c.entity[k]]);
    if (torque == Vec3{}) return;
    for (size_t k = 0; k < c.entity.size(); ++k)
        out[c.entity[k]] -= to_vec4(turning(t, k).transposed() * torque);
}

void Contacts::store_impulse(uint32_t index, const Pressed& p) {
    Touch& t = touches_[index];
    const Vec3 n = to_vec3(t.normal);
    t.force = p.force;
    t.torque = p.torque;
    t.mean = {p.normal_force, 0};
    t.normal_force = p.normal_force;
    t.pressed = p.depth;
    t.slide = {};
    t.slide.strain = p.strain;
    t.slide.slips = p.slips;
    if (t.part == Touch::Part::grip) {
        t.slide.strain += arm_of(t) * dot(n, p.turn_strain) * n;
    } else {
        t.roll.strain = in_plane(p.turn_strain, n);
        t.spin.strain = dot(n, p.turn_strain) * n;
    }
}

// What lasted through the step goes on as it was; what came or went is no force of the next one yet.
void Contacts::settle_impulses() {
    for (Touch& t : touches_) {
        const Touch& whole = t.part == Touch::Part::point ? t.grip() : t;
        const bool lasts = !t.is_lost && whole.depth > 0 && whole.depth_before > 0;
        // The normal has turned a little since: friction stays within its cone.
        const Vec3 n = to_vec3(t.normal), along = dot(n, t.force) * n, across = t.force - along;
        const double most = t.sliding.static_friction * norm(along), size = norm(across);
        if (t.part == Touch::Part::whole && size > most) t.force = along + (most / size) * across;
        t.share = lasts ? t.force : Vec3{};
        t.torque_share = lasts ? t.torque : Vec3{};
        t.end_force = to_vec4(t.share);
        t.end_torque = t.torque_share;
    }
    for (Touch& t : touches_) settle_one(t);
    is_stepping_ = false;
}

}  // namespace bristle::lagrange
