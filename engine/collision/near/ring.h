// Where a ball that runs along a ring (circle or half circle) comes nearest to another shape.
//
// With f(φ) the signed distance of ring point φ and u the unit direction away from the other shape, f' = R u·t
// (t the ring's tangent): minima are where u·t turns from negative to positive, found between samples and
// polished by regula falsi on u·t, which also works where f has a kink. A circle is not convex, so there can be
// several minima, and all count.
//
// Where f hardly changes along the ring (a torus lying on a floor, a ball in its hole), one point would
// not hold it: then it stands on points fixed to the ring, 90° apart, the one nearest to
// the minimum being moved there; so the deepest is exact, and the others keep their place from step to step.
//
// The other shape is known by its probe only, which appends where a ball about a point touches it.
#pragma once

#include "collision/near/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace bristle::collision {

// The distance of what is not there.
inline constexpr double nowhere = std::numeric_limits<double>::infinity();
inline constexpr int ring_samples = 32;  // around the full ring
// This and the next three: the points on which a ring stands.
inline constexpr uint32_t lying_feature = 8;

// A torus in the frame of the other shape.
struct Ring {
    Mat3 rotation;
    Vec3 position;
    double radius, tube;
    bool is_half;

    Ring(const Placed& torus, const Placed& host)
        : rotation(host.rotation.transposed() * torus.rotation),
          position(host.to_local(torus.position)),
          radius(torus.collider->radius),
          tube(torus.collider->tube),
          is_half(torus.collider->is_half_torus) {}

    Vec3 radial(double phi) const { return rotation * Vec3{std::cos(phi), std::sin(phi), 0}; }
    Vec3 tangent(double phi) const { return rotation * Vec3{-std::sin(phi), std::cos(phi), 0}; }
    Vec3 at(double phi) const { return position + radius * radial(phi); }
    Vec3 axis() const { return rotation.column(2); }
    double length() const { return is_half ? pi : 2 * pi; }
};

struct RingTouch {
    double phi;
    BallTouch ball;
};

struct RingScratch {
    BallTouches balls, others;
    std::vector<RingTouch> touches;
};
inline RingScratch& ring_scratch() {
    thread_local RingScratch s;
    s.balls.clear();
    s.touches.clear();
    return s;
}

// A probe appends where a ball about a point touches the other shape; this is the nearest of those, or
// the nearest of those that look like `normal`. False if there is none.
template <class Probe>
bool nearest_touch(const Probe& probe, const Ring& ring, double phi, const Vec3* normal,
                   BallTouches& balls, BallTouch& nearest) {
    balls.clear();
    probe(ring.at(phi), balls);
    nearest.distance = nowhere;
    for (const BallTouch& ball : balls) {
        if (normal && dot(*normal, ball.normal) < 0.7) continue;
        if (ball.distance < nearest.distance) nearest = ball;
    }
    return nearest.distance < nowhere;
}

// The minimum of f between two angles with slopes of opposite sign; Illinois' regula falsi.
template <class Probe>
bool polish(const Probe& probe, const Ring& ring, double low, double high, const Vec3* normal,
            BallTouches& balls, RingTouch& out) {
    BallTouch a, b;
    if (!nearest_touch(probe, ring, low, normal, balls, a)) return false;
    if (!nearest_touch(probe, ring, high, normal, balls, b)) return false;
    double fa = dot(a.normal, ring.tangent(low)), fb = dot(b.normal, ring.tangent(high));
    if (fa > 0 || fb < 0) return false;
    int last = 0;
    for (int i = 0; i < 60 && high - low > 1e-14 && fa < 0 && fb > 0; ++i) {
        // Every third time in the middle: a jump of the slope must not stop it.
        const double phi = i % 3 == 2 ? 0.5 * (low + high) : (low * fb - high * fa) / (fb - fa);
        BallTouch c;
        if (!nearest_touch(probe, ring, phi, normal, balls, c)) return false;
        const double fc = dot(c.normal, ring.tangent(phi));
        if (fc <= 0) {
            if (last == -1) fb *= 0.5;
            low = phi, fa = fc, a = c, last = -1;
        }
        if (fc >= 0) {
            if (last == 1) fa *= 0.5;
            high = phi, fb = fc, b = c, last = 1;
        }
        if (std::abs(fc) < 1e-15) break;
    }
    out = a.distance < b.distance ? RingTouch{low, a} : RingTouch{high, b};
    return true;
}

