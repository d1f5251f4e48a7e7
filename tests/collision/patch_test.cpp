// Area, centroid and moments of a contour, against closed forms and against sums over triangles.
#include "collision/volume/patch.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace bristle::collision {
namespace {

using namespace testing_support;

struct Frame {
    Vec3 origin, x, y, n;
    Vec3 at(double u, double v, double w = 0) const { return origin + u * x + v * y + w * n; }
};

Frame tilted(Random& random, double far = 1) {
    Frame f;
    f.n = normalized({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.2, 1)});
    f.x = any_perpendicular(f.n);
    f.y = cross(f.n, f.x);
    f.origin = {random.uniform(-far, far), random.uniform(-far, far), random.uniform(-far, far)};
    return f;
}

void add_loop(std::vector<ContourSegment>& out, const std::vector<Vec3>& points) {
    for (size_t i = 0; i < points.size(); ++i)
        out.push_back({points[i], points[(i + 1) % points.size()]});
}

std::vector<Vec3> rectangle(const Frame& f, double u, double v, double width, double height) {
    return {f.at(u, v), f.at(u + width, v), f.at(u + width, v + height), f.at(u, v + height)};
}

ContactPatch measured(const std::vector<ContourSegment>& contour, Vec3 centroid) {
    ContactPatch patch;
    patch.centroid = centroid;
    patch.segments = static_cast<uint32_t>(contour.size());
    measure_contour(patch, contour.data(), {0, 0, 1});
    return patch;
}

void expect_near(Vec3 a, Vec3 b, double bound) {
    EXPECT_LE(norm(a - b), bound) << a.x << ' ' << a.y << ' ' << a.z << " against " << b.x << ' '
                                  << b.y << ' ' << b.z;
}

TEST(PatchTest, MeasuresARectangleInAnyPlaneAndAnyOrderOfItsSegments) {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Frame f = tilted(random);
        const double a = random.uniform(0.1, 2), b = random.uniform(0.1, 2);
        std::vector<ContourSegment> contour;
        add_loop(contour, rectangle(f, -a / 2, -b / 2, a, b));
        std::rotate(contour.begin(), contour.begin() + 1, contour.end());
        std::swap(contour[0], contour[2]);
        const double above = random.uniform(-0.3, 0.3);
        const ContactPatch p = measured(contour, f.at(0.1, 0.2, above));
        EXPECT_NEAR(p.area, a * b, 1e-14);
        expect_near(p.normal, f.n, 1e-14);
        expect_near(p.area_center, f.at(0, 0, above), 1e-14);
        expect_near(p.area_moment * f.x, a * b * a * a / 12 * f.x, 1e-14);
        expect_near(p.area_moment * f.y, a * b * b * b / 12 * f.y, 1e-14);
        expect_near(p.area_moment * f.n, {}, 1e-14);
    }
}

TEST(PatchTest, TakesHolesAway) {
    Random random(2);
    const Frame f = tilted(random);
    std::vector<ContourSegment> contour;
    add_loop(contour, rectangle(f, 0, 0, 3, 2));
    std::vector<Vec3> hole = rectangle(f, 1, 0.5, 1, 1);
    std::reverse(hole.begin(), hole.end());
    add_loop(contour, hole);
    const ContactPatch p = measured(contour, f.at(0.3, 0.4));
    EXPECT_NEAR(p.area, 5, 1e-14);
    expect_near(p.area_center, f.at(1.5, 1), 1e-14);
    expect_near(p.area_moment * f.x, (2 * 27 - 1.0) / 12 * f.x, 1e-14);
    expect_near(p.area_moment * f.y, (3 * 8 - 1.0) / 12 * f.y, 1e-14);
}

// A star-shaped polygon is made of the triangles from its middle; those are integrated by the rule of
// their edges' midpoints, which is exact to second order.
TEST(PatchTest, AgreesWithTrianglesForRandomPolygonsSeenAlongTheNormal) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const Frame f = tilted(random, 100);
        const int count = 3 + i % 20;
        std::vector<Vec3> flat, bumpy;
        for (int k = 0; k < count; ++k) {
            const double angle = 2 * std::numbers::pi * k / count, r = random.uniform(0.3, 1);
            flat.push_back(f.at(r * std::cos(angle), r * std::sin(angle)));
        }
        double area = 0;
        Vec3 first;
        Mat3 second;
        for (size_t k = 0; k < flat.size(); ++k) {
            const Vec3 a = flat[k] - f.origin, b = flat[(k + 1) % flat.size()] - f.origin;
            const double part = 0.5 * dot(f.n, cross(a, b));
            area += part;
            for (Vec3 x : {0.5 * a, 0.5 * b, 0.5 * (a + b)}) {
                first += part / 3 * x;
                second = second + part / 3 * Mat3::outer(x, x);
            }
        }
        first = first / area;
        second = second - area * Mat3::outer(first, first);
        std::vector<ContourSegment> contour;
        add_loop(contour, flat);
        const Vec3 centroid = f.at(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2));
        const ContactPatch p = measured(contour, centroid);
        // Coordinates of 100 have roundings of 1e-14.
        EXPECT_NEAR(p.area, area, 1e-13);
        expect_near(p.normal, f.n, 1e-13);
        expect_near(p.area_center, f.origin + first, 1e-13);
        for (int k = 0; k < 3; ++k)
            expect_near(p.area_moment.row[static_cast<size_t>(k)],
                        second.row[static_cast<size_t>(k)], 1e-13);
    }
}

