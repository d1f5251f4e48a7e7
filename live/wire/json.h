// Messages of protocol.proto as JSON text, by protobuf's own mapping with the names as they are in the schema. All
// numbers are numbers, also those of 64 bits.
//
// Protobuf has a reader of its own. It takes a text for a list and "NaN" for a number, does not miss what is missing
// and says no more of a mistake than `invalid value -1 for type TYPE_UINT32`: not for what strangers send.
#pragma once

#include <string>
#include <string_view>

namespace google::protobuf {
class Message;
}

namespace bristle::live {

inline constexpr int most_depth = 8;         // of what is nested
inline constexpr size_t longest_text = 200;  // bytes

// Reads what a stranger sent: one object in valid UTF-8 with the fields of the message. Those that are neither
// `optional` nor `repeated` must be there, and nothing else; of a `oneof`, one. Throws InputError that says
// which field is wrong and what it should be; fields before it are set then.
void read_json(std::string_view text, google::protobuf::Message&);

// On one line, with all fields but those that are left out. What is no valid UTF-8 (a file's name may be anything)
// is replaced.
std::string to_json(const google::protobuf::Message&);

}  // namespace bristle::live
