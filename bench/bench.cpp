// Ours and the peers', one after the other in the same run: absolute times mean little on a shared
// machine, ratios do. Peers are programs of their own (bench/peers); nothing here links to them.
#include "bench/bench.h"

#include <bristle/world.h>

#include "bench/cpu_time.h"
#include "bench/suites/bodies.h"
#include "bench/suites/conforming.h"
#include "bench/suites/far.h"
#include "bench/suites/live.h"
#include "scenes/contacts.h"
#include "scenes/mechanisms.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

namespace bristle::bench {
namespace {

struct Row {
    std::string name, engine, setting;
    double time_us;
    double error;
    std::string error_is;
    double h_ms = 0;  // rows are compared at the same case and step
    double p999_us = NAN, worst_us = NAN;
    double volume = NAN;  // m³, that a peer found
};

// CPU time of a step: the least over repetitions, so that what else the machine does counts least.
template <class Build> double time_per_step(const Build& build, double h, double duration) {
    const auto steps = static_cast<int>(std::lround(duration / h));
    double best = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < 5; ++repetition) {
        World world(build().model, {.step = h});
        for (int i = 0; i < 20; ++i) world.step();
        const double start = cpu_seconds(CpuTimeOf::process);
        for (int i = 0; i < steps; ++i) world.step();
        best = std::min(best, (cpu_seconds(CpuTimeOf::process) - start) / steps);
    }
    return 1e6 * best;
}

struct Spread {
    double p999 = NAN, worst = NAN;  // µs
};

class Bench {
  public:
    Bench(const Options& options, const char* suite)
        : options_(options), suite_(suite), duration_(options.quick ? 1 : 10) {}

    void four_bars(int n) {
        for (double h : {1e-3, 5e-3}) {
            auto scene = scenes::four_bars(n);
            World world(scene.model, {.step = h});
            const double start = world.energy().total();
            double worst = 0;
            for (auto i = std::lround(duration_ / h); i > 0; --i) {
                world.step();
                worst = std::max(worst, std::abs(world.energy().total() - start));
            }
            ours(fmt::format("four_bars_{}", n), h,
                 time_per_step([n] { return scenes::four_bars(n); }, h, duration_), worst,
                 fmt::format("max |dE| in J over {} s", duration_));
        }
    }

    void machine(scenes::Machine15::Variant variant, const std::string& name) {
        using Variant = scenes::Machine15::Variant;
        for (double h : {5e-3, 1e-3}) {
            auto scene = scenes::machine15(variant);
            World world(scene.model, {.step = h});
            // Where the bucket is in the chassis' frame, moved to where the chassis began.
            const Pose start = world.pose(scene.chassis);
            double gap = 0;
            for (auto i = std::lround(10 / h); i > 0; --i) {
                world.step();
                for (const auto& l : scene.loops)
                    gap = std::max(
                        gap, norm(world.point(l.rod, l.at_rod) - world.point(l.arm, l.at_arm)));
            }
            const double time =
                time_per_step([variant] { return scenes::machine15(variant); }, h, duration_);
            const Spread spread =
                variant == Variant::on_wheels ? spread_of_steps(h, variant) : Spread{};
            ours(name, h, time, gap, "loop gap in m", spread);
            if (variant == Variant::welded_with_free_cylinder) continue;
            const Pose chassis = world.pose(scene.chassis);
            const Vec3 p = start
                         * (chassis.orientation.matrix().transposed()
                            * (world.pose(scene.bucket).position - chassis.position));
            ours(name, h, time, norm(p - Vec3{4.90938, 0, 2.90411}),
                 "bucket from (4.90938, 0, 2.90411) at 10 s, in m");
        }
    }

    // What no peer does in this form, or as a scale of our own.
    void scaling() {
        const double h = 1e-3;
        ours("four_bars_160", h, time_per_step([] { return scenes::four_bars(160); }, h, 1), NAN,
             "");
        ours("chain_2000", h, time_per_step([] { return scenes::chain(2000, 1, 0.01); }, h, 0.05),
             NAN, "");
    }

    // Things that lie about far from the action must cost nothing (spec A13): ten near boxes alone, then
    // among a thousand.
    void field() {
        struct Case {
            const char* setting;
            int boxes;
            double distance;
        };
        const double h = 5e-3;
        for (const Case c : {Case{"10 boxes", 10, 5}, Case{"1,000 boxes, 10 of them near", 1000, 5},
                             Case{"1,000 boxes, none taken out", 1000, unlimited}}) {
            World world(scenes::object_field(c.boxes).model,
                        {.step = h, .take_out_beyond = c.distance});
            world.advance_to(1);
            const int steps = c.distance < unlimited ? 2000 : 20;
            double best = std::numeric_limits<double>::infinity();
            for (int repetition = 0; repetition < 3; ++repetition) {
                const double start = cpu_seconds(CpuTimeOf::process);
                for (int i = 0; i < steps; ++i) world.step();
                best = std::min(best, 1e6 * (cpu_seconds(CpuTimeOf::process) - start) / steps);
            }
            our_time_.try_emplace({"field", 1e3 * h}, best);
            print({"field", "bristle", c.setting, best, NAN, "", 1e3 * h});
        }
        change(scenes::machine15().model, "of machine15");
        change(scenes::object_field(10).model, "of 10 boxes");
        change(scenes::object_field(1000).model, "of 1,000 boxes");
    }

