// Tori: a ring (circle or half circle) and a ball that runs along it.
//
// A torus touches where the distance from its ring to the other shape has a local minimum along the
// ring (ring.h). For spheres, planes and other rings that distance is in closed form; for convex shapes it is
// GJK's, for surfaces the touch of a ball.
//
// A half torus ends in flat discs. Minima within the arc are as above; an end counts where the other shape
// is beyond it (pushes into the arc), and there it is a flat disc.
#include "collision/near/convex.h"
#include "collision/near/features.h"
#include "collision/near/pairs.h"
#include "collision/near/point_distance.h"
#include "collision/near/ring.h"
#include "collision/near/surface.h"

#include <algorithm>

namespace bristle::collision {
namespace {

using Part = TrianglePoint::Part;

// How often an interval that may touch is halved: minima nearer to each other than 3° may be missed on
// convex shapes, which hardly have such, and 0.7° on surfaces, which have one for each of their edges.
constexpr int convex_refinements = 2, surface_refinements = 4;
constexpr double conforming =
    0.3;  // change of the distance along the ring, over its radius, to lie on it
constexpr double lying_cosine = 0.98;
constexpr uint32_t disc_feature = 32;

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
void add_contacts(const Ring& ring, const Placed& host, double margin, RingScratch& s,
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
    RingScratch& s = ring_scratch();
    const DistanceRange range = find_minima(probe, ring, ring.tube + margin, refinements, s);
    const bool is_along = range.greatest - range.least <= conforming * ring.radius;
    const bool is_lying = std::any_of(s.touches.begin(), s.touches.end(), [&](const RingTouch& t) {
        return std::abs(dot(t.ball.normal, ring.axis())) > lying_cosine;
    });
    if (range.least < nowhere && (is_along || is_lying)) stand_on_points(probe, ring, s);
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
    RingScratch& s = ring_scratch();
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
    RingScratch& s = ring_scratch();
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
        const SupportFeature touch = support_feature(core, ball.normal);
        c.curvature_b = touch.curvature;
        c.curvature_b.direction = a.rotation * touch.curvature.direction;
        c.normal_of = touch.kind == SupportFeature::Kind::face ? NormalOf::b : NormalOf::centers;
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
    const double reach = ring.tube + margin + 2 * pi / ring_samples * ring.radius;
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
    RingScratch& s = ring_scratch();
    double nearest = nowhere;
    for (double phi : {0.0, pi})
        nearest = std::min(nearest, sample_at(probe, ring, phi, s.balls).distance);
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                             [&](const ContactPoint& c) {
                                 return c.depth > ring.tube - nearest + 1e-9 * ring.tube;
                             }),
              out.end());
}

}  // namespace bristle::collision
