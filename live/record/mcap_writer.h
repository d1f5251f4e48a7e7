// Writes an MCAP file so that it can be read at any moment of its making: everything goes to the system in whole
// chunks with their indexes, and until it is finished only the summary is missing. One thread, except where said.
#pragma once

#include "live/record/mcap.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::live::mcap {

struct Attachment {
    std::string name, media_type, data;
};

class Writer {
  public:
    // The file appears under its name when its beginning is complete. Throws InputError if it cannot be made or is
    // there already. Nobody repairs it while this lives: it is locked.
    Writer(std::filesystem::path, std::string_view library, const std::vector<Attachment>&,
           std::string_view metadata_name, const Entries& metadata);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void add(const Schema&);
    void add(const Channel&);
    void add(uint16_t channel, uint64_t log_time, uint64_t publish_time, std::string_view data);
    size_t pending() const {
        return records_.size();
    }  // bytes that wait for the chunk to be written

    // These throw std::runtime_error if the disk refuses; the file then ends with the last whole chunk.
    void write_chunk();
    void finish();

    uint64_t size() const { return size_; }
    void sync() const;  // to the disk itself; from any thread. Throws std::runtime_error

  private:
    void write(std::string_view bytes);

    std::filesystem::path path_;
    int file_ = -1;
    uint64_t size_ = 0;
    uint32_t crc_ = 0;
    Index index_;
    Bytes records_, out_;
};

// Takes the lock a writer holds. False if somebody else has it.
bool lock(int file);

}  // namespace bristle::live::mcap
