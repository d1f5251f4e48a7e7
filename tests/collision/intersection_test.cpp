// What two solids share: closed forms, regions, degenerate positions, and the mesh of it.
#include "collision/volume/intersection.h"

#include <bristle/error.h>

#include "geometry/tessellate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace bristle::collision {
namespace {

TriangleMesh box(Vec3 low, Vec3 high) {
    TriangleMesh m = tessellated(Box{high - low});
    for (Vec3& v : m.vertices)
        for (int k = 0; k < 3; ++k) v[k] = v[k] > 0 ? high[k] : low[k];
    return m;
}

TriangleMesh both(TriangleMesh a, const TriangleMesh& b) {
    const auto first = static_cast<uint32_t>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& t : b.triangles)
        a.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    return a;
}

TriangleMesh turned_inside_out(TriangleMesh m) {
    for (auto& t : m.triangles) std::swap(t[1], t[2]);
    return m;
}

Solid solid(const TriangleMesh& m) { return Solid(std::make_shared<const TriangleMesh>(m)); }

double volume_of(const TriangleMesh& m) {
    double volume = 0;
    const Vec3 o = m.vertices.empty() ? Vec3{} : m.vertices[0];
    for (const auto& t : m.triangles)
        volume += dot(m.vertices[t[0]] - o, cross(m.vertices[t[1]] - o, m.vertices[t[2]] - o)) / 6;
    return volume;
}

// Every edge is run as often one way as the other.
bool is_closed(const TriangleMesh& m) {
    std::map<std::pair<uint32_t, uint32_t>, int> net;
    for (const auto& t : m.triangles)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = t[k], b = t[(k + 1) % 3];
            net[std::minmax(a, b)] += a < b ? 1 : -1;
        }
    return std::all_of(net.begin(), net.end(), [](const auto& e) { return e.second == 0; });
}

double total(const Patches& p) {
    double volume = 0;
    for (const ContactPatch& patch : p.patches) volume += patch.volume;
    return volume;
}

// Finds the patches and checks what must hold of any two solids.
Patches overlap(const TriangleMesh& a, const TriangleMesh& b, const Placement& at_a = {},
                const Placement& at_b = {}) {
    const Solid sa = solid(a), sb = solid(b);
    Intersection intersection;
    Patches out, reversed;
    intersection.find(sb, at_b, sa, at_a, reversed);
    intersection.find(sa, at_a, sb, at_b, out);
    const double size = std::min(sa.size(), sb.size()), scale = size * size * size;
    EXPECT_NEAR(total(out), total(reversed), 1e-12 * scale);
    const IntersectionMesh mesh = intersection.mesh();
    EXPECT_TRUE(is_closed(mesh.mesh));
    EXPECT_NEAR(volume_of(mesh.mesh), total(out), 1e-12 * scale);
    EXPECT_EQ(mesh.source.size(), mesh.mesh.triangles.size());
    return out;
}

const TriangleMesh cube = box({0, 0, 0}, {1, 1, 1});

TEST(Intersection, OfTwoBoxesIsABox) {
    const Patches p = overlap(cube, box({0.5, 0.25, 0.75}, {2, 2, 2}));
    ASSERT_EQ(p.patches.size(), 1u);
    const ContactPatch& c = p.patches[0];
    const Vec3 size{0.5, 0.75, 0.25};
    EXPECT_NEAR(c.volume, size.x * size.y * size.z, 1e-15);
    EXPECT_NEAR(norm(c.centroid - Vec3{0.75, 0.625, 0.875}), 0, 1e-15);
    const double m = c.volume / 12;
    EXPECT_NEAR(c.inertia(0, 0), m * (size.y * size.y + size.z * size.z), 1e-16);
    EXPECT_NEAR(c.inertia(1, 1), m * (size.x * size.x + size.z * size.z), 1e-16);
    EXPECT_NEAR(c.inertia(2, 2), m * (size.x * size.x + size.y * size.y), 1e-16);
    EXPECT_NEAR(c.inertia(0, 1), 0, 1e-16);
    // Three faces of b are inside a: their vector area is that of the box's three sides.
    const Vec3 area{-size.y * size.z, -size.x * size.z, -size.x * size.y};
    EXPECT_NEAR(norm(c.area * c.normal - area), 0, 1e-15);
}

