#pragma once

#include "validation/checks.h"

namespace bristle::validation {

// How the excavator stands, slips, lifts itself, tips and works.
void validate_machine_behaviour(Checks&);
// What it does to earth, and earth to it.
void validate_machine_earth(Checks&);

}  // namespace bristle::validation
