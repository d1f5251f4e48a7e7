// Tori: a ring (circle or half circle) and a ball that runs along it.
//
// A torus touches where the distance from its ring to the other shape has a local minimum along the
// ring; a circle is not convex, so there can be several, and all count. With f(φ) the signed
// distance of ring point φ and u the unit direction away from the other shape, f' = R u·t (t the ring's
// tangent): minima are where u·t turns from negative to positive, found between samples and polished by
// regula falsi on u·t, which also works where f has a kink. For spheres, planes
// and other rings f is in closed form; for convex shapes it is GJK's, for surfaces the touch of a ball.
//
// Where f hardly changes along the ring (a torus lying on a floor, a ball in its hole), one point would
// not hold it: then it stands on points fixed to the ring, 90° apart, the one nearest to
// the minimum being moved there; so the deepest is exact, and the others keep their place from step to step.
//
// A half torus ends in flat discs. Minima within the arc are as above; an end counts where the other shape
// is beyond it (u·t > 0 into the arc), and there it is a flat disc.
#include "collision/near/convex.h"
#include "collision/near/features.h"
#include "collision/near/pairs.h"
#include "collision/near/point_distance.h"
#include "collision/near/surface.h"

#include <algorithm>
#include <limits>

namespace bristle::collision {
namespace {

using Part = TrianglePoint::Part;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int samples = 32;  // around the full ring
// How often an interval that may touch is halved: minima nearer to each other than 3° may be missed on
// convex shapes, which hardly have such, and 0.7° on surfaces, which have one for each of their edges.
constexpr int convex_refinements = 2, surface_refinements = 4;
constexpr double conforming = 0.3;  // change of f along the ring, over its radius, to lie on it
constexpr double lying_cosine = 0.98;
constexpr uint32_t lying_feature = 8, disc_feature = 32;

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

struct Scratch {
    BallTouches balls, others;
    std::vector<RingTouch> touches;
};
Scratch& scratch() {
    thread_local Scratch s;
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
    nearest.distance = infinity;
    for (const BallTouch& ball : balls) {
        if (normal && dot(*normal, ball.normal) < 0.7) continue;
        if (ball.distance < nearest.distance) nearest = ball;
    }
    return nearest.distance < infinity;
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
struct Sample {
    double phi, distance, slope;
};
template <class Probe>
Sample sample_at(const Probe& probe, const Ring& ring, double phi, BallTouches& balls) {
    BallTouch near;
    if (!nearest_touch(probe, ring, phi, nullptr, balls, near)) return {phi, infinity, 0};
    return {phi, near.distance, dot(near.normal, ring.tangent(phi))};
}

// The minima between two samples, and at each of them what else is touched there (the other wall of a
// groove). f changes by no more than the ball moves, so most intervals cannot touch at all; those that
// can are halved `level` times, since there may be two minima in one.
template <class Probe>
void find_minima_between(const Probe& probe, const Ring& ring, double reach, const Sample& a,
                         const Sample& b, int level, Scratch& s) {
    if (a.distance == infinity || b.distance == infinity) return;
    if (0.5 * (a.distance + b.distance - ring.radius * (b.phi - a.phi)) > reach) return;
    if (level > 0) {
        const Sample middle = sample_at(probe, ring, 0.5 * (a.phi + b.phi), s.balls);
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

struct Range {
    double least = infinity, greatest = -infinity;
};
template <class Probe>
Range find_minima(const Probe& probe, const Ring& ring, double reach, int refinements, Scratch& s) {
    const int count = ring.is_half ? samples / 2 : samples;
    Range range;
    Sample last{};
    for (int i = 0; i <= count; ++i) {
        const Sample next = sample_at(probe, ring, i * ring.length() / count, s.balls);
        range.least = std::min(range.least, next.distance);
        range.greatest = std::max(range.greatest, next.distance);
        if (i > 0) find_minima_between(probe, ring, reach, last, next, refinements, s);
        last = next;
    }
    return range;
}

// Where the ring lies on the other shape along its length: points fixed to it. `s.touches` has the minima.
template <class Probe> void stand_on_points(const Probe& probe, const Ring& ring, Scratch& s) {
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

Curvature torus_curvature(const Ring& ring, const RingTouch& touch) {
    const double outward = -dot(touch.ball.normal, ring.radial(touch.phi));
    return {1 / ring.tube, outward / (ring.radius + ring.tube * outward),
            cross(ring.tangent(touch.phi), touch.ball.normal)};
}

ContactPoint flipped(ContactPoint c) {
    std::swap(c.on_a, c.on_b);
    std::swap(c.curvature_a, c.curvature_b);
    std::swap(c.face_a, c.face_b);
    c.normal = -c.normal;
    if (c.normal_of != NormalOf::centers)
        c.normal_of = c.normal_of == NormalOf::a ? NormalOf::b : NormalOf::a;
    return c;
}

// The torus as a; what the other side is like there is asked from `describe(touch, contact)`.
template <class Describe>
void add_contacts(const Ring& ring, const Placed& host, double margin, Scratch& s,
                  const Describe& describe, ContactPoints& out) {
    const Surface surface(*host.collider);
    s.balls.clear();
    std::sort(s.touches.begin(), s.touches.end(),
              [](const RingTouch& a, const RingTouch& b) { return a.phi < b.phi; });
    const size_t first = out.size();
    for (size_t i = 0; i < s.touches.size(); ++i) {
        const RingTouch& touch = s.touches[i];
        if (!(ring.tube - touch.ball.distance >= -margin)) continue;
        const bool is_known = std::any_of(
            out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
            [&](const ContactPoint& c) {
                const Vec3 on_a = host.to_world(touch.ball.center - ring.tube * touch.ball.normal);
                return norm(c.on_a - on_a) <= 1e-6 * ring.tube;
            });
        if (is_known) continue;
        ContactPoint c = contact_of(touch.ball, surface, ring.tube, host);
        c.curvature_a = torus_curvature(ring, touch);
        c.curvature_a.direction = host.rotation * c.curvature_a.direction;
        describe(touch.ball, c);
        out.push_back(c);
    }
    // Minima without a number of their own get one by direction, after those that have.
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, out.end(), [](const ContactPoint& x, const ContactPoint& y) {
        return x.feature != y.feature ? x.feature > y.feature : x.depth > y.depth;
    });
    const auto middle = std::find_if(
        begin, out.end(), [](const ContactPoint& c) { return c.feature < lying_feature; });
    number_by_direction(out, first + static_cast<size_t>(middle - begin), 0);
}

// The whole way, for any probe.
template <class Probe, class Describe>
void collide_ring(const Ring& ring, const Placed& host, double margin, int refinements,
                  const Probe& probe, const Describe& describe, ContactPoints& out) {
    Scratch& s = scratch();
    const Range range = find_minima(probe, ring, ring.tube + margin, refinements, s);
    const bool is_along = range.greatest - range.least <= conforming * ring.radius;
    const bool is_lying = std::any_of(s.touches.begin(), s.touches.end(), [&](const RingTouch& t) {
        return std::abs(dot(t.ball.normal, ring.axis())) > lying_cosine;
    });
    if (range.least < infinity && (is_along || is_lying)) stand_on_points(probe, ring, s);
    add_contacts(ring, host, margin, s, describe, out);
}

// ---- The ends of a half torus ----------------------------------------------------------------------

using CollideDisc = void (*)(const Placed& disc, const Placed& host, double margin, ContactPoints&);

// `collide` has the disc as a. What pushes out of the arc through the end is not the end's business.
void collide_ends(const Placed& torus, const Placed& host, double margin, CollideDisc collide,
                  ContactPoints& out) {
    if (!torus.collider->is_half_torus) return;
    Collider disc{};
    disc.kind = ColliderKind::cylinder;
    disc.radius = torus.collider->tube;
    for (uint32_t end = 0; end < 2; ++end) {
        const double side = end == 0 ? 1 : -1;
        const Vec3 inward = torus.rotation.column(1);
        // Its z axis out of the end; any turn around it that keeps to the torus.
        const Vec3 x = torus.rotation.column(0), z = -inward;
        const Placed placed{&disc, Mat3::columns(x, cross(z, x), z),
                            torus.to_world({side * torus.collider->radius, 0, 0})};
        const size_t first = out.size();
        collide(placed, host, margin, out);
        const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
        out.erase(
            std::remove_if(begin, out.end(),
                           [&](const ContactPoint& c) { return !(dot(c.normal, inward) > 1e-6); }),
            out.end());
        for (size_t i = first; i < out.size(); ++i) out[i].feature += disc_feature << end;
    }
}

void flip_from(ContactPoints& out, size_t first) {
    for (size_t i = first; i < out.size(); ++i) out[i] = flipped(out[i]);
}

// ---- Spheres: in closed form -----------------------------------------------------------------------

// The disc at an end of a half torus and a sphere beyond it.
void collide_sphere_end(const Ring& ring, const Placed& host, double radius, double margin,
                        double side, ContactPoints& out) {
    const Vec3 end = ring.at(side > 0 ? 0 : pi), inward = ring.rotation.column(1);
    const double height = dot(inward, end);  // the sphere is at the origin, beyond
    const Vec3 across = -end + height * inward;
    const double aside = norm(across);
    const bool is_face = aside <= ring.tube;
    const Vec3 point = is_face ? end + across : end + ring.tube / aside * across;
    const double distance = norm(point);
    if (!(radius - distance >= -margin) || !(distance > 0)) return;
    ContactPoint c;
    c.normal = host.rotation * (point / distance);
    c.on_a = host.to_world(point);
    c.on_b = host.to_world(radius / distance * point);
    c.depth = radius - distance;
    c.curvature_b = {1 / radius, 1 / radius, any_perpendicular(c.normal)};
    c.normal_of = is_face ? NormalOf::a : NormalOf::centers;
    if (is_face)
        c.curvature_a = {0, 0, any_perpendicular(c.normal)};
    else
        c.curvature_a = {Curvature::sharp, -dot(point / distance, across / aside) / ring.tube,
                         host.rotation * normalized(cross(cross(inward, across), point))};
    c.feature = disc_feature << (side > 0 ? 0 : 1);
    out.push_back(c);
}

void touch_point(Vec3 center, Vec3 point, double ball, Vec3 otherwise, BallTouches& out) {
    const double distance = norm(center - point);
    const Vec3 normal = distance > 0 ? (center - point) / distance : otherwise;
    out.push_back({center,
                   point + ball * normal,
                   normal,
                   distance - ball,
                   1,
                   0xffffffffu,
                   0,
                   Part::face,
                   {}});
}

}  // namespace

void collide_sphere_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Ring ring(b, a);
    const double radius = a.collider->radius;
    const size_t first = out.size();
    const Vec3 center = ring.rotation.transposed() * -ring.position;  // of the sphere, in the torus
    const double aside = std::hypot(center.x, center.y);
    const double least = std::hypot(aside - ring.radius, center.z),
                 greatest = std::hypot(aside + ring.radius, center.z);
    if (least > radius + ring.tube + margin && !ring.is_half) return;
    if (ring.is_half && center.y < 0) {
        collide_sphere_end(ring, a, radius, margin, center.x < 0 ? -1 : 1, out);
        flip_from(out, first);
        return;
    }
    const auto probe = [&](Vec3 at, BallTouches& balls) {
        touch_point(at, {}, radius, ring.axis(), balls);
    };
    Scratch& s = scratch();
    double phi = aside > 0 ? std::atan2(center.y, center.x) : 0;
    if (phi < 0) phi += 2 * pi;
    RingTouch touch{phi, {}};
    nearest_touch(probe, ring, phi, nullptr, s.balls, touch.ball);
    s.touches.push_back(touch);
    if (greatest - least <= conforming * ring.radius) stand_on_points(probe, ring, s);
    add_contacts(
        ring, a, margin, s,
        [&](const BallTouch&, ContactPoint& c) {
            c.curvature_b = {1 / radius, 1 / radius, any_perpendicular(c.normal)};
            c.normal_of = NormalOf::centers;
        },
        out);
    flip_from(out, first);
}

void collide_torus_plane(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Ring ring(a, b);
    const Vec3 down = ring.rotation.transposed() * Vec3{0, 0, -1};
    const double slope = std::hypot(down.x, down.y);
    if (ring.position.z - slope * ring.radius - ring.tube > margin) return;
    const auto probe = [](Vec3 at, BallTouches& balls) {
        balls.push_back({at, {at.x, at.y, 0}, {0, 0, 1}, at.z, 1, 0xffffffffu, 0, Part::face, {}});
    };
    Scratch& s = scratch();
    double phi = slope > 1e-12 ? std::atan2(down.y, down.x) : 0;
    if (phi < 0) phi += 2 * pi;
    if (phi <= ring.length()) {
        RingTouch touch{phi, {}};
        nearest_touch(probe, ring, phi, nullptr, s.balls, touch.ball);
        s.touches.push_back(touch);
    }
    if (2 * slope <= conforming) stand_on_points(probe, ring, s);
    add_contacts(
        ring, b, margin, s, [](const BallTouch&, ContactPoint&) {}, out);
    collide_ends(a, b, margin, collide_cylinder_plane, out);
}

// ---- Convex shapes: the distance of a point from them -------------------------------------------------

namespace {

void touch_solid(const Collider& shape, Vec3 at, BallTouches& out) {
    const PointDistance d = distance_from(shape, at);
    out.push_back({at, d.point, d.normal, d.distance, 1, 0xffffffffu, 0, Part::face, {}});
}

void collide_convex_with_torus(const Placed& a, const Placed& b, double margin,
                               ContactPoints& out) {
    const Ring ring(b, a);
    const Collider& shape = *a.collider;
    if (distance_from(shape, ring.position).distance > ring.radius + ring.tube + margin) return;
    const ConvexCore core = ConvexCore::of(shape);
    const auto probe = [&](Vec3 at, BallTouches& balls) { touch_solid(shape, at, balls); };
    const auto describe = [&](const BallTouch& ball, ContactPoint& c) {
        const Touch touch = touch_of(core, ball.normal);
        c.curvature_b = touch.curvature;
        c.curvature_b.direction = a.rotation * touch.curvature.direction;
        c.normal_of = touch.kind == Touch::Kind::face ? NormalOf::b : NormalOf::centers;
    };
    const size_t first = out.size();
    collide_ring(ring, a, margin, convex_refinements, probe, describe, out);
    collide_ends(b, a, margin, collide_convex_shapes, out);
    flip_from(out, first);
}

}  // namespace

void collide_capsule_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_with_torus(a, b, margin, out);
}
void collide_box_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_with_torus(a, b, margin, out);
}
void collide_cylinder_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_with_torus(a, b, margin, out);
}
void collide_convex_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    collide_convex_with_torus(a, b, margin, out);
}

