// Which runs there are, and the tables of what they showed.
#include "validation/rough/rough.h"

#include <bristle/scene.h>

#include "io/scene/scene_files.h"
#include "validation/rough/case.h"
#include "validation/rough/crew.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace bristle::validation::rough {
namespace {

constexpr const char *lagrange = "augmented_lagrangian", *impulse = "impulse";
constexpr const char *scenes_family = "scenes", *cases_family = "cases";

struct Seeds {
    uint64_t first, last;
};

Seeds seeds_of(const std::string& text) {
    const size_t colon = text.find(':');
    try {
        const uint64_t first = std::stoull(text.substr(0, colon));
        return {first, colon == std::string::npos ? first : std::stoull(text.substr(colon + 1))};
    } catch (const std::exception&) {
        throw InputError(
            fmt::format("validate rough: --seeds is '{}'; expected FIRST:LAST, as 1:20", text));
    }
}

bool is_chosen(const Options& options, const std::string& family) {
    const auto& f = options.families;
    return f.empty() || std::find(f.begin(), f.end(), family) != f.end();
}

std::vector<std::string> solvers(const Options& options, bool both) {
    if (!options.solver.empty()) return {options.solver};
    if (both) return {lagrange, impulse};
    return {lagrange};
}

std::vector<double> steps(const Options& options, std::vector<double> own) {
    if (options.step > 0) own = {options.step};
    return own;
}

void plan_seeds(const Options& options, std::vector<Run>& plan) {
    for (const Family& family : families()) {
        if (!is_chosen(options, family.name)) continue;
        Seeds seeds{1, static_cast<uint64_t>(options.all ? family.seeds : 2)};
        if (!options.seeds.empty()) seeds = seeds_of(options.seeds);
        const double own = options.all ? family.seconds : family.gate_seconds;
        for (const std::string& solver : solvers(options, options.all))
            for (const double step : steps(options, family.steps))
                for (uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
                    plan.push_back({family.name, "", seed, step, solver,
                                    options.seconds > 0 ? options.seconds : own});
    }
}

void plan_file(const Options& options, const std::string& family, const std::string& file,
               double least, std::vector<Run>& plan) {
    const io::Scene scene = io::read_scene(file);
    if (scene.model.bodies().size() == 1) return;  // a part of others
    Seeds seeds{0, 1};                             // as it is, and with random commands
    if (!options.seeds.empty()) seeds = seeds_of(options.seeds);
    if (!takes_commands(scene.model)) seeds.last = std::min<uint64_t>(seeds.last, 0);
    for (const std::string& solver : solvers(options, true))
        for (const double step : steps(options, {1e-3, 2e-3, 5e-3, 10e-3}))
            for (uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
                plan.push_back(
                    {family, file, seed, step, solver,
                     options.seconds > 0 ? options.seconds : std::max(scene.duration, least)});
}

std::vector<Run> plan_of(const Options& options) {
    std::vector<Run> plan;
    plan_seeds(options, plan);
    const bool has_scenes = options.all || !options.families.empty();
    if (has_scenes && is_chosen(options, scenes_family))
        for (const io::KnownScene& scene : io::known_scenes())
            plan_file(options, scenes_family, scene.file.string(), 0, plan);
    if (!options.cases.empty() && is_chosen(options, cases_family)) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(options.cases))
            if (entry.path().extension() == ".yaml") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const auto& file : files) plan_file(options, cases_family, file.string(), 600, plan);
    }
    return plan;
}

// ---- Tables --------------------------------------------------------------------------------------

std::string verdict(const Result& r) {
    const auto faults = r.faults();
    return faults.empty() ? "pass" : fmt::format("{}", fmt::join(faults, "+"));
}

void print_head() {
    fmt::print(
        "{:<13} {:<34} {:>6} {:>5} {:<8} {:>8} {:>9} {:>9} {:>7} {:>8} {:>8} {:>8} {:>8}  {}\n",
        "family", "what", "seed", "ms", "solver", "ran s", "gain J", "of J", "deep", "gap m",
        "mean us", "99.9 %", "worst", "verdict");
}

void print_row(const Result& r) {
    const bool is_impulse = r.solver == impulse;
    fmt::print(
        "{:<13} {:<34.34} {:>6} {:>5.3g} {:<8} {:>8.2f} {:>9.2e} {:>9.2e} {:>7.3f} {:>8.1e} "
        "{:>8.0f} "
        "{:>8.0f} {:>8.0f}  {}\n",
        r.family, r.subject, r.seed, 1e3 * r.step, is_impulse ? "impulse" : "lagrange", r.simulated,
        r.gain, r.largest_energy, r.depth_share, r.joint_gap, r.mean_us, r.p999_us, r.worst_us,
        verdict(r));
    if (!r.error.empty()) fmt::print("    {}\n", r.error.substr(0, r.error.find('\n')));
    if (r.through > 0) fmt::print("    {} at {:.2f} s\n", r.through_where, r.through_time);
    std::fflush(stdout);
}

