// The end of a step: what contacts remember of it, and their share in the accelerations.
#include "lagrange/contacts.h"
#include "lagrange/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
bool Contacts::is_unresolved(const ActiveContact& t, double stiffness) const {
    return t.compliance * stiffness > resolved;
}

// What a contact's share in the next accelerations should be.
Vec3 Contacts::share_after(const ActiveContact& t, Vec3 velocity) const {
    if (t.is_struck) return {};
    const Vec3 n = to_vec3(t.normal);
    if (is_unresolved(t, std::max(t.mean.by_depth, t.slide.slips ? 0 : t.sliding.stiffness)))
        return t.depth > 0 && t.depth_before > 0 ? t.force : Vec3{};
    const contact::NormalForce end = normal_force(t.normal_law, t.depth, -dot(n, velocity));
    if (!(end.force > 0)) return {};
    return end.force * n
         + bristle_force(t.sliding, t.slide.strain, in_plane(velocity, n), end.force, weights_.step)
               .force;
}

Contacts::Shares Contacts::settle(const state::State& state) {
    for (ActiveContact& t : touches_) {
        if (t.part == ActiveContact::Part::grip) find_patch_shares(&t - 4, state);
        if (t.part != ActiveContact::Part::whole) continue;
        if (t.is_struck) keep_in_cone(t);
        t.share = share_after(t, to_vec3(velocity_of(t, state.velocity.data())));
        t.torque_share = t.share == Vec3{} ? Vec3{} : t.torque;
    }
    Shares shares = Shares::right;
    for (ActiveContact& t : touches_) {
        // Of a patch all parts are measured by its whole force.
        double force = norm(t.force), torque = norm(t.torque);
        if (t.part != ActiveContact::Part::whole) {
            const ActiveContact& grip = t.grip();
            force = std::max(grip.mean.force, norm(grip.force));
            torque = std::max(torque, force * patches_[t.patch].grip.arm);
        }
        shares = std::max(shares, shares_of(t, force, torque));
        settle_one(t);
    }
    is_stepping_ = false;
    return shares;
}

Contacts::Shares Contacts::shares_of(const ActiveContact& t, double force, double torque) const {
    const double off = norm(t.share - to_vec3(t.end_force)),
                 off_turn = norm(t.torque_share - t.end_torque);
    const auto exceeds = [&](double part) {
        return off > part * force || off_turn > part * torque;
    };
    if (exceeds(wrong_share) && is_unresolved(t, t.assembled_stiffness)) return Shares::far_off;
    return exceeds(negligible_share) ? Shares::off : Shares::right;
}

void Contacts::settle_one(ActiveContact& t) {
    const Vec3 n = to_vec3(t.normal);
    // An impact must not leave the bristle with more than it has been strained: that is energy.
    const double set = norm(t.slide.strain);
    if (is_midpoint_ && set > t.strain) t.slide.strain *= t.strain / set;
    const bool struck = is_midpoint_ && is_hard(t, t.mean.force);
    state::ContactMemory& m = t.memory;
    const WidePlacement& fb = frame_[slot_of_group_[t.group_b]];
    m.strain = to_vec3(coordinates(fb, to_vec4(in_plane(t.slide.strain, n))));
    m.roll = to_vec3(coordinates(fb, to_vec4(in_plane(t.roll.strain, n))));
    m.spin = dot(n, t.spin.strain);
    if (t.part == ActiveContact::Part::grip) remember_layer(t, &t - 4);
    m.share = to_vec3(t.end_force);
    m.torque_share = t.end_torque;
    m.force = t.force;
    m.torque = t.torque;
    m.point = to_vec3(t.point);
    m.normal = n;
    m.at_a = to_vec3(t.at_a);
    m.at_b = to_vec3(t.at_b);
    m.inward = to_vec3(t.inward);
    m.depth = t.depth;
    m.left_out = t.left_out;
    m.stored = t.part == ActiveContact::Part::grip ? taken_by(t) : stored_in(t);
    m.strained = strained_in(t);
    m.slip_speed = t.slip_speed;
    m.flags &= ~uint64_t{state::slipping_contact | state::struck_contact};
    if (t.slide.slips) m.flags |= state::slipping_contact;
    if (struck) m.flags |= state::struck_contact;
}

void Contacts::add_share_changes(Vec4* out) const {
    for (const ActiveContact& t : touches_) {
        push(t, to_vec4(t.share - t.memory.share), out);
        const Vec3 turn_change = t.torque_share - t.memory.torque_share;
        if (turn_change == Vec3{}) continue;
        const Coupling& c = couplings_[t.coupling];
        for (size_t k = 0; k < c.entity.size(); ++k)
            out[c.entity[k]] += to_vec4(turning(t, k).transposed() * turn_change);
    }
}

void Contacts::accept_share_changes(const Vec4* x, double factor) {
    factor *= weights_.beta_h2 / (weights_.gamma_h / weights_.step);
    for (ActiveContact& t : touches_) {
        t.memory.share = t.share;
        t.memory.torque_share = t.torque_share;
        if (factor == 0 || t.assembled_stiffness == 0) continue;
        t.memory.share -= factor * (t.assembled * to_vec3(velocity_of(t, x)));
        if (t.torque == Vec3{}) continue;
        const Coupling& c = couplings_[t.coupling];
        Vec3 turn;
        for (size_t k = 0; k < c.entity.size(); ++k)
            turn += turning(t, k) * to_vec3(x[c.entity[k]]);
        t.memory.torque_share -= factor * (t.angular_assembled * turn);
    }
}

void Contacts::commit(state::State& state) const {
    state.contacts.clear();
    for (const ActiveContact& part : touches_) {
        // Of a patch all or nothing.
        const ActiveContact& t = part.part == ActiveContact::Part::point ? part.grip() : part;
        if (!t.is_lost && (t.depth > 0 || t.mean.force > 0 || !(t.memory.share == Vec3{})))
            state.contacts.push_back(part.memory);
    }
}

}  // namespace bristle::lagrange
