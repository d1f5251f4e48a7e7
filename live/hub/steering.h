// What an operator's message does to the motion.
#pragma once

#include "live/wire/fields.h"
#include "live/wire/input.h"

namespace bristle::wire {
class Scene;  // protocol.proto
}

namespace bristle::live {

// The input meant by `grab`, `move`, `release`, `add` or `remove`; indices are those of the scene. Throws
// InputError.
Input input_in(const std::string& action, const Fields&, const wire::Scene&);

}  // namespace bristle::live
