// What a tape is told comes back from the file, in order and in time.
#include "live/record/recorder.h"

#include "live/record/mcap_reader.h"
#include "live/record/playback.h"
#include "live/wire/messages.h"
#include "tests/live/recordings.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <thread>

namespace bristle::live {
namespace {

using namespace std::chrono_literals;
constexpr double step = 5e-3;

std::shared_ptr<const wire::Scene> some_scene(uint32_t revision = 1) {
    auto scene = std::make_shared<wire::Scene>();
    scene->set_name("pendulum");
    scene->set_revision(revision);
    scene->add_quantities("rod.position.x");
    return scene;
}

Snapshot some_state(uint64_t at) {
    return {11, 12, std::vector<std::byte>(100, static_cast<std::byte>(at))};
}

// Frames of every third step, a keyframe every thirty, an input every hundred. After a rewind the state is
// the one that was told before.
void tell(Tape& tape, uint64_t from, uint64_t to, double command, bool is_rewound = false) {
    for (uint64_t i = from; i < to; ++i) {
        if (i % 100 == 0) tape.input({i, CommandDrive{{0}, command + static_cast<double>(i)}});
        if (i == from && is_rewound) continue;
        if (i % 3 == 0) tape.frame(frame_at(i, step));
        if (i % 30 == 0) tape.keyframe(i, static_cast<double>(i) * step, 1000 + i, some_state(i));
    }
}

TEST(Recorder, GivesBackWhatItWasTold) {
    const TemporaryFolder folder;
    {
        Recorder recorder(
            folder / "a.mcap", pendulum(folder, {{"length", "2"}}),
            {.overrides = {{"length", "2"}}, .step = 5e-3, .solver = "baumgarte", .seed = 42},
            Recorder::Behind::wait);
        recorder.scene(some_scene());
        tell(recorder, 0, 1000, 0.5);
        recorder.finish();
        EXPECT_EQ(recorder.lost_frames(), 0u);
        EXPECT_EQ(recorder.bytes(), bytes_of(folder / "a.mcap").size());
    }
    const RecordingFile file(folder / "a.mcap");
    EXPECT_EQ(file.damage(), "");
    EXPECT_EQ(file.origin().overrides, (io::Overrides{{"length", "2"}}));
    EXPECT_EQ(file.origin().step, 5e-3);
    EXPECT_EQ(file.origin().solver, "baumgarte");
    EXPECT_EQ(file.origin().seed, 42u);
    ASSERT_EQ(file.inputs().size(), 10u);
    EXPECT_EQ(file.inputs()[3].step, 300u);
    EXPECT_EQ(std::get<CommandDrive>(file.inputs()[3].input).value, 300.5);
    const std::vector<RecordedKeyframe> keyframes = file.keyframes();
    ASSERT_EQ(keyframes.size(), 34u);
    EXPECT_EQ(keyframes[2].step, 60u);
    EXPECT_EQ(keyframes[2].hash, 1060u);
    const Snapshot state = file.state(keyframes[2]);
    EXPECT_EQ(state.origin(), 11u);
    EXPECT_EQ(state.equations(), 12u);
    EXPECT_EQ(state.bytes(), some_state(60).bytes());
    uint64_t next = 0;
    file.for_each_frame([&](const Frame& frame) {
        EXPECT_EQ(frame.step, next);
        EXPECT_EQ(frame.poses, frame_at(next, step).poses);
        next += 3;
    });
    EXPECT_EQ(next, 1002u);
}

// The files of the scene are in the recording: it can be moved to where they are not.
TEST(Recorder, KeepsTheSceneWithItsIncludes) {
    const TemporaryFolder folder;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder, {{"length", "2"}}),
                          {.overrides = {{"length", "2"}}, .step = 2e-3, .solver = "penalty"});
        recorder.scene(some_scene());
    }
    std::filesystem::remove_all(folder / "scenes");
    std::filesystem::remove_all(folder / "parts");
    const RecordingFile file(folder / "a.mcap");
    const io::Scene scene = file.scene();
    EXPECT_EQ(scene.name, "pendulum");
    EXPECT_EQ(scene.title, "A pendulum");
    EXPECT_EQ(scene.model.bodies().size(), 2u);
    EXPECT_EQ(scene.parameters.at(0).value, 2);
    EXPECT_TRUE(std::holds_alternative<Penalty>(scene.solver));
    EXPECT_EQ(step_of(scene.solver), 2e-3);
    EXPECT_EQ(scene.files.size(), 2u);
}

