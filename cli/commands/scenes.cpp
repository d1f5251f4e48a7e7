#include "cli/commands.h"
#include "io/scene/scene_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bristle::cli {

int list_scenes(const ScenesOptions& options) {
    for (const io::KnownScene& scene : io::known_scenes()) {
        if (options.json)
            fmt::print("{}\n", nlohmann::ordered_json{{"scene", scene.name},
                                                      {"title", scene.title},
                                                      {"file", scene.file.string()}}
                                   .dump());
        else
            fmt::print("{:<27}{}\n", scene.name, scene.title);
    }
    return 0;
}

}  // namespace bristle::cli
