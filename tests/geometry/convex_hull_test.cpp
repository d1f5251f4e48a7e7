#include "geometry/convex_hull.h"

#include <bristle/error.h>

#include "tests/support/random.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

namespace bristle::geometry {
namespace {

using testing_support::Random;
using Points = std::vector<Vec3>;
using Tuple = std::array<double, 3>;

Tuple tuple(Vec3 p) { return {p.x, p.y, p.z}; }

Points moved(Points points, double scale, const Quat& turn, Vec3 shift) {
    const Mat3 rotation = turn.matrix();
    for (Vec3& p : points) p = shift + scale * (rotation * p);
    return points;
}

Points corners_of_box(Vec3 half) {
    Points points;
    for (double x : {-1, 1})
        for (double y : {-1, 1})
            for (double z : {-1, 1}) points.push_back({x * half.x, y * half.y, z * half.z});
    return points;
}

// A box covered with points on its faces and edges, corners twice, and points inside.
Points crowded_box(Vec3 half, Random& random) {
    Points points = corners_of_box(half);
    points.insert(points.end(), points.begin(), points.begin() + 8);
    for (int i = 0; i < 400; ++i) {
        Vec3 p = random.vector(1);
        const int on = random.integer(0, 2);  // of inside, face, edge
        for (int k = 0; k < on; ++k) p[(i + k) % 3] = random.chance(0.5) ? 1 : -1;
        points.push_back({p.x * half.x, p.y * half.y, p.z * half.z});
    }
    std::shuffle(points.begin(), points.end(), std::mt19937(5));
    return points;
}

Points on_sphere(size_t count, Random& random) {
    Points points;
    while (points.size() < count) points.push_back(random.direction());
    return points;
}

Points prism(int sides, double height) {
    Points points;
    for (int i = 0; i < sides; ++i)
        for (double z : {-1, 1})
            points.push_back(
                {std::cos(2 * pi * i / sides), std::sin(2 * pi * i / sides), z * height});
    return points;
}

__extension__ typedef __float128 Quad;  // for needles, whose volume is a sum of far larger terms

Quad six_volumes(Vec3 a, Vec3 b, Vec3 c) {
    return a.x * (Quad{b.y} * c.z - Quad{b.z} * c.y) + a.y * (Quad{b.z} * c.x - Quad{b.x} * c.z)
         + a.z * (Quad{b.x} * c.y - Quad{b.y} * c.x);
}

double volume_of(const ConvexHull& hull) {
    const Vec3 origin = hull.vertices()[0];
    Quad six = 0;
    for (uint32_t f = 0; f < hull.faces().size(); ++f) {
        const auto loop = hull.loop(f);
        const auto corner = [&](size_t i) { return hull.vertices()[loop[i]] - origin; };
        for (size_t i = 2; i < loop.size(); ++i)
            six += six_volumes(corner(0), corner(i - 1), corner(i));
    }
    return static_cast<double>(six / 6);
}

struct Oracle {
    double volume = 0;
    std::set<Tuple> vertices;
};

Oracle cgal_hull(const Points& points) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    CGAL::Surface_mesh<Kernel::Point_3> mesh;
    std::vector<Kernel::Point_3> in;
    for (Vec3 p : points) in.emplace_back(p.x, p.y, p.z);
    CGAL::convex_hull_3(in.begin(), in.end(), mesh);
    Oracle oracle;
    for (auto v : mesh.vertices()) {
        const auto& p = mesh.point(v);
        oracle.vertices.insert({p.x(), p.y(), p.z()});
    }
    const auto at = [&](auto v) {
        const auto& p = mesh.point(v);
        return Vec3{p.x(), p.y(), p.z()} - points[0];
    };
    for (auto f : mesh.faces()) {
        Vec3 corner[3];
        int i = 0;
        for (auto v : mesh.vertices_around_face(mesh.halfedge(f))) corner[i++] = at(v);
        oracle.volume += static_cast<double>(six_volumes(corner[0], corner[1], corner[2]) / 6);
    }
    return oracle;
}

double size_of(const Points& points) {
    double size = 0;
    for (Vec3 p : points) size = std::max(size, norm(p - points[0]));
    return size;
}

// All that holds for any hull: its topology, that its faces are flat, convex and turned outward, and
// that all points are behind all planes. `slack` in units of the tolerance.
void expect_is_hull(const ConvexHull& hull, const Points& points, double slack = 8) {
    const auto v = hull.vertices();
    const double tolerance = slack * hull.tolerance();
    ASSERT_EQ(v.size() + hull.faces().size(), hull.edges().size() + 2);
    std::set<std::pair<uint32_t, uint32_t>> half_edges;
    for (uint32_t f = 0; f < hull.faces().size(); ++f) {
        const auto& face = hull.faces()[f];
        const auto loop = hull.loop(f);
        ASSERT_GE(loop.size(), 3u);
        ASSERT_NEAR(norm(face.normal), 1, 1e-14);
        for (size_t i = 0; i < loop.size(); ++i) {
            const uint32_t a = loop[i], b = loop[(i + 1) % loop.size()];
            ASSERT_TRUE(half_edges.emplace(a, b).second);
            ASSERT_NEAR(dot(face.normal, v[a]), face.offset, tolerance);
            const Vec3 inward = cross(face.normal, normalized(v[b] - v[a]));
            for (const uint32_t c : loop) ASSERT_GE(dot(inward, v[c] - v[a]), -tolerance);
        }
        if (points.size() * hull.faces().size() > 4'000'000) continue;
        for (Vec3 p : points) ASSERT_LE(dot(face.normal, p) - face.offset, tolerance);
    }
    for (const auto& e : hull.edges()) {
        ASSERT_TRUE(half_edges.count({e.a, e.b}) && half_edges.count({e.b, e.a}));
        const auto left = hull.loop(e.left), right = hull.loop(e.right);
        const auto at = std::find(left.begin(), left.end(), e.a) - left.begin();
        ASSERT_EQ(left[static_cast<size_t>(at + 1) % left.size()], e.b);
        const auto back = std::find(right.begin(), right.end(), e.b) - right.begin();
        ASSERT_EQ(right[static_cast<size_t>(back + 1) % right.size()], e.a);
    }
    for (uint32_t i = 0; i < v.size(); ++i) {
        ASSERT_GE(hull.neighbors(i).size(), 3u);
        for (const uint32_t n : hull.neighbors(i)) ASSERT_TRUE(half_edges.count({i, n}));
    }
}

void expect_finds_the_farthest(const ConvexHull& hull, Random& random) {
    const auto expect_far = [&](Vec3 d) {
        double farthest = -std::numeric_limits<double>::infinity();
        for (Vec3 p : hull.vertices()) farthest = std::max(farthest, dot(d, p));
        const double bound = 0.1 * hull.tolerance() * norm(d);
        EXPECT_GE(dot(d, hull.vertices()[hull.support(d)]), farthest - bound);
        const auto any =
            static_cast<uint32_t>(random.integer(0, static_cast<int>(hull.vertices().size()) - 1));
        EXPECT_GE(dot(d, hull.vertices()[hull.support(d, any)]), farthest - bound);
    };
    for (int i = 0; i < 300; ++i)
        expect_far(std::pow(10, random.uniform(-9, 9)) * random.direction());
    for (size_t f = 0; f < std::min<size_t>(300, hull.faces().size()); ++f)
        expect_far(hull.faces()[f].normal);
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 d;
        expect_far(d);
        d[axis] = 1;
        expect_far(d);
        expect_far(-d);
    }
}