TEST(Recorder, KeepsTheSolver) {
    const TemporaryFolder folder;
    for (const std::string& name : io::solver_names()) {
        const auto file = folder / (name + ".mcap");
        {
            Recorder recorder(file, pendulum(folder), {.solver = name});
            recorder.scene(some_scene());
        }
        io::Scene scene = pendulum(folder);
        io::change_solver(scene, name, 0);
        EXPECT_EQ(RecordingFile(file).scene().solver.index(), scene.solver.index());
    }
}

TEST(Recorder, ARewindUndoesWhatCameAfter) {
    const TemporaryFolder folder;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder), {}, Recorder::Behind::wait);
        recorder.scene(some_scene());
        tell(recorder, 0, 1000, 0);
        recorder.rewind(450);
        tell(recorder, 450, 700, 10'000, true);
        recorder.rewind(200);
        tell(recorder, 200, 260, 20'000, true);
        recorder.rewind(240);
        tell(recorder, 240, 900, 30'000, true);
    }
    const RecordingFile file(folder / "a.mcap");
    std::vector<double> values;
    for (const InputAt& input : file.inputs())
        values.push_back(std::get<CommandDrive>(input.input).value);
    EXPECT_EQ(values, (std::vector<double>{0, 100, 20'200, 30'300, 30'400, 30'500, 30'600, 30'700,
                                           30'800}));
    std::vector<uint64_t> steps;
    for (const RecordedKeyframe& keyframe : file.keyframes()) steps.push_back(keyframe.step);
    ASSERT_EQ(steps.size(), 30u);
    for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], 30 * i);
    uint64_t next = 0;
    file.for_each_frame([&](const Frame& frame) {
        EXPECT_EQ(frame.step, next);
        next += 3;
    });
    EXPECT_EQ(next, 900u);
}

// Back from step 12 to step 11, of which the file knows nothing: its last frame is of step 9.
TEST(Recorder, GoesBackBetweenTwoFrames) {
    const TemporaryFolder folder;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder), {}, Recorder::Behind::wait);
        recorder.scene(some_scene());
        tell(recorder, 0, 10, 0);
        recorder.rewind(11);
        recorder.input({11, CommandDrive{{0}, 7}});
        recorder.frame(frame_at(12, step));
    }
    const RecordingFile file(folder / "a.mcap");
    ASSERT_EQ(file.inputs().size(), 2u);
    EXPECT_EQ(file.inputs()[1].step, 11u);
    std::vector<uint64_t> frames;
    file.for_each_frame([&](const Frame& frame) { frames.push_back(frame.step); });
    EXPECT_EQ(frames, (std::vector<uint64_t>{0, 3, 6, 9, 12}));
}

// Log times of the file never go back, and publish times are those of the simulation.
TEST(Recorder, LogTimeGoesOnWhenTheSessionGoesBack) {
    const TemporaryFolder folder;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder), {}, Recorder::Behind::wait);
        recorder.scene(some_scene());
        tell(recorder, 0, 301, 0);
        recorder.rewind(100);
        tell(recorder, 100, 200, 0, true);
    }
    const mcap::Reader reader(folder / "a.mcap");
    uint64_t before = 0, last_publish = 0;
    for (const mcap::ChunkInfo& chunk : reader.index().chunks) {
        const std::string bytes = reader.chunk(chunk);
        for (const mcap::Message& m : mcap::records_in(bytes).messages) {
            EXPECT_GE(m.log_time, before);
            before = m.log_time;
            last_publish = m.publish_time;
        }
    }
    EXPECT_EQ(before, (300u + 1 + 98) * 5'000'000u);  // one step for the rewind
    EXPECT_EQ(last_publish, 198u * 5'000'000u);
}

