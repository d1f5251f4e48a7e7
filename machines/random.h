// Random numbers whose state is one number, so that it can be kept with what else is remembered: SplitMix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstdint>

namespace bristle::machines {

inline uint64_t next_random(uint64_t& state) {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// 0 … 1, the upper end excluded.
inline double next_share(uint64_t& state) {
    return static_cast<double>(next_random(state) >> 11) * 0x1.0p-53;
}

}  // namespace bristle::machines
