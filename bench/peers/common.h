#pragma once

#include "bench/far/grid.h"
#include "bench/peers/four_bars.h"
#include "bench/peers/machine.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// What every peer program shares: the cases, how a step is timed, and the rows printed.
//
// A peer supplies two kinds of simulation, both with `step()`. The N-four-bar also has `energy()`,
// the machine `loop_gap()` and `bucket()`; these are called outside the timed section. For far detection
// it supplies `step(walk)` and `pair_count()`.

namespace bristle::bench::peers {

using scenes::plain::distance, scenes::plain::widened;

struct Arguments {
    bool quick = false;
    std::string machine;
    std::string suite = "mechanisms";

    bool needs_machine() const { return suite == "mechanisms" || suite == "machine"; }
};

struct Setting {
    std::string name;
    double step;        // s
    bool slow = false;  // shortened to one second of motion by --quick
};

/// One line of the report, before it is known how the run went.
struct Entry {
    std::string case_name;
    std::string setting;
    std::string error_is;
};

constexpr double full_duration = 10.0;  // s
constexpr double quick_duration = 1.0;  // s
constexpr double repeat_budget = 2.0;   // s of CPU, above which a run is not repeated
constexpr rlim_t cpu_limit = 600;       // s of CPU for one setting
constexpr Vec3 bucket_reference = {4.90938, 0.0, 2.90411};

inline std::string step_text(double step) {
    char text[32];
    std::snprintf(text, sizeof text, "h=%g ms", step * 1e3);
    return text;
}

/// The slow steps of a run, in s.
struct Slowest {
    std::optional<double> p999;  // only one step in a thousand is slower
    double worst;
};

class Report {
  public:
    Report(std::string engine, std::string suite)
        : engine_(std::move(engine)), suite_(std::move(suite)) {}

    void row(const Entry& entry, std::optional<double> time_us, std::optional<double> error,
             std::optional<Slowest> slowest = std::nullopt) const {
        nlohmann::ordered_json line = begin(entry, time_us);
        if (slowest) {
            if (slowest->p999) line["time_p999_us"] = rounded(*slowest->p999 * 1e6);
            line["time_worst_us"] = rounded(slowest->worst * 1e6);
        }
        line["error"] = rounded(error);
        end(entry, line);
    }

    /// With a volume in all its digits, in m³: that others are compared with.
    void volume_row(const Entry& entry, double time_us, double volume) const {
        nlohmann::ordered_json line = begin(entry, time_us);
        line["error"] = nullptr;
        line["volume"] = volume;
        end(entry, line);
    }

    void failed(Entry entry, const std::string& reason) const {
        entry.setting += ", failed: " + reason;
        row(entry, std::nullopt, std::nullopt);
    }

  private:
    nlohmann::ordered_json begin(const Entry& entry, std::optional<double> time_us) const {
        nlohmann::ordered_json line;
        line["suite"] = suite_;
        line["case"] = entry.case_name;
        line["engine"] = engine_;
        line["setting"] = entry.setting;
        line["time_us"] = rounded(time_us);
        return line;
    }
    static void end(const Entry& entry, nlohmann::ordered_json& line) {
        line["error_is"] = entry.error_is;
        std::puts(line.dump().c_str());
        std::fflush(stdout);
    }
    static nlohmann::ordered_json rounded(std::optional<double> value) {
        if (!value || !std::isfinite(*value)) return nullptr;
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", *value);
        return std::stod(text);
    }

    std::string engine_, suite_;
};

class CpuStopwatch {
  public:
    void start() { started_ = now(); }
    void stop() { seconds_ += now() - started_; }
    void add(const CpuStopwatch& other) { seconds_ += other.seconds_; }
    double seconds() const { return seconds_; }

