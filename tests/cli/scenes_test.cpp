// The scenes that come with Bristle say the same as the builders that tests and validation use, to the last bit.
#include <bristle/scene.h>

#include "io/scene/quantities.h"
#include "scenes/contacts.h"
#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace bristle {
namespace {

io::Scene scene_of(const std::string& name, const io::Overrides& set = {}) {
    return io::read_scene(std::filesystem::path(SCENES_FOLDER) / (name + ".yaml"), set);
}

uint64_t hash_after_50_steps(const Model& model, const Settings& solver) {
    World world(model, solver);
    for (int i = 0; i < 50; ++i) world.step();
    return world.hash();
}

void expect_same(const std::string& name, const Model& built, const io::Overrides& set = {}) {
    const io::Scene scene = scene_of(name, set);
    ASSERT_EQ(scene.model.bodies().size(), built.bodies().size()) << name;
    ASSERT_EQ(scene.model.joints().size(), built.joints().size()) << name;
    for (size_t i = 1; i < built.bodies().size(); ++i) {
        const Body &a = scene.model.bodies()[i], &b = built.bodies()[i];
        EXPECT_EQ(a.mass, b.mass) << name << ": " << a.name;
        EXPECT_TRUE(a.position == b.position && a.orientation == b.orientation
                    && a.inertia == b.inertia && a.velocity == b.velocity
                    && a.angular_velocity == b.angular_velocity)
            << name << ": " << a.name;
    }
    EXPECT_EQ(hash_after_50_steps(scene.model, scene.solver),
              hash_after_50_steps(built, scene.solver))
        << name;
}

TEST(SceneFiles, OfMechanismsAreTheBuildersOnes) {
    expect_same("four-bar", scenes::four_bars(1).model);
    expect_same("four-bar", scenes::four_bars(3).model, {{"n", "3"}});
    expect_same("four-bars-40", scenes::four_bars(40).model);
    expect_same("pendulum", scenes::pendulum().model);
    expect_same("double-pendulum", scenes::double_pendulum().model);
    expect_same("andrews", scenes::andrews().model);
    expect_same("flyball", scenes::flyball().model);
    expect_same("dzhanibekov", scenes::dzhanibekov().model);
    expect_same("chain", scenes::chain(20, 20).model);
    expect_same("chain", scenes::chain(10, 1000).model, {{"n", "10"}, {"tip_ratio", "1000"}});
}

TEST(SceneFiles, OfTheMachineAreTheBuildersOnes) {
    expect_same("machine", scenes::machine15().model);
    expect_same("machine-on-wheels",
                scenes::machine15(scenes::Machine15::Variant::on_wheels).model);
}

TEST(SceneFiles, WithContactAreTheBuildersOnes) {
    expect_same("bouncing-ball", scenes::bouncing_ball().model);
    expect_same("block-on-incline", scenes::block_on_incline(pi / 6).model);
    expect_same("block-on-incline", scenes::block_on_incline(0.1, 0.3, 2).model,
                {{"angle", "0.1"}, {"friction", "0.3"}, {"speed", "2"}});
    expect_same("mass-spring-friction", scenes::mass_spring_friction().model);
    expect_same("stick-slip", scenes::stick_slip().model);
    expect_same("rolling-cylinder", scenes::rolling_cylinder().model);
    expect_same("box-stack", scenes::box_stack(5).model);
    expect_same("gripper", scenes::gripper(scenes::Gripper::Grip::force).model);
    expect_same("chain-links", scenes::chain_links(8, pi / 6, 0.02).model);
    expect_same("field", scenes::object_field(40).model, {{"far", "30"}});
}

TEST(SceneFiles, OfValidationAreTheBuildersOnes) {
    const ContactLaw law{.stiffness = 1e7, .restitution = 0.5};
    expect_same("steel-impact", scenes::steel_impact().model);
    expect_same("colliding-balls", scenes::colliding_balls(law).model);
    expect_same("pendulum-and-wall", scenes::pendulum_and_wall(law).model);
    expect_same("double-pendulum-and-floor", scenes::double_pendulum_and_floor(law).model);
    expect_same("falling-rod", scenes::falling_rod(law).model);
    expect_same("falling-box", scenes::falling_box(scenes::FallingBox::Foremost::face, law).model,
                {{"tilt", "0"}, {"roll", "0"}, {"height", "1.25"}});
    expect_same("frame-on-slope", scenes::frame_on_slope(scenes::Feet::balls, 0.2).model,
                {{"angle", "0.2"}});
    expect_same("resisted-ball", scenes::resisted_ball(0.1, 0.02, 0.25).model, {{"angle", "0.1"}});
    expect_same("spinning-ball", scenes::spinning_ball(10, 0.01, 0.25).model);
}

TEST(SceneFiles, AskForQuantitiesThatThereAre) {
    int scenes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SCENES_FOLDER)) {
        if (entry.path().extension() != ".yaml") continue;
        const io::Scene scene = io::read_scene(entry.path());
        std::vector<std::string> names = scene.quantities;
        for (const auto& plot : scene.plots) {
            names.insert(names.end(), plot.y.begin(), plot.y.end());
            if (!plot.x.empty()) names.push_back(plot.x);
        }
        for (const std::string& name : names)
            EXPECT_NO_THROW(io::quantities(scene.model, name)) << scene.name << ": " << name;
        ++scenes;
    }
    EXPECT_GE(scenes, 28);
}

}  // namespace
}  // namespace bristle
