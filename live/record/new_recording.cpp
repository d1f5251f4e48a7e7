#include "live/record/new_recording.h"

#include <bristle/error.h>

#include <fmt/format.h>

namespace bristle::live {

std::filesystem::path new_recording(const std::string& scene) {
    const std::filesystem::path folder = recordings_folder;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(
            fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
    for (int number = 1;; ++number) {
        std::filesystem::path file = folder / fmt::format("{}-{}.mcap", scene, number);
        if (!std::filesystem::exists(file)) return file;
    }
}

}  // namespace bristle::live
