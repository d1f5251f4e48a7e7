// The parts of the suite `impulse`: references are closed forms, and the augmented Lagrangian at a small step.
#pragma once

#include <bristle/world.h>

#include "validation/checks.h"

namespace bristle::validation {

void validate_impulse_rest(Checks&);    // K6, and what else must stand, hang or not pass
void validate_impulse_motion(Checks&);  // K7; that both solvers agree; energy of the demos

}  // namespace bristle::validation