// One sampled angle.
struct RingSample {
    double phi, distance, slope;
};
template <class Probe>
RingSample sample_at(const Probe& probe, const Ring& ring, double phi, BallTouches& balls) {
    BallTouch near;
    if (!nearest_touch(probe, ring, phi, nullptr, balls, near)) return {phi, nowhere, 0};
    return {phi, near.distance, dot(near.normal, ring.tangent(phi))};
}

// The minima between two samples, and at each of them what else is touched there (the other wall of a
// groove). f changes by no more than the ball moves, so most intervals cannot touch at all; those that
// can are halved `level` times, since there may be two minima in one.
template <class Probe>
void find_minima_between(const Probe& probe, const Ring& ring, double reach, const RingSample& a,
                         const RingSample& b, int level, RingScratch& s) {
    if (a.distance == nowhere || b.distance == nowhere) return;
    if (0.5 * (a.distance + b.distance - ring.radius * (b.phi - a.phi)) > reach) return;
    if (level > 0) {
        const RingSample middle = sample_at(probe, ring, 0.5 * (a.phi + b.phi), s.balls);
        find_minima_between(probe, ring, reach, a, middle, level - 1, s);
        find_minima_between(probe, ring, reach, middle, b, level - 1, s);
        return;
    }
    RingTouch found;
    if (a.slope > 0 || b.slope < 0 || (a.slope == 0 && b.slope == 0)) return;
    if (!polish(probe, ring, a.phi, b.phi, nullptr, s.balls, found)) return;
    s.touches.push_back(found);
    s.others.clear();
    probe(ring.at(found.phi), s.others);
    const double step = b.phi - a.phi;
    for (const BallTouch& other : s.others) {
        if (dot(other.normal, found.ball.normal) > 0.9) continue;
        RingTouch second{found.phi, other};
        polish(probe, ring, found.phi - step, found.phi + step, &other.normal, s.balls, second);
        s.touches.push_back(second);
    }
}

struct DistanceRange {
    double least = nowhere, greatest = -nowhere;
};
template <class Probe>
DistanceRange find_minima(const Probe& probe, const Ring& ring, double reach, int refinements,
                          RingScratch& s) {
    const int count = ring.is_half ? ring_samples / 2 : ring_samples;
    DistanceRange range;
    RingSample last{};
    for (int i = 0; i <= count; ++i) {
        const RingSample next = sample_at(probe, ring, i * ring.length() / count, s.balls);
        range.least = std::min(range.least, next.distance);
        range.greatest = std::max(range.greatest, next.distance);
        if (i > 0) find_minima_between(probe, ring, reach, last, next, refinements, s);
        last = next;
    }
    return range;
}

// Where the ring lies on the other shape along its length: points fixed to it. `s.touches` has the minima.
template <class Probe> void stand_on_points(const Probe& probe, const Ring& ring, RingScratch& s) {
    const auto lowest = std::min_element(
        s.touches.begin(), s.touches.end(),
        [](const RingTouch& a, const RingTouch& b) { return a.ball.distance < b.ball.distance; });
    const bool has_lowest = lowest != s.touches.end();
    const double phi = has_lowest ? lowest->phi : 0;
    const Vec3 normal = has_lowest ? lowest->ball.normal : Vec3{};
    s.touches.erase(std::remove_if(s.touches.begin(), s.touches.end(),
                                   [&](const RingTouch& t) {
                                       return dot(t.ball.normal, normal) > 0.9
                                           || std::abs(dot(t.ball.normal, ring.axis())) > 0.9;
                                   }),
                    s.touches.end());
    const int count = ring.is_half ? 3 : 4;
    const int nearest = static_cast<int>(std::lround(phi / (pi / 2))) % 4;
    for (int i = 0; i < count; ++i) {
        const double angle = i == nearest && has_lowest ? phi : i * (pi / 2);
        RingTouch touch{angle, {}};
        if (!nearest_touch(probe, ring, angle, nullptr, s.balls, touch.ball)) continue;
        // Beyond an end there is a disc, not a ball.
        const double inward = dot(touch.ball.normal, ring.tangent(angle)) * (i == 0 ? 1 : -1);
        if (ring.is_half && (angle == 0 || angle == pi) && inward > 1e-6) continue;
        touch.ball.feature = lying_feature + static_cast<uint32_t>(i);
        s.touches.push_back(touch);
    }
}

}  // namespace bristle::collision
