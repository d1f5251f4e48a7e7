#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "io/output_file.h"
#include "live/record/foxglove.h"
#include "live/record/playback.h"
#include "live/show/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

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
    const live::RecordingFile file = recording_to_export(options);
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

// The scene too, if it is another one than that of the frame before.
class FrameWriter {
  public:
    FrameWriter(const Source& source, live::FoxgloveFile& out) : source_(source), out_(out) {}

    void write() {
        const live::Show& show = *source_.show;
        if (show.scene() != scene_) {
            scene_ = show.scene();
            out_.scene(*scene_, show.time());
        }
        show.fill(frame_);
        read_values(source_, values_);
        out_.frame(frame_, values_);
    }

  private:
    const Source& source_;
    live::FoxgloveFile& out_;
    std::shared_ptr<const wire::Scene> scene_;
    live::Frame frame_;
    std::vector<double> values_;
};

}  // namespace

int export_foxglove(const ExportOptions& options) {
    if (options.out == "-") throw InputError("--format foxglove makes a file: --out is its name");
    const Source source = source_of(options);
    if (options.out.empty() && source.out.has_parent_path()) make_folder(source.out.parent_path());
    if (is_recording(options.scene)) io::refuse_to_overwrite(options.scene, source.out);
    std::vector<std::string> names;
    for (const io::Quantity& q : source.quantities) names.push_back(q.name);
    live::FoxgloveFile out(source.out, names);
    FrameWriter frames(source, out);
    console::catch_interrupts();
    const std::string failure =
        write_frames(*source.show, source.last_step,
                     options.every > 0 ? options.every : usual_frame, [&] { frames.write(); });
    out.finish();
    fmt::print("{}: {} frames, {} values, {:.6g} s\n", source.out.string(), out.frames(),
               names.size(), source.show->time());
    return end_of_export(failure);
}

}  // namespace bristle::cli
