#include "report/report.h"

#include "console/interrupt.h"
#include "io/output_file.h"
#include "report/csv_file.h"
#include "report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace bristle::report {
namespace {

// More points than this cannot be told apart on a screen, zoomed twentyfold or not.
constexpr std::size_t max_points = 4000;
constexpr std::size_t max_frames = 2000;
constexpr std::size_t max_animated_segments = 60000;

// A JSON string that cannot close the script element it stands in.
void append_string(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    out += '"';
}

void append_number(std::string& out, double value, int digits) {
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(out), "{:.{}g}", value, digits);
    } else {
        out += "null";
    }
}

// The list [item(0),item(1),...].
template <class AppendItem>
void append_list(std::string& out, std::size_t count, const AppendItem& append_item) {
    out += '[';
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) out += ',';
        append_item(i);
    }
    out += ']';
}

constexpr int time_digits = 9;
constexpr int motion_digits = 6;

// Enough significant digits for a curve to stay smooth when its range is small beside its values.
int digits_for(const std::vector<double>& values) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low < high)) return 9;
    const double ratio = std::max(std::abs(low), std::abs(high)) / (high - low);
    return std::clamp(8 + static_cast<int>(std::ceil(std::log10(ratio))), 9, 17);
}

void append_values(std::string& out, const std::vector<double>& values,
                   const std::vector<std::size_t>& kept) {
    const int digits = digits_for(values);
    append_list(out, kept.size(),
                [&](std::size_t i) { append_number(out, values[kept[i]], digits); });
}

void append_plot(std::string& out, const Plot& plot) {
    for (const Series& series : plot.series) {
        if (series.values.size() == plot.x.size()) continue;
        throw std::invalid_argument(fmt::format(
            "plot '{}': series '{}' has {} values for {} values of x; give one for each",
            plot.title, series.name, series.values.size(), plot.x.size()));
    }
    const bool shared_x = plot.x.size() <= max_points;
    out += R"({"xl":)";
    append_string(out, plot.x_label);
    out += R"(,"yl":)";
    append_string(out, plot.y_label);
    out += R"(,"x":)";
    append_values(out, plot.x,
                  shared_x ? thinned_indices(plot.x, max_points) : std::vector<std::size_t>{});
    out += R"(,"s":)";
    append_list(out, plot.series.size(), [&](std::size_t i) {
        const Series& series = plot.series[i];
        const std::vector<std::size_t> kept = thinned_indices(series.values, max_points);
        out += R"({"n":)";
        append_string(out, series.name);
        out += R"(,"y":)";
        append_values(out, series.values, kept);
        if (!shared_x) {
            out += R"(,"x":)";
            append_values(out, plot.x, kept);
        }
        out += '}';
    });
    out += '}';
}

// At most `limit` indices below `count`, evenly spread, with the first and the last.
std::vector<std::size_t> spread_indices(std::size_t count, std::size_t limit) {
    std::vector<std::size_t> kept(std::min(count, limit));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        kept[i] = count <= limit ? i : i * (count - 1) / (limit - 1);
    }
    return kept;
}

void append_frames(std::string& out, const Report& report) {
    const std::vector<Frame>& frames = report.animation;
    std::size_t segments = 1;
    for (const Frame& frame : frames) segments = std::max(segments, frame.segments.size());
    const std::size_t limit =
        std::clamp<std::size_t>(max_animated_segments / segments, 100, max_frames);
    const std::vector<std::size_t> kept = spread_indices(frames.size(), limit);

    out += R"({"t":)";
    append_list(out, kept.size(),
                [&](std::size_t i) { append_number(out, frames[kept[i]].time, time_digits); });
    out += R"(,"f":)";
    append_list(out, kept.size(), [&](std::size_t i) {
        const Frame& frame = frames[kept[i]];
        append_list(out, 4 * frame.segments.size(), [&](std::size_t k) {
            append_number(out, frame.segments[k / 4][k % 4], motion_digits);
        });
    });
    if (!report.segment_kinds.empty()) {
        out += R"(,"k":")";
        for (const Segment kind : report.segment_kinds)
            out += kind == Segment::edge ? 'e' : kind == Segment::spring ? 's' : 'l';
        out += '"';
    }
    out += '}';
}

