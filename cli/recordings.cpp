#include "cli/recordings.h"

#include "cli/prepare.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::cli {

bool is_recording(const std::filesystem::path& file) { return file.extension() == ".mcap"; }

std::string readable_hash(uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string readable_size(uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    if (bytes < 1000) return fmt::format("{} bytes", bytes);
    if (bytes < 1'000'000) return fmt::format("{:.3g} kB", size * 1e-3);
    if (bytes < 1'000'000'000) return fmt::format("{:.3g} MB", size * 1e-6);
    return fmt::format("{:.3g} GB", size * 1e-9);
}

uint64_t last_step(const live::RecordingFile& file) {
    uint64_t last = 0;
    for (const live::RecordedKeyframe& keyframe : file.keyframes())
        last = std::max(last, keyframe.step);
    for (const live::InputAt& input : file.inputs()) last = std::max(last, input.step);
    file.for_each_frame([&](const live::Frame& frame) { last = std::max(last, frame.step); });
    return last;
}

}  // namespace bristle::cli
