// Where two shapes touch: one record for every solver.
//
//        a        outward normal of b, from b to a: n
//     ───●───     on_a, the deepest point of a's surface
//      ↑ n        depth = n · (on_b − on_a), negative while there is a gap
//     ───●───     on_b, the deepest point of b's surface
//        b
//
// Detection runs once per step, at the predicted position; through the iterations the contact is
// carried by its two bodies. So it says how its surfaces are curved there: each side is taken as the
// ball of its sharpest curvature, centred in its body, and the normal as belonging to one of the bodies
// or to the line between the balls' centres. That keeps a rolling ball on the plane to second order. Where a side is slender,
// its curvature the other way tells how its ball may go along it (lagrange/contacts.h).
#pragma once

#include <bristle/math.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace bristle::collision {

// Principal curvatures in 1/m, positive where the body is convex: 0 flat, ∞ sharp (an edge has one of
// each, a vertex two infinite ones). `direction` is that of the first; any if they are equal.
struct Curvature {
    double first = 0, second = 0;
    Vec3 direction;

    static constexpr double sharp = std::numeric_limits<double>::infinity();
    double largest() const { return first > second ? first : second; }
    // Of the ball that stands for the surface: ∞ if flat or hollow, 0 if sharp.
    double ball_radius() const { return largest() > 0 ? 1 / largest() : sharp; }
};

// Which motion turns the normal until the next detection: that of body a, of body b (the side whose
// face it is), or of the line between the centres of the two balls; or none, for balls that would have
// passed each other by the end of the step.
enum class NormalOf : uint8_t { a, b, centers, space };

struct ContactPoint {
    Vec3 on_a, on_b;
    Vec3 normal;  // unit, from b to a
    double depth;
    Curvature curvature_a, curvature_b;
    NormalOf normal_of;
    double weight = 1;  // share of this one among several that describe the same touch
    // Where a whole face presses, its corners stand for it, but friction of a face that turns acts nearer to its middle than they
    // are: by this share of their distance. (That of points with the second moments of an even pressure; near.cpp.)
    double spread = 1;
    uint32_t feature = 0;  // the same from step to step while the same parts touch
    uint32_t face_a = 0xffffffffu, face_b = 0xffffffffu;  // of a mesh, for its material
};

using ContactPoints = std::vector<ContactPoint>;

}  // namespace bristle::collision
