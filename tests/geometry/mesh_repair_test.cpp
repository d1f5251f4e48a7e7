// Defects planted in good meshes: repaired where that takes no guess, left and named where it does.
#include "tests/support/solids.h"

#include <gtest/gtest.h>

namespace bristle::geometry {
namespace {

using namespace testing_support;
using Kind = MeshReport::Kind;

std::string text_of(const MeshRepair& r) {
    std::string text;
    for (const std::string& line : r.done) text += line + '\n';
    for (const auto& p : check(r.mesh).problems) text += "left: " + p.text + '\n';
    return text;
}

// Nothing is left to say, and the volume is the one it had before it was damaged.
void expect_mended(const TriangleMesh& broken, double volume, const std::string& said) {
    EXPECT_FALSE(check(broken).problems.empty());
    const MeshRepair r = repaired(broken);
    EXPECT_TRUE(check(r.mesh).problems.empty()) << text_of(r);
    EXPECT_TRUE(check(r.mesh).is_closed);
    EXPECT_NEAR(volume_of(r.mesh), volume, 1e-9 * volume) << text_of(r);
    EXPECT_NE(text_of(r).find(said), std::string::npos) << text_of(r);
    // Once is enough.
    EXPECT_TRUE(repaired(r.mesh).done.empty()) << text_of(repaired(r.mesh));
}

TEST(MeshRepair, LeavesGoodMeshesAlone) {
    Random random(40);
    for (int i = 0; i < 200; ++i) {
        const TriangleMesh mesh = random_solid(random, i % solid_kinds);
        const MeshRepair r = repaired(mesh);
        EXPECT_TRUE(r.done.empty()) << text_of(r);
        EXPECT_EQ(r.mesh.vertices, mesh.vertices);
        EXPECT_EQ(r.mesh.triangles, mesh.triangles);
    }
}

TEST(MeshRepair, MergesVerticesAtOnePlace) {
    const TriangleMesh ring_mesh = ring(8, 5, 0.3);
    TriangleMesh soup;
    for (const auto& t : ring_mesh.triangles) {
        const auto start = static_cast<uint32_t>(soup.vertices.size());
        for (const uint32_t v : t) soup.vertices.push_back(ring_mesh.vertices[v]);
        soup.triangles.push_back({start, start + 1, start + 2});
    }
    expect_mended(soup, volume_of(ring_mesh), "became one: 200 fewer");
}

TEST(MeshRepair, DropsFoldedAndDoubleTriangles) {
    TriangleMesh mesh = angle_bar();
    const double volume = volume_of(mesh);
    mesh.triangles.push_back({0, 0, 1});
    mesh.triangles.push_back({5, 5, 5});
    expect_mended(mesh, volume, "folded to an edge or a point were dropped: 20, 21");
    for (bool same_way : {true, false}) {
        TriangleMesh twice = angle_bar();
        const auto t = twice.triangles[4];
        twice.triangles.push_back(same_way ? t : std::array{t[1], t[0], t[2]});
        expect_mended(twice, volume, "doubles of triangles were dropped: 20");
    }
}

// Two boxes side by side with the wall between them in both: one box, once their vertices are one.
TEST(MeshRepair, TakesOutAWallBetweenTwoRooms) {
    TriangleMesh two =
        joined({box_between({0, 0, 0}, {1, 1, 1}), box_between({1, 0, 0}, {2, 1, 1})});
    expect_mended(two, 2, "doubles of triangles were dropped: ");
    EXPECT_EQ(repaired(two).mesh.triangles.size(), 20u);
    // With the other diagonal on one side the halves do not match: left, and named.
    for (size_t t = 0; t < 12; ++t)
        if (two.triangles[t] == std::array<uint32_t, 3>{1, 3, 7}) {
            two.triangles[t] = {1, 3, 5};
            two.triangles[t + 1] = {3, 7, 5};
        }
    EXPECT_FALSE(check(repaired(two).mesh).problems.empty());
}

TEST(MeshRepair, TurnsTrianglesAndPartsRightSideOut) {
    Random random(41);
    for (int i = 0; i < 100; ++i) {
        const TriangleMesh good = random_solid(random, i % 8);
        TriangleMesh bad = good;
        const auto n = static_cast<int>(bad.triangles.size());
        uint32_t turned = 0;
        for (int k = 0; k < std::max(1, n / 5); ++k) {
            turned = static_cast<uint32_t>(random.integer(0, n - 1));
            bad.triangles[turned] = {good.triangles[turned][0], good.triangles[turned][2],
                                     good.triangles[turned][1]};
        }
        expect_mended(bad, volume_of(good), "about the outside were reversed");
        expect_mended(reversed(good), volume_of(good), "was inside out and is turned");
    }
    // A hollow stays one, whatever way round both were.
    const TriangleMesh outer = block({3, 3, 3}), inner = reversed(block({1, 1, 1}));
    const double volume = 6 * 6 * 6 - 2 * 2 * 2;
    expect_mended(joined({reversed(outer), inner}), volume, "was inside out");
}

TEST(MeshRepair, ClosesFlatHoles) {
    for (size_t missing = 0; missing < 20; ++missing) {
        TriangleMesh mesh = angle_bar();
        const double volume = volume_of(mesh);
        mesh.materials.assign(20, MaterialId{3});
        mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(missing));
        mesh.materials.pop_back();
        expect_mended(mesh, volume, "a flat hole of 3 edges beside triangle ");
        const MeshRepair r = repaired(mesh);
        EXPECT_EQ(r.mesh.materials, std::vector<MaterialId>(20, MaterialId{3}));
    }
    // All of the L's end: six edges, one corner of which points inwards.
    TriangleMesh open = angle_bar();
    std::erase_if(open.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(), [&](uint32_t v) { return open.vertices[v].z == 1; });
    });
    EXPECT_EQ(open.triangles.size(), 16u);
    expect_mended(open, 3, "a flat hole of 6 edges");
}

