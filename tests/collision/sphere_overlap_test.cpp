#include "collision/sphere_overlap.h"

#include "geometry/sphere_lens.h"
#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bristle {
namespace {

using namespace testing_support;

SolidPlacement random_placement(Random& random, double size) {
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

Totals all_pairs(const PackedSolid& a, const SolidPlacement& at_a, const PackedSolid& b,
                 const SolidPlacement& at_b) {
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
        const SolidPlacement at_a = random_placement(random, 0.7),
                             at_b = random_placement(random, 0.7);
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
    static SolidPlacement on_floor(Random& random, double depth) {
        return {Quat::about({0, 0, 1}, random.uniform(-pi, pi)).matrix(),
                {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.25 - depth}};
    }
    static constexpr double area = 0.5;
    inline static const PackedSolid* block_ = nullptr;
    inline static const PackedSolid* floor_ = nullptr;
    inline static const SolidPlacement under = {Mat3::identity(), {0, 0, -0.1}};
};

TEST_F(PackedBlocks, PressedFlatIntoEachOtherShareAreaTimesDepth) {
    Random random(2);
    SphereOverlap overlap;
    for (const double depth : {1e-9, 1e-6, 1e-4, 1e-3})
        for (int trial = 0; trial < 10; ++trial) {
            const SolidPlacement at = on_floor(random, depth);
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

TEST_F(PackedBlocks, OnAHalfSpaceShareAreaTimesDepth) {
    SphereOverlap overlap;
    Random random(3);
    for (const double depth : {1e-9, 1e-6, 1e-4, 1e-3}) {
        const SolidPlacement at = on_floor(random, depth);
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
}  // namespace bristle
