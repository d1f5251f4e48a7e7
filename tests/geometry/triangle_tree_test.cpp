#include "geometry/triangle_tree.h"

#include <bristle/error.h>

#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace bristle::geometry {
namespace {

using namespace testing_support;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Triangles anywhere, some of them slivers, some twice, some sharing corners.
TriangleMesh soup(Random& random, int count) {
    TriangleMesh mesh;
    for (int i = 0; i < count; ++i) {
        const Vec3 a = random.vector(1), b = a + random.vector(0.3);
        const Vec3 c =
            random.chance(0.2) ? a + 0.5 * (b - a) + random.vector(1e-7) : a + random.vector(0.3);
        const auto n = static_cast<uint32_t>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
        mesh.triangles.push_back({n, n + 1, n + 2});
        if (random.chance(0.05)) mesh.triangles.push_back({n, n + 1, n + 2});
    }
    return mesh;
}

// The nearest point by another way: barycentric coordinates of the foot, then all three edges.
double distance_by_sampling_edges(const std::array<Vec3, 3>& c, Vec3 p) {
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    double least = infinity;
    bool is_over = true;
    for (size_t k = 0; k < 3; ++k) {
        const Vec3 a = c[k], e = c[(k + 1) % 3] - a;
        is_over = is_over && dot(cross(e, p - a), n) >= 0;
        const double t = std::clamp(dot(p - a, e) / dot(e, e), 0.0, 1.0);
        least = std::min(least, norm(p - a - t * e));
    }
    return is_over ? std::min(least, std::abs(dot(p - c[0], n)) / norm(n)) : least;
}

TEST(TriangleTree, FindsInABoxWhatGoingThroughAllTrianglesFinds) {
    Random random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const TriangleTree tree(share(soup(random, random.integer(1, 300))));
        for (int k = 0; k < 20; ++k) {
            const Vec3 a = random.vector(1.2), size = random.vector(0.4);
            Aabb box{a, a};
            for (int i = 0; i < 3; ++i) box.high[i] += std::abs(size[i]);
            std::vector<uint32_t> found, expected;
            tree.in_box(box, [&](uint32_t t) { found.push_back(t); });
            for (uint32_t t = 0; t < tree.mesh().triangles.size(); ++t) {
                const auto c = tree.corners(t);
                bool meets = true;
                for (int i = 0; i < 3; ++i)
                    meets = meets && std::min({c[0][i], c[1][i], c[2][i]}) <= box.high[i]
                         && std::max({c[0][i], c[1][i], c[2][i]}) >= box.low[i];
                if (meets) expected.push_back(t);
            }
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, expected);
        }
    }
}

TEST(TriangleTree, FindsTheNearestPointOfAllTriangles) {
    Random random(2);
    for (int trial = 0; trial < 200; ++trial) {
        const TriangleTree tree(share(soup(random, random.integer(1, 200))));
        for (int k = 0; k < 50; ++k) {
            const Vec3 p = k % 5 == 0 ? tree.corners(0)[0] : random.vector(1.5);
            double least = infinity;
            for (uint32_t t = 0; t < tree.mesh().triangles.size(); ++t)
                least = std::min(least, distance_by_sampling_edges(tree.corners(t), p));
            const auto near = tree.nearest(p, infinity);
            ASSERT_NE(near.triangle, TriangleTree::none);
            // A sliver 1e-7 wide has a normal with 1e-9 of error: that times the size.
            ASSERT_NEAR(near.distance, least, 1e-8);
            ASSERT_NEAR(norm(near.point - p), near.distance, 1e-12);
            const auto none = tree.nearest(p, 0.9 * least);
            if (least > 1e-6) {
                ASSERT_EQ(none.triangle, TriangleTree::none);
            }
        }
    }
}

TEST(TriangleTree, NoRayLeavesAClosedMeshUnseen) {
    Random random(3);
    const TriangleTree tree(share(
        ball(20, 24, [](Vec3 d) { return 1 + 0.2 * std::sin(4 * d.x) * std::cos(3 * d.z); })));
    ASSERT_TRUE(tree.is_closed());
    for (int k = 0; k < 30000; ++k) {
        // Exactly at corners and at the middle of edges, too.
        const auto t = static_cast<uint32_t>(
            random.integer(0, static_cast<int>(tree.mesh().triangles.size()) - 1));
        const auto c = tree.corners(t);
        const Vec3 target = k % 3 == 0 ? c[0]
                          : k % 3 == 1 ? 0.5 * (c[0] + c[1])
                                       : random.direction();
        const Vec3 origin = random.vector(0.2);
        const auto hit = tree.first_hit(origin, target - origin, infinity);
        ASSERT_NE(hit.triangle, TriangleTree::none);
        // Brute force over all of them.
        double least = infinity;
        for (uint32_t i = 0; k % 50 == 0 && i < tree.mesh().triangles.size(); ++i) {
            const double d =
                ray_hits(tree.corners(i), tree.face(i).normal, origin, target - origin);
            if (d >= 0) least = std::min(least, d);
        }
        if (k % 50 == 0) {
            ASSERT_EQ(hit.distance, least);
        }
        EXPECT_TRUE(tree.contains(origin));
        EXPECT_FALSE(tree.contains(origin + (hit.distance + 1e-6) * (target - origin)));
    }
}

