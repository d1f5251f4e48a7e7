// What is in a file for Foxglove that a scene file cannot make: recordings_test.py reads the others.
#include "live/record/foxglove.h"

#include "live/record/foxglove.pb.h"
#include "live/record/mcap_reader.h"
#include "live/wire/protocol.pb.h"
#include "tests/live/recordings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bristle::live {
namespace {

std::vector<std::string> messages_of(const std::filesystem::path& file, const std::string& topic) {
    const mcap::Reader reader(file);
    std::vector<std::string> found;
    for (const mcap::ChunkInfo& chunk : reader.index().chunks) {
        const std::string bytes = reader.chunk(chunk);
        for (const mcap::Message& m : mcap::records_in(bytes).messages)
            if (reader.index().channels.at(m.channel).topic == topic) found.emplace_back(m.data);
    }
    return found;
}

// Bodies made in code have the names that they were given, or none: those without one were left out, and those with the
// same one were one frame.
TEST(Foxglove, EveryBodyHasAFrameOfItsOwn) {
    const TemporaryFolder folder;
    wire::Scene scene;
    for (const char* name : {"ground", "", "ball", "ball", "gone", "world"})
        scene.add_bodies()->set_name(name);
    scene.mutable_bodies(4)->set_is_gone(true);
    for (uint32_t body = 1; body < 6; ++body) {
        wire::Part& part = *scene.add_parts();
        part.set_body(body);
        part.add_size(0.1F * static_cast<float>(body));
        for (int i = 0; i < 3; ++i) part.add_color(0.15F * static_cast<float>(body));
    }
    {
        FoxgloveFile file(folder / "a.mcap", {});
        file.scene(scene, 0);
        file.frame(frame_at(0, 5e-3, 6), {});
        file.finish();
    }
    const std::vector<std::string> expected{"world", "body 1", "ball", "ball 2", "world 2"};
    foxglove::SceneUpdate update;
    ASSERT_TRUE(update.ParseFromString(messages_of(folder / "a.mcap", "/scene").at(0)));
    std::vector<std::string> entities, frames{"world"};
    for (const auto& entity : update.entities()) entities.push_back(entity.frame_id());
    EXPECT_EQ(entities, expected);
    foxglove::FrameTransforms transforms;
    ASSERT_TRUE(transforms.ParseFromString(messages_of(folder / "a.mcap", "/tf").at(0)));
    for (const auto& transform : transforms.transforms())
        frames.push_back(transform.child_frame_id());
    EXPECT_EQ(frames, expected);
    // Each in its own colour, also behind what is gone.
    ASSERT_EQ(update.entities(4).spheres_size(), 1);
    EXPECT_NEAR(update.entities(4).spheres(0).size().x(), 2 * 0.5, 1e-6);
    EXPECT_NEAR(update.entities(4).spheres(0).color().r(), 0.75, 0.01);
}

}  // namespace
}  // namespace bristle::live
