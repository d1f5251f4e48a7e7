#include "io/height_file.h"

#include <bristle/error.h>

#include "io/read_file.h"
#include "io/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace bristle::io {
namespace {

constexpr double most_size = 1e9;  // m: of a coordinate; beyond it a millimetre is rounding

struct Row {
    size_t line;
    Vec3 point;
};

// ---- The text of a survey --------------------------------------------------------------------------

class SurveyReader {
  public:
    SurveyReader(std::string_view text, const std::string& name, double scale)
        : text_(text), name_(name), scale_(scale) {}

    std::vector<Row> read() {
        constexpr std::string_view mark = "\xef\xbb\xbf";  // that some programs begin UTF-8 with
        if (text_.substr(0, mark.size()) == mark) text_.remove_prefix(mark.size());
        std::vector<Row> rows;
        bool is_first = true;
        while (!text_.empty()) {
            const std::vector<std::string_view> words = next_line();
            if (words.empty()) continue;
            if (is_first && !number(words[0])) {
                read_names(words);
            } else {
                rows.push_back({line_, point(words)});
                if (rows.size() > most_survey_points)
                    fail(
                        fmt::format("more than {} points; expected at most so many: take every "
                                    "second or third",
                                    most_survey_points));
            }
            is_first = false;
        }
        return rows;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}:{}: {}", name_, line_, what));
    }

    std::vector<std::string_view> next_line() {
        const size_t end = text_.find_first_of("\r\n");
        std::string_view line = text_.substr(0, end);
        const bool is_both = end != std::string_view::npos && text_.substr(end, 2) == "\r\n";
        text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1 + is_both);
        ++line_;
        line = line.substr(0, line.find('#'));
        // One of them is between numbers: with a semicolon or tab a comma would be a decimal one.
        const char* const between = line.find(';') != std::string_view::npos  ? ";"
                                  : line.find('\t') != std::string_view::npos ? "\t"
                                  : line.find(',') != std::string_view::npos  ? ","
                                                                              : " ";
        std::vector<std::string_view> words;
        while (!line.empty()) {
            const size_t stop = line.find_first_of(between);
            std::string_view word = line.substr(0, stop);
            line.remove_prefix(stop == std::string_view::npos ? line.size() : stop + 1);
            while (!word.empty() && (word.front() == ' ' || word.front() == '"'))
                word.remove_prefix(1);
            while (!word.empty() && (word.back() == ' ' || word.back() == '"'))
                word.remove_suffix(1);
            if (!word.empty() || *between != ' ') words.push_back(word);
        }
        const bool is_blank =
            std::all_of(words.begin(), words.end(), [](const auto& word) { return word.empty(); });
        return is_blank ? std::vector<std::string_view>{} : words;
    }

    static std::optional<double> number(std::string_view word) {
        if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size()) return {};
        return value;
    }

    // For messages: short, and without what a terminal would obey.
    static std::string shown(std::string_view word) {
        std::string text;
        for (const char c : word.substr(0, 40))
            text += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
        return '"' + text + (word.size() > 40 ? "...\"" : "\"");
    }

    void read_names(const std::vector<std::string_view>& words) {
        static constexpr const char* names[] = {"x", "y", "z"};
        for (size_t axis = 0; axis < 3; ++axis) {
            const auto found = std::find_if(words.begin(), words.end(), [&](std::string_view w) {
                // "x", "X", "x [m]"
                return !w.empty() && std::tolower(static_cast<unsigned char>(w[0])) == *names[axis]
                    && (w.size() == 1 || w[1] == ' ' || w[1] == '[' || w[1] == '(');
            });
            if (found == words.end())
                fail(
                    fmt::format("{} is no number, and no column is called {}; expected a line of "
                                "names with x, y and z, or numbers",
                                shown(words[0]), names[axis]));
            column_[axis] = static_cast<size_t>(found - words.begin());
        }
    }

    Vec3 point(const std::vector<std::string_view>& words) const {
        const size_t needed = *std::max_element(column_, column_ + 3) + 1;
        if (words.size() < needed)
            fail(fmt::format("{} numbers, expected {}: x, y and z of a point", words.size(),
                             needed));
        Vec3 at;
        for (size_t axis = 0; axis < 3; ++axis) {
            const std::string_view word = words[column_[axis]];
            const auto value = number(word);
            if (!value && word.find(',') != std::string_view::npos)
                fail(fmt::format("{}, expected a number with a decimal point", shown(word)));
            if (!value || !std::isfinite(*value))
                fail(
                    fmt::format("{} is {}, expected a finite number; leave out points without a "
                                "height",
                                "xyz"[axis], word.empty() ? "missing" : shown(word)));
            at[static_cast<int>(axis)] = scale_ * *value;
            if (!(std::abs(scale_ * *value) < most_size))
                fail(fmt::format("{} is {} m, expected less than {:.0e} m", "xyz"[axis],
                                 scale_ * *value, most_size));
        }
        return at;
    }

    std::string_view text_;
    const std::string& name_;
    double scale_;
    size_t line_ = 0;
    size_t column_[3] = {0, 1, 2};
};

