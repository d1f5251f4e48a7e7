#include "machines/earth/soil.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <cmath>

// Sources of the numbers below:
//   density, swell   Caterpillar Performance Handbook, tables of material densities (bank and loose; swell is their ratio):
//                    sand damp, earth loam, clay natural bed, gravel pit-run
//   compaction       Peurifoy, Schexnayder: Construction Planning, Equipment and Methods, shrinkage of compacted soils: a tenth of
//                    the bank volume for clay and common earth, a twentieth for sand and gravel
//   cohesion, φ,     Wong: Theory of Ground Vehicles, table of terrain values: dry sand (Land Locomotion Laboratory), sandy loam of
//   k_c, k_φ, n      15 % moisture, clayey soil of 38 % (Thailand). For gravel, which has no row there, k_c, k_φ and n are of the
//                    densest sand of the table (LETE), which carries less; φ is the middle of 35° … 40° of soil mechanics' textbooks
//   steel friction   two thirds of φ: McKyes, Soil Cutting and Tillage, where none was measured; adhesion likewise a share of the
//                    cohesion (a half for clay, a fifth for loam)
//   repose           middle of the ranges in the same handbooks: sand 30–35°, loam 30–45°, clay 25–45°, gravel 35–40°
//   standing angle   ours: what has no cohesion stands as it lies; loam and clay as steep as trenches a machine digs are left for an
//                    hour (OSHA's soil types C and B would have 34° and 45° for people to go in)
namespace bristle::machines {
namespace {

constexpr double degree = pi / 180;

}  // namespace

double Soil::pressure(double sinkage, double width) const {
    return sinkage > 0
             ? (carry_cohesive / width + carry_frictional) * std::pow(sinkage, carry_exponent)
             : 0;
}

double Soil::sinkage(double pressure, double width) const {
    return pressure > 0
             ? std::pow(pressure / (carry_cohesive / width + carry_frictional), 1 / carry_exponent)
             : 0;
}

Soil sand() {
    return {.name = "sand",
            .color = {0.76, 0.64, 0.42},
            .density = 1900,
            .swell = 0.12,
            .compaction = 0.95,
            .cohesion = 1.04e3,
            .friction_angle = 28 * degree,
            .adhesion = 0,
            .steel_friction_angle = 28 * degree * 2 / 3,
            .repose = 32 * degree,
            .standing_angle = 32 * degree,
            .carry_cohesive = 0.99e3,
            .carry_frictional = 1528.43e3,
            .carry_exponent = 1.1};
}

Soil loam() {
    return {.name = "loam",
            .density = 1540,
            .swell = 0.23,
            .compaction = 0.9,
            .cohesion = 1.72e3,
            .friction_angle = 29 * degree,
            .adhesion = 0.2 * 1.72e3,
            .steel_friction_angle = 29 * degree * 2 / 3,
            .repose = 37 * degree,
            .standing_angle = 65 * degree,
            .carry_cohesive = 5.27e3,
            .carry_frictional = 1515.04e3,
            .carry_exponent = 0.7};
}

Soil clay() {
    return {.name = "clay",
            .color = {0.58, 0.36, 0.24},
            .density = 2020,
            .swell = 0.22,
            .compaction = 0.9,
            .cohesion = 4.14e3,
            .friction_angle = 13 * degree,
            .adhesion = 0.5 * 4.14e3,
            .steel_friction_angle = 13 * degree * 2 / 3,
            .repose = 35 * degree,
            .standing_angle = 78 * degree,
            .carry_cohesive = 13.19e3,
            .carry_frictional = 692.15e3,
            .carry_exponent = 0.5};
}

Soil gravel() {
    return {.name = "gravel",
            .color = {0.55, 0.53, 0.5},
            .density = 2170,
            .swell = 0.12,
            .compaction = 0.95,
            .cohesion = 0,
            .friction_angle = 37.5 * degree,
            .adhesion = 0,
            .steel_friction_angle = 25 * degree,
            .repose = 37 * degree,
            .standing_angle = 37 * degree,
            .carry_cohesive = 102e3,
            .carry_frictional = 5301e3,
            .carry_exponent = 0.79};
}

void check(const Soil& s) {
    const auto within = [&](const char* name, double value, double low, double high) {
        if (!(value >= low && value <= high))
            throw InputError(fmt::format("soil '{}': {} is {}; it must be between {} and {}",
                                         s.name, name, value, low, high));
    };
    within("density", s.density, 1, 1e5);
    within("swell", s.swell, 0, 3);
    within("compaction", s.compaction, 0.1, 0.999);
    within("cohesion", s.cohesion, 0, 1e9);
    within("friction_angle", s.friction_angle, 0, 1.2);
    within("adhesion", s.adhesion, 0, 1e9);
    within("steel_friction_angle", s.steel_friction_angle, 0, 1.2);
    within("repose", s.repose, 0.01, 1.4);
    within("standing_angle", s.standing_angle, s.repose, 1.5);
    within("carry_cohesive", s.carry_cohesive, 0, 1e12);
    within("carry_frictional", s.carry_frictional, 1, 1e12);
    within("carry_exponent", s.carry_exponent, 0.05, 5);
    within("stiffness", s.stiffness, 1, 1e12);
    within("printed_along", s.printed_along, 0, 1e12);
    within("printed_across", s.printed_across, 0, 1e12);
    within("printed_empty", s.printed_empty, 0, 1e12);
    within("printed_load", s.printed_load, 0, 1e12);
    within("printed_load_power", s.printed_load_power, 0, 10);
    within("printed_depth_power", s.printed_depth_power, 0.1, 10);
}

}  // namespace bristle::machines
