#include "base/plain.h"

#include <algorithm>

namespace bristle {
namespace {

bool is_obeyed(std::string_view letter) {
    const auto first = static_cast<unsigned char>(letter[0]);
    if (letter.size() == 1)
        return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
    const auto second = static_cast<unsigned char>(letter[1]);
    if (letter.size() == 2) return first == 0xC2 && second < 0xA0;  // C1
    // Marks that turn the order of writing: U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
    if (letter.size() != 3 || first != 0xE2) return false;
    const auto third = static_cast<unsigned char>(letter[2]);
    return (second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xAA && third <= 0xAE)))
        || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

}  // namespace

size_t letter_length(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const size_t length = first < 0x80 ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
    if (length > text.size()) return 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0u) != 0x80) return 0;
    // Longer than need be, halves of a letter of UTF-16, and beyond the last one.
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)
        || (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
        return 0;
    return length;
}

std::string plain(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const size_t length = letter_length(text);
        const std::string_view letter = text.substr(0, std::max<size_t>(length, 1));
        if (length == 0 || is_obeyed(letter))
            out += '?';
        else
            out += letter;
        text.remove_prefix(letter.size());
    }
    return out;
}

}  // namespace bristle