TEST(Recorder, TheSameRunGivesTheSameBytes) {
    const TemporaryFolder folder;
    const io::Scene scene = pendulum(folder);
    for (const char* name : {"a.mcap", "b.mcap"}) {
        Recorder recorder(folder / name, scene, {}, Recorder::Behind::wait);
        recorder.scene(some_scene());
        tell(recorder, 0, 3000, 0.5);
        recorder.rewind(2000);
        tell(recorder, 2000, 6000, 0.5, true);
    }
    EXPECT_TRUE(are_same_recordings(folder / "a.mcap", folder / "b.mcap"));
}

// Also when nothing more comes: a session that is paused.
TEST(Recorder, HasOnDiskWithinHalfASecondWhatItWasTold) {
    const TemporaryFolder folder;
    Recorder recorder(folder / "a.mcap", pendulum(folder), {});
    recorder.scene(some_scene());
    tell(recorder, 0, 31, 0);
    std::this_thread::sleep_for(500ms);
    std::filesystem::copy_file(folder / "a.mcap", folder / "b.mcap");
    const RecordingFile file(folder / "b.mcap");
    EXPECT_FALSE(file.is_finished());
    EXPECT_EQ(file.keyframes().size(), 2u);
    EXPECT_EQ(file.inputs().size(), 1u);
}

// The bytes of a file as it is after a kill, at some moments of a run.
TEST(Recorder, CanBeReadAtAnyMomentOfItsMaking) {
    const TemporaryFolder folder;
    Recorder recorder(folder / "a.mcap", pendulum(folder), {});
    const size_t beginning = bytes_of(folder / "a.mcap").size();
    recorder.scene(some_scene());
    uint64_t known = 0;
    for (uint64_t i = 0; i < 12 || (known <= 30 && i < 100); ++i) {
        tell(recorder, 20 * i, 20 * (i + 1), 0);
        std::this_thread::sleep_for(50ms);
        const std::string now = bytes_of(folder / "a.mcap");
        write_bytes(folder / "b.mcap", now.substr(0, std::max(beginning, now.size() - i * 10)));
        const RecordingFile file(folder / "b.mcap");
        uint64_t frames = 0;
        file.for_each_frame([&](const Frame& frame) {
            EXPECT_EQ(frame.step, 3 * frames);
            ++frames;
        });
        known = std::max(known, frames);
        repair(folder / "b.mcap");
        EXPECT_EQ(RecordingFile(folder / "b.mcap").damage(), "");
    }
    EXPECT_GT(known, 30u);
}

// A disk that cannot follow: here, one that gets far more than any simulation gives.
TEST(Recorder, LosesFramesRatherThanTimeAndNeverInputs) {
    const TemporaryFolder folder;
    uint64_t lost = 0, kept = 0;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder), {});
        recorder.scene(some_scene());
        tell(recorder, 0, 30'000, 0);
        recorder.finish();
        lost = recorder.lost_frames();
    }
    const RecordingFile file(folder / "a.mcap");
    file.for_each_frame([&](const Frame&) { ++kept; });
    EXPECT_EQ(lost + kept, 10'000u);
    EXPECT_EQ(file.inputs().size(), 300u);
    EXPECT_EQ(file.keyframes().size(), 1000u);
}

