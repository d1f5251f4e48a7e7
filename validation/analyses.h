// The parts of `bristle validate analyses`.
#pragma once

#include "validation/checks.h"

namespace bristle::cli {

void validate_small_motions(Checks&);  // modes and mobility

}  // namespace bristle::cli
