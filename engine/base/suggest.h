// "Did you mean …?"
#pragma once

#include "base/rooms.h"

#include <string>
#include <string_view>
#include <vector>

namespace bristle::base {

// The choice that is nearest to what was written, or empty if none is near: at most a third of its
// letters missing, added, changed or swapped with their neighbour, and not all of them.
std::string nearest_name(std::string_view written, const std::vector<std::string>& choices);
// "; did you mean 'x'?", or nothing.
std::string suggestion(std::string_view written, const std::vector<std::string>& choices);

}  // namespace bristle::base
