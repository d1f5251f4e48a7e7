// Tells when one of some files was saved. By looking at times and sizes, which works on every file system; a change is told
// once it has lasted for two looks, so that a file that is being written is not read in halves.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace bristle::live {

class FileWatch {
  public:
    FileWatch() = default;
    explicit FileWatch(std::vector<std::filesystem::path> files);

    // Whether they have changed since the last time this was so. A file that is gone has changed, too.
    bool has_changed();
    // Files that both watch are known as the other one knew them: what was saved while they were read is not missed.
    void take_over(const FileWatch& before);

  private:
    struct Stamp {
        std::filesystem::file_time_type time;
        uintmax_t size = 0;
        bool operator==(const Stamp&) const = default;
    };
    std::vector<Stamp> stamps() const;

    std::vector<std::filesystem::path> files_;
    std::vector<Stamp> known_, last_;
};

}  // namespace bristle::live
