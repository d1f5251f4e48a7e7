// A scene, written and read again.
#pragma once

#include <bristle/scene.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bristle::io {

inline Scene written_and_read(const Scene& scene) { return parse_scene(scene_text(scene)); }

inline uint64_t hash_after(const Model& model, const Settings& settings, int steps) {
    World world(model, settings);
    try {
        for (int i = 0; i < steps; ++i) world.step();
    } catch (const SimulationError&) {
        // The state before is kept: it can be compared as well.
    }
    return world.hash();
}

// Those that come with Bristle, without the parts of others.
inline std::vector<std::filesystem::path> all_scene_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(BRISTLE_SOURCE "/scenes"))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    return files;
}

}  // namespace bristle::io