// ---- Rings on rings -------------------------------------------------------------------------------------

void collide_torus_torus(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Ring ring(a, b);
    const Collider& host = *b.collider;
    const double reach = host.radius + host.tube;
    if (norm(ring.position) > ring.radius + ring.tube + reach + margin) return;
    const auto probe = [&](Vec3 at, BallTouches& balls) { touch_solid(host, at, balls); };
    const auto describe = [&](const BallTouch& ball, ContactPoint& c) {
        if (host.is_half_torus && ball.center.y < 0) {  // on a flat end
            const bool is_face = -ball.normal.y > 1 - 1e-12;
            c.curvature_b = {is_face ? 0 : Curvature::sharp, 0, any_perpendicular(c.normal)};
            c.normal_of = is_face ? NormalOf::b : NormalOf::centers;
            return;
        }
        const Vec3 radial = normalized({ball.point.x, ball.point.y, 0});
        const double outward = dot(ball.normal, radial);
        c.curvature_b = {1 / host.tube, outward / (host.radius + host.tube * outward),
                         b.rotation * cross(cross({0, 0, 1}, radial), ball.normal)};
        c.normal_of = NormalOf::centers;
    };
    collide_ring(ring, b, margin, convex_refinements, probe, describe, out);
    collide_ends(a, b, margin, collide_cylinder_torus, out);
}

