// Contacts with triangle meshes, against planes, convex hulls, and all triangles one by one.
#include "collision/near/convex.h"
#include "collision/near/near.h"
#include "geometry/convex_hull.h"
#include "tests/support/scaled.h"
#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>

namespace bristle::collision {
namespace {

using namespace testing_support;

Collider sphere(double radius) {
    Collider c{};
    c.kind = ColliderKind::sphere;
    c.radius = radius;
    return c;
}
Collider rod(ColliderKind kind, double radius, double half_length) {
    Collider c{};
    c.kind = kind;
    c.radius = radius;
    c.half_length = half_length;
    return c;
}
Collider box(Vec3 half) {
    Collider c{};
    c.kind = ColliderKind::box;
    c.half = half;
    return c;
}
ContactPoints contacts(const Placed& a, const Placed& b, double margin) {
    ContactPoints out;
    collide(a, b, margin, out);
    return out;
}
double deepest(const ContactPoints& c) {
    double depth = -1e300;
    for (const ContactPoint& p : c) depth = std::max(depth, p.depth);
    return depth;
}
double flat(double, double) { return 0; }

// What every contact must be, whatever the shapes.
void expect_consistent(const ContactPoints& out, double margin) {
    for (const ContactPoint& c : out) {
        ASSERT_NEAR(norm(c.normal), 1, 1e-12);
        ASSERT_NEAR(dot(c.normal, c.on_b - c.on_a), c.depth, 1e-9);
        ASSERT_GE(c.depth, -margin);
        ASSERT_GT(c.weight, 0);
        ASSERT_LE(c.weight, 1 + 1e-12);
    }
    for (size_t i = 0; i < out.size(); ++i)
        for (size_t j = 0; j < i; ++j) ASSERT_NE(out[i].feature, out[j].feature);
}

// ---- Spheres ---------------------------------------------------------------------------------------------

TEST(Mesh, AFloorCutIntoTrianglesIsAPlaneToASphere) {
    Random random(1);
    int cases = 0;
    for (int trial = 0; trial < scaled(600); ++trial) {
        const double evenness = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 1e-9 : 0.5;
        const MeshShape floor(random_sheet(random, 1, random.integer(1, 12), evenness, flat));
        const Placed b{&floor.collider, random.rotation().matrix(), random.vector(10)};
        for (int k = 0; k < 100; ++k) {
            const Collider ball = sphere(random.uniform(0.05, 0.3));
            // Also with the centre below the floor.
            const double depth =
                k % 7 == 0 ? ball.radius * random.uniform(0.9, 1.99) : random.uniform(-0.01, 0.02);
            const auto t = static_cast<uint32_t>(
                random.integer(0, static_cast<int>(floor.tree.mesh().triangles.size()) - 1));
            const auto c = floor.tree.corners(t);
            Vec3 p = k % 3 == 0 ? c[0]
                   : k % 3 == 1 ? c[0] + random.uniform(0, 1) * (c[1] - c[0])
                                : Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 0};
            if (k % 10 == 3) p += random.vector(1e-9);
            if (std::max(std::abs(p.x), std::abs(p.y)) > 0.9999) continue;
            p.z = ball.radius - depth;
            const auto out = contacts({&ball, random.rotation().matrix(), b.to_world(p)}, b, 0.02);
            ASSERT_EQ(out.size(), 1u) << "depth " << depth;
            ASSERT_NEAR(out[0].depth, depth, 1e-13);
            ASSERT_LT(norm(out[0].normal - b.rotation.column(2)), 1e-13);
            ASSERT_EQ(out[0].weight, 1);
            ASSERT_EQ(out[0].feature, 0u);
            ASSERT_EQ(out[0].normal_of, NormalOf::b);
            ASSERT_LT(out[0].face_b, floor.tree.mesh().triangles.size());
            ++cases;
        }
    }
    EXPECT_GT(cases, scaled(40000));
}

TEST(Mesh, ASphereTouchesAllTrianglesOfAGrooveItLiesIn) {
    Random random(2);
    const MeshShape groove(
        random_sheet(random, 1, 8, 1, [](double x, double) { return std::abs(x); }));
    const Placed b{&groove.collider, Mat3::identity(), {}};
    const Collider ball = sphere(0.2);
    const double depth = 0.004;
    const Placed a{&ball, Mat3::identity(), {0, 0.1, std::sqrt(2.0) * (0.2 - depth)}};
    const auto out = contacts(a, b, 0.01);
    ASSERT_EQ(out.size(), 2u);
    for (const ContactPoint& c : out) {
        EXPECT_NEAR(c.depth, depth, 1e-14);
        EXPECT_NEAR(c.normal.z, std::sqrt(0.5), 1e-14);
        EXPECT_EQ(c.weight, 1);
    }
    EXPECT_LT(out[0].normal.x * out[1].normal.x, 0);
}

TEST(Mesh, ASphereFeelsTheNearestOfAllTrianglesInsideAndOutside) {
    Random random(3);
    const auto bumpy = [](Vec3 d) { return 1 + 0.15 * std::sin(6 * d.x) * std::cos(5 * d.y); };
    const MeshShape body(ball(24, 30, bumpy));
    const Placed b{&body.collider, random.rotation().matrix(), random.vector(3)};
    for (int k = 0; k < scaled(20000); ++k) {
        const Collider ball = sphere(random.uniform(0.02, 0.4));
        const Vec3 d = random.direction();
        const Vec3 p = k % 4 == 0 ? body.tree.mesh().vertices[static_cast<size_t>(k) % 600]
                                        + random.uniform(0, ball.radius) * d
                                  : (bumpy(d) + random.uniform(-0.9, 0.99) * ball.radius) * d;
        double distance = 1e300;
        for (uint32_t t = 0; t < body.tree.mesh().triangles.size(); ++t) {
            const auto near =
                nearest_on_triangle(body.tree.corners(t), body.tree.face(t).normal, p);
            distance = std::min(distance, norm(near.point - p));
        }
        if (body.tree.contains(p)) distance = -distance;
        const auto out = contacts({&ball, Mat3::identity(), b.to_world(p)}, b, 0);
        if (ball.radius - distance < 1e-9 || -distance > ball.radius) continue;
        ASSERT_FALSE(out.empty()) << k;
        ASSERT_NEAR(deepest(out), ball.radius - distance, 1e-10) << k;
        expect_consistent(out, 0);
    }
}

// Σ weight · depth^1.5 · normal while the sphere follows a path.
std::vector<Vec3> forces_along(const Placed& b, const Collider& ball, int steps,
                               const std::function<Vec3(double)>& path) {
    std::vector<Vec3> forces;
    for (int i = 0; i <= steps; ++i) {
        const auto out =
            contacts({&ball, Mat3::identity(), path(static_cast<double>(i) / steps)}, b, 0);
        Vec3 force;
        for (const ContactPoint& c : out) force += c.weight * std::pow(c.depth, 1.5) * c.normal;
        forces.push_back(force);
    }
    return forces;
}

TEST(Mesh, TheForceOnASphereRollingInAFacetedPipeIsContinuous) {
    // 48 facets of 7.5°. Without weights the force doubles at each edge.
    const MeshShape pipe_mesh(pipe(1, 2, 48));
    const Placed b{&pipe_mesh.collider, Mat3::identity(), {}};
    const Collider ball = sphere(0.3);
    const int steps = 40000;
    const auto forces = forces_along(b, ball, steps, [](double s) {
        const double phi = 0.3 + 1.5 * s, r = 0.71;
        return Vec3{r * std::cos(phi), 0.2 * s, r * std::sin(phi)};
    });
    double jump = 0, least = 1e300, greatest = 0;
    for (size_t i = 0; i < forces.size(); ++i) {
        if (i > 0) jump = std::max(jump, norm(forces[i] - forces[i - 1]));
        least = std::min(least, norm(forces[i]));
        greatest = std::max(greatest, norm(forces[i]));
    }
    std::printf("jump %.2e of %.3e..%.3e\n", jump, least, greatest);
    // 1.5 rad in 40 000 steps, a facet's depth varying by a fifth within 800 of them.
    EXPECT_LT(jump, 0.02 * greatest);
    EXPECT_LT(greatest, 1.5 * least);
    // Continuous: ten times as many steps, ten times smaller changes.
    const auto finer = forces_along(b, ball, 40000, [](double s) {
        const double phi = 0.3 + 0.15 * s, r = 0.71;
        return Vec3{r * std::cos(phi), 0.02 * s, r * std::sin(phi)};
    });
    double finer_jump = 0;
    for (size_t i = 1; i < finer.size(); ++i)
        finer_jump = std::max(finer_jump, norm(finer[i] - finer[i - 1]));
    std::printf("finer %.2e\n", finer_jump);
    EXPECT_LT(finer_jump, 0.2 * jump);
}

TEST(Mesh, TheForceOnASphereRollingOverAFacetedBarrelIsContinuous) {
    TriangleMesh barrel = pipe(1, 2, 48);
    for (auto& t : barrel.triangles) std::swap(t[1], t[2]);
    const MeshShape mesh(barrel);
    const Placed b{&mesh.collider, Mat3::identity(), {}};
    const auto forces = forces_along(b, sphere(0.3), 20000, [](double s) {
        const double phi = 0.3 + 1.5 * s;
        return Vec3{1.29 * std::cos(phi), 0.2 * s, 1.29 * std::sin(phi)};
    });
    double jump = 0;
    for (size_t i = 1; i < forces.size(); ++i)
        jump = std::max(jump, norm(forces[i] - forces[i - 1]));
    EXPECT_LT(jump, 3e-3 * norm(forces[0]));
}

TEST(Mesh, ABorderThatEndsInAnotherTriangleIsNotFelt) {
    // One large triangle against two small ones: a T-junction at the origin.
    TriangleMesh mesh;
    mesh.vertices = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {-1, -1, 0}, {1, -1, 0}};
    mesh.triangles = {{0, 1, 2}, {4, 3, 0}, {4, 5, 3}, {5, 1, 3}};
    const MeshShape floor(mesh);
    const Placed b{&floor.collider, Mat3::identity(), {}};
    const Collider ball = sphere(0.2);
    Random random(5);
    for (int i = 0; i < scaled(2000); ++i) {
        const Vec3 p = {random.uniform(-0.3, 0.3), random.uniform(-0.15, 0.15), 0.19};
        const auto out = contacts({&ball, Mat3::identity(), p}, b, 0);
        ASSERT_EQ(out.size(), 1u);
        ASSERT_NEAR(out[0].depth, 0.01, 1e-14);
    }
}