    // Far detection of moving boxes, by all our methods and a plain grid.
    void far() {
        for (const FarRow& row : bench_far(options_.quick ? FarEffort::quick : FarEffort::full)) {
            if (row.engine == "bristle" && !our_time_.contains({row.name, 0}))
                our_time_[{row.name, 0}] = row.time_us;  // the default comes first
            print({row.name, row.engine, row.setting, row.time_us, row.error, row.error_is, 0, NAN,
                   row.worst_us});
        }
    }

    // Stacks, piles and ragdolls by the impulse solver.
    void bodies() {
        bench_bodies(
            options_.quick ? BodiesEffort::quick : BodiesEffort::full,
            [this](const BodiesRow& row) {
                our_time_.try_emplace({row.name, 0}, row.time_us);
                print({row.name, "bristle", row.setting, row.time_us, row.error, row.error_is});
            });
    }

    // Volumes of meshes. The peers run first: their volume is the measure of ours.
    void conforming() {
        std::vector<Row> others;
        std::map<std::string, double> volumes;
        for_each_peer([&](const Row& row) {
            others.push_back(row);
            if (std::isfinite(row.volume)) volumes.try_emplace(row.name, row.volume);
        });
        bench_conforming(
            options_.quick ? ConformingEffort::quick : ConformingEffort::full, volumes,
            [this](const ConformingRow& row) {
                our_time_.try_emplace({row.name, 0}, row.time_us);
                print({row.name, "bristle", row.setting, row.time_us, row.error, row.error_is});
            });
        for (const Row& row : others) print(row);
    }

    // What it costs the simulation to be watched.
    void live() {
        for (const LiveRow& row :
             bench_live(options_.quick ? LiveEffort::quick : LiveEffort::full)) {
            our_time_.try_emplace({"live_1k", 0}, row.time_us);
            print({"live_1k", "bristle", row.setting, row.time_us, row.lost, row.lost_is});
        }
    }

    void peers() {
        for_each_peer([this](const Row& row) { print(row); });
    }

  private:
    template <class Use> void for_each_peer(const Use& use) {
        for (const char* name : {"mujoco", "simbody", "ode", "bullet", "box2d", "fcl", "cgal"}) {
            const auto program =
                std::filesystem::path(options_.peers) / fmt::format("bristle-peer-{}", name);
            if (!std::filesystem::exists(program)) {
                fmt::print(stderr,
                           "left out: {} (no {}; `tools/setup peers` installs the peers, then "
                           "build again)\n",
                           name, program.filename().string());
                continue;
            }
            run_peer(program, use);
        }
    }

    // What a change of a running model costs, even one that changes nothing.
    void change(const Model& model, const char* setting) {
        World world(model, {.step = 5e-3});
        world.step();
        double best = std::numeric_limits<double>::infinity();
        for (int repetition = 0; repetition < 5; ++repetition) {
            const double start = cpu_seconds(CpuTimeOf::process);
            world.change([](Model&) {});
            best = std::min(best, 1e6 * (cpu_seconds(CpuTimeOf::process) - start));
        }
        print({"change", "bristle", setting, best, NAN, ""});
    }

    // A real-time system lives by its slowest step. Of each step the least of three identical runs
    // counts, as for the peers: what is left is the step's own.
    static Spread spread_of_steps(double h, scenes::Machine15::Variant variant) {
        const auto steps = static_cast<size_t>(std::lround(10 / h));
        std::vector<double> times(steps, std::numeric_limits<double>::infinity());
        for (int repetition = 0; repetition < 3; ++repetition) {
            World world(scenes::machine15(variant).model, {.step = h});
            for (double& time : times) {
                const double start = cpu_seconds(CpuTimeOf::process);
                world.step();
                time = std::min(time, 1e6 * (cpu_seconds(CpuTimeOf::process) - start));
            }
        }
        std::sort(times.begin(), times.end());
        return {times[static_cast<size_t>(0.999 * static_cast<double>(steps - 1))], times.back()};
    }

    void ours(const std::string& name, double h, double time, double error,
              const std::string& error_is, Spread spread = {}) {
        our_time_[{name, h * 1e3}] = time;
        print({name, "bristle", fmt::format("default, h={:g} ms", h * 1e3), time, error, error_is,
               h * 1e3, spread.p999, spread.worst});
    }