    static double now() {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

  private:
    double started_ = 0.0;
    double seconds_ = 0.0;
};

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Mean CPU time of a step in s: the least of an observed and, where cheap, two unobserved runs.
/// `observe` throws when the motion is no longer worth following.
template <class Make, class Observe> double measure(Make make, int steps, Observe observe) {
    CpuStopwatch watch;
    auto simulation = make();
    for (int k = 0; k < steps; ++k) {
        watch.start();
        simulation->step();
        watch.stop();
        observe(*simulation);
    }
    double best = watch.seconds();
    for (int repetition = 0; repetition < 2 && watch.seconds() < repeat_budget; ++repetition) {
        CpuStopwatch again;
        simulation = make();
        again.start();
        for (int k = 0; k < steps; ++k) simulation->step();
        again.stop();
        best = std::min(best, again.seconds());
    }
    return best / steps;
}

/// The slow steps of a motion that is the same each time: of every step the least of three runs
/// counts, so that what else the machine does is left out and what the step itself needs is not.
template <class Make> Slowest measure_slowest(Make make, int steps) {
    std::vector<double> times(static_cast<std::size_t>(steps), INFINITY);
    for (int repetition = 0; repetition < 3; ++repetition) {
        auto simulation = make();
        for (double& time : times) {
            CpuStopwatch watch;
            watch.start();
            simulation->step();
            watch.stop();
            time = std::min(time, watch.seconds());
        }
    }
    std::sort(times.begin(), times.end());
    const auto slower = static_cast<std::size_t>(steps) / 1000;
    return {times[times.size() - 1 - slower], times.back()};
}

/// Runs `work` in a process of its own: some peers abort or never return where others report NaN.
inline void isolated(const Report& report, const Entry& entry, const std::function<void()>& work) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot start a process for " + entry.setting);
    if (child == 0) {
        const rlimit limit{cpu_limit, cpu_limit + 1};
        setrlimit(RLIMIT_CPU, &limit);
        try {
            work();
        } catch (const std::exception& error) {
            report.failed(entry, error.what());
        }
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status) && WEXITSTATUS(status) == 0) return;
    report.failed(entry, WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? "out of CPU time"
                                                                            : "the engine aborted");
}

inline void require_below(double value, double bound, int steps_done, double step) {
    if (value < bound) return;
    char text[64];
    std::snprintf(text, sizeof text, "%s at %.3f s",
                  std::isfinite(value) ? "blew up" : "not finite", steps_done * step);
    throw std::runtime_error(text);
}

/// `make(count, step)` builds the mechanism and returns a pointer that owns it.
template <class Make>
void run_four_bars(const Report& report, const Arguments& arguments, int count,
                   const Setting& setting, Make make) {
    const bool shortened = arguments.quick && setting.slow;
    const double duration = shortened ? quick_duration : full_duration;
    const Entry entry{"four_bars_" + std::to_string(count),
                      setting.name + ", " + step_text(setting.step),
                      shortened ? "max |dE| in J over 1 s" : "max |dE| in J over 10 s"};
    isolated(report, entry, [&] {
        const double initial = four_bars_initial_energy(count);
        const int steps = static_cast<int>(std::lround(duration / setting.step));
        double worst = 0.0;
        int done = 0;
        const double seconds = measure([&] { return make(count, setting.step); }, steps,
                                       [&](const auto& simulation) {
                                           const double error =
                                               std::abs(simulation.energy() - initial);
                                           require_below(error, initial, ++done, setting.step);
                                           worst = std::max(worst, error);
                                       });
        report.row(entry, seconds * 1e6, worst);
    });
}

