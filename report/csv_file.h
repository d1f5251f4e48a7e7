// A table that is on the disk while it grows; one that replaces another does so when it is complete (io/output_file.h).
//
// Rows are handed to the system whole, many at a time, so that a program that is killed leaves a file that ends
// with a whole line. (The system copies page by page; a kill within the microsecond of such a copy can
// still cut the last line.)
#pragma once

#include "console/interrupt.h"
#include "console/progress.h"
#include "io/output_file.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bristle::report {

class CsvFile {
  public:
    // "-" is standard output. Throws InputError if the file cannot be made, or another program writes it.
    CsvFile(const std::filesystem::path& path, const std::vector<std::string>& header);

    void add(std::span<const double> row);  // NaN: an empty cell
    void flush();
    void finish();                           // it is complete, and takes the place of an older one
    void finish_with(io::OutputFile& page);  // both at once
    void flush_if_due(console::Clock::time_point now) {
        if (!pending_.empty() && now - last_flush_ > std::chrono::milliseconds(100)) flush();
    }
    const std::filesystem::path& path() const { return file_.path(); }

  private:
    // Until it is known as unfinished no signal ends the program.
    CsvFile(const std::filesystem::path&, const std::vector<std::string>& header,
            const console::SignalsWait&);
    io::OutputFile file_;
    console::UnfinishedFile unfinished_;
    std::string pending_;
    console::Clock::time_point last_flush_ = console::Clock::now();
};

}  // namespace bristle::report
