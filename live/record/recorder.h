// Writes a simulation into an MCAP file: scene, inputs, keyframes and frames (docs/recordings.md).
//
// The simulation's thread only copies into rings that are there; a thread of the recorder's own
// compresses and writes, a chunk at least every fifth of a second of wall time, so that whatever ends the
// program loses less than half a second. A disk that cannot follow loses frames, which are counted, never
// inputs, scenes or keyframes: for those a simulation would wait, after a minute of it or 64 MB.
//
// Messages have as log time the simulated time of the whole session, which goes on when the session goes back, and as
// publish time the time of the simulation. No clock of the wall gets into the file: the same run gives the same
// messages, and the same bytes unless it was so slow that chunks were written for the sake of time.
#pragma once

#include <bristle/scene.h>

#include "live/show/tape.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace bristle::live {

class Recorder : public Tape {
  public:
    // What made the scene what it is, besides its files, which are copied into the recording.
    struct Origin {
        io::Overrides overrides;
        double step = 0;     // s; 0: the scene's own
        std::string solver;  // empty: the scene's own
        uint64_t seed = 0;   // of whatever draws random numbers; nothing in the engine does
        std::optional<Snapshot> start = {};  // where the simulation begins, if not with the scene …
        double start_time = 0;               // … and when, s
    };
    // What happens to frames when the disk cannot follow.
    enum class Behind : uint8_t {
        lose_frames,  // for a session, which must not wait
        wait          // for a run without one
    };
    // Throws InputError if the file cannot be written; one that exists is not written over.
    Recorder(const std::filesystem::path& file, const io::Scene&, const Origin&,
             Behind = Behind::lose_frames);
    ~Recorder() override;    // finishes the file
    void finish() override;  // throws what went wrong with the disk; may be called once more
    std::string trouble() const override;

    uint64_t lost_frames() const;
    uint64_t bytes() const;

    void scene(const std::shared_ptr<const wire::Scene>&) override;
    void input(const InputAt&) override;
    void rewind(uint64_t to_step) override;
    void frame(const Frame&) override;
    void ground(GroundNews) override;
    void keyframe(uint64_t step, double time, uint64_t hash, Snapshot) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
