// What is below a plane, against the same found with a box that is as large as matters.
#include "collision/volume/half_space_overlap.h"

#include "collision/volume/intersection.h"
#include "geometry/tessellate.h"

#include <gtest/gtest.h>

#include <random>

namespace bristle::collision {
namespace {

Solid solid(const Geometry& g, int sides) {
    return Solid(std::make_shared<const TriangleMesh>(tessellated(g, sides)));
}

void expect_same(const Patches& found, const Patches& wanted, double size) {
    ASSERT_EQ(found.patches.size(), wanted.patches.size());
    const double volume = size * size * size;
    for (size_t i = 0; i < found.patches.size(); ++i) {
        const ContactPatch &f = found.patches[i], &w = wanted.patches[i];
        EXPECT_NEAR(f.volume, w.volume, 1e-13 * volume);
        EXPECT_NEAR(norm(f.centroid - w.centroid) * w.volume, 0, 1e-12 * volume * size);
        EXPECT_NEAR(f.area, w.area, 1e-12 * size * size);
        EXPECT_NEAR(norm(f.normal - w.normal) * w.area, 0, 1e-12 * size * size);
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(f.inertia(j, k), w.inertia(j, k), 1e-12 * volume * size * size);
                EXPECT_NEAR(f.area_moment(j, k), w.area_moment(j, k), 1e-11 * std::pow(size, 4));
            }
    }
}

TEST(HalfSpaceOverlap, IsThatOfALargeBox) {
    const Solid shapes[] = {solid(Box{{1, 0.6, 0.4}}, 8), solid(Cylinder{0.4, 0.3}, 24),
                            solid(Torus{0.5, 0.2}, 24), solid(Sphere{0.5}, 32)};
    const Solid ground = solid(Box{{20, 20, 10}}, 8);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> real(-1, 1);
    HalfSpaceOverlap overlap;
    Intersection intersection;
    for (int i = 0; i < 200; ++i) {
        const Solid& s = shapes[i % 4];
        const Mat3 turn = Quat{real(random), real(random), real(random), real(random)}.matrix(),
                   slope = Quat{real(random), real(random), real(random), real(random)}.matrix();
        const Vec3 up = slope.column(2), place{real(random), real(random), real(random)};
        const HalfSpace below{up, dot(up, place) + 0.4 * real(random)};
        Patches found, wanted;
        overlap.find(s, {turn, place}, below, found);
        intersection.find(s, {turn, place}, ground,
                          {slope, place + (below.offset - dot(up, place) - 5) * up}, wanted);
        expect_same(found, wanted, 1);
    }
}

TEST(HalfSpaceOverlap, EveryLegIsARegionAndAHollowIsNone) {
    Compound table;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
            table.parts.push_back({Box{{0.2, 0.2, 1}}, {{x, y, 0.5 + 0.01 * x + 0.02 * y}, {}}});
    HalfSpaceOverlap overlap;
    Patches p;
    overlap.find(solid(table, 8), {}, {{0, 0, 1}, 0.1}, p);
    ASSERT_EQ(p.patches.size(), 4u);
    EXPECT_NEAR(p.patches[0].volume, 0.04 * 0.13, 1e-15);
    EXPECT_NEAR(p.patches[3].volume, 0.04 * 0.07, 1e-15);

    TriangleMesh shell = tessellated(Box{{2, 2, 2}}), hollow = tessellated(Box{{1, 1, 1}});
    for (auto t : hollow.triangles) shell.triangles.push_back({8 + t[0], 8 + t[2], 8 + t[1]});
    shell.vertices.insert(shell.vertices.end(), hollow.vertices.begin(), hollow.vertices.end());
    p.clear();
    overlap.find(Solid(std::make_shared<const TriangleMesh>(shell)), {}, {{0, 0, 1}, 0}, p);
    ASSERT_EQ(p.patches.size(), 1u);
    EXPECT_NEAR(p.patches[0].volume, 4 - 0.5, 1e-14);
    EXPECT_NEAR(p.patches[0].area, 4 - 1, 1e-14);
}

TEST(HalfSpaceOverlap, AllBelowIsTheWholeAndAllAboveNothing) {
    const Solid box = solid(Box{{1, 1, 1}}, 8);
    HalfSpaceOverlap overlap;
    Patches p;
    overlap.find(box, {}, {{0, 0, 1}, 2}, p);
    ASSERT_EQ(p.patches.size(), 1u);
    EXPECT_NEAR(p.patches[0].volume, 1, 1e-14);
    EXPECT_EQ(p.patches[0].area, 0);
    p.clear();
    overlap.find(box, {}, {{0, 0, 1}, -0.5}, p);  // touches
    overlap.find(box, {}, {{0, 0, 1}, -2}, p);
    overlap.find(box, {Mat3::identity(), {0, 0, std::nan("")}}, {{0, 0, 1}, 0}, p);
    EXPECT_TRUE(p.patches.empty());
}

}  // namespace
}  // namespace bristle::collision