struct Sum {
    int runs = 0, failed = 0;
    std::map<std::string, int> faults;
    double simulated = 0, gain = 0, depth = 0, gap = 0, microseconds = 0, worst = 0;
};

void print_sums(const std::vector<Result>& results) {
    std::vector<std::pair<std::string, Sum>> sums;
    for (const Result& r : results) {
        const std::string key = fmt::format("{:<13} {:<20}", r.family, r.solver);
        auto at = std::find_if(sums.begin(), sums.end(), [&](auto& s) { return s.first == key; });
        if (at == sums.end()) at = sums.insert(sums.end(), {key, {}});
        Sum& s = at->second;
        const auto faults = r.faults();
        ++s.runs;
        s.failed += !faults.empty();
        for (const std::string& f : faults) ++s.faults[f];
        s.simulated += r.simulated;
        // Over what is allowed.
        if (r.allowed_gain > 0) s.gain = std::max(s.gain, r.gain / r.allowed_gain);
        s.depth = std::max(s.depth, r.depth_share);
        s.gap = std::max(s.gap, r.joint_gap);
        s.microseconds += r.mean_us;
        s.worst = std::max(s.worst, r.worst_us);
    }
    fmt::print("\n{:<34} {:>5} {:>7} {:>9} {:>10} {:>7} {:>8} {:>8} {:>9}  {}\n", "family", "runs",
               "failed", "hours", "gain/limit", "deep", "gap m", "mean us", "worst us", "faults");
    for (const auto& [key, s] : sums) {
        std::string faults;
        for (const auto& [fault, count] : s.faults) faults += fmt::format("{} {}  ", fault, count);
        fmt::print("{} {:>5} {:>7} {:>9.3f} {:>10.3g} {:>7.3f} {:>8.1e} {:>8.0f} {:>9.0f}  {}\n",
                   key, s.runs, s.failed, s.simulated / 3600, s.gain, s.depth, s.gap,
                   s.microseconds / s.runs, s.worst, faults);
    }
}

void print_list(const std::vector<Run>& plan) {
    fmt::print("{:<14} {}\n", "family", "what");
    for (const Family& family : families()) fmt::print("{:<14} {}\n", family.name, family.about);
    fmt::print("{:<14} {}\n", scenes_family,
               "all scenes that come with Bristle, as they are and with random commands");
    fmt::print("{:<14} {}\n\n", cases_family, "scene files of the folder --cases");
    double seconds = 0;
    for (const Run& run : plan) seconds += run.seconds;
    fmt::print("these options: {} runs, {:.2f} simulated hours\n", plan.size(), seconds / 3600);
}

std::ofstream opened(const std::string& file) {
    if (file.empty()) return {};
    const auto folder = std::filesystem::path(file).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::ofstream out(file);
    if (!out) throw InputError(fmt::format("validate rough: {} cannot be written", file));
    return out;
}

std::string csv_row(const Result& r, bool is_head) {
    std::string row;
    const nlohmann::ordered_json figures = to_json(r);
    for (const auto& [key, value] : figures.items()) {
        if (!row.empty()) row += ',';
        row += is_head ? key : value.is_array() ? fmt::format("\"{}\"", verdict(r)) : value.dump();
    }
    return row + '\n';
}

}  // namespace

int run(const Options& options) {
    for (const std::string& name : options.families) {
        const auto& all = families();
        const bool is_known =
            name == scenes_family || name == cases_family
            || std::any_of(all.begin(), all.end(), [&](const Family& f) { return f.name == name; });
        if (!is_known)
            throw InputError(
                fmt::format("validate rough: there is no family '{}'; --list shows them", name));
    }
    std::vector<Run> plan = plan_of(options);
    for (Run& run : plan) run.is_strict = options.strict;
    if (options.list) {
        print_list(plan);
        return 0;
    }
    std::ofstream csv = opened(options.csv), json = opened(options.json);
    print_head();
    std::vector<Result> results;
    int failed = 0;
    play_all(plan, options.jobs, [&](const Result& r) {
        print_row(r);
        if (results.empty()) csv << csv_row(r, true);
        csv << csv_row(r, false) << std::flush;
        if (json) json << to_json(r).dump() << '\n' << std::flush;
        failed += !r.faults().empty();
        results.push_back(r);
        if (isatty(STDERR_FILENO))
            fmt::print(stderr, "{} of {} runs, {} failed\r", results.size(), plan.size(), failed);
    });
    print_sums(results);
    fmt::print("\n{} runs, {} failed\n", results.size(), failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace bristle::validation::rough
