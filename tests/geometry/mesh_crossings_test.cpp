// Triangles of one mesh that pass through each other, found, named, and as CGAL sees them.
#include "geometry/mesh_crossings.h"

#include "tests/support/exact_overlap.h"
#include "tests/support/solids.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace bristle::geometry {
namespace {

using namespace testing_support;
using Kind = MeshReport::Kind;

std::vector<MeshCrossing> crossings(const TriangleMesh& mesh) {
    std::vector<uint32_t> all(mesh.triangles.size());
    std::iota(all.begin(), all.end(), 0u);
    return crossings_within(mesh, all, 100000);
}

std::vector<MeshReport::Problem> reported(const TriangleMesh& mesh) {
    std::vector<MeshReport::Problem> found;
    for (const auto& p : check(mesh).problems)
        if (p.kind == Kind::crossing) found.push_back(p);
    return found;
}

TEST(MeshCrossings, GoodSolidsHaveNone) {
    Random random(30);
    for (int i = 0; i < 500; ++i) {
        const double scale = std::pow(10.0, random.uniform(-6, 6));
        const TriangleMesh mesh =
            moved(random_solid(random, i % solid_kinds),
                  random.rotation().matrix() * Mat3::diagonal({scale, scale, scale}),
                  random.vector(scale));
        EXPECT_TRUE(crossings(mesh).empty()) << i;
        EXPECT_TRUE(check(mesh).problems.empty()) << i;
    }
}

TEST(MeshCrossings, ASpikeThroughAWallIsNamedWithItsPlace) {
    const TriangleMesh wall = box_between({0, 0, 0}, {1, 4, 4});
    const TriangleMesh spike =
        tetrahedron({-1, 1, 2.5}, {-1, 1.2, 2.5}, {-1, 1, 2.7}, {0.5, 1.05, 2.55});
    const TriangleMesh both = joined({wall, spike});
    const auto problems = reported(both);
    ASSERT_EQ(problems.size(), 3u);  // three sides of the spike and one triangle of the wall
    std::set<uint32_t> seen;
    for (const MeshCrossing& c : crossings(both)) {
        EXPECT_LT(c.first, 12u);
        EXPECT_GE(c.second, 12u);
        seen.insert(c.second);
        EXPECT_NEAR(c.place.x, 0, 1e-12);
        EXPECT_NEAR(c.place.y, 1.05, 0.1);
        EXPECT_NEAR(c.place.z, 2.55, 0.1);
    }
    EXPECT_EQ(seen.size(), 3u);
    const auto& text = problems[0].text;
    EXPECT_EQ(text.find("triangles " + std::to_string(problems[0].triangle) + " and 1"), 0u)
        << text;
    EXPECT_NE(text.find("pass through each other at ("), std::string::npos) << text;
    // It can still be used, and has a volume.
    EXPECT_TRUE(check(both).is_usable);
    EXPECT_TRUE(check(both).is_closed);
}

TEST(MeshCrossings, WhatTrianglesShareIsNone) {
    // A fan about a vertex, a fold that is not flat, two triangles with one common vertex and nothing more.
    const TriangleMesh fold{
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0.9, 1e-9}}, {{0, 1, 2}, {1, 0, 3}}, {}};
    EXPECT_TRUE(crossings(fold).empty());
    const TriangleMesh corner{
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}, {}};
    EXPECT_TRUE(crossings(corner).empty());
    // The same with vertices of their own at the common place, as in an STL file.
    const TriangleMesh apart{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {-1, 0, 0}, {0, -1, 0}},
                             {{0, 1, 2}, {3, 4, 5}},
                             {}};
    EXPECT_TRUE(crossings(apart).empty());
}

