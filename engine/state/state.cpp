#include "state/state.h"

#include "base/hash.h"

#include <cstring>
#include <type_traits>

namespace bristle {
namespace {

// One list of the parts, for writing, measuring and reading alike.
template <class S, class Visit> void for_each_part(S& state, const Visit& visit) {
    visit(&state.time, 1);
    visit(&state.steps, 1);
    const auto list = [&](auto& vector) { visit(vector.data(), vector.size()); };
    list(state.position);
    list(state.velocity);
    list(state.acceleration);
    list(state.force);
    list(state.multiplier);
    list(state.closure_multiplier);
    list(state.memory);
    list(state.contacts);
}

template <class T> constexpr bool may_change_size = std::is_same_v<T, ContactMemory>;

}  // namespace

std::vector<std::byte> State::bytes() const {
    size_t total = 0;
    for_each_part(*this, [&](const auto* data, size_t count) {
        total += sizeof(uint64_t) + count * sizeof *data;
    });
    std::vector<std::byte> out(total);
    size_t at = 0;
    for_each_part(*this, [&](const auto* data, size_t count) {
        const uint64_t size = count;
        std::memcpy(out.data() + at, &size, sizeof size);
        at += sizeof size;
        if (count > 0) std::memcpy(out.data() + at, data, count * sizeof *data);
        at += count * sizeof *data;
    });
    return out;
}

bool State::assign(const std::vector<std::byte>& bytes) {
    size_t at = 0, contact_count = 0;
    bool fits = true;
    for_each_part(*this, [&](auto* data, size_t count) {
        uint64_t size = 0;
        if (!fits || bytes.size() - at < sizeof size) {
            fits = false;
            return;
        }
        std::memcpy(&size, bytes.data() + at, sizeof size);
        at += sizeof size;
        using Part = std::remove_pointer_t<decltype(data)>;
        fits = (size == count || may_change_size<Part>)&&(bytes.size() - at) / sizeof *data >= size;
        if (!fits) return;
        at += size * sizeof *data;
        if (may_change_size<Part>) contact_count = size;
    });
    if (!fits || at != bytes.size()) return false;
    contacts.resize(contact_count);
    at = 0;
    for_each_part(*this, [&](auto* data, size_t count) {
        at += sizeof(uint64_t);
        if (count > 0) std::memcpy(data, bytes.data() + at, count * sizeof *data);
        at += count * sizeof *data;
    });
    return true;
}

uint64_t State::hash() const {
    uint64_t value = hash_bytes({});
    for_each_part(*this, [&](const auto* data, size_t count) {
        value = hash_bytes({reinterpret_cast<const std::byte*>(data), count * sizeof *data}, value);
    });
    return value;
}

}  // namespace bristle
