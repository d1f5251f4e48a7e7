#include "io/scene/places.h"

#include <fmt/format.h>

namespace bristle::io {
namespace {

std::string warning(const Places& places, Mark mark) {
    return fmt::format("{}:{}:{}: warning: ", places.files[mark.file], mark.line, mark.column);
}

}  // namespace

std::string warning_at(const Scene& scene, std::string_view kind, const std::string& name) {
    if (scene.places == nullptr) return {};
    for (const Names& names : scene.places->kinds) {
        if (names.what != kind) continue;
        const auto found = names.objects.find(name);
        // What is there without being written has the mark of nothing.
        if (found != names.objects.end() && found->second.mark != Mark{})
            return warning(*scene.places, found->second.mark);
    }
    return {};
}

std::string warning_at(const Scene& scene, const std::string& section) {
    if (scene.places == nullptr) return {};
    const auto found = scene.places->sections.find(section);
    return found == scene.places->sections.end() ? "" : warning(*scene.places, found->second);
}

}  // namespace bristle::io
