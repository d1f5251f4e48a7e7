// What writer and reader of recordings have to agree on (docs/recordings.md).
#pragma once

#include "live/record/mcap.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bristle::live {

// Channels, by their ids less one.
enum class Topic : uint8_t { scene, input, keyframe, state, ground };
inline constexpr std::array<std::string_view, 5> topics = {"/scene", "/input", "/keyframe",
                                                           "/state", "/ground"};
constexpr uint16_t channel_of(Topic topic) { return static_cast<uint16_t>(topic) + 1; }

// The metadata of this name make a file a recording of ours. Metadata have no checksum in MCAP; the entry
// `checksum` is one of all the others.
inline constexpr std::string_view metadata_name = "bristle";
inline constexpr std::string_view format_version = "1";
inline constexpr std::string_view parameter_prefix = "set ";  // "set length": "1.2"

// The attachment with the state that the simulation began with, if that is not the scene's own.
inline constexpr std::string_view start_file = "start.state";

inline std::string checksum_of(const mcap::Entries& entries) {
    mcap::Bytes bytes;
    for (const auto& [key, value] : entries) {
        if (key == "checksum") continue;
        bytes.text(key);
        bytes.text(value);
    }
    return std::to_string(mcap::crc32(bytes.view()));
}

}  // namespace bristle::live
