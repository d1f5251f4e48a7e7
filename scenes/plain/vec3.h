#pragma once

#include <array>
#include <cmath>

namespace bristle::scenes::plain {

using Vec3 = std::array<double, 3>;

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

inline Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline double squared(const Vec3& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

inline double distance(const Vec3& a, const Vec3& b) { return std::sqrt(squared(a - b)); }

/// The larger of `gap` and the distance of two points; not finite as soon as one of them is not.
inline double widened(double gap, const Vec3& a, const Vec3& b) {
    const double other = distance(a, b);
    return other <= gap || !std::isfinite(gap) ? gap : other;
}

inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Right-handed rotation by `angle` about y.
inline Vec3 rotated_about_y(const Vec3& v, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]};
}

}  // namespace bristle::scenes::plain
