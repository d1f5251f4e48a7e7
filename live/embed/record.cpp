#include <bristle/live.h>

#include "live/embed/world_scene.h"
#include "live/show/simulation.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace bristle {
namespace {

constexpr auto between_questions = std::chrono::milliseconds(5);

// Steps as long as it is wanted; whether it came to the end.
void compute(live::Simulation& simulation, uint64_t steps, const std::function<bool()>& goes_on) {
    auto asked = std::chrono::steady_clock::now();
    while (simulation.step() < steps) {
        simulation.advance();
        if (!goes_on || std::chrono::steady_clock::now() - asked < between_questions) continue;
        if (!goes_on()) return;
        asked = std::chrono::steady_clock::now();
    }
}

// The world where the simulation is, by its state or by computing the same.
void follow(World& world, const live::Simulation& simulation, bool begins_anew) {
    const Snapshot end = simulation.world().snapshot();
    const uint64_t steps = simulation.step();
    if (!begins_anew && end.origin() == world.snapshot().origin()) {
        world.restore(Snapshot(end.origin(), end.equations(), end.bytes()));
        return;
    }
    for (uint64_t i = 0; i < steps; ++i) world.step();
}

}  // namespace

Recording record(World& world, const std::filesystem::path& file, double until,
                 const RecordOptions& options) {
    const double step = step_of(world.settings());
    if (!std::isfinite(until))
        throw InputError(fmt::format("record: the time is {}; it must be finite", until));
    // As many as advance_to would do.
    const auto steps =
        static_cast<uint64_t>(std::max(0.0, std::ceil((until - world.time()) / step - 0.5)));
    const live::WorldScene what = live::scene_of(world, options.title, options.seen_as.get());
    live::Simulation simulation(*what.scene, what.origin.start);
    const auto recorder = std::make_shared<live::Recorder>(file, *what.scene, what.origin,
                                                           live::Recorder::Behind::wait);
    simulation.record(recorder);
    std::exception_ptr failure;
    try {
        compute(simulation, steps, options.goes_on);
    } catch (const SimulationError&) {
        failure = std::current_exception();
    }
    simulation.record(nullptr);
    recorder->finish();
    follow(world, simulation, what.begins_anew);
    if (failure) std::rethrow_exception(failure);
    return {.file = file,
            .steps = simulation.step(),
            .bytes = recorder->bytes(),
            .hash = simulation.hash(),
            .unsaid = what.scene->unsaid};
}

}  // namespace bristle
