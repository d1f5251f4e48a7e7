// A section of a scene file, object by object.
#pragma once

#include "io/scene/object.h"

#include <functional>
#include <optional>
#include <string>

namespace bristle::io {

// The type an object says it is of; nothing, if there is a mistake.
const Type* type_of(Context&, const Node&, const Section&);

// Calls `read` for every object of a list (or map), in all turns of its `for`. The mark is the object's.
void read_each(Context&, const Node& list, const Section&,
               const std::function<void(const Object&, const Node& where)>& read);

// The same of objects that have a name: `read` returns the id, or nothing if it failed. InputError is
// told at the object's name.
void read_named(
    Context&, const Node& map, const Section&, Names&,
    const std::function<std::optional<uint32_t>(const Object&, const std::string& name)>& read);

}  // namespace bristle::io