TEST(MeshCrossings, LyingOnEachOtherIsOne) {
    // Folded flat onto the neighbour over their edge; over their vertex; apart in one plane; the same place twice.
    const TriangleMesh edge{
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.3, 0}}, {{0, 1, 2}, {1, 0, 3}}, {}};
    const TriangleMesh vertex{
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 1, 0}, {1, 3, 0}}, {{0, 1, 2}, {0, 3, 4}}, {}};
    const TriangleMesh plane{{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 1, 0}, {4, 1, 0}, {1, 4, 0}},
                             {{0, 1, 2}, {3, 4, 5}},
                             {}};
    const TriangleMesh inside{{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}},
                              {{0, 1, 2}, {3, 4, 5}},
                              {}};
    const TriangleMesh same{{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {0, 0, 0}, {9, 0, 0}, {0, 9, 0}},
                            {{0, 1, 2}, {5, 4, 3}},
                            {}};
    for (const TriangleMesh& mesh : {edge, vertex, plane, inside, same}) {
        EXPECT_EQ(crossings(mesh).size(), 1u);
        EXPECT_EQ(reported(mesh).size(), 1u);
    }
    // In one plane and past each other.
    const TriangleMesh past{{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {3, 3, 0}, {4, 1, 0}, {4, 4, 0}},
                            {{0, 1, 2}, {3, 4, 5}},
                            {}};
    EXPECT_TRUE(crossings(past).empty());
}

// Vertices of good solids moved by much or little, also on a coarse grid where all lies on all.
TEST(MeshCrossings, AreWhereCgalSeesThem) {
    Random random(31);
    int crossed = 0, compared = 0;
    for (int i = 0; i < 3000; ++i) {
        TriangleMesh mesh = random_solid(random, random.integer(0, solid_kinds - 1));
        if (random.chance(0.2))
            mesh = joined(
                {mesh, moved(random_solid(random, random.integer(0, 7)), random.vector(1.5))});
        const double by = std::pow(10.0, random.uniform(-2, 0));
        const bool on_grid = random.chance(0.3);
        for (Vec3& p : mesh.vertices) {
            p += random.vector(by);
            if (on_grid)
                p = {std::round(4 * p.x) / 4, std::round(4 * p.y) / 4, std::round(4 * p.z) / 4};
        }
        // CGAL takes vertices at one place for two, and no triangle without an area.
        std::set<std::array<double, 3>> places;
        for (const Vec3 p : mesh.vertices) places.insert({p.x, p.y, p.z});
        const auto problems = check(mesh).problems;
        if (places.size() < mesh.vertices.size()
            || std::any_of(problems.begin(), problems.end(),
                           [](const auto& p) { return p.kind == Kind::degenerate; }))
            continue;
        const bool expected = crosses_itself(mesh);
        ASSERT_EQ(!crossings(mesh).empty(), expected) << i;
        ASSERT_EQ(!reported(mesh).empty(), expected) << i;
        ++compared;
        crossed += expected;
    }
    EXPECT_GT(compared, 2000);
    EXPECT_GT(crossed, 500);
    EXPECT_GT(compared - crossed, 500);
}

TEST(MeshCrossings, AreFoundWithoutTryingAllPairs) {
    // Two balls of 32,000 triangles that meet in a circle; most have nothing to do with it.
    const TriangleMesh ball = sphere_of(40);
    const TriangleMesh both = joined({ball, moved(ball, Mat3::identity(), {1.9, 0.01, 0.02})});
    const auto found = crossings(both);
    EXPECT_GT(found.size(), 100u);
    for (const MeshCrossing& c : found) {
        EXPECT_LT(c.first, ball.triangles.size());
        EXPECT_GE(c.second, ball.triangles.size());
        EXPECT_NEAR(c.place.x, 0.95, 0.02);
    }
    // Of a heap in which all cross, as many as are asked for.
    TriangleMesh heap;
    Random random(32);
    for (uint32_t i = 0; i < 3000; ++i) {
        for (int k = 0; k < 3; ++k) heap.vertices.push_back(random.vector(1));
        heap.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    EXPECT_EQ(reported(heap).size(), 1001u);
    EXPECT_NE(reported(heap).back().text.find("there may be more"), std::string::npos);
}

}  // namespace
}  // namespace bristle::geometry
