// Lift capacities of an excavator after ISO 10567: on firm, level ground, over radius and height of the end of its stick, without its
// bucket. Rated is the lesser of 75 % of the load that tips it and 87 % of what its hydraulics lift: the boom's cylinder under
// working pressure, no other cylinder beyond what it holds.
#pragma once

#include "machines/results/stance.h"

#include <string>
#include <vector>

namespace bristle::machines {

inline constexpr double tipping_share = 0.75, hydraulic_share = 0.87;

struct LiftCapacity {
    double radius = 0, height = 0;  // m: of the load, from the swing's axis and above the ground
    bool is_reached = false;        // whether the arm comes there
    double tipping = 0;             // kg
    double hydraulic = 0;
    std::string gives_way;  // the cylinder that limits it
    double rated() const;
    bool is_hydraulic() const;  // what limits it; else it tips
    Lengths lengths{};          // of the cylinders there
};

struct LiftTable {
    std::string stance;  // of which
    std::string over;    // "front", "side"
    double swing = 0;    // rad
    std::vector<double> radii, heights;
    std::vector<LiftCapacity> capacities;  // row by row: of a height all radii
    const LiftCapacity& at(size_t height, size_t radius) const {
        return capacities[height * radii.size() + radius];
    }
};

class Lifting {
  public:
    // Throws InputError if the arm has no stick.
    Lifting(const Model&, const PartsFound&);
    LiftCapacity at(const Stance&, double swing, double radius, double height);
    // Every so many metres, as far as the arm comes; rows from the highest.
    LiftTable table(const Stance&, const char* over, double swing, double spacing);

  private:
    bool go_to(double radius, double height);
    Arm bare_, loaded_;  // nothing at the end of the stick, and a weight
    double gravity_;
    std::vector<std::pair<Vec3, Lengths>> begins_;
};

}  // namespace bristle::machines
