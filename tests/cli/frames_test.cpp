// Frames of exports: as far apart as they are asked for, of what is computed and of what is only played.
#include "cli/frames.h"

#include <bristle/live.h>

#include "cli/recordings.h"
#include "tests/live/recordings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bristle::cli {
namespace {

void expect_every(double every, double apart, live::Show& show, uint64_t last_step) {
    std::vector<double> times;
    EXPECT_EQ(write_frames(show, last_step, every, [&] { times.push_back(show.time()); }), "");
    ASSERT_GT(times.size(), 3U);
    for (size_t i = 1; i + 1 < times.size(); ++i)
        EXPECT_NEAR(times[i] - times[i - 1], apart, 1e-9) << i;
    EXPECT_GT(times.back(), times[times.size() - 2]);  // none twice
    EXPECT_NEAR(times.back(), show.last_time(), 1e-9);
}

// A played recording wrote all its frames, whatever was asked for: its steps were taken for those of the simulation, of which
// there are eight from one frame to the next.
TEST(Frames, AreAsFarApartAsTheyAreAskedFor) {
    const live::TemporaryFolder folder;
    Model model;
    model.add(Body::sphere(0.1, 1));
    World world(model, AugmentedLagrangian{.step = 2e-3});
    record(world, folder / "ball.mcap", 1);
    const live::RecordingFile file(folder / "ball.mcap");
    expect_every(0.1, 0.1, *file.simulation(), last_step(file));
    live::Playback playback(folder / "ball.mcap");
    const double frame = playback.step_length();
    expect_every(0.1, std::floor(0.1 / frame) * frame, playback, last_step(file));
}

TEST(Frames, AreAtLeastAStepApart) {
    EXPECT_EQ(stride_for(0, 0.001), 1U);
    EXPECT_EQ(stride_for(0.01, 0.001), 10U);
    EXPECT_GT(stride_for(1e300, 0.001), 1'000'000'000U);
}

}  // namespace
}  // namespace bristle::cli
