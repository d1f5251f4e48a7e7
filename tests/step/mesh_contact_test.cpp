// Closed meshes touch each other in regions, whatever their law and whichever solver moves them.
#include <bristle/world.h>

#include "geometry/tessellate.h"

#include <gtest/gtest.h>

namespace bristle::step {
namespace {

Mesh mesh_of(const Geometry& g) {
    return {std::make_shared<const TriangleMesh>(tessellated(g, 32))};
}

// A cube of 0.2 m on a slab, both meshes, with friction on a slope.
Model cube_on_slab(double slope) {
    Model model;
    model.gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)};
    const BodyId cube = model.add(Body::box({0.2, 0.2, 0.2}, 8).at({0, 0, 0.1001}));
    model.add(Shape{.body = cube, .geometry = mesh_of(Box{{0.2, 0.2, 0.2}})});
    model.add(Shape{
        .body = model.ground(), .geometry = mesh_of(Box{{10, 2, 1}}), .pose = {{0, 0, -0.5}, {}}});
    return model;
}

class MeshContact : public testing::TestWithParam<Settings> {};

TEST_P(MeshContact, ACubeOfTrianglesRestsOnASlabOfTriangles) {
    World world(cube_on_slab(0), GetParam());
    world.advance_to(2);
    const Pose at = world.pose(BodyId{1});
    EXPECT_NEAR(at.position.z, 0.1, 2e-3);
    EXPECT_NEAR(at.position.x, 0, 1e-3);
    EXPECT_NEAR((at.orientation.matrix() * Vec3{0, 0, 1}).z, 1, 1e-4);
    EXPECT_LT(norm(world.twist(BodyId{1}).linear), 0.02);
    double carried = 0;
    for (const Contact& c : world.contacts()) carried += c.force.z;
    EXPECT_NEAR(carried, 8 * 9.81, 8);
}

TEST_P(MeshContact, ItSticksOnASlopeAndSlidesOnASteeperOne) {
    World gentle(cube_on_slab(0.3), GetParam());
    gentle.advance_to(1);
    EXPECT_NEAR(gentle.pose(BodyId{1}).position.x, 0, 5e-3);
    World steep(cube_on_slab(0.7), GetParam());
    steep.advance_to(1);
    const double a = 9.81 * (std::sin(0.7) - 0.6 * std::cos(0.7));
    EXPECT_NEAR(steep.pose(BodyId{1}).position.x, 0.5 * a, 0.03 * a);
}

INSTANTIATE_TEST_SUITE_P(BothSolvers, MeshContact,
                         testing::Values(Settings{AugmentedLagrangian{.step = 2e-3}},
                                         Settings{Impulse{.step = 5e-3}}));

// Two sharp edges that cross have no balls whose centres could tell the side: where they had passed each other at the prediction, the
// ridge pulled the box down.
TEST(MeshContact, AnEdgeThatFallsOnARidgeIsHeldUp) {
    const double edge = 0.4, hangs = edge / std::sqrt(2);
    for (double speed : {0.5, 3.0, 8.0})
        for (double gap : {0.001, 0.01, 0.02}) {
            Model m;
            TriangleMesh roof;
            roof.vertices = {{0, -2, 0},  {0, 2, 0},   {-2, -2, -1},
                             {-2, 2, -1}, {2, -2, -1}, {2, 2, -1}};
            roof.triangles = {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {4, 5, 1}};
            m.add(Shape{.body = Model::ground(),
                        .geometry = Mesh{std::make_shared<const TriangleMesh>(roof)}});
            const Box cube{{edge, edge, edge}};
            Body body =
                Body::of(cube, 1000).at({0, 0, hangs + gap}, Quat::about({1, 0, 0}, pi / 4));
            body.velocity = {0, 0, -speed};
            const BodyId box = m.add(body);
            m.add(Shape{.body = box, .geometry = cube});
            World world(m, {.step = 5e-3});
            for (int i = 0; i < 40; ++i) {
                world.step();
                for (const Contact& c : world.contacts())
                    EXPECT_GE((c.body_a == box ? 1 : -1) * c.force.z, 0)
                        << speed << ' ' << gap << ' ' << i;
                EXPECT_GT(world.pose(box).position.z, hangs - 0.02)
                    << speed << ' ' << gap << ' ' << i;
            }
        }
}

// A short tube: rings of corners outside and inside, at both ends.
Mesh tube(double outer, double inner, double length, uint32_t sides) {
    TriangleMesh mesh;
    for (double z : {-length / 2, length / 2})
        for (double r : {outer, inner})
            for (uint32_t i = 0; i < sides; ++i)
                mesh.vertices.push_back(
                    {r * std::cos(2 * pi * i / sides), r * std::sin(2 * pi * i / sides), z});
    const auto quad = [&](uint32_t a, uint32_t b, bool turned) {
        for (uint32_t i = 0; i < sides; ++i) {
            const uint32_t k = (i + 1) % sides;
            std::array<uint32_t, 3> first{a + i, a + k, b + k}, second{a + i, b + k, b + i};
            if (turned) {
                std::swap(first[1], first[2]);
                std::swap(second[1], second[2]);
            }
            mesh.triangles.push_back(first);
            mesh.triangles.push_back(second);
        }
    };
    quad(0, 2 * sides, false);          // outside
    quad(sides, 3 * sides, true);       // inside
    quad(0, sides, true);               // below
    quad(2 * sides, 3 * sides, false);  // above
    return {std::make_shared<const TriangleMesh>(std::move(mesh))};
}

// Four of 128 corners carry it, and it is others from step to step: it crept by 47 mm in 30 s.
TEST(MeshOnAPlane, ATubeThatStandsOnASlopeStays) {
    for (double step : {5e-3, 2e-3}) {
        Model m;
        const double slope = 20 * pi / 180;
        m.gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)};
        const MaterialId s = m.add(Material{.static_friction = 0.5, .kinetic_friction = 0.5});
        const Mesh shape = tube(0.2, 0.18, 0.1, 64);
        const BodyId body = m.add(Body::box({0.38, 0.38, 0.1}, 2).at({0, 0, 0.05}));
        m.add(Shape{.body = body, .geometry = shape, .material = s});
        m.add(Shape{.body = Model::ground(), .geometry = Plane{}, .material = s});
        World world(m, {.step = step});
        world.advance_to(1);
        const double settled = world.pose(body).position.x;
        EXPECT_LT(settled, 1e-3) << step;
        world.advance_to(15);
        EXPECT_LT(std::abs(world.pose(body).position.x - settled), 2e-5) << step;
    }
}

}  // namespace
}  // namespace bristle::step
