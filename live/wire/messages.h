// The session's own structs as messages of protocol.proto, and back.
#pragma once

#include "live/wire/frame.h"
#include "live/wire/input.h"
#include "live/wire/protocol.pb.h"

#include <limits>

namespace bristle::live {

inline constexpr uint32_t protocol_version = wire::PROTOCOL_VERSION;

void encode(const Frame&, wire::State&);
void decode(const wire::State&, Frame&);
wire::Input encode(const InputAt&);

// Messages that change the motion. InputError names the field that makes no sense, or has a number that is larger
// than the largest.
inline constexpr double any_number = std::numeric_limits<double>::max();
Grab decode(const wire::Grab&, double largest = any_number);
MoveGrab decode(const wire::MoveGrab&, double largest = any_number);
AddBody decode(const wire::AddBody&, double largest = any_number);
AddSpring decode(const wire::AddSpring&, double largest = any_number);
AddJoint decode(const wire::AddJoint&, double largest = any_number);
Remove decode(const wire::Remove&);
// Of a recording.
InputAt decode(const wire::Input&);

}  // namespace bristle::live
