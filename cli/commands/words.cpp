#include <bristle/scene.h>

#include "cli/commands.h"
#include "cli/prepare.h"
#include "io/scene/quantities.h"
#include "io/scene/scene_files.h"
#include "validation/checks.h"

#include <fmt/format.h>

namespace bristle::cli {

int words(const WordsOptions& options) {
    std::vector<std::string> list;
    if (options.kind == "scenes")
        for (const io::KnownScene& scene : io::known_scenes()) list.push_back(scene.name);
    if (options.kind == "suites")
        for (const auto& suite : validation::suites()) list.push_back(suite.name);
    if (options.kind == "parameters")
        for (const io::Parameter& p : load({.scene = options.scene}, {}).parameters)
            list.push_back(p.name);
    if (options.kind == "quantities")
        list = io::quantity_names(load({.scene = options.scene}, {}).model);
    for (const std::string& word : list) fmt::print("{}\n", word);
    return 0;
}

}  // namespace bristle::cli
