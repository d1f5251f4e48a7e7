#include "base/plain.h"
#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/recordings.h"
#include "live/record/playback.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bristle::cli {

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
        fmt::print("{}\n", json_line(line));
        return 0;
    }
    const auto row = [](const std::string& name, const std::string& value) {
        fmt::print("  {:<20}{}\n", name, plain(value));
    };
    fmt::print("{}: a recording of {}\n", options.scene, plain(file.scene_name()));
    row("size", readable_size(size));
    row("duration", fmt::format("{:.6g} s in steps of {:.6g} s", duration, file.step_length()));
    for (const auto& [name, value] : origin.overrides)
        row("--set", fmt::format("{}={}", name, value));
    if (!origin.solver.empty()) row("--solver", origin.solver);
    row("inputs", fmt::format("{}", file.inputs().size()));
    row("keyframes", fmt::format("{}", keyframes));
    fmt::print("channels\n");
    for (const live::RecordedChannel& c : file.channels())
        row(plain(c.topic), fmt::format("{:<22}{} messages", c.schema, c.messages));
    fmt::print("{}\n",
               damage.empty() ? "it is whole, and all its checksums are right" : plain(damage));
    if (!file.is_finished())
        fmt::print("`bristle repair {}` writes the end that is missing\n", options.scene);
    return 0;
}

}  // namespace bristle::cli
