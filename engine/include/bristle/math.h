// The few geometric types of the public interface: vectors, rotations and poses.
//
// Right-handed, z up, SI units. A Mat3 is stored by rows; a Quat is (w, x, y, z) and rotates
// body coordinates into world coordinates.
#pragma once

#include <array>
#include <cmath>

namespace bristle {

inline constexpr double pi = 3.14159265358979323846;

struct Vec3 {
    double x = 0, y = 0, z = 0;

    constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr Vec3 operator-() const { return {-x, -y, -z}; }
    constexpr Vec3& operator+=(Vec3 o) { return *this = {x + o.x, y + o.y, z + o.z}; }
    constexpr Vec3& operator-=(Vec3 o) { return *this = {x - o.x, y - o.y, z - o.z}; }
    constexpr Vec3& operator*=(double s) { return *this = {x * s, y * s, z * s}; }
    constexpr bool operator==(const Vec3&) const = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr Vec3 operator*(Vec3 a, double s) { return s * a; }
constexpr Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(Vec3 a) { return a / norm(a); }
inline bool is_finite(Vec3 a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
// A unit vector perpendicular to the unit vector a.
inline Vec3 any_perpendicular(Vec3 a) {
    const Vec3 least = std::abs(a.x) <= std::abs(a.y) && std::abs(a.x) <= std::abs(a.z)
                         ? Vec3{1, 0, 0}
                     : std::abs(a.y) <= std::abs(a.z) ? Vec3{0, 1, 0}
                                                      : Vec3{0, 0, 1};
    return normalized(cross(a, least));
}

struct Mat3 {
    std::array<Vec3, 3> row{};

    static constexpr Mat3 identity() { return diagonal({1, 1, 1}); }
    static constexpr Mat3 diagonal(Vec3 d) { return {{{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}}}; }
    static constexpr Mat3 outer(Vec3 a, Vec3 b) { return {{{a.x * b, a.y * b, a.z * b}}}; }
    static constexpr Mat3 columns(Vec3 a, Vec3 b, Vec3 c) {
        return {{{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}}};
    }
    constexpr double operator()(int i, int j) const { return row[static_cast<size_t>(i)][j]; }
    constexpr double& operator()(int i, int j) { return row[static_cast<size_t>(i)][j]; }
    constexpr Vec3 column(int j) const { return {row[0][j], row[1][j], row[2][j]}; }
    constexpr Mat3 transposed() const { return columns(row[0], row[1], row[2]); }
    constexpr double trace() const { return row[0].x + row[1].y + row[2].z; }
    constexpr bool operator==(const Mat3&) const = default;
};

constexpr Vec3 operator*(const Mat3& m, Vec3 a) {
    return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
}
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    const Mat3 t = b.transposed();
    return {{{t * a.row[0], t * a.row[1], t * a.row[2]}}};
}
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {{{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}}};
}
constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
    return {{{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}}};
}
constexpr Mat3 operator*(double s, const Mat3& a) {
    return {{{s * a.row[0], s * a.row[1], s * a.row[2]}}};
}

struct Quat {
    double w = 1, x = 0, y = 0, z = 0;

    static Quat about(Vec3 axis, double angle) {
        const Vec3 v = std::sin(angle / 2) * normalized(axis);
        return {std::cos(angle / 2), v.x, v.y, v.z};
    }
    static Quat from(const Mat3& rotation);
    Mat3 matrix() const;
    constexpr Quat conjugate() const { return {w, -x, -y, -z}; }
    constexpr bool operator==(const Quat&) const = default;
};

constexpr Quat operator*(Quat a, Quat b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

inline Mat3 Quat::matrix() const {
    const double n = w * w + x * x + y * y + z * z, s = 2 / n;
    return {{{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
              {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
              {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}}};
}

inline Quat Quat::from(const Mat3& r) {
    // The largest of the four squares is taken first, so that no division is by a small number.
    const double t[4] = {r.trace(), 2 * r(0, 0) - r.trace(), 2 * r(1, 1) - r.trace(),
                         2 * r(2, 2) - r.trace()};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (t[i] > t[k]) k = i;
    double q[4];
    q[k] = 0.5 * std::sqrt(1 + t[k]);
    const double f = 0.25 / q[k];
    const double skew[3] = {r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
    for (int i = 0; i < 4; ++i) {
        if (i == k) continue;
        q[i] = k == 0 ? f * skew[i - 1]
             : i == 0 ? f * skew[k - 1]
                      : f * (r(i - 1, k - 1) + r(k - 1, i - 1));
    }
    return {q[0], q[1], q[2], q[3]};
}

// Where a body is: world = position + orientation * local.
struct Pose {
    Vec3 position;
    Quat orientation;

    Vec3 operator*(Vec3 local) const { return position + orientation.matrix() * local; }
    constexpr bool operator==(const Pose&) const = default;
};

// How a body moves: velocity of its frame's origin and angular velocity, in world axes.
struct Twist {
    Vec3 linear, angular;
    constexpr bool operator==(const Twist&) const = default;
};

}  // namespace bristle
