#include "cli/commands.h"
#include "cli/json_line.h"
#include "io/scene/scene_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bristle::cli {

int list_scenes(const ScenesOptions& options) {
    for (const io::KnownScene& scene : io::known_scenes()) {
        if (options.json)
            fmt::print("{}\n", json_line(nlohmann::ordered_json{{"scene", scene.name},
                                                                {"title", scene.title},
                                                                {"file", scene.file.string()}}));
        else
            fmt::print("{:<27}{}\n", scene.name, scene.title);
    }
    return 0;
}

}  // namespace bristle::cli
