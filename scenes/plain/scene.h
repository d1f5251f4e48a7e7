// Many bodies in plain numbers, so that every engine starts from the very same ones: bodies made of boxes,
// balls and capsules, ball joints and hinges between them, boxes and a floor that stand still.
//
// SI units, z up. A body's frame is at its centre of mass, along its principal axes.
#pragma once

#include "scenes/plain/vec3.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace bristle::scenes::plain {

constexpr double pi = 3.14159265358979323846;
constexpr double gravity = 9.81;  // m/s²
constexpr double unlimited = std::numeric_limits<double>::infinity();

inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Quat {
    double w = 1;
    Vec3 v = {};

    // About a unit vector.
    static Quat about(const Vec3& axis, double angle) {
        return {std::cos(angle / 2), std::sin(angle / 2) * axis};
    }
};
inline Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
inline Vec3 operator*(const Quat& q, const Vec3& a) {
    const Vec3 t = 2 * cross(q.v, a);
    return a + q.w * t + cross(q.v, t);
}

struct Pose {
    Vec3 position = {};
    Quat orientation = {};

    Vec3 operator*(const Vec3& local) const { return position + orientation * local; }
    Pose operator*(const Pose& inner) const {
        return {*this * inner.position, orientation * inner.orientation};
    }
};

struct Piece {
    enum class Kind : uint8_t { box, ball, capsule };
    Kind kind = Kind::box;
    Vec3 size = {};     // of a box: its edges
    double radius = 0;  // of a ball or capsule
    double length = 0;  // of a capsule, along z, between the centres of its ends
    Pose pose = {};     // in the body

    static Piece box(const Vec3& size, const Pose& pose = {}) {
        return {.kind = Kind::box, .size = size, .pose = pose};
    }
    static Piece ball(double radius) { return {.kind = Kind::ball, .radius = radius}; }
    static Piece capsule(double radius, double length) {
        return {.kind = Kind::capsule, .radius = radius, .length = length};
    }
};

struct Inertia {
    double mass = 0;    // kg
    Vec3 moments = {};  // kg m², about the centre, along the axes
};

struct Body {
    std::vector<Piece> pieces;
    Inertia inertia;
    Pose pose = {};
    std::string name = {};
};

// Of bodies by their places in the scene; b may be the ground.
struct Joint {
    static constexpr int ground = -1;
    enum class Kind : uint8_t { ball, hinge };
    Kind kind = Kind::ball;
    int a = ground, b = ground;
    Vec3 at = {}, axis = {};                   // world, at the start
    double min = -unlimited, max = unlimited;  // rad, of b's angle against a about the axis
    bool is_driven = false;
    double speed = 0;  // rad/s of b against a, if it is driven
};

enum class Floor : uint8_t { none, plane };  // z = 0

// A room that the centres of bodies must not leave.
struct Room {
    Vec3 low = {-unlimited, -unlimited, -unlimited}, high = {unlimited, unlimited, unlimited};

    bool contains(const Vec3& p) const {
        bool is_inside = true;
        for (std::size_t i = 0; i < 3; ++i)
            is_inside = is_inside && low[i] <= p[i] && p[i] <= high[i];
        return is_inside;
    }
};

struct Scene {
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Piece> scenery;  // boxes that stand still
    Floor floor = Floor::plane;
    double friction = 0.5, restitution = 0;
    Room room = {};
};

// ---- Mass, by density -----------------------------------------------------------------------------

inline Inertia inertia_of(const Piece& piece, double density) {
    const auto [x, y, z] = piece.size;
    const double r = piece.radius, l = piece.length, r2 = r * r;
    switch (piece.kind) {
        case Piece::Kind::box: {
            const double m = density * x * y * z;
            return {m, (m / 12) * Vec3{y * y + z * z, z * z + x * x, x * x + y * y}};
        }
        case Piece::Kind::ball: {
            const double m = density * 4 / 3 * pi * r * r2;
            return {m, (0.4 * m * r2) * Vec3{1, 1, 1}};
        }
        case Piece::Kind::capsule: {
            // A cylinder and two half balls, whose centres are 3r/8 beyond its ends.
            const double c = density * pi * r2 * l, h = density * 2 / 3 * pi * r * r2;
            const double along = c * r2 / 2 + 2 * h * 0.4 * r2;
            const double across =
                c * (r2 / 4 + l * l / 12) + 2 * h * (0.4 * r2 + l * l / 4 + 3 * l * r / 8);
            return {c + 2 * h, {across, across, along}};
        }
    }
    return {};
}

// A body of one piece whose frame is the piece's.
inline Body solid(const Piece& piece, double density, const Pose& pose, std::string name = {}) {
    return {{piece}, inertia_of(piece, density), pose, std::move(name)};
}

// Boxes with their edges along the body's axes, arranged symmetrically about its centre.
inline Body symmetric(std::vector<Piece> boxes, double density, const Pose& pose,
                      std::string name) {
    Inertia sum;
    for (const Piece& box : boxes) {
        const Inertia one = inertia_of(box, density);
        const Vec3& p = box.pose.position;
        const double x = p[0] * p[0], y = p[1] * p[1], z = p[2] * p[2];
        sum.mass += one.mass;
        sum.moments = sum.moments + one.moments + one.mass * Vec3{y + z, z + x, x + y};
    }
    return {std::move(boxes), sum, pose, std::move(name)};
}

}  // namespace bristle::scenes::plain
