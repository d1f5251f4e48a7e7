// Runs a scene for many values of its parameters and keeps a row of each.
#include <bristle/world.h>

#include "cli/commands.h"
#include "cli/prepare.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "report/csv_file.h"
#include "report/history.h"
#include "report/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace bristle::cli {
namespace {

constexpr size_t most_runs = 1'000'000;

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

// One run: its numbers, quantity by quantity.
std::vector<double> run_once(const io::Scene& scene, const std::vector<io::Quantity>& quantities,
                             const std::vector<Reduction>& reductions) {
    World world(scene.model, scene.solver);
    std::vector<double> row;
    for (size_t i = 0; i < quantities.size(); ++i)
        for (const Reduction& r : reductions) row.push_back(r.start);
    const bool at_end = reductions.size() == 1 && reductions[0].word == "final";
    const auto read = [&] {
        for (size_t i = 0; i < quantities.size(); ++i) {
            const double now = quantities[i].read(world);
            for (size_t k = 0; k < reductions.size(); ++k) {
                double& value = row[i * reductions.size() + k];
                value = reductions[k].join(value, now);
            }
        }
    };
    read();  // a change of energy starts here
    const uint64_t steps = steps_of(scene);
    for (uint64_t i = 1; i <= steps && console::interrupt() == 0; ++i) {
        world.step();
        if (!at_end || i == steps) read();
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
        const io::Scene first = load(options_, overrides(0));
        names_ = options_.quantities.empty() ? first.quantities : names_in(options_.quantities);
        if (names_.empty())
            throw InputError(
                "study: name what you want to know, such as --quantities energy.total (`bristle "
                "info SCENE --quantities` lists all)");
        const std::filesystem::path folder(options_.out);
        const std::vector<std::string> header = header_for(first);
        make_folder(folder);
        console::catch_interrupts();
        report::CsvFile csv(folder / (first.name + "-study.csv"), header);
        console::Progress progress(options_.json || options_.quiet
                                       ? console::Progress::To::nowhere
                                       : console::Progress::To::terminal_or_log);
        size_t done = 0;
        for (; done < runs_ && console::interrupt() == 0; ++done) {
            if (progress.is_due())
                progress.show(static_cast<double>(done) / static_cast<double>(runs_),
                              fmt::format("run {} of {}", done + 1, runs_));
            if (!one(done)) break;
            csv.add(rows_.back());
            csv.flush();
        }
        progress.finish();
        const std::filesystem::path page = folder / (first.name + "-study.html");
        report::write_report(report(first, header), page, csv);
        tell(first, csv.path(), page, done);
        if (console::interrupt() != 0) return console::interrupt_exit_code();
        return failures_.empty() ? 0 : 1;
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

    // False if it was interrupted: then its row is not complete.
    bool one(size_t run) {
        const io::Scene scene = load(options_, overrides(run));
        std::vector<double> row;
        for (const Range& range : ranges_)
            for (const io::Parameter& p : scene.parameters)
                if (p.name == range.parameter) row.push_back(p.value);
        const std::vector<io::Quantity> quantities = quantities_of(scene.model, names_);
        try {
            const std::vector<double> values = run_once(scene, quantities, reductions_);
            if (console::interrupt() != 0) return false;
            row.insert(row.end(), values.begin(), values.end());
        } catch (const SimulationError& error) {
            failures_.push_back(fmt::format("run {}: {}", run + 1, error.what()));
            row.resize(row.size() + quantities.size() * reductions_.size(),
                       std::numeric_limits<double>::quiet_NaN());
        }
        rows_.push_back(std::move(row));
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

    // Over the first parameter that has several values; a curve for every set of the others.
    report::Report report(const io::Scene& scene, const std::vector<std::string>& header) const {
        report::Report out{.title = scene.title.empty() ? scene.name : scene.title,
                           .subtitle = fmt::format("{}: parameter study", scene.name),
                           .facts = {{"runs", fmt::format("{} of {}", rows_.size(), runs_)},
                                     {"failed", fmt::format("{}", failures_.size())}}};
        size_t x = 0;
        while (x + 1 < ranges_.size() && ranges_[x].values.size() < 2) ++x;
        std::map<std::vector<double>, std::vector<size_t>> others;
        std::vector<double> places;
        for (size_t i = 0; i < rows_.size(); ++i) {
            std::vector<double> rest(rows_[i].begin(),
                                     rows_[i].begin() + static_cast<long>(ranges_.size()));
            if (std::find(places.begin(), places.end(), rest[x]) == places.end())
                places.push_back(rest[x]);
            rest[x] = 0;
            others[rest].push_back(i);
        }
        std::sort(places.begin(), places.end());
        for (size_t c = ranges_.size(); c < header.size(); ++c) {
            report::Plot plot{header[c], header[x], header[c], places, {}};
            for (const auto& [rest, members] : others) {
                std::string name;
                for (size_t k = 0; k < ranges_.size(); ++k)
                    if (k != x && ranges_[k].values.size() > 1)
                        name += fmt::format("{}{} = {:.6g}", name.empty() ? "" : ", ",
                                            ranges_[k].parameter, rest[k]);
                std::vector<double> values(places.size(), std::numeric_limits<double>::quiet_NaN());
                for (const size_t i : members) {
                    const auto at = std::find(places.begin(), places.end(), rows_[i][x]);
                    values[static_cast<size_t>(at - places.begin())] = rows_[i][c];
                }
                plot.series.push_back({name, std::move(values)});
            }
            out.plots.push_back(std::move(plot));
        }
        return out;
    }

    void tell(const io::Scene& scene, const std::filesystem::path& csv,
              const std::filesystem::path& page, size_t done) const {
        for (const std::string& failure : failures_) fmt::print(stderr, "bristle: {}\n", failure);
        if (options_.json) {
            nlohmann::ordered_json line{{"scene", scene.name},
                                        {"runs", done},
                                        {"failed", failures_.size()},
                                        {"csv", csv.string()},
                                        {"report", page.string()}};
            fmt::print("{}\n", line.dump());
        } else if (!options_.quiet) {
            fmt::print("{}: {} of {} runs, {} failed\n  {:<10} {}\n  {:<10} {}\n", scene.name, done,
                       runs_, failures_.size(), "table", csv.string(), "report", page.string());
        }
    }

    const StudyOptions& options_;
    std::vector<Range> ranges_;
    size_t runs_ = 1;
    std::vector<Reduction> reductions_;
    std::vector<std::string> names_, failures_;
    std::vector<std::vector<double>> rows_;
};

}  // namespace

int study(const StudyOptions& options) { return Study(options).go(); }

}  // namespace bristle::cli
