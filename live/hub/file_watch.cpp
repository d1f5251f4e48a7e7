#include "live/hub/file_watch.h"

namespace bristle::live {

FileWatch::FileWatch(std::vector<std::filesystem::path> files) : files_(std::move(files)) {
    known_ = last_ = stamps();
}

std::vector<FileWatch::Stamp> FileWatch::stamps() const {
    std::vector<Stamp> all;
    all.reserve(files_.size());
    for (const auto& file : files_) {
        std::error_code error;
        Stamp stamp{std::filesystem::last_write_time(file, error), 0};
        if (!error) stamp.size = std::filesystem::file_size(file, error);
        all.push_back(error ? Stamp{} : stamp);
    }
    return all;
}

void FileWatch::take_over(const FileWatch& before) {
    for (size_t i = 0; i < files_.size(); ++i)
        for (size_t j = 0; j < before.files_.size(); ++j)
            if (files_[i] == before.files_[j]) known_[i] = before.known_[j];
}

bool FileWatch::has_changed() {
    if (files_.empty()) return false;
    std::vector<Stamp> now = stamps();
    const bool has_lasted = now == last_ && now != known_;
    last_ = std::move(now);
    if (has_lasted) known_ = last_;
    return has_lasted;
}

}  // namespace bristle::live