TEST(TriangleTree, KnowsConvexFlatConcaveAndOpenEdges) {
    const TriangleTree cube(share(block({1, 1, 1})));
    int convex = 0, flat = 0;
    for (uint32_t t = 0; t < 12; ++t)
        for (EdgeKind kind : cube.face(t).edge) {
            convex += kind == EdgeKind::convex ? 1 : 0;
            flat += kind == EdgeKind::flat ? 1 : 0;
        }
    EXPECT_EQ(convex, 24);
    EXPECT_EQ(flat, 12);
    TriangleMesh inside_out = block({1, 1, 1});
    for (auto& t : inside_out.triangles) std::swap(t[1], t[2]);
    const TriangleTree room(share(inside_out));
    for (uint32_t t = 0; t < 12; ++t)
        for (EdgeKind kind : room.face(t).edge)
            EXPECT_TRUE(kind == EdgeKind::concave || kind == EdgeKind::flat);
    TriangleMesh lid = block({1, 1, 1});
    lid.triangles.resize(4);
    const TriangleTree open(share(lid));
    EXPECT_FALSE(open.is_closed());
    for (uint32_t t = 0; t < 4; ++t)
        EXPECT_EQ(std::count(open.face(t).edge.begin(), open.face(t).edge.end(), EdgeKind::open),
                  2);
}

TEST(TriangleTree, JoinsVerticesAtTheSamePlace) {
    const TriangleMesh whole = block({1, 2, 3});
    TriangleMesh split;
    for (const auto& t : whole.triangles) {
        const auto n = static_cast<uint32_t>(split.vertices.size());
        for (uint32_t v : t) split.vertices.push_back(whole.vertices[v]);
        split.triangles.push_back({n, n + 1, n + 2});
    }
    const TriangleTree a(share(whole)), b(share(split));
    EXPECT_TRUE(b.is_closed());
    for (uint32_t t = 0; t < 12; ++t) {
        EXPECT_EQ(a.face(t).neighbor, b.face(t).neighbor);
        EXPECT_EQ(a.face(t).edge, b.face(t).edge);
    }
}

TEST(TriangleTree, StaysShallowForTrianglesThatCannotBeParted) {
    TriangleMesh same, growing;
    for (uint32_t i = 0; i < 3000; ++i) {
        for (TriangleMesh* mesh : {&same, &growing}) {
            const double size = mesh == &same ? 1 : std::pow(1.1, i % 700);
            const auto n = static_cast<uint32_t>(mesh->vertices.size());
            mesh->vertices.insert(mesh->vertices.end(), {{0, 0, 0}, {size, 0, 0}, {0, size, 0}});
            mesh->triangles.push_back({n, n + 1, n + 2});
        }
    }
    EXPECT_LE(TriangleTree(share(same)).depth(), 64u);
    EXPECT_LE(TriangleTree(share(growing)).depth(), 64u);
}

TEST(TriangleTree, RefusesWhatItCannotUseAndLeavesOutWhatHasNoArea) {
    EXPECT_THROW(TriangleTree(nullptr), InputError);
    EXPECT_THROW(TriangleTree(share({})), InputError);
    TriangleMesh bad = block({1, 1, 1});
    bad.triangles[3][1] = 8;
    EXPECT_THROW(TriangleTree{share(bad)}, InputError);
    bad = block({1, 1, 1});
    bad.vertices[2].y = std::nan("");
    EXPECT_THROW(TriangleTree{share(bad)}, InputError);
    TriangleMesh thin = block({1, 1, 1});
    thin.triangles.push_back({0, 0, 1});
    const TriangleTree tree(share(thin));
    EXPECT_EQ(tree.face(12).normal, Vec3{});
    tree.in_box({{-9, -9, -9}, {9, 9, 9}}, [](uint32_t t) { EXPECT_NE(t, 12u); });
}

}  // namespace
}  // namespace bristle::geometry
