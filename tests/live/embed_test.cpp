// A world made in code is shown and recorded as a scene file is.
#include <bristle/live.h>
#include <bristle/scene.h>

#include "live/record/playback.h"
#include "tests/live/recordings.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace bristle::live {
namespace {

Model arm(const TimeFunction& target = io::time_function("0.4*sin(2*pi*t)")) {
    Model model;
    const BodyId rod = model.add(Body::rod(1, 2).at({}, Quat::about({1, 2, 3}, 0.7)));
    const Vec3 axis{0.3, 1, -0.2};
    const JointId pin = model.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = axis});
    model.add(Drive{.joint = pin, .target = target, .max_effort = 30});
    const BodyId ball = model.add(Body::sphere(0.1, 1).at({0, 2, 0.3}).moving({0.3, 0, 0}));
    model.add(Shape{.body = ball, .geometry = Sphere{0.1}});
    model.add(Shape{.body = Model::ground(), .geometry = Plane{}});
    return model;
}

const Settings both[] = {AugmentedLagrangian{.step = 2e-3}, Impulse{.step = 5e-3}};

// All keyframes, and the end.
void expect_same_again(const std::filesystem::path& file, const Recording& recording) {
    const RecordingFile again(file);
    EXPECT_EQ(again.damage(), "");
    const auto simulation = again.simulation();
    EXPECT_GE(again.keyframes().size(), 2u);
    for (const RecordedKeyframe& keyframe : again.keyframes()) {
        while (simulation->step() < keyframe.step) simulation->advance();
        EXPECT_EQ(simulation->hash(), keyframe.hash) << keyframe.step;
    }
    while (simulation->step() < recording.steps) simulation->advance();
    EXPECT_EQ(simulation->hash(), recording.hash);
}

TEST(RecordingAWorld, ComputesItAsAdvanceToDoesAndAgain) {
    for (const Settings& settings : both) {
        const TemporaryFolder folder;
        World world(arm(), settings), other(arm(), settings);
        const Recording recording = record(world, folder / "arm.mcap", 2.5, {.title = "An arm"});
        other.advance_to(2.5);
        EXPECT_EQ(world.time(), other.time());
        EXPECT_EQ(world.hash(), other.hash());
        EXPECT_EQ(recording.hash, other.hash());
        EXPECT_TRUE(recording.unsaid.empty());
        EXPECT_EQ(RecordingFile(folder / "arm.mcap").scene_name(), "an-arm");
        expect_same_again(folder / "arm.mcap", recording);
        world.step();
        other.step();
        EXPECT_EQ(world.hash(), other.hash());
    }
}

TEST(RecordingAWorld, GoesOnFromWhereItIs) {
    for (const Settings& settings : both) {
        const TemporaryFolder folder;
        World world(arm(), settings), other(arm(), settings);
        world.advance_to(0.7);
        other.advance_to(2);
        const Recording recording = record(world, folder / "arm.mcap", 2);
        EXPECT_EQ(recording.hash, other.hash());
        EXPECT_EQ(world.hash(), other.hash());
        expect_same_again(folder / "arm.mcap", recording);
        const Playback playback(folder / "arm.mcap");
        EXPECT_NEAR(playback.first_time(), 0.7, 1e-9);
        EXPECT_NEAR(playback.last_time(), 2, 0.02);
    }
}

TEST(RecordingAWorld, BeginsAnewIfItsModelWasChanged) {
    const TemporaryFolder folder;
    World world(arm(), both[0]);
    world.advance_to(0.5);
    world.change([](Model& model) { model.add(Body::point(1).at({5, 0, 5})); });
    const Recording recording = record(world, folder / "arm.mcap", 2);
    EXPECT_NEAR(world.time(), 2, 1e-9);
    expect_same_again(folder / "arm.mcap", recording);
    EXPECT_EQ(Playback(folder / "arm.mcap").first_time(), 0);
}

TEST(RecordingAWorld, OfCodeCanBeSeenButNotComputedAgain) {
    const TemporaryFolder folder;
    World world(arm([](double t) { return 0.4 * std::sin(t); }), both[0]);
    const Recording recording = record(world, folder / "arm.mcap", 1);
    ASSERT_EQ(recording.unsaid.size(), 1u);
    Playback playback(folder / "arm.mcap");
    playback.go_to(1);
    EXPECT_NEAR(playback.time(), 1, 0.02);
    try {
        RecordingFile(folder / "arm.mcap").scene();
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("drive 0: its target"), std::string::npos)
            << error.what();
    }
}

TEST(RecordingAWorld, EndsWhenItIsToldTo) {
    const TemporaryFolder folder;
    World world(arm(), both[0]);
    const Recording recording =
        record(world, folder / "arm.mcap", 1e6, {.goes_on = [] { return false; }});
    EXPECT_GT(recording.steps, 0u);
    EXPECT_NEAR(world.time(), static_cast<double>(recording.steps) * 2e-3, 1e-6);
}

TEST(ShowingAWorld, ServesThePageAndLeavesTheWorldAlone) {
    const TemporaryFolder folder;
    write_bytes(folder / "web" / "index.html", "<!doctype html>");
    World world(arm(), both[0]);
    world.advance_to(0.1);
    const uint64_t hash = world.hash();
    LiveView view = show(world, {.title = "An arm",
                                 .port = uint16_t{0},
                                 .record = folder / "shown.mcap",
                                 .pages = folder / "web"});
    EXPECT_TRUE(view.is_open());
    EXPECT_TRUE(view.address().starts_with("http://127.0.0.1:"));
    EXPECT_NE(view.address(), view.viewer_address());
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    view.stop();
    EXPECT_FALSE(view.is_open());
    view.wait();
    EXPECT_EQ(world.hash(), hash);
}

}  // namespace
}  // namespace bristle::live
