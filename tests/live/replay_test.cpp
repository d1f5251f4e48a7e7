// A recording of a simulation computes to the same bits again, and shows the poses there were.
#include "live/record/playback.h"
#include "live/record/recorder.h"
#include "live/show/simulation.h"
#include "live/wire/ground.h"
#include "live/wire/protocol.pb.h"
#include "tests/live/recordings.h"

#include <gtest/gtest.h>

#include <functional>

namespace bristle::live {
namespace {

void advance(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.advance();
}

// A hand, a body that is added, commands, and a change of mind.
uint64_t steer(const std::filesystem::path& file, const io::Scene& scene) {
    Simulation simulation(scene);
    const auto recorder =
        std::make_shared<Recorder>(file, scene, Recorder::Origin{}, Recorder::Behind::wait);
    simulation.record(recorder);
    advance(simulation, 150);
    simulation.apply(CommandDrive{{0}, 2});
    advance(simulation, 150);
    simulation.apply(Grab{{1}, {0.5, 0, 0}, {0, 0, 1}});
    advance(simulation, 250);
    simulation.apply(AddBody{.geometry = Sphere{0.1}, .position = {0, 0, 3}});
    advance(simulation, 300);
    simulation.go_to(2.0);
    simulation.apply(ReleaseGrab{});
    simulation.apply(CommandDrive{{0}, -1});
    advance(simulation, 500);
    simulation.apply(AddBody{.geometry = Box{{0.1, 0.2, 0.3}}, .position = {1, 0, 3}});
    advance(simulation, 200);
    simulation.record(nullptr);
    recorder->finish();
    return simulation.hash();
}

TEST(Replay, ComputesTheSameBitsAgain) {
    const TemporaryFolder folder;
    const uint64_t hash = steer(folder / "a.mcap", pendulum(folder));
    const RecordingFile file(folder / "a.mcap");
    EXPECT_EQ(file.damage(), "");
    EXPECT_EQ(file.inputs().size(), 5u);
    Simulation again(file.scene());
    again.repeat(file.inputs());
    const std::vector<RecordedKeyframe> keyframes = file.keyframes();
    ASSERT_EQ(keyframes.size(), 6u);  // one a second, and the start
    for (const RecordedKeyframe& keyframe : keyframes) {
        while (again.step() < keyframe.step) again.advance();
        EXPECT_EQ(again.hash(), keyframe.hash) << keyframe.step;
    }
    while (again.step() < 1100) again.advance();
    EXPECT_EQ(again.hash(), hash);
}

// Where the model is as it was at the start, a computation can begin in the middle.
TEST(Replay, StartsAtAKeyframe) {
    const TemporaryFolder folder;
    steer(folder / "a.mcap", pendulum(folder));
    const RecordingFile file(folder / "a.mcap");
    const std::vector<RecordedKeyframe> keyframes = file.keyframes();
    World world(file.scene().model, file.scene().solver);
    world.restore(file.state(keyframes[1]));
    EXPECT_EQ(world.hash(), keyframes[1].hash);
}

TEST(Replay, TheSameRunGivesTheSameBytes) {
    const TemporaryFolder folder;
    const io::Scene scene = pendulum(folder);
    steer(folder / "a.mcap", scene);
    steer(folder / "b.mcap", scene);
    EXPECT_TRUE(are_same_recordings(folder / "a.mcap", folder / "b.mcap"));
}

TEST(Replay, ARecordingOfARecordingIsTheSame) {
    const TemporaryFolder folder;
    steer(folder / "a.mcap", pendulum(folder));
    const RecordingFile first(folder / "a.mcap");
    {
        const io::Scene scene = first.scene();
        Simulation again(scene);
        again.repeat(first.inputs());
        const auto recorder = std::make_shared<Recorder>(folder / "b.mcap", scene, first.origin(),
                                                         Recorder::Behind::wait);
        again.record(recorder);
        advance(again, 1100);
        again.record(nullptr);
    }
    const RecordingFile second(folder / "b.mcap");
    ASSERT_EQ(second.inputs().size(), first.inputs().size());
    std::vector<Frame> frames;
    first.for_each_frame([&](const Frame& frame) { frames.push_back(frame); });
    size_t i = 0;
    second.for_each_frame([&](const Frame& frame) {
        ASSERT_LT(i, frames.size());
        EXPECT_EQ(frame.step, frames[i].step);
        EXPECT_EQ(frame.poses, frames[i].poses);
        ++i;
    });
    EXPECT_EQ(i, frames.size());
}

TEST(Playback, ShowsTheFramesThatCount) {
    const TemporaryFolder folder;
    steer(folder / "a.mcap", pendulum(folder));
    const RecordingFile file(folder / "a.mcap");
    std::map<uint64_t, std::vector<float>> poses;
    file.for_each_frame([&](const Frame& frame) { poses[frame.step] = frame.poses; });

    Playback playback(folder / "a.mcap");
    EXPECT_EQ(playback.first_time(), 0);
    EXPECT_DOUBLE_EQ(playback.last_time(), 1098 * 5e-3);
    EXPECT_DOUBLE_EQ(playback.step_length(), 3 * 5e-3);
    EXPECT_TRUE(playback.scene()->is_recording());
    Frame frame;
    size_t shown = 0;
    do {
        playback.fill(frame);
        ++shown;
        ASSERT_TRUE(poses.contains(frame.step)) << frame.step;
        EXPECT_EQ(frame.poses, poses[frame.step]);
        EXPECT_EQ(playback.scene()->revision(), frame.revision);
        EXPECT_EQ(static_cast<size_t>(playback.scene()->bodies_size()) * 7, frame.poses.size());
    } while (playback.advance());
    EXPECT_EQ(shown, 1098u / 3 + 1);
    EXPECT_FALSE(playback.advance());
}

TEST(Playback, GoesToTheNearestFrame) {
    const TemporaryFolder folder;
    steer(folder / "a.mcap", pendulum(folder));
    Playback playback(folder / "a.mcap");
    Frame frame;
    const auto step_at = [&](double time) {
        playback.go_to(time);
        playback.fill(frame);
        return frame.step;
    };
    EXPECT_EQ(step_at(3.0), 600u);
    EXPECT_EQ(playback.hash(), [&] {
        const RecordingFile file(folder / "a.mcap");
        for (const RecordedKeyframe& keyframe : file.keyframes())
            if (keyframe.step == 600) return keyframe.hash;
        return uint64_t{0};
    }());
    EXPECT_NE(playback.hash(), 0u);
    EXPECT_EQ(step_at(3.005), 600u);
    EXPECT_EQ(step_at(3.010), 603u);
    EXPECT_EQ(playback.hash(), 0u);
    EXPECT_EQ(step_at(-5), 0u);
    EXPECT_EQ(step_at(1e9), 1098u);
    EXPECT_EQ(step_at(1.5), 300u);
    EXPECT_THROW(playback.go_to(NAN), InputError);
}

TEST(Playback, CannotBeSteered) {
    const TemporaryFolder folder;
    steer(folder / "a.mcap", pendulum(folder));
    Playback playback(folder / "a.mcap");
    EXPECT_THROW(playback.apply(ReleaseGrab{}), InputError);
    EXPECT_THROW(playback.wish({.quantities = {"rod.position.x"}}), InputError);
    EXPECT_NO_THROW(playback.wish({.number = 3}));
    Frame frame;
    playback.fill(frame);
    EXPECT_EQ(frame.watch, 3u);
}

// Whoever draws takes the numbers of bodies, surfaces and vertices as they are: a file that was tampered with read beyond them.
TEST(Playback, RefusesAScenePointingToWhatIsNotThere) {
    const TemporaryFolder folder;
    const auto play = [&](const std::function<void(wire::Scene&)>& spoil) {
        auto scene = std::make_shared<wire::Scene>();
        scene->set_revision(1);
        scene->add_bodies();
        wire::Surface& surface = *scene->add_surfaces();
        for (int i = 0; i < 9; ++i) surface.add_vertices(static_cast<float>(i * i));
        for (uint32_t corner = 0; corner < 3; ++corner) surface.add_triangles(corner);
        scene->add_parts()->set_kind(wire::Part::SURFACE);
        const HeightField hill{.columns = 2, .rows = 3, .heights = {0, 1, 2, 3, 4, 5}};
        encode(hill, FieldGrid::of(hill), *scene->add_fields());
        scene->add_parts()->set_kind(wire::Part::FIELD);
        spoil(*scene);
        std::filesystem::remove(folder / "a.mcap");
        {
            Recorder recorder(folder / "a.mcap", pendulum(folder), {}, Recorder::Behind::wait);
            recorder.scene(scene);
            recorder.frame(frame_at(0, 5e-3));
        }
        const Playback playback(folder / "a.mcap");
    };
    EXPECT_NO_THROW(play([](wire::Scene&) {}));
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_parts(0)->set_body(1); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_parts(0)->set_surface(1); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_parts(0)->set_paint(0); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_parts(1)->set_surface(1); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_fields(0)->set_columns(3); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_fields(0)->set_unit(0); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_fields(0)->set_spacing_y(-1); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_fields(0)->set_stride(0); }), InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_surfaces(0)->set_triangles(2, 3); }),
                 InputError);
    EXPECT_THROW(play([](wire::Scene& s) { s.mutable_surfaces(0)->set_triangles(2, 1U << 31); }),
                 InputError);
}

// A file of an hour is opened without being read.
TEST(Playback, OpensLongFilesAtOnce) {
    const TemporaryFolder folder;
    constexpr uint64_t frames = 60 * 3600;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder), {}, Recorder::Behind::wait);
        auto scene = std::make_shared<wire::Scene>();
        scene->set_revision(1);
        recorder.scene(scene);
        Frame frame = frame_at(0, 5e-3, 10);
        for (uint64_t i = 0; i < frames; ++i) {
            frame.step = 3 * i;
            frame.time = static_cast<double>(frame.step) * 5e-3;
            frame.poses[7] = static_cast<float>(i);
            recorder.frame(frame);
        }
    }
    const auto start = std::chrono::steady_clock::now();
    Playback playback(folder / "a.mcap");
    playback.go_to(1800);
    Frame frame;
    playback.fill(frame);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(frame.poses[7], 120'000.0F);
    EXPECT_LT(took.count(), 0.5);  // s; unpacking all takes longer on any machine
}

}  // namespace
}  // namespace bristle::live