TEST(MeshRepair, DoesNotCloseWhatIsNoHole) {
    // A floor: its outline is flat and has four edges, but below it there is nothing.
    const TriangleMesh floor{
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, {}};
    const MeshRepair r = repaired(floor);
    EXPECT_TRUE(r.done.empty()) << text_of(r);
    EXPECT_EQ(r.mesh.triangles.size(), 2u);
    // A hole that is not flat.
    TriangleMesh egg = sphere_of(2);
    const uint32_t v = egg.triangles[0][0];
    std::erase_if(egg.triangles,
                  [&](const auto& t) { return t[0] == v || t[1] == v || t[2] == v; });
    Random random(42);
    for (Vec3& p : egg.vertices) p += random.vector(0.02);
    EXPECT_TRUE(repaired(egg).done.empty()) << text_of(repaired(egg));
}

TEST(MeshRepair, TakesAFlatTriangleTogetherWithItsNeighbour) {
    // The box's edge from 0 to 1 has a vertex on it that only one side knows: a triangle without area between.
    TriangleMesh mesh = block({1, 1, 1});
    const auto m = static_cast<uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back({0, -1, -1});
    // {0, 3, 1} becomes two at m; {0, 1, 5} stays, and {0, 1, m} with no area joins them.
    for (auto& t : mesh.triangles)
        if (t == std::array<uint32_t, 3>{0, 3, 1}) t = {0, 3, m};
    mesh.triangles.push_back({m, 3, 1});
    mesh.triangles.push_back({0, m, 1});
    expect_mended(mesh, 8, "triangles without area were taken together with their neighbours: 13");
}

TEST(MeshRepair, LeavesWhatNobodyCanKnow) {
    TriangleMesh bad_index = block({1, 1, 1});
    bad_index.triangles[3][1] = 8;
    EXPECT_TRUE(repaired(bad_index).done.empty());
    EXPECT_EQ(repaired(bad_index).mesh.triangles, bad_index.triangles);
    const TriangleMesh crossing =
        joined({block({1, 1, 1}), moved(block({1, 1, 1}), {0.5, 0.4, 0.3})});
    EXPECT_TRUE(repaired(crossing).done.empty());
    EXPECT_FALSE(check(repaired(crossing).mesh).problems.empty());
}

// Any triangles at all: an answer that is no worse, and no crash.
TEST(MeshRepair, SurvivesRandomSoups) {
    Random random(43);
    for (int repeat = 0; repeat < 3000; ++repeat) {
        TriangleMesh mesh;
        const int vertices = random.integer(0, 9), triangles = random.integer(0, 16);
        for (int i = 0; i < vertices; ++i)
            mesh.vertices.push_back(random.chance(0.5) ? random.vector(1)
                                                       : Vec3{std::round(random.uniform(-1, 1)),
                                                              std::round(random.uniform(-1, 1)),
                                                              std::round(random.uniform(-1, 1))});
        for (int i = 0; i < triangles; ++i) {
            std::array<uint32_t, 3> t{};
            for (uint32_t& v : t)
                v = static_cast<uint32_t>(
                    random.integer(0, random.chance(0.01) ? 20 : std::max(0, vertices - 1)));
            mesh.triangles.push_back(t);
        }
        if (random.chance(0.05) && vertices > 0) mesh.vertices[0].x = std::nan("");
        const MeshReport before = check(mesh);
        const MeshRepair r = repaired(mesh);
        const MeshReport after = check(r.mesh);
        if (before.is_closed && before.problems.empty()) {
            EXPECT_TRUE(after.is_closed);
        }
        for (const auto& p : after.problems) EXPECT_NE(p.kind, Kind::inside_out) << text_of(r);
    }
}

}  // namespace
}  // namespace bristle::geometry