TEST(Recorder, ADiskThatIsFullEndsTheRecordingAndNotTheSimulation) {
    const TemporaryFolder folder;
    const io::Scene scene = pendulum(folder);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_IGN);
    {
        Recorder recorder(folder / "a.mcap", scene, {}, Recorder::Behind::wait);
        rlimit small = before;
        small.rlim_cur = 100'000;
        setrlimit(RLIMIT_FSIZE, &small);
        recorder.scene(some_scene());
        tell(recorder, 0, 20'000, 0.5);
        try {
            recorder.finish();
            ADD_FAILURE() << "no error";
        } catch (const std::runtime_error& error) {
            EXPECT_NE(std::string(error.what()).find("a.mcap"), std::string::npos);
        }
    }
    setrlimit(RLIMIT_FSIZE, &before);
    const RecordingFile file(folder / "a.mcap");
    EXPECT_FALSE(file.is_finished());
    EXPECT_GT(file.keyframes().size(), 10u);
    EXPECT_NE(repair(folder / "a.mcap").find("cut 0 torn bytes"), std::string::npos);
}

TEST(Recorder, RecordsScenesThatAreInNoFileToo) {
    const TemporaryFolder folder;
    EXPECT_NO_THROW(Recorder(folder / "a.mcap", io::parse_scene("title: nothing"), {}));
    EXPECT_NO_THROW(RecordingFile(folder / "a.mcap"));
}

TEST(Recorder, RefusesAFolderThatIsNotThere) {
    const TemporaryFolder folder;
    EXPECT_THROW(Recorder(folder / "no/such/folder/a.mcap", pendulum(folder), {}), InputError);
}

TEST(RecordingFile, RefusesWhatIsNoRecording) {
    const TemporaryFolder folder;
    EXPECT_THROW(RecordingFile(folder / "nothing.mcap"), InputError);
    EXPECT_THROW(RecordingFile(folder / ""), InputError);
    write_bytes(folder / "text.mcap", "title: A pendulum, much longer than a magic number");
    EXPECT_THROW(RecordingFile(folder / "text.mcap"), InputError);
    write_bytes(folder / "empty.mcap", "");
    EXPECT_THROW(RecordingFile(folder / "empty.mcap"), InputError);
    write_bytes(folder / "magic.mcap", std::string(mcap::magic));
    EXPECT_THROW(RecordingFile(folder / "magic.mcap"), InputError);
}

// What the whole stack gives out of a damaged file is what was recorded, or it says what is lost.
TEST(RecordingFile, SurvivesRandomDamage) {
    const TemporaryFolder folder;
    {
        Recorder recorder(folder / "a.mcap", pendulum(folder), {}, Recorder::Behind::wait);
        recorder.scene(some_scene());
        tell(recorder, 0, 1200, 0.5);
    }
    const std::string whole = bytes_of(folder / "a.mcap");
    testing_support::Random random(3);
    for (int i = 0; i < 500; ++i) {
        std::string bytes = whole;
        if (random.chance(0.5))
            bytes.resize(static_cast<size_t>(random.integer(0, static_cast<int>(bytes.size()))));
        for (int flips = random.integer(0, 4); flips > 0 && !bytes.empty(); --flips)
            bytes[static_cast<size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1))] =
                static_cast<char>(random.integer(0, 255));
        write_bytes(folder / "b.mcap", bytes);
        try {
            const RecordingFile file(folder / "b.mcap");
            for (size_t k = 0; k < file.inputs().size(); ++k)
                EXPECT_EQ(file.inputs()[k].step, 100 * k);
            for (const RecordedKeyframe& keyframe : file.keyframes())
                EXPECT_EQ(keyframe.hash, 1000 + keyframe.step);
            file.for_each_frame([](const Frame& frame) {
                EXPECT_EQ(frame.poses, frame_at(frame.step, step).poses);
            });
            EXPECT_EQ(file.damage().empty(), bytes == whole);
            Playback playback(folder / "b.mcap");
            while (playback.advance()) {
                Frame frame;
                playback.fill(frame);
                EXPECT_EQ(frame.poses, frame_at(frame.step, step).poses);
            }
            file.scene();
        } catch (const InputError&) {
        }
    }
}

}  // namespace
}  // namespace bristle::live
