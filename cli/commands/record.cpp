#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "live/record/new_recording.h"
#include "live/record/playback.h"
#include "live/record/recorder.h"
#include "live/show/simulation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace bristle::cli {
namespace {

// Computes until the end, a signal or a failure; says which failure.
std::string simulate(live::Simulation& simulation, const RecordOptions& options, uint64_t steps) {
    console::Progress progress(options.json || options.quiet
                                   ? console::Progress::To::nowhere
                                   : console::Progress::To::terminal_or_log);
    const auto start = console::Clock::now();
    std::string failure;
    try {
        while (simulation.step() < steps && console::interrupt() == 0) {
            simulation.advance();
            if (options.speed > 0)
                std::this_thread::sleep_until(
                    start
                    + std::chrono::duration_cast<console::Clock::duration>(
                        std::chrono::duration<double>(simulation.time() / options.speed)));
            if (progress.is_due())
                progress.show(static_cast<double>(simulation.step()) / static_cast<double>(steps),
                              fmt::format("t = {:.3f} s", simulation.time()));
        }
    } catch (const SimulationError& error) {
        failure = error.what();
    }
    progress.finish();
    return failure;
}

void tell(const RecordOptions& options, const io::Scene& scene, const std::filesystem::path& file,
          const live::Simulation& simulation, uint64_t bytes) {
    if (options.json) {
        nlohmann::ordered_json line{{"scene", scene.name},
                                    {"recording", file.string()},
                                    {"bytes", bytes},
                                    {"time", simulation.time()},
                                    {"steps", simulation.step()},
                                    {"hash", readable_hash(simulation.hash())}};
        fmt::print("{}\n", json_line(line));
    } else if (!options.quiet) {
        fmt::print("{}{}{}\n", scene.name, scene.title.empty() ? "" : ": ", scene.title);
        fmt::print("  {:<18}{:.6g} s, {} steps\n", "simulated time", simulation.time(),
                   simulation.step());
        fmt::print("  {:<18}{}, {}\n", "recording", file.string(), readable_size(bytes));
        fmt::print("  {:<18}{}\n", "state hash", readable_hash(simulation.hash()));
    }
}

}  // namespace

int record(const RecordOptions& options) {
    const live::Recorder::Origin origin{
        .overrides = overrides_in(options.set), .step = options.step, .solver = options.solver};
    const io::Scene scene = load(options, origin.overrides);
    live::Simulation simulation(scene);
    if (!options.inputs_from.empty())
        simulation.repeat(live::RecordingFile(options.inputs_from).inputs());
    const std::filesystem::path file =
        options.out.empty() ? live::new_recording(scene.name) : std::filesystem::path(options.out);

    console::catch_interrupts();
    const auto recorder =
        std::make_shared<live::Recorder>(file, scene, origin, live::Recorder::Behind::wait);
    simulation.record(recorder);
    const std::string failure = simulate(simulation, options, steps_of(scene));
    simulation.record(nullptr);
    recorder->finish();

    tell(options, scene, file, simulation, recorder->bytes());
    if (!failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", failure);
        return 1;
    }
    return console::interrupt() != 0 ? console::interrupt_exit_code() : 0;
}

}  // namespace bristle::cli
