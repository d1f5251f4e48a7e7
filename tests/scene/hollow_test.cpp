// Pipes and bowls: closed, of the right volume, and touched from inside.
#include "io/scene/hollow.h"

#include <bristle/scene.h>
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::io {
namespace {

TEST(Hollow, MeshesHaveTheVolumeOfTheirWalls) {
    const auto pipe = std::make_shared<const TriangleMesh>(pipe_mesh(0.1, 0.02, 0.5, 64));
    const double walls = pi * (0.12 * 0.12 - 0.1 * 0.1) * 0.5;
    const MassProperties of_pipe = mass_properties(Mesh{pipe});
    EXPECT_NEAR(of_pipe.volume, walls, 1e-9 * walls);
    EXPECT_LT(norm(of_pipe.center), 1e-12);
    const auto bowl = std::make_shared<const TriangleMesh>(bowl_mesh(0.3, 0.02, 96));
    const double shell = 2 * pi / 3 * (std::pow(0.32, 3) - std::pow(0.3, 3));
    const MassProperties of_bowl = mass_properties(Mesh{bowl});
    EXPECT_NEAR(of_bowl.volume, shell, 0.01 * shell);
    EXPECT_LT(of_bowl.center.z, -0.1);
}

// A small ball in a bowl without friction swings like a pendulum of the length between the centres.
TEST(Hollow, ABallSwingsInABowl) {
    const Scene s = parse_scene(R"(
materials: {ice: {static_friction: 0, kinetic_friction: 0, restitution: 0}}
bodies:
  ball: {type: sphere, radius: 0.02, mass: 0.1, position: [0.04, 0, -0.4776], material: ice}
shapes:
  bowl: {type: bowl, radius: 0.5, thickness: 0.02, material: ice, segments: 128}
solver: {step: 1 ms}
)");
    World world(s.model, s.solver);
    const auto ball = s.model.body("ball");
    double last = 0.04, crossed = 0;
    for (int i = 0; i < 1200 && crossed == 0; ++i) {
        world.step();
        const double x = world.pose(ball).position.x;
        if (last > 0 && x <= 0) crossed = world.time();
        last = x;
    }
    // The facets are felt: a few percent.
    EXPECT_NEAR(crossed, 0.25 * 2 * pi * std::sqrt(0.48 / 9.81), 0.03);
    world.advance_to(3);
    EXPECT_LT(world.pose(ball).position.z, -0.47) << "it stays in it";
    EXPECT_GT(world.pose(ball).position.z, -0.485);
}

TEST(Hollow, ABallStaysInAPipeUnderBothSolvers) {
    for (const char* solver : {"augmented_lagrangian", "impulse"}) {
        SCOPED_TRACE(solver);
        const Scene s = parse_scene(std::string(R"(
materials: {steel: {static_friction: 0.3, kinetic_friction: 0.3, restitution: 0}}
bodies:
  ball: {type: sphere, radius: 0.05, mass: 0.1, position: [0.03, 0, -0.04], velocity: [0, 0.5, 0], material: steel}
shapes:
  pipe: {type: pipe, radius: 0.1, thickness: 0.01, length: 4, rotation: {axis: x, angle: 90 deg}, material: steel}
solver: {step: 2 ms, type: )") + solver
                                    + "}\n");
        World world(s.model, s.solver);
        world.advance_to(2);
        const Vec3 at = world.pose(s.model.body("ball")).position;
        EXPECT_LT(std::hypot(at.x, at.z), 0.055);
        EXPECT_LT(at.z, -0.03);
        EXPECT_GT(at.y, 0.5) << "it rolls along";
    }
}

}  // namespace
}  // namespace bristle::io