// ---- Capsules, boxes, cylinders, polyhedra ------------------------------------------------------------------

// A convex body twice: as a polyhedron and as a mesh.
struct Twins {
    ConvexHull hull;
    std::optional<MeshShape> mesh;
    Collider solid{};

    explicit Twins(const std::vector<Vec3>& points) : hull(points) {
        TriangleMesh m;
        m.vertices.assign(hull.vertices().begin(), hull.vertices().end());
        for (const ConvexHull::Face& face : hull.faces()) {
            const auto loop = hull.loop(face);
            for (size_t i = 1; i + 1 < loop.size(); ++i)
                m.triangles.push_back({loop[0], loop[i], loop[i + 1]});
        }
        mesh.emplace(m);
        solid.kind = ColliderKind::convex;
        solid.hull = &hull;
    }
};
std::vector<Vec3> random_points(Random& random, int count, double size) {
    std::vector<Vec3> points;
    points.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) points.push_back(random.vector(size));
    return points;
}

struct Statistics {
    int cases = 0, missed = 0, too_shallow = 0, too_deep = 0;
    double worst_gap = 0;
};
// Depth of contact with the mesh of a convex body, against GJK and EPA with the body itself.
Statistics compare_with_convex(ColliderKind kind, int trials, uint64_t seed) {
    Random random(seed);
    Statistics s;
    for (int trial = 0; trial < trials; ++trial) {
        const Twins body(random_points(random, 12, 0.5));
        const ConvexHull other(random_points(random, 10, 0.4));
        Collider c{};
        c.kind = kind;
        c.radius = random.uniform(0.1, 0.4);
        c.half_length = random.uniform(0.1, 0.5);
        c.half = {random.uniform(0.1, 0.5), random.uniform(0.1, 0.5), random.uniform(0.1, 0.5)};
        c.hull = &other;
        const Mat3 rotation = random.rotation().matrix();
        const Vec3 position = random.vector(1);
        const Placed solid{&body.solid, rotation, position},
            mesh{&body.mesh->collider, rotation, position};
        Placed a{&c, random.rotation().matrix(), position + random.vector(1)};
        const ConvexCore core = ConvexCore::of(c), core_b = ConvexCore::of(body.solid);
        const auto measure = [&] {
            return convex_distance(core, core_b, RelativePose(a, solid), 10);
        };
        ConvexDistance d = measure();
        const double wanted = random.uniform(-0.02, 0.02);
        a.position += (-wanted - (d.distance - core.ball)) * (a.rotation * d.normal);
        d = measure();
        const double depth = core.ball - d.distance;
        if (std::abs(depth) > 0.03) continue;
        const auto out = contacts(a, mesh, 0.05);
        ++s.cases;
        if (out.empty()) {
            ++s.missed;
            continue;
        }
        if (depth <= 0) {
            s.worst_gap = std::max(s.worst_gap, std::abs(deepest(out) - depth));
        } else {
            s.too_shallow += deepest(out) < depth - 1e-7 ? 1 : 0;
            s.too_deep += deepest(out) > depth + 1e-7 ? 1 : 0;
        }
        expect_consistent(out, 0.05);
    }
    return s;
}

