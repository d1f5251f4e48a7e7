// Runs a scene for many values of its parameters and keeps a row of each.
#include <bristle/world.h>

#include "cli/commands.h"
#include "cli/commands/study_report.h"
#include "cli/json_line.h"
#include "cli/prepare.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "io/scene/expression.h"
#include "report/csv_file.h"
#include "report/history.h"
#include "report/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace bristle::cli {
namespace {

constexpr size_t most_runs = 1'000'000;
constexpr size_t most_refused = 100;  // at the start, before the study is refused

struct Range {
    std::string parameter;
    std::vector<std::string> values;  // expressions
};

// `from:to:count`, or `value,value,…`. The reader works the expressions out, so that units may be used.
Range range_in(const std::string& parameter, const std::string& text) {
    const size_t first = text.find(':'), last = text.rfind(':');
    if (first == std::string::npos) return {parameter, names_in(text)};
    const std::string from = text.substr(0, first), count = text.substr(last + 1);
    int n = 0;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), n);
    if (first == last || error != std::errc() || end != count.data() + count.size() || n < 2
        || n > static_cast<int>(most_runs))
        throw InputError(fmt::format(
            "--set {}={}: a range is from:to:count, such as 0.5:1.5:11, or values with commas",
            parameter, text));
    const std::string to = text.substr(first + 1, last - first - 1);
    Range range{parameter, {}};
    for (int i = 0; i < n; ++i)
        range.values.push_back(
            i == 0       ? from
            : i == n - 1 ? to
                         : fmt::format("({0})+(({1})-({0}))*{2}/{3}", from, to, i, n - 1));
    return range;
}

struct Reduction {
    std::string word;
    double start;
    double (*join)(double so_far, double now);
};

std::vector<Reduction> reductions_of(const StudyOptions& options) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    std::vector<Reduction> all;
    if (options.max)
        all.push_back({"max", -infinite, [](double a, double b) { return std::max(a, b); }});
    if (options.min)
        all.push_back({"min", infinite, [](double a, double b) { return std::min(a, b); }});
    if (options.final || all.empty())
        all.push_back({"final", 0, [](double, double b) { return b; }});
    return all;
}

constexpr size_t most_curves = 8;     // runs that are drawn over time, spread over all
constexpr size_t most_samples = 400;  // of each

// One run: its numbers, quantity by quantity, and its curves if they are wanted.
std::vector<double> run_once(const io::Scene& scene, const std::vector<io::Quantity>& quantities,
                             const std::vector<Reduction>& reductions, RunCurves* curves) {
    World world(scene.model, scene.solver);
    std::vector<double> row;
    for (size_t i = 0; i < quantities.size(); ++i)
        for (const Reduction& r : reductions) row.push_back(r.start);
    const bool at_end = reductions.size() == 1 && reductions[0].word == "final";
    const uint64_t steps = steps_of(scene), stride = steps / most_samples + 1;
    if (curves != nullptr) curves->values.resize(quantities.size());
    const auto read = [&](bool is_sampled) {
        if (is_sampled) curves->time.push_back(world.time());
        for (size_t i = 0; i < quantities.size(); ++i) {
            const double now = quantities[i].read(world);
            if (is_sampled) curves->values[i].push_back(now);
            for (size_t k = 0; k < reductions.size(); ++k) {
                double& value = row[i * reductions.size() + k];
                value = reductions[k].join(value, now);
            }
        }
    };
    read(curves != nullptr);  // a change of energy starts here
    for (uint64_t i = 1; i <= steps && console::interrupt() == 0; ++i) {
        world.step();
        const bool is_sampled = curves != nullptr && (i % stride == 0 || i == steps);
        if (!at_end || i == steps || is_sampled) read(is_sampled);
    }
    return row;
}

class Study {
  public:
    explicit Study(const StudyOptions& options) : options_(options) {
        for (const auto& [name, text] : assignments_in(options.set))
            ranges_.push_back(range_in(name, text));
        for (const Range& range : ranges_) {
            runs_ *= range.values.size();
            if (runs_ > most_runs)
                throw InputError(
                    fmt::format("study: more than {} runs; take fewer values", most_runs));
        }
        if (runs_ < 2)
            throw InputError(
                "study: give at least one parameter several values, such as --set "
                "length=0.5:1.5:11");
        reductions_ = reductions_of(options);
    }

    int go() {
        const io::Scene first = first_that_can_be_read();
        names_ = options_.quantities.empty() ? first.quantities : names_in(options_.quantities);
        if (names_.empty())
            throw InputError(
                "study: name what you want to know, such as --quantities energy.total (`bristle "
                "info SCENE --quantities` lists all)");
        const std::filesystem::path folder(options_.out);
        results_.columns = header_for(first);
        results_.planned = runs_;
        for (const Range& range : ranges_)
            results_.varied.push_back({range.parameter, range.values.size()});
        for (const io::Quantity& q : quantities_of(first.model, names_))
            results_.quantities.push_back(report::column_name(q));
        make_folder(folder);
        console::catch_interrupts();
        report::CsvFile csv(folder / (first.name + "-study.csv"), results_.columns);
        console::Progress progress(options_.json || options_.quiet
                                       ? console::Progress::To::nowhere
                                       : console::Progress::To::terminal_or_log);
        const auto began = console::Clock::now();
        size_t done = 0;
        for (; done < runs_ && console::interrupt() == 0; ++done) {
            if (progress.is_due())
                progress.show(static_cast<double>(done) / static_cast<double>(runs_),
                              fmt::format("run {} of {}", done + 1, runs_));
            if (!one(done)) break;
            csv.add(results_.rows.back());
            csv.flush();
        }
        results_.computing = console::seconds_since(began);
        progress.finish();
        const std::filesystem::path page = folder / (first.name + "-study.html");
        report::write_report(study_report(first, results_), page, csv);
        tell(first, csv.path(), page, done);
        if (console::interrupt() != 0) return console::interrupt_exit_code();
        return results_.failures.empty() ? 0 : 1;
    }

