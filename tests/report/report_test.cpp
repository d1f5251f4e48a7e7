#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace bristle::report {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

class Folder {
  public:
    Folder()
        : path_(std::filesystem::path(testing::TempDir())
                / testing::UnitTest::GetInstance()->current_test_info()->name()) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The JSON between the tags that carry it.
std::string data_in(const std::string& page) {
    const std::string open = "id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    return page.substr(begin, page.find("</script>", begin) - begin);
}

Plot plot_of(std::vector<double> values) {
    Plot plot{"title", "time (s)", "y (m)", std::vector<double>(values.size()), {}};
    std::iota(plot.x.begin(), plot.x.end(), 0.0);
    plot.series.push_back({"y", std::move(values)});
    return plot;
}

std::vector<double> wave(std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(0.001 * static_cast<double>(i));
    return values;
}

TEST(Report, EscapesTextForHtml) {
    Report report;
    report.title = "<script>alert('x')</script>";
    report.subtitle = "a & b";
    report.facts = {{"\"name\"", "<b>"}};
    report.plots = {{"<i>plot</i>", "x", "y", {}, {}}};
    const std::string page = render_report(report);
    EXPECT_TRUE(contains(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
    EXPECT_TRUE(contains(page, "a &amp; b"));
    EXPECT_TRUE(contains(page, "&quot;name&quot;"));
    EXPECT_TRUE(contains(page, "<td>&lt;b&gt;</td>"));
    EXPECT_TRUE(contains(page, "data-title=\"&lt;i&gt;plot&lt;/i&gt;\""));
    EXPECT_FALSE(contains(page, "<script>alert"));
    EXPECT_FALSE(contains(page, "<i>"));
}

TEST(Report, EscapesTextForTheEmbeddedData) {
    Report report;
    report.plots = {plot_of({1, 2})};
    report.plots[0].series[0].name = "</script><!-- \"quoted\" \\ \n";
    const std::string data = data_in(render_report(report));
    EXPECT_TRUE(
        contains(data, R"("n":"\u003c/script\u003e\u003c!-- \"quoted\" \\ \u000a","y":[1,2])"))
        << data;
}

TEST(Report, NeedsNothingFromOutside) {
    Report report;
    report.plots = {plot_of({1, 2})};
    report.animation = {{0.0, {{0, 0, 1, 0}}}, {1.0, {{0, 0, 0, 1}}}};
    const std::string page = render_report(report);
    EXPECT_TRUE(contains(page, "default-src 'none'"));
    for (const char* loader : {" src=", " href=", "@import", "fetch(", "url(http"}) {
        EXPECT_FALSE(contains(page, loader)) << loader;
    }
}

TEST(Report, EmbedsValuesAndShowsNonFiniteOnesAsGaps) {
    Report report;
    report.plots = {plot_of({0.25, not_a_number, infinite, -infinite, -1e-300})};
    const std::string data = data_in(render_report(report));
    EXPECT_TRUE(contains(data, R"("x":[0,1,2,3,4])")) << data;
    EXPECT_TRUE(contains(data, R"("y":[0.25,null,null,null,-1e-300])")) << data;
}

TEST(Report, KeepsSmallChangesOfLargeValues) {
    Report report;
    report.plots = {plot_of({1000.0, 1000.00000001, 1000.00000002})};
    const std::string data = data_in(render_report(report));
    EXPECT_TRUE(contains(data, "1000.00000001")) << data;
    EXPECT_TRUE(contains(data, "1000.00000002")) << data;
}

TEST(Report, AcceptsEmptyParts) {
    EXPECT_NO_THROW(render_report({}));
    Report report;
    report.plots = {{"no series", "x", "y", {}, {}},
                    {"no points", "x", "y", {}, {{"a", {}}, {"b", {}}}},
                    plot_of({1}),
                    plot_of({not_a_number, not_a_number})};
    report.animation = {{0.0, {}}};
    report.traces = {{"nothing", {}}};
    const std::string data = data_in(render_report(report));
    EXPECT_TRUE(contains(data, R"("s":[{"n":"a","y":[]},{"n":"b","y":[]}])")) << data;
    EXPECT_TRUE(contains(data, R"("frames":{"t":[0],"f":[[]]})")) << data;
    EXPECT_TRUE(contains(data, R"("traces":[{"n":"nothing","p":[]}])")) << data;
}

TEST(Report, RefusesSeriesOfTheWrongLength) {
    Report report;
    report.plots = {{"energy", "x", "y", {0, 1, 2}, {{"kinetic", {0, 1}}}}};
    try {
        render_report(report);
        FAIL() << "accepted";
    } catch (const std::invalid_argument& error) {
        EXPECT_TRUE(contains(error.what(), "energy")) << error.what();
        EXPECT_TRUE(contains(error.what(), "kinetic")) << error.what();
    }
}

TEST(Report, ThinsLongSeriesAndAnimations) {
    Report report;
    report.plots = {plot_of(wave(200'000))};
    for (int i = 0; i < 20'000; ++i) {
        report.animation.push_back({i * 1e-3, {{0, 0, 1, 0.5}, {1, 0.5, 2, 0}}});
    }
    const std::string data = data_in(render_report(report));
    EXPECT_LT(data.size(), 300'000u);
    EXPECT_TRUE(contains(data, "[0,")) << "the first frame stays";
    EXPECT_TRUE(contains(data, ",19.999]")) << "the last frame stays";
}

TEST(ThinnedIndices, KeepShortSeriesWhole) {
    const std::vector<double> values = wave(100);
    std::vector<std::size_t> all(values.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_EQ(thinned_indices(values, 100), all);
    EXPECT_TRUE(thinned_indices({}, 100).empty());
}

TEST(ThinnedIndices, KeepExtremesAndEnds) {
    for (const std::size_t count : {401u, 1'000u, 99'991u}) {
        for (const std::size_t spike : {std::size_t{1}, count / 3, count / 2 + 1, count - 2}) {
            std::vector<double> values = wave(count);
            values[spike] = 50;
            values[count - 1 - spike] = -50;
            if (spike == count - 1 - spike) continue;
            const std::vector<std::size_t> kept = thinned_indices(values, 400);
            EXPECT_LE(kept.size(), 400u);
            EXPECT_GT(kept.size(), 200u);
            EXPECT_EQ(kept.front(), 0u);
            EXPECT_EQ(kept.back(), count - 1);
            EXPECT_TRUE(std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>())
                        == kept.end());
            EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), spike));
            EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), count - 1 - spike));
        }
    }
}

TEST(ThinnedIndices, KeepGapsBesideExtremes) {
    std::vector<double> values = wave(100'000);
    values[41'000] = not_a_number;
    values[41'001] = 50;
    values[41'002] = -50;
    for (std::size_t i = 70'000; i < 90'000; ++i) values[i] = not_a_number;
    const std::vector<std::size_t> kept = thinned_indices(values, 400);
    EXPECT_LE(kept.size(), 400u);
    for (const std::size_t index : {41'000u, 41'001u, 41'002u}) {
        EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), index)) << index;
    }
    EXPECT_TRUE(std::any_of(kept.begin(), kept.end(),
                            [](std::size_t i) { return i >= 70'000 && i < 90'000; }));
}

TEST(WriteReport, MakesTheFolderAndReplacesTheFile) {
    const Folder folder;
    const std::filesystem::path path = folder / "new/deep/report.html";
    Report report;
    report.title = "first";
    report.plots = {plot_of(wave(5000))};
    write_report(report, path);
    const std::size_t first_size = text_of(path).size();
    report.title = "second";
    report.plots.clear();
    write_report(report, path);
    EXPECT_EQ(text_of(path), render_report(report));
    EXPECT_LT(text_of(path).size(), first_size);
}

TEST(WriteReport, NamesThePathAndTheReason) {
    const Folder folder;
    std::ofstream(folder / "file") << "not a folder";
    std::filesystem::create_directories(folder / "folder");
    for (const auto& [name, reason] : {std::pair{"file/report.html", "Not a directory"},
                                       std::pair{"folder", "Is a directory"}}) {
        const std::filesystem::path path = folder / name;
        try {
            write_report({}, path);
            FAIL() << "wrote " << path;
        } catch (const std::exception& error) {
            EXPECT_TRUE(contains(error.what(), path.string())) << error.what();
            EXPECT_TRUE(contains(error.what(), reason)) << error.what();
        }
    }
}

}  // namespace
}  // namespace bristle::report
