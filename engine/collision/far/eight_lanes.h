// Words for eight numbers side by side (AVX2) that the instructions themselves lack.
#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>

namespace bristle::collision {

// Column k of eight rows of four.
template <int k> __m256 column(const __m128 (&rows)[8]) {
    const auto of_four = [&](int first) {
        const __m128 a = rows[first], b = rows[first + 1], c = rows[first + 2], d = rows[first + 3];
        if constexpr (k == 0) return _mm_movelh_ps(_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
        if constexpr (k == 1) return _mm_movehl_ps(_mm_unpacklo_ps(c, d), _mm_unpacklo_ps(a, b));
        return _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
    };
    return _mm256_set_m128(of_four(4), of_four(0));
}

inline float least(__m256 v) {
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ss(m, _mm_movehdup_ps(m)));
}

inline float greatest(__m256 v) {
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

// For every set of lanes their numbers, one a byte, then zeros.
constexpr std::array<uint64_t, 256> make_lane_numbers() {
    std::array<uint64_t, 256> numbers{};
    for (uint32_t lanes = 0; lanes < 256; ++lanes)
        for (uint32_t lane = 0, at = 0; lane < 8; ++lane)
            if (lanes >> lane & 1) numbers[lanes] |= uint64_t{lane} << 8 * at++;
    return numbers;
}
inline constexpr std::array<uint64_t, 256> lane_numbers = make_lane_numbers();

inline __m256i numbers_of(uint32_t lanes) {
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<int64_t>(lane_numbers[lanes])));
}

// Writes first + lane for every lane, and rubbish after them up to eight; where the next ones go.
// Loops over lists that are written like this do not have to guess how many lanes there are.
inline uint32_t* write_numbers(uint32_t first, uint32_t lanes, uint32_t* end) {
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(end),
        _mm256_add_epi32(numbers_of(lanes), _mm256_set1_epi32(static_cast<int>(first))));
    return end + std::popcount(lanes);
}

inline __m256i load(const uint32_t (&eight)[8]) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(eight));
}

inline __m256i broadcast(uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }

}  // namespace bristle::collision
