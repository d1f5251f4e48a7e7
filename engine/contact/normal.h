// The normal force of a contact (spec B1).
//
//     Hertz family   F = k δᵉ (1 + a δ̇)         Hunt–Crossley, Lankarani–Nikravesh: LUA (3.1)
//     Kelvin–Voigt   F = k δ + c δ̇
//
// both never negative. Restitution ε decides the damping. *Published*: a δ̇₀ = 3(1 − ε)/2 or 3(1 − ε²)/4,
// c from the logarithmic decrement; they return more than their ε. *Exact*, for an impact at δ̇₀ without
// other forces:
//
//     Hertz family   x − ln(1 + x) = −εx − ln(1 − εx),  x = a δ̇₀        whatever k, e and the mass
//     Kelvin–Voigt   ε = exp(−2ζ acos ζ / √(1 − ζ²)),   c = 2ζ √(k m)    (acosh beyond ζ = 1)
//
// Over a step in which the depth goes from δ₀ to δ₁ the mean force is taken along the way,
//
//     F̄ = (U(δ₁) − U(δ₀)) / (δ₁ − δ₀) · (1 + a (δ₁ − δ₀)/h),   U = k δᵉ⁺¹/(e + 1)
//
// the discrete gradient of the stored energy. With positions advancing by the mean velocity, m Δv = h F̄
// gives ΔT = F̄ Δδ: what the contact returns is what it stored, less what the damping took, for every
// step however long. An impact that falls between two steps, or lasts less than one, cannot gain energy.
#pragma once

namespace bristle::contact {

// A stiffness that is only an estimate would let the wrong thing in deep: a load beyond what was guessed, a body far smaller. Then
// the law is hardened, F += k₂ (δ − d)⁴ beyond the depth d, and on as a straight line beyond 2 d: what is struck so deep is found
// by a few steps of Newton's method, not by as many as a quartic takes.
struct NormalLaw {
    double stiffness = 0, exponent = 1.5;
    double factor = 0;                      // a, s/m
    double viscous = 0;                     // c, N s/m: Kelvin–Voigt if not zero
    double hard_beyond = 0, hardening = 0;  // d, k₂
};

struct NormalForce {
    double force = 0;
    double by_depth = 0, by_rate = 0;  // derivatives
};

NormalForce normal_force(const NormalLaw&, double depth, double rate);
double stored_energy(const NormalLaw&, double depth);
double depth_that_stores(const NormalLaw&, double energy);

// F̄ and its derivative by the depth at the end.
struct MeanNormalForce {
    double force = 0, by_depth = 0;
};
MeanNormalForce mean_normal_force(const NormalLaw&, double depth_before, double depth, double step);
// The same, damped by another speed of approach than that of the depth; its derivative by the depth is
// still 1/step.
MeanNormalForce mean_normal_force(const NormalLaw&, double depth_before, double depth,
                                  double approach, double step);

// Where one contact alone would end a step that leads it to `free_depth` without it: the solution of
// δ = free_depth − compliance · F̄(δ). Newton's iteration starts well from there, however stiff it is.
double local_depth(const NormalLaw&, double depth_before, double free_depth, double compliance,
                   double step);

// x = a δ̇₀ of the Hertz family and ζ of Kelvin–Voigt that return the restitution. Below 0.01, which
// takes a hundredfold damping, it is taken as 0.01.
double exact_hertz_damping(double restitution);
double exact_voigt_damping(double restitution);
// The other way.
double hertz_restitution(double damping);
double voigt_restitution(double damping);
double decrement_damping(double restitution);  // ζ of a linear oscillator, as published

}  // namespace bristle::contact
