#include "io/scene/file_names.h"

#include "io/scene/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace bristle::io {
namespace {

constexpr size_t longest = 190;  // letters; the reader takes 200, and a number may follow

template <class Contains, class NameOf>
std::vector<std::string> names(const char* kind, size_t count, const Contains& contains,
                               const NameOf& name_of) {
    std::vector<std::string> out(count);
    std::set<std::string> taken;
    for (size_t i = 0; i < count; ++i) {
        const auto index = static_cast<uint32_t>(i);
        if (!contains(index)) continue;
        std::string wanted = plain_line(name_of(index)).substr(0, longest);
        // Not in the middle of a letter of UTF-8.
        while (!wanted.empty() && wanted.size() == longest
               && (static_cast<unsigned char>(wanted.back()) & 0x80) != 0)
            wanted.pop_back();
        if (wanted.empty()) wanted = fmt::format("{} {}", kind, i);
        std::string name = wanted;
        for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{} {}", wanted, n);
        out[i] = std::move(name);
    }
    return out;
}

template <class Id, class List>
std::vector<std::string> names_of(const char* kind, const Model& model, const List& list) {
    return names(
        kind, list.size(), [&](uint32_t i) { return model.contains(Id{i}); },
        [&](uint32_t i) { return list[i].name; });
}

}  // namespace

std::string plain_line(const std::string& text) {
    std::string out = text;
    for (char& c : out) c = c == '{' ? '(' : c == '}' ? ')' : is_control(c) || c == '\n' ? ' ' : c;
    return out;
}

FileNames::FileNames(const Model& model)
    : bodies(names_of<BodyId>("body", model, model.bodies())),
      joints(names_of<JointId>("joint", model, model.joints())),
      drives(names_of<DriveId>("drive", model, model.drives())),
      limits(names_of<LimitId>("limit", model, model.limits())),
      rotors(names_of<CoordinateId>("rotor", model, model.coordinates())),
      forces(names(
          "force", model.forces().size(), [&](uint32_t i) { return model.contains(ForceId{i}); },
          [&](uint32_t i) { return model.name(ForceId{i}); })),
      materials(names(
          "material", model.materials().size(), [](uint32_t) { return true; },
          [&](uint32_t i) { return model.materials()[i].name; })),
      shapes(names_of<ShapeId>("shape", model, model.shapes())) {}

}  // namespace bristle::io