TEST(Intersection, FaceOnFaceIsNoSpecialCase) {
    EXPECT_NEAR(total(overlap(cube, cube)), 1, 1e-14);
    EXPECT_NEAR(total(overlap(cube, box({0, 0, 0.9}, {1, 1, 2}))), 0.1, 1e-15);
    EXPECT_NEAR(total(overlap(cube, box({0.5, 0, 0}, {1, 0.5, 1}))), 0.25, 1e-15);
    EXPECT_NEAR(total(overlap(cube, box({0.25, 0.25, 0}, {0.75, 0.75, 0.5}))), 0.125, 1e-15);
    EXPECT_NEAR(total(overlap(cube, box({0, 0, 1}, {1, 1, 2}))), 0, 1e-15);  // faces touch
    EXPECT_NEAR(total(overlap(cube, box({1, 0, 1}, {2, 1, 2}))), 0, 1e-15);  // edges
    EXPECT_NEAR(total(overlap(cube, box({1, 1, 1}, {2, 2, 2}))), 0, 1e-15);  // corners
    EXPECT_NEAR(total(overlap(cube, box({-1, -1, -1}, {2, 2, 0.5}))), 0.5, 1e-15);
}

TEST(Intersection, NormalsDoNotLeanWhereSidesAreInOnePlane) {
    const Patches p = overlap(cube, box({0, 0, 0.9}, {1, 1, 2}));
    ASSERT_EQ(p.patches.size(), 1u);
    EXPECT_NEAR(norm(p.patches[0].normal - Vec3{0, 0, -1}), 0, 1e-15);
    EXPECT_NEAR(p.patches[0].area, 1, 1e-15);
    EXPECT_NEAR(norm(p.patches[0].area_center - Vec3{0.5, 0.5, 0.95}), 0, 1e-2);
}

TEST(Intersection, OneInsideTheOtherIsTheInnerOne) {
    const Patches p = overlap(cube, box({0.25, 0.25, 0.25}, {0.5, 0.5, 0.75}));
    ASSERT_EQ(p.patches.size(), 1u);
    EXPECT_NEAR(p.patches[0].volume, 0.03125, 1e-16);
    EXPECT_NEAR(norm(p.patches[0].centroid - Vec3{0.375, 0.375, 0.5}), 0, 1e-15);
    EXPECT_EQ(p.patches[0].area, 0);
    EXPECT_NEAR(norm(p.patches[0].normal), 1, 1e-15);
    EXPECT_NEAR(total(overlap(box({-1, -1, -1}, {2, 2, 2}), cube)), 1, 1e-15);
}

TEST(Intersection, AHollowIsNotShared) {
    const TriangleMesh shell = both(box({-1, -1, -1}, {2, 2, 2}),
                                    turned_inside_out(box({0.1, 0.1, 0.1}, {0.9, 0.9, 0.9})));
    EXPECT_NEAR(total(overlap(shell, cube)), 1 - 0.512, 1e-14);
    EXPECT_NEAR(total(overlap(shell, box({0.2, 0.2, 0.2}, {0.8, 0.8, 0.8}))), 0, 1e-15);
    EXPECT_NEAR(total(overlap(shell, box({-3, -3, -3}, {3, 3, 3}))), 27 - 0.512, 1e-13);
    EXPECT_NEAR(total(overlap(shell, box({0.5, 0.5, -3}, {0.6, 0.6, 3}))), 0.01 * (3 - 0.8), 1e-15);
}

TEST(Intersection, EveryRegionHasAPatch) {
    const TriangleMesh table =
        both(both(box({0, 0, -0.1}, {0.1, 0.1, 1}), box({2, 0, -0.2}, {2.2, 0.1, 1})),
             box({0, 2, -0.05}, {0.1, 2.4, 1}));
    const Patches p = overlap(table, box({-5, -5, -3}, {5, 5, 0}));
    ASSERT_EQ(p.patches.size(), 3u);
    EXPECT_NEAR(p.patches[0].volume, 0.004, 1e-15);
    EXPECT_NEAR(p.patches[1].volume, 0.002, 1e-15);
    EXPECT_NEAR(p.patches[2].volume, 0.001, 1e-15);
    EXPECT_NEAR(norm(p.patches[0].centroid - Vec3{2.1, 0.05, -0.1}), 0, 2e-13);
    EXPECT_NEAR(p.patches[2].area, 0.01, 1e-15);
    for (const ContactPatch& c : p.patches) EXPECT_NEAR(c.normal.z, 1, 1e-14);
}

