// Triangles of every kind of shape: closed, the right way out, and of the shape's volume.
#include "geometry/tessellate.h"

#include "geometry/solid.h"

#include <gtest/gtest.h>

namespace bristle::geometry {
namespace {

double volume_of(const TriangleMesh& mesh) {
    const Solid solid(std::make_shared<const TriangleMesh>(mesh));
    double volume = 0;
    for (uint32_t s = 0; s < solid.shells(); ++s) volume += solid.moments_of(s).volume;
    return volume;
}

struct Case {
    const char* name;
    Geometry geometry;
    double error;  // of the volume
};

std::vector<Case> cases() {
    return {{"sphere", Sphere{0.7}, 1e-12},
            {"capsule", Capsule{0.3, 1.2}, 1e-12},
            {"box", Box{{1, 2, 3}}, 1e-15},
            {"cylinder", Cylinder{0.25, 0.05}, 1e-13},
            {"torus", Torus{1, 0.2}, 1e-3},
            {"half torus", Torus{1, 0.2, Torus::Arc::half}, 2e-3},
            {"convex", ConvexPolyhedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}},
             1e-13}};
}

TEST(Tessellate, ShapesAreClosedAndHaveTheirVolume) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const TriangleMesh mesh = tessellated(c.geometry);
        EXPECT_TRUE(check(mesh).is_closed);
        const double exact = mass_properties(c.geometry).volume;
        EXPECT_NEAR(volume_of(mesh), exact, c.error * exact);
    }
}

TEST(Tessellate, MoreSidesComeNearerToTheInertia) {
    const double exact = mass_properties(Cylinder{0.5, 1}).inertia(2, 2);
    double last = 1;
    for (int sides : {16, 32, 64}) {
        const Solid solid(
            std::make_shared<const TriangleMesh>(tessellated(Cylinder{0.5, 1}, sides)));
        const double error =
            std::abs(solid.moments_of(0).inertia_about_centroid()(2, 2) / exact - 1);
        EXPECT_LT(error, last / 3.5);
        last = error;
    }
}

TEST(Tessellate, PartsOfACompoundFollowEachOther) {
    const Compound two{{{Box{{1, 1, 1}}, {{2, 0, 0}, {}}}, {Sphere{0.5}, {}}}};
    const Solid solid(std::make_shared<const TriangleMesh>(tessellated(two)));
    EXPECT_EQ(solid.shells(), 2u);
    EXPECT_TRUE(solid.contains({2.4, 0.4, 0.4}));
    EXPECT_FALSE(solid.contains({1, 0, 0}));
}

TEST(Tessellate, APlaneHasNoTrianglesAndAFieldItsSurface) {
    EXPECT_TRUE(tessellated(Plane{}).triangles.empty());
    EXPECT_EQ(tessellated(HeightField{3, 4, 1, 1, std::vector<double>(12, 0.0)}).triangles.size(),
              12u);
}

}  // namespace
}  // namespace bristle::geometry
