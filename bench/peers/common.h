#pragma once

#include "four_bars.h"
#include "machine.h"

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

// What every peer program shares: the cases, how a step is timed, and the rows printed.
//
// A peer supplies two kinds of simulation, both with `step()`. The N-four-bar also has `energy()`,
// the machine `loop_gap()` and `bucket()`; these are called outside the timed section.

namespace peers {

struct Arguments {
    bool quick = false;
    std::string machine;
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

class Report {
  public:
    explicit Report(std::string engine) : engine_(std::move(engine)) {}

    void row(const Entry& entry, std::optional<double> time_us, std::optional<double> error) const {
        nlohmann::ordered_json line;
        line["suite"] = "mechanisms";
        line["case"] = entry.case_name;
        line["engine"] = engine_;
        line["setting"] = entry.setting;
        line["time_us"] = rounded(time_us);
        line["error"] = rounded(error);
        line["error_is"] = entry.error_is;
        std::puts(line.dump().c_str());
        std::fflush(stdout);
    }

    void failed(Entry entry, const std::string& reason) const {
        entry.setting += ", failed: " + reason;
        row(entry, std::nullopt, std::nullopt);
    }

  private:
    static nlohmann::ordered_json rounded(std::optional<double> value) {
        if (!value || !std::isfinite(*value)) return nullptr;
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", *value);
        return std::stod(text);
    }

    std::string engine_;
};

class CpuStopwatch {
  public:
    void start() { started_ = now(); }
    void stop() { seconds_ += now() - started_; }
    double seconds() const { return seconds_; }

  private:
    static double now() {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

    double started_ = 0.0;
    double seconds_ = 0.0;
};

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
    const Entry gap_entry{all_driven ? "machine15_welded" : "machine15_free_cylinder",
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
        report.row(gap_entry, seconds * 1e6, gap);
        if (!all_driven) return;
        Entry bucket_entry = gap_entry;
        bucket_entry.error_is = "bucket from (4.90938, 2.90411) at 10 s, in m";
        report.row(bucket_entry, seconds * 1e6,
                   std::hypot(bucket[0] - bucket_reference[0], bucket[2] - bucket_reference[2]));
    });
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
            if (const std::string suite = argv[++k]; suite != "mechanisms")
                throw std::invalid_argument("unknown suite '" + suite + "'; there is: mechanisms");
        } else {
            throw std::invalid_argument("unexpected argument '" + word + "'");
        }
    }
    if (arguments.machine.empty()) throw std::invalid_argument("--machine is missing");
    return arguments;
}

/// The body of every peer's main: `run(arguments, machine)` prints the rows.
template <class Run> int run_peer(int argc, char** argv, Run run) {
    try {
        const Arguments arguments = parse(argc, argv);
        const MachineModel machine = MachineModel::load(arguments.machine);
        run(arguments, machine);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr,
                     "%s: %s\nusage: %s [--quick] --machine FILE.json [--suite mechanisms]\n",
                     argv[0], error.what(), argv[0]);
        return 2;
    }
}

}  // namespace peers
