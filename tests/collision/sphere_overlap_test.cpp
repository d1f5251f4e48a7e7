#include "collision/volume/sphere_overlap.h"

#include "geometry/sphere_lens.h"
#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace bristle::collision {
namespace {

using namespace testing_support;

Placement random_placement(Random& random, double size) {
    return {random.rotation().matrix(), random.vector(size)};
}

// Balls that do not overlap, by throwing away those that do.
std::vector<Ball> random_packing(Random& random, int count) {
    std::vector<Ball> balls;
    for (int i = 0; i < count; ++i) {
        const Ball ball{random.vector(1), random.uniform(0.02, 0.25)};
        const bool fits = std::none_of(balls.begin(), balls.end(), [&](const Ball& other) {
            return norm(ball.center - other.center) < ball.radius + other.radius;
        });
        if (fits) balls.push_back(ball);
    }
    return balls;
}

// Everything by going through all pairs, in the world.
struct Totals {
    double volume = 0;
    Vec3 centroid, area;
    Mat3 inertia;
    int pairs = 0;
};

Totals all_pairs(const PackedSolid& a, const Placement& at_a, const PackedSolid& b,
                 const Placement& at_b) {
    struct Part {
        Lens lens;
        Vec3 center, axis;
    };
    std::vector<Part> parts;
    Totals out;
    Vec3 first;
    for (const Ball& x : a.tree().balls())
        for (const Ball& y : b.tree().balls()) {
            const Vec3 cx = at_a.position + at_a.rotation * x.center,
                       cy = at_b.position + at_b.rotation * y.center;
            const double d = norm(cy - cx);
            const Lens l = lens(x.radius, y.radius, x.radius + y.radius - d);
            if (!(l.volume > 0)) continue;
            const Vec3 axis = (cy - cx) / d;
            parts.push_back({l, cx + l.centroid * axis, axis});
            out.volume += l.volume;
            first += l.volume * parts.back().center;
            out.area += -l.rim * axis;
            ++out.pairs;
        }
    if (parts.empty()) return out;
    out.centroid = first / out.volume;
    for (const Part& p : parts) {
        const Vec3 x = p.center - out.centroid;
        const Mat3 second = p.lens.volume * Mat3::outer(x, x)
                          + p.lens.across * (Mat3::identity() - Mat3::outer(p.axis, p.axis))
                          + p.lens.axial * Mat3::outer(p.axis, p.axis);
        out.inertia = out.inertia + second.trace() * Mat3::identity() - second;
    }
    return out;
}

double largest_entry(const Mat3& m) {
    double most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(m(i, j)));
    return most;
}

// Of all patches together.
Totals sum(const Patches& patches) {
    Totals out;
    Vec3 first;
    for (const ContactPatch& p : patches.patches) {
        out.volume += p.volume;
        first += p.volume * p.centroid;
        out.area += p.area * p.normal;
    }
    if (out.volume > 0) out.centroid = first / out.volume;
    for (const ContactPatch& p : patches.patches) {
        const Vec3 x = p.centroid - out.centroid;
        out.inertia =
            out.inertia + p.inertia + p.volume * (dot(x, x) * Mat3::identity() - Mat3::outer(x, x));
    }
    return out;
}

TEST(SphereOverlap, FindsWhatAllPairsTogetherHave) {
    Random random(1);
    SphereOverlap overlap;
    int touching = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const PackedSolid a(random_packing(random, random.integer(1, 150)), 1),
            b(random_packing(random, random.integer(1, 150)), 1);
        const Placement at_a = random_placement(random, 0.7), at_b = random_placement(random, 0.7);
        Patches patches;
        overlap.find(a, at_a, b, at_b, patches);
        const Totals expected = all_pairs(a, at_a, b, at_b), found = sum(patches);
        if (expected.pairs == 0) {
            EXPECT_TRUE(patches.patches.empty());
            continue;
        }
        ++touching;
        ASSERT_EQ(overlap.ball_pairs(), static_cast<uint32_t>(expected.pairs));
        // Distances are known to 1e-16 of the size, depths of single pairs only to that: 1e-12 of the whole.
        ASSERT_NEAR(found.volume, expected.volume, 1e-12 * std::max(expected.volume, 1e-3));
        ASSERT_LT(norm(found.centroid - expected.centroid),
                  1e-12 * std::max(1.0, 1e-3 / expected.volume));
        ASSERT_LT(norm(found.area - expected.area), 1e-12);
        ASSERT_LT(largest_entry(found.inertia - expected.inertia), 1e-12);
        for (const ContactPatch& p : patches.patches) {
            ASSERT_NEAR(norm(p.normal), 1, 1e-12);
            ASSERT_LT(norm(p.area_moment * p.normal), 1e-12);
        }
    }
    EXPECT_GT(touching, 300);
}

