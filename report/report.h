#pragma once

#include "report/drawing.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace bristle::report {

class CsvFile;

// One curve of a plot; values that are not finite are drawn as gaps.
struct Series {
    std::string name;
    std::vector<double> values;  // as many as Plot::x
};

// Labels carry their unit in brackets, "time (s)", so that read-outs can show it.
struct Plot {
    std::string title, x_label, y_label;
    std::vector<double> x;
    std::vector<Series> series;
};

// A row of the summary table.
struct Fact {
    std::string name, value;
};

// A table that can be sorted by a click on the name of a column. Cells of numbers are sorted as such.
struct TableCell {
    std::string text;
    double number = std::numeric_limits<double>::quiet_NaN();  // of text: none
    enum class Mark : std::uint8_t { none, least, most } mark = Mark::none;
};
struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<TableCell>> rows;
    std::string note = {};  // below it
};

// A path in the plane of motion, drawn beneath the animation.
struct Trace {
    std::string name;
    std::vector<std::array<double, 2>> points;
};

// What a line of the animation is: a bar with pins at its ends, the edge of a shape, or a spring.
enum class Segment : std::uint8_t { link, edge, spring };

struct Frame {
    double time;                                  // s
    std::vector<std::array<double, 4>> segments;  // x0, y0, x1, y1 of each link, m
};

struct Report {
    std::string title, subtitle;
    std::vector<Fact> facts;
    std::vector<Plot> plots;
    std::vector<Frame> animation;
    std::vector<Segment> segment_kinds = {};  // of a frame's segments; beyond its end: links
    std::string view = {};                    // where the animation is seen from
    std::vector<Trace> traces;
    std::vector<Figure> figures = {};  // above the tables
    std::vector<Table> tables = {};    // above the plots
    std::vector<Table> more = {};      // below them
};

// The report as one HTML page that needs nothing from outside.
// Throws std::invalid_argument when a series and its x differ in length.
std::string render_report(const Report& report);

// Writes the page, making the folder if need be.
// Throws std::runtime_error naming the path and the reason.
void write_report(const Report& report, const std::filesystem::path& path);
// The same, and the table that it is about: both get their names together.
void write_report(const Report& report, const std::filesystem::path& path, CsvFile& table);

// Indices of at most `limit` (at least 8) values that draw the same curve: both ends, and of each
// of many equal stretches the lowest, the highest and, if it has a gap, the gap.
std::vector<std::size_t> thinned_indices(std::span<const double> values, std::size_t limit);

}  // namespace bristle::report
