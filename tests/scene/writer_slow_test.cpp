// Every scene that comes with Bristle, written and read again, moves the same under both solvers.
#include "tests/scene/written_scene.h"

#include <gtest/gtest.h>

namespace bristle::io {
namespace {

constexpr int steps = 200;

void expect_same_motion(const char* solver) {
    for (const auto& file : all_scene_files()) {
        Scene scene = read_scene(file);
        change_solver(scene, solver, 0);
        const Scene again = written_and_read(scene);
        EXPECT_EQ(hash_after(again.model, again.solver, steps),
                  hash_after(scene.model, scene.solver, steps))
            << file << " by " << solver;
    }
}

TEST(SceneWriter, KeepsTheMotionByAugmentedLagrangian) {
    expect_same_motion("augmented_lagrangian");
}
TEST(SceneWriter, KeepsTheMotionByImpulses) { expect_same_motion("impulse"); }

}  // namespace
}  // namespace bristle::io
