// FNV-1a over bytes: the fingerprint of a state.
#pragma once

#include "base/rooms.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace bristle::base {

inline uint64_t hash_bytes(std::span<const std::byte> bytes,
                           uint64_t seed = 0xcbf29ce484222325ull) {
    for (std::byte b : bytes) seed = (seed ^ static_cast<uint64_t>(b)) * 0x100000001b3ull;
    return seed;
}

}  // namespace bristle::base
