#include "io/scene/scene_files.h"

#include <bristle/error.h>

#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace bristle::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scene_folders() {
    std::vector<fs::path> folders;
    if (const char* own = std::getenv("BRISTLE_SCENES"); own != nullptr && *own != 0)
        folders.emplace_back(own);
    std::error_code error;
    const fs::path program = fs::canonical("/proc/self/exe", error).parent_path();
    folders.push_back(program / "../../scenes");
    folders.push_back(program / "../share/bristle/scenes");
    return folders;
}

bool is_scene_file(const fs::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

std::string title_in(const fs::path& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("title:")) continue;
        line.erase(0, 6);
        const auto trim = [&](const char* what) {
            line.erase(0, line.find_first_not_of(what));
            line.erase(line.find_last_not_of(what) + 1);
        };
        trim(" \t\r");
        if (line.size() > 1 && (line[0] == '"' || line[0] == '\'')) trim("\"'");
        return line;
    }
    return {};
}

std::vector<fs::path> scene_files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (is_scene_file(it->path())) files.push_back(it->path());
    std::sort(files.begin(), files.end());
    return files;
}

[[noreturn]] void fail_for_path(const std::string& written) {
    const fs::path path(written);
    std::vector<std::string> near;
    for (const fs::path& file : scene_files_in(path.has_parent_path() ? path.parent_path() : "."))
        near.push_back((path.parent_path() / file.filename()).string());
    throw InputError(
        fmt::format("there is no scene file '{}'{}", written, suggestion(written, near)));
}

}  // namespace

std::vector<KnownScene> known_scenes() {
    std::vector<KnownScene> scenes;
    for (const fs::path& folder : scene_folders())
        for (const fs::path& file : scene_files_in(folder)) {
            std::string name = file.stem().string(), title = title_in(file);
            const bool is_known = std::any_of(scenes.begin(), scenes.end(),
                                              [&](const KnownScene& s) { return s.name == name; });
            if (!title.empty() && !is_known)
                scenes.push_back({std::move(name), std::move(title), file.lexically_normal()});
        }
    std::sort(scenes.begin(), scenes.end(),
              [](const KnownScene& a, const KnownScene& b) { return a.name < b.name; });
    return scenes;
}

fs::path scene_file(const std::string& written) {
    std::error_code error;
    if (fs::is_regular_file(written, error)) return written;
    if (is_scene_file(written) || written.find('/') != std::string::npos) fail_for_path(written);
    std::string name = written;
    std::replace(name.begin(), name.end(), '_', '-');
    std::vector<std::string> names;
    for (const KnownScene& scene : known_scenes()) {
        if (scene.name == name) return scene.file;
        names.push_back(scene.name);
    }
    throw InputError(fmt::format(
        "there is no file or scene '{}' (`bristle scenes` lists those that come with it){}",
        written, suggestion(name, names)));
}

}  // namespace bristle::io