TEST(SphereOverlap, DividesByTheSharesFilled) {
    const std::vector<Ball> one = {{{0, 0, 0}, 1}};
    const PackedSolid a(one, 0.5), b(one, 0.8);
    SphereOverlap overlap;
    Patches patches;
    overlap.find(a, {}, b, {Mat3::identity(), {0, 0, -1.9}}, patches);
    ASSERT_EQ(patches.patches.size(), 1u);
    const Lens l = lens(1, 1, 0.1);
    const ContactPatch& p = patches.patches[0];
    EXPECT_NEAR(p.volume, l.volume / 0.4, 1e-14);
    EXPECT_NEAR(p.area, l.rim / 0.4, 1e-13);
    EXPECT_NEAR(norm(p.normal - Vec3{0, 0, 1}), 0, 1e-14);
    EXPECT_NEAR(norm(p.centroid - Vec3{0, 0, -0.95}), 0, 1e-14);
    // The disc of the rim: ρ²/4 of its area about a diameter.
    EXPECT_NEAR(p.area_moment(0, 0), l.rim * l.rim / (4 * pi) / 0.4, 1e-14);
}

TEST(SphereOverlap, OfABallAndAHalfSpaceIsACap) {
    const PackedSolid ball(std::vector<Ball>{{{0.1, 0, 0}, 0.5}}, 1);
    SphereOverlap overlap;
    const Mat3 turned = Quat::about({1, 2, 3}, 0.7).matrix();
    const Vec3 n = normalized({1, -1, 2});
    for (const double h : {1e-9, 1e-4, 0.1, 0.5, 0.9, 0.999999}) {
        const Vec3 center = turned * Vec3{0.1, 0, 0} + Vec3{3, 4, 5};
        Patches patches;
        overlap.find(ball, {turned, {3, 4, 5}}, HalfSpace{n, dot(n, center) - 0.5 + h}, patches);
        ASSERT_EQ(patches.patches.size(), 1u);
        const ContactPatch& p = patches.patches[0];
        const double error = 1e-15 * 8 / h;  // the plane's offset of 8 m is rounded
        const double volume = pi * h * h * (1.5 - h) / 3, rim = pi * h * (1 - h);
        EXPECT_NEAR(p.volume, volume, (1e-14 + 2 * error) * volume);
        EXPECT_NEAR(p.area, rim, (1e-14 + error / (1 - h)) * rim);
        EXPECT_LT(norm(p.normal - n), 1e-14);
        // Of a cap: 3 (2r − h)² / 4 (3r − h) from the centre of the ball.
        EXPECT_LT(norm(p.centroid - (center - 3 * (1 - h) * (1 - h) / (4 * (1.5 - h)) * n)), 1e-14);
    }
    // All of it below, and nothing.
    Patches below, above;
    overlap.find(ball, {}, HalfSpace{{0, 0, 1}, 2}, below);
    ASSERT_EQ(below.patches.size(), 1u);
    EXPECT_DOUBLE_EQ(below.patches[0].volume, pi / 6);
    EXPECT_EQ(below.patches[0].area, 0);
    EXPECT_EQ(below.patches[0].segments, 0u);
    overlap.find(ball, {}, HalfSpace{{0, 0, 1}, -0.5}, above);
    EXPECT_TRUE(above.patches.empty());
}

TEST(SphereOverlap, OfABallInsideAnotherIsThatBallWithoutAnArea) {
    const PackedSolid small(std::vector<Ball>{{{0, 0, 0}, 0.1}}, 1),
        large(std::vector<Ball>{{{0, 0, 0}, 1}}, 1);
    SphereOverlap overlap;
    for (const Vec3 at : {Vec3{}, Vec3{0.2, 0, 0}}) {
        Patches patches;
        overlap.find(small, {Mat3::identity(), at}, large, {}, patches);
        ASSERT_EQ(patches.patches.size(), 1u);
        const ContactPatch& p = patches.patches[0];
        EXPECT_DOUBLE_EQ(p.volume, 4 * pi / 3 * 1e-3);
        EXPECT_LT(norm(p.centroid - at), 1e-16);
        EXPECT_EQ(p.area, 0);
        EXPECT_NEAR(norm(p.normal), 1, 1e-15);
        EXPECT_NEAR(p.inertia(0, 0), 0.4 * p.volume * 0.01, 1e-18);
    }
}

