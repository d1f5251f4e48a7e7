// What two balls share: a lens of two caps, in closed form and without cancellation (VIL, sphere – sphere intersection).
//
// The textbook takes the distance d of the centres and subtracts: when the balls barely touch, nothing is left of
// the digits. Here the depth δ = a + b − d is the variable and is a factor of everything (a, b the radii). The plane
// of the lens's rim cuts a cap of height h_a off ball a and one of height h_b off ball b,
//
//     h_a = a − (d² + a² − b²)/2d = δ (2b − δ)/2d      h_b = δ (2a − δ)/2d      h_a + h_b = δ
//
// and the rim has the radius ρ² = h_a (2a − h_a), a being the larger. With u the distance from the cap's apex its
// slices are discs of radius² u (2r − u), so a cap of height h of a ball of radius r has
//
//     V     = π h² (3r − h)/3                     volume
//     ∫ z   = π h³ (4r − h)/12                    z from the plane, into the cap
//     ∫ z²  = π h⁴ (5r − h)/30
//     ∫ x²  = π h³ (20r² − 15 r h + 3h²)/60       across
//
// None of the differences loses more than a digit for 0 ≤ h ≤ 2r. A ball within the other is a cap of height 2r.
// As the balls approach each other, dV/dδ = π ρ² exactly.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

#include <algorithm>

namespace bristle::geometry {

// Up to second moments along the axis, z measured from the plane of the rim.
struct CapMoments {
    double volume, first, axial, across;
};

inline CapMoments cap_moments(double r, double h) {
    const double h2 = pi * h * h;
    return {h2 * (3 * r - h) / 3, h2 * h * (4 * r - h) / 12, h2 * h * h * (5 * r - h) / 30,
            h2 * h * (20 * r * r - 15 * r * h + 3 * h * h) / 60};
}

struct Lens {
    double volume = 0;
    double rim = 0;                // area of the rim's disc, π ρ²
    double plane = 0;              // where the rim is and …
    double centroid = 0;           // … the centroid, from the centre of a towards that of b
    double axial = 0, across = 0;  // ∫ z² along the axis, ∫ x² across it, about the centroid
};

// Of balls of radii a and b that overlap by this depth, a + b less the distance of their centres.
inline Lens lens(double a, double b, double depth) {
    Lens out;
    if (!(depth > 0)) return out;
    const double least = std::min(a, b), distance = a + b - depth;
    if (depth >= 2 * least) {
        const double v = 4 * pi / 3 * least * least * least, m = 0.2 * v * least * least;
        // No rim any more: its plane has passed the centre of the smaller ball and is taken to stay there.
        const double at = a <= b ? 0 : distance;
        return {v, 0, at, at, m, m};
    }
    const double ha = depth * (2 * b - depth) / (2 * distance),
                 hb = depth * (2 * a - depth) / (2 * distance);
    const CapMoments ca = cap_moments(a, ha), cb = cap_moments(b, hb);
    out.volume = ca.volume + cb.volume;
    out.rim = a >= b ? pi * ha * (2 * a - ha) : pi * hb * (2 * b - hb);
    // The cap of a is on the side of b.
    const double offset =
        out.volume > 0 ? (ca.first - cb.first) / out.volume : 0;  // or below the least double
    out.plane = a - ha;
    out.centroid = out.plane + offset;
    out.axial = ca.axial + cb.axial - out.volume * offset * offset;
    out.across = ca.across + cb.across;
    return out;
}

// Its volume alone.
inline double lens_volume(double a, double b, double depth) {
    if (!(depth > 0)) return 0;
    const double least = std::min(a, b);
    if (depth >= 2 * least) return 4 * pi / 3 * least * least * least;
    const double distance = a + b - depth, ha = depth * (2 * b - depth) / (2 * distance),
                 hb = depth * (2 * a - depth) / (2 * distance);
    return pi / 3 * (ha * ha * (3 * a - ha) + hb * hb * (3 * b - hb));
}

}  // namespace bristle::geometry
