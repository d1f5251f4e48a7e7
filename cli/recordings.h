// What the commands about recordings share.
#pragma once

#include "live/record/playback.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace bristle::cli {

inline constexpr const char* recordings_folder = "out";

bool is_recording(const std::filesystem::path& file);  // by its name
// A name that is free: out/<scene>-<number>.mcap. Makes the folder.
std::filesystem::path new_recording(const std::string& scene);

std::string readable_hash(uint64_t);
std::string readable_size(uint64_t bytes);

// The last step there is something of.
uint64_t last_step(const live::RecordingFile&);

}  // namespace bristle::cli
