#include "contact/volumetric.h"

#include <algorithm>
#include <cmath>

namespace bristle::contact {
namespace {

// A body pierced right through has no contour's area, and one pierced almost through has next to none: its
// volume then stands for it. Smaller, and thicknesses lose their digits to lengths that are no body's.
constexpr double least_area = 0.01;  // of V^⅔
// Pressure that is nowhere negative has its centroid inside; for a rectangle that is √3 σ from the middle.
constexpr double largest_offset = 1.7320508075688772;
// Radii from which the centre of rotation is far. The triangles' sums lose the cube of this in digits, 1e-7, and
// the series leaves out the inverse of its square, 1e-6 of the largest torque.
constexpr double far_center = 1e3;
constexpr double least_arm =
    1e-9;  // m: of a patch that is a point, so that there is something to divide by

struct PlaneMoments {
    Vec3 axis[2];
    double value[2];
};

// Eigenvalues of a symmetric tensor in the plane, the larger first.
PlaneMoments principal_moments(const Mat3& m, Vec3 n) {
    const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
    const Vec3 m1 = m * e1, m2 = m * e2;
    const double half = 0.5 * (dot(e1, m1) - dot(e2, m2)), mean = 0.5 * (dot(e1, m1) + dot(e2, m2)),
                 mixed = 0.5 * (dot(e1, m2) + dot(e2, m1));
    const double radius = std::hypot(half, mixed), angle = 0.5 * std::atan2(mixed, half);
    const Vec3 first = std::cos(angle) * e1 + std::sin(angle) * e2;
    return {{first, cross(n, first)}, {mean + radius, mean - radius}};
}

// The three integrals of the header, seen from a centre.
struct TurnIntegrals {
    Vec2 direction;                 // ∫ p ρ̂ dA
    double arm = 0;                 // ∫ p |ρ| dA
    double xx = 0, xy = 0, yy = 0;  // ∫ p ρ̂ρ̂ᵀ/|ρ| dA
};

TurnIntegrals turn_integrals(std::span<const GripEdge> edges, Vec2 center, double p, Vec2 g) {
    TurnIntegrals out;
    for (const GripEdge& edge : edges) {
        const Vec2 a = edge.from - center, b = edge.to - center, way = b - a;
        const double length = norm(way);
        if (!(length > 0)) continue;
        // e to the edge's foot and t along it; d is negative if the centre is on the outer side. In d and e all
        // integrals are odd together, so that the signs of triangles come by themselves.
        const Vec2 t = way / length, e = -left_of(t);
        const double d = dot(e, a);
        if (d == 0) continue;
        const double sa = dot(t, a), sb = dot(t, b), ra = norm(a), rb = norm(b);
        const double ge = dot(g, e), gt = dot(g, t);
        // ∫ sec = asinh(s/d) from a to b, as one logarithm without cancellation.
        const double log = sa >= 0 ? std::log((sb + rb) / (sa + ra))
                         : sb <= 0 ? std::log((ra - sa) / (rb - sb))
                                   : std::log((sb + rb) * (ra - sa) / (d * d));
        const double sec = rb - ra;               // d ∫ sec tan
        const double square = rb * sb - ra * sa;  // d² (sec tan)
        const double sine = sb / rb - sa / ra, cosine = d / rb - d / ra;
        const double d2 = d * d, d3 = d2 * d;

        const double along_e = 0.5 * p * d2 * log + (ge * d3 * log + gt * d2 * sec) / 3;
        const double along_t =
            0.5 * p * d * sec + (ge * d2 * sec + 0.5 * gt * (d * square - d3 * log)) / 3;
        out.direction = out.direction + along_e * e + along_t * t;
        out.arm += p / 6 * (d * square + d3 * log)
                 + 0.25
                       * (0.5 * ge * (d2 * square + d2 * d2 * log)
                          + gt * d * (rb * rb * rb - ra * ra * ra) / 3);
        const double ee = p * d * sine + 0.5 * d2 * (ge * sine - gt * cosine);
        const double et = -p * d * cosine + 0.5 * d2 * (-ge * cosine + gt * (log - sine));
        const double tt =
            p * d * (log - sine) + 0.5 * (d2 * ge * (log - sine) + gt * (d * sec + d2 * cosine));
        out.xx += ee * e.x * e.x + 2 * et * e.x * t.x + tt * t.x * t.x;
        out.yy += ee * e.y * e.y + 2 * et * e.y * t.y + tt * t.y * t.y;
        out.xy += ee * e.x * e.y + et * (e.x * t.y + e.y * t.x) + tt * t.x * t.y;
    }
    return out;
}

SlipDirection exact_direction(const Grip& grip, Vec3 w) {
    const Vec2 v{w.x, w.y};
    const double speed = norm(v), r = grip.arm, omega = w.z / r;
    if (speed > far_center * std::abs(w.z)) {
        const double* const q = grip.moment;
        const Vec2 u = v / speed, qu{q[0] * u.x + q[1] * u.y, q[1] * u.x + q[2] * u.y};
        const double uqu = dot(u, qu), ratio = omega / speed;
        const Vec2 f = u + ratio * ratio * (qu - 1.5 * uqu * u);
        const Vec2 mixed = (ratio / speed) * (2 * qu - 3 * uqu * u);
        SlipDirection out = plain_direction({w.x, w.y, 0});
        out.along = {f.x, f.y, ratio * uqu / r};
        out.by_speed(2, 2) = uqu / (speed * r * r);
        out.by_speed(0, 2) = out.by_speed(2, 0) = mixed.x / r;
        out.by_speed(1, 2) = out.by_speed(2, 1) = mixed.y / r;
        return out;
    }
    const Vec2 center = left_of(v) / omega;
    const TurnIntegrals i = turn_integrals(
        grip.edges, center, grip.pressure + dot(grip.gradient, center), grip.gradient);
    const double turn = omega > 0 ? 1 : -1, rate = std::abs(omega);
    const Vec2 f = turn * left_of(i.direction);
    const double torque = turn * (i.arm + dot(center, i.direction));
    // ρ̂ρ̂ᵀ is across the slip; turning moves the centre's place by n × z.
    const Vec2 arm = left_of(center);
    const double xx = i.xx / rate, xy = i.xy / rate, yy = i.yy / rate;
    const Vec2 mixed{xx * arm.x + xy * arm.y, xy * arm.x + yy * arm.y};
    SlipDirection out;
    out.along = {f.x, f.y, torque / r};
    out.by_speed = {{{{xx, xy, mixed.x / r},
                      {xy, yy, mixed.y / r},
                      {mixed.x / r, mixed.y / r, dot(arm, mixed) / (r * r)}}}};
    return out;
}

// n of the header, between 1 and 3, from the variance along the normal over (V/S)²: n³/((n + 1)² (n + 2)).
double order_of(double variance) {
    constexpr double flat = 1.0 / 12, corner = 27.0 / 80;
    if (!(variance > flat)) return 1;
    if (variance >= corner) return 3;
    double n = 2;
    for (int i = 0; i < 6; ++i)
        n -= (3 * std::log(n) - 2 * std::log(n + 1) - std::log(n + 2) - std::log(variance))
           / (3 / n - 2 / (n + 1) - 1 / (n + 2));
    return std::clamp(n, 1.0, 3.0);
}

}  // namespace

Foundation foundation_of(const collision::ContactPatch& patch) {
    Foundation f;
    f.center = patch.area_center;
    // Negative is a gap: of a patch that the prediction leaves, carried there.
    const double volume = patch.volume;
    f.area = std::max(patch.area, least_area * std::cbrt(volume * volume));
    if (!(f.area > 0)) return f;
    f.mean = volume / f.area;
    if (volume > 0) {
        const double along = dot(patch.normal, patch.inertia * patch.normal);
        f.order = order_of((0.5 * patch.inertia.trace() - along) / (volume * f.mean * f.mean));
    }
    f.deepest = f.order * f.mean;
    const PlaneMoments m = principal_moments(patch.area_moment, patch.normal);
    const Vec3 offset = patch.centroid - patch.area_center;
    for (int k = 0; k < 2; ++k) {
        f.axis[k] = m.axis[k];
        if (!(m.value[k] > 0) || !(patch.area > 0)) continue;
        const double arm = std::sqrt(m.value[k] / patch.area), arms = dot(offset, m.axis[k]) / arm;
        f.arm[k] = arm;
        f.tilt[k] =
            f.mean * (volume > 0 ? std::clamp(arms, -largest_offset, largest_offset) : arms);
        // Turning about the other axis.
        const Vec3 other = m.axis[1 - k];
        if (volume != 0)
            f.lever[k] = std::max(dot(other, patch.inertia * other) / (volume * arm * arm), 0.0);
    }
    return f;
}

Grip grip_of(const collision::ContactPatch& patch, const Foundation& f, ContactLaw::Spin spin,
             const collision::ContourSegment* contour, std::vector<GripEdge>& store) {
    Grip grip;
    grip.spin = spin;
    grip.center = patch.centroid;
    grip.gyration2 = patch.volume != 0 ? std::max(
                         dot(patch.normal, patch.inertia * patch.normal) / patch.volume, 0.0)
                                       : 0;
    grip.arm = std::max(std::sqrt(grip.gyration2), least_arm);
    // As published, turning does not soften the friction of sliding. Seen from the pressure's centroid a disc that
    // spins in place would slide as soon as it is tilted, and be tilted by what that makes.
    if (spin == ContactLaw::Spin::published || !(patch.volume > 0)) grip.center = patch.area_center;
    if (spin != ContactLaw::Spin::exact || !(patch.area > 0)) return grip;

    // p = (1 + h · (x − s))/S with h = g S/V; x on the contour.
    Vec2 h{};
    if (f.mean > 0) {
        if (f.arm[0] > 0) h.x = f.tilt[0] / (f.mean * f.arm[0]);
        if (f.arm[1] > 0) h.y = f.tilt[1] / (f.mean * f.arm[1]);
    }
    const auto first = static_cast<ptrdiff_t>(store.size());
    const auto flat = [&](Vec3 x) {
        return Vec2{dot(x - f.center, f.axis[0]), dot(x - f.center, f.axis[1])};
    };
    double lowest = 0;
    for (uint32_t i = 0; i < patch.segments; ++i) {
        const collision::ContourSegment& s = contour[patch.first_segment + i];
        const GripEdge edge{flat(s.from), flat(s.to)};
        lowest = std::min({lowest, dot(h, edge.from), dot(h, edge.to)});
        store.push_back(edge);
    }
    if (lowest < -1) h = (-1 / lowest) * h;
    const Vec2 center{f.arm[0] * f.arm[0] * h.x, f.arm[1] * f.arm[1] * h.y};
    for (auto e = store.begin() + first; e != store.end(); ++e) {
        e->from = e->from - center;
        e->to = e->to - center;
    }
    grip.center = f.center + center.x * f.axis[0] + center.y * f.axis[1];
    grip.gradient = (1 / patch.area) * h;
    grip.pressure = (1 + dot(h, center)) / patch.area;
    return grip;
}

void measure_grip(Grip& grip) {
    if (grip.edges.empty()) return;
    // Triangles from the centre by the four-point rule, which is exact for cubic functions.
    double xx = 0, xy = 0, yy = 0;
    for (const GripEdge& e : grip.edges) {
        const double area = 0.5 * cross(e.from, e.to);
        static constexpr double point[4][2] = {
            {1.0 / 3, 1.0 / 3}, {0.2, 0.2}, {0.6, 0.2}, {0.2, 0.6}};
        static constexpr double weight[4] = {-27.0 / 48, 25.0 / 48, 25.0 / 48, 25.0 / 48};
        for (int k = 0; k < 4; ++k) {
            const Vec2 x = point[k][0] * e.from + point[k][1] * e.to;
            const double part = area * weight[k] * (grip.pressure + dot(grip.gradient, x));
            xx += part * x.x * x.x;
            xy += part * x.x * x.y;
            yy += part * x.y * x.y;
        }
    }
    grip.moment[0] = xx;
    grip.moment[1] = xy;
    grip.moment[2] = yy;
    const double arm = turn_integrals(grip.edges, {}, grip.pressure, grip.gradient).arm;
    // A contour that crosses itself as seen along n may give anything; the arm is one of its gyration then.
    const double gyration = std::sqrt(std::max(xx + yy, 0.0));
    grip.arm = std::max(arm > 0 && arm <= gyration ? arm : gyration, least_arm);
}

SlipDirection grip_direction(const Grip& grip, Vec3 w) {
    if (grip.spin == ContactLaw::Spin::published) return plain_direction({w.x, w.y, 0});
    if (grip.edges.empty() || !(norm(w) > 0)) return plain_direction(w);
    return exact_direction(grip, w);
}

}  // namespace bristle::contact
