// Text of others on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace bristle {

// Without what a terminal would obey: control characters, also those of UTF-8 (C1) and bytes that are no UTF-8, become
// '?'. Lines and tabs stay.
std::string plain(std::string_view text);

// Bytes of the letter of UTF-8 at the start of a text that is not empty; 0: it is none.
size_t letter_length(std::string_view text);

}  // namespace bristle