void append_trace(std::string& out, const Trace& trace) {
    const std::vector<std::size_t> kept = spread_indices(trace.points.size(), max_points);
    out += R"({"n":)";
    append_string(out, trace.name);
    out += R"(,"p":)";
    append_list(out, 2 * kept.size(), [&](std::size_t k) {
        append_number(out, trace.points[kept[k / 2]][k % 2], motion_digits);
    });
    out += '}';
}

std::string data_of(const Report& report) {
    std::string out = R"({"plots":)";
    append_list(out, report.plots.size(),
                [&](std::size_t i) { append_plot(out, report.plots[i]); });
    out += R"(,"frames":)";
    append_frames(out, report);
    out += R"(,"traces":)";
    append_list(out, report.traces.size(),
                [&](std::size_t i) { append_trace(out, report.traces[i]); });
    out += '}';
    return out;
}

void append_top(std::string& out, const Report& report) {
    const bool motion = !report.animation.empty() || !report.traces.empty();
    const bool facts = !report.facts.empty();
    if (!motion && !facts) return;
    out += motion && facts ? "<div class=\"top both\">\n" : "<div class=\"top\">\n";
    if (motion) {
        out += "<section class=\"card\" id=\"motion\"><div class=\"head\"><h2>Motion</h2>";
        if (!report.view.empty())
            out += fmt::format("<span class=\"view\">{}</span>", escaped_html(report.view));
        out += "</div></section>\n";
    }
    if (facts) {
        out += "<section class=\"card\"><div class=\"head\"><h2>Summary</h2></div>\n<table>\n";
        for (const Fact& fact : report.facts) {
            out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                               escaped_html(fact.name), escaped_html(fact.value));
        }
        out += "</table></section>\n";
    }
    out += "</div>\n";
}

// The order of rows is that of the numbers behind the cells, not of their texts: "data-n".
void append_cell(std::string& out, const TableCell& cell) {
    out += cell.mark == TableCell::Mark::least ? "<td class=\"least\""
         : cell.mark == TableCell::Mark::most  ? "<td class=\"most\""
         : std::isfinite(cell.number)          ? "<td"
                                               : "<td class=\"text\"";
    if (std::isfinite(cell.number))
        fmt::format_to(std::back_inserter(out), " data-n=\"{:.17g}\"", cell.number);
    out += '>' + escaped_html(cell.text) + "</td>";
}

void append_tables(std::string& out, const std::vector<Table>& tables) {
    for (const Table& table : tables) {
        out += fmt::format(
            "<section class=\"card rows\"><div class=\"head\"><h2>{}</h2></div>\n"
            "<div class=\"wide\"><table class=\"sorted\">\n<thead><tr>",
            escaped_html(table.title));
        for (size_t i = 0; i < table.columns.size(); ++i) {
            const bool is_text = !table.rows.empty() && i < table.rows[0].size()
                              && !std::isfinite(table.rows[0][i].number);
            out += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                               is_text ? " class=\"text\"" : "", escaped_html(table.columns[i]));
        }
        out += "</tr></thead>\n<tbody>\n";
        for (const auto& row : table.rows) {
            out += "<tr>";
            for (const TableCell& cell : row) append_cell(out, cell);
            out += "</tr>\n";
        }
        out += "</tbody></table></div>";
        if (!table.note.empty())
            out += fmt::format("<p class=\"note\">{}</p>", escaped_html(table.note));
        out += "</section>\n";
    }
}

void append_figures(std::string& out, const std::vector<Figure>& figures) {
    for (const Figure& figure : figures) {
        out += fmt::format("<section class=\"card rows\"><div class=\"head\"><h2>{}</h2></div>\n{}",
                           escaped_html(figure.title), figure.svg);
        if (!figure.note.empty())
            out += fmt::format("<p class=\"note\">{}</p>", escaped_html(figure.note));
        out += "</section>\n";
    }
}

