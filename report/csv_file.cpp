#include "report/csv_file.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

namespace bristle::report {
namespace {

// RFC 4180: what holds a comma or a quote stands in quotes. What a spreadsheet would compute gets an apostrophe before it,
// which makes it text there.
std::string cell(const std::string& name) {
    const bool is_formula =
        !name.empty() && std::string_view("=+-@\t\r").find(name[0]) != std::string_view::npos;
    std::string text = is_formula ? "'" + name : name;
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path, const std::vector<std::string>& header)
    : CsvFile(path, header, console::SignalsWait{}) {}

CsvFile::CsvFile(const std::filesystem::path& path, const std::vector<std::string>& header,
                 const console::SignalsWait&)
    : file_(path, io::OutputFile::Kind::growing), unfinished_(file_.beside()) {
    for (const std::string& name : header) {
        if (!pending_.empty()) pending_ += ',';
        pending_ += cell(name);
    }
    pending_ += '\n';
    flush();
}

void CsvFile::add(std::span<const double> row) {
    for (size_t i = 0; i < row.size(); ++i) {
        if (i > 0) pending_ += ',';
        if (!std::isnan(row[i])) fmt::format_to(std::back_inserter(pending_), "{:.12g}", row[i]);
    }
    pending_ += '\n';
    if (pending_.size() > 1 << 16) flush();
}

void CsvFile::flush() {
    file_.write(pending_);
    pending_.clear();
    last_flush_ = console::Clock::now();
}

void CsvFile::finish_with(io::OutputFile& page) {
    flush();
    io::OutputFile::publish(file_, page);
}

void CsvFile::finish() {
    flush();
    file_.publish();
}

}  // namespace bristle::report
