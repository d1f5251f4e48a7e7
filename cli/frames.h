// What the exports share that write a motion as frames: which recordings they take, which steps are frames, and how they end.
#pragma once

#include "cli/commands.h"
#include "live/record/playback.h"
#include "live/show/show.h"

#include <cstdint>
#include <functional>
#include <string>

namespace bristle::cli {

// The recording to export. What is damaged is told; what would make another motion of it is refused by InputError.
live::RecordingFile recording_to_export(const ExportOptions&);

// Steps from one frame to the next, at least one.
uint64_t stride_for(double every, double step_length);

// Calls `write` where the show is, then every so many seconds and at the end, which is the last step, a signal or a failure. Says
// which failure.
std::string write_frames(live::Show&, uint64_t last_step, double every,
                         const std::function<void()>& write);

// Tells a failure, if there was one; the exit code.
int end_of_export(const std::string& failure);

}  // namespace bristle::cli