class MeshOfConvex : public testing::TestWithParam<ColliderKind> {};
TEST_P(MeshOfConvex, IsTouchedAsTheConvexBodyIs) {
    const Statistics s = compare_with_convex(GetParam(), scaled(20000), 7);
    EXPECT_GT(s.cases, scaled(19000));
    EXPECT_EQ(s.missed, 0);
    EXPECT_LT(s.worst_gap, GetParam() == ColliderKind::cylinder ? 1e-8 : 1e-10);
    // Spikes into spikes: each of several triangles has a way out of its own, and none may be that of
    // the whole. Round shapes have no such case.
    const bool is_round = GetParam() == ColliderKind::sphere || GetParam() == ColliderKind::capsule;
    EXPECT_LE(s.too_shallow, is_round ? 0 : s.cases / 200);
    EXPECT_LE(s.too_deep, is_round ? 0 : s.cases / 100);
    std::printf("%d cases, %d too shallow, %d too deep, gap %.1e\n", s.cases, s.too_shallow,
                s.too_deep, s.worst_gap);
}
INSTANTIATE_TEST_SUITE_P(Kinds, MeshOfConvex,
                         testing::Values(ColliderKind::sphere, ColliderKind::capsule,
                                         ColliderKind::box, ColliderKind::cylinder,
                                         ColliderKind::convex));

