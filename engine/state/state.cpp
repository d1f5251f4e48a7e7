#include "state/state.h"

#include "base/hash.h"

#include <cstring>
#include <span>

namespace bristle {
namespace {

enum class Length : uint8_t { of_the_model, varies };

// One list of the parts, for writing, reading and hashing alike.
template <class S, class Number, class List>
void for_each_part(S& state, const Number& number, const List& list) {
    number(state.time);
    number(state.steps);
    list(state.position, Length::of_the_model);
    list(state.velocity, Length::of_the_model);
    list(state.acceleration, Length::of_the_model);
    list(state.force, Length::of_the_model);
    list(state.multiplier, Length::of_the_model);
    list(state.closure_multiplier, Length::of_the_model);
    list(state.memory, Length::of_the_model);
    list(state.still, Length::varies);
    list(state.contacts, Length::varies);
}

template <class T> std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}
template <class T> std::span<const std::byte> bytes_of(const std::vector<T>& list) {
    return std::as_bytes(std::span(list));
}

}  // namespace

std::vector<std::byte> State::bytes() const {
    std::vector<std::byte> out;
    const auto write = [&](std::span<const std::byte> part) {
        if (part.empty()) return;
        const size_t at = out.size();
        out.resize(at + part.size());
        std::memcpy(&out[at], part.data(), part.size());
    };
    for_each_part(
        *this,
        [&](const auto& value) {
            write(bytes_of(uint64_t{1}));
            write(bytes_of(value));
        },
        [&](const auto& list, Length) {
            write(bytes_of(uint64_t{list.size()}));
            write(bytes_of(list));
        });
    return out;
}

bool State::assign(const std::vector<std::byte>& bytes) {
    State read = *this;
    size_t at = 0;
    bool fits = true;
    const auto take = [&](void* to, size_t size) {
        fits = fits && bytes.size() - at >= size;
        if (!fits || size == 0) return;
        std::memcpy(to, bytes.data() + at, size);
        at += size;
    };
    for_each_part(
        read,
        [&](auto& value) {
            uint64_t count = 0;
            take(&count, sizeof count);
            fits = fits && count == 1;
            take(&value, sizeof value);
        },
        [&](auto& list, Length length) {
            uint64_t count = 0;
            take(&count, sizeof count);
            const size_t one = sizeof list[0];
            fits = fits && count <= (bytes.size() - at) / one
                && (length == Length::varies || count == list.size());
            if (!fits) return;
            list.resize(count);
            take(list.data(), count * one);
        });
    if (!fits || at != bytes.size()) return false;
    *this = std::move(read);
    return true;
}

uint64_t State::hash() const {
    uint64_t value = hash_bytes({});
    for_each_part(
        *this, [&](const auto& number) { value = hash_bytes(bytes_of(number), value); },
        [&](const auto& list, Length) { value = hash_bytes(bytes_of(list), value); });
    return value;
}

}  // namespace bristle
