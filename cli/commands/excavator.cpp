// The excavator with somebody in its seat: as fast as it can be computed, with figures of how that went, or in the browser.
#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "cli/recordings.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "live/clock/histogram.h"
#include "live/record/recorder.h"
#include "live/show/simulation.h"
#include "machines/earth/earth.h"
#include "machines/operator/dig_and_load.h"
#include "machines/operator/operator.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>

namespace bristle::cli {
namespace {

using machines::Command;
using machines::Progress;

// Of this thread, so that others on the machine do not count.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A world that is stepped; or a simulation that is recorded, whose inputs are the operator's.
class Stage {
  public:
    Stage(const io::Scene& scene, const ExcavatorOptions& options, const io::Overrides& overrides) {
        if (options.record.empty()) {
            world_.emplace(scene.model, scene.solver);
            return;
        }
        simulation_ = std::make_unique<live::Simulation>(scene);
        recorder_ = std::make_shared<live::Recorder>(
            options.record, scene,
            live::Recorder::Origin{
                .overrides = overrides, .step = options.step, .solver = options.solver},
            live::Recorder::Behind::wait);
        simulation_->record(recorder_);
    }
    const World& world() const { return world_ ? *world_ : simulation_->world(); }
    void carry_out(const Command& command) {
        if (world_) return machines::carry_out(*world_, command);
        if (const auto* drive = std::get_if<DriveId>(&command.target))
            simulation_->apply(live::CommandDrive{*drive, command.value});
        else if (const auto* lever = std::get_if<machines::LawInputId>(&command.target))
            simulation_->apply(live::CommandInput{lever->force, lever->input, command.value});
    }
    void step() {
        if (world_)
            world_->step();
        else
            simulation_->advance();
    }
    void finish() {
        if (!recorder_) return;
        simulation_->record(nullptr);
        recorder_->finish();
    }

  private:
    std::optional<World> world_;
    std::unique_ptr<live::Simulation> simulation_;
    std::shared_ptr<live::Recorder> recorder_;
};

// What the pump gave, J: flow by pressure. Nothing of functions that are guided.
class PumpWork {
  public:
    explicit PumpWork(const Model& model) {
        for (uint32_t i = 0; i < model.forces().size(); ++i) {
            const auto [kind, k] = model.forces()[i];
            if (kind != Model::ForceKind::stateful) continue;
            circuit_ = machines::circuit_of(model.stateful_forces()[k]);
            if (!circuit_) continue;
            force_ = ForceId{i};
            memory_.resize(model.stateful_forces()[k].law->memory_size());
            return;
        }
    }
    bool is_known() const { return circuit_.has_value(); }
    void add(const World& world, double seconds) {
        if (!circuit_) return;
        const machines::HydraulicsNow now(*circuit_, world.memory(force_, memory_));
        sum_ += std::max(0.0, now.pump_flow * now.pump_pressure) * seconds;
    }
    double sum() const { return sum_; }

