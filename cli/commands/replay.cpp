#include "base/plain.h"
#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "live/record/playback.h"
#include "live/show/simulation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bristle::cli {
namespace {

struct Comparison {
    size_t same = 0;
    std::string difference;  // the first
};

Comparison compare(const live::RecordingFile& file, console::Progress& progress) {
    Comparison out;
    const std::vector<live::RecordedKeyframe> keyframes = file.keyframes();
    if (keyframes.empty()) {
        out.difference = "there are no keyframes to compare with";
        return out;
    }
    const auto again = file.simulation();
    live::Simulation& simulation = *again;
    if (simulation.world().snapshot().origin() != file.state(keyframes.front()).origin()) {
        out.difference =
            "the scene in the file does not make the model that was recorded; was it recorded by "
            "another version, or does it use a file by its full path?";
        return out;
    }
    for (const live::RecordedKeyframe& keyframe : keyframes) {
        while (simulation.step() < keyframe.step && console::interrupt() == 0) {
            simulation.advance();
            if (progress.is_due())
                progress.show(
                    static_cast<double>(simulation.step())
                        / static_cast<double>(std::max<uint64_t>(1, keyframes.back().step)),
                    fmt::format("t = {:.3f} s", simulation.time()));
        }
        if (console::interrupt() != 0) return out;
        if (simulation.hash() != keyframe.hash) {
            out.difference = fmt::format(
                "step {}, t = {:.6g} s: the hash is {}, and {} was recorded", keyframe.step,
                keyframe.time, readable_hash(simulation.hash()), readable_hash(keyframe.hash));
            return out;
        }
        ++out.same;
    }
    return out;
}

int check_recording(const ReplayOptions& options) {
    const live::RecordingFile file(options.scene);
    const std::string damage = file.damage();
    console::catch_interrupts();
    console::Progress progress(options.json ? console::Progress::To::nowhere
                                            : console::Progress::To::terminal_or_log);
    Comparison result;
    try {
        result = compare(file, progress);
    } catch (const SimulationError& error) {
        result.difference = error.what();
    }
    progress.finish();
    if (options.json)
        fmt::print("{}\n", json_line(nlohmann::ordered_json{{"recording", options.scene},
                                                            {"same", result.same},
                                                            {"difference", result.difference},
                                                            {"damage", damage}}));
    else if (result.difference.empty())
        fmt::print("{} keyframes, all the same hash\n", result.same);
    else
        fmt::print("{} keyframes with the same hash, then\n{}\n", result.same, result.difference);
    // What is missing could have been anything: that the rest is good is no good answer.
    if (!damage.empty()) fmt::print(stderr, "bristle: {}\n", plain(damage));
    if (!file.is_finished())
        fmt::print(stderr, "bristle: `bristle repair {}` writes the end that is missing\n",
                   plain(options.scene));
    if (console::interrupt() != 0) return console::interrupt_exit_code();
    return result.difference.empty() && damage.empty() ? 0 : 1;
}

}  // namespace

int replay(const ReplayOptions& options) {
    if (options.check) return check_recording(options);
    if (!live::RecordingFile(options.scene).is_finished())
        fmt::print(stderr,
                   "bristle: {0}: it was not finished; `bristle repair {0}` writes the end that is "
                   "missing\n",
                   options.scene);
    return view(options);
}

int repair(const RepairOptions& options) {
    fmt::print("{}: {}\n", plain(options.file), live::repair(options.file));
    return 0;
}

}  // namespace bristle::cli
