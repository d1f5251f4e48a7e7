#include "cli/commands.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "io/output_file.h"
#include "live/record/foxglove.h"
#include "live/record/playback.h"
#include "live/show/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace bristle::cli {
namespace {

constexpr double usual_frame = 1.0 / 60;  // s

// What is shown: a scene, or a recording, computed again if that can be, for values are not in it.
struct Source {
    std::unique_ptr<live::Show> show;
    const live::Simulation* simulation = nullptr;  // that it is, unless it is only played
    std::vector<io::Quantity> quantities;
    uint64_t last_step = 0;
    std::filesystem::path out;
};

std::vector<io::Quantity> values_of(const ExportOptions& options, const io::Scene& scene) {
    std::vector<std::string> names =
        options.quantities.empty() ? scene.quantities : names_in(options.quantities);
    if (options.quantities.empty())
        for (const io::ScenePlot& plot : scene.plots)
            names.insert(names.end(), plot.y.begin(), plot.y.end());
    std::vector<io::Quantity> all = quantities_of(scene.model, names);
    std::vector<io::Quantity> once;
    for (io::Quantity& q : all)
        if (std::none_of(once.begin(), once.end(), [&](const auto& o) { return o.name == q.name; }))
            once.push_back(std::move(q));
    return once;
}

Source source_of(const ExportOptions& options) {
    Source source;
    source.out = options.out;
    if (!is_recording(options.scene)) {
        const io::Scene scene = load(options, overrides_in(options.set));
        auto simulation = std::make_unique<live::Simulation>(scene);
        source.quantities = values_of(options, scene);
        source.last_step = steps_of(scene);
        source.simulation = simulation.get();
        source.show = std::move(simulation);
        if (options.out.empty())
            source.out = std::filesystem::path("out") / (scene.name + ".foxglove.mcap");
        return source;
    }
    if (!options.set.empty() || options.step > 0 || options.duration > 0 || !options.solver.empty())
        throw InputError(
            "a recording is computed again as it was: --set, --step, --time and --solver are for "
            "scenes");
    const live::RecordingFile file(options.scene);
    if (const std::string damage = file.damage(); !damage.empty())
        fmt::print(stderr, "bristle: {}\n", damage);
    if (options.out.empty())
        source.out = std::filesystem::path(options.scene).replace_extension(".foxglove.mcap");
    source.last_step = last_step(file);
    try {
        const io::Scene scene = file.scene();
        auto simulation = file.simulation();
        source.quantities = values_of(options, scene);
        source.simulation = simulation.get();
        source.show = std::move(simulation);
    } catch (const InputError& error) {
        if (!options.quantities.empty()) throw;
        // Made in code: it can be looked at, and its values are not known.
        fmt::print(stderr, "bristle: without values: {}\n", error.what());
        source.show = std::make_unique<live::Playback>(options.scene);
    }
    return source;
}

void read_values(const Source& source, std::vector<double>& out) {
    out.clear();
    if (source.simulation == nullptr) return;
    for (const io::Quantity& q : source.quantities) {
        try {
            out.push_back(q.read(source.simulation->world()));
        } catch (const InputError&) {  // its object was removed
            out.push_back(std::numeric_limits<double>::quiet_NaN());
        }
    }
}

// Until the end, a signal or a failure; says which failure.
std::string write_frames(const Source& source, double every, live::FoxgloveFile& out) {
    live::Show& show = *source.show;
    const auto stride =
        std::max<uint64_t>(1, static_cast<uint64_t>(every / show.step_length() + 1e-6));
    console::Progress progress(console::Progress::To::terminal_or_log);
    std::string failure;
    live::Frame frame;
    std::vector<double> values;
    std::shared_ptr<const wire::Scene> shown;
    uint64_t next = 0;
    try {
        for (bool goes_on = true;;) {
            const bool is_last =
                !goes_on || show.step() >= source.last_step || console::interrupt() != 0;
            if (show.scene() != shown) {
                shown = show.scene();
                out.scene(*shown, show.time());
            }
            if (show.step() >= next || is_last) {
                next = (show.step() / stride + 1) * stride;
                show.fill(frame);
                read_values(source, values);
                out.frame(frame, values);
            }
            if (is_last) break;
            goes_on = show.advance();
            if (progress.is_due())
                progress.show(
                    static_cast<double>(show.step()) / static_cast<double>(source.last_step),
                    fmt::format("t = {:.3f} s, {} frames", show.time(), out.frames()));
        }
    } catch (const SimulationError& error) {
        failure = error.what();
    }
    progress.finish();
    return failure;
}

}  // namespace

int export_foxglove(const ExportOptions& options) {
    if (options.out == "-") throw InputError("--format foxglove makes a file: --out is its name");
    const Source source = source_of(options);
    if (options.out.empty() && source.out.has_parent_path()) make_folder(source.out.parent_path());
    if (is_recording(options.scene)) io::refuse_to_overwrite(options.scene, source.out);
    std::vector<std::string> names;
    for (const io::Quantity& q : source.quantities) names.push_back(q.name);
    live::FoxgloveFile out(source.out, names);
    console::catch_interrupts();
    const std::string failure =
        write_frames(source, options.every > 0 ? options.every : usual_frame, out);
    out.finish();
    fmt::print("{}: {} frames, {} values, {:.6g} s\n", source.out.string(), out.frames(),
               names.size(), source.show->time());
    if (!failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", failure);
        return 1;
    }
    return console::interrupt() != 0 ? console::interrupt_exit_code() : 0;
}

}  // namespace bristle::cli
