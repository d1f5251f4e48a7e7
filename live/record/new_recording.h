// Where recordings go that nobody gave a name.
#pragma once

#include <filesystem>
#include <string>

namespace bristle::live {

inline constexpr const char* recordings_folder = "out";

// A name that is free: out/<scene>-<number>.mcap. Makes the folder; throws InputError if it cannot.
std::filesystem::path new_recording(const std::string& scene);

}  // namespace bristle::live