// The vector area of a loop over a flat polygon's border that rises and falls symmetrically is the flat one's.
TEST(PatchTest, SeesAContourThatIsNotPlaneAlongItsNormal) {
    Random random(4);
    const Frame f = tilted(random);
    std::vector<ContourSegment> contour;
    add_loop(contour,
             {f.at(-1, -0.5, 0.1), f.at(1, -0.5, -0.1), f.at(1, 0.5, 0.1), f.at(-1, 0.5, -0.1)});
    const ContactPatch p = measured(contour, f.at(0, 0, 0.05));
    EXPECT_NEAR(p.area, 2, 1e-14);
    expect_near(p.normal, f.n, 1e-14);
    expect_near(p.area_center, f.at(0, 0, 0.05), 1e-14);
    expect_near(p.area_moment * f.x, 2.0 * 4 / 12 * f.x, 1e-14);
}

TEST(PatchTest, TakesTheOtherNormalWhereTheVectorAreaVanishes) {
    Random random(5);
    const Frame f = tilted(random, 10);
    std::vector<ContourSegment> contour;
    for (double height : {-0.5, 0.5}) {
        std::vector<Vec3> loop;
        for (int k = 0; k < 24; ++k) {
            const double angle = 2 * std::numbers::pi * k / 24;
            loop.push_back(f.at(std::cos(angle), std::sin(angle), height));
        }
        if (height > 0) std::reverse(loop.begin(), loop.end());
        add_loop(contour, loop);
    }
    ContactPatch p = measured(contour, f.origin);
    EXPECT_EQ(p.area, 0);
    EXPECT_EQ(p.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(p.area_center, f.origin);
    EXPECT_EQ(p.area_moment, Mat3{});
    EXPECT_EQ(thickness_gradient(p), Vec3{});
    p = measured({}, f.origin);
    EXPECT_EQ(p.area, 0);
    EXPECT_EQ(p.normal, (Vec3{0, 0, 1}));
}

// A wedge over a rectangle: its thickness is linear, so its gradient must come back.
TEST(PatchTest, FindsTheSlopeOfAWedge) {
    Random random(6);
    for (double width : {1.0, 1e-2, 1e-4}) {
        const Frame f = tilted(random);
        std::vector<ContourSegment> contour;
        add_loop(contour, rectangle(f, -0.5, -width / 2, 1, width));
        // t = t₀ + p u + q v over the rectangle: ∫ t u = p w/12, ∫ t v = q w³/12.
        const double t0 = 1e-3, slope_u = 3e-4, slope_v = 4e-4 / width;
        ContactPatch patch;
        patch.volume = t0 * width;
        patch.centroid = f.at(slope_u / 12 / t0, slope_v * width * width / 12 / t0);
        patch.segments = 4;
        measure_contour(patch, contour.data(), {0, 0, 1});
        const Vec3 g = thickness_gradient(patch);
        EXPECT_NEAR(dot(g, f.x), slope_u, 1e-9 * slope_u);
        // The small moment has the rounding of the large one, and coordinates have theirs.
        EXPECT_NEAR(dot(g, f.y), slope_v, 1e-15 / width / width * slope_v + 1e-9 * slope_v);
        EXPECT_NEAR(dot(g, f.n), 0, 1e-12);
    }
}

TEST(PatchTest, HasNoSlopeAcrossALine) {
    Random random(7);
    const Frame f = tilted(random);
    std::vector<ContourSegment> contour;
    add_loop(contour, rectangle(f, -0.5, -1e-8, 1, 2e-8));
    ContactPatch patch;
    patch.volume = 1e-12;
    patch.centroid = f.at(0.1, 1e-9);
    patch.segments = 4;
    measure_contour(patch, contour.data(), {0, 0, 1});
    const Vec3 g = thickness_gradient(patch);
    // M = 2e-8/12 along.
    EXPECT_NEAR(dot(g, f.x), 1e-13 / (2e-8 / 12), 1e-6 * 1e-13 / (2e-8 / 12));
    EXPECT_NEAR(dot(g, f.y), 0, 1e-6 * dot(g, f.x));
}

}  // namespace
}  // namespace bristle::collision
