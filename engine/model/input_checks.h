// What a user gives is checked where it enters; the message says which object, what, and the rule.
#pragma once

#include <bristle/error.h>
#include <bristle/math.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace bristle::model {

[[noreturn]] inline void fail(const std::string& where, const std::string& what) {
    throw InputError(where + ": " + what);
}

inline std::string label(const char* kind, const std::string& name, size_t index) {
    return name.empty() ? fmt::format("{} {}", kind, index) : fmt::format("{} '{}'", kind, name);
}

inline void check_finite(const std::string& where, const char* what, Vec3 v) {
    if (!is_finite(v))
        fail(where, fmt::format("{} is not finite ({}, {}, {})", what, v.x, v.y, v.z));
}

inline void check_at_least(const std::string& where, const char* what, double value, double least) {
    if (!(value >= least))
        fail(where, fmt::format("{} is {}; it must be at least {}", what, value, least));
    if (!std::isfinite(value)) fail(where, fmt::format("{} is {}; it must be finite", what, value));
}

inline Vec3 checked_direction(const std::string& where, const char* what, Vec3 axis) {
    check_finite(where, what, axis);
    // Scaled first: the square of a long (or short) vector may be out of range.
    const double largest = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
    if (largest > 0) axis = axis / largest;
    const double length = norm(axis);
    if (!(length > 0)) fail(where, fmt::format("{} has no length; give a direction", what));
    return axis / length;
}

inline Quat checked_rotation(const std::string& where, const char* what, Quat q) {
    const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(n > 1e-300) || !std::isfinite(n))
        fail(where, fmt::format("{} not a rotation; give a quaternion of length one", what));
    return {q.w / n, q.x / n, q.y / n, q.z / n};
}

}  // namespace bristle::model
