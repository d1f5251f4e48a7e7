// A recording, opened: its frames to look at, its inputs and keyframes to compute it again.
//
// Opening takes the summary and the inputs; frames and keyframes are unpacked when they are wanted, a chunk at a
// time, so that a recording of hours opens at once and takes little memory. What is damaged is left out: frames
// where a chunk is lost, inputs and keyframes from the first loss on, since they mean nothing without those before.
#pragma once

#include <bristle/scene.h>

#include "live/record/recorder.h"
#include "live/show/simulation.h"
#include "live/wire/input.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bristle::live {

struct RecordedKeyframe {
    uint64_t step = 0;
    double time = 0;
    uint64_t hash = 0;
};

struct RecordedChannel {
    std::string topic, schema;
    uint64_t messages = 0;
};

class RecordingFile {
  public:
    // A file whose end is missing is read as far as it goes. Throws InputError for what is no recording.
    explicit RecordingFile(const std::filesystem::path&);
    ~RecordingFile();
    RecordingFile(RecordingFile&&) noexcept;

    const Recorder::Origin& origin() const;
    const std::string& scene_name() const;
    double step_length() const;  // s
    std::vector<RecordedChannel> channels() const;
    bool is_finished() const;  // its end is there
    // What is wrong, in words; empty if it was finished and all checksums are right. Reads the whole file.
    std::string damage() const;

    // The scene again, from the files inside; they are in a temporary folder as long as this lives.
    io::Scene scene() const;
    // The simulation again, from where it began, with the inputs there were.
    std::unique_ptr<Simulation> simulation() const;
    // As it happened in the end: what was rewound is left out.
    const std::vector<InputAt>& inputs() const;
    // Reads the chunks that have some.
    std::vector<RecordedKeyframe> keyframes() const;
    Snapshot state(const RecordedKeyframe&) const;
    // Every frame in the order of its step; the same struct is filled each time.
    void for_each_frame(const std::function<void(const Frame&)>&) const;

  private:
    friend class Playback;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Makes a file whole whose end is missing: cuts what is torn, writes index and footer. Says what it did. Throws
// InputError, and changes nothing, if something else is wrong with it.
std::string repair(const std::filesystem::path&);

// Its steps are the recorded frames. Where some are missing, the one before stays.
class Playback : public Show {
  public:
    explicit Playback(
        const std::filesystem::path&);  // throws InputError, also if there are no frames
    ~Playback() override;

    double step_length() const override;
    double time() const override;
    uint64_t step() const override;
    double first_time() const override;
    double last_time() const override;
    bool advance() override;
    void go_to(double time) override;
    void apply(const Input&) override;  // throws: what has happened cannot be steered
    bool is_repeating() const override;
    void record(std::shared_ptr<Tape>) override;  // throws: it is one
    void wish(
        const Wishes&) override;  // of quantities there are none: `bristle export` computes them
    void fill(Frame&) const override;
    void fill_shared_volumes(Surface&) const override;  // none: they are not recorded
    uint64_t ground(uint64_t since, GroundNews&) const override;
    std::shared_ptr<const wire::Scene> scene() const override;
    uint64_t hash() const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
