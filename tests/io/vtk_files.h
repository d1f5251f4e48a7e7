// Files of VTK as tests look at them.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bristle::io {

inline std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// The numbers of an array, found by its offset in what is appended.
template <class T> std::vector<T> appended(const std::string& file, const std::string& name) {
    const size_t array = file.find("Name=\"" + name + '"');
    if (array == std::string::npos) throw std::runtime_error("no array " + name);
    const size_t offset =
        std::stoul(file.substr(file.find("offset=\"", array) + std::strlen("offset=\"")));
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    const char* start = file.data() + file.find(mark) + mark.size() + offset;
    uint64_t size = 0;
    std::memcpy(&size, start, sizeof size);
    std::vector<T> values(size / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), start + sizeof size, size);
    return values;
}

}  // namespace bristle::io
