// What a recording that is opened knows, for RecordingFile and Playback.
#pragma once

#include "live/record/mcap_reader.h"
#include "live/record/playback.h"
#include "live/record/recording_format.h"
#include "live/show/timeline.h"
#include "live/wire/protocol.pb.h"

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace bristle::live {

struct LoadedChunk {
    size_t index = 0;
    std::string bytes;
    std::vector<mcap::Message> messages;  // point into the bytes
    std::vector<size_t> frames;           // those of the messages that are states
};

struct RecordingFile::Impl {
    static constexpr size_t most_cached = 4u << 20;  // bytes, of chunks of about a megabyte each

    explicit Impl(const std::filesystem::path&);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void read_metadata();
    void read_inputs();
    void unpack();
    // Messages of a kind up to the first damage, in the order of the file. An InputError is such a damage.
    void for_each(Topic, const std::function<void(const mcap::Message&)>&);
    void for_each_keyframe(const std::function<void(const wire::Keyframe&)>&);

    uint16_t channel_id(Topic topic) const { return channel_ids[static_cast<size_t>(topic)]; }
    bool has(const mcap::ChunkInfo&, Topic) const;
    std::shared_ptr<const LoadedChunk> load(size_t chunk);  // throws InputError if it is damaged

    mcap::Reader reader;
    Recorder::Origin origin;
    std::string scene_name, scene_file;
    std::string unsaid;  // why there is no scene file
    double step_length = 0;
    std::array<uint16_t, topics.size()> channel_ids{};  // by topic; 0: there are no such messages
    Timeline timeline;
    std::vector<InputAt> inputs;
    uint64_t first_hole = std::numeric_limits<uint64_t>::max();  // byte
    std::string damage;                                          // that was met
    std::vector<std::shared_ptr<const LoadedChunk>> cache;       // the latest first
    std::filesystem::path folder;                                // of the scene's files
};

}  // namespace bristle::live
