// The parts of `bristle validate analyses`.
#pragma once

#include "validation/checks.h"

namespace bristle::validation {

void validate_small_motions(Checks&);  // modes and mobility

}  // namespace bristle::validation