TEST(Mesh, ABoxOnAFloorStandsOnItsFourCornersHoweverTheFloorIsCut) {
    Random random(8);
    for (int trial = 0; trial < scaled(3000); ++trial) {
        const double evenness = trial % 3 == 0 ? 0 : 0.7;
        const MeshShape floor(random_sheet(random, 1, random.integer(1, 14), evenness, flat));
        const Placed b{&floor.collider, random.rotation().matrix(), random.vector(2)};
        const Collider c = box({0.2, 0.3, 0.1});
        const double depth = random.uniform(-0.002, 0.01);
        const Mat3 turn = Quat::about({0, 0, 1}, random.uniform(-pi, pi)).matrix();
        const Vec3 p = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.1 - depth};
        auto out = contacts({&c, b.rotation * turn, b.to_world(p)}, b, 0.005);
        ASSERT_EQ(out.size(), 4u);
        std::sort(out.begin(), out.end(), [](const ContactPoint& x, const ContactPoint& y) {
            return x.feature < y.feature;
        });
        for (uint32_t i = 0; i < 4; ++i) {
            EXPECT_EQ(out[i].feature, i);
            EXPECT_NEAR(out[i].depth, depth, 1e-13);
            EXPECT_LT(norm(out[i].normal - b.rotation.column(2)), 1e-13);
            const Vec3 corner = {i % 2 == 1 ? 0.2 : -0.2, i / 2 == 1 ? 0.3 : -0.3, -0.1};
            EXPECT_LT(norm(out[i].on_a - b.to_world(p + turn * corner)), 1e-13);
        }
    }
}

