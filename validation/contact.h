// The parts of the suite `contact`. References are the closed forms and tables of the benchmark set
// ("ref. 11" … "ref. 16"), never runs of our own.
//
// Scenes are put together where bodies just touch, with nothing pressed in: what they do while they sink in
// counts as our error.
#pragma once

#include <bristle/world.h>

#include "validation/checks.h"

namespace bristle::validation {

void validate_contact_friction(Checks&);  // K1, K2, blocks and wheels: refs. 13–16
void validate_contact_impacts(Checks&);   // refs. 11, 12; restitution; energy at long steps
void validate_contact_rest(Checks&);  // what must not creep, and resistance to rolling and spinning

inline constexpr double gravity = 9.81;
inline constexpr double degree = pi / 180;
inline constexpr double usual_step = 5e-3;  // s, of a machine in real time

}  // namespace bristle::validation
