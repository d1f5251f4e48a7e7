#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "io/vtk_export.h"
#include "live/show/simulation.h"

#include <fmt/format.h>

#include <filesystem>

namespace bristle::cli {
namespace {

constexpr double usual_frame = 1.0 / 30;  // s

// What is computed, and where it goes.
struct Source {
    std::unique_ptr<live::Simulation> simulation;
    uint64_t steps;
    std::filesystem::path folder;
    std::string name;
};

Source source_of(const ExportOptions& options) {
    Source source{.simulation = {}, .steps = 0, .folder = options.out, .name = {}};
    if (!is_recording(options.scene)) {
        const io::Scene scene = load(options, overrides_in(options.set));
        source.simulation = std::make_unique<live::Simulation>(scene);
        source.steps = steps_of(scene);
        if (options.out.empty()) source.folder = "out";
        source.name = scene.name;
        return source;
    }
    const live::RecordingFile file = recording_to_export(options);
    const std::filesystem::path path(options.scene);
    source.simulation = file.simulation();
    source.steps = last_step(file);
    if (options.out.empty()) source.folder = path.parent_path();
    source.name = path.stem().string();
    return source;
}

}  // namespace

int export_vtk(const ExportOptions& options) {
    if (!options.quantities.empty())
        throw InputError("--quantities are columns of a table: not of --format vtk");
    if (options.out == "-")
        throw InputError("--format vtk makes many files: --out is their folder");
    const Source source = source_of(options);
    live::Simulation& simulation = *source.simulation;
    io::VtkExport out(source.folder, source.name);
    console::catch_interrupts();
    const std::string failure =
        write_frames(simulation, source.steps, options.every > 0 ? options.every : usual_frame,
                     [&] { out.add(simulation.world()); });
    fmt::print("{}: {} frames, {:.6g} s\n", out.file().string(), out.frames(), simulation.time());
    return end_of_export(failure);
}

}  // namespace bristle::cli