TEST(Intersection, ABarThroughARingMakesTwoRegionsAndOneThroughASlabOne) {
    const TriangleMesh ring = tessellated(Torus{1, 0.2}, 32);
    const Patches p = overlap(ring, box({-2, -0.05, -0.05}, {2, 0.05, 0.05}));
    ASSERT_EQ(p.patches.size(), 2u);
    EXPECT_NEAR(p.patches[0].volume, p.patches[1].volume, 1e-12);
    EXPECT_NEAR(p.patches[0].centroid.x + p.patches[1].centroid.x, 0, 1e-12);
    const Patches through = overlap(cube, box({0.25, 0.25, -1}, {0.75, 0.75, 2}));
    ASSERT_EQ(through.patches.size(), 1u);
    EXPECT_NEAR(through.patches[0].volume, 0.25, 1e-15);
    EXPECT_LT(through.patches[0].area, 1e-15);
}

// The part of a face round a post that goes through it has the post's contour as a hole.
TEST(Intersection, WhatSurroundsAHoleBelongsToIt) {
    TriangleMesh post = both(box({-1, -1, 0.5}, {2, 2, 1.5}), box({0.4, 0.4, -1}, {0.6, 0.6, 0.2}));
    const Patches p = overlap(cube, post);
    ASSERT_EQ(p.patches.size(), 2u);
    EXPECT_NEAR(p.patches[0].volume, 0.5, 1e-15);
    EXPECT_NEAR(p.patches[1].volume, 0.008, 1e-15);
}

TEST(Intersection, ContoursHaveAPlaneAndADepthOnEitherSide) {
    // A pyramid's tip through a slab's top, where the slab has a ridge under it.
    const Solid slab = solid(both(box({-5, -5, -2}, {5, 5, 0}), box({7, 7, 7}, {8, 8, 8})));
    const Solid tip = solid(tessellated(
        ConvexPolyhedron{{{0.5, 0.5, -0.5}, {2, 2, 1}, {-1, 2, 1}, {-1, -1, 1}, {2, -1, 1}}}));
    Intersection intersection;
    Patches p;
    intersection.find(tip, {}, slab, {}, p);
    const IntersectionMesh mesh = intersection.mesh();
    ASSERT_EQ(mesh.contours.size(), 1u);
    const ContactContour& c = mesh.contours[0];
    EXPECT_NEAR(norm(c.normal - Vec3{0, 0, 1}), 0, 1e-12);
    EXPECT_NEAR(c.plane_point.z, 0, 1e-15);
    EXPECT_NEAR(c.depth_a, 0.5, 1e-15);
    EXPECT_NEAR(c.depth_b, 0, 1e-15);
    double area = 0;
    for (size_t i = 0; i < c.points.size(); ++i)
        area += 0.5 * cross(c.points[i], c.points[(i + 1) % c.points.size()]).z;
    EXPECT_NEAR(area, 1, 1e-14);
    // Balls: both depths add up to what they have in common.
    const Solid ball = solid(tessellated(Sphere{1}, 64));
    p.clear();
    intersection.find(ball, {}, ball, {Quat{0.9, 0.1, 0.2, 0.3}.matrix(), {1.8, 0.01, 0.02}}, p);
    const IntersectionMesh lens = intersection.mesh();
    ASSERT_EQ(lens.contours.size(), 1u);
    EXPECT_NEAR(lens.contours[0].indentation(), 0.2, 5e-3);
    EXPECT_NEAR(lens.contours[0].depth_a, lens.contours[0].depth_b, 5e-3);
}