  private:
    io::Overrides overrides(size_t run) const {
        io::Overrides all;
        for (size_t i = ranges_.size(); i-- > 0;) {
            const size_t n = ranges_[i].values.size();
            all[ranges_[i].parameter] = ranges_[i].values[run % n];
            run /= n;
        }
        return all;
    }

    // A value that the scene refuses is a run that failed. If it refuses all of them, the first one tells why.
    io::Scene first_that_can_be_read() const {
        for (size_t run = 0; run < std::min(runs_, most_refused); ++run) {
            try {
                return load(options_, overrides(run));
            } catch (
                const InputError&) {  // NOLINT(bugprone-empty-catch): it is told when its turn comes
            }
        }
        return load(options_, overrides(0));
    }

    // What was varied of a run whose scene cannot be read: as numbers, if they are some.
    std::vector<double> values_of(size_t run) const {
        const io::Overrides all = overrides(run);
        std::vector<double> values;
        for (const Range& range : ranges_) {
            try {
                values.push_back(io::Expression(all.at(range.parameter), {})());
            } catch (const io::ExpressionError&) {
                values.push_back(std::numeric_limits<double>::quiet_NaN());
            }
        }
        return values;
    }
    void keep_failure(size_t run, std::vector<double> row, const std::string& why) {
        results_.failures.push_back({run, why});
        row.resize(results_.columns.size(), std::numeric_limits<double>::quiet_NaN());
        results_.rows.push_back(std::move(row));
    }

    // False if it was interrupted: then its row is not complete.
    bool one(size_t run) {
        io::Scene scene;
        try {
            scene = load(options_, overrides(run));
        } catch (const InputError& error) {
            keep_failure(run, values_of(run), error.what());
            return true;
        }
        std::vector<double> row;
        for (const Range& range : ranges_)
            for (const io::Parameter& p : scene.parameters)
                if (p.name == range.parameter) row.push_back(p.value);
        const std::vector<io::Quantity> quantities = quantities_of(scene.model, names_);
        // The first and the last among them.
        const size_t next =
            results_.curves.size() * (runs_ - 1) / (std::min(most_curves, runs_) - 1);
        const bool is_drawn = run >= next && results_.curves.size() < most_curves;
        RunCurves curves{run, {}, {}};
        try {
            const std::vector<double> values =
                run_once(scene, quantities, reductions_, is_drawn ? &curves : nullptr);
            if (console::interrupt() != 0) return false;
            row.insert(row.end(), values.begin(), values.end());
            results_.rows.push_back(std::move(row));
        } catch (const SimulationError& error) {
            keep_failure(run, std::move(row), error.what());
        } catch (const InputError& error) {  // a model that cannot be put together
            keep_failure(run, std::move(row), error.what());
        }
        if (!curves.time.empty()) results_.curves.push_back(std::move(curves));
        return true;
    }

    std::vector<std::string> header_for(const io::Scene& scene) const {
        std::vector<std::string> header;
        for (const Range& range : ranges_)
            for (const io::Parameter& p : scene.parameters)
                if (p.name == range.parameter)
                    header.push_back(report::column_name({p.name, p.unit, {}}));
        for (const io::Quantity& q : quantities_of(scene.model, names_))
            for (const Reduction& r : reductions_)
                header.push_back(fmt::format("{} {}", r.word, report::column_name(q)));
        return header;
    }

    void tell(const io::Scene& scene, const std::filesystem::path& csv,
              const std::filesystem::path& page, size_t done) const {
        for (const StudyFailure& failure : results_.failures)
            fmt::print(stderr, "bristle: {}: {}\n", run_name(results_, failure.run), failure.why);
        if (options_.json) {
            nlohmann::ordered_json line{{"scene", scene.name},
                                        {"runs", done},
                                        {"failed", results_.failures.size()},
                                        {"csv", csv.string()},
                                        {"report", page.string()}};
            fmt::print("{}\n", json_line(line));
        } else if (!options_.quiet) {
            fmt::print("{}: {} of {} runs, {} failed\n  {:<10} {}\n  {:<10} {}\n", scene.name, done,
                       runs_, results_.failures.size(), "table", csv.string(), "report",
                       page.string());
        }
    }

    const StudyOptions& options_;
    std::vector<Range> ranges_;
    size_t runs_ = 1;
    std::vector<Reduction> reductions_;
    std::vector<std::string> names_;
    StudyResults results_;
};

}  // namespace

int study(const StudyOptions& options) { return Study(options).go(); }

}  // namespace bristle::cli
