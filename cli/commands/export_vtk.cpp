#include "cli/commands.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "io/vtk_export.h"
#include "live/record/playback.h"
#include "live/show/simulation.h"

#include <fmt/format.h>

#include <algorithm>
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
    if (!options.set.empty() || options.step > 0 || options.duration > 0 || !options.solver.empty())
        throw InputError(
            "a recording is computed again as it was: --set, --step, --time and --solver are for "
            "scenes");
    const live::RecordingFile file(options.scene);
    if (const std::string damage = file.damage(); !damage.empty())
        fmt::print(stderr, "bristle: {}\n", damage);
    const std::filesystem::path path(options.scene);
    source.simulation = file.simulation();
    source.steps = last_step(file);
    if (options.out.empty()) source.folder = path.parent_path();
    source.name = path.stem().string();
    return source;
}

// Until the end, a signal or a failure; says which failure.
std::string write_frames(live::Simulation& simulation, const Source& source, double every,
                         io::VtkExport& out) {
    const uint64_t stride =
        std::max<uint64_t>(1, static_cast<uint64_t>(every / simulation.step_length() + 1e-6));
    console::Progress progress(console::Progress::To::terminal_or_log);
    std::string failure;
    try {
        for (;;) {
            const bool is_last = simulation.step() >= source.steps || console::interrupt() != 0;
            if (simulation.step() % stride == 0 || is_last) out.add(simulation.world());
            if (is_last) break;
            simulation.advance();
            if (progress.is_due())
                progress.show(
                    static_cast<double>(simulation.step()) / static_cast<double>(source.steps),
                    fmt::format("t = {:.3f} s, {} frames", simulation.time(), out.frames()));
        }
    } catch (const SimulationError& error) {
        failure = error.what();
    }
    progress.finish();
    return failure;
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
        write_frames(simulation, source, options.every > 0 ? options.every : usual_frame, out);
    fmt::print("{}: {} frames, {:.6g} s\n", out.file().string(), out.frames(), simulation.time());
    if (!failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", failure);
        return 1;
    }
    return console::interrupt() != 0 ? console::interrupt_exit_code() : 0;
}

}  // namespace bristle::cli
