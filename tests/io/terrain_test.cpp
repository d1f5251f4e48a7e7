// Terrain from images and surveys: exact where it can be, and told where the file is wrong.
#include <bristle/error.h>

#include "io/height_file.h"
#include "tests/support/random.h"
#include "tests/support/scaled.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <set>

namespace bristle::io {
namespace {

using testing_support::Random;
using testing_support::scaled;

// ---- PNG --------------------------------------------------------------------------------------------

void put(std::string& out, uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 255);
}
std::string chunk(const std::string& kind, const std::string& data) {
    std::string out;
    put(out, static_cast<uint32_t>(data.size()));
    const std::string checked = kind + data;
    out += checked;
    put(out, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                         static_cast<uInt>(checked.size()))));
    return out;
}
std::string compressed(const std::string& data) {
    uLongf size = compressBound(data.size());
    std::string out(size, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &size,
             reinterpret_cast<const Bytef*>(data.data()), data.size());
    out.resize(size);
    return out;
}
std::string header(uint32_t columns, uint32_t rows, int bits, int colour = 0, int interlaced = 0) {
    std::string data;
    put(data, columns);
    put(data, rows);
    for (const int byte : {bits, colour, 0, 0, interlaced}) data += static_cast<char>(byte);
    return chunk("IHDR", data);
}
const std::string signature("\x89PNG\r\n\x1a\n", 8);

// With each of the filters in turn, by the formulas of the standard, and pixels in several chunks.
std::string png(const GreyImage& image) {
    const uint32_t depth = image.white == 255 ? 1 : 2;
    const auto byte_at = [&](int64_t row, int64_t i) -> int {
        if (row < 0 || i < 0) return 0;
        const uint16_t pixel =
            image.pixels[static_cast<size_t>(row) * image.columns + static_cast<size_t>(i / depth)];
        return depth == 1 ? pixel : i % 2 == 0 ? pixel >> 8 : pixel & 255;
    };
    std::string rows;
    for (int64_t row = 0; row < image.rows; ++row) {
        const int filter = static_cast<int>(row % 5);
        rows += static_cast<char>(filter);
        for (int64_t i = 0; i < int64_t{depth} * image.columns; ++i) {
            const int left = byte_at(row, i - depth), above = byte_at(row - 1, i),
                      before = i < depth ? 0 : byte_at(row - 1, i - depth);
            const int p = left + above - before;
            const int pa = std::abs(p - left), pb = std::abs(p - above), pc = std::abs(p - before);
            const int paeth = pa <= pb && pa <= pc ? left : pb <= pc ? above : before;
            const int guess[] = {0, left, above, (left + above) / 2, paeth};
            rows += static_cast<char>(byte_at(row, i) - guess[filter]);
        }
    }
    const std::string data = compressed(rows);
    const size_t half = data.size() / 2;
    return signature + header(image.columns, image.rows, depth == 1 ? 8 : 16)
         + chunk("tEXt", "Comment\0of no use") + chunk("IDAT", data.substr(0, half))
         + chunk("IDAT", data.substr(half)) + chunk("IEND", "");
}

GreyImage random_image(Random& random, uint32_t columns, uint32_t rows, uint32_t white) {
    GreyImage image{columns, rows, white, {}};
    for (size_t i = 0; i < size_t{columns} * rows; ++i)
        image.pixels.push_back(static_cast<uint16_t>(random.uniform(0, white + 0.999)));
    return image;
}

