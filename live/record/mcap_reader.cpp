#include "live/record/mcap_reader.h"

#include <bristle/error.h>

#include "io/output_file.h"
#include "live/record/mcap_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace bristle::live::mcap {
namespace {

constexpr uint64_t block = 1u << 20;
constexpr size_t footer_size = record_head + 8 + 8 + 4, data_end_size = record_head + 4;
// How a chunk is recognized in the midst of damage: by its compression, and then by its checksum.
constexpr std::string_view mark{"\x04\0\0\0zstd", 8};
constexpr uint64_t mark_at = record_head + 3 * 8 + 4;
constexpr uint64_t before_packed = 3 * 8 + 4 + mark.size() + 8;  // bytes of a chunk's content
// A file made to be slow to read gets this many guesses, and so many times its size to be read for them.
constexpr uint64_t most_guesses = 10'000, most_guessed = 8;
// What a chunk may unpack to: bodies at rest pack well, but nothing honest packs a thousandfold and is large.
constexpr uint64_t honest_size = 16u << 20, honest_ratio = 1000;

bool is_known(uint8_t opcode) { return opcode >= 1 && opcode <= 15; }

ChunkInfo chunk_info_in(std::string_view content) {
    Cursor cursor(content);
    ChunkInfo chunk;
    chunk.first_time = cursor.u64();
    chunk.last_time = cursor.u64();
    chunk.offset = cursor.u64();
    chunk.length = cursor.u64();
    Cursor list(cursor.text());
    while (!list.at_end()) {
        const uint16_t channel = list.u16();
        chunk.message_indexes[channel] = list.u64();
    }
    chunk.message_index_length = cursor.u64();
    if (cursor.text() != "zstd") throw Damage{"a compression other than zstd"};
    chunk.packed = cursor.u64();
    chunk.unpacked = cursor.u64();
    return chunk;
}

AttachmentInfo attachment_info_in(std::string_view content) {
    Cursor cursor(content);
    AttachmentInfo attachment;
    attachment.offset = cursor.u64();
    attachment.length = cursor.u64();
    cursor.raw(16);
    attachment.size = cursor.u64();
    attachment.name = cursor.text();
    attachment.media_type = cursor.text();
    return attachment;
}

// Of a whole record; the data only if its checksum is right.
struct AttachmentParts {
    std::string_view name, media_type, data;
};
AttachmentParts attachment_in(std::string_view content) {
    if (content.size() < 4) throw Damage{"an attachment that is too short"};
    const std::string_view covered = content.substr(0, content.size() - 4);
    if (Cursor(content.substr(covered.size())).u32() != crc32(covered))
        throw Damage{"the checksum of an attached file is wrong"};
    Cursor cursor(covered);
    cursor.raw(16);
    AttachmentParts parts;
    parts.name = cursor.text();
    parts.media_type = cursor.text();
    parts.data = cursor.raw(cursor.u64());
    return parts;
}

struct Packed {
    uint64_t size = 0;  // unpacked
    uint32_t crc = 0;
    std::string_view bytes;
};
Packed packed_in(std::string_view content) {
    Cursor cursor(content);
    cursor.raw(16);
    Packed packed;
    packed.size = cursor.u64();
    packed.crc = cursor.u32();
    if (cursor.text() != "zstd") throw Damage{"a compression other than zstd"};
    packed.bytes = cursor.raw(cursor.u64());
    // zstd's own word for the size must agree, so nothing is made room for that is not there.
    if (packed.size > largest
        || packed.size != ZSTD_getFrameContentSize(packed.bytes.data(), packed.bytes.size()))
        throw Damage{"the size of a chunk is wrong"};
    if (packed.size > std::max<uint64_t>(honest_size, honest_ratio * packed.bytes.size()))
        throw Damage{"a chunk unpacks to more than it can honestly hold"};
    return packed;
}

// The records of a chunk, if their checksum is right.
std::string unpack(const Packed& packed) {
    std::string records(packed.size, '\0');
    if (ZSTD_decompress(records.data(), records.size(), packed.bytes.data(), packed.bytes.size())
        != packed.size)
        throw Damage{"a chunk cannot be unpacked"};
    if (crc32(records) != packed.crc) throw Damage{"the checksum of a chunk is wrong"};
    return records;
}

}  // namespace

