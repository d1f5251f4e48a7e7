#include "io/png.h"

#include <bristle/error.h>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bristle::io {
namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);

uint32_t big_endian(std::string_view bytes, size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
    return value;
}

class PngReader {
  public:
    PngReader(std::string_view bytes, const std::string& name, uint64_t most_pixels)
        : bytes_(bytes), name_(name), most_pixels_(most_pixels) {}

    GreyImage read() {
        if (bytes_.substr(0, signature.size()) != signature)
            fail("it is no PNG image; expected one, grey, of 8 or 16 bits");
        at_ = signature.size();
        Chunk chunk = next();
        if (chunk.kind != "IHDR" || chunk.data.size() != 13)
            fail("its first chunk is no header of 13 bytes (IHDR)");
        read_header(chunk.data);
        std::string compressed;
        while (chunk.kind != "IEND") {
            chunk = next();
            if (chunk.kind == "IDAT") compressed += chunk.data;
        }
        if (compressed.empty()) fail("it has no pixels (no chunk IDAT)");
        unfilter(inflated(compressed));
        return std::move(image_);
    }

  private:
    struct Chunk {
        std::string_view kind, data;
    };

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}: {}", name_, what));
    }

    Chunk next() {
        if (bytes_.size() - at_ < 12)
            fail(fmt::format("it ends at byte {} in the middle; expected a whole image",
                             bytes_.size()));
        const uint64_t size = big_endian(bytes_, at_);
        if (size > bytes_.size() - at_ - 12)
            fail(
                fmt::format("the chunk at byte {} has {} bytes, and the file ends before; "
                            "expected a whole image",
                            at_, size));
        const Chunk chunk{bytes_.substr(at_ + 4, 4), bytes_.substr(at_ + 8, size)};
        const uint32_t sum = big_endian(bytes_, at_ + 8 + size);
        const auto found =
            crc32(0, reinterpret_cast<const Bytef*>(chunk.kind.data()),  // kind and data adjoin
                  static_cast<uInt>(size + 4));
        if (found != sum)
            fail(
                fmt::format("the checksum of the chunk at byte {} is wrong: the file is damaged; "
                            "copy it again",
                            at_));
        at_ += 12 + size;
        return chunk;
    }

    void read_header(std::string_view data) {
        image_.columns = big_endian(data, 0);
        image_.rows = big_endian(data, 4);
        const auto byte = [&](size_t i) { return static_cast<uint8_t>(data[i]); };
        const uint8_t bits = byte(8), colour = byte(9);
        if (image_.columns < 2 || image_.rows < 2)
            fail(fmt::format("it has {} times {} pixels; expected two or more each way",
                             image_.columns, image_.rows));
        if (uint64_t{image_.columns} * image_.rows > most_pixels_)
            fail(
                fmt::format("it has {} times {} pixels; expected at most {} in all: make it "
                            "smaller",
                            image_.columns, image_.rows, most_pixels_));
        if (colour != 0)
            fail(
                fmt::format("it is in colours{}; expected a grey image of 8 or 16 bits (convert "
                            "in.png -alpha off -colorspace gray -depth 16 out.png)",
                            colour == 4 || colour == 6 ? " or has transparency" : ""));
        if (bits != 8 && bits != 16)
            fail(fmt::format("it has {} bits a pixel; expected 8 or 16", bits));
        if (byte(10) != 0 || byte(11) != 0)
            fail("it is compressed in a way that PNG does not know");
        if (byte(12) != 0)
            fail(
                "it is interlaced; expected one that is not (convert in.png -interlace none "
                "out.png)");
        depth_ = bits / 8U;
        image_.white = depth_ == 1 ? 255 : 65535;
    }

    // All rows, each behind the byte of its filter: as many bytes as the dimensions say, neither more nor fewer.
    std::string inflated(const std::string& compressed) const {
        std::string rows((1 + size_t{depth_} * image_.columns) * image_.rows, '\0');
        z_stream stream{};
        if (inflateInit(&stream) != Z_OK) fail("there is no memory to decompress it");
        const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
        stream.avail_in = static_cast<uInt>(compressed.size());
        stream.next_out = reinterpret_cast<Bytef*>(rows.data());
        stream.avail_out = static_cast<uInt>(rows.size());
        const int result = inflate(&stream, Z_FINISH);
        if (stream.avail_out > 0)
            fail(
                fmt::format("its pixels end after {} of {} bytes, or are damaged; expected as "
                            "many as {} times {} pixels take",
                            stream.total_out, rows.size(), image_.columns, image_.rows));
        // Full, and more to come; or the end, with its checksum, did not come along.
        if (result != Z_STREAM_END)
            fail(fmt::format("its pixels are damaged, or more than {} times {}; copy it again",
                             image_.columns, image_.rows));
        return rows;
    }

    static int nearest_of(int left, int above, int before) {  // Paeth's filter, RFC 2083, 6.6
        const int guess = left + above - before;
        const int to_left = std::abs(guess - left), to_above = std::abs(guess - above),
                  to_before = std::abs(guess - before);
        if (to_left <= to_above && to_left <= to_before) return left;
        return to_above <= to_before ? above : before;
    }

    void unfilter(std::string rows) {
        const size_t width = size_t{depth_} * image_.columns;
        image_.pixels.reserve(size_t{image_.columns} * image_.rows);
        for (size_t row = 0; row < image_.rows; ++row) {
            auto* const here = reinterpret_cast<uint8_t*>(rows.data()) + row * (width + 1) + 1;
            const uint8_t filter = here[-1];
            if (filter > 4)
                fail(fmt::format("row {} has filter {}; expected 0 to 4: the file is damaged", row,
                                 filter));
            for (size_t i = 0; i < width; ++i) {
                const int left = i >= depth_ ? here[i - depth_] : 0;
                const int above = row > 0 ? *(here + i - (width + 1)) : 0;
                const int before = row > 0 && i >= depth_ ? *(here + i - (width + 1) - depth_) : 0;
                const int guess[] = {0, left, above, (left + above) / 2,
                                     nearest_of(left, above, before)};
                here[i] = static_cast<uint8_t>(here[i] + guess[filter]);
            }
            for (size_t i = 0; i < width; i += depth_)
                image_.pixels.push_back(
                    depth_ == 1 ? here[i] : static_cast<uint16_t>(here[i] << 8 | here[i + 1]));
        }
    }

    std::string_view bytes_;
    const std::string& name_;
    uint64_t most_pixels_;
    size_t at_ = 0;
    uint32_t depth_ = 1;  // bytes a pixel
    GreyImage image_;
};

}  // namespace

GreyImage read_grey_png(std::string_view bytes, const std::string& name, uint64_t most_pixels) {
    return PngReader(bytes, name, most_pixels).read();
}

}  // namespace bristle::io
