// The force of two solids that share a volume (spec B4): an elastic layer over the contact plane.
//
//     pressure     p = k t(x),  t the thickness of the region along n; k in N/m³
//     normal       F = k V (1 + a v_n) ≥ 0 at the centroid, v_n positive when approaching           VIL, LUA (4.6)
//     tilting      M_t = −k M φ_t about the area's centroid, M its second moments: what p does by itself
//     rolling      M_t = −k a J ω_t, J the region's inertia                                             VIL, LUA (4.7)
//
// Through the iterations of a step the area is frozen. *Four points* then have the same force, moment and
// stiffness as the layer: at s ± σ₁e₁ ± σ₂e₂, with σᵢ² the eigenvalues of M/S, each a spring of k S/4 that is
// pressed by t there. For ∑ t = 4 V/S, ∑ t x is the moment, and ∑ x xᵀ = 4 M/S. Each lifts off by itself. The
// material's approach v_n + (ω × x) · n damps them. Where t is not linear J is not that of four points,
// so x is taken λ-fold there, λ = J/(V σ²): that makes it −k a J ω_t.
//
// Friction belongs to the patch as a whole, sliding with v at the pressure's centroid and turning with ω about n.
// Per unit of μ F it is the gradient of what it dissipates,
//
//     F = −∂D/∂v,  M = −∂D/∂ω,     exact     D = ∫ p |v + ω n × x| dA / ∫ p dA              ESS (5.3)–(5.8)
//                                  averaged  D = √(v² + r² ω²),  r² = n·J n/V
//     published                    F = −v/|v|,  M = −r² ω: not a length but m²/s, linear in ω as printed, LUA (4.10)
//
// D is convex, so its second derivatives are positive semidefinite, and the tangent with them. Its unit of length
// for turning is r̄ = D(0, 1), the arm of the torque of pure spinning: (2/3) R for a disc pressed evenly. With
// w = (v, r̄ω) friction of the averaged law is along w, and the bristle of bristle.h serves as it is, with r̄ times
// the angle as its third strain: it holds up to μ_s F in sliding, μ_s F r̄ in turning, and an ellipse between.
// What slides has the exact direction ∂D/∂w.
//
// The exact integral: with ω ≠ 0 the slip is ω n × ρ, ρ = x − z seen from the instantaneous centre
// z = n × v/ω. The polygon is the signed sum of triangles (z, edge); on one of them, at the distance d from
// its edge, ρ goes from 0 to R = d sec φ, and with the pressure p₀ + g · ρ
//
//     ∫ p ρ̂ dA    = ∫ ρ̂ (p₀ R²/2 + (g·ρ̂) R³/3) dφ        ∫ p |ρ| dA = ∫ (p₀ R³/3 + (g·ρ̂) R⁴/4) dφ
//     ∫ p ρ̂ρ̂ᵀ/|ρ| dA = ∫ ρ̂ρ̂ᵀ (p₀ R + (g·ρ̂) R²/2) dφ
//
// all of them elementary. The first two give ∂D, the last its derivatives. From a centre a thousand radii away
// the triangles cancel to nothing; there D = |v| + ω² v·Q v/(2|v|³) with Q = ∫ p x xᵀ/∫ p, to the second order.
#pragma once

#include <bristle/shape.h>

#include "collision/volume/patch.h"
#include "contact/bristle.h"
#include "math/vec2.h"

#include <span>

namespace bristle::contact {

// The layer as four points. Point i is at center + sign(i, 0) σ₀ e₀ + sign(i, 1) σ₁ e₁.
//
// How deep the solids are in each other: where the region's sections along n shrink as (1 − z/δ)ⁿ⁻¹ (n is 1 of a flat face, 2 of a
// ball or an edge, 3 of a corner), V = S δ/n, and their variance along n is n δ²/((n + 1)² (n + 2)): that tells n, and with it δ.
// With the depth the volume grows as its n-th power, and what the layer stores is k V δ/(n + 1).
struct Foundation {
    Vec3 center, axis[2];
    double area = 0;                // that the volume is spread over
    double arm[2] = {};             // σ
    double mean = 0;                // thickness V/S …
    double tilt[2] = {};            // … and how much it changes over an arm
    double lever[2] = {};           // λ
    double order = 1, deepest = 0;  // n, δ

    static double sign(int point, int axis) { return (point >> axis & 1) ? 1 : -1; }
    Vec3 at(int i) const {
        return center + sign(i, 0) * arm[0] * axis[0] + sign(i, 1) * arm[1] * axis[1];
    }
    double thickness(int i) const { return mean + sign(i, 0) * tilt[0] + sign(i, 1) * tilt[1]; }
};
Foundation foundation_of(const collision::ContactPatch&);

// A side of the pressed polygon, in coordinates (e₀, e₁) of the plane about the pressure's centroid.
struct GripEdge {
    Vec2 from, to;
};
struct Grip {
    ContactLaw::Spin spin = ContactLaw::Spin::exact;
    Vec3 center;       // of the pressure; of the area where the law is as published
    double arm = 0;    // r̄, m; at least a nanometre of what is a point
    double gyration2;  // r², m²
    // Exact: pressure p + g · x of unit force.
    double pressure = 0;
    Vec2 gradient;
    double moment[3] = {};  // Q: xx, xy, yy
    std::span<const GripEdge> edges;
};
// The edges are appended to `store`; `Grip::edges` is left to the caller, since the store may still grow. Where the
// linear thickness would be negative on the patch its slope is lowered until it is not.
Grip grip_of(const collision::ContactPatch&, const Foundation&, ContactLaw::Spin,
             const collision::ContourSegment*, std::vector<GripEdge>& store);
// Fills arm, gyration and moments of the exact law once the edges are there.
void measure_grip(Grip&);

// ∂D/∂w at w = (v₀, v₁, r̄ω), and its derivatives. For the published law only the sliding: the third is zero.
SlipDirection grip_direction(const Grip&, Vec3 w);

}  // namespace bristle::contact
