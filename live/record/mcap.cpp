#include "live/record/mcap.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace bristle::live::mcap {
namespace {

constexpr int compression_level = 3;  // zstd's own default: 300 MB/s, far more than a session makes

// Eight bytes at a time: table k has the effect of a byte that k others follow.
constexpr auto crc_tables = [] {
    std::array<std::array<uint32_t, 256>, 8> tables{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
        tables[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; ++i)
        for (size_t k = 1; k < 8; ++k)
            tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 255];
    return tables;
}();

// Offsets of messages in a chunk, by channel.
using Places = std::map<uint16_t, std::vector<std::pair<uint64_t, uint64_t>>>;  // log time, offset

Places places_in(std::string_view records) {
    Places places;
    Cursor cursor(records);
    while (!cursor.at_end()) {
        const uint64_t offset = records.size() - cursor.left();
        const Record record = next_record(cursor);
        if (record.opcode != Opcode::message) continue;
        const Message message = message_in(record.content);
        places[message.channel].emplace_back(message.log_time, offset);
    }
    return places;
}

void write(Bytes& out, const ChunkInfo& chunk) {
    const size_t begin = out.begin(Opcode::chunk_index);
    out.u64(chunk.first_time);
    out.u64(chunk.last_time);
    out.u64(chunk.offset);
    out.u64(chunk.length);
    const size_t list = out.begin_list();
    for (const auto& [channel, offset] : chunk.message_indexes) {
        out.u16(channel);
        out.u64(offset);
    }
    out.end_list(list);
    out.u64(chunk.message_index_length);
    out.text("zstd");
    out.u64(chunk.packed);
    out.u64(chunk.unpacked);
    out.end(begin);
}

void write(Bytes& out, const AttachmentInfo& attachment) {
    const size_t begin = out.begin(Opcode::attachment_index);
    out.u64(attachment.offset);
    out.u64(attachment.length);
    out.u64(0);  // log and creation time
    out.u64(0);
    out.u64(attachment.size);
    out.text(attachment.name);
    out.text(attachment.media_type);
    out.end(begin);
}

void write(Bytes& out, const MetadataInfo& metadata) {
    const size_t begin = out.begin(Opcode::metadata_index);
    out.u64(metadata.offset);
    out.u64(metadata.length);
    out.text(metadata.name);
    out.end(begin);
}

void write_statistics(Bytes& out, const Index& index) {
    uint64_t messages = 0, first = std::numeric_limits<uint64_t>::max(), last = 0;
    for (const auto& [channel, count] : index.messages) messages += count;
    for (const ChunkInfo& chunk : index.chunks) {
        first = std::min(first, chunk.first_time);
        last = std::max(last, chunk.last_time);
    }
    const size_t begin = out.begin(Opcode::statistics);
    out.u64(messages);
    out.u16(static_cast<uint16_t>(index.schemas.size()));
    out.u32(static_cast<uint32_t>(index.channels.size()));
    out.u32(static_cast<uint32_t>(index.attachments.size()));
    out.u32(static_cast<uint32_t>(index.metadata.size()));
    out.u32(static_cast<uint32_t>(index.chunks.size()));
    out.u64(index.chunks.empty() ? 0 : first);
    out.u64(last);
    const size_t list = out.begin_list();
    for (const auto& [channel, count] : index.messages) {
        out.u16(channel);
        out.u64(count);
    }
    out.end_list(list);
    out.end(begin);
}

}  // namespace

uint32_t crc32(std::string_view bytes, uint32_t before) {
    const auto& table = crc_tables;
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
    uint32_t crc = ~before;
    size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        crc ^= byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | uint32_t{byte(i + 3)} << 24;
        crc = table[7][crc & 255] ^ table[6][crc >> 8 & 255] ^ table[5][crc >> 16 & 255]
            ^ table[4][crc >> 24] ^ table[3][byte(i + 4)] ^ table[2][byte(i + 5)]
            ^ table[1][byte(i + 6)] ^ table[0][byte(i + 7)];
    }
    for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ table[0][(crc ^ byte(i)) & 255];
    return ~crc;
}

