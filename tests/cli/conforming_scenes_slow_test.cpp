// Parts that fit into each other, as scenes: gears, a peg, a thread, by contact alone.

#include <bristle/scene.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace bristle {
namespace {

struct Parts {
    explicit Parts(const std::string& name)
        : scene(io::read_scene(std::filesystem::path(SCENES_FOLDER) / (name + ".yaml"))),
          world(scene.model, scene.solver) {}

    io::Scene scene;
    World world;
};

// Counts turns.
class Turns {
  public:
    void follow(double angle) {
        turned_ += std::remainder(angle - last_, 2 * pi);
        last_ = angle;
    }
    double turned() const { return turned_; }

  private:
    double last_ = 0, turned_ = 0;
};

TEST(ConformingScenes, GearsTurnInTheRatioOfTheirTeeth) {
    Parts gears("gear-pair");
    World& world = gears.world;
    const JointId pinion = gears.scene.model.joint("pinion shaft"),
                  wheel = gears.scene.model.joint("wheel shaft");
    Turns small, large;
    double least = 1, most = -1;
    while (small.turned() < 20 * pi) {
        world.step();
        small.follow(world.angle(pinion));
        large.follow(world.angle(wheel));
        if (world.time() < 0.6) continue;
        const double lag = small.turned() + 1.5 * large.turned();
        least = std::min(least, lag);
        most = std::max(most, lag);
    }
    // Behind by the backlash of 2 · 0.2 mm at most, and even.
    EXPECT_GT(least, 0);
    EXPECT_LT(most, 0.4e-3 / 0.1);
    EXPECT_LT(most - least, 2e-4);
    EXPECT_NEAR(large.turned() / small.turned(), -20.0 / 30, 1e-4);
    EXPECT_EQ(world.statistics().rough_steps, 0u);
}

TEST(ConformingScenes, ThePegFindsTheGroundOfItsHole) {
    Parts peg("peg-in-hole");
    World& world = peg.world;
    const BodyId body = peg.scene.model.body("peg");
    double deepest = 0;
    while (world.time() < 1 - 5e-4) {
        world.step();
        const Vec3 foot = world.pose(body).position;
        ASSERT_TRUE(is_finite(foot));
        // Once inside it stays inside: within the play, and what contact gives.
        if (foot.z < -0.01) deepest = std::max(deepest, std::hypot(foot.x, foot.y));
    }
    const Pose end = world.pose(body);
    EXPECT_LT(deepest, 0.6e-3);
    EXPECT_NEAR(end.position.z, -0.045, 2e-5);
    EXPECT_NEAR((end.orientation.matrix() * Vec3{0, 0, 1}).z, 1, 1e-6);
    EXPECT_LT(norm(world.twist(body).linear), 1e-4);
}

TEST(ConformingScenes, OneTurnLiftsTheNutByOnePitch) {
    Parts jack("screw-jack");
    World& world = jack.world;
    const BodyId nut = jack.scene.model.body("nut");
    const JointId turning = jack.scene.model.joint("turning");
    const DriveId hand = jack.scene.model.drive("hand");
    Turns turns;
    const auto follow_to = [&](double time) {
        while (world.time() < time - 5e-4) {
            world.step();
            turns.follow(world.angle(turning));
        }
    };
    follow_to(0.5);
    const double height = world.pose(nut).position.z, angle = turns.turned();
    double effort = 0;
    int steps = 0;
    while (turns.turned() < angle + 2 * pi) {
        follow_to(world.time() + 1e-3);
        effort += world.effort(hand);
        ++steps;
    }
    EXPECT_NEAR(world.pose(nut).position.z - height, 0.004 * (turns.turned() - angle) / (2 * pi),
                4e-6);
    // The work of lifting is the least it takes; friction of the thread adds to it.
    effort /= steps;
    const double lifting = 5 * 9.81 * 0.004 / (2 * pi);
    EXPECT_GT(effort, lifting);
    EXPECT_LT(effort, 3 * lifting);
}

}  // namespace
}  // namespace bristle
