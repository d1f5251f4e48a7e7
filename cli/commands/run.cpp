#include <bristle/world.h>

#include "cli/commands.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "io/oddities.h"
#include "report/csv_file.h"
#include "report/history.h"
#include "report/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace bristle::cli {
namespace {

constexpr double most_rows = 4000;  // if nobody says how many

// How a run went.
struct Outcome {
    double computing = 0, stepping = 0;  // s
    std::string failure;
    int signal = 0;
};

std::string readable_factor(double factor) {
    return factor < 100 ? fmt::format("{:.3g}", factor) : fmt::format("{:.0f}", factor);
}

std::vector<std::string> columns_for(const RunOptions& options, const io::Scene& scene) {
    if (options.quantities.empty()) return scene.quantities;
    const bool besides = options.quantities.starts_with('+');
    std::vector<std::string> names = names_in(options.quantities.substr(besides ? 1 : 0));
    if (besides) names.insert(names.begin(), scene.quantities.begin(), scene.quantities.end());
    return names;
}

uint64_t row_stride(const RunOptions& options, const io::Scene& scene) {
    const double every = options.every > 0 ? options.every : scene.output_step;
    const double step = step_of(scene.solver);
    const double wanted = every > 0 ? every : scene.duration / most_rows;
    // Up to rounding, rows are never further apart than asked for.
    return std::max<uint64_t>(1, static_cast<uint64_t>(wanted / step + 1e-6));
}

class Table {
  public:
    Table(const std::filesystem::path& file, std::vector<io::Quantity> quantities)
        : quantities_(std::move(quantities)), csv_(file, header()) {}

    void sample(const World& world) {
        row_ = {world.time()};
        for (const io::Quantity& q : quantities_) row_.push_back(q.read(world));
        csv_.add(row_);
    }
    void finish(const World& world) {
        if (row_.empty() || world.time() > row_.front()) sample(world);
        csv_.flush();
    }
    report::CsvFile& csv() { return csv_; }
    void flush_if_due(console::Clock::time_point now) { csv_.flush_if_due(now); }

  private:
    std::vector<std::string> header() const {
        std::vector<std::string> names{"time (s)"};
        for (const io::Quantity& q : quantities_) names.push_back(report::column_name(q));
        return names;
    }

    std::vector<io::Quantity> quantities_;
    std::vector<double> row_;
    report::CsvFile csv_;
};

Outcome simulate(World& world, const RunOptions& options, const io::Scene& scene, Table& table,
                 report::RunHistory& history) {
    Outcome out;
    const uint64_t steps = steps_of(scene), stride = row_stride(options, scene);
    console::Progress progress(options.json || options.quiet
                                   ? console::Progress::To::nowhere
                                   : console::Progress::To::terminal_or_log);
    const auto start = console::Clock::now();
    try {
        table.sample(world);
        history.sample(world, 0);
        for (uint64_t i = 1; i <= steps && console::interrupt() == 0; ++i) {
            const auto before = console::Clock::now();
            world.step();
            const auto now = console::Clock::now();
            out.stepping += std::chrono::duration<double>(now - before).count();
            if (i % stride == 0) table.sample(world);
            history.sample(world, i);
            table.flush_if_due(now);
            if (progress.is_due())
                progress.show(
                    static_cast<double>(i) / static_cast<double>(steps),
                    fmt::format("t = {:.3f} of {:.4g} s, {}× real time", world.time(),
                                scene.duration,
                                readable_factor(world.time() / std::max(out.stepping, 1e-12))));
        }
    } catch (const std::exception& error) {  // also of a user's functions
        out.failure = error.what();
    }
    progress.finish();
    out.signal = console::interrupt();
    table.finish(world);
    history.finish(world);
    out.computing = console::seconds_since(start);
    return out;
}

std::string parameter_list(const io::Scene& scene) {
    std::string list;
    for (const io::Parameter& p : scene.parameters)
        list += fmt::format("{}{} = {:.6g}{}{}", list.empty() ? "" : ", ", p.name, p.value,
                            p.unit.empty() ? "" : " ", p.unit);
    return list;
}

// m: of the highest bounce that impulses left out.
double lost_height(const StepStatistics& stats, const Model& model) {
    const double gravity = norm(model.gravity);
    return gravity > 0 ? stats.lost_bounce * stats.lost_bounce / (2 * gravity) : 0;
}

// What turns further in a step now than torques follow, or nothing.
std::string turns_too_far(const World& world, const io::Scene& scene) {
    if (!std::holds_alternative<AugmentedLagrangian>(scene.solver)) return {};
    std::string out;
    double furthest = io::furthest_turn;
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i) {
        const double turn = norm(world.twist({i}).angular) * step_of(scene.solver);
        if (!(turn > furthest)) continue;
        furthest = turn;
        out = fmt::format(
            "'{}' by {:.3g} rad a step; beyond {:.2g} torques do next to nothing: make the step "
            "smaller",
            world.model().bodies()[i].name, turn, io::furthest_turn);
    }
    return out;
}

