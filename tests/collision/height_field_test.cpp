// Contacts with height fields, against planes and against the same triangles as a mesh.
#include "collision/near/convex.h"
#include "collision/near/near.h"
#include "geometry/convex_hull.h"
#include "tests/support/scaled.h"
#include "tests/support/surfaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace bristle::collision {
namespace {

using namespace testing_support;

struct Field {
    HeightField field;
    Collider collider{};

    Field(uint32_t columns, uint32_t rows, double dx, double dy,
          const std::function<double(double, double)>& height) {
        field.columns = columns;
        field.rows = rows;
        field.spacing_x = dx;
        field.spacing_y = dy;
        for (uint32_t r = 0; r < rows; ++r)
            for (uint32_t c = 0; c < columns; ++c) field.heights.push_back(height(c * dx, r * dy));
        collider.kind = ColliderKind::height_field;
        collider.field = &field;
    }
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;

    // As its comment in shape.h says: split from the lower left to the upper right corner.
    TriangleMesh mesh() const {
        TriangleMesh m;
        for (uint32_t r = 0; r < field.rows; ++r)
            for (uint32_t c = 0; c < field.columns; ++c)
                m.vertices.push_back({c * field.spacing_x, r * field.spacing_y,
                                      field.heights[r * field.columns + c]});
        for (uint32_t r = 0; r + 1 < field.rows; ++r)
            for (uint32_t c = 0; c + 1 < field.columns; ++c) {
                const uint32_t a = r * field.columns + c;
                m.triangles.push_back({a, a + 1, a + field.columns + 1});
                m.triangles.push_back({a, a + field.columns + 1, a + field.columns});
            }
        return m;
    }
};

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
Collider shape(ColliderKind kind, double size, const ConvexHull* hull) {
    Collider c{};
    c.kind = kind;
    c.radius = size;
    c.half_length = size;
    c.tube = 0.3 * size;
    c.half = {size, 0.7 * size, 1.2 * size};
    c.hull = hull;
    return c;
}

class HeightFieldOn : public testing::TestWithParam<ColliderKind> {};

TEST_P(HeightFieldOn, IsTouchedAsTheMeshOfItsTriangles) {
    Random random(40);
    const Field field(24, 20, 0.11, 0.13, [](double x, double y) {
        return 0.12 * std::sin(3 * x) * std::cos(4 * y) + 0.05 * std::sin(17 * x + 5 * y);
    });
    const MeshShape mesh(field.mesh());
    std::vector<Vec3> points;
    points.reserve(14);
    for (int i = 0; i < 14; ++i) points.push_back(0.15 * random.direction());
    const ConvexHull hull(points);
    int touching = 0;
    const int trials = GetParam() == ColliderKind::torus ? scaled(600) : scaled(6000);
    for (int i = 0; i < trials; ++i) {
        const Collider c = shape(GetParam(), random.uniform(0.05, 0.2), &hull);
        const Mat3 rotation = random.rotation().matrix();
        const Vec3 position = random.vector(2);
        const Placed a_field{&field.collider, rotation, position},
            a_mesh{&mesh.collider, rotation, position};
        const Vec3 p = {random.uniform(0.3, 2.2), random.uniform(0.3, 2.1),
                        random.uniform(0.05, 0.4)};
        const Placed a{&c, random.rotation().matrix(), a_field.to_world(p)};
        const auto with_field = contacts(a, a_field, 0.01), with_mesh = contacts(a, a_mesh, 0.01);
        // What has sunk in is not the same: below a sheet there is nothing, below a field it is solid.
        if (with_mesh.empty() || deepest(with_mesh) > 0.02 || deepest(with_field) > 0.02) continue;
        ++touching;
        ASSERT_NEAR(deepest(with_field), deepest(with_mesh), 1e-10) << i;
    }
    EXPECT_GT(touching, trials / 20);
}

TEST_P(HeightFieldOn, APlaneOfAnySlopeIsAPlane) {
    Random random(41);
    std::vector<Vec3> points;
    points.reserve(14);
    for (int i = 0; i < 14; ++i) points.push_back(0.15 * random.direction());
    const ConvexHull hull(points);
    Collider ground{};
    ground.kind = ColliderKind::plane;
    const int trials = GetParam() == ColliderKind::torus ? scaled(300) : scaled(4000);
    for (int i = 0; i < trials; ++i) {
        const double sx = random.uniform(-1, 1), sy = random.uniform(-1, 1);
        const Field field(14, 13, 0.2, 0.2, [&](double x, double y) { return sx * x + sy * y; });
        const Vec3 n = normalized({-sx, -sy, 1});
        const Vec3 across = any_perpendicular(n);
        const Placed b{&field.collider, Mat3::identity(), {}},
            plane{&ground, Mat3::columns(across, cross(n, across), n), {}};
        const Collider c = shape(GetParam(), random.uniform(0.05, 0.15), &hull);
        const double x = random.uniform(1, 1.6), y = random.uniform(1, 1.4);
        Placed a{&c, random.rotation().matrix(), {x, y, sx * x + sy * y}};
        const double now = deepest(contacts(a, plane, 10));
        // Also far below the surface.
        const double depth = i % 5 == 0 ? random.uniform(0, 0.4) : random.uniform(-0.005, 0.02);
        a.position += (now - depth) * n;
        const auto out = contacts(a, b, 0.01);
        ASSERT_FALSE(out.empty()) << depth;
        // Of a rim that is nearly flat a plane leaves out the lowest point.
        const double flat = GetParam() == ColliderKind::cylinder ? 1e-4 * 0.3 : 0;
        ASSERT_NEAR(deepest(out), depth, 1e-10 + flat) << i;
        for (const ContactPoint& p : out) {
            ASSERT_LT(norm(p.normal - n), 1e-10);
        }
    }
}

TEST_P(HeightFieldOn, NothingIsOutsideTheGrid) {
    const Field field(5, 5, 1, 1, [](double, double) { return 0.0; });
    const ConvexHull hull(
        std::vector<Vec3>{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {-0.1, -0.1, -0.1}});
    const Collider c = shape(GetParam(), 0.1, &hull);
    const Placed b{&field.collider, Mat3::identity(), {}};
    for (const Vec3 p : {Vec3{-1, 2, 0}, Vec3{5, 2, -1}, Vec3{2, -0.5, -0.01}, Vec3{2, 4.5, -3}})
        EXPECT_TRUE(contacts({&c, Mat3::identity(), p}, b, 0.1).empty());
    EXPECT_FALSE(contacts({&c, Mat3::identity(), {2, 2, -3}}, b, 0.1).empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, HeightFieldOn,
                         testing::Values(ColliderKind::sphere, ColliderKind::capsule,
                                         ColliderKind::box, ColliderKind::cylinder,
                                         ColliderKind::convex, ColliderKind::torus));

TEST(HeightField, ASphereOverAnEdgeOrVertexOfAFlatFieldHasOneContact) {
    Random random(42);
    const Field field(9, 9, 0.1, 0.1, [](double, double) { return 0.3; });
    const Placed b{&field.collider, random.rotation().matrix(), random.vector(2)};
    for (int i = 0; i < scaled(20000); ++i) {
        const Collider ball = shape(ColliderKind::sphere, random.uniform(0.02, 0.2), nullptr);
        const double depth = random.uniform(-0.005, 0.01);
        double x = random.uniform(0.01, 0.79), y = random.uniform(0.01, 0.79);
        if (i % 2 == 0) x = 0.1 * random.integer(1, 7);
        if (i % 4 == 0) y = 0.1 * random.integer(1, 7);
        if (i % 8 == 1) y = x;  // on the diagonals
        const Vec3 p = {x, y, 0.3 + ball.radius - depth};
        const auto out = contacts({&ball, Mat3::identity(), b.to_world(p)}, b, 0.01);
        ASSERT_EQ(out.size(), 1u);
        ASSERT_NEAR(out[0].depth, depth, 1e-13);
        ASSERT_LT(norm(out[0].normal - b.rotation.column(2)), 1e-13);
    }
}

TEST(HeightField, AMeshOnItStandsOnItsCorners) {
    const Field field(9, 9, 1, 1, [](double, double) { return 2.0; });
    const MeshShape body(block({0.3, 0.2, 0.1}));
    const auto out = contacts({&field.collider, Mat3::identity(), {}},
                              {&body.collider, Mat3::identity(), {4, 4, 2.099}}, 0.01);
    ASSERT_EQ(out.size(), 4u);
    for (const ContactPoint& c : out) {
        EXPECT_NEAR(c.depth, 0.001, 1e-14);
        EXPECT_NEAR(c.normal.z, -1, 1e-14);
    }
}

}  // namespace
}  // namespace bristle::collision
