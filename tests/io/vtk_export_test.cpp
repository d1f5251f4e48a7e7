#include "io/vtk_export.h"

#include <bristle/error.h>

#include "tests/io/vtk_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace bristle::io {
namespace {

// A block that is pressed into the ground and slides and turns on it.
Model block_on_rubber() {
    Model model;
    const MaterialId rubber = model.add(Material{.foundation = 1e6});
    const BodyId block = model.add(
        Body::box({1, 0.5, 0.5}, 100).at({0, 0, 0.249}).moving({0.5, 0.1, 0}, {0, 0, 0.3}));
    model.add(Shape{.body = block, .geometry = Box{{1, 0.5, 0.5}}, .material = rubber});
    model.add(Shape{.body = Model::ground(),
                    .geometry = Box{{4, 4, 1}},
                    .pose = {{0, 0, -0.5}, {}},
                    .material = rubber});
    return model;
}

void append(std::vector<double>& list, Vec3 v) { list.insert(list.end(), {v.x, v.y, v.z}); }

class VtkExports : public testing::Test {
  protected:
    VtkExports()
        : folder_(std::filesystem::temp_directory_path()
                  / ("bristle_vtk_export_" + std::to_string(getpid()) + '_'
                     + testing::UnitTest::GetInstance()->current_test_info()->name())) {}
    ~VtkExports() override { std::filesystem::remove_all(folder_); }

    std::string layer(const std::string& name, int frame) const {
        char file[64];
        std::snprintf(file, sizeof file, "%s-%06d.vtp", name.c_str(), frame);
        return content(folder_ / "block" / file);
    }

    const std::filesystem::path folder_;
};

TEST_F(VtkExports, PatchesAndContoursAreThoseOfTheWorld) {
    World world(block_on_rubber());
    VtkExport out(folder_, "block");
    size_t seen = 0;
    for (int frame = 0; frame < 5; ++frame) {
        for (int i = 0; i < 10; ++i) world.step();
        out.add(world);
        std::vector<double> centroids, normals, forces, torques, volumes, inertias, areas,
            pressures, spins, ends;
        std::vector<int32_t> of_segments;
        const std::vector<Patch> patches = world.patches();
        seen += patches.size();
        for (size_t i = 0; i < patches.size(); ++i) {
            const Patch& p = patches[i];
            append(centroids, p.centroid);
            append(normals, p.normal);
            append(forces, p.force);
            append(torques, p.torque);
            volumes.push_back(p.volume);
            for (const Vec3 row : p.inertia.row) append(inertias, row);
            areas.push_back(p.area);
            pressures.push_back(p.pressure);
            spins.push_back(p.spin);
            for (const auto& [from, to] : p.contour) {
                append(ends, from);
                append(ends, to);
                of_segments.push_back(static_cast<int32_t>(i));
            }
        }
        const std::string file = layer("patches", frame);
        EXPECT_EQ(appended<double>(file, "points"), centroids);
        EXPECT_EQ(appended<double>(file, "normal_from_b_to_a"), normals);
        EXPECT_EQ(appended<double>(file, "force_on_a"), forces);
        EXPECT_EQ(appended<double>(file, "torque_on_a"), torques);
        EXPECT_EQ(appended<double>(file, "volume"), volumes);
        EXPECT_EQ(appended<double>(file, "inertia"), inertias);
        EXPECT_EQ(appended<double>(file, "area"), areas);
        EXPECT_EQ(appended<double>(file, "pressure"), pressures);
        EXPECT_EQ(appended<double>(file, "spin"), spins);
        const std::string lines = layer("contours", frame);
        EXPECT_EQ(appended<double>(lines, "points"), ends);
        EXPECT_EQ(appended<int32_t>(lines, "patch"), of_segments);
    }
    EXPECT_EQ(seen, 5u);
}

TEST_F(VtkExports, TrianglesOfSolidsSayWhoseTheyAre) {
    World world(block_on_rubber());
    for (int i = 0; i < 5; ++i) world.step();
    VtkExport out(folder_, "block");
    out.add(world);
    const std::vector<SharedVolume> shared = world.shared_volumes();
    ASSERT_EQ(shared.size(), 1u);
    const std::string file = layer("shared_volumes", 0);
    EXPECT_EQ(appended<double>(file, "points").size(), 3 * shared[0].mesh.vertices.size());
    const auto sources = appended<int32_t>(file, "triangle");
    EXPECT_EQ(sources, std::vector<int32_t>(shared[0].source.begin(), shared[0].source.end()));
    const auto bodies = appended<int32_t>(file, "body"),
               others = appended<int32_t>(file, "other_body");
    const auto sides = appended<int32_t>(file, "side");
    const std::vector<Shape>& shapes = world.model().shapes();
    for (size_t i = 0; i < sources.size(); ++i) {
        const ShapeId own = sides[i] == 0 ? shared[0].a : shared[0].b;
        EXPECT_EQ(bodies[i], static_cast<int32_t>(shapes[own.index].body.index));
        EXPECT_EQ(bodies[i] + others[i], 1);  // the ground and the block
    }
    // Its four sides cross the ground, two triangles each; and the ground's face is two.
    EXPECT_EQ(appended<int32_t>(layer("colliding_triangles", 0), "triangle").size(),
              shared[0].crossed_a.size() + shared[0].crossed_b.size());
    EXPECT_GE(shared[0].crossed_a.size() + shared[0].crossed_b.size(), 6u);
}

// It was that of the model, whatever had been dug.
TEST_F(VtkExports, GroundIsAsItIsNow) {
    Model model;
    const HeightField flat{
        .columns = 3, .rows = 2, .spacing_x = 1, .spacing_y = 1, .heights = {0, 0, 0, 0, 0, 0}};
    const ShapeId site = model.add(Shape{.body = Model::ground(), .geometry = flat});
    const ShapeId spare =
        model.add(Shape{.body = Model::ground(), .geometry = flat, .pose = {{0, 0, -1e4}, {}}});
    World world(model);
    VtkExport out(folder_, "block");
    out.add(world);
    world.set_heights(site, {.column = 1, .row = 0}, std::vector<double>{-0.5});
    world.place_field(spare, {10, 0, 2});
    out.add(world);
    const auto points = [&](int frame) {
        return appended<double>(layer("bodies", frame), "points");
    };
    // The spare one waits far below: only the other is there.
    ASSERT_EQ(points(0).size(), 3u * 6);
    EXPECT_EQ(points(0)[3 * 1 + 2], 0);
    ASSERT_EQ(points(1).size(), 2u * 3 * 6);
    EXPECT_EQ(points(1)[3 * 1 + 2], -0.5);
    EXPECT_EQ(points(1)[3 * 6 + 0], 10);
    EXPECT_EQ(points(1)[3 * 6 + 2], 2);
}

TEST_F(VtkExports, NothingIsOverwritten) {
    const World world(block_on_rubber());
    VtkExport(folder_, "block").add(world);
    try {
        VtkExport(folder_, "block");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "'" + (folder_ / "block").string()
                      + "' is there already: remove it, or choose another folder");
    }
    VtkExport(folder_, "another").add(world);
}

}  // namespace
}  // namespace bristle::io