std::string error_of_png(const std::string& bytes) {
    try {
        read_grey_png(bytes, "hills.png", most_heights);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Png, ReadsEveryFilterAndDepthAsItWasWritten) {
    Random random(1);
    for (const uint32_t white : {255U, 65535U})
        for (const auto& [columns, rows] : {std::pair(2U, 2U), std::pair(17U, 23U)}) {
            const GreyImage image = random_image(random, columns, rows, white);
            const GreyImage read = read_grey_png(png(image), "x", most_heights);
            EXPECT_EQ(read.columns, columns);
            EXPECT_EQ(read.rows, rows);
            EXPECT_EQ(read.white, white);
            EXPECT_EQ(read.pixels, image.pixels);
        }
}

TEST(Png, ARampIsARamp) {
    GreyImage image{256, 3, 65535, {}};
    for (int row = 0; row < 3; ++row)
        for (uint32_t i = 0; i < 256; ++i) image.pixels.push_back(static_cast<uint16_t>(257 * i));
    const HeightField field =
        heights_of(read_grey_png(png(image), "x", most_heights),
                   {.spacing_x = 0.1, .spacing_y = 0.2, .low = -1, .high = 4.1});
    for (size_t row = 0; row < 3; ++row)
        for (size_t i = 0; i < 256; ++i)
            EXPECT_NEAR(field.heights[row * 256 + i], -1 + 0.02 * static_cast<double>(i), 1e-14);
    EXPECT_EQ(field.heights[0], -1);
    EXPECT_EQ(field.heights[255], 4.1);
}

TEST(Png, TheLowestRowOfPixelsIsTheFirstOfHeights) {
    const GreyImage image{2, 2, 255, {0, 51, 102, 255}};
    const HeightField field = heights_of(image, {.high = 5});
    EXPECT_EQ(field.heights, (std::vector<double>{2, 5, 0, 1}));
}

TEST(Png, WhatIsWrongIsTold) {
    const std::string pixels = chunk("IDAT", compressed(std::string(3 * 4, '\0')));
    const std::string end = chunk("IEND", "");
    const auto expect = [](const std::string& bytes, const std::string& part) {
        EXPECT_NE(error_of_png(bytes).find("hills.png: " + part), std::string::npos)
            << error_of_png(bytes);
    };
    EXPECT_EQ(error_of_png(signature + header(3, 3, 8) + pixels + end), "");
    expect("GIF89a", "it is no PNG image; expected one, grey, of 8 or 16 bits");
    expect("", "it is no PNG image");
    expect(signature, "it ends at byte 8 in the middle");
    expect(signature + pixels + end, "its first chunk is no header");
    expect(signature + header(0, 3, 8) + pixels + end, "it has 0 times 3 pixels; expected two");
    expect(signature + header(100000, 100000, 8) + pixels + end,
           "it has 100000 times 100000 pixels; expected at most 4000000 in all");
    expect(signature + header(0xffffffff, 0xffffffff, 16) + pixels + end,
           "it has 4294967295 times");
    expect(signature + header(3, 3, 8, 2) + pixels + end,
           "it is in colours; expected a grey image");
    expect(signature + header(3, 3, 8, 4) + pixels + end, "it is in colours or has transparency");
    expect(signature + header(3, 3, 4) + pixels + end, "it has 4 bits a pixel; expected 8 or 16");
    expect(signature + header(3, 3, 8, 0, 1) + pixels + end, "it is interlaced");
    expect(signature + header(3, 3, 8) + end, "it has no pixels");
    expect(signature + header(3, 4, 8) + pixels + end, "its pixels end after 12 of 16 bytes");
    expect(signature + header(3, 2, 8) + pixels + end, "its pixels are damaged, or more than");
    expect(signature + header(3, 3, 8) + pixels, "it ends at byte");
    expect(signature + header(3, 3, 8) + chunk("IDAT", compressed(std::string(12, '\7'))) + end,
           "row 0 has filter 7");
    expect(signature + header(3, 3, 8) + chunk("IDAT", "no stream of zlib") + end,
           "its pixels end");
    std::string damaged = signature + header(3, 3, 8) + pixels + end;
    damaged[20] = static_cast<char>(damaged[20] ^ 1);
    expect(damaged, "the checksum of the chunk at byte 8 is wrong");
    std::string huge = signature + header(3, 3, 8);
    put(huge, 0xfffffff0);
    expect(huge + "IDAT0123456789", "the chunk at byte 33 has 4294967280 bytes");
}

// A small file that unpacks to gigabytes gives what its header says, or an error: never more memory.
TEST(Png, UnpacksNoMoreThanItsHeaderSays) {
    const std::string bomb = compressed(std::string(50'000'000, '\0'));
    EXPECT_NE(error_of_png(signature + header(3, 3, 8) + chunk("IDAT", bomb) + chunk("IEND", ""))
                  .find("more than 3 times 3"),
              std::string::npos);
}

TEST(Png, CutAndChangedFilesAreReadOrRefused) {
    Random random(2);
    const std::string good = png(random_image(random, 9, 12, 65535));
    size_t refused = 0;
    for (size_t length = 0; length < good.size(); ++length)
        EXPECT_NE(error_of_png(good.substr(0, length)), "") << length;
    for (int i = 0; i < scaled(3000); ++i) {
        std::string bytes = good;
        const int changes = 1 + static_cast<int>(random.uniform(0, 4));
        for (int k = 0; k < changes; ++k)
            bytes[static_cast<size_t>(random.uniform(0, static_cast<double>(bytes.size())))] ^=
                static_cast<char>(1 << static_cast<int>(random.uniform(0, 8)));
        refused += !error_of_png(bytes).empty();
    }
    EXPECT_GT(refused, static_cast<size_t>(0.99 * scaled(3000))) << "every chunk has its checksum";
}

// ---- Delaunay ----------------------------------------------------------------------------------------

double area_of(const std::vector<Point2>& points, const Triangulation& t) {
    double area = 0;
    for (const auto& [a, b, c] : t.triangles) area += 0.5 * turn(points[a], points[b], points[c]);
    return area;
}

void expect_delaunay(const std::vector<Point2>& points) {
    const Triangulation t = delaunay(points);
    const size_t n = points.size(), h = t.hull.size();
    ASSERT_EQ(t.triangles.size(), 2 * n - 2 - h)
        << "Euler: every point is used, and no gap is left";
    std::set<std::pair<uint32_t, uint32_t>> edges;
    for (const auto& triangle : t.triangles) {
        ASSERT_GT(turn(points[triangle[0]], points[triangle[1]], points[triangle[2]]), 0);
        for (size_t i = 0; i < 3; ++i)
            ASSERT_TRUE(edges.emplace(triangle[i], triangle[(i + 1) % 3]).second);
    }
    double hull = 0;
    for (size_t i = 0; i < h; ++i) {
        const Point2 a = points[t.hull[i]], b = points[t.hull[(i + 1) % h]];
        hull += 0.5 * (a.x * b.y - a.y * b.x);
        ASSERT_EQ(edges.count({t.hull[i], t.hull[(i + 1) % h]}), 1U);
    }
    EXPECT_NEAR(area_of(points, t), hull, 1e-9 * std::abs(hull) + 1e-12);
    if (n > 300) return;
    // By brute force, in more digits.
    for (const auto& [a, b, c] : t.triangles)
        for (const Point2& d : points) {
            using Digits = long double;
            const Digits ax = Digits{points[a].x} - d.x, ay = Digits{points[a].y} - d.y,
                         bx = Digits{points[b].x} - d.x, by = Digits{points[b].y} - d.y,
                         cx = Digits{points[c].x} - d.x, cy = Digits{points[c].y} - d.y;
            const Digits aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
            const Digits in =
                aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx);
            const Digits size = aa * (std::abs(bx * cy) + std::abs(by * cx))
                              + bb * (std::abs(cx * ay) + std::abs(cy * ax))
                              + cc * (std::abs(ax * by) + std::abs(ay * bx));
            ASSERT_LE(in, 1e-14L * size);
        }
}