// ---- Writing -----------------------------------------------------------------------------------------------

void write(Bytes& out, const Schema& schema) {
    const size_t begin = out.begin(Opcode::schema);
    out.u16(schema.id);
    out.text(schema.name);
    out.text(schema.encoding);
    out.text(schema.data);
    out.end(begin);
}

void write(Bytes& out, const Channel& channel) {
    const size_t begin = out.begin(Opcode::channel);
    out.u16(channel.id);
    out.u16(channel.schema);
    out.text(channel.topic);
    out.text(channel.encoding);
    out.u32(0);  // no metadata
    out.end(begin);
}

void write(Bytes& out, const Message& message) {
    const size_t begin = out.begin(Opcode::message);
    out.u16(message.channel);
    out.u32(message.sequence);
    out.u64(message.log_time);
    out.u64(message.publish_time);
    out.raw(message.data);
    out.end(begin);
}

void write_header(Bytes& out, std::string_view library) {
    out.raw(magic);
    const size_t begin = out.begin(Opcode::header);
    out.text("");
    out.text(library);
    out.end(begin);
}

void write_attachment(Bytes& out, std::string_view name, std::string_view media_type,
                      std::string_view data) {
    const size_t begin = out.begin(Opcode::attachment);
    out.u64(0);  // log and creation time: the same run gives the same bytes
    out.u64(0);
    out.text(name);
    out.text(media_type);
    out.u64(data.size());
    out.raw(data);
    out.u32(crc32(out.view().substr(begin)));
    out.end(begin);
}

void write_metadata(Bytes& out, std::string_view name, const Entries& entries) {
    const size_t begin = out.begin(Opcode::metadata);
    out.text(name);
    const size_t list = out.begin_list();
    for (const auto& [key, value] : entries) {
        out.text(key);
        out.text(value);
    }
    out.end_list(list);
    out.end(begin);
}

std::string message_indexes(std::string_view records, uint64_t at, ChunkInfo& chunk) {
    Bytes out;
    chunk.first_time = std::numeric_limits<uint64_t>::max();
    chunk.last_time = 0;
    chunk.message_indexes.clear();
    for (const auto& [channel, list] : places_in(records)) {
        chunk.message_indexes[channel] = at + out.size();
        const size_t begin = out.begin(Opcode::message_index);
        out.u16(channel);
        const size_t places = out.begin_list();
        for (const auto& [time, offset] : list) {
            chunk.first_time = std::min(chunk.first_time, time);
            chunk.last_time = std::max(chunk.last_time, time);
            out.u64(time);
            out.u64(offset);
        }
        out.end_list(places);
        out.end(begin);
    }
    if (chunk.message_indexes.empty()) chunk.first_time = 0;
    chunk.message_index_length = out.size();
    return std::move(out.string());
}

ChunkInfo write_chunk(Bytes& out, std::string_view records, uint64_t at) {
    ChunkInfo chunk{.offset = at, .unpacked = records.size()};
    std::string packed(ZSTD_compressBound(records.size()), '\0');
    const size_t size = ZSTD_compress(packed.data(), packed.size(), records.data(), records.size(),
                                      compression_level);
    if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
    chunk.packed = size;
    chunk.length = record_head + 3 * 8 + 4 + 8 + 8 + size;
    const std::string indexes = message_indexes(records, at + chunk.length, chunk);

    const size_t begin = out.begin(Opcode::chunk);
    out.u64(chunk.first_time);
    out.u64(chunk.last_time);
    out.u64(records.size());
    out.u32(crc32(records));
    out.text("zstd");
    out.u64(size);
    out.raw({packed.data(), size});
    out.end(begin);
    out.raw(indexes);
    return chunk;
}