void append_plots(std::string& out, const std::vector<Plot>& plots) {
    if (plots.empty()) return;
    out += plots.size() > 1 ? "<div class=\"plots many\">\n" : "<div class=\"plots\">\n";
    for (const Plot& plot : plots) {
        const std::string title = escaped_html(plot.title);
        out += fmt::format(
            "<section class=\"card plot\" data-title=\"{}\">"
            "<div class=\"head\"><h2>{}</h2></div></section>\n",
            title, title);
    }
    out += "</div>\n";
}

}  // namespace

std::vector<std::size_t> thinned_indices(std::span<const double> values, std::size_t limit) {
    const std::size_t count = values.size();
    std::vector<std::size_t> kept;
    limit = std::max<std::size_t>(limit, 8);
    if (count <= limit) {
        kept.resize(count);
        std::iota(kept.begin(), kept.end(), std::size_t{0});
        return kept;
    }
    const bool gaps =
        !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    const std::size_t stretches = (limit - 2) / (gaps ? 3 : 2);
    kept.reserve(limit);
    kept.push_back(0);
    for (std::size_t k = 0; k < stretches; ++k) {
        const std::size_t begin = 1 + k * (count - 2) / stretches;
        const std::size_t end = 1 + (k + 1) * (count - 2) / stretches;
        std::size_t lowest = end, highest = end, gap = end;
        for (std::size_t i = begin; i < end; ++i) {
            if (!std::isfinite(values[i])) {
                if (gap == end) gap = i;
                continue;
            }
            if (lowest == end || values[i] < values[lowest]) lowest = i;
            if (highest == end || values[i] > values[highest]) highest = i;
        }
        std::array<std::size_t, 3> picks{lowest, highest, gap};
        std::sort(picks.begin(), picks.end());
        for (const std::size_t pick : picks) {
            if (pick != end && pick != kept.back()) kept.push_back(pick);
        }
    }
    kept.push_back(count - 1);
    return kept;
}

std::string render_report(const Report& report) {
    const std::string title = escaped_html(report.title);
    // The policy makes the browser itself refuse anything from outside.
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<header><h1>{}</h1>\n",
        title, page_style, title);
    if (!report.subtitle.empty()) {
        out += fmt::format("<p class=\"subtitle\">{}</p>", escaped_html(report.subtitle));
    }
    out += "</header>\n";
    append_top(out, report);
    append_figures(out, report.figures);
    append_tables(out, report.tables);
    append_plots(out, report.plots);
    append_tables(out, report.more);
    out +=
        "<noscript><p>The plots are drawn by a script inside this page; allow it to see them."
        "</p></noscript>\n";
    if (!report.plots.empty()) {
        out +=
            "<footer>Drag across a plot to zoom, double-click to reset; "
            "click a name to hide its curve.</footer>\n";
    }
    out += "</main>\n<script type=\"application/json\" id=\"data\">";
    out += data_of(report);
    out += "</script>\n<script>(() => {";
    out += chart_script;
    out += motion_script;
    out += table_script;
    out += "})();</script>\n</body>\n</html>\n";
    return out;
}

namespace {

void write_page(const Report& report, const std::filesystem::path& path, CsvFile* table) {
    const std::string page = render_report(report);
    const auto fail = [&](const std::string& reason) {
        throw std::runtime_error(
            fmt::format("cannot write the report {}: {}", path.string(), reason));
    };
    std::error_code error;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
    if (error) fail(error.message());

    // A reader, or a second Ctrl-C, never finds half a page.
    console::SignalsWait opening;
    io::OutputFile file(path, io::OutputFile::Kind::whole_or_nothing);
    const console::UnfinishedFile unfinished(file.beside());
    opening.release();
    file.write(page);
    if (table == nullptr)
        file.publish();
    else
        table->finish_with(file);
}

}  // namespace

void write_report(const Report& report, const std::filesystem::path& path) {
    write_page(report, path, nullptr);
}
void write_report(const Report& report, const std::filesystem::path& path, CsvFile& table) {
    write_page(report, path, &table);
}

}  // namespace bristle::report
