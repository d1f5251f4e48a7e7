// Height fields of scene files: of images and surveys as of numbers, and told where they are wrong.
#include <bristle/scene.h>
#include <bristle/world.h>

#include "io/height_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace bristle::io {
namespace {

class Terrain : public testing::Test {
  protected:
    Terrain()
        : folder_(std::filesystem::temp_directory_path()
                  / ("bristle_terrain_" + std::to_string(getpid()) + '_'
                     + testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::create_directories(folder_);
        write("slope.csv", "x,y,z\n10,20,1\n14,20,3\n10,23,1\n14,23,3\n12,21,2\n");
    }
    ~Terrain() override { std::filesystem::remove_all(folder_); }

    void write(const char* name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    Scene read(const std::string& keys) const {
        write("scene.yaml", "shapes:\n  g: {type: height_field, " + keys + "}\n");
        return read_scene(folder_ / "scene.yaml", {}, {.folders = {folder_}});
    }
    HeightField field(const std::string& keys) const {
        return std::get<HeightField>(read(keys).model.shapes().at(0).geometry);
    }
    // Without the folder.
    std::string error(const std::string& keys) const {
        try {
            read(keys);
        } catch (const SceneError& error) {
            std::string text = error.what();
            for (size_t at; (at = text.find(folder_.string() + '/')) != std::string::npos;)
                text.erase(at, folder_.string().size() + 1);
            return text;
        }
        return "";
    }

    std::filesystem::path folder_;
};

TEST_F(Terrain, ASurveyIsLaidOverAGridFromItsCorner) {
    const HeightField f = field("survey: slope.csv, spacing: 0.5");
    EXPECT_EQ(f.columns, 9U);
    EXPECT_EQ(f.rows, 7U);
    for (size_t i = 0; i < f.heights.size(); ++i)
        EXPECT_NEAR(f.heights[i], 1 + 0.25 * static_cast<double>(i % 9), 1e-12);
    const HeightField part =
        field("survey: slope.csv, spacing: 0.5, start_x: 12, start_y: 21, columns: 3, rows: 2");
    EXPECT_EQ(part.heights.size(), 6U);
    EXPECT_NEAR(part.heights[0], 2, 1e-12);
    EXPECT_NEAR(part.heights[5], 2.5, 1e-12);
}

TEST_F(Terrain, SizeAndSpacingSayTheSame) {
    const HeightField a = field("height: x + 2*y, columns: 5, rows: 3, size_x: 2, size_y: 3"),
                      b = field(
                          "height: x + 2*y, columns: 5, rows: 3, spacing: 0.5, spacing_y: 1.5"),
                      c = field("height: x + 2*y, columns: 5, rows: 3, size_x: 2");
    EXPECT_EQ(a.heights, b.heights);
    EXPECT_EQ(a.spacing_x, 0.5);
    EXPECT_EQ(a.spacing_y, 1.5);
    EXPECT_EQ(c.spacing_y, 0.5);
    const HeightField d = field("survey: slope.csv, columns: 5, rows: 4");
    EXPECT_EQ(d.spacing_x, 1);
    EXPECT_EQ(d.spacing_y, 1);
}

const HeightField& field(const Scene& scene, const std::string& name) {
    for (const Shape& shape : scene.model.shapes())
        if (shape.name == name) return std::get<HeightField>(shape.geometry);
    throw std::runtime_error("there is no shape " + name);
}

// The scene that comes with Bristle has one of each; what is read is what its file says, and is among the scene's files.
TEST(TerrainScene, HasAnImageASurveyAndAnExpression) {
    const Scene scene = read_scene(SCENES_FOLDER "/terrain.yaml");
    EXPECT_TRUE(scene.warnings.empty());
    EXPECT_EQ(scene.files.size(), 3U);
    const HeightField& hills = field(scene, "hills");
    EXPECT_EQ(hills.columns, 97U);
    EXPECT_DOUBLE_EQ(hills.spacing_x, 12.0 / 96);
    EXPECT_EQ(*std::min_element(hills.heights.begin(), hills.heights.end()), 0);
    EXPECT_EQ(*std::max_element(hills.heights.begin(), hills.heights.end()), 3);
    const HeightField& pit = field(scene, "pit");
    EXPECT_EQ(pit.columns, 49U);
    EXPECT_EQ(pit.rows, 49U);
    EXPECT_LT(pit.heights[24 * 49 + 24], -1);
}

// Written down and read back it is the same ground.
TEST(TerrainScene, IsWrittenAsHeights) {
    const Scene scene = read_scene(SCENES_FOLDER "/terrain.yaml");
    const Scene again = parse_scene(scene_text(scene));
    for (const char* name : {"hills", "pit", "track"})
        EXPECT_EQ(field(again, name).heights, field(scene, name).heights) << name;
}

TEST_F(Terrain, WhatIsWrongIsTold) {
    const std::pair<const char*, const char*> cases[] = {
        {"columns: 3, rows: 3, spacing: 1",
         "scene.yaml:2:6: heights, height, image or survey is missing; expected one of them"},
        {"survey: slope.csv, height: x, spacing: 1",
         "scene.yaml:2:6: height and survey are both given; expected one of them"},
        {"survey: slope.csv, height: x, heights: [1], spacing: 1",
         "scene.yaml:2:6: heights, height and survey are all given; expected one of them"},
        {"height: x, spacing: 1",
         "scene.yaml:2:6: columns and rows are missing; expected for example columns: 50 and rows: "
         "50"},
        {"height: x, columns: 3, rows: 3",
         "scene.yaml:2:6: spacing or size_x is missing; expected one of them"},
        {"height: x, columns: 3, spacing: 1",
         "scene.yaml:2:6: only one of columns and rows is given; expected both"},
        {"height: x, columns: 3000, rows: 3000, spacing: 1",
         "scene.yaml:2:47: 3000 times 3000 points; expected at most 4000000"},
        {"height: 2 kg, columns: 3, rows: 3, spacing: 1",
         "scene.yaml:2:35: height is '2 kg', which is in kg; expected a number in m"},
        {"height: 2 kg*x, columns: 3, rows: 3, spacing: 1",
         "scene.yaml:2:35: height is '2 kg*x', which is in m*kg; expected a number in m"},
        {"height: 1 m + x*y, columns: 3, rows: 3, spacing: 1",
         "scene.yaml:2:44: height: m and m^2 are added; expected the same dimension"},
        {"height: x, columns: 3, rows: 3, spacing: 1, high: 3",
         "scene.yaml:2:6: only one of low and high is given; expected both"},
        {"survey: slope.csv",
         "scene.yaml:2:35: spacing is missing, or columns and rows; expected how fine the grid "
         "over the survey is"},
        {"survey: slope.csv, size_x: 5",
         "scene.yaml:2:35: spacing is missing, or columns and rows; expected how fine the grid "
         "over the survey is"},
        {"survey: slope.csv, spacing: 1, size_y: 3",
         "scene.yaml:2:66: columns and rows are missing beside size_y; expected them, or a "
         "spacing"},
        {"survey: slope.csv, columns: 3, rows: 3, spacing_y: 1",
         "scene.yaml:2:78: spacing or size_x is missing beside spacing_y; expected one of them"},
        {"survey: slope.csv, spacing: 10",
         "scene.yaml:2:35: 1 times 1 points over the survey; expected two or more each way: give a "
         "smaller spacing"},
        {"survey: slope.csv, spacing: 1e-6",
         "scene.yaml:2:35: 4000001 times 3000001 points over the survey; expected at most 4000000: "
         "give a larger spacing"},
        {"survey: slope.csv, spacing: 1, start_x: 100, start_y: 100",
         "scene.yaml:2:35: the grid from (100, 100) to (104, 103) lies beside all points of the "
         "survey; expected it over them"},
        {"survey: nowhere.csv, spacing: 1",
         "scene.yaml:2:35: there is no file nowhere.csv; expected a path relative to the folder of "
         "this file"},
        {"survey: ../../etc/passwd, spacing: 1",
         "scene.yaml:2:35: '../../etc/passwd' is outside the scene's folder; expected a file in "
         "it, or the folder to be "
         "allowed (--allow)"},
        {"image: slope.csv, spacing: 1, low: 0, high: 1",
         "scene.yaml:2:34: slope.csv: it is no PNG image; expected one, grey, of 8 or 16 bits"},
        {"image: slope.csv, spacing: 1",
         "scene.yaml:2:34: low and high are missing, the heights of black and white; expected for "
         "example low: 0 and high: 10"},
        {"image: slope.csv, low: 0, high: 1",
         "scene.yaml:2:34: spacing or size_x is missing; expected one of them: a pixel has no "
         "size"},
        {"image: slope.csv, spacing: 1, low: 2, high: 2",
         "scene.yaml:2:71: low and high are the same; expected a range"},
    };
    for (const auto& [keys, message] : cases) {
        std::string text = error(keys);
        EXPECT_EQ(text, message) << keys;
    }
}

// x and y are lengths where something else says its unit; a plain number may be 1/m.
TEST_F(Terrain, AnExpressionMayLeaveOutUnits) {
    for (const char* height : {"x*y", "x^2 - y", "1 m + 0.1*x*y", "0.2 m*sin(x)", "x*y/(1 m)",
                               "if(x > 2 m, 1, y)", "x*tan(5 deg)", "10 percent*x"})
        EXPECT_EQ(error(std::string("columns: 3, rows: 3, spacing: 1, height: \"") + height + '"'),
                  "")
            << height;
}

TEST_F(Terrain, WhatIsOddIsAWarningWithItsLine) {
    write("odd.csv", "0,0,1\n4,0,1\n0,4,1\n4,4,1\n2,2,1\n2,2,5\n");
    const Scene scene = read("survey: odd.csv, spacing: 1");
    ASSERT_EQ(scene.warnings.size(), 1U);
    EXPECT_NE(scene.warnings[0].find(
                  "odd.csv:6: the point (2, 2) has another height, 5 m, than in line 5, 1 m"),
              std::string::npos)
        << scene.warnings[0];
}

}  // namespace
}  // namespace bristle::io
