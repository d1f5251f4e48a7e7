// What pairs of convex shapes share: support mappings, distance, penetration, polygons.
//
// A convex shape is taken as a core and a ball: C ⊕ B(r). A sphere's core is its centre, a capsule's its
// axis, a triangle's itself (r = 0). The distance of two shapes is that of their cores less both radii,
// and so is the depth, also where the cores themselves penetrate; so round shapes are exact, and only
// cylinders are curved to the iterations.
//
// The signed distance of two cores A and B with D = A − B (Minkowski), h(u) = max over D of u·x:
//
//     outside   max over |u| = 1 of −h(u): the point of D nearest to the origin              (GJK)
//     inside    −min over |u| = 1 of h(u): the point of D's boundary nearest to the origin   (EPA)
//
// Everything is in the frame of a: b is at `position` and turned by `rotation` in it. So nothing
// depends on where in the world the two are.
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"

#include <cstdint>
#include <memory>
#include <span>

namespace bristle::collision {

// The core of a convex shape, and its ball, in its own frame.
struct ConvexCore {
    enum class Kind : uint8_t { point, segment, box, cylinder, hull, points };
    Kind kind = Kind::point;
    Vec3 half;                           // of a box
    double radius = 0, half_length = 0;  // of a cylinder; half length of a segment along z
    const ConvexHull* hull = nullptr;
    std::span<const Vec3> corners;  // of `points`: any few, a triangle for one
    double ball = 0;                // radius of the ball around the core

    // Of a sphere, capsule, box, cylinder or convex collider.
    static ConvexCore of(const Collider&);
    static ConvexCore of_points(std::span<const Vec3> corners, double ball = 0);

    // The point of the core farthest in this direction (any length; zero gives any point).
    Vec3 support(Vec3 direction) const;
};

// b as seen from a.
struct RelativePose {
    Mat3 rotation;
    Vec3 position;

    RelativePose() = default;
    RelativePose(const Placed& a, const Placed& b);
    Vec3 to_a(Vec3 in_b) const { return position + rotation * in_b; }
    Vec3 to_b(Vec3 in_a) const { return rotation.transposed() * (in_a - position); }
    Vec3 turn_to_b(Vec3 in_a) const { return rotation.transposed() * in_a; }
};

// How far two *cores* are apart (negative: how deep one is in the other), in a's frame.
struct ConvexDistance {
    double distance = 0;
    Vec3 normal;           // unit, from b to a
    Vec3 on_a, on_b;       // on_a − on_b = distance · normal, to rounding
    bool is_near = false;  // otherwise farther than asked for, and nothing else is known
};
// Signed distance of the cores if it is at most `limit`. Bounded in time, never throws.
ConvexDistance convex_distance(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                               double limit);

// A convex polygon with few corners, or a segment (two), or a point; it remembers where its corners and
// edges come from, so that contacts can be known again in the next step.
struct Polygon {
    static constexpr int capacity = 64;
    struct Corner {
        Vec3 point;
        uint32_t name;  // below 2¹⁰: a corner it had; otherwise (edge, cutter)
        uint32_t edge;  // that goes on to the next corner; below 2¹⁰: one it had
    };
    union {
        Corner corners
            [capacity];  // only the first `size` are alive: clearing all would cost more than clipping
    };
    int size = 0;

    Polygon() {}  // NOLINT(modernize-use-equals-default): the union has no default constructor

    // Names are taken modulo 2¹⁰. Nothing happens if it is full.
    void add(Vec3 point, uint32_t name) {
        if (size == capacity) return;
        std::construct_at(&corners[size++], Corner{point, name & 1023u, name & 1023u});
    }
    std::span<const Corner> view() const { return {corners, static_cast<size_t>(size)}; }
};
// Keeps the part with normal·x ≤ offset. What is within `tolerance` (m) of the cut counts as on it and
// is not cut, so that corners which coincide do not change their names by rounding. `cutter` is below
// 2¹⁰. Full polygons lose a corner rather than memory.
void clip(Polygon&, Vec3 normal, double offset, double tolerance, uint32_t cutter);

// Of the contacts from `first` on, four at most: one of the deepest and those that span the largest area
// seen along `normal`; and the very deepest, as a fifth, if it is deeper than those. They stay the same
// while the depths change little; the order is kept.
void keep_four(ContactPoints&, size_t first, Vec3 normal);

}  // namespace bristle::collision
