// A motion as a file that Foxglove shows without being told anything: its 3D panel finds the frames of all bodies and what they
// look like, its plots find named values.
//
//     /tf      foxglove.FrameTransforms   where every body is; its frame has its name, and the ground's is "world"
//     /scene   foxglove.SceneUpdate       what is drawn, an entity a body: at the start and after every change of the model
//     /values  bristle.Values             quantities by their own names: /values.motor.effort
//
// The schema of the values is made for the file, a field a quantity and a message an object, so that they have names and types in
// every program that reads MCAP: "crank 0.position.x" is crank_0.position.x, and what protobuf would take for the same name gets a
// number. This is a file beside the recording and not a part of it: docs/recordings.md says why.
#pragma once

#include "live/wire/frame.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bristle::wire {
class Scene;  // protocol.proto
}

namespace bristle::live {

class FoxgloveFile {
  public:
    // The file gets its name, and takes the place of another one, when it is finished. Throws InputError if it cannot be made.
    FoxgloveFile(const std::filesystem::path& file, const std::vector<std::string>& quantities);
    ~FoxgloveFile();
    FoxgloveFile(const FoxgloveFile&) = delete;
    FoxgloveFile& operator=(const FoxgloveFile&) = delete;

    void scene(const wire::Scene& scene, double time);
    // Where the bodies of the last scene are, and a value for each quantity, or none.
    void frame(const Frame& frame, std::span<const double> values);
    void finish();

    size_t frames() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
