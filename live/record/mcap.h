// The container of recordings: MCAP (https://mcap.dev/spec), which Foxglove and libraries for Python, C++, Go and
// TypeScript read. This is what writer and reader share; nothing here knows what the messages mean.
//
//     magic, header, attachments, metadata, { chunk, its message indexes } …, data end, summary, footer, magic
//
// A chunk holds messages, compressed by zstd, with a checksum; schemas and channels stand in chunks, too, so that
// every byte that matters has a checksum even in a file whose end is missing. Bytes are kept in strings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::live::mcap {

inline constexpr std::string_view magic{"\x89MCAP0\r\n", 8};
inline constexpr size_t record_head = 9;       // opcode, length
inline constexpr size_t largest = 256u << 20;  // bytes of a chunk, unpacked

enum class Opcode : uint8_t {
    header = 1,
    footer,
    schema,
    channel,
    message,
    chunk,
    message_index,
    chunk_index,
    attachment,
    attachment_index,
    statistics,
    metadata,
    metadata_index,
    summary_offset,
    data_end
};

struct Schema {
    uint16_t id = 0;
    std::string name, encoding, data;
};
struct Channel {
    uint16_t id = 0, schema = 0;
    std::string topic, encoding;
};
// Times are nanoseconds.
struct Message {
    uint16_t channel = 0;
    uint32_t sequence = 0;
    uint64_t log_time = 0, publish_time = 0;
    std::string_view data;
};
struct ChunkInfo {
    uint64_t first_time = 0, last_time = 0;        // log times
    uint64_t offset = 0, length = 0;               // of the record
    std::map<uint16_t, uint64_t> message_indexes;  // offsets by channel
    uint64_t message_index_length = 0;
    uint64_t packed = 0, unpacked = 0;  // bytes
};
struct AttachmentInfo {
    uint64_t offset = 0, length = 0;  // of the record
    uint64_t size = 0;                // of the data
    std::string name, media_type;
};
struct MetadataInfo {
    uint64_t offset = 0, length = 0;
    std::string name;
};
using Entries = std::map<std::string, std::string>;

// What the summary at the end of a file says.
struct Index {
    std::map<uint16_t, Schema> schemas;  // by their ids
    std::map<uint16_t, Channel> channels;
    std::vector<ChunkInfo> chunks;
    std::vector<AttachmentInfo> attachments;
    std::vector<MetadataInfo> metadata;
    std::map<uint16_t, uint64_t> messages;  // how many, by channel
};

// The polynomial of zlib and of MCAP. `before`: of the bytes that come before these.
uint32_t crc32(std::string_view bytes, uint32_t before = 0);

// ---- Bytes, little-endian ----------------------------------------------------------------------------------

class Bytes {
  public:
    void u8(uint8_t v) { text_ += static_cast<char>(v); }
    void u16(uint16_t v) { number(v, 2); }
    void u32(uint32_t v) { number(v, 4); }
    void u64(uint64_t v) { number(v, 8); }
    void raw(std::string_view bytes) { text_ += bytes; }
    void text(std::string_view s) {
        u32(static_cast<uint32_t>(s.size()));
        raw(s);
    }
    // A record: what is written between begin and end is its content.
    size_t begin(Opcode opcode) {
        u8(static_cast<uint8_t>(opcode));
        u64(0);
        return text_.size();
    }
    void end(size_t begin) { put(begin - 8, text_.size() - begin, 8); }
    // The same for an array or a map, whose length in bytes has four bytes.
    size_t begin_list() {
        u32(0);
        return text_.size();
    }
    void end_list(size_t begin) { put(begin - 4, text_.size() - begin, 4); }

    size_t size() const { return text_.size(); }
    void clear() { text_.clear(); }
    std::string& string() { return text_; }
    std::string_view view() const { return text_; }

  private:
    void number(uint64_t v, size_t bytes) {
        text_.resize(text_.size() + bytes);
        put(text_.size() - bytes, v, bytes);
    }
    void put(size_t at, uint64_t v, size_t bytes) {
        for (size_t i = 0; i < bytes; ++i) text_[at + i] = static_cast<char>(v >> (8 * i));
    }
    std::string text_;
};

void write(Bytes&, const Schema&);
void write(Bytes&, const Channel&);
void write(Bytes&, const Message&);
void write_header(Bytes&, std::string_view library);
void write_attachment(Bytes&, std::string_view name, std::string_view media_type,
                      std::string_view data);
void write_metadata(Bytes&, std::string_view name, const Entries&);

// A chunk of these records, and the message indexes that belong behind it. `at` is where it will stand.
ChunkInfo write_chunk(Bytes&, std::string_view records, uint64_t at);
// The same message indexes of a chunk that is there: what `write_chunk` made of these records.
std::string message_indexes(std::string_view records, uint64_t at, ChunkInfo&);

// All that follows the data: data end, summary, footer, magic. `at` is where it will stand.
std::string ending(const Index&, uint64_t at, uint32_t data_crc);

// ---- Parts of a chunk ----------------------------------------------------------------------------------------

// Something is not what it should be. `what` continues "…, byte 17: ".
struct Damage {
    std::string what;
};

// Reads what is there and throws Damage instead of going beyond it.
class Cursor {
  public:
    explicit Cursor(std::string_view bytes) : rest_(bytes) {}
    uint8_t u8() { return static_cast<uint8_t>(number(1)); }
    uint16_t u16() { return static_cast<uint16_t>(number(2)); }
    uint32_t u32() { return static_cast<uint32_t>(number(4)); }
    uint64_t u64() { return number(8); }
    std::string_view raw(uint64_t size);
    std::string_view text() { return raw(u32()); }
    bool at_end() const { return rest_.empty(); }
    size_t left() const { return rest_.size(); }

  private:
    uint64_t number(size_t bytes);
    std::string_view rest_;
};

struct Record {
    Opcode opcode;
    std::string_view content;
};
Record next_record(Cursor&);

// The messages point into the bytes.
struct Records {
    std::vector<Schema> schemas;
    std::vector<Channel> channels;
    std::vector<Message> messages;
};
Records records_in(std::string_view bytes);
Schema schema_in(std::string_view content);
Channel channel_in(std::string_view content);
Message message_in(std::string_view content);
Entries entries_in(Cursor&);

}  // namespace bristle::live::mcap
