// How a machine stands on firm, level ground, found by letting it stand there: what carries it, and about which lines it tips.
#pragma once

#include "machines/results/arm.h"
#include "machines/results/range.h"

#include <string>
#include <vector>

namespace bristle::machines {

struct SupportPoint {
    std::string name;  // of the tyre, or of the body
    PlanePoint
        at{};  // ahead and to the left of the swing's axis, where the arm points ahead at no swing
    double load = 0;               // N
    double stiffness = unlimited;  // N/m, of a tyre
};

struct Stance {
    std::string name;                    // "wheels", "blade and outriggers"
    std::vector<SupportPoint> supports;  // that carry something
    std::vector<PlanePoint> border;  // convex, counter-clockwise: it tips about the lines between
    double height = 0;               // m: of the arm's origin above the ground
    double mass = 0;                 // kg, of all
    double mass_below = 0;           // of what does not swing …
    Vec3 center_below;               // … and where; up from the arm's origin
    Axes axes;                       // in the world that it stood in, with nothing swung
};

enum class StandOn : unsigned char { wheels, supports };

// Brakes and locks are set. Throws InputError if it has no such supports, or if they do not carry it.
Stance stance(const Model&, const PartsFound&, const Settings&, StandOn);

// The convex hull, counter-clockwise; collinear points are left out.
std::vector<PlanePoint> convex_border(std::vector<PlanePoint>);

// Of what the arm carries with it, swung so far: kg and where, in the axes of the stance.
Vec3 center_of_mass(const Stance&, const Arm&, double swing);

// Where all weight is on one line of the border its tyres give way, and the machine leans by
//
//     sin φ = F/(k D) ,   k of the tyres there, D to those that then carry nothing

// How steep the ground may become, any way, before it tips: rad, least over the lines; negative if it tips on the level. `center` is
// that of mass, in the axes of the stance.
double static_margin(const Stance&, Vec3 center, double gravity);

// kg that can hang at a point before it tips: least over the lines that the point is beyond. `center` and `mass` are the machine's
// own; infinite if it is beyond none, zero if it tips without.
double tipping_load(const Stance&, Vec3 center, double mass, Vec3 load, double gravity);

}  // namespace bristle::machines
