#include "cli/commands/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace bristle::cli {
namespace {

using report::TableCell;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr size_t most_rows = 2000;  // of a table in the page; the CSV has all
constexpr size_t most_failures = 200;

TableCell number(double value, TableCell::Mark mark = TableCell::Mark::none) {
    return {std::isfinite(value) ? fmt::format("{:.6g}", value) : "–", value, mark};
}

// What was varied of a run, without what was not: "length = 0.5, mass = 2".
std::string setting(const StudyResults& results, size_t run) {
    std::string text;
    for (size_t k = 0; k < results.varied.size(); ++k)
        if (results.varied[k].values > 1)
            text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", results.varied[k].name,
                                results.rows[run][k]);
    return text;
}

report::Table parameter_table(const io::Scene& scene, const StudyResults& results) {
    report::Table table{"Parameters", {"parameter", "values", "from", "to", "unit", "about"}, {}};
    const auto add = [&](const io::Parameter& p, size_t values, double from, double to) {
        table.rows.push_back({{p.name},
                              number(static_cast<double>(values)),
                              number(from),
                              number(to),
                              {p.unit},
                              {p.about}});
    };
    for (size_t k = 0; k < results.varied.size(); ++k)
        for (const io::Parameter& p : scene.parameters) {
            if (p.name != results.varied[k].name) continue;
            double low = p.value, high = p.value;
            for (const auto& row : results.rows) {
                low = std::min(low, row[k]);
                high = std::max(high, row[k]);
            }
            add(p, results.varied[k].values, low, high);
        }
    for (const io::Parameter& p : scene.parameters)
        if (std::none_of(results.varied.begin(), results.varied.end(),
                         [&](const Varied& v) { return v.name == p.name; }))
            add(p, 1, p.value, p.value);
    return table;
}

// The runs in which a column is least and most; none if all failed.
struct Extremes {
    size_t least = SIZE_MAX, most = SIZE_MAX;
    bool are_there() const { return least != SIZE_MAX; }
};
Extremes extremes_of(const StudyResults& results, size_t column) {
    Extremes found;
    for (size_t i = 0; i < results.rows.size(); ++i) {
        const double value = results.rows[i][column];
        if (!std::isfinite(value)) continue;
        if (!found.are_there() || value < results.rows[found.least][column]) found.least = i;
        if (found.most == SIZE_MAX || value > results.rows[found.most][column]) found.most = i;
    }
    return found;
}

// The column that changes most for its size comes first.
report::Table extreme_table(const StudyResults& results) {
    report::Table table{"Least and most",
                        {"quantity", "least", "in", "most", "in", "spread"},
                        {},
                        "Spread: how far most is from least, in shares of the larger of the two."};
    for (size_t c = results.varied.size(); c < results.columns.size(); ++c) {
        const Extremes at = extremes_of(results, c);
        if (!at.are_there()) continue;
        const double low = results.rows[at.least][c], high = results.rows[at.most][c];
        const double size = std::max(std::abs(low), std::abs(high));
        const double spread = size > 0 ? (high - low) / size : 0;
        table.rows.push_back({{results.columns[c]},
                              number(low, TableCell::Mark::least),
                              {run_name(results, at.least)},
                              number(high, TableCell::Mark::most),
                              {run_name(results, at.most)},
                              {fmt::format("{:.3g} %", 100 * spread), spread}});
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return a.back().number > b.back().number;
    });
    return table;
}

report::Table run_table(const StudyResults& results) {
    report::Table table{"All runs", {"run"}, {}};
    table.columns.insert(table.columns.end(), results.columns.begin(), results.columns.end());
    std::vector<Extremes> extremes(results.columns.size());
    for (size_t c = results.varied.size(); c < results.columns.size(); ++c)
        extremes[c] = extremes_of(results, c);
    const size_t shown = std::min(results.rows.size(), most_rows);
    for (size_t i = 0; i < shown; ++i) {
        auto& row = table.rows.emplace_back();
        row.push_back({fmt::format("{}", i + 1), static_cast<double>(i + 1)});
        for (size_t c = 0; c < results.columns.size(); ++c)
            row.push_back(number(results.rows[i][c],
                                 extremes[c].least == extremes[c].most ? TableCell::Mark::none
                                 : extremes[c].least == i              ? TableCell::Mark::least
                                 : extremes[c].most == i               ? TableCell::Mark::most
                                                                       : TableCell::Mark::none));
    }
    if (shown < results.rows.size())
        table.note = fmt::format("The first {} of {} runs; all are in the table (CSV).", shown,
                                 results.rows.size());
    return table;
}

