// Eight floats in one register, for work on eight things at a time.
#pragma once

#include "base/rooms.h"

#include <immintrin.h>

namespace bristle::math {

using Wide = float __attribute__((vector_size(32)));

inline Wide wide(float s) { return (Wide)_mm256_set1_ps(s); }
// a * b + c and c − a * b, rounded once: the same on every machine the build runs on.
inline Wide fma(Wide a, Wide b, Wide c) {
    return (Wide)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
inline Wide fnma(Wide a, Wide b, Wide c) {
    return (Wide)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
inline Wide max(Wide a, Wide b) { return (Wide)_mm256_max_ps((__m256)a, (__m256)b); }
inline Wide min(Wide a, Wide b) { return (Wide)_mm256_min_ps((__m256)a, (__m256)b); }
inline Wide sqrt(Wide a) { return (Wide)_mm256_sqrt_ps((__m256)a); }
// a where the condition's lanes are negative or all ones, else b.
inline Wide choose(Wide condition, Wide a, Wide b) {
    return (Wide)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)condition);
}
inline Wide less(Wide a, Wide b) { return (Wide)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ); }

struct WideVec3 {
    Wide x, y, z;
};
inline WideVec3 operator+(const WideVec3& a, const WideVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline WideVec3 operator-(const WideVec3& a, const WideVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline WideVec3 operator*(Wide s, const WideVec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Wide dot(const WideVec3& a, const WideVec3& b) {
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
inline WideVec3 cross(const WideVec3& a, const WideVec3& b) {
    return {fnma(a.z, b.y, a.y * b.z), fnma(a.x, b.z, a.z * b.x), fnma(a.y, b.x, a.x * b.y)};
}
// a + s b, a − s b
inline WideVec3 add(const WideVec3& a, Wide s, const WideVec3& b) {
    return {fma(s, b.x, a.x), fma(s, b.y, a.y), fma(s, b.z, a.z)};
}
inline WideVec3 subtract(const WideVec3& a, Wide s, const WideVec3& b) {
    return {fnma(s, b.x, a.x), fnma(s, b.y, a.y), fnma(s, b.z, a.z)};
}

// Rows become columns.
inline void transpose(Wide (&r)[8]) {
    __m256 t[8], u[8];
    for (int i = 0; i < 4; ++i) {
        t[2 * i] = _mm256_unpacklo_ps((__m256)r[2 * i], (__m256)r[2 * i + 1]);
        t[2 * i + 1] = _mm256_unpackhi_ps((__m256)r[2 * i], (__m256)r[2 * i + 1]);
    }
    for (int i = 0; i < 2; ++i) {
        u[4 * i] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0x44);
        u[4 * i + 1] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0xee);
        u[4 * i + 2] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0x44);
        u[4 * i + 3] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0xee);
    }
    for (int i = 0; i < 4; ++i) {
        r[i] = (Wide)_mm256_permute2f128_ps(u[i], u[4 + i], 0x20);
        r[4 + i] = (Wide)_mm256_permute2f128_ps(u[i], u[4 + i], 0x31);
    }
}

}  // namespace bristle::math
