#include "io/scene/terrain.h"

#include "io/height_file.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle::io {
namespace {

// One mistake is told: what follows from it is not. `at`: the key it stands at; empty: the object's.
void tell(const Object& o, const char* at, const std::string& what) {
    if (!o.is_good()) return;
    const Node* const node = *at != '\0' ? o.find(at) : nullptr;
    o.context().mistakes.add(node != nullptr ? node->mark : o.node().mark, what);
}

bool refuse_of_others(const Object& o, const char* kind, std::initializer_list<const char*> keys) {
    if (o.has(kind)) return false;
    for (const char* key : keys)
        if (o.has(key))
            tell(o, key,
                 fmt::format("{} belongs to a height field of {}; expected it left out", key,
                             std::string(kind) == "image" ? "an image" : "a survey"));
    return !o.is_good();
}

// How far apart the points are: as given, or as the size says.
struct Spacing {
    double x = 0, y = 0;
};
Spacing spacing_of(const Object& o, uint32_t columns, uint32_t rows) {
    Spacing s;
    if (o.has("spacing")) s.x = o.number("spacing");
    if (o.has("size_x")) s.x = o.number("size_x") / (columns - 1);
    s.y = o.has("spacing_y") ? o.number("spacing_y")
        : o.has("size_y")    ? o.number("size_y") / (rows - 1)
                             : s.x;
    return s;
}

bool has_grid(const Object& o) {
    if (!o.has("columns"))
        tell(o, "", "columns and rows are missing; expected for example columns: 50 and rows: 50");
    if (!o.has("spacing") && !o.has("size_x"))
        tell(o, "", "spacing or size_x is missing; expected one of them");
    return o.is_good();
}

bool are_few(const Object& o, uint32_t columns, uint32_t rows) {
    if (uint64_t{columns} * rows > most_heights)
        tell(o, "columns",
             fmt::format("{} times {} points; expected at most {}", columns, rows, most_heights));
    return o.is_good();
}

void fill_by_expression(const Object& o, HeightField& field) {
    static constexpr const char* place[] = {"x", "y"};
    const auto height = o.expression("height", "an expression in x and y", place, "m");
    if (!height) return;
    for (uint32_t row = 0; row < field.rows; ++row)
        for (uint32_t column = 0; column < field.columns; ++column) {
            const double at[] = {column * field.spacing_x, row * field.spacing_y};
            field.heights.push_back((*height)(at));
            if (std::isfinite(field.heights.back())) continue;
            tell(o, "height",
                 fmt::format("height is {} at x = {:.3g}, y = {:.3g}; expected a finite number",
                             field.heights.back(), at[0], at[1]));
            return;
        }
}

HeightField written_or_computed(const Object& o) {
    if (!has_grid(o)) return {};
    HeightField field;
    field.columns = o.integer("columns");
    field.rows = o.integer("rows");
    const Spacing spacing = spacing_of(o, field.columns, field.rows);
    field.spacing_x = spacing.x;
    field.spacing_y = spacing.y;
    if (!o.is_good() || !are_few(o, field.columns, field.rows)) return field;
    if (o.has("heights"))
        field.heights = o.numbers("heights");
    else
        fill_by_expression(o, field);
    return field;
}

HeightField of_image(const Object& o) {
    if (!o.has("high"))
        tell(o, "image",
             "low and high are missing, the heights of black and white; expected for example "
             "low: 0 and high: 10");
    if (o.has("columns"))
        tell(o, "columns",
             "an image has as many points as pixels; expected columns and rows left "
             "out");
    if (!o.has("spacing") && !o.has("size_x"))
        tell(o, "image", "spacing or size_x is missing; expected one of them: a pixel has no size");
    const std::filesystem::path file = o.file("image");
    const double low = o.number("low"), high = o.number("high");
    if (o.is_good() && low == high) tell(o, "high", "low and high are the same; expected a range");
    if (!o.is_good()) return {};
    const GreyImage image = load_grey_image(file);
    const Spacing spacing = spacing_of(o, image.columns, image.rows);
    if (!o.is_good()) return {};
    return heights_of(image, {spacing.x, spacing.y, low, high});
}

HeightField of_survey(const Object& o) {
    if (!o.has("spacing") && !o.has("columns"))
        tell(o, "survey",
             "spacing is missing, or columns and rows; expected how fine the grid over the survey "
             "is");
    for (const char* size : {"size_x", "size_y"})
        if (o.has(size) && !o.has("columns"))
            tell(o, size,
                 fmt::format("columns and rows are missing beside {}; expected them, or a spacing",
                             size));
    for (const char* along_y : {"spacing_y", "size_y"})
        if (o.has(along_y) && !o.has("spacing") && !o.has("size_x"))
            tell(o, along_y,
                 fmt::format("spacing or size_x is missing beside {}; expected one of them",
                             along_y));
    const std::filesystem::path file = o.file("survey");
    const double scale = o.has("scale") ? o.number("scale") : 1;
    if (!o.is_good()) return {};
    const Survey survey = load_survey(file, scale);
    const uint32_t columns = o.has("columns") ? o.integer("columns") : 2,
                   rows = o.has("rows") ? o.integer("rows") : 2;
    const Spacing spacing = spacing_of(o, columns, rows);
    if (!o.is_good()) return {};
    SurveyGrid grid =
        spacing.x > 0 ? grid_over(survey, spacing.x, spacing.y) : grid_of(survey, columns, rows);
    if (o.has("columns")) {
        grid.columns = columns;
        grid.rows = rows;
    }
    if (o.has("start_x")) {
        grid.x = o.number("start_x");
        grid.y = o.number("start_y");
    }
    if (!o.is_good()) return {};
    SurveyHeights found = heights_of(survey, grid);
    const size_t all = found.field.heights.size();
    const Mark mark = o.find("survey")->mark;
    if (found.outside == all) {
        tell(
            o, "survey",
            fmt::format("the grid from ({:.6g}, {:.6g}) to ({:.6g}, {:.6g}) lies beside all points "
                        "of the survey; expected it over them",
                        grid.x, grid.y, grid.x + grid.spacing_x * (grid.columns - 1),
                        grid.y + grid.spacing_y * (grid.rows - 1)));
        return {};
    }
    for (const std::string& warning : survey.warnings) o.context().mistakes.warn(mark, warning);
    if (found.outside > all / 3)
        o.context().mistakes.warn(
            mark, fmt::format("{} of {} points of the grid lie outside the survey and have the "
                              "height of its nearest edge",
                              found.outside, all));
    return std::move(found.field);
}

}  // namespace

HeightField read_height_field(const Object& o) {
    if (!o.is_good()) return {};
    if (refuse_of_others(o, "image", {"low", "high"})
        || refuse_of_others(o, "survey", {"scale", "start_x", "start_y"}))
        return {};
    const bool is_image = o.has("image"), is_survey = o.has("survey");
    if (!is_image && !is_survey) return written_or_computed(o);
    const char* const key = is_image ? "image" : "survey";
    try {
        HeightField field = is_image ? of_image(o) : of_survey(o);
        if (o.is_good()) o.context().scene.files.push_back(o.file(key));
        return field;
    } catch (const InputError& error) {
        o.context().mistakes.add(o.find(key)->mark, error.what());
        return {};
    }
}

}  // namespace bristle::io
