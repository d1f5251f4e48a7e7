// Plain values as bytes: appended, and read again without going beyond their end.
#pragma once

#include "base/rooms.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace bristle::base {

template <class T> void append_bytes(std::vector<std::byte>& out, std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    out.insert(out.end(), bytes.begin(), bytes.end());
}
template <class T> void append_bytes(std::vector<std::byte>& out, const T& value) {
    append_bytes(out, std::span<const T>(&value, 1));
}

class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    // False, and nothing read, if there are not as many.
    template <class T> bool take(std::span<T> to) {
        if (to.size() > left() / sizeof(T)) return false;
        if (!to.empty()) std::memcpy(to.data(), &bytes_[at_], to.size_bytes());
        at_ += to.size_bytes();
        return true;
    }
    template <class T> bool take(T& to) { return take(std::span<T>(&to, 1)); }
    size_t left() const { return bytes_.size() - at_; }
    bool is_at_end() const { return left() == 0; }

  private:
    std::span<const std::byte> bytes_;
    size_t at_ = 0;
};

}  // namespace bristle::base