TEST(SphereOverlap, OfNothingOrNowhereIsNoPatch) {
    const PackedSolid ball(std::vector<Ball>{{{0, 0, 0}, 1}}, 1), nothing(std::vector<Ball>{}, 1);
    SphereOverlap overlap;
    Patches patches;
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    overlap.find(ball, {}, nothing, {}, patches);
    overlap.find(nothing, {}, ball, {}, patches);
    overlap.find(nothing, {}, HalfSpace{{0, 0, 1}, 0}, patches);
    overlap.find(ball, {}, ball, {Mat3::identity(), {nan, 0, 0}}, patches);
    overlap.find(ball, {Mat3::identity(), {0, infinity, 0}}, ball, {}, patches);
    overlap.find(ball, {Mat3::diagonal({1, nan, 1}), {}}, ball, {}, patches);
    overlap.find(ball, {}, HalfSpace{{0, 0, 1}, nan}, patches);
    overlap.find(ball, {}, HalfSpace{{0, 0, nan}, 0}, patches);
    overlap.find(ball, {}, ball, {Mat3::identity(), {2, 0, 0}}, patches);
    EXPECT_TRUE(patches.patches.empty());
    SphereBounds bounds;
    EXPECT_EQ(bounds.find(ball.tree(), {}, nothing.tree(), {}, 10).volume, 0);
    const VolumeBounds bad =
        bounds.find(ball.tree(), {}, ball.tree(), {Mat3::identity(), {nan, 0, 0}}, 10);
    EXPECT_EQ(bad.volume + bad.rest, 0);
}

TEST(SphereOverlap, IsTheSameAtAnySize) {
    Random random(4);
    const std::vector<Ball> balls = random_packing(random, 100),
                            others = random_packing(random, 100);
    const Placement at = {random.rotation().matrix(), {0.9, 0.3, 0.2}};
    const auto found = [&](double scale) {
        const auto scaled = [&](std::vector<Ball> list) {
            for (Ball& ball : list) ball = {scale * ball.center, scale * ball.radius};
            return list;
        };
        SphereOverlap overlap;
        Patches patches;
        overlap.find(PackedSolid(scaled(balls), 1), {}, PackedSolid(scaled(others), 1),
                     {at.rotation, scale * at.position}, patches);
        return patches;
    };
    // Powers of two: every digit is the same.
    const Patches one = found(1);
    ASSERT_FALSE(one.patches.empty());
    for (const double scale : {0x1p-20, 0x1p20}) {
        const Patches other = found(scale);
        ASSERT_EQ(other.patches.size(), one.patches.size());
        for (size_t i = 0; i < one.patches.size(); ++i) {
            EXPECT_EQ(other.patches[i].volume, one.patches[i].volume * scale * scale * scale);
            EXPECT_EQ(other.patches[i].centroid, scale * one.patches[i].centroid);
            EXPECT_EQ(other.patches[i].normal, one.patches[i].normal);
        }
    }
}

// ---- Regions --------------------------------------------------------------------------------------

// A table on four legs of one ball each, on a slab of balls.
TEST(SphereOverlap, TellsRegionsApartAndFollowsThem) {
    std::vector<Ball> legs, slab;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0}) legs.push_back({{x, y, 0}, 0.1});
    for (int i = -15; i <= 15; ++i)
        for (int j = -15; j <= 15; ++j) slab.push_back({{0.1 * i, 0.1 * j, 0}, 0.05});
    const PackedSolid table(legs, 1), floor(slab, 1);
    SphereOverlap overlap;
    std::vector<std::pair<uint32_t, Vec3>> last;
    for (int step = 0; step < 40; ++step) {
        Patches patches;
        const Placement at = {Quat::about({0, 0, 1}, 0.01 * step).matrix(),
                              {0.003 * step, 0.001 * step, 0.1}};
        overlap.find(table, at, floor, {}, patches);
        ASSERT_EQ(patches.patches.size(), 4u);
        for (size_t i = 1; i < 4; ++i)
            EXPECT_GE(patches.patches[i - 1].volume, patches.patches[i].volume);
        for (const auto& [feature, place] : last)
            for (const ContactPatch& p : patches.patches)
                EXPECT_EQ(p.feature == feature, norm(p.centroid - place) < 0.3);
        last.clear();
        for (const ContactPatch& p : patches.patches) {
            EXPECT_LT(p.feature, 4u);
            last.emplace_back(p.feature, p.centroid);
        }
    }
}