std::vector<report::Fact> facts_about(const World& world, const io::Scene& scene,
                                      const report::RunHistory& history, const Outcome& out) {
    const StepStatistics stats = world.statistics();
    const ConstraintError held = world.constraint_error();
    const double steps = std::max(1.0, static_cast<double>(stats.steps));
    std::vector<report::Fact> facts = {
        {"simulated time",
         fmt::format("{:.4g} s in steps of {:.3g} ms", world.time(), step_of(scene.solver) * 1e3)},
        {"computed in",
         fmt::format("{:.3g} s, {:.2f} µs a step", out.computing, 1e6 * out.stepping / steps)},
        {"real-time factor", readable_factor(world.time() / std::max(out.stepping, 1e-12))},
        {"bodies, joints",
         fmt::format("{}, {}", scene.model.bodies().size() - 1, scene.model.joints().size())},
        {"unknowns", fmt::format("{}", world.coordinates())},
        {"degrees of freedom now", fmt::format("{}", world.degrees_of_freedom())},
        {"redundant constraints now", fmt::format("{}", world.redundant_constraints())},
        {"iterations a step", fmt::format("{:.2f} on average, {} at most",
                                          stats.average_iterations(), stats.worst_iterations)},
        {"steps taken roughly",
         fmt::format("{}{}", stats.rough_steps,
                     stats.rough_steps ? ", the last " + describe(stats.last_rough, scene.model)
                                       : std::string())},
        {"constraints hold to",
         fmt::format("{:.1e} of the size, {:.1e} of the speed", held.position, held.velocity)},
    };
    if (stats.resting_step < unlimited)
        facts.push_back({"contacts made softer",
                         fmt::format("for so long a step; not with {:.2g} ms or less (or say how "
                                     "stiff the materials are)",
                                     1e3 * stats.resting_step)});
    if (const double height = lost_height(stats, scene.model); height > 1e-3)
        facts.push_back(
            {"bounces left out",
             fmt::format("of up to {:.2g} mm, of what struck more slowly than the resting "
                         "speed; a shorter step or a lower resting_speed has them",
                         1e3 * height)});
    if (const std::string what = turns_too_far(world, scene); !what.empty())
        facts.push_back({"turns too far", what});
    if (report::is_conservative(scene.model))
        facts.push_back(
            {"largest energy error", fmt::format("{:.3g} J", history.largest_energy_change())});
    if (const std::string list = parameter_list(scene); !list.empty())
        facts.push_back({"parameters", list});
    if (out.signal != 0)
        facts.push_back({"stopped", "by the user; the results are complete up to there"});
    if (!out.failure.empty()) facts.push_back({"failed", out.failure});
    return facts;
}

nlohmann::ordered_json summary(const World& world, const io::Scene& scene,
                               const report::RunHistory& history, const Outcome& out) {
    const StepStatistics stats = world.statistics();
    nlohmann::ordered_json line;
    line["scene"] = scene.name;
    line["ended"] = !out.failure.empty() ? "failed" : out.signal != 0 ? "interrupted" : "done";
    if (!out.failure.empty()) line["failure"] = out.failure;
    line["time"] = world.time();
    line["steps"] = stats.steps;
    line["time_us"] = stats.steps ? 1e6 * out.stepping / static_cast<double>(stats.steps) : 0;
    line["iterations"] = stats.average_iterations();
    line["impact_steps"] = stats.impact_steps;
    line["rough_steps"] = stats.rough_steps;
    line["lost_bounce"] = stats.lost_bounce;
    line["energy_change"] = history.largest_energy_change();
    line["hash"] = fmt::format("{:016x}", world.hash());
    for (const io::Parameter& p : scene.parameters) line["parameters"][p.name] = p.value;
    const StepProfile profile = world.profile();
    for (const StepProfile::Stage& s : profile.stages)
        line["profile"]["stages"].push_back(
            {{"stage", s.name},
             {"mean_us", 1e6 * s.total / static_cast<double>(std::max<uint64_t>(1, profile.steps))},
             {"worst_us", 1e6 * s.worst}});
    if (!profile.stages.empty()) line["profile"]["worst_step"] = profile.worst_step;
    return line;
}

