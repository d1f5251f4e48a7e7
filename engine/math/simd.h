// Four doubles in one register. Entities are three numbers and a zero, so that every operation of the
// hot path is one instruction wide and no lane is ever masked.
#pragma once

#include <bristle/math.h>

#include "base/rooms.h"

#include <immintrin.h>

namespace bristle::math {

using Vec4 = double __attribute__((vector_size(32)));

inline Vec4 broadcast(double s) { return Vec4{s, s, s, s}; }
inline Vec4 to_vec4(Vec3 a) { return Vec4{a.x, a.y, a.z, 0}; }
inline Vec3 to_vec3(Vec4 a) { return {a[0], a[1], a[2]}; }
// a * b + c, rounded once: the same on every machine the build runs on.
inline Vec4 fma(Vec4 a, Vec4 b, Vec4 c) {
    return (Vec4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
inline Vec4 fma(double a, Vec4 b, Vec4 c) { return fma(broadcast(a), b, c); }
inline Vec4 fnma(Vec4 a, Vec4 b, Vec4 c) {
    return (Vec4)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
inline double sum(Vec4 a) {
    const __m128d low = _mm256_castpd256_pd128((__m256d)a),
                  high = _mm256_extractf128_pd((__m256d)a, 1);
    const __m128d pair = _mm_add_pd(low, high);
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
}
inline double dot(Vec4 a, Vec4 b) { return sum(a * b); }
// The fourth lane stays zero.
inline Vec4 cross(Vec4 a, Vec4 b) {
    const auto yzx = [](Vec4 v) {
        return (Vec4)_mm256_permute4x64_pd((__m256d)v, _MM_SHUFFLE(3, 0, 2, 1));
    };
    return yzx(a * yzx(b) - yzx(a) * b);
}

// A 3×3 matrix by columns.
struct Block3 {
    Vec4 column[3];
};

}  // namespace bristle::math