// ---- Within a budget ------------------------------------------------------------------------------

TEST(SphereOverlap, BoundsTheVolumeWithinAnyBudget) {
    Random random(5);
    SphereBounds bounds;
    int exact = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const PackedSolid a(random_packing(random, random.integer(1, 200)), 1),
            b(random_packing(random, random.integer(1, 200)), 1);
        const Placement at_a = random_placement(random, 0.5), at_b = random_placement(random, 0.5);
        const double truth = all_pairs(a, at_a, b, at_b).volume, rounding = 1e-12 * (1e-3 + truth);
        double last = std::numeric_limits<double>::infinity();
        for (const uint32_t budget : {0u, 1u, 4u, 16u, 64u, 256u, 1024u, 1000000u}) {
            const VolumeBounds found = bounds.find(a.tree(), at_a, b.tree(), at_b, budget);
            EXPECT_LE(found.volume, truth + rounding);
            EXPECT_GE(found.volume + found.rest, truth - rounding);
            EXPECT_LE(found.pairs, budget + 2 * SphereTree::leaf_size * SphereTree::leaf_size);
            EXPECT_LE(found.volume + found.rest, last * (1 + 1e-9));  // never worse for more work
            last = found.volume + found.rest;
            if (budget < 1000000u) continue;
            EXPECT_EQ(found.rest, 0);
            EXPECT_NEAR(found.volume, truth, rounding);
            exact += truth > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(exact, 150);
}

// ---- Packed blocks --------------------------------------------------------------------------------

class PackedBlocks : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        block_ = new PackedSolid(TriangleTree(share(block({0.5, 0.25, 0.25}))), 6000);
        floor_ = new PackedSolid(TriangleTree(share(block({0.85, 0.85, 0.1}))), 6000);
    }
    static void TearDownTestSuite() {
        delete block_;
        delete floor_;
    }
    // On the floor, somewhere and turned about the vertical, this deep.
    static Placement on_floor(Random& random, double depth) {
        return {Quat::about({0, 0, 1}, random.uniform(-pi, pi)).matrix(),
                {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.25 - depth}};
    }
    static constexpr double area = 0.5;
    inline static const PackedSolid* block_ = nullptr;
    inline static const PackedSolid* floor_ = nullptr;
    inline static const Placement under = {Mat3::identity(), {0, 0, -0.1}};
};

TEST_F(PackedBlocks, PressedFlatIntoEachOtherShareAreaTimesDepth) {
    Random random(2);
    SphereOverlap overlap;
    for (const double depth : {1e-9, 1e-6, 1e-4, 1e-3})
        for (int trial = 0; trial < 10; ++trial) {
            const Placement at = on_floor(random, depth);
            Patches patches;
            overlap.find(*block_, at, *floor_, under, patches);
            ASSERT_EQ(patches.patches.size(), 1u);
            const ContactPatch& p = patches.patches[0];
            // Measured: 0.5 % in volume, 2.2 mm in the centroid, and 1e-3 of the normal at 1 mm.
            EXPECT_NEAR(p.volume, area * depth, 0.01 * area * depth) << depth;
            EXPECT_NEAR(p.area, area, 0.03 * area);
            EXPECT_LT(norm(p.normal - Vec3{0, 0, 1}), 1e-3);
            const Vec3 off = p.centroid - at.position;
            EXPECT_LT(std::hypot(off.x, off.y), 3e-3);
            EXPECT_NEAR(p.centroid.z, -0.5 * depth, 0.2 * depth);
            EXPECT_LT(std::hypot(p.area_center.x - at.position.x, p.area_center.y - at.position.y),
                      4e-3);
            EXPECT_NEAR(p.inertia(2, 2) / p.volume, 1.25 / 12, 0.01 * 1.25 / 12);
            EXPECT_NEAR((p.area_moment(0, 0) + p.area_moment(1, 1)) / p.area, 1.25 / 12,
                        0.01 * 1.25 / 12);
        }
}

