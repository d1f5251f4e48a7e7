// A tyre of a wheel on scenery (docs/machines.md).
//
//     const BodyId wheel = model.add(Body::cylinder(0.5, 0.4, 150));
//     model.add(Revolute{.a = axle, .b = wheel, .at = centre, .axis = {0, 1, 0}});
//     const ForceId tread = add_tyre(model, wheel, {.axle = {0, 0, 1}});          // in the wheel's frame
//     const TyreNow now(world.memory(tread));
//
// Vertically a spring and a damper. Along the ground the deflection of the tread (u, v) follows the slip velocity and is rolled out
// over the relaxation length σ (Pacejka's contact point model),
//
//     u' = −V_sx − |V| u/σ_x ,   v' = −V_sy − |V| v/σ_y ,   V the fastest of rolling, spinning and sliding,
//
// and gives the force by the magic formula in u/σ and v/σ together. At rest it is a spring that holds without creep; rolling, its end
// is the formula at the slip κ = −V_sx/|V|, tan α = −V_sy/|V|.
#pragma once

#include <bristle/model.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bristle::machines {

// F = D sin(C atan(B s − E (B s − atan B s))), with D = μ F_z and B C D = K F_z.
struct MagicFormula {
    double friction = 0.85;      // μ, peak
    double slip_stiffness = 12;  // K
    double shape = 1.5;          // C
    double curvature = -0.5;     // E
    double force(double slip, double load) const;
};

struct Tyre {
    // How it holds along the ground. Printed: the document's friction, LUA (4.9), opposed to the velocity and regularized as spec.md
    // says; it creeps on slopes.
    enum class Tangential : unsigned char { magic_formula, printed };

    Vec3 axle{0, 1, 0};      // about which it turns, in the wheel's frame, through its origin
    double radius = 0.5;     // m, without load
    double stiffness = 8e5;  // N/m
    double damping = 1.5e4;  // N s/m
    MagicFormula along,
        across{.friction = 0.8, .slip_stiffness = 9, .shape = 1.3, .curvature = -0.8};
    double relaxation_along = 0.25, relaxation_across = 0.4;  // m
    double calming =
        0.03;  // s: damps the deflection of a tyre that stands, in shares of its stiffness
    double calm_speed = 1;  // m/s, up to which
    Tangential tangential = Tangential::magic_formula;
    double printed_speed = 0.05;  // m/s: of half the printed friction
    // Share of friction on materials of the ground; 1 on all others.
    std::vector<std::pair<MaterialId, double>> grip;
    std::string name = {};  // left out: after its wheel
};

// Throws InputError. The shape of the wheel, if it has one, must leave the scenery to the tyre (Shape::mask).
ForceId add_tyre(Model&, BodyId wheel, const Tyre&);
// What a force is, or nothing: as it was added.
std::optional<Tyre> tyre_of(const StatefulForce&);

// What a tyre's memory says: of the last step.
struct TyreNow {
    explicit TyreNow(std::span<const double> memory);
    double deflection_along, deflection_across;  // m
    double load;                                 // N
    double slip_along, slip_across;              // κ, tan α, as the formula was given them
    double force_along, force_across;            // N, forward and to the left
};

}  // namespace bristle::machines