void expect_matches_oracle(const Points& points) {
    const ConvexHull hull(points);
    ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
    const Oracle oracle = cgal_hull(points);
    // The surface may be inside by the tolerance; the area is at most 2 π size².
    const double size = size_of(points);
    EXPECT_NEAR(volume_of(hull), oracle.volume,
                1e-13 * size * size * size + 8 * size * size * hull.tolerance());
    for (Vec3 p : hull.vertices()) EXPECT_TRUE(oracle.vertices.count(tuple(p)));
}

void expect_rejected(const Points& points, const std::string& reason) {
    try {
        const ConvexHull hull(points);
        ADD_FAILURE() << "accepted: " << reason;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
}

TEST(ConvexHull, SaysWhatIsWrongWithItsPoints) {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    Random random(1);
    expect_rejected({}, "0 points");
    expect_rejected({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "3 points");
    expect_rejected({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, nan}}, "point 3");
    expect_rejected({{0, 0, 0}, {infinity, 0, 0}, {0, 1, 0}, {0, 0, 1}}, "point 1");
    expect_rejected(Points(7, Vec3{1, 2, 3}), "one place");
    expect_rejected({{-1e308, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}, {0, 0, 1e308}}, "far apart");
    for (double scale : {1e-6, 1.0, 1e6})
        for (double distance : {0.0, 10.0, 1e6}) {
            Points line, plane;
            for (int i = 0; i < 30; ++i) {
                line.push_back({random.uniform(-1, 1), 0, 0});
                plane.push_back({random.uniform(-1, 1), random.uniform(-1, 1), 0});
            }
            const Quat turn = random.rotation();
            const Vec3 shift = scale * distance * random.direction();
            expect_rejected(moved(line, scale, turn, shift), "plane");
            expect_rejected(moved(plane, scale, turn, shift), "plane");
        }
}

TEST(ConvexHull, KeepsOnlyTheSixFacesOfACrowdedBox) {
    Random random(2);
    for (double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6})
        for (double distance : {0.0, 1.0, 1e3, 1e6})
            for (Vec3 half :
                 {Vec3{1, 1, 1}, Vec3{1, 0.3, 0.1}, Vec3{1, 1e-3, 1e-3}, Vec3{1, 1, 1e-3}}) {
                const Points points = moved(crowded_box(half, random), scale, random.rotation(),
                                            scale * distance * random.direction());
                const ConvexHull hull(points);
                EXPECT_EQ(hull.vertices().size(), 8u) << scale << ' ' << distance << ' ' << half.z;
                EXPECT_EQ(hull.faces().size(), 6u);
                EXPECT_EQ(hull.edges().size(), 12u);
                ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
                // Rounding far away moves a face by half a unit of the distance.
                const double edge = 2 * scale, area = edge * edge;
                EXPECT_NEAR(volume_of(hull), 8 * half.x * half.y * half.z * scale * scale * scale,
                            area * (1e-13 * edge + 3 * hull.tolerance()));
                expect_finds_the_farthest(hull, random);
            }
}

