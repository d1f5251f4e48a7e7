// The document's demos (spec D7) as scenes: ten minutes each, and still what they are.

#include <bristle/scene.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace bristle {
namespace {

class Demo {
  public:
    explicit Demo(const std::string& name)
        : scene_(io::read_scene(std::filesystem::path(SCENES_FOLDER) / (name + ".yaml"))),
          world_(scene_.model, scene_.solver) {}

    World& world() { return world_; }
    Pose pose(const std::string& body) const { return world_.pose(scene_.model.body(body)); }
    double coordinate(const std::string& joint) const {
        return world_.coordinate(scene_.model.joint(joint));
    }
    // How far a body has turned about the normal of the plane, −π … π.
    double tilt(const std::string& body) const {
        const Vec3 up = pose(body).orientation.matrix() * Vec3{0, 0, 1};
        return std::atan2(up.x, up.z);
    }
    void expect_good() const {
        for (uint32_t i = 1; i < scene_.model.bodies().size(); ++i) {
            const Pose now = world_.pose(BodyId{i});
            const Body& start = scene_.model.bodies()[i];
            ASSERT_TRUE(is_finite(now.position)) << start.name;
            EXPECT_NEAR(now.position.y, start.position.y, 1e-6) << start.name;
            EXPECT_LT(norm(world_.twist(BodyId{i}).linear), 20) << start.name;
        }
    }

  private:
    io::Scene scene_;
    World world_;
};

constexpr double ten_minutes = 600;

TEST(PlanarScenes, TheStackOf20Stands) {
    Demo demo("stack-of-20");
    demo.world().advance_to(ten_minutes);
    demo.expect_good();
    for (int i = 0; i < 20; ++i) {
        const std::string box = "box " + std::to_string(i);
        // Each contact may be 2 mm deep.
        EXPECT_NEAR(demo.pose(box).position.z, 0.5 * i + 0.25, 0.003 * (i + 1)) << box;
        EXPECT_NEAR(demo.pose(box).position.x, 0, 0.02) << box;
        EXPECT_NEAR(demo.tilt(box), 0, 0.01) << box;
    }
}

TEST(PlanarScenes, TheSeesawThrowsItsBoxes) {
    Demo demo("seesaw");
    double highest = 0;
    while (demo.world().time() < 4) {
        demo.world().step();
        highest = std::max(highest, demo.pose("box 1").position.z);
    }
    EXPECT_GT(highest, 2) << "it was 0.9 m high";
    demo.world().advance_to(ten_minutes);
    demo.expect_good();
    EXPECT_LT(demo.pose("weight").position.z, 1);
    EXPECT_LT(std::abs(demo.coordinate("pivot")), 0.54) << "the plank ends at the floor";
    for (const char* body : {"box 0", "box 1", "ball", "weight"}) {
        EXPECT_GT(demo.pose(body).position.z, 0.15) << body;
        EXPECT_LT(std::abs(demo.pose(body).position.x), 5) << body;
    }
}

TEST(PlanarScenes, TheRagdollFallsDownAndStaysInOnePiece) {
    Demo demo("ragdoll");
    demo.world().advance_to(ten_minutes);
    demo.expect_good();
    EXPECT_LT(demo.pose("head").position.z, 2.5) << "the landing is 2.56 m high";
    EXPECT_GT(demo.pose("head").position.z, 0.1);
    EXPECT_LT(norm(demo.pose("head").position - demo.pose("chest").position), 0.45);
    for (const char* side : {"0", "1"}) {
        const double knee = demo.coordinate(std::string("knee ") + side);
        EXPECT_GT(knee, -0.1);
        EXPECT_LT(knee, 2.45);
    }
}

TEST(PlanarScenes, TheTruckStaysOnTheRoad) {
    Demo demo("truck");
    double farthest = 0;
    while (demo.world().time() < ten_minutes - 1e-6) {
        demo.world().step();
        farthest = std::max(farthest, demo.pose("trailer").position.x);
    }
    demo.expect_good();
    EXPECT_GT(farthest, 30) << "it drives";
    EXPECT_NEAR(demo.tilt("tractor"), 0, 0.2);
    EXPECT_NEAR(demo.tilt("trailer"), 0, 0.2);
    EXPECT_GT(demo.pose("trailer").position.z, -0.4);
    EXPECT_GT(demo.pose("trailer").position.x, -4.5);
    EXPECT_LT(demo.pose("trailer").position.x, 46);
}

// Spec K7: CONTRACT stretches the springs by 1 m (200 N) and 2 m (400 N) and stops; then EXTEND at max_speed.
TEST(PlanarScenes, TheHydraulicRigStretchesItsSprings) {
    Demo demo("hydraulic-rig");
    demo.world().advance_to(4.9);
    EXPECT_NEAR(demo.coordinate("slide 0"), 1, 0.01);
    EXPECT_NEAR(demo.coordinate("slide 1"), 2, 0.01);
    demo.world().advance_to(5.5);
    const double before = demo.coordinate("slide 1");
    demo.world().advance_to(6);
    EXPECT_NEAR(before - demo.coordinate("slide 1"), 0.5, 0.01) << "1 m/s";
    demo.world().advance_to(ten_minutes);
    demo.expect_good();
    for (const char* slide : {"slide 0", "slide 1"})
        EXPECT_NEAR(demo.coordinate(slide), -0.3, 0.01);
}

}  // namespace
}  // namespace bristle
