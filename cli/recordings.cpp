#include "cli/recordings.h"

#include "cli/prepare.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

int info_about_recording(const InfoOptions& options) {
    const live::RecordingFile file(options.scene);
    const live::Recorder::Origin& origin = file.origin();
    const std::string damage = file.damage();
    const uint64_t steps = last_step(file);
    const double duration = static_cast<double>(steps) * file.step_length();
    const size_t keyframes = file.keyframes().size();
    const uint64_t size = std::filesystem::file_size(options.scene);
    if (options.json) {
        nlohmann::ordered_json line{{"recording", options.scene},
                                    {"scene", file.scene_name()},
                                    {"bytes", size},
                                    {"time", duration},
                                    {"steps", steps},
                                    {"step", file.step_length()},
                                    {"solver", origin.solver},
                                    {"seed", origin.seed},
                                    {"parameters", origin.overrides},
                                    {"inputs", file.inputs().size()},
                                    {"keyframes", keyframes},
                                    {"finished", file.is_finished()},
                                    {"damage", damage},
                                    {"channels", nlohmann::json::array()}};
        for (const live::RecordedChannel& c : file.channels())
            line["channels"].push_back(
                {{"topic", c.topic}, {"schema", c.schema}, {"messages", c.messages}});
        fmt::print("{}\n", line.dump());
        return 0;
    }
    const auto row = [](const std::string& name, const std::string& value) {
        fmt::print("  {:<20}{}\n", name, value);
    };
    fmt::print("{}: a recording of {}\n", options.scene, file.scene_name());
    row("size", readable_size(size));
    row("duration", fmt::format("{:.6g} s in steps of {:.6g} s", duration, file.step_length()));
    for (const auto& [name, value] : origin.overrides)
        row("--set", fmt::format("{}={}", name, value));
    if (!origin.solver.empty()) row("--solver", origin.solver);
    row("inputs", fmt::format("{}", file.inputs().size()));
    row("keyframes", fmt::format("{}", keyframes));
    fmt::print("channels\n");
    for (const live::RecordedChannel& c : file.channels())
        row(c.topic, fmt::format("{:<22}{} messages", c.schema, c.messages));
    fmt::print("{}\n", damage.empty() ? "it is whole, and all its checksums are right" : damage);
    if (!file.is_finished())
        fmt::print("`bristle replay {}` writes the end that is missing\n", options.scene);
    return 0;
}

}  // namespace bristle::cli