std::string ending(const Index& index, uint64_t at, uint32_t data_crc) {
    Bytes out;
    const size_t data_end = out.begin(Opcode::data_end);
    out.u32(data_crc);
    out.end(data_end);

    const size_t summary = out.size();
    Bytes offsets;
    const auto group = [&](Opcode opcode, auto&& write_all) {
        const size_t start = out.size();
        write_all();
        if (out.size() == start) return;
        const size_t begin = offsets.begin(Opcode::summary_offset);
        offsets.u8(static_cast<uint8_t>(opcode));
        offsets.u64(at + start);
        offsets.u64(out.size() - start);
        offsets.end(begin);
    };
    const auto each = [&](const auto& list) {
        return [&] {
            for (const auto& one : list) write(out, one);
        };
    };
    const auto each_of = [&](const auto& map) {
        return [&] {
            for (const auto& [id, one] : map) write(out, one);
        };
    };
    group(Opcode::schema, each_of(index.schemas));
    group(Opcode::channel, each_of(index.channels));
    group(Opcode::statistics, [&] { write_statistics(out, index); });
    group(Opcode::chunk_index, each(index.chunks));
    group(Opcode::attachment_index, each(index.attachments));
    group(Opcode::metadata_index, each(index.metadata));
    const size_t summary_offsets = out.size();
    out.raw(offsets.view());

    const size_t footer = out.begin(Opcode::footer);
    out.u64(at + summary);
    out.u64(at + summary_offsets);
    out.u32(0);
    out.end(footer);
    // The checksum covers the footer's length, so that is written first.
    out.string().resize(out.size() - 4);
    out.u32(crc32(out.view().substr(summary)));
    out.raw(magic);
    return std::move(out.string());
}

// ---- Reading -----------------------------------------------------------------------------------------------

uint64_t Cursor::number(size_t bytes) {
    const std::string_view view = raw(bytes);
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= uint64_t{static_cast<uint8_t>(view[i])} << (8 * i);
    return value;
}

std::string_view Cursor::raw(uint64_t size) {
    if (size > rest_.size()) throw Damage{"a length goes beyond the end"};
    const std::string_view view = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return view;
}

Record next_record(Cursor& cursor) {
    const auto opcode = static_cast<Opcode>(cursor.u8());
    return {opcode, cursor.raw(cursor.u64())};
}

Schema schema_in(std::string_view content) {
    Cursor cursor(content);
    Schema schema;
    schema.id = cursor.u16();
    schema.name = cursor.text();
    schema.encoding = cursor.text();
    schema.data = cursor.text();
    return schema;
}

Channel channel_in(std::string_view content) {
    Cursor cursor(content);
    Channel channel;
    channel.id = cursor.u16();
    channel.schema = cursor.u16();
    channel.topic = cursor.text();
    channel.encoding = cursor.text();
    return channel;
}

Message message_in(std::string_view content) {
    Cursor cursor(content);
    Message message;
    message.channel = cursor.u16();
    message.sequence = cursor.u32();
    message.log_time = cursor.u64();
    message.publish_time = cursor.u64();
    message.data = cursor.raw(cursor.left());
    return message;
}

Entries entries_in(Cursor& cursor) {
    Cursor list(cursor.text());
    Entries entries;
    while (!list.at_end()) {
        std::string key(list.text());
        entries[std::move(key)] = list.text();
    }
    return entries;
}

Records records_in(std::string_view bytes) {
    Records records;
    Cursor cursor(bytes);
    while (!cursor.at_end()) {
        const Record record = next_record(cursor);
        if (record.opcode == Opcode::schema)
            records.schemas.push_back(schema_in(record.content));
        else if (record.opcode == Opcode::channel)
            records.channels.push_back(channel_in(record.content));
        else if (record.opcode == Opcode::message)
            records.messages.push_back(message_in(record.content));
    }
    return records;
}

}  // namespace bristle::live::mcap