Reader::Reader(std::filesystem::path path) : path_(std::move(path)) {
    file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file_ < 0 || fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
        const std::string why = file_ < 0 ? std::strerror(errno) : "it is no file";
        if (file_ >= 0) close(file_);
        throw InputError(
            fmt::format("{}: cannot be read: {}; expected a recording", path_.string(), why));
    }
    size_ = static_cast<uint64_t>(status.st_size);
    try {
        if (size_ < magic.size() || bytes(0, magic.size()) != magic)
            fail(0, "this is no MCAP file; expected a recording of bristle");
        is_finished_ = read_summary();
        if (!is_finished_) scan();
    } catch (...) {
        close(file_);
        throw;
    }
}

Reader::~Reader() { close(file_); }

void Reader::fail(uint64_t at, const std::string& what) const {
    throw InputError(fmt::format("{}, byte {}: {}", path_.string(), at, what));
}

std::string Reader::bytes(uint64_t at, uint64_t size) const {
    if (at > size_ || size > size_ - at) throw Damage{"a record goes beyond the end of the file"};
    std::string out(size, '\0');
    size_t done = 0;
    while (done < size) {
        const ssize_t got =
            pread(file_, out.data() + done, size - done, static_cast<off_t>(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw Damage{got < 0 ? std::strerror(errno) : "the file became shorter"};
        done += static_cast<size_t>(got);
    }
    return out;
}

// ---- A finished file -------------------------------------------------------------------------------------------

// What a file may hold unpacked, of small chunks.
void Reader::demand_room(uint64_t chunk, uint64_t& unpacked) const {
    constexpr uint64_t at_least = 64u << 20, times = 4000;
    unpacked += std::min(chunk, uint64_t{largest} + 1);
    if (unpacked > at_least + times * size_)
        throw Damage{"the chunks unpack to more than a file of this size can honestly hold"};
}

bool Reader::read_summary() try {
    if (size_ < 2 * magic.size() + data_end_size + footer_size) return false;
    const uint64_t footer_at = size_ - magic.size() - footer_size;
    const std::string tail = bytes(footer_at, footer_size + magic.size());
    if (!tail.ends_with(magic)) return false;
    Cursor cursor(tail);
    const Record footer = next_record(cursor);
    if (footer.opcode != Opcode::footer || footer.content.size() != 20) return false;
    Cursor fields(footer.content);
    const uint64_t start = fields.u64();
    fields.u64();
    const uint32_t crc = fields.u32();
    if (start < magic.size() + data_end_size || start > footer_at) return false;
    const std::string summary = bytes(start, size_ - magic.size() - 4 - start);
    if (crc32(summary) != crc) return false;

    Index index;
    Cursor records(std::string_view(summary).substr(0, footer_at - start));
    // Chunks and the others stand one behind the other, as they were written: none is named twice, and so nothing takes
    // longer to read than the file is long.
    uint64_t chunks_end = 0, attachments_end = 0, metadata_end = 0, unpacked = 0;
    const auto demand_inside = [&](uint64_t offset, uint64_t length, uint64_t& end) {
        if (offset < end || offset > start || length > start - offset)
            throw Damage{"an index points beyond the data, or to a place twice"};
        end = offset + length;
    };
    while (!records.at_end()) {
        const Record record = next_record(records);
        switch (record.opcode) {
            case Opcode::schema: {
                Schema schema = schema_in(record.content);
                index.schemas.try_emplace(schema.id, std::move(schema));
                break;
            }
            case Opcode::channel: {
                Channel channel = channel_in(record.content);
                index.channels.try_emplace(channel.id, std::move(channel));
                break;
            }
            case Opcode::chunk_index:
                index.chunks.push_back(chunk_info_in(record.content));
                demand_inside(index.chunks.back().offset, index.chunks.back().length, chunks_end);
                demand_room(index.chunks.back().unpacked, unpacked);
                break;
            case Opcode::attachment_index:
                index.attachments.push_back(attachment_info_in(record.content));
                demand_inside(index.attachments.back().offset, index.attachments.back().length,
                              attachments_end);
                break;
            case Opcode::metadata_index: {
                Cursor metadata(record.content);
                const uint64_t offset = metadata.u64(), length = metadata.u64();
                demand_inside(offset, length, metadata_end);
                index.metadata.push_back({offset, length, std::string(metadata.text())});
                break;
            }
            case Opcode::statistics: {
                Cursor statistics(record.content);
                statistics.raw(8 + 2 + 4 * 4 + 2 * 8);
                Cursor counts(statistics.text());
                while (!counts.at_end()) {
                    const uint16_t channel = counts.u16();
                    index.messages[channel] = counts.u64();
                }
                break;
            }
            default: break;
        }
    }
    const std::string data_end = bytes(start - data_end_size, data_end_size);
    Cursor last(data_end);
    const Record record = next_record(last);
    if (record.opcode != Opcode::data_end) return false;
    crc_ = Cursor(record.content).u32();
    end_ = start - data_end_size;
    index_ = std::move(index);
    return true;
} catch (const Damage&) {
    return false;
}

std::string Reader::check() const {
    uint32_t crc = 0;
    try {
        for (uint64_t at = 0; at < end_; at += block)
            crc = crc32(bytes(at, std::min(block, end_ - at)), crc);
        if (crc == crc_) return {};
        for (const ChunkInfo& one : index_.chunks) chunk(one);
        for (const AttachmentInfo& one : index_.attachments) attachment(one);
    } catch (const Damage& damage) {
        return damage.what;
    } catch (const InputError& error) {
        return error.what();
    }
    return fmt::format("{}: the checksum of all data is wrong", path_.string());
}

std::string Reader::chunk(const ChunkInfo& info) const {
    try {
        const std::string record = bytes(info.offset, info.length);
        Cursor cursor(record);
        const Record parts = next_record(cursor);
        if (parts.opcode != Opcode::chunk || !cursor.at_end()) throw Damage{"no chunk is there"};
        std::string records = unpack(packed_in(parts.content));
        if (records.size() != info.unpacked) throw Damage{"the size of a chunk is wrong"};
        return records;
    } catch (const Damage& damage) {
        fail(info.offset, damage.what + "; what is in it is lost");
    }
}

std::string Reader::attachment(const AttachmentInfo& info) const {
    try {
        const std::string record = bytes(info.offset, info.length);
        Cursor cursor(record);
        const Record parts = next_record(cursor);
        if (parts.opcode != Opcode::attachment) throw Damage{"no attached file is there"};
        const AttachmentParts attachment = attachment_in(parts.content);
        if (attachment.name != info.name) throw Damage{"another file is attached"};
        return std::string(attachment.data);
    } catch (const Damage& damage) {
        fail(info.offset, damage.what);
    }
}

Entries Reader::metadata(const MetadataInfo& info) const {
    try {
        const std::string record = bytes(info.offset, info.length);
        Cursor cursor(record);
        const Record parts = next_record(cursor);
        Cursor content(parts.content);
        if (parts.opcode != Opcode::metadata || content.text() != info.name)
            throw Damage{"other metadata"};
        return entries_in(content);
    } catch (const Damage& damage) {
        fail(info.offset, damage.what);
    }
}

// ---- Any other file --------------------------------------------------------------------------------------------

void Reader::scan() {
    uint64_t at = magic.size();
    crc_ = crc32(magic);
    while (at < size_) {
        end_ = at;
        try {
            const uint64_t next = scan_record(at);
            if (next == at) return;  // the data ends here
            at = next;
        } catch (const Damage& damage) {
            at = after_damage(end_);
            // One after the other is one, but for a torn end, which can be repaired.
            if (at < size_ && !holes_.empty() && holes_.back().to == end_)
                holes_.back().to = at;
            else
                holes_.push_back({end_, at, damage.what});
            if (at == size_) return;
        }
    }
    end_ = size_;
}

// Where the next record starts; the same place for the end of the data.
uint64_t Reader::scan_record(uint64_t at) {
    const std::string head = bytes(at, record_head);
    Cursor cursor(head);
    const auto opcode = static_cast<Opcode>(cursor.u8());
    const uint64_t length = cursor.u64();
    if (length > size_ - at - record_head) throw Damage{"a record goes beyond the end of the file"};
    if (opcode == Opcode::chunk) {
        ChunkInfo info;
        const std::string records = chunk_at(at, info);
        const uint64_t total = info.length + info.message_index_length;
        Records parts = records_in(records);
        for (Schema& schema : parts.schemas)
            index_.schemas.try_emplace(schema.id, std::move(schema));
        for (Channel& channel : parts.channels)
            index_.channels.try_emplace(channel.id, std::move(channel));
        for (const Message& message : parts.messages) ++index_.messages[message.channel];
        index_.chunks.push_back(std::move(info));
        crc_ = crc32(bytes(at, total), crc_);
        return at + total;
    }
    const std::string record = bytes(at, record_head + length);
    const std::string_view content = std::string_view(record).substr(record_head);
    switch (opcode) {
        case Opcode::header:
        case Opcode::message_index: break;  // of a chunk that is lost
        case Opcode::attachment: {
            const AttachmentParts parts = attachment_in(content);
            index_.attachments.push_back({at, record.size(), parts.data.size(),
                                          std::string(parts.name), std::string(parts.media_type)});
            break;
        }
        case Opcode::metadata: {
            Cursor fields(content);
            std::string name(fields.text());
            entries_in(fields);
            index_.metadata.push_back({at, record.size(), std::move(name)});
            break;
        }
        case Opcode::data_end:
            if (Cursor(content).u32() != crc_)
                holes_.push_back({0, at, "the checksum of all data is wrong"});
            return at;
        default: throw Damage{"no record that belongs here"};
    }
    crc_ = crc32(record, crc_);
    return at + record.size();
}

// A chunk with its message indexes: they have no checksum, but are known from what is in the chunk.
std::string Reader::chunk_at(uint64_t at, ChunkInfo& info) {
    const std::string head = bytes(at, record_head);
    Cursor cursor(head);
    if (static_cast<Opcode>(cursor.u8()) != Opcode::chunk) throw Damage{"no chunk is there"};
    const uint64_t length = cursor.u64();
    const std::string content = bytes(at + record_head, length);
    const Packed packed = packed_in(content);
    demand_room(packed.size, unpacked_);
    std::string records = unpack(packed);
    info.offset = at;
    info.length = record_head + length;
    info.unpacked = records.size();
    info.packed = content.size() - before_packed;
    const std::string indexes = message_indexes(records, at + info.length, info);
    if (bytes(at + info.length, indexes.size()) != indexes)
        throw Damage{"the index of a chunk is damaged"};
    return records;
}

uint64_t Reader::after_damage(uint64_t at) {
    // Where a record starts, as far as one can tell.
    const auto next = [&](uint64_t place) -> uint64_t {
        if (size_ - place < record_head) return 0;
        const std::string head = bytes(place, record_head);
        Cursor cursor(head);
        const uint8_t opcode = cursor.u8();
        const uint64_t length = cursor.u64();
        return is_known(opcode) && length <= size_ - place - record_head
                 ? place + record_head + length
                 : 0;
    };
    try {
        uint64_t after = next(at);
        // The indexes of a chunk go with it.
        while (after != 0 && after < size_ && bytes(after, 1)[0] == char(Opcode::message_index))
            after = next(after);
        if (after != 0 && after < size_ && next(after) != 0) return after;
        for (uint64_t from = at + 1 + mark_at; from + mark.size() <= size_; from += block) {
            const std::string part = bytes(from, std::min(block + mark.size() - 1, size_ - from));
            for (size_t found = part.find(mark); found != std::string::npos;
                 found = part.find(mark, found + 1)) {
                const uint64_t place = from + found - mark_at;
                try {
                    const std::string head = bytes(place + 1, 8);
                    const uint64_t length = Cursor(head).u64();
                    if (length > size_ - place) continue;
                    guessed_ += length;
                    if (++guesses_ > most_guesses || guessed_ > most_guessed * size_) return size_;
                    ChunkInfo info;
                    chunk_at(place, info);
                    return place;
                } catch (const Damage&) {
                    continue;
                }
            }
        }
    } catch (const Damage&) {
    }
    return size_;
}

// ---- Repair --------------------------------------------------------------------------------------------------------

std::string repair(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
        throw InputError(
            fmt::format("{}: cannot be repaired: {}", path.string(), std::strerror(errno)));
    const struct Closer {
        int file;
        ~Closer() { close(file); }
    } closer{file};
    if (!lock(file))
        throw InputError(fmt::format("{}: it is being recorded; stop that first", path.string()));
    const Reader reader(path);
    if (reader.is_finished()) {
        if (const std::string wrong = reader.check(); !wrong.empty())
            throw InputError(wrong + "; this cannot be repaired, and nothing is changed");
        return "nothing to repair: it is whole";
    }
    for (const Hole& hole : reader.holes())
        if (hole.to < reader.size())
            throw InputError(fmt::format(
                "{}, byte {}: {}, and there is more behind it; nothing is changed, take a copy of "
                "the file if there is one",
                path.string(), hole.from, hole.what));
    // Killed in between, the file has lost nothing that could be read before.
    if (ftruncate(file, static_cast<off_t>(reader.end())) != 0
        || lseek(file, 0, SEEK_END) != static_cast<off_t>(reader.end()))
        throw InputError(
            fmt::format("{}: cannot be repaired: {}", path.string(), std::strerror(errno)));
    io::write_all(file, ending(reader.index(), reader.end(), reader.crc()), path);
    fsync(file);
    return fmt::format("cut {} torn bytes and wrote the index of {} chunks",
                       reader.size() - reader.end(), reader.index().chunks.size());
}

}  // namespace bristle::live::mcap
