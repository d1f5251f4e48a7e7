// The state that a scene ends in, as a word.
#pragma once

#include <bristle/scene.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::golden {

inline constexpr int steps = 100;
inline constexpr const char* solvers[] = {"augmented_lagrangian", "impulse"};

inline std::string state_after(const std::string& name, const std::string& solver, int threads) {
    io::Scene scene = io::read_scene(std::filesystem::path(SCENES_FOLDER) / (name + ".yaml"));
    io::change_solver(scene, solver, 0);
    if (auto* impulse = std::get_if<Impulse>(&scene.solver)) impulse->threads = threads;
    try {
        World world(scene.model, scene.solver);
        for (int i = 0; i < steps; ++i) world.step();
        return fmt::format("{:016x}", world.hash());
    } catch (const SimulationError& error) {
        return std::string("failed: ") + error.what();
    }
}

inline std::vector<std::string> scene_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(SCENES_FOLDER))
        if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace bristle::golden
