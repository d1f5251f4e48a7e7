// A table that is on the disk while it grows.
//
// Rows are handed to the system whole, many at a time, so that a program that is killed leaves a file that ends
// with a whole line. (The system copies page by page; a kill within the microsecond of such a copy can
// still cut the last line.)
#pragma once

#include "console/progress.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bristle::report {

class CsvFile {
  public:
    // Throws InputError if the file cannot be made.
    CsvFile(std::filesystem::path path, const std::vector<std::string>& header);
    ~CsvFile();
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    void add(std::span<const double> row);  // NaN: an empty cell
    void flush();
    void flush_if_due(console::Clock::time_point now) {
        if (!pending_.empty() && now - last_flush_ > std::chrono::milliseconds(100)) flush();
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    int file_;
    std::string pending_;
    console::Clock::time_point last_flush_ = console::Clock::now();
};

}  // namespace bristle::report
