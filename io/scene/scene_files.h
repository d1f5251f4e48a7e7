// Scenes by name or by file.
#pragma once

#include "io/scene/scene.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bristle::cli {

// A scene that comes with Bristle: in $BRISTLE_SCENES, or in `scenes` of the build tree, or installed in
// share/bristle/scenes. Files without a title are parts of others.
struct KnownScene {
    std::string name, title;
    std::filesystem::path file;
};
std::vector<KnownScene> known_scenes();

// The file that is meant: a path, or the name of a known scene. Throws InputError with what is near.
std::filesystem::path scene_file(const std::string& written);

// `name=value`, each. Throws InputError.
std::vector<std::pair<std::string, std::string>> assignments_in(const std::vector<std::string>&);
// The same as the reader wants them: the last one of a name counts.
io::Overrides overrides_in(const std::vector<std::string>& assignments);

// "a, b.point(1, 2, 3)" at the commas that are not in brackets.
std::vector<std::string> names_in(const std::string& list);

}  // namespace bristle::cli
