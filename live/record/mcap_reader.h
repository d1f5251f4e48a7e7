// Reads an MCAP file of our writer, whatever has happened to it.
//
// A finished file is opened by its summary, however long it is. Of any other all records are read, and kept as far as
// their checksums are right. What is damaged is a hole; behind it, reading goes on at the next record or chunk
// that is whole. Nothing is given out that a checksum does not vouch for. Files are bounded by what they really hold,
// not by what they claim.
#pragma once

#include "live/record/mcap.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::live::mcap {

struct Hole {
    uint64_t from = 0, to = 0;  // bytes of the file
    std::string what;
};

class Reader {
  public:
    // Throws InputError if it cannot be read or is no MCAP file.
    explicit Reader(std::filesystem::path);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    const std::filesystem::path& path() const { return path_; }
    const Index& index() const { return index_; }
    bool is_finished() const { return is_finished_; }  // the summary is there and right
    // Of a finished file those that have been met so far.
    const std::vector<Hole>& holes() const { return holes_; }
    uint64_t size() const { return size_; }

    // The unpacked records of a chunk. Throws InputError if it is damaged.
    std::string chunk(const ChunkInfo&) const;
    std::string attachment(const AttachmentInfo&) const;
    Entries metadata(const MetadataInfo&) const;

    // Reads all of a finished file. What is wrong, or nothing.
    std::string check() const;

    // Of a file that is not finished: where its good data ends, and the checksum up to there.
    uint64_t end() const { return end_; }
    uint32_t crc() const { return crc_; }

  private:
    bool read_summary();
    void scan();
    uint64_t scan_record(uint64_t at);
    uint64_t after_damage(uint64_t at);
    void demand_room(uint64_t chunk, uint64_t& unpacked) const;
    std::string bytes(uint64_t at, uint64_t size) const;
    std::string chunk_at(uint64_t at, ChunkInfo&);
    [[noreturn]] void fail(uint64_t at, const std::string& what) const;

    std::filesystem::path path_;
    int file_ = -1;
    uint64_t size_ = 0, end_ = 0;
    uint32_t crc_ = 0;
    uint64_t unpacked_ = 0;               // bytes of the chunks met so far
    uint64_t guesses_ = 0, guessed_ = 0;  // places tried behind damage, and their bytes
    bool is_finished_ = false;
    Index index_;
    std::vector<Hole> holes_;
};

// Writes the end that is missing. Throws InputError, and changes nothing, if the damage is not at the end, or if
// the file is being written. Says what it did.
std::string repair(const std::filesystem::path&);

}  // namespace bristle::live::mcap
