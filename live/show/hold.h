// The hand that holds a body: a spring and a damper from a point of the body to a point of the world.
//
//     F = k (to − p) − c v,  at most F_max,   k = M ω²,  c = 2 M ω,  ω = 2π · 2 Hz,  F_max = M · 100 m/s²
//
// M is the mass of all that hangs together with the body by joints: a hand as strong as the machine is
// heavy lifts it, 6 cm below the pointer. Tangents are taken over the body, so that a light link of a heavy
// machine is held stably. Impulses have none: they take the force from where the step begins, which a body
// alone bears for h c / m < 2, m being what resists at the point; M is less there, so that it is at most 1.
// At a corner of a box m is a quarter of its mass, and steps up to 10 ms bear the whole hand.
#pragma once

#include <bristle/world.h>

#include <memory>
#include <optional>

namespace bristle::live {

// What the force looks at; part of a simulation's past like the state itself.
struct Hold {
    BodyId body;
    ForceId force;
    Vec3 at;  // in the body
    Vec3 to;
    double mass = 0;
};

// N, on a body that is and moves so.
Vec3 force_of(const Hold&, const Pose&, const Twist&);
// Adds the force to a model. It reads `hold` whenever it is evaluated.
ForceId add_hold(Model&, const std::shared_ptr<const std::optional<Hold>>& hold, BodyId body);
// Of the body, and of all that joints connect it with, but for the ground.
double connected_mass(const Model&, BodyId);
// The largest M that a step of impulses bears, if the body is held at this point of it.
double bearable_mass(const Body&, Vec3 at, double step);

}  // namespace bristle::live
