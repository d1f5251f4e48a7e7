// Stiffness of two elastic bodies that touch at a point: F = k δ^1.5 (Hertz).
//
// The gap between the undeformed surfaces is A x² + B y², with
//     A + B = ½ (κ₁ + κ₂ + κ₁' + κ₂'),   |B − A| from the angle between their principal directions.
// The ellipse of contact has b/a = √(1 − ε²) with B/A = ((a/b)² E − K)/(K − E), K and E the complete
// elliptic integrals of modulus ε; from Johnson's solution
//     k = (2π/3) E* √((K − E)/(A ε² K³)),   1/E* = σ₁ + σ₂,  σ = (1 − ν²)/Young.     LUA (3.2), (3.3)
// A sphere on a plane: 4/3 √R E*.
#pragma once

#include "collision/contact_point.h"

namespace bristle::contact {

// `length` stands for the radius where the bodies have none (face on face, edges, corners) and bounds
// the length of a line contact.
double hertz_stiffness(const collision::Curvature& a, const collision::Curvature& b,
                       double elastic_modulus, double length);

}  // namespace bristle::contact
