// The fundamental equation of earthmoving (Reece 1964; McKyes 1985): what a wide blade has to push with to make soil fail.
//
// A wedge of soil before the blade, between it and a plane that rises at an angle β from the blade's tip, is about to slide up both.
// Per width, with the blade at a rake α to the ground, its tip d below it, friction φ and cohesion c within the soil, friction δ and
// adhesion c_a along the blade, a load q on the ground, and v the blade's speed, the balance of the wedge is
//
//     P sin(α+β+δ+φ)/sin(β+φ) = ½ρg d² (cot α + cot β) + q d (cot α + cot β)
//                              + c d (1 + cot β cot(β+φ)) + c_a d (1 − cot α cot(β+φ))
//                              + ρ v² d sin α (sin β + cos β cot(β+φ))/sin(α+β)
//
// The last term is the momentum of the soil that begins to move. Of all β the one counts with which it fails first: for which P is
// least at rest. Its cofactors of ρg d², c d, … are the N of the literature; there β is that of the least N_γ, here of P itself, which
// is the wedge's own limit and never more.
#pragma once

#include "machines/earth/soil.h"

namespace bristle::machines {

struct Blade {
    double depth = 0;      // m
    double rake = 0.7;     // rad: between the blade and the ground before it
    double surcharge = 0;  // Pa
    double gravity = 9.81;
};

// Of the soil against the blade, N per metre of width.
struct Failure {
    double ahead = 0;     // against its motion …
    double down = 0;      // … and down on it; negative: up
    double by_speed = 0;  // what `ahead` has besides at 1 m/s; it grows with the square
    double angle = 0;     // β, rad
};
Failure wedge_failure(const Soil&, const Blade&);

// The same wedge for a plane of a given angle.
Failure wedge_at(const Soil&, const Blade&, double angle);

}  // namespace bristle::machines
