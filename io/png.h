// Grey PNG images, as heights are kept in: 8 or 16 bits, not interlaced.
//
// Read by ourselves over zlib, as meshes are, and not by libpng: what it is for is 150 lines, memory is bounded by the
// dimensions, which are looked at first, and every message names the file and what to do. What surveyors and terrain programs
// export is this kind; others are one command away from it, which the message says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

// As stored: gamma and colour profiles are left aside, for these are no colours.
struct GreyImage {
    uint32_t columns = 0, rows = 0;
    uint32_t white = 255;          // 65535 of 16 bits
    std::vector<uint16_t> pixels;  // row by row, from the top
};

// `name` is what errors call the file. Throws InputError: what is wrong, where, and what was expected.
GreyImage read_grey_png(std::string_view bytes, const std::string& name, uint64_t most_pixels);

}  // namespace bristle::io
