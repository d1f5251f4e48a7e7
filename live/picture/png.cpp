// Pictures as PNG files: RFC 2083.
#include <bristle/picture.h>

#include "io/output_file.h"

#include <zlib.h>

#include <stdexcept>

namespace bristle {
namespace {

void put(std::string& out, uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 255);
}

void put_chunk(std::string& out, const std::string& kind, const std::string& data) {
    put(out, static_cast<uint32_t>(data.size()));
    const std::string checked = kind + data;
    out += checked;
    put(out, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                         static_cast<uInt>(checked.size()))));
}

// Every row as the difference from the one above: what is even becomes zeros.
std::string rows_of(const Picture& picture) {
    constexpr char difference_from_above = 2;
    const size_t row = size_t{3} * picture.width;
    std::string out;
    out.reserve((row + 1) * picture.height);
    for (size_t y = 0; y < picture.height; ++y) {
        out += difference_from_above;
        for (size_t x = 0; x < row; ++x) {
            const uint8_t above = y == 0 ? 0 : picture.rgb[(y - 1) * row + x];
            out += static_cast<char>(static_cast<uint8_t>(picture.rgb[y * row + x] - above));
        }
    }
    return out;
}

std::string compressed(const std::string& data) {
    uLongf size = compressBound(data.size());
    std::string out(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                  reinterpret_cast<const Bytef*>(data.data()), data.size(), 6)
        != Z_OK)
        throw std::runtime_error("a picture could not be compressed");
    out.resize(size);
    return out;
}

}  // namespace

std::string png_of(const Picture& picture) {
    std::string out = "\x89PNG\r\n\x1a\n", header;
    put(header, picture.width);
    put(header, picture.height);
    // 8 bits each of red, green and blue; one way each to compress, to filter and to order.
    for (const char byte : {8, 2, 0, 0, 0}) header += byte;
    put_chunk(out, "IHDR", header);
    put_chunk(out, "IDAT", compressed(rows_of(picture)));
    put_chunk(out, "IEND", "");
    return out;
}

void write_png(const Picture& picture, const std::filesystem::path& file) {
    io::OutputFile out(file, io::OutputFile::Kind::whole_or_nothing);
    out.write(png_of(picture));
    out.publish();
}

}  // namespace bristle