TEST(ConvexHull, SeesThroughTheRoundingOfFloats) {
    Random random(3);
    for (int repeat = 0; repeat < 200; ++repeat) {
        Points points = moved(crowded_box({1, 0.7, 0.4}, random), 1, random.rotation(), {});
        for (Vec3& p : points)
            p = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
        const ConvexHull hull(points);
        EXPECT_EQ(hull.faces().size(), 6u);
        EXPECT_EQ(hull.vertices().size(), 8u);
        ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
    }
}

TEST(ConvexHull, AgreesWithCgalOnRandomPoints) {
    Random random(4);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const double scale = std::pow(10, random.uniform(-6, 6));
        const Vec3 shift = random.chance(0.5) ? random.vector(scale) : random.vector(1e6 * scale);
        const Vec3 stretch{1, std::pow(10, random.uniform(-6, 0)),
                           std::pow(10, random.uniform(-6, 0))};
        Points points = random.chance(0.5)
                          ? on_sphere(static_cast<size_t>(random.integer(4, 500)), random)
                          : Points();
        while (points.size() < 40) points.push_back(random.vector(1));
        for (Vec3& p : points) p = {p.x, p.y * stretch.y, p.z * stretch.z};
        points = moved(points, scale, random.rotation(), shift);
        try {
            expect_matches_oracle(points);
        } catch (const InputError&) {  // far away and thin: the digits do not hold it
            EXPECT_LT(std::min(stretch.y, stretch.z), 1e-3);
            EXPECT_GT(norm(shift), 1e3 * scale);
        }
    }
}

TEST(ConvexHull, KeepsEveryVertexOfPointsInGeneralPosition) {
    Random random(5);
    for (size_t count : {4u, 5u, 10u, 100u, 3000u}) {
        const Points points = on_sphere(count, random);
        const ConvexHull hull(points);
        EXPECT_EQ(hull.vertices().size(), cgal_hull(points).vertices.size());
        EXPECT_EQ(hull.vertices().size(), count);
        ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
        expect_finds_the_farthest(hull, random);
    }
}