// ---- What is wrong with the points -------------------------------------------------------------------

constexpr size_t most_told = 3;  // of a kind, with their lines

// One point a place, with the mean height; those that differ are told.
Survey without_duplicates(std::vector<Row> rows, const std::string& name) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::pair(a.point.x, a.point.y) < std::pair(b.point.x, b.point.y);
    });
    Survey survey;
    size_t differing = 0;
    for (size_t i = 0; i < rows.size();) {
        size_t end = i;
        double sum = 0;
        bool is_same = true;
        for (; end < rows.size() && rows[end].point.x == rows[i].point.x
               && rows[end].point.y == rows[i].point.y;
             ++end) {
            sum += rows[end].point.z;
            is_same = is_same && rows[end].point.z == rows[i].point.z;
        }
        Vec3 point = rows[i].point;
        if (!is_same) {
            point.z = sum / static_cast<double>(end - i);
            const auto other =
                std::find_if(rows.begin() + static_cast<ptrdiff_t>(i), rows.end(),
                             [&](const Row& row) { return row.point.z != rows[i].point.z; });
            if (++differing <= most_told)
                survey.warnings.push_back(fmt::format(
                    "{}:{}: the point ({:.6g}, {:.6g}) has another height, {:.6g} m, than in line "
                    "{}, {:.6g} m; the mean of them is taken",
                    name, other->line, point.x, point.y, other->point.z, rows[i].line,
                    rows[i].point.z));
        }
        survey.points.push_back(point);
        i = end;
    }
    if (differing > most_told)
        survey.warnings.push_back(
            fmt::format("{}: {} places have more than one height in all", name, differing));
    return survey;
}

Survey checked(std::vector<Row> rows, const std::string& name) {
    const std::vector<Row> as_read = rows;
    Survey survey = without_duplicates(std::move(rows), name);
    if (survey.points.size() < 3)
        throw InputError(fmt::format("{}: it has {} different points, expected three or more", name,
                                     survey.points.size()));
    std::vector<Point2> places;
    places.reserve(survey.points.size());
    for (const Vec3& p : survey.points) places.push_back({p.x, p.y});
    survey.over = delaunay(places);
    if (survey.over.triangles.empty())
        throw InputError(
            fmt::format("{}: its {} points are all on one line; expected some beside "
                        "it",
                        name, survey.points.size()));
    std::vector<size_t> odd = sticking_out(survey);
    const size_t count = odd.size();
    odd.resize(std::min(count, most_told));
    for (const size_t i : odd) {
        const Vec3 p = survey.points[i];
        const auto row = std::find_if(as_read.begin(), as_read.end(), [&](const Row& r) {
            return r.point.x == p.x && r.point.y == p.y;
        });
        survey.warnings.push_back(fmt::format(
            "{}:{}: the point ({:.6g}, {:.6g}) is {:.6g} m high, far from all its neighbours; "
            "leave it out if it was measured wrongly",
            name, row->line, p.x, p.y, p.z));
    }
    if (count > most_told)
        survey.warnings.push_back(
            fmt::format("{}: {} points are far from their neighbours in all", name, count));
    return survey;
}

}  // namespace

// ---- Images --------------------------------------------------------------------------------------------

GreyImage load_grey_image(const std::filesystem::path& file) {
    return read_grey_png(read_file(file, largest_height_file), file.string(), most_heights);
}

HeightField heights_of(const GreyImage& image, const ImageScale& scale) {
    HeightField field{image.columns, image.rows, scale.spacing_x, scale.spacing_y, {}};
    field.heights.reserve(image.pixels.size());
    for (size_t row = image.rows; row-- > 0;)
        for (size_t column = 0; column < image.columns; ++column) {
            const double share =
                static_cast<double>(image.pixels[row * image.columns + column]) / image.white;
            field.heights.push_back((1 - share) * scale.low + share * scale.high);
        }
    return field;
}

// ---- Surveys -------------------------------------------------------------------------------------------

Survey read_survey(std::string_view text, const std::string& name, double scale) {
    return checked(SurveyReader(text, name, scale).read(), name);
}

Survey load_survey(const std::filesystem::path& file, double scale) {
    if (!(scale > 0) || !std::isfinite(scale))
        throw InputError(fmt::format("{}: scale is {}; it must be positive", file.string(), scale));
    return read_survey(read_file(file, largest_height_file), file.string(), scale);
}

Survey survey_of(std::span<const Vec3> points, const std::string& name) {
    if (points.size() > most_survey_points)
        throw InputError(
            fmt::format("{}: {} points; at most {}", name, points.size(), most_survey_points));
    std::vector<Row> rows;
    for (const Vec3& p : points) {
        for (int axis = 0; axis < 3; ++axis)
            if (!(std::abs(p[axis]) < most_size))
                throw InputError(fmt::format("{}:{}: {} is {} m, expected less than {:.0e} m", name,
                                             rows.size(), "xyz"[axis], p[axis], most_size));
        rows.push_back({rows.size(), p});
    }
    return checked(std::move(rows), name);
}

}  // namespace bristle::io