    template <class Use> void run_peer(const std::filesystem::path& program, const Use& use) {
        const auto data = std::filesystem::temp_directory_path()
                        / fmt::format("bristle-machine15-{}.json", getpid());
        std::ofstream(data) << scenes::machine15_data();
        const std::string command =
            fmt::format("'{}'{} --machine '{}' --suite {}", program.string(),
                        options_.quick ? " --quick" : "", data.string(), suite_);
        FILE* pipe = popen(command.c_str(), "r");
        if (pipe == nullptr) throw std::runtime_error("cannot start " + program.string());
        std::string line;
        for (int c; (c = std::fgetc(pipe)) != EOF;) {
            if (c != '\n') {
                line += static_cast<char>(c);
                continue;
            }
            const auto j = nlohmann::json::parse(line, nullptr, false);
            line.clear();
            if (j.is_discarded() || !j.contains("case")) continue;
            const auto number = [&](const char* key) {
                return j.contains(key) && j[key].is_number() ? j[key].get<double>() : NAN;
            };
            const std::string setting = j.value("setting", "");
            const auto at = setting.find("h=");
            const double h =
                at == std::string::npos ? 0 : std::strtod(setting.c_str() + at + 2, nullptr);
            use(Row{j["case"], j.value("engine", ""), setting, number("time_us"), number("error"),
                    j.value("error_is", ""), h, number("time_p999_us"), number("time_worst_us"),
                    number("volume")});
        }
        const int status = pclose(pipe);
        std::filesystem::remove(data);
        if (status != 0)
            fmt::print(stderr, "{} ended with an error\n", program.filename().string());
    }

    void print(const Row& row) {
        const auto known = our_time_.find({row.name, row.h_ms});
        const double ratio = known == our_time_.end() ? NAN : row.time_us / known->second;
        if (options_.json) {
            const auto number = [](double x) {
                return std::isfinite(x) ? nlohmann::ordered_json(x)
                                        : nlohmann::ordered_json(nullptr);
            };
            nlohmann::ordered_json line;
            line["suite"] = suite_;
            line["case"] = row.name;
            line["engine"] = row.engine;
            line["setting"] = row.setting;
            line["time_us"] = number(row.time_us);
            line["error"] = number(row.error);
            line["error_is"] = row.error_is;
            line["ratio"] = number(ratio);
            if (std::isfinite(row.p999_us)) line["time_p999_us"] = row.p999_us;
            if (std::isfinite(row.worst_us)) line["time_worst_us"] = row.worst_us;
            fmt::print("{}\n", line.dump());
        } else {
            const auto number = [](double x, const char* format) {
                return std::isfinite(x) ? fmt::format(fmt::runtime(format), x) : std::string("-");
            };
            fmt::print("{:<24} {:<14} {:<36} {:>9} {:>9} {:>9} {:>10} {:>7}  {}\n", row.name,
                       row.engine, row.setting, number(row.time_us, "{:.2f}"),
                       number(row.p999_us, "{:.1f}"), number(row.worst_us, "{:.1f}"),
                       number(row.error, "{:.2e}"), number(ratio, "{:.2f}"), row.error_is);
        }
        std::fflush(stdout);
    }

    const Options& options_;
    const char* suite_;
    double duration_;
    std::map<std::pair<std::string, double>, double> our_time_;
};

}  // namespace

int run(const Options& options) {
    if (!options.suite.empty() && options.suite != "mechanisms" && options.suite != "machine"
        && options.suite != "far" && options.suite != "bodies" && options.suite != "conforming"
        && options.suite != "field" && options.suite != "live")
        throw InputError(
            fmt::format("bench: there is no suite '{}'; there are mechanisms, machine, "
                        "far, bodies, conforming, field and live",
                        options.suite));
    if (!options.json)
        fmt::print("{:<24} {:<14} {:<36} {:>9} {:>9} {:>9} {:>10} {:>7}  {}\n", "case", "engine",
                   "setting", "µs/step", "99.9 %", "worst", "error", "ratio", "error is");
    const auto wanted = [&](const char* suite) {
        return options.suite.empty() || options.suite == suite;
    };
    using Variant = scenes::Machine15::Variant;
    if (wanted("mechanisms")) {
        Bench b(options, "mechanisms");
        b.four_bars(10);
        b.four_bars(40);
        b.machine(Variant::welded, "machine15_welded");
        b.machine(Variant::welded_with_free_cylinder, "machine15_free_cylinder");
        b.scaling();
        b.peers();
    }
    if (wanted("machine")) {
        Bench b(options, "machine");
        b.machine(Variant::on_wheels, "machine15_wheels");
        b.peers();
    }
    if (wanted("far")) {
        Bench b(options, "far");
        b.far();
        b.peers();
    }
    if (wanted("bodies")) {
        Bench b(options, "bodies");
        b.bodies();
        b.peers();
    }
    if (wanted("conforming")) Bench(options, "conforming").conforming();
    if (wanted("field")) Bench(options, "field").field();
    if (wanted("live")) Bench(options, "live").live();
    return 0;
}

}  // namespace bristle::bench