TEST(Mesh, TiltedShapesAreAsDeepInACutFloorAsInAPlane) {
    Random random(9);
    int cases = 0;
    for (int trial = 0; trial < scaled(6000); ++trial) {
        const MeshShape floor(random_sheet(random, 2, random.integer(1, 8), 0.3, flat));
        const ConvexHull hull(random_points(random, 12, 0.4));
        Collider c = trial % 4 == 0 ? box({0.2, 0.3, 0.25})
                   : trial % 4 == 1 ? rod(ColliderKind::cylinder, 0.2, 0.3)
                   : trial % 4 == 2 ? rod(ColliderKind::capsule, 0.2, 0.3)
                                    : Collider{};
        if (trial % 4 == 3) c.kind = ColliderKind::convex, c.hull = &hull;
        const ConvexCore core = ConvexCore::of(c);
        const Mat3 turn = trial % 8 < 4 ? random.rotation().matrix()
                                        : Quat::about(random.direction(), 1e-3).matrix();
        const double depth = random.uniform(-0.005, 0.02);
        const double low = (turn * core.support(turn.transposed() * Vec3{0, 0, -1})).z - core.ball;
        const Placed a{&c, turn, {random.uniform(-1, 1), random.uniform(-1, 1), -low - depth}};
        const Placed b{&floor.collider, Mat3::identity(), {}};
        const auto out = contacts(a, b, 0.01);
        ASSERT_FALSE(out.empty());
        ASSERT_NEAR(deepest(out), depth, 1e-12);
        for (const ContactPoint& p : out) ASSERT_LT(norm(p.normal - Vec3{0, 0, 1}), 1e-12);
        expect_consistent(out, 0.01);
        ++cases;
    }
    EXPECT_EQ(cases, scaled(6000));
}

TEST(Mesh, ACylinderLiesOnTwoPointsAndStandsOnItsRim) {
    Random random(10);
    const MeshShape floor(random_sheet(random, 1, 9, 0.3, flat));
    const Placed b{&floor.collider, Mat3::identity(), {}};
    const Collider c = rod(ColliderKind::cylinder, 0.1, 0.2);
    const Mat3 lying = Quat::about({0, 1, 0}, pi / 2).matrix();
    const auto lies = contacts({&c, lying, {0.1, 0.2, 0.099}}, b, 0.001);
    ASSERT_EQ(lies.size(), 2u);
    EXPECT_NEAR(lies[0].depth, 0.001, 1e-14);
    EXPECT_NEAR(norm(lies[0].on_a - lies[1].on_a), 0.4, 1e-12);
    const auto stands = contacts({&c, Mat3::identity(), {0.1, 0.2, 0.199}}, b, 0.001);
    ASSERT_EQ(stands.size(), 4u);
    for (const ContactPoint& p : stands) EXPECT_NEAR(p.depth, 0.001, 1e-14);
    const Collider r = rod(ColliderKind::capsule, 0.1, 0.2);
    const auto capsule = contacts({&r, lying, {0.1, 0.2, 0.099}}, b, 0.001);
    ASSERT_EQ(capsule.size(), 2u);
    EXPECT_EQ(capsule[0].weight, 1);
}