TEST(Delaunay, CirclesAreEmptyOfRandomPoints) {
    Random random(3);
    for (int i = 0; i < scaled(200); ++i) {
        std::set<Point2> places;
        const int n = 3 + static_cast<int>(random.uniform(0, 60));
        while (places.size() < static_cast<size_t>(n))
            places.insert({random.uniform(-5, 5), random.uniform(0, 100)});
        expect_delaunay({places.begin(), places.end()});
    }
}

// Grids, lines with one point beside, circles, points a rounding apart from a line: all that a sign could be wrong about.
TEST(Delaunay, SpecialPlacesAreNoSpecialCases) {
    std::vector<Point2> grid, beside, circle, crooked;
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 9; ++k) grid.push_back({0.1 * i, 0.3 * k});
    for (int i = 0; i < 30; ++i) beside.push_back({0.1 * i, 0.2 * i});
    beside.push_back({1, 5});
    for (int i = 0; i < 40; ++i) circle.push_back({std::cos(0.157 * i), std::sin(0.157 * i)});
    for (int i = 0; i < 40; ++i) crooked.push_back({0.1 * i, 0.1 * i * (1.0 / 3)});
    crooked.push_back({2, 0.5});
    crooked.push_back({2, 0.9});
    for (const auto& points : {grid, beside, circle, crooked}) expect_delaunay(points);
    std::vector<Point2> line;
    for (int i = 0; i < 10; ++i) line.push_back({1.0 * i, 2.0 * i});
    EXPECT_TRUE(delaunay(line).triangles.empty());
}

