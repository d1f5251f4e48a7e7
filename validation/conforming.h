// The parts of the suite `conforming`.
#pragma once

#include "validation/checks.h"

namespace bristle::validation {

void validate_conforming_solids(Checks&);  // a ball's own volume, and bodies packed with balls

}  // namespace bristle::validation
