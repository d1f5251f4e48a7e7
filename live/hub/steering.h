// What an operator's order does to the motion.
#pragma once

#include "live/wire/input.h"

namespace bristle::wire {
class Order;  // protocol.proto
class Scene;
}  // namespace bristle::wire

namespace bristle::live {

// The input meant by `grab`, `move`, `release`, `add_…` or `remove`; indices are those of the scene. Throws
// InputError.
Input input_in(const wire::Order&, const wire::Scene&);

}  // namespace bristle::live