  private:
    std::optional<machines::Circuit> circuit_;
    ForceId force_;
    std::vector<double> memory_;
    double sum_ = 0;
};

struct Outcome {
    live::Histogram steps, looks;  // s, of processor time
    double stepping = 0;           // s, of the clock on the wall
    double time = 0, pump = 0;     // s simulated; J
    bool pump_is_known = false;
    Progress progress;
    std::string doing, failure;
    machines::DigAndLoad::Tally tally;
    std::vector<std::pair<std::string, double>> beds;  // kg
    StepStatistics solver;
    uint64_t hash = 0;
};

Outcome drive(const io::Scene& scene, const ExcavatorOptions& options,
              const io::Overrides& overrides) {
    auto job = std::make_unique<machines::DigAndLoad>(scene.model, machines::DigAndLoad::Wishes{});
    const machines::DigAndLoad& work = *job;
    machines::Operator driver(scene.model, std::move(job));
    Outcome out;
    console::catch_interrupts();
    Stage stage(scene, options, overrides);
    PumpWork pump(scene.model);
    console::Progress progress(options.json || options.quiet
                                   ? console::Progress::To::nowhere
                                   : console::Progress::To::terminal_or_log);
    const double step = step_of(scene.solver), end = 60 * options.minutes;
    try {
        while (stage.world().time() < end - 0.5 * step && console::interrupt() == 0
               && driver.progress().state == Progress::State::going) {
            const double begin = processor_time();
            const std::vector<Command>& commands = driver.act(stage.world());
            for (const Command& c : commands) stage.carry_out(c);
            const double looked = processor_time();
            const auto wall = console::Clock::now();
            stage.step();
            out.stepping += console::seconds_since(wall);
            out.steps.add(processor_time() - looked);
            out.looks.add(looked - begin);
            pump.add(stage.world(), step);
            if (progress.is_due())
                progress.show(
                    stage.world().time() / end,
                    fmt::format("{:.0f} s, {:.1f} t, {}", stage.world().time(),
                                1e-3 * (work.tally().loaded + work.tally().heaped), work.phase()));
        }
    } catch (const SimulationError& error) {
        out.failure = error.what();
    }
    progress.finish();
    stage.finish();
    const World& world = stage.world();
    out.time = world.time();
    out.pump = pump.sum();
    out.pump_is_known = pump.is_known();
    out.progress = driver.progress();
    out.doing = work.phase();
    out.tally = work.tally();
    out.solver = world.statistics();
    out.hash = world.hash();
    if (const auto earth = machines::earth_of(world.model())) {
        const machines::EarthNow now(world, earth->ids);
        for (size_t i = 0; i < now.beds.size(); ++i)
            out.beds.emplace_back(earth->earth.beds[i].name, now.beds[i]);
    }
    return out;
}

const char* ending(const Outcome& out) {
    switch (out.progress.state) {
        case Progress::State::done: return "done";
        case Progress::State::failed: return "given up";
        case Progress::State::going: break;
    }
    return out.failure.empty() ? "stopped" : "failed";
}

void tell(const Outcome& out, const io::Scene& scene, const ExcavatorOptions& options) {
    const auto line = [](const char* name, const std::string& value) {
        fmt::print("  {:<26} {}\n", name, value);
    };
    const double ms = 1e3;
    fmt::print("{}: {}\n", scene.name, options.autopilot);
    line("simulated time", fmt::format("{:.6g} s, {} steps of {:.4g} ms", out.time,
                                       out.solver.steps, ms * step_of(scene.solver)));
    line("ended", out.progress.why.empty() ? std::string(ending(out)) + ", " + out.doing
                                           : std::string(ending(out)) + ": " + out.progress.why);
    line("real-time factor",
         fmt::format("{:.1f} by processor time, {:.1f} by the clock",
                     out.time / (out.steps.mean() * static_cast<double>(out.steps.count())),
                     out.time / std::max(out.stepping, 1e-9)));
    line("step", fmt::format("{:.3f} ms on average; 50 % below {:.3f}, 99 % {:.3f}, 99.9 % {:.3f}; "
                             "worst {:.3f} ms",
                             ms * out.steps.mean(), ms * out.steps.percentile(50),
                             ms * out.steps.percentile(99), ms * out.steps.percentile(99.9),
                             ms * out.steps.largest()));
    line("the operator besides", fmt::format("{:.4f} ms a step, at most {:.1f} ms",
                                             ms * out.looks.mean(), ms * out.looks.largest()));
    line("iterations", fmt::format("{:.2f} a step, at most {}", out.solver.average_iterations(),
                                   out.solver.worst_iterations));
    line("rough steps", fmt::format("{}, {} held", out.solver.rough_steps, out.solver.held_steps));
    line("cycles", out.tally.cycles == 0
                       ? "0"
                       : fmt::format("{} from {} stands, {:.1f} s each", out.tally.cycles,
                                     out.tally.stands, out.tally.cycle_time / out.tally.cycles));
    line("failed manoeuvres",
         out.tally.failures == 0
             ? "0"
             : fmt::format("{}, the last at {}", out.tally.failures, out.tally.last_failure));
    line("let go", fmt::format("{:.2f} t over beds, {:.2f} t on heaps", 1e-3 * out.tally.loaded,
                               1e-3 * out.tally.heaped));
    for (const auto& [name, mass] : out.beds)
        line(("in the " + name).c_str(), fmt::format("{:.2f} t", 1e-3 * mass));
    if (out.pump_is_known) line("work of the pump", fmt::format("{:.2f} MJ", 1e-6 * out.pump));
    if (!options.record.empty()) line("recording", options.record);
    line("state hash", readable_hash(out.hash));
}

nlohmann::ordered_json summary(const Outcome& out, const io::Scene& scene,
                               const ExcavatorOptions& options) {
    nlohmann::ordered_json line{
        {"scene", scene.name},
        {"autopilot", options.autopilot},
        {"ended", ending(out)},
        {"why", out.progress.why},
        {"time", out.time},
        {"steps", out.solver.steps},
        {"real_time_factor",
         out.time / (out.steps.mean() * static_cast<double>(out.steps.count()))},
        {"real_time_factor_clock", out.time / std::max(out.stepping, 1e-9)},
        {"step_mean", out.steps.mean()},
        {"step_p50", out.steps.percentile(50)},
        {"step_p99", out.steps.percentile(99)},
        {"step_p99_9", out.steps.percentile(99.9)},
        {"step_worst", out.steps.largest()},
        {"operator_mean", out.looks.mean()},
        {"operator_worst", out.looks.largest()},
        {"iterations_mean", out.solver.average_iterations()},
        {"iterations_worst", out.solver.worst_iterations},
        {"rough_steps", out.solver.rough_steps},
        {"held_steps", out.solver.held_steps},
        {"cycles", out.tally.cycles},
        {"stands", out.tally.stands},
        {"failed_manoeuvres", out.tally.failures},
        {"last_failure", out.tally.last_failure},
        {"loaded", out.tally.loaded},
        {"heaped", out.tally.heaped},
        {"cycle_time", out.tally.cycles > 0 ? out.tally.cycle_time / out.tally.cycles : 0}};
    for (const auto& [name, mass] : out.beds) line["beds"][name] = mass;
    if (out.pump_is_known) line["pump_work"] = out.pump;
    if (!options.record.empty()) line["recording"] = options.record;
    line["hash"] = readable_hash(out.hash);
    return line;
}

}  // namespace

int excavator(const ExcavatorOptions& options) {
    const io::Overrides overrides = overrides_in(options.set);
    const io::Scene scene = load(options, overrides);
    const Outcome out = drive(scene, options, overrides);
    if (options.json)
        fmt::print("{}\n", json_line(summary(out, scene, options)));
    else if (!options.quiet)
        tell(out, scene, options);
    if (!out.failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", out.failure);
        return 1;
    }
    if (console::interrupt() != 0) return console::interrupt_exit_code();
    return out.progress.state == Progress::State::failed ? 1 : 0;
}

}  // namespace bristle::cli