/// `make(machine, step)` builds the machine and returns a pointer that owns it.
template <class Make>
void run_machine(const Report& report, const MachineModel& machine, const Setting& setting,
                 Make make) {
    const bool all_driven = machine.all_cylinders_driven();
    const Entry gap_entry{machine.is_on_wheels ? "machine15_wheels"
                          : all_driven         ? "machine15_welded"
                                               : "machine15_free_cylinder",
                          setting.name + ", " + step_text(setting.step), "loop gap in m"};
    isolated(report, gap_entry, [&] {
        const int steps = static_cast<int>(std::lround(full_duration / setting.step));
        double gap = 0.0;
        int done = 0;
        Vec3 bucket{};
        const double seconds = measure([&] { return make(machine, setting.step); }, steps,
                                       [&](auto& simulation) {
                                           const double now = simulation.loop_gap();
                                           require_below(now, 100.0, ++done, setting.step);
                                           gap = std::max(gap, now);
                                           bucket = simulation.bucket();
                                       });
        std::optional<Slowest> slowest;
        if (machine.is_on_wheels)
            slowest = measure_slowest([&] { return make(machine, setting.step); }, steps);
        report.row(gap_entry, seconds * 1e6, gap, slowest);
        if (!all_driven) return;
        Entry bucket_entry = gap_entry;
        bucket_entry.error_is = machine.is_on_wheels
                                  ? "bucket in the chassis' frame at 10 s from the welded one, in m"
                                  : "bucket from (4.90938, 2.90411) at 10 s, in m";
        report.row(bucket_entry, seconds * 1e6, distance(bucket, bucket_reference), slowest);
    });
}

/// Far detection of the boxes of bench/far/boxes.h. `make(walk)` returns a pointer that owns the set;
/// its `step(walk)` moves the boxes and finds the pairs.
template <class Make> void run_far(const Report& report, const std::string& setting, Make make) {
    for (const auto& [name, count] : {std::pair{"far_10k", 10000}, std::pair{"far_100k", 100000}}) {
        const Entry entry{name, setting, "largest difference in the number of pairs"};
        isolated(report, entry, [&, count = static_cast<std::size_t>(count)] {
            far_boxes::Walk walk(count);
            far_boxes::Grid grid;
            const auto set = make(walk);
            CpuStopwatch watch;
            double error = 0, worst = 0;
            const int steps = far_boxes::timed_steps(count);
            for (int k = -far_boxes::warm_up; k < steps; ++k) {
                walk.advance();
                CpuStopwatch step;
                step.start();
                set->step(walk);
                step.stop();
                const auto expected = static_cast<double>(grid.find_pairs(walk));
                error =
                    std::max(error, std::abs(static_cast<double>(set->pair_count()) - expected));
                if (k < 0) continue;
                watch.add(step);
                worst = std::max(worst, step.seconds());
            }
            report.row(entry, watch.seconds() / steps * 1e6, error, Slowest{{}, worst});
        });
    }
}

inline Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word == "--quick") {
            arguments.quick = true;
        } else if (word == "--machine" && k + 1 < argc) {
            arguments.machine = argv[++k];
        } else if (word == "--suite" && k + 1 < argc) {
            arguments.suite = argv[++k];
            if (arguments.suite != "mechanisms" && arguments.suite != "machine"
                && arguments.suite != "far" && arguments.suite != "bodies"
                && arguments.suite != "conforming")
                throw std::invalid_argument(
                    "unknown suite '" + arguments.suite
                    + "'; there are: mechanisms, machine, far, bodies, conforming");
        } else {
            throw std::invalid_argument("unexpected argument '" + word + "'");
        }
    }
    if (arguments.machine.empty() && arguments.needs_machine())
        throw std::invalid_argument("--machine is missing");
    return arguments;
}

/// The body of every peer's main: `run(arguments, machine)` prints the rows, none for a suite that the
/// engine has no part in.
template <class Run> int run_peer(int argc, char** argv, Run run) {
    try {
        const Arguments arguments = parse(argc, argv);
        run(arguments,
            arguments.needs_machine() ? MachineModel::load(arguments.machine) : MachineModel());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr,
                     "%s: %s\nusage: %s [--quick] --machine FILE.json"
                     " [--suite mechanisms|machine|far|bodies|conforming]\n",
                     argv[0], error.what(), argv[0]);
        return 2;
    }
}

}  // namespace bristle::bench::peers