TEST(ConvexHull, HoldsNeedlesAndThinPlates) {
    Random random(6);
    for (double thin : {1e-2, 1e-4, 1e-6, 1e-8})
        for (Vec3 half : {Vec3{1, thin, thin}, Vec3{1, 1, thin}, Vec3{1, 0.01, thin}}) {
            const Points points = moved(corners_of_box(half), 1, random.rotation(), {});
            const ConvexHull hull(points);
            EXPECT_EQ(hull.faces().size(), 6u) << thin;
            EXPECT_EQ(hull.vertices().size(), 8u);
            ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
            // Corners are rounded to 1e-16, in 1e-8 of thickness.
            EXPECT_NEAR(volume_of(hull) / (8 * half.x * half.y * half.z), 1, 4e-15 / thin + 1e-14);
        }
}

TEST(ConvexHull, MakesOneFaceOfEachEndOfAPrism) {
    Random random(7);
    for (int sides : {3, 4, 7, 64, 1000}) {
        const Points points = moved(prism(sides, 0.5), 2, random.rotation(), random.vector(5));
        const ConvexHull hull(points);
        ASSERT_EQ(hull.faces().size(), static_cast<size_t>(sides + 2));
        ASSERT_EQ(hull.vertices().size(), static_cast<size_t>(2 * sides));
        EXPECT_EQ(hull.faces()[0].loop_size,
                  static_cast<uint32_t>(sides > 4 ? sides : hull.faces()[0].loop_size));
        ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
        expect_finds_the_farthest(hull, random);
        EXPECT_NEAR(volume_of(hull), 8 * 0.5 * sides * std::sin(2 * pi / sides), 1e-12);
    }
}

// Every size of step, from what is merged to what is not, and where it is neither.
TEST(ConvexHull, StaysAHullForNearlyFlatFacesOfAnyHeight) {
    Random random(8);
    for (double bump = 1e-12; bump < 1e-2; bump *= 3) {
        Points points = corners_of_box({1, 1, 1});
        for (int i = 0; i < 300; ++i) {
            Vec3 p = random.vector(1);
            p[i % 3] = (random.chance(0.5) ? 1 : -1) * (1 + bump * random.uniform(-1, 1));
            points.push_back(p);
        }
        Points dome = corners_of_box({1, 1, 1});
        for (int i = 0; i < 2000; ++i) {
            const Vec3 p = random.vector(1);
            dome.push_back({p.x, p.y, 1 + bump * (2 - p.x * p.x - p.y * p.y)});
        }
        for (const Points& set : {points, dome}) {
            const Points placed = moved(set, 1, random.rotation(), {});
            const ConvexHull hull(placed);
            ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, placed, 20)) << bump;
            expect_matches_oracle(placed);
            expect_finds_the_farthest(hull, random);
        }
    }
}

TEST(ConvexHull, IsTheSameForAnyOrderOfItsPoints) {
    Random random(9);
    Points points = on_sphere(200, random);
    const ConvexHull first(points);
    std::shuffle(points.begin(), points.end(), std::mt19937(3));
    const ConvexHull second(points);
    std::set<Tuple> a, b;
    for (Vec3 p : first.vertices()) a.insert(tuple(p));
    for (Vec3 p : second.vertices()) b.insert(tuple(p));
    EXPECT_EQ(a, b);
    EXPECT_EQ(first.faces().size(), second.faces().size());
}

TEST(ConvexHull, AnswersSupportOfNoDirectionWithSomeVertex) {
    Random random(10);
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    for (size_t count : {5u, 500u}) {
        const ConvexHull hull(on_sphere(count, random));
        for (Vec3 d : {Vec3{}, Vec3{nan, 0, 0}, Vec3{0, nan, 1}, Vec3{nan, nan, nan},
                       Vec3{infinity, 0, 0}, Vec3{-infinity, infinity, 1}}) {
            EXPECT_LT(hull.support(d), hull.vertices().size());
            EXPECT_LT(hull.support(d, 3), hull.vertices().size());
        }
    }
}

TEST(ConvexHull, TakesAHundredThousandPointsWithinSeconds) {
    Random random(11);
    Points points = on_sphere(50'000, random);
    while (points.size() < 100'000) points.push_back(random.vector(0.5));
    const auto start = std::chrono::steady_clock::now();
    const ConvexHull hull(points);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 10);  // under 1 s; sanitizers take five times as long
    EXPECT_GT(hull.vertices().size(), 49'000u);
    ASSERT_NO_FATAL_FAILURE(expect_is_hull(hull, points));
    expect_finds_the_farthest(hull, random);
}

}  // namespace
}  // namespace bristle::geometry