report::Table failure_table(const StudyResults& results) {
    report::Table table{"Failed runs", {"run", "with", "why"}, {}};
    const size_t shown = std::min(results.failures.size(), most_failures);
    for (size_t i = 0; i < shown; ++i) {
        const auto& [run, why] = results.failures[i];
        table.rows.push_back({{fmt::format("{}", run + 1), static_cast<double>(run + 1)},
                              {setting(results, run)},
                              {why}});
    }
    table.note =
        "Their rows in the table are empty; of those that are drawn over time, the curves end "
        "there.";
    if (shown < results.failures.size())
        table.note = fmt::format("{} more. {}", results.failures.size() - shown, table.note);
    return table;
}

// Each number over the first parameter that has several values; a curve for every set of the others.
void add_plots(report::Report& out, const StudyResults& results) {
    const size_t count = results.varied.size();
    size_t x = 0;
    while (x + 1 < count && results.varied[x].values < 2) ++x;
    std::map<std::vector<double>, std::vector<size_t>> others;
    std::vector<double> places;
    for (size_t i = 0; i < results.rows.size(); ++i) {
        std::vector<double> rest(results.rows[i].begin(),
                                 results.rows[i].begin() + static_cast<ptrdiff_t>(count));
        places.push_back(rest[x]);
        rest[x] = 0;
        others[rest].push_back(i);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (size_t c = count; c < results.columns.size(); ++c) {
        report::Plot plot{results.columns[c], results.columns[x], results.columns[c], places, {}};
        for (const auto& [rest, members] : others) {
            std::string name;
            for (size_t k = 0; k < count; ++k)
                if (k != x && results.varied[k].values > 1)
                    name += fmt::format("{}{} = {:.6g}", name.empty() ? "" : ", ",
                                        results.varied[k].name, rest[k]);
            std::vector<double> values(places.size(), not_a_number);
            for (const size_t i : members) {
                const auto at = std::lower_bound(places.begin(), places.end(), results.rows[i][x]);
                values[static_cast<size_t>(at - places.begin())] = results.rows[i][c];
            }
            plot.series.push_back({name, std::move(values)});
        }
        out.plots.push_back(std::move(plot));
    }
}

// Runs have steps of their own, so each curve has its times: joined into one list, with gaps between.
void add_curves_over_time(report::Report& out, const StudyResults& results) {
    if (results.curves.empty()) return;
    std::vector<double> times;
    for (const RunCurves& run : results.curves)
        times.insert(times.end(), run.time.begin(), run.time.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (size_t q = 0; q < results.quantities.size(); ++q) {
        report::Plot plot{
            results.quantities[q] + " over time", "time (s)", results.quantities[q], times, {}};
        for (const RunCurves& run : results.curves) {
            std::vector<double> values(times.size(), not_a_number);
            size_t next = 0;  // of the run's own times
            for (size_t i = 0; i < times.size() && next < run.time.size(); ++i) {
                if (times[i] == run.time[next]) {
                    values[i] = run.values[q][next++];
                } else if (next > 0) {  // linear between its own
                    const double share =
                        (times[i] - run.time[next - 1]) / (run.time[next] - run.time[next - 1]);
                    values[i] = (1 - share) * run.values[q][next - 1] + share * run.values[q][next];
                }
            }
            plot.series.push_back({run_name(results, run.run), std::move(values)});
        }
        out.plots.push_back(std::move(plot));
    }
}

}  // namespace

std::string run_name(const StudyResults& results, size_t run) {
    return fmt::format("run {}: {}", run + 1, setting(results, run));
}

report::Report study_report(const io::Scene& scene, const StudyResults& results) {
    report::Report out{
        .title = scene.title.empty() ? scene.name : scene.title,
        .subtitle = fmt::format("{}: parameter study", scene.name),
        .facts = {{"runs", fmt::format("{} of {}", results.rows.size(), results.planned)},
                  {"failed", fmt::format("{}", results.failures.size())},
                  {"simulated", fmt::format("{:.6g} s each", scene.duration)},
                  {"step", fmt::format("{:.6g} ms", 1e3 * step_of(scene.solver))},
                  {"computing", fmt::format("{:.3g} s", results.computing)}}};
    if (results.rows.size() < results.planned)
        out.facts.push_back({"stopped", "by the user; the results are complete up to there"});
    if (results.rows.empty()) return out;
    if (!results.failures.empty()) out.tables.push_back(failure_table(results));
    out.tables.push_back(extreme_table(results));
    if (out.tables.back().rows.empty()) out.tables.pop_back();
    add_plots(out, results);
    add_curves_over_time(out, results);
    out.more.push_back(run_table(results));
    out.more.push_back(parameter_table(scene, results));
    return out;
}

}  // namespace bristle::cli
