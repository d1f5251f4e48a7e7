// Files and scenes for the tests of recordings.
#pragma once

#include <bristle/scene.h>

#include "live/record/mcap_reader.h"
#include "live/wire/frame.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace bristle::live {

class TemporaryFolder {
  public:
    // In memory where that can be had: thousands of files are synced here.
    TemporaryFolder() {
        const std::filesystem::path memory = "/dev/shm";
        const bool has_memory = access(memory.c_str(), W_OK) == 0;
        std::string pattern =
            (has_memory ? memory : std::filesystem::temp_directory_path()) / "bristle-test-XXXXXX";
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

// A pendulum with a motor, whose bodies are in a file of another folder.
inline io::Scene pendulum(const TemporaryFolder& folder, const io::Overrides& overrides = {}) {
    write_bytes(folder / "parts" / "bodies.yaml",
                "parameters: {length: 1}\n"
                "bodies:\n"
                "  rod: {type: rod, from: [0, 0, 0], to: [length, 0, 0], mass: 1}\n");
    write_bytes(folder / "scenes" / "pendulum.yaml",
                "title: A pendulum\n"
                "parameters: {length: 1}\n"
                "include:\n"
                "  - {file: ../parts/bodies.yaml, set: {length: length}}\n"
                "joints:\n"
                "  pin: {type: revolute, b: rod, at: [0, 0, 0], axis: y}\n"
                "drives:\n"
                "  motor: {joint: pin, control: speed, max_effort: 5}\n"
                "solver: {step: 5 ms}\n"
                "duration: 5\n");
    return io::read_scene(folder / "scenes" / "pendulum.yaml", overrides);
}

// All messages of a recording, as one text.
inline std::string messages_of(const std::filesystem::path& file) {
    const mcap::Reader reader(file);
    std::ostringstream text;
    for (const mcap::ChunkInfo& chunk : reader.index().chunks) {
        const std::string bytes = reader.chunk(chunk);
        for (const mcap::Message& m : mcap::records_in(bytes).messages)
            text << m.channel << ' ' << m.sequence << ' ' << m.log_time << ' ' << m.publish_time
                 << ' ' << m.data << '\n';
    }
    return text.str();
}

// The same to the byte, unless the machine was so slow that chunks ended for the sake of time.
inline bool are_same_recordings(const std::filesystem::path& a, const std::filesystem::path& b) {
    if (bytes_of(a) == bytes_of(b)) return true;
    return mcap::Reader(a).index().chunks.size() != mcap::Reader(b).index().chunks.size()
        && messages_of(a) == messages_of(b);
}

inline Frame frame_at(uint64_t step, double step_length, size_t bodies = 3) {
    Frame frame;
    frame.step = step;
    frame.time = static_cast<double>(step) * step_length;
    frame.revision = 1;
    for (size_t i = 0; i < 7 * bodies; ++i)
        frame.poses.push_back(static_cast<float>(step) + 0.001F * static_cast<float>(i));
    return frame;
}

}  // namespace bristle::live
