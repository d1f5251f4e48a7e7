// Friction with stiction (spec B2): a bristle between the two surfaces.
//
//     F = −κ P(w) − (1 − κ) μ_d N v/|v| − μ_visc v,      κ = exp(−|v|²/v_s²)      LUA (3.6)–(3.14)
//     w = k u + c v,       P(w) = w if |w| ≤ μ_s N, else μ_s N w/|w|
//
// u is the bristle's strain: what the surfaces have slipped against each other, as a vector in the
// contact plane. While the limit holds it is elastic, so what sticks stays where it is; beyond, it is set
// back to η of its limit, along w. Then w has the direction of the slip before long, and F is the
// document's (3.10) blended with (3.14); w keeps its direction when v passes through zero, where v/|v| is
// undefined but (1 − κ) vanishes.
//
// The same law serves rolling and spinning resistance, with angles for lengths and moments for forces, and
// patches that slide and turn at once (volumetric.h), whose sliding friction need not be along v.
#pragma once

#include <bristle/math.h>

namespace bristle::contact {

struct BristleLaw {
    double stiffness = 0, damping = 0, stick_speed = 1;
    double static_friction = 0, kinetic_friction = 0, viscous = 0;
    double strain_share = 1;  // η
};

struct BristleForce {
    Vec3 force;
    Mat3 by_strain, by_speed;  // derivatives
    Vec3 by_normal_force;
    Vec3 strain;  // to be remembered, if the step is accepted
    bool slips = false;
    // Of −(by_strain + by_speed/h) the part that is symmetric and positive, and Stribeck's falling branch,
    // symmetrized, which is negative.
    Mat3 newton, falling;
};

// What stands for v/|v| in sliding, and its derivative by v: symmetric and positive semidefinite.
struct SlipDirection {
    Vec3 along;
    Mat3 by_speed;
};
SlipDirection plain_direction(Vec3 speed);

// Strain and speed in the contact plane; `step` only for `newton`.
BristleForce bristle_force(const BristleLaw&, Vec3 strain, Vec3 speed, double normal_force,
                           double step);
BristleForce bristle_force(const BristleLaw&, Vec3 strain, Vec3 speed, double normal_force,
                           double step, const SlipDirection&);

}  // namespace bristle::contact
