// The one way a file is read whole: a regular file, of a size that is looked at before anything is made room for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bristle::io {

// Throws InputError that names the file: it is not there, is a folder, a pipe or a device, is larger than `most` bytes,
// or cannot be read.
std::string read_file(const std::filesystem::path& file, uintmax_t most);

// Whether a file lies in a folder, links followed.
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace bristle::io
