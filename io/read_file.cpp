#include "io/read_file.h"

#include <bristle/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bristle::io {
namespace {

struct Descriptor {
    int number;
    explicit Descriptor(const std::filesystem::path& file)
        // A pipe without a writer must not keep us waiting.
        : number(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number >= 0) close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
};

}  // namespace

std::string read_file(const std::filesystem::path& file, uintmax_t most) {
    const auto fail = [&](const std::string& why) {
        throw InputError(fmt::format("{}: {}", file.string(), why));
    };
    const Descriptor descriptor(file);
    if (descriptor.number < 0 && (errno == ENOENT || errno == ENOTDIR))
        fail("there is no such file");
    struct stat status {};
    if (descriptor.number < 0 || fstat(descriptor.number, &status) != 0)
        fail(fmt::format("it cannot be read: {}", std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) fail("it is no file but a folder, a pipe or a device");
    const auto size = static_cast<uintmax_t>(status.st_size);
    if (size > most) fail(fmt::format("it has {} bytes; at most {} are read", size, most));
    std::string bytes(size, '\0');
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(descriptor.number, bytes.data() + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(fmt::format("it cannot be read: {}", std::strerror(errno)));
        if (got == 0) break;  // it has become shorter
        done += static_cast<size_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder) {
    std::error_code error;
    // What is not there and has no folder would stay relative.
    const auto whole = [&](const std::filesystem::path& path) {
        const auto absolute = std::filesystem::absolute(path, error);
        return error ? path : std::filesystem::weakly_canonical(absolute, error);
    };
    const auto inner = whole(file);
    if (error) return false;
    const auto outer = whole(folder.empty() ? std::filesystem::path(".") : folder);
    if (error) return false;
    const auto end = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first;
    return end == outer.end() || (end->empty() && std::next(end) == outer.end());
}

}  // namespace bristle::io
