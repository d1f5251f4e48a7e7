// What colour and finish an object of a scene file has.
#pragma once

#include "io/scene/object.h"

namespace bristle::io {

// Of its `color` and `finish`; nothing if it has neither.
std::optional<Look> read_look(const Object&);

}  // namespace bristle::io
