// A state as bytes: written, read and hashed by one list of its parts.
//
//     struct Parts {
//         template <class S, class Number, class List>
//         static void for_each(S& state, const Number& number, const List& list) {
//             number(state.time);
//             list(state.position, PartLength::of_the_model);
//         }
//     };
#pragma once

#include "base/hash.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace bristle::state {

enum class PartLength : uint8_t { of_the_model, varies };

template <class T> std::span<const std::byte> bytes_of_part(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}
template <class T> std::span<const std::byte> bytes_of_part(const std::vector<T>& list) {
    return std::as_bytes(std::span(list));
}

template <class Parts, class State> std::vector<std::byte> bytes_of_state(const State& state) {
    std::vector<std::byte> out;
    const auto write = [&](std::span<const std::byte> part) {
        if (part.empty()) return;
        const size_t at = out.size();
        out.resize(at + part.size());
        std::memcpy(&out[at], part.data(), part.size());
    };
    Parts::for_each(
        state,
        [&](const auto& value) {
            write(bytes_of_part(uint64_t{1}));
            write(bytes_of_part(value));
        },
        [&](const auto& list, PartLength) {
            write(bytes_of_part(uint64_t{list.size()}));
            write(bytes_of_part(list));
        });
    return out;
}

// False, and nothing changed, if the bytes belong to a state of another shape.
template <class Parts, class State>
bool assign_state(State& state, const std::vector<std::byte>& bytes) {
    State read = state;
    size_t at = 0;
    bool fits = true;
    const auto take = [&](void* to, size_t size) {
        fits = fits && bytes.size() - at >= size;
        if (!fits || size == 0) return;
        std::memcpy(to, bytes.data() + at, size);
        at += size;
    };
    Parts::for_each(
        read,
        [&](auto& value) {
            uint64_t count = 0;
            take(&count, sizeof count);
            fits = fits && count == 1;
            take(&value, sizeof value);
        },
        [&](auto& list, PartLength length) {
            uint64_t count = 0;
            take(&count, sizeof count);
            const size_t one = sizeof list[0];
            fits = fits && count <= (bytes.size() - at) / one
                && (length == PartLength::varies || count == list.size());
            if (!fits) return;
            list.resize(count);
            take(list.data(), count * one);
        });
    if (!fits || at != bytes.size()) return false;
    state = std::move(read);
    return true;
}

template <class Parts, class State> uint64_t hash_of_state(const State& state) {
    uint64_t value = hash_bytes({});
    Parts::for_each(
        state, [&](const auto& number) { value = hash_bytes(bytes_of_part(number), value); },
        [&](const auto& list, PartLength) { value = hash_bytes(bytes_of_part(list), value); });
    return value;
}

}  // namespace bristle::state