// Where the time of a step went, on average and in the longest one.
void print_profile(const StepProfile& profile) {
    double total = 0, worst = 0;
    for (const StepProfile::Stage& s : profile.stages) {
        total += s.total;
        worst += s.worst;
    }
    const double steps = static_cast<double>(std::max<uint64_t>(1, profile.steps));
    const auto print = [&](const std::string& name, double mean, double longest) {
        fmt::print("  {:<26} {:>9.2f} µs {:>5.1f} %   {:>9.2f} µs {:>5.1f} %\n", name,
                   1e6 * mean / steps, total > 0 ? 100 * mean / total : 0, 1e6 * longest,
                   worst > 0 ? 100 * longest / worst : 0);
    };
    fmt::print("\n  {:<26} {:>20}   {:>20}\n", "stage", "mean of a step",
               fmt::format("step {}, the worst", profile.worst_step));
    for (const StepProfile::Stage& s : profile.stages) print(s.name, s.total, s.worst);
    print("together", total, worst);
}

// Not what `check` also looks for, which may take longer than the run.
void print_warnings(const io::Scene& scene, const World& world) {
    for (const std::string& warning : scene.warnings) fmt::print(stderr, "{}\n", warning);
    for (const auto& found : {io::oddities(scene), io::oddities_of_start(world, scene)})
        for (const std::string& warning : found)
            fmt::print(stderr, "{}\n", io::as_warning(scene.name, warning));
}

}  // namespace

int run(const RunOptions& options) {
    const io::Scene scene = load(options, overrides_in(options.set));
    std::vector<std::string> columns = columns_for(options, scene);
    const bool plots_say_it = options.quantities.empty() && !scene.plots.empty();
    report::RunHistory history(scene, plots_say_it ? std::vector<std::string>{} : columns,
                               steps_of(scene));
    if (columns.empty()) columns = report::default_quantities(scene.model);
    std::vector<io::Quantity> quantities = quantities_of(scene.model, columns);
    World world(scene.model, scene.solver);
    if (options.profile) world.measure_stages();
    if (!options.quiet) print_warnings(scene, world);

    // Until here nothing is written, and Ctrl-C ends the program as it ends any other.
    const std::filesystem::path folder(options.out), csv = folder / (scene.name + ".csv"),
                                                     page = folder / (scene.name + ".html");
    make_folder(folder);
    console::catch_interrupts();
    // Both are written beside older ones and replace them together, at the end.
    Table table(csv, std::move(quantities));
    const Outcome out = simulate(world, options, scene, table, history);

    const std::vector<report::Fact> facts = facts_about(world, scene, history, out);
    report::Report report{.title = scene.title.empty() ? scene.name : scene.title,
                          .subtitle = scene.name,
                          .facts = facts};
    history.put_into(report, scene.model);
    report::write_report(report, page, table.csv());

    if (options.json) {
        auto line = summary(world, scene, history, out);
        line["csv"] = csv.string();
        line["report"] = page.string();
        fmt::print("{}\n", json_line(line));
    } else if (!options.quiet) {
        fmt::print("{}{}{}\n", scene.name, scene.title.empty() ? "" : ": ", scene.title);
        for (const report::Fact& fact : facts) fmt::print("  {:<26} {}\n", fact.name, fact.value);
        fmt::print("  {:<26} {}\n  {:<26} {}\n", "table", csv.string(), "report", page.string());
        if (options.profile) print_profile(world.profile());
    }
    if (!out.failure.empty()) {
        fmt::print(stderr, "bristle: {}\n", out.failure);
        return 1;
    }
    return out.signal != 0 ? console::interrupt_exit_code() : 0;
}

}  // namespace bristle::cli
