#pragma once

#include "scenes/plain/vec3.h"

// IFToMM A02 with N loops: N+1 cranks pinned to the ground at (i, 0, 0) and N couplers between
// their tips, all slender rods of 1 m and 1 kg; cranks upright at the start, every tip moving at
// 1 m/s along x.

namespace bristle::bench::peers {

using scenes::plain::Vec3;
using scenes::plain::operator+, scenes::plain::squared;

constexpr double rod_length = 1.0;  // m
constexpr double rod_mass = 1.0;    // kg
constexpr double rod_inertia =
    rod_mass * rod_length * rod_length / 12.0;  // kg m^2, about the centre
constexpr double gravity = 9.81;                // m/s^2
constexpr double tip_speed = 1.0;               // m/s

inline double rod_energy(double height, const Vec3& velocity, const Vec3& spin) {
    return rod_mass * gravity * height + 0.5 * rod_mass * squared(velocity)
         + 0.5 * rod_inertia * squared(spin);
}

/// A rod that turns about y in the x-z plane, by its absolute angle and rate.
struct PlanarRod {
    double angle;
    double rate;
};

/// Energy of one crank and, unless null, of the coupler carried by its tip. Angles are zero at the
/// start, where the crank points along z and the coupler along x.
inline double planar_energy(const PlanarRod& crank, const PlanarRod* coupler) {
    const Vec3 up = {std::sin(crank.angle), 0.0, std::cos(crank.angle)};
    const Vec3 tip_velocity = {crank.rate * rod_length * up[2], 0.0,
                               -crank.rate * rod_length * up[0]};
    const Vec3 crank_velocity = {0.5 * tip_velocity[0], 0.0, 0.5 * tip_velocity[2]};
    double energy = rod_energy(0.5 * rod_length * up[2], crank_velocity, {0.0, crank.rate, 0.0});
    if (!coupler) return energy;
    const double half = 0.5 * rod_length;
    const double c = std::cos(coupler->angle), s = std::sin(coupler->angle);
    const Vec3 velocity =
        tip_velocity + Vec3{-half * s * coupler->rate, 0.0, -half * c * coupler->rate};
    return energy + rod_energy(rod_length * up[2] - half * s, velocity, {0.0, coupler->rate, 0.0});
}

inline double four_bars_initial_energy(int count) {
    const PlanarRod crank{0.0, tip_speed / rod_length}, coupler{0.0, 0.0};
    return count * planar_energy(crank, &coupler) + planar_energy(crank, nullptr);
}

}  // namespace bristle::bench::peers
