// The session's own structs as messages of protocol.proto, and back.
#pragma once

#include "live/wire/frame.h"
#include "live/wire/input.h"
#include "live/wire/protocol.pb.h"

#include <string_view>

namespace bristle::live {

inline constexpr uint32_t protocol_version = 1;

// By its name in to_string(JointType). Throws InputError.
JointType joint_type(std::string_view name);

void encode(const Frame&, wire::State&);
void decode(const wire::State&, Frame&);
wire::Input encode(const InputAt&);
// Throws InputError for a message that makes no sense.
InputAt decode(const wire::Input&);

}  // namespace bristle::live
