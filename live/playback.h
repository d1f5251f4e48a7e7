// A recording, opened: its frames to look at, its inputs and keyframes to compute it again.
#pragma once

#include "io/scene/scene.h"
#include "live/input.h"
#include "live/recorder.h"
#include "live/show.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace bristle::live {

struct RecordedKeyframe {
    uint64_t step = 0;
    double time = 0;
    uint64_t hash = 0;
    Snapshot state;
};

class RecordingFile {
  public:
    // A file whose end is missing is read as far as it goes. Throws InputError for what is no recording.
    explicit RecordingFile(const std::filesystem::path&);
    ~RecordingFile();

    const Recorder::Origin& origin() const;
    bool is_whole() const;       // it was finished, all checksums right
    std::string damage() const;  // what is wrong, in words; empty if nothing is
    // The scene again, from the files inside.
    io::Scene scene() const;
    // As it happened in the end: what was rewound is left out.
    const std::vector<InputAt>& inputs() const;
    const std::vector<RecordedKeyframe>& keyframes() const;

  private:
    friend class Playback;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Makes a file whole whose end is missing: cuts what is torn, writes index and footer. Says what it did.
std::string repair(const std::filesystem::path&);

class Playback : public Show {
  public:
    explicit Playback(const std::filesystem::path&);
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
    void wish(const Wishes&) override;
    void fill(Frame&) const override;
    std::shared_ptr<const wire::Scene> scene() const override;
    uint64_t hash() const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::live
