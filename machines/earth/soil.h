// What soils are like: how heavy, how they fail, how they carry, how they lie.
//
//     Soil wet = sand();
//     wet.density = 1900;
//
// Soil is *bank* as it lies undisturbed, *loose* once it was dug, and *compacted* where it was pressed; mass is what stays. Every
// number of the four types has its source in soil.cpp.
#pragma once

#include <bristle/math.h>

#include <string>

namespace bristle::machines {

struct Soil {
    std::string name;
    Vec3 color = {0.49, 0.38, 0.26};  // red, green, blue as on a screen, 0 … 1: of what is loose
    double density = 1600;            // kg/m³, bank
    double swell = 0.15;              // loose volume of a bank volume, less one
    double compaction = 0.9;  // volume of a bank volume once it is compacted as far as it goes

    // How it fails, Mohr–Coulomb: τ = c + σ tan φ.
    double cohesion = 1e3;               // Pa
    double friction_angle = 0.5;         // rad
    double adhesion = 0;                 // Pa: to steel
    double steel_friction_angle = 0.35;  // rad

    // How it lies.
    double repose = 0.6;          // rad: loose
    double standing_angle = 0.6;  // rad: of a bank that was cut

    // How it carries (Bekker): p = (k_c/b + k_φ) zⁿ for a plate whose smaller side is b.
    double carry_cohesive = 1e3;                          // k_c, N/m^(n+1)
    double carry_frictional = 1.5e6;                      // k_φ, N/m^(n+2)
    double carry_exponent = 1;                            // n
    double pressure(double sinkage, double width) const;  // Pa
    double sinkage(double pressure, double width) const;  // m: of the same curve

    // How a bucket is resisted.
    enum class Digging : unsigned char {
        earthmoving,  // the fundamental equation of earthmoving (earthmoving.h)
        printed       // −μ_dig (σ₁ + σ₂ Vᵐ) dⁿ v_t − μ_cp dⁿ v_n, LUA (3.23)
    };
    Digging digging = Digging::earthmoving;
    double stiffness = 1e7;  // N/m: with which it gives way to a tool before it fails
    // Of the printed law. The document has no values for them.
    double printed_along = 1, printed_across = 4e5;  // μ_dig; μ_cp, N s/m^(n+1)
    double printed_empty = 4e5, printed_load = 1e5;  // σ₁ and σ₂, N s/m^(n+1) (over m^(3m))
    double printed_load_power = 1, printed_depth_power = 1;  // m, n

    bool operator==(const Soil&) const = default;

    double loose_density() const { return density / (1 + swell); }
    double compacted_density() const { return density / compaction; }
};

Soil sand();
Soil loam();
Soil clay();
Soil gravel();

// Throws InputError that tells what is wrong.
void check(const Soil&);

}  // namespace bristle::machines
