// What the fuzzers share. Each reads what a stranger could send, and must end with a result or an InputError: anything else,
// also a sanitizer's complaint, is a finding. `tools/fuzz` builds and runs them.
#pragma once

#include <bristle/error.h>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace bristle::fuzz {

inline std::string_view text(const uint8_t* data, size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// Refused is as good as read.
template <class Read> int tried(const Read& read) {
    try {
        read();
    } catch (const InputError&) {
        return 0;
    } catch (const SimulationError&) {
        return 0;
    }
    return 0;
}

// A folder of this process in memory, with nothing in it but what is written.
inline const std::filesystem::path& folder() {
    static const std::filesystem::path own = [] {
        std::string name = "/dev/shm/bristle-fuzz-XXXXXX";
        return std::filesystem::path(mkdtemp(name.data()));
    }();
    return own;
}
inline std::filesystem::path file_of(std::string_view bytes, const char* name) {
    const std::filesystem::path file = folder() / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
}

}  // namespace bristle::fuzz