TEST(Mesh, ABoxNearTheRimOfATableIsPushedUpNotAside) {
    Random random(11);
    const MeshShape table(block({1, 1, 0.05}));
    const Placed b{&table.collider, Mat3::identity(), {}};
    const Collider c = box({0.2, 0.2, 0.2});
    for (int i = 0; i < scaled(3000); ++i) {
        const Mat3 turn = Quat::about({0, 0, 1}, random.uniform(-pi, pi)).matrix();
        const double x = random.uniform(0.6, 1.1);
        const auto out = contacts({&c, turn, {x, random.uniform(-0.5, 0.5), 0.248}}, b, 0.001);
        ASSERT_GE(out.size(), 3u) << x;
        for (const ContactPoint& p : out) {
            ASSERT_LT(norm(p.normal - Vec3{0, 0, 1}), 1e-12);
            ASSERT_NEAR(p.depth, 0.002, 1e-12);
        }
    }
}

// Whatever frees it elsewhere: a box that slides over bumps must not find a corner of its deep in the ground at once.
TEST(Mesh, GroundPushesAtEveryCornerBelowIt) {
    Random random(17);
    int corners = 0, missed = 0;
    for (int ground = 0; ground < 10; ++ground) {
        constexpr int n = 12;
        double height[n + 1][n + 1];
        TriangleMesh mesh;
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i) {
                height[j][i] = random.uniform(-0.15, 0.15);
                mesh.vertices.push_back({0.5 * i, 0.5 * j, height[j][i]});
            }
        const auto number = [](int i, int j) { return static_cast<uint32_t>(j * (n + 1) + i); };
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
                mesh.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
            }
        const MeshShape surface(mesh);
        const Placed b{&surface.collider, Mat3::identity(), {}};
        const auto top = [&](Vec3 p) {
            const int i = static_cast<int>(p.x / 0.5), j = static_cast<int>(p.y / 0.5);
            const double u = p.x / 0.5 - i, v = p.y / 0.5 - j;
            const double a = height[j][i], c = height[j + 1][i + 1];
            return u > v ? a + u * (height[j][i + 1] - a) + v * (c - height[j][i + 1])
                         : a + v * (height[j + 1][i] - a) + u * (c - height[j + 1][i]);
        };
        const Vec3 half{0.4, 0.25, 0.15};
        const Collider c = box(half);
        for (int k = 0; k < scaled(300); ++k) {
            const Placed a{&c,
                           random.rotation().matrix(),
                           {random.uniform(1, 5), random.uniform(1, 5), random.uniform(0.1, 0.5)}};
            const ContactPoints out = contacts(a, b, 0.001);
            for (unsigned i = 0; i < 8; ++i) {
                const Vec3 p = a.to_world({(i & 1u ? 1 : -1) * half.x, (i & 2u ? 1 : -1) * half.y,
                                           (i & 4u ? 1 : -1) * half.z});
                const double below = top(p) - p.z;
                if (below < 0.005 || below > 0.1) continue;
                // Along the normal it is less than straight up: slopes are 50 deg at most.
                double found = 0;
                for (const ContactPoint& c : out)
                    if (norm(c.on_a - p) < 0.1) found = std::max(found, c.depth);
                ++corners;
                missed += found < 0.5 * below ? 1 : 0;
            }
        }
    }
    EXPECT_GT(corners, 50);
    // Some under a steep facet have no facet over them.
    EXPECT_LE(missed, 0.02 * corners);
}