// ---- Surfaces of triangles --------------------------------------------------------------------------------

void collide_torus_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Ring ring(a, b);
    const Surface surface(*b.collider);
    // A peak of the surface between two samples must be seen from both.
    const double reach = ring.tube + margin + 2 * pi / samples * ring.radius;
    Aabb box;
    for (int i = 0; i < 3; ++i) {
        const double along = ring.axis()[i];
        const double extent = ring.radius * std::sqrt(std::max(0.0, 1 - along * along)) + reach;
        box.low[i] = ring.position[i] - extent;
        box.high[i] = ring.position[i] + extent;
    }
    thread_local std::vector<Facet> facets;
    facets.clear();
    surface.gather(box, facets);
    if (facets.empty() && !surface.is_height_field()) return;
    // Most of them are far from any one point of the ring.
    thread_local std::vector<std::pair<Vec3, double>> spheres;
    thread_local std::vector<Facet> near;
    spheres.clear();
    for (const Facet& f : facets) {
        const Vec3 middle = (f.corner[0] + f.corner[1] + f.corner[2]) / 3;
        const double size = std::max(
            {norm(f.corner[0] - middle), norm(f.corner[1] - middle), norm(f.corner[2] - middle)});
        spheres.emplace_back(middle, (size + reach) * (size + reach));
    }
    const auto probe = [&](Vec3 at, BallTouches& balls) {
        near.clear();
        for (size_t i = 0; i < facets.size(); ++i) {
            const Vec3 off = at - spheres[i].first;
            if (dot(off, off) <= spheres[i].second) near.push_back(facets[i]);
        }
        touch_ball(surface, near, at, ring.tube, reach, balls);
    };
    collide_ring(
        ring, b, margin, surface_refinements, probe, [](const BallTouch&, ContactPoint&) {}, out);
    const size_t first = out.size();
    collide_ends(a, b, margin, collide_convex_surface, out);
    // The ball at an end contains the disc; in rough terrain a thin disc can seem deeper than it is.
    Scratch& s = scratch();
    double nearest = infinity;
    for (double phi : {0.0, pi})
        nearest = std::min(nearest, sample_at(probe, ring, phi, s.balls).distance);
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                             [&](const ContactPoint& c) {
                                 return c.depth > ring.tube - nearest + 1e-9 * ring.tube;
                             }),
              out.end());
}

}  // namespace bristle::collision
