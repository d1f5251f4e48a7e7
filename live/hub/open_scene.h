// A scene opened to be shown, steered and recorded.
#pragma once

#include "live/hub/hub.h"
#include "live/record/recorder.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace bristle::live {

// Begins where the origin says. Recordings that a user asks for go to files of their own (new_recording); the devices
// of this machine speak through the channels, and `tell` hears of them.
Opened open_scene(const std::shared_ptr<const io::Scene>&, const Recorder::Origin&,
                  std::shared_ptr<Channels>, std::function<void(const std::string&)> tell);

// Throws InputError if the file cannot be written.
RunningTape tape_to(const std::filesystem::path& file, const io::Scene&, const Recorder::Origin&);

}  // namespace bristle::live