TEST(Delaunay, ManyPoints) {
    Random random(4);
    std::set<Point2> places;
    while (places.size() < static_cast<size_t>(scaled(50'000)))
        places.insert({random.uniform(0, 1000), random.uniform(0, 700)});
    expect_delaunay({places.begin(), places.end()});
}

// ---- Surveys -------------------------------------------------------------------------------------------

std::string error_of_survey(const std::string& text) {
    try {
        read_survey(text, "site.csv");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

// Inside the points a plane is a plane, whatever triangles there are.
TEST(Survey, APlaneStaysThePlane) {
    Random random(5);
    for (int turn = 0; turn < 20; ++turn) {
        const double a = random.uniform(-1, 1), b = random.uniform(-1, 1),
                     c = random.uniform(-9, 9);
        const auto z = [&](double x, double y) { return a * x + b * y + c; };
        std::vector<Vec3> points;
        for (const double x : {0.0, 20.0})
            for (const double y : {0.0, 10.0}) points.push_back({x, y, z(x, y)});
        for (int i = 0; i < 500; ++i) {
            const double x = random.uniform(0, 20), y = random.uniform(0, 10);
            points.push_back({x, y, z(x, y)});
        }
        const Survey survey = survey_of(points, "plane");
        EXPECT_TRUE(survey.warnings.empty());
        const SurveyGrid grid = grid_over(survey, 0.25, 0.5);
        EXPECT_EQ(grid.columns, 81U);
        EXPECT_EQ(grid.rows, 21U);
        const SurveyHeights found = heights_of(survey, grid);
        EXPECT_EQ(found.outside, 0U);
        for (uint32_t row = 0; row < grid.rows; ++row)
            for (uint32_t column = 0; column < grid.columns; ++column)
                ASSERT_NEAR(found.field.heights[size_t{row} * grid.columns + column],
                            z(0.25 * column, 0.5 * row), 1e-12);
    }
}

TEST(Survey, APointOfTheGridIsThePointMeasured) {
    Random random(6);
    std::vector<Vec3> points;
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 30; ++column)
            points.push_back({3.0 + column * 0.5, 7.0 + row * 0.25, random.uniform(-1, 1)});
    const Survey survey = survey_of(points, "grid");
    const SurveyHeights found = heights_of(survey, grid_of(survey, 30, 20));
    EXPECT_EQ(found.outside, 0U);
    ASSERT_EQ(found.field.heights.size(), points.size());
    for (size_t i = 0; i < points.size(); ++i)
        ASSERT_NEAR(found.field.heights[i], points[i].z, 1e-12);
}

// Against the nearest place of all edges of the hull, by brute force.
TEST(Survey, BeyondThePointsItIsTheNearestPlaceOfTheirEdge) {
    Random random(7);
    for (int turn = 0; turn < 60; ++turn) {
        std::vector<Vec3> points;
        const int n = 3 + static_cast<int>(random.uniform(0, 80));
        for (int i = 0; i < n; ++i) {
            const double angle = 2 * pi * i / n, stretch = turn % 3 == 0 ? 1
                                                         : turn % 3 == 1 ? 0.05
                                                                         : 20;
            points.push_back(turn % 2 == 0 ? Vec3{std::cos(angle) * stretch, std::sin(angle),
                                                  random.uniform(0, 1)}
                                           : Vec3{random.uniform(-stretch, stretch),
                                                  random.uniform(-1, 1), random.uniform(0, 1)});
        }
        const Survey survey = survey_of(points, "round");
        const SurveyGrid grid{-30, -30, 3.1, 2.9, 20, 20};
        const SurveyHeights found = heights_of(survey, grid);
        ASSERT_GT(found.outside, 300U);
        const auto& hull = survey.over.hull;
        for (size_t i = 0; i < 400; ++i) {
            const double x = grid.x + grid.spacing_x * static_cast<double>(i % 20),
                         y = grid.y + grid.spacing_y * static_cast<double>(i / 20);
            bool is_inside = true;
            double nearest = 1e300;
            std::vector<double> heights;
            for (size_t k = 0; k < hull.size(); ++k) {
                const Vec3 p = survey.points[hull[k]],
                           q = survey.points[hull[(k + 1) % hull.size()]];
                is_inside = is_inside && io::turn({p.x, p.y}, {q.x, q.y}, {x, y}) >= 0;
                const double dx = q.x - p.x, dy = q.y - p.y;
                const double s =
                    std::clamp(((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
                const double distance = std::hypot(p.x + s * dx - x, p.y + s * dy - y);
                if (distance > nearest + 1e-12) continue;
                if (distance < nearest - 1e-12) heights.clear();
                nearest = std::min(nearest, distance);
                heights.push_back(p.z + s * (q.z - p.z));
            }
            if (is_inside) continue;
            double least = 1e300;
            for (const double height : heights)
                least = std::min(least, std::abs(height - found.field.heights[i]));
            ASSERT_LT(least, 1e-9) << turn << " " << i;
        }
    }
}

TEST(Survey, ReadsTheWaysThatSuchFilesAreWritten) {
    const std::vector<Vec3> points = {{0, 0, 1}, {0, 2, 1.5}, {1.5, 0, -2}};
    for (const char* text :
         {"0,0,1\n1.5,0,-2\n0,2,1.5\n", "0;0;1\r\n1.5;0;-2\r\n0;2;1.5",
          "0 0 1\n+1.5 0 -2e0\n 0  2 1.5\n", "0\t0\t1\n1.5\t0\t-2\n0\t2\t1.5\n\n",
          "# of the yard\nx,y,z\n0,0,1\n1.5,0,-2 # corner\n0,2,1.5\n",
          "\xef\xbb\xbfid,Z [m],\"Y\",X\n1,1,0,0\n2,-2,0,1.5\n3,1.5,2,0\n",
          "0,0,1,9,9\n1.5,0,-2,9\n0,2,1.5,9\n", "0,0,1\r1.5,0,-2\r0,2,1.5\r"})
        EXPECT_EQ(read_survey(text, "x").points, points) << text;
    EXPECT_EQ(read_survey("0,0,1000\n1500,0,-2000\n0,2000,1500", "x", 1e-3).points, points);
}

TEST(Survey, WhatIsWrongIsTold) {
    const std::string good = "0,0,1\n1,0,1\n0,1,1\n";
    EXPECT_EQ(error_of_survey(good), "");
    EXPECT_EQ(error_of_survey(""), "site.csv: it has 0 different points, expected three or more");
    EXPECT_EQ(error_of_survey("1,2,3\n1,2,3\n1,2,3\n4,5,6\n"),
              "site.csv: it has 2 different points, expected three or more");
    EXPECT_EQ(error_of_survey("0,0,1\n1,1,1\n2,2,1\n3,3,4\n"),
              "site.csv: its 4 points are all on one line; expected some beside it");
    EXPECT_EQ(error_of_survey(good + "1,2\n"),
              "site.csv:4: 2 numbers, expected 3: x, y and z of a point");
    EXPECT_EQ(error_of_survey(good + "1,2,\n"),
              "site.csv:4: 2 numbers, expected 3: x, y and z of a point");
    EXPECT_EQ(
        error_of_survey(good + "1,,2\n"),
        "site.csv:4: y is missing, expected a finite number; leave out points without a height");
    EXPECT_EQ(
        error_of_survey(good + "1,2,nan\n"),
        "site.csv:4: z is \"nan\", expected a finite number; leave out points without a height");
    EXPECT_EQ(error_of_survey(good + "1,2,n/a\x1b[31m\n"),
              "site.csv:4: z is \"n/a?[31m\", expected a finite number; leave out points without a "
              "height");
    EXPECT_EQ(error_of_survey("1,5;2;3\n"),
              "site.csv:1: \"1,5\" is no number, and no column is called x; expected a line of "
              "names with x, y "
              "and z, or numbers");
    EXPECT_EQ(error_of_survey("x;y;z\n1,5;2;3\n"),
              "site.csv:2: \"1,5\", expected a number with a decimal point");
    EXPECT_EQ(error_of_survey("east,north,up\n1,2,3\n"),
              "site.csv:1: \"east\" is no number, and no column is called x; expected a line of "
              "names with x, "
              "y and z, or numbers");
    EXPECT_EQ(error_of_survey(good + "1e12,2,3\n"),
              "site.csv:4: x is 1000000000000 m, expected less than 1e+09 m");
}

TEST(Survey, WhatIsOddIsAWarning) {
    const Survey twice = read_survey("0,0,1\n1,0,1\n0,1,1\n1,0,3\n0,0,1\n", "site.csv");
    EXPECT_EQ(twice.warnings,
              (std::vector<std::string>{
                  "site.csv:4: the point (1, 0) has another height, 3 m, than in line 2, 1 m; "
                  "the mean of them is taken"}));
    EXPECT_EQ(twice.points.back(), (Vec3{1, 0, 2}));
    // The first that differs, and not only the next.
    EXPECT_EQ(read_survey("0,0,1\n1,0,1\n0,1,1\n1,0,1\n1,0,4\n", "site.csv").warnings,
              (std::vector<std::string>{
                  "site.csv:5: the point (1, 0) has another height, 4 m, than in line 2, 1 m; "
                  "the mean of them is taken"}));
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += std::to_string(i % 10) + "," + std::to_string(i / 10) + ","
              + (i == 44 ? "-9999" : std::to_string(0.1 * std::sin(i))) + "\n";
    const Survey hole = read_survey(text, "site.csv");
    EXPECT_EQ(hole.warnings,
              (std::vector<std::string>{
                  "site.csv:45: the point (4, 4) is -9999 m high, far from all its neighbours; "
                  "leave it out if it was measured wrongly"}));
}

// A peak is no mistake.
TEST(Survey, MountainsAreNotOdd) {
    Random random(8);
    std::vector<Vec3> points;
    for (int i = 0; i < 2000; ++i) {
        const double x = random.uniform(-50, 50), y = random.uniform(-50, 50);
        points.push_back(
            {x, y, 60 - std::hypot(x, y) + 0.3 * std::sin(x) + random.uniform(-0.1, 0.1)});
    }
    EXPECT_TRUE(survey_of(points, "mountain").warnings.empty());
}

TEST(Survey, GridsAreBounded) {
    const Survey survey = read_survey("0,0,1\n1000,0,1\n0,1000,1\n", "site.csv");
    EXPECT_THROW(heights_of(survey, grid_over(survey, 0.1)), InputError);
    EXPECT_THROW(heights_of(survey, grid_over(survey, 1e-300)), InputError);
    EXPECT_THROW(heights_of(survey, grid_over(survey, 5000)), InputError);
    EXPECT_THROW(heights_of(survey, SurveyGrid{0, 0, 0, 1, 5, 5}), InputError);
    for (const double spacing : {0.0, -1.0, std::nan("")})
        EXPECT_THROW(grid_over(survey, spacing), InputError) << spacing;
}

TEST(Survey, RandomTextsAreReadOrRefused) {
    Random random(9);
    const std::string letters = "0123456789.,;-+eE \t\n\r#xyznai\"\xff";
    for (int i = 0; i < scaled(3000); ++i) {
        std::string text = i % 2 == 0 ? "x,y,z\n" : "0,0,1\n1,0,1\n0,1,1\n";
        const int length = static_cast<int>(random.uniform(0, 60));
        for (int k = 0; k < length; ++k)
            text += letters[static_cast<size_t>(
                random.uniform(0, static_cast<double>(letters.size())))];
        try {
            const Survey survey = read_survey(text, "x");
            const SurveyHeights found = heights_of(survey, grid_of(survey, 7, 5));
            for (const double height : found.field.heights)
                ASSERT_TRUE(std::isfinite(height)) << text;
        } catch (const InputError&) {
        }
    }
}

}  // namespace
}  // namespace bristle::io
