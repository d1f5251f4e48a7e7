#include "io/height_file.h"
#include "tests/fuzz/fuzz.h"

#include <zlib.h>

namespace {

// Checksums put right, or no change would get past the first chunk.
std::string with_checksums(std::string bytes) {
    for (size_t at = 8; at + 12 <= bytes.size();) {
        uint32_t size = 0;
        for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<uint8_t>(bytes[at + i]);
        if (size > bytes.size() - at - 12) break;
        const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()) + at + 4, size + 4);
        for (size_t i = 0; i < 4; ++i)
            bytes[at + 8 + size + i] = static_cast<char>(sum >> (24 - 8 * i) & 255);
        at += 12 + size_t{size};
    }
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace bristle;
    return fuzz::tried([&] {
        const std::string bytes = with_checksums(std::string(fuzz::text(data, size)));
        io::heights_of(io::read_grey_png(bytes, "fuzz.png", 100'000), {.high = 3});
    });
}