TEST(Intersection, DoesNotDependOnWhereTheBodiesAre) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> real(-1, 1);
    const TriangleMesh a = tessellated(Cylinder{0.5, 1}, 24), b = tessellated(Torus{0.6, 0.3}, 24);
    for (int i = 0; i < 20; ++i) {
        const auto turn = [&] {
            return Quat{real(random), real(random), real(random), real(random)}.matrix();
        };
        const Placement at_a{turn(), {real(random), real(random), real(random)}},
            at_b{turn(), at_a.position + 0.7 * Vec3{real(random), real(random), real(random)}};
        const Mat3 q = turn();
        const Vec3 shift{3 * real(random), real(random), real(random)};
        const auto moved = [&](const Placement& p) {
            return Placement{q * p.rotation, q * p.position + shift};
        };
        const Patches here = overlap(a, b, at_a, at_b),
                      there = overlap(a, b, moved(at_a), moved(at_b));
        ASSERT_EQ(here.patches.size(), there.patches.size());
        for (size_t k = 0; k < here.patches.size(); ++k) {
            const ContactPatch &x = here.patches[k], &y = there.patches[k];
            EXPECT_NEAR(x.volume, y.volume, 1e-13);
            EXPECT_NEAR(norm(q * x.centroid + shift - y.centroid) * x.volume, 0, 1e-13);
            EXPECT_NEAR(norm(q * (x.area * x.normal) - y.area * y.normal), 0, 1e-12);
        }
    }
}

TEST(Intersection, DeepOverlapsOfFineMeshesKeepTheirDigits) {
    const TriangleMesh ball = tessellated(Sphere{1}, 64);
    const Solid a = solid(ball);
    Intersection intersection;
    for (double distance : {0.3, 1.0, 1.7, 1.99}) {
        Patches p;
        const Placement at_b{Quat{0.9, 0.1, 0.2, 0.3}.matrix(), {distance, 0.01, 0.02}};
        intersection.find(a, {}, a, at_b, p);
        ASSERT_EQ(p.patches.size(), 1u);
        // The same, summed over a mesh that is built.
        const TriangleMesh built = intersection.mesh().mesh;
        const Solid region = solid(built);
        VolumeMoments sum = region.moments_of(0);
        EXPECT_NEAR(p.patches[0].volume / sum.volume, 1, 1e-12);
        EXPECT_NEAR(norm(p.patches[0].centroid - region.center() - sum.first / sum.volume), 0,
                    1e-12);
        const Mat3 wanted = sum.inertia_about_centroid();
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(p.patches[0].inertia(i, k), wanted(i, k), 1e-11 * wanted.trace());
    }
}

TEST(Intersection, NothingForBodiesThatAreApartOrNowhere) {
    EXPECT_TRUE(overlap(cube, box({3, 3, 3}, {4, 4, 4})).patches.empty());
    const Solid a = solid(cube);
    Intersection intersection;
    Patches p;
    intersection.find(a, {}, a, {Mat3::identity(), {1e300, 0, 0}}, p);
    intersection.find(a, {}, a, {Mat3::identity(), {std::nan(""), 0, 0}}, p);
    EXPECT_TRUE(p.patches.empty());
}

TEST(Solid, RefusesWhatHasNoInside) {
    TriangleMesh open = cube;
    open.triangles.pop_back();
    EXPECT_THROW(solid(open), InputError);
    EXPECT_THROW(solid(turned_inside_out(cube)), InputError);
    EXPECT_THROW(solid(TriangleMesh{}), InputError);
    TriangleMesh bad = cube;
    bad.vertices[3].x = std::nan("");
    EXPECT_THROW(solid(bad), InputError);
}

TEST(Solid, KnowsWhatItContains) {
    const Solid ring = solid(tessellated(Torus{1, 0.2}, 64));
    EXPECT_TRUE(ring.contains({1, 0, 0}));
    EXPECT_TRUE(ring.contains({0, -1.1, 0.1}));
    EXPECT_FALSE(ring.contains({0, 0, 0}));
    EXPECT_FALSE(ring.contains({1, 0, 0.3}));
    EXPECT_FALSE(ring.contains({std::nan(""), 0, 0}));
}

}  // namespace
}  // namespace bristle::collision