// A hull of facets that the shape is not in says nothing: a box over a hollow was 2 cm deep in what fills it.
TEST(Mesh, WhatIsClearOfEveryTriangleIsNotDeepInTheSheet) {
    Random random(23);
    int clear = 0;
    for (int ground = 0; ground < 12; ++ground) {
        const MeshShape sheet(random_sheet(
            random, 3, 14, 0.7, [&](double, double) { return random.uniform(-0.05, 0.05); }));
        const Placed b{&sheet.collider, Mat3::identity(), {}};
        const auto count = static_cast<uint32_t>(sheet.tree.mesh().triangles.size());
        for (int k = 0; k < scaled(400); ++k) {
            const Collider c = box(
                {random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.02, 0.05)});
            const Mat3 tilt = Quat::about({1, 0, 0}, random.uniform(-0.1, 0.1)).matrix()
                            * Quat::about({0, 1, 0}, random.uniform(-0.1, 0.1)).matrix()
                            * Quat::about({0, 0, 1}, random.uniform(0, pi)).matrix();
            const Placed a{
                &c, tilt, {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(0, 0.12)}};
            double nearest = 1;
            for (uint32_t t = 0; t < count; ++t) {
                const auto corner = sheet.tree.corners(t);
                const ConvexDistance d = convex_distance(
                    ConvexCore::of(c), ConvexCore::of_points(corner), RelativePose(a, b), nearest);
                if (d.is_near) nearest = std::min(nearest, d.distance);
            }
            if (!(nearest > 1e-6)) continue;
            ++clear;
            EXPECT_LE(deepest(contacts(a, b, 0.02)), 0) << ground << ' ' << k;
        }
    }
    EXPECT_GT(clear, scaled(600));
}

TEST(Mesh, AMeshLiesOnAPlaneWithItsCorners) {
    const MeshShape body(block({0.3, 0.2, 0.1}));
    Collider ground{};
    ground.kind = ColliderKind::plane;
    const Placed a{&ground, Mat3::identity(), {}},
        b{&body.collider, Mat3::identity(), {1, 2, 0.099}};
    const auto out = contacts(a, b, 0.001);
    ASSERT_EQ(out.size(), 4u);
    for (const ContactPoint& c : out) {
        EXPECT_NEAR(c.depth, 0.001, 1e-15);
        EXPECT_EQ(c.normal, (Vec3{0, 0, -1}));
        EXPECT_NEAR(c.on_b.z, -0.001, 1e-15);
    }
}

TEST(Mesh, BadPosesGiveNoContact) {
    const MeshShape body(block({0.3, 0.2, 0.1}));
    for (int kind = 0; kind < 4; ++kind) {
        Collider c = rod(static_cast<ColliderKind>(kind), 0.1, 0.2);
        c.half = {0.1, 0.1, 0.1};
        const Placed b{&body.collider, Mat3::identity(), {}};
        EXPECT_TRUE(contacts({&c, Mat3::identity(), {std::nan(""), 0, 0}}, b, 1).empty());
    }
}

TEST(Mesh, ASphereOnAHundredThousandTrianglesTakesMicroseconds) {
    Random random(12);
    const MeshShape ground(random_sheet(random, 10, 224, 0.3, [](double x, double y) {
        return 0.1 * std::sin(3 * x) * std::cos(2 * y);
    }));
    const Placed b{&ground.collider, Mat3::identity(), {}};
    const Collider ball = sphere(0.05);
    ContactPoints out;
    const auto start = std::chrono::steady_clock::now();
    constexpr int count = 20000;
    size_t found = 0;
    for (int i = 0; i < count; ++i) {
        const double x = random.uniform(-9, 9), y = random.uniform(-9, 9);
        out.clear();
        collide({&ball, Mat3::identity(), {x, y, 0.1 * std::sin(3 * x) * std::cos(2 * y) + 0.045}},
                b, 0.005, out);
        found += out.size();
    }
    const double time =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    std::printf("%.2f us a query, %zu contacts\n", time / count, found);
    EXPECT_GT(found, count * 9u / 10);
    EXPECT_LT(time / count, 100);  // generous: machines and sanitizers differ
}

}  // namespace
}  // namespace bristle::collision
