// Scenes by name or by file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bristle::io {

// A scene that comes with Bristle: in $BRISTLE_SCENES, or in `scenes` of the build tree, or installed in
// share/bristle/scenes. Files without a title are parts of others.
struct KnownScene {
    std::string name, title;
    std::filesystem::path file;
};
std::vector<KnownScene> known_scenes();

// The file that is meant: a path, or the name of a known scene. Throws InputError with what is near.
std::filesystem::path scene_file(const std::string& written);

}  // namespace bristle::io
