// Quantities read from a state: joint coordinates, efforts of force elements, energy.
#pragma once

#include "lagrange/system.h"
#include "state/state.h"

namespace bristle::lagrange {

// Value and rate of a joint's coordinate; throws InputError if it has none.
MeasureValue joint_coordinate(const System&, const state::State&, JointId);
// Turn of b against a about the joint's axis, −π … π; throws InputError if it has no common axis.
double joint_angle(const System&, const state::State&, JointId);
MeasureValue measure_now(const System&, const state::State&, uint32_t measure);
// Effort of a spring, bushing or motor along its measure.
double measure_effort(const System&, const state::State&, const MeasureForce&);
double kinetic_energy(const System&, const state::State&);
Energy total_energy(const System&, const state::State&);

}  // namespace bristle::lagrange
