#include "live/record/mcap_writer.h"

#include <bristle/error.h>

#include "io/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace bristle::live::mcap {
namespace {

// Without a moment in which another file of that name could be lost, where the file system knows how.
bool rename_to_new(const char* from, const char* to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    return link(from, to) == 0 && unlink(from) == 0;
}

}  // namespace

bool lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }

Writer::Writer(std::filesystem::path path, std::string_view library,
               const std::vector<Attachment>& attachments, std::string_view metadata_name,
               const Entries& metadata)
    : path_(std::move(path)) {
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("cannot write '{}': {}", path_.string(), why));
    };
    std::error_code ignored;
    if (std::filesystem::exists(path_, ignored))
        refuse("there is a file of that name already; choose another name");
    // A name of its own: another recorder of the same file must not cut this one off.
    static std::atomic<unsigned> number = 0;
    const std::string part = fmt::format("{}.{}-{}.part", path_.string(), getpid(), ++number);
    file_ = open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(std::strerror(errno));
    try {
        if (!lock(file_)) refuse("it is being recorded already");
        write_header(out_, library);
        for (const Attachment& a : attachments) {
            const uint64_t offset = out_.size();
            write_attachment(out_, a.name, a.media_type, a.data);
            index_.attachments.push_back(
                {offset, out_.size() - offset, a.data.size(), a.name, a.media_type});
        }
        const uint64_t offset = out_.size();
        write_metadata(out_, metadata_name, metadata);
        index_.metadata.push_back({offset, out_.size() - offset, std::string(metadata_name)});
        write(out_.view());
        if (!rename_to_new(part.c_str(), path_.c_str()))
            refuse(errno == EEXIST ? "there is a file of that name already; choose another name"
                                   : std::strerror(errno));
        io::sync_folder(path_);
    } catch (...) {
        unlink(part.c_str());
        close(file_);
        throw;
    }
}

Writer::~Writer() { close(file_); }

void Writer::add(const Schema& schema) {
    mcap::write(records_, schema);
    index_.schemas.emplace(schema.id, schema);
}

void Writer::add(const Channel& channel) {
    mcap::write(records_, channel);
    index_.channels.emplace(channel.id, channel);
}

void Writer::add(uint16_t channel, uint64_t log_time, uint64_t publish_time,
                 std::string_view data) {
    const auto sequence = static_cast<uint32_t>(index_.messages[channel]++);
    mcap::write(records_, Message{channel, sequence, log_time, publish_time, data});
}

void Writer::write_chunk() {
    if (records_.size() == 0) return;
    out_.clear();
    ChunkInfo chunk = mcap::write_chunk(out_, records_.view(), size_);
    records_.clear();
    write(out_.view());
    index_.chunks.push_back(std::move(chunk));
}

void Writer::finish() {
    write_chunk();
    write(ending(index_, size_, crc_));
    sync();
}

void Writer::sync() const {
    if (fdatasync(file_) == 0 || errno == EINVAL || errno == EROFS)
        return;  // some cannot be synced
    throw std::runtime_error(
        fmt::format("cannot write {} to the disk: {}", path_.string(), std::strerror(errno)));
}

void Writer::write(std::string_view bytes) {
    try {
        io::write_all(file_, bytes, path_);
    } catch (const std::runtime_error&) {
        // What is torn helps nobody. If this fails, too, readers still find the end.
        if (ftruncate(file_, static_cast<off_t>(size_)) == 0)
            lseek(file_, static_cast<off_t>(size_), SEEK_SET);
        throw;
    }
    size_ += bytes.size();
    crc_ = crc32(bytes, crc_);
}

}  // namespace bristle::live::mcap
