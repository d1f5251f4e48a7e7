#include "cli/frames.h"

#include "base/plain.h"
#include "console/interrupt.h"
#include "console/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace bristle::cli {

live::RecordingFile recording_to_export(const ExportOptions& options) {
    if (!options.set.empty() || options.step > 0 || options.duration > 0 || !options.solver.empty())
        throw InputError(
            "a recording is exported as it was: --set, --step, --time and --solver are for scenes");
    live::RecordingFile file(options.scene);
    if (const std::string damage = file.damage(); !damage.empty())
        fmt::print(stderr, "bristle: {}\n", plain(damage));
    return file;
}

uint64_t stride_for(double every, double step_length) {
    constexpr double most = 1e15;  // steps: more than there ever are, and an integer
    return static_cast<uint64_t>(std::clamp(every / step_length + 1e-6, 1.0, most));
}

std::string write_frames(live::Show& show, uint64_t last_step, double every,
                         const std::function<void()>& write) {
    // Of what the show advances by: of a recording that is played, these are its frames and not its steps.
    const uint64_t stride = stride_for(every, show.step_length());
    console::Progress progress(console::Progress::To::terminal_or_log);
    std::string failure;
    try {
        for (uint64_t i = 0;; ++i) {
            const bool is_due = i % stride == 0;
            if (is_due) write();
            const bool is_last =
                show.step() >= last_step || console::interrupt() != 0 || !show.advance();
            if (is_last && !is_due) write();
            if (is_last) break;
            if (progress.is_due())
                progress.show(static_cast<double>(show.step()) / static_cast<double>(last_step),
                              fmt::format("t = {:.3f} s, {} frames", show.time(), i / stride + 1));
        }
    } catch (const SimulationError& error) {
        failure = error.what();
    }
    progress.finish();
    return failure;
}

int end_of_export(const std::string& failure) {
    if (!failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", plain(failure));
        return 1;
    }
    return console::interrupt() != 0 ? console::interrupt_exit_code() : 0;
}

}  // namespace bristle::cli
