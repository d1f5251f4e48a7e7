#include "report/csv_file.h"

#include <bristle/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <stdexcept>

namespace bristle::report {
namespace {

// RFC 4180: what holds a comma or a quote stands in quotes.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string>& header)
    : path_(std::move(path)),
      file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0)
        throw InputError(
            fmt::format("cannot write '{}': {}", path_.string(), std::strerror(errno)));
    for (const std::string& name : header) {
        if (!pending_.empty()) pending_ += ',';
        pending_ += cell(name);
    }
    pending_ += '\n';
    flush();
}

CsvFile::~CsvFile() { close(file_); }

void CsvFile::add(std::span<const double> row) {
    for (size_t i = 0; i < row.size(); ++i) {
        if (i > 0) pending_ += ',';
        if (!std::isnan(row[i])) fmt::format_to(std::back_inserter(pending_), "{:.12g}", row[i]);
    }
    pending_ += '\n';
    if (pending_.size() > 1 << 16) flush();
}

void CsvFile::flush() {
    size_t done = 0;
    while (done < pending_.size()) {
        const ssize_t written = write(file_, pending_.data() + done, pending_.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            throw std::runtime_error(
                fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
        done += static_cast<size_t>(written);
    }
    pending_.clear();
    last_flush_ = console::Clock::now();
}

}  // namespace bristle::report