// The list of near pairs is kept while little moves; what comes out must not show how old it is.
TEST_F(PackedBlocks, GiveTheSameBitsWhateverWasAskedBefore) {
    Random random(6);
    SphereOverlap old;
    Placement at = on_floor(random, 1e-3);
    for (int step = 0; step < 60; ++step) {
        at.position += random.vector(3e-4);
        at.rotation = Quat::about(random.direction(), 2e-4).matrix() * at.rotation;
        Patches kept, fresh;
        old.find(*block_, at, *floor_, under, kept);
        SphereOverlap().find(*block_, at, *floor_, under, fresh);
        ASSERT_EQ(kept.patches.size(), fresh.patches.size());
        for (size_t i = 0; i < kept.patches.size(); ++i) {
            ASSERT_EQ(kept.patches[i].volume, fresh.patches[i].volume);
            ASSERT_EQ(kept.patches[i].centroid, fresh.patches[i].centroid);
            ASSERT_EQ(kept.patches[i].inertia, fresh.patches[i].inertia);
            ASSERT_EQ(kept.patches[i].normal, fresh.patches[i].normal);
            ASSERT_EQ(kept.patches[i].area_moment, fresh.patches[i].area_moment);
        }
    }
}

TEST_F(PackedBlocks, VolumeGrowsByTheAreaAsTheyApproach) {
    Random random(7);
    SphereOverlap overlap;
    const auto volume = [&](Placement at, double lower) {
        at.position.z -= lower;
        Patches patches;
        overlap.find(*block_, at, *floor_, under, patches);
        double sum = 0;
        for (const ContactPatch& p : patches.patches) sum += p.volume;
        return sum;
    };
    for (const double depth : {1e-4, 1e-3, 4e-3}) {
        const Placement at = on_floor(random, depth);
        Patches patches;
        overlap.find(*block_, at, *floor_, under, patches);
        const double e = 1e-4 * depth, slope = (volume(at, e) - volume(at, -e)) / (2 * e);
        EXPECT_NEAR(slope, patches.patches[0].area * patches.patches[0].normal.z, 1e-5 * area);
    }
}

// The ellipse has the moments of the area, and is counter-clockwise seen against the normal.
TEST_F(PackedBlocks, ContourHasTheMomentsOfTheArea) {
    Random random(8);
    SphereOverlap overlap;
    Patches patches;
    overlap.find(*block_, on_floor(random, 1e-4), *floor_, under, patches);
    ASSERT_EQ(patches.patches.size(), 1u);
    const ContactPatch& p = patches.patches[0];
    ASSERT_EQ(p.segments, 24u);
    double polygon = 0;
    Vec3 vector;
    Mat3 second;
    for (uint32_t i = p.first_segment; i < p.first_segment + p.segments; ++i) {
        const Vec3 u = patches.contour[i].from - p.area_center,
                   v = patches.contour[i].to - p.area_center;
        const Vec3 doubled = cross(u, v);
        vector += 0.5 * doubled;
        const double triangle = 0.5 * dot(doubled, p.normal);
        EXPECT_GT(triangle, 0);
        polygon += triangle;
        second =
            second
            + triangle / 12 * (Mat3::outer(u, u) + Mat3::outer(v, v) + Mat3::outer(u + v, u + v));
        const uint32_t next = i + 1 < p.first_segment + p.segments ? i + 1 : p.first_segment;
        EXPECT_EQ(patches.contour[i].to, patches.contour[next].from);
    }
    EXPECT_NEAR(dot(vector, p.normal), polygon, 1e-12);
    EXPECT_LT(largest_entry(1 / polygon * second - 1 / p.area * p.area_moment), 1e-12);
    // A rectangle's ellipse is 4π/12 of it; the polygon a little larger still.
    EXPECT_NEAR(polygon / p.area, pi / 3, 0.02);
}

TEST_F(PackedBlocks, OnAHalfSpaceShareAreaTimesDepth) {
    SphereOverlap overlap;
    Random random(3);
    for (const double depth : {1e-9, 1e-6, 1e-4, 1e-3}) {
        const Placement at = on_floor(random, depth);
        Patches patches;
        overlap.find(*block_, at, HalfSpace{{0, 0, 1}, 0}, patches);
        ASSERT_EQ(patches.patches.size(), 1u);
        const ContactPatch& p = patches.patches[0];
        // Caps add 1 % per 1 % of a ball's radius (16 mm) at first.
        EXPECT_NEAR(p.volume, area * depth, (1e-9 + 100 * depth) * area * depth);
        EXPECT_LT(norm(p.normal - Vec3{0, 0, 1}), 1e-12);
        const Vec3 off = p.centroid - at.position;
        EXPECT_LT(std::hypot(off.x, off.y), 1e-9 + 2 * depth);
        EXPECT_NEAR(p.inertia(2, 2) / p.volume, 1.25 / 12, 0.003 * 1.25 / 12);
    }
}

}  // namespace
}  // namespace bristle::collision
