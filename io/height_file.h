// Terrain from files: grey images and points of a survey, as height fields.
//
//     const HeightField hills = io::heights_of(io::load_grey_image("hills.png"), {.spacing_x = 0.5, .spacing_y = 0.5, .high = 12});
//     const io::Survey site = io::load_survey("site.csv");
//     const HeightField ground = io::heights_of(site, io::grid_over(site, 0.5)).field;
//
// An image is looked at from above, x to the right and y up: its lowest row of pixels is the first row of heights. Each pixel is a
// point. Black is `low`, white is `high`.
//
// A survey is a text of x, y and z, a point a line, scattered; commas, semicolons, tabs or blanks between them, `#` before
// remarks. A first line of names may say which columns they are. Between the points heights are linear over the triangles
// of Delaunay; beyond their convex hull those of its nearest place. A plane stays a plane, grids stay as they were, and no
// height is above the highest or below the lowest point. (Splines would be smooth, and swing where points are few; the nearest
// point would make steps.)
//
// Throws InputError with file, line, what is there and what was expected. Sizes are looked at before anything is made room for.
#pragma once

#include <bristle/shape.h>

#include "io/png.h"
#include "io/triangulation.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

constexpr uint64_t most_heights = 4'000'000;  // of a field
constexpr uint64_t most_survey_points = 1'000'000;
constexpr uintmax_t largest_height_file = 128'000'000;  // bytes

GreyImage load_grey_image(const std::filesystem::path& file);
struct ImageScale {
    double spacing_x = 1, spacing_y = 1;  // m between pixels
    double low = 0, high = 1;             // m
};
HeightField heights_of(const GreyImage& image, const ImageScale& scale);

struct Survey {
    std::vector<Vec3> points;  // each place once
    Triangulation over;        // them, seen from above
    std::vector<std::string>
        warnings;  // what is hardly meant: two heights at one place, points that stick out
};
// `scale`: m of a unit of the file.
Survey load_survey(const std::filesystem::path& file, double scale = 1);
// `name` is what errors and warnings call it.
Survey read_survey(std::string_view text, const std::string& name, double scale = 1);
Survey survey_of(std::span<const Vec3> points, const std::string& name);

struct SurveyGrid {
    double x = 0, y = 0;  // m: of its first point
    double spacing_x = 1, spacing_y = 1;
    uint32_t columns = 2, rows = 2;
};
// From the smallest x and y as far as the points go; zero `spacing_y`: as `spacing_x`. Throws InputError for what is no length.
SurveyGrid grid_over(const Survey& survey, double spacing_x, double spacing_y = 0);
// As far as the points go, of so many.
SurveyGrid grid_of(const Survey& survey, uint32_t columns, uint32_t rows);
struct SurveyHeights {
    HeightField field;
    size_t outside = 0;  // of its points: beyond the survey
};
SurveyHeights heights_of(const Survey& survey, const SurveyGrid& grid);

}  // namespace bristle::io
