#include "report/drawing.h"

#include "report/report.h"
#include "report/side_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::report {
namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The points of the first element of this class, in pixels.
std::vector<std::array<double, 2>> points_of(const std::string& svg, const std::string& style) {
    const size_t at = svg.find("points=\"", svg.find("class=\"" + style)) + 8;
    std::vector<std::array<double, 2>> out;
    const char* text = svg.c_str() + at;
    while (*text != '"') {
        char* end = nullptr;
        const double x = std::strtod(text, &end), y = std::strtod(end + 1, &end);
        out.push_back({x, y});
        text = end + 1;
    }
    return out;
}

TEST(Drawing, IsToScaleBothWays) {
    Drawing drawing({-2, -1}, {8, 4}, "a range");
    drawing.area(std::vector<Drawing::Point>{{0, 0}, {3, 0}, {3, 3}, {0, 3}}, "region");
    const auto p = points_of(drawing.svg(), "region");
    ASSERT_EQ(p.size(), 4U);
    EXPECT_NEAR(p[1][0] - p[0][0], p[1][1] - p[2][1], 0.11);  // as wide as high, and up is up
    EXPECT_GT(p[1][0], p[0][0]);
    EXPECT_TRUE(has(drawing.svg(), "aria-label=\"a range\""));
}

TEST(Drawing, WordsCannotBreakOutOfThePage) {
    Drawing drawing({0, 0}, {1, 1}, "\"><script>");
    drawing.text({0.5, 0.5}, "<b>bold & \"more\"</b>");
    EXPECT_FALSE(has(drawing.svg(), "<script>"));
    EXPECT_FALSE(has(drawing.svg(), "<b>"));
    Report report{.title = "title"};
    report.figures.push_back({"a <figure>", drawing.svg(), "and <its> note"});
    const std::string page = render_report(report);
    EXPECT_TRUE(has(page, "a &lt;figure&gt;"));
    EXPECT_TRUE(has(page, "and &lt;its&gt; note"));
    EXPECT_TRUE(has(page, drawing.svg()));
}

TEST(Drawing, NothingWideIsDrawnAllTheSame) {
    const Drawing drawing({1, 1}, {1, 1}, "a point");
    EXPECT_TRUE(has(drawing.svg(), "<svg"));
    EXPECT_FALSE(has(drawing.svg(), "nan"));
}

TEST(SideView, ShowsOutlinesTheFarthestFirst) {
    const io::Scene scene = io::parse_scene(
        "bodies:\n"
        "  near: {mass: 1, inertia: [1, 1, 1], position: [0, -3, 0]}\n"
        "  far: {mass: 1, inertia: [1, 1, 1], position: [0, 3, 1]}\n"
        "  other: {type: box, size: [9, 9, 9], mass: 1}\n"
        "visuals: {front: {type: box, body: near, size: [2, 1, 1], color: \"#ff0000\"}}\n"
        "shapes: {back: {type: cylinder, body: far, radius: 0.5, length: 1, rotation: {axis: x, "
        "angle: 90 deg}}}\n");
    std::vector<Pose> poses;
    for (const Body& b : scene.model.bodies()) poses.push_back({b.position, b.orientation});
    const std::vector<BodyId> bodies{scene.model.body("near"), scene.model.body("far")};
    // Along +y, x to the right: what has less y is nearer.
    const auto parts = side_view(scene, bodies, poses, {1, 0, 0}, {0, 0, 1});
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].body, bodies[1]);
    EXPECT_EQ(parts[1].body, bodies[0]);
    ASSERT_EQ(parts[1].outline.size(), 4U);
    for (const auto& p : parts[1].outline) {
        EXPECT_NEAR(std::abs(p[0]), 1, 1e-12);
        EXPECT_NEAR(std::abs(p[1]), 0.5, 1e-12);
    }
    EXPECT_EQ(parts[1].color, (std::array{255, 0, 0}));
    for (const auto& p : parts[0].outline) EXPECT_NEAR(std::hypot(p[0], p[1] - 1), 0.5, 0.01);
}

}  // namespace
}  // namespace bristle::report
