#include "io/vtk.h"

#include <bristle/error.h>
#include <bristle/world.h>

#include "tests/io/vtk_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <functional>

namespace bristle::io {
namespace {

class Vtk : public testing::Test {
  protected:
    Vtk()
        : folder_(std::filesystem::temp_directory_path()
                  / ("bristle_vtk_" + std::to_string(getpid()) + '_'
                     + testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::create_directories(folder_);
    }
    ~Vtk() override { std::filesystem::remove_all(folder_); }

    std::string written(const VtkPolyData& data, double time = 0) const {
        write_vtp(folder_ / "a.vtp", data, time);
        return content(folder_ / "a.vtp");
    }

    const std::filesystem::path folder_;
};

TEST_F(Vtk, NumbersAreWrittenToTheLastBit) {
    VtkPolyData data;
    data.points = {{0.1, 1.0 / 3, -1e-300}, {1e300, 0, 5e-324}};
    data.of_points = {{"force", "N", 3, std::vector<double>{0.1, 0.2, 0.3, -0.0, HUGE_VAL, 7}},
                      {"body", "", 1, std::vector<int32_t>{-1, 2147483647}}};
    const std::string file = written(data, 0.1);
    EXPECT_EQ(appended<double>(file, "points"),
              (std::vector<double>{0.1, 1.0 / 3, -1e-300, 1e300, 0, 5e-324}));
    EXPECT_EQ(appended<double>(file, "force"),
              (std::vector<double>{0.1, 0.2, 0.3, -0.0, HUGE_VAL, 7}));
    EXPECT_TRUE(std::signbit(appended<double>(file, "force")[3]));
    EXPECT_EQ(appended<int32_t>(file, "body"), (std::vector<int32_t>{-1, 2147483647}));
    EXPECT_NE(file.find("location=\"vtkDataArray\">N</InformationKey>"), std::string::npos);
    EXPECT_NE(file.find("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<"),
              std::string::npos);
    EXPECT_TRUE(file.ends_with("\n</AppendedData>\n</VTKFile>\n"));
}

TEST_F(Vtk, EveryPointIsACellOfItsOwn) {
    VtkPolyData data;
    data.points.resize(3);
    const std::string file = written(data);
    EXPECT_NE(file.find("NumberOfPoints=\"3\" NumberOfVerts=\"3\" NumberOfLines=\"0\""),
              std::string::npos);
    EXPECT_EQ(appended<int64_t>(file, "connectivity"), (std::vector<int64_t>{0, 1, 2}));
    EXPECT_EQ(appended<int64_t>(file, "offsets"), (std::vector<int64_t>{1, 2, 3}));
}

TEST_F(Vtk, LinesAndTrianglesHaveTheirCorners) {
    VtkPolyData data;
    data.points.resize(4);
    data.kind = VtkPolyData::Cells::lines;
    data.corners = {0, 1, 2, 3};
    std::string file = written(data);
    EXPECT_NE(file.find("NumberOfVerts=\"0\" NumberOfLines=\"2\""), std::string::npos);
    EXPECT_EQ(appended<int64_t>(file, "connectivity"), (std::vector<int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(appended<int64_t>(file, "offsets"), (std::vector<int64_t>{2, 4}));
    data.kind = VtkPolyData::Cells::triangles;
    data.corners = {0, 1, 2, 0, 2, 3};
    file = written(data);
    EXPECT_NE(file.find("NumberOfPolys=\"2\""), std::string::npos);
    EXPECT_EQ(appended<int64_t>(file, "offsets"), (std::vector<int64_t>{3, 6}));
}

TEST_F(Vtk, NothingIsAWholeFileToo) {
    VtkPolyData data;
    data.kind = VtkPolyData::Cells::triangles;
    data.of_cells = {vtk_array("depth", "m", std::vector<Contact>{}, &Contact::depth)};
    const std::string file = written(data);
    EXPECT_NE(file.find("NumberOfPoints=\"0\""), std::string::npos);
    EXPECT_NE(file.find("NumberOfPolys=\"0\""), std::string::npos);
    for (const char* name : {"points", "connectivity", "offsets", "depth"})
        EXPECT_TRUE(appended<int64_t>(file, name).empty()) << name;
}

TEST_F(Vtk, ArraysAreOfNumbersVectorsTensorsIdsAndFlags) {
    Patch patch;
    patch.volume = 0.25;
    patch.normal = {1, 2, 3};
    patch.inertia = {{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}};
    patch.body_a = {7};
    patch.slips = true;
    const std::vector<Patch> list = {patch};
    using Doubles = std::vector<double>;
    using Integers = std::vector<int32_t>;
    EXPECT_EQ(std::get<Doubles>(vtk_array("", "", list, &Patch::volume).values), Doubles{0.25});
    const VtkArray normal = vtk_array("normal", "", list, &Patch::normal);
    EXPECT_EQ(normal.components, 3u);
    EXPECT_EQ(std::get<Doubles>(normal.values), (Doubles{1, 2, 3}));
    const VtkArray inertia = vtk_array("inertia", "m^5", list, &Patch::inertia);
    EXPECT_EQ(inertia.components, 9u);
    EXPECT_EQ(std::get<Doubles>(inertia.values), (Doubles{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(std::get<Integers>(vtk_array("", "", list, &Patch::body_a).values), Integers{7});
    EXPECT_EQ(std::get<Integers>(vtk_array("", "", list, &Patch::body_b).values), Integers{-1});
    EXPECT_EQ(std::get<Integers>(vtk_array("", "", list, &Patch::slips).values), Integers{1});
}

TEST_F(Vtk, ATimeSeriesIsWholeAfterEveryFrame) {
    const std::filesystem::path path = folder_ / "a.pvd";
    const std::string head =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n";
    const std::string tail = "</Collection>\n</VTKFile>\n";
    PvdFile series(path);
    EXPECT_EQ(content(path), head + tail);
    series.add(0, "a/0.vtp");
    const std::string first = "<DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"a/0.vtp\"/>\n";
    EXPECT_EQ(content(path), head + first + tail);
    series.add(1.0 / 3, "a & b/\"1\".vtp");
    EXPECT_EQ(content(path),
              head + first
                  + "<DataSet timestep=\"0.3333333333333333\" group=\"\" part=\"0\" "
                    "file=\"a &amp; b/&quot;1&quot;.vtp\"/>\n"
                  + tail);
}

TEST_F(Vtk, BlocksAreNamed) {
    write_vtm(folder_ / "a.vtm", {{"bodies", "bodies-0.vtp"}, {"contacts", "contacts-0.vtp"}});
    EXPECT_NE(content(folder_ / "a.vtm")
                  .find("<DataSet index=\"1\" name=\"contacts\" file=\"contacts-0.vtp\"/>"),
              std::string::npos);
}

TEST_F(Vtk, AFullDiskIsSaid) {
    VtkPolyData data;
    data.points.resize(10);
    for (const auto& write : std::initializer_list<std::function<void()>>{
             [&] { write_vtp("/dev/full", data, 0); }, [] { write_vtm("/dev/full", {}); },
             [] { PvdFile series("/dev/full"); }})
        try {
            write();
            FAIL();
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "cannot write '/dev/full': No space left on device");
        }
}

TEST_F(Vtk, AFileThatCannotBeMadeIsSaid) {
    EXPECT_THROW(PvdFile(folder_ / "missing" / "a.pvd"), InputError);
}

}  // namespace
}  // namespace bristle::io
