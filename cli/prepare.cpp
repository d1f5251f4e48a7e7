#include "cli/prepare.h"

#include "base/suggest.h"
#include "console/progress.h"
#include "io/scene/scene_files.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace bristle::cli {

using namespace std::chrono_literals;

namespace {

constexpr size_t most_turns_of_a_page = 20'000;
constexpr double bytes_of_a_body =
    22'000;  // of a world with spheres: a model, its state, its equations
constexpr size_t many_bodies = 100'000;
constexpr uintmax_t large_mesh = 20'000'000;  // bytes; takes a second or so

// Of a machine that does not say: no limit.
double free_memory() {
    std::ifstream in("/proc/meminfo");
    for (std::string name, rest; in >> name && std::getline(in, rest);)
        if (name == "MemAvailable:") return std::strtod(rest.c_str(), nullptr) * 1024;
    return std::numeric_limits<double>::infinity();
}

void check_size(const io::Scene& scene) {
    const size_t bodies = scene.model.bodies().size();
    const double needed = bytes_of_a_body * static_cast<double>(bodies), free = free_memory();
    if (needed > free)
        throw InputError(
            fmt::format("{} has {} bodies, which take about {:.0f} GB, and this machine has {:.0f} "
                        "GB left: make "
                        "it smaller",
                        scene.name, bodies, needed * 1e-9, free * 1e-9));
    if (bodies > many_bodies)
        fmt::print(stderr, "bristle: building {} bodies, {:.0f} GB; this takes minutes\n", bodies,
                   needed * 1e-9);
}

}  // namespace

io::Scene load(const SceneOptions& options, const io::Overrides& overrides, AskedBy who) {
    const std::filesystem::path file = io::scene_file(options.scene);
    io::Reach reach{.folders = {file.parent_path()}};
    for (const std::string& folder : options.allow) reach.folders.emplace_back(folder);
    io::Extent extent;
    if (who == AskedBy::page) extent.most_turns = most_turns_of_a_page;
    extent.tell = [&, next = console::Clock::now() + 2s](size_t turns) mutable {
        if (console::Clock::now() < next) return;
        next = console::Clock::now() + 2s;
        fmt::print(stderr, "bristle: reading {}, {} turns of its loops\n", file.filename().string(),
                   turns);
    };
    extent.tell_mesh = [](const std::filesystem::path& mesh) {
        std::error_code none;
        const uintmax_t size = std::filesystem::file_size(mesh, none);
        if (!none && size > large_mesh)
            fmt::print(stderr, "bristle: reading {}, {} MB\n", mesh.filename().string(),
                       size / 1'000'000);
    };
    io::Scene scene = io::read_scene(file, overrides, reach, extent);
    check_size(scene);
    io::change_solver(scene, options.solver, options.step);
    if (options.duration > 0) scene.duration = options.duration;
    return scene;
}

Settings with_equations(const Settings& settings) {
    if (!std::holds_alternative<Impulse>(settings)) return settings;
    return AugmentedLagrangian{.step = step_of(settings)};
}

uint64_t steps_of(const io::Scene& scene) {
    const double step = step_of(scene.solver), steps = std::round(scene.duration / step);
    if (!(steps < 1e15))
        throw InputError(
            fmt::format("{:.3g} s in steps of {:.3g} s would never end", scene.duration, step));
    return static_cast<uint64_t>(steps);
}

std::vector<io::Quantity> quantities_of(const Model& model, const std::vector<std::string>& names) {
    std::vector<io::Quantity> all;
    for (const std::string& name : names)
        for (io::Quantity& q : io::quantities(model, name)) all.push_back(std::move(q));
    return all;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(
            fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

std::vector<std::pair<std::string, std::string>> assignments_in(
    const std::vector<std::string>& assignments) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& text : assignments) {
        const size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
            throw InputError(
                fmt::format("--set {}: write it as name=value, such as --set length=1.2", text));
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return pairs;
}

io::Overrides overrides_in(const std::vector<std::string>& assignments) {
    io::Overrides overrides;
    for (auto& [name, value] : assignments_in(assignments)) overrides[name] = value;
    return overrides;
}

std::string no_such_command(const std::string& written, const std::vector<std::string>& commands) {
    const std::string near = suggestion(written, commands);
    return fmt::format("there is no command '{}'{}", written,
                       near.empty() ? "; `bristle --help` lists them" : near);
}

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names(1);
    int depth = 0;
    for (const char c : list) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0)
            names.emplace_back();
        else
            names.back() += c;
    }
    for (std::string& name : names) {
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
    }
    std::erase(names, "");
    return names;
}

}  // namespace bristle::cli
