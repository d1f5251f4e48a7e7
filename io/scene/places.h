// Where the objects of a scene are written, for what is said of them after it was read.
#pragma once

#include "io/scene/context.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::io {

struct Places {
    std::vector<std::string> files;
    std::vector<Names> kinds;              // of which a name is one of: "body", "joint", …
    std::map<std::string, Mark> sections;  // "gravity", "duration", "step", "every"
};

// "file:line:column: warning: " of an object by its kind and name, or of a section; nothing if it is written nowhere.
std::string warning_at(const Scene&, std::string_view kind, const std::string& name);
std::string warning_at(const Scene&, const std::string& section);

}  // namespace bristle::io
