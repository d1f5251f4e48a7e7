// Spheres and capsules on surfaces made of triangles: the local minima of the distance from a point, and
// from a segment, to the surface.
#include "collision/near/surface.h"

#include <algorithm>
#include <limits>

namespace bristle::collision {
namespace {

using Part = TrianglePoint::Part;

// Sine of the angle off a face's normal within which a touch counts as on the face: as much as
// neighbours may be off and still be flat, or the touch would be lost between them. As a share of
// the distance, the depth is wrong by half the square of this, 3e-11.
constexpr double face_tolerance = 4 * TriangleTree::flat_sine;
// Share of the radius within which the centre is on the surface itself, where a difference of points has
// no direction.
constexpr double on_surface = 1e-10;
// More touches than this at once are facets of one hollow: the least deep are left out.
constexpr size_t most_touches = 64;
// What doubles are known to, as a share of the radius: depths that differ less are equal.
constexpr double equal_depth = 1e-9;

struct Scratch {
    std::vector<Facet> facets;
    BallTouches touches;
};
Scratch& scratch() {
    thread_local Scratch s;
    s.facets.clear();
    s.touches.clear();
    return s;
}

bool is_open_at(const Surface& surface, const Facet& f, const TrianglePoint& near) {
    return near.part == Part::corner ? surface.is_border(f, near.index)
                                     : surface.edge(f, near.index).kind == EdgeKind::open;
}

// A border that ends in another triangle (a T-junction, or triangles that share no vertices) is none:
// where the other one is nearer, nothing touches here.
bool is_covered(std::span<const Facet> facets, const Facet& own, Vec3 center, Vec3 point,
                double distance, double radius) {
    return std::any_of(facets.begin(), facets.end(), [&](const Facet& f) {
        if (f.index == own.index) return false;
        const Vec3 near = nearest_on_triangle(f.corner, f.normal, center).point;
        if (norm(near - center) >= distance * (1 - 1e-12)) return false;
        return norm(nearest_on_triangle(f.corner, f.normal, point).point - point) <= 1e-9 * radius;
    });
}

// May the surface be touched from behind at this edge or corner? Then it is hollow there.
bool faces_inward(const Surface& surface, const Facet& f, const TrianglePoint& near, Vec3 u) {
    if (near.part == Part::corner) return surface.corner_faces(f, near.index, u);
    const Surface::Edge e = surface.edge(f, near.index);
    if (e.kind != EdgeKind::concave) return false;
    const auto k = static_cast<size_t>(near.index);
    const Vec3 along = normalized(f.corner[(k + 1) % 3] - f.corner[k]);
    return dot(u, cross(f.normal, along)) <= face_tolerance
        && dot(u, cross(along, e.other_normal)) <= face_tolerance;
}

// The touch of a ball at an edge or corner, if the surface can be touched there.
bool sharp_touch(const Surface& surface, std::span<const Facet> facets, const Facet& f,
                 const TrianglePoint& near, double distance, double radius, BallTouch& touch) {
    const auto k = static_cast<size_t>(near.index);
    if (near.part == Part::edge) touch.edge = normalized(f.corner[(k + 1) % 3] - f.corner[k]);
    if (distance <= on_surface * radius) {
        const Vec3 mean = near.part == Part::corner
                            ? surface.corner_normal(f, near.index)
                            : f.normal + surface.edge(f, near.index).other_normal;
        touch.normal = norm(mean) > 0.1 ? normalized(mean) : f.normal;
        return true;
    }
    const Vec3 u = (touch.center - near.point) / distance;
    const bool is_open = is_open_at(surface, f, near);
    const bool is_behind =
        !is_open
        && (near.part == Part::corner ? dot(surface.corner_normal(f, near.index), u) < 0
                                      : surface.edge(f, near.index).kind == EdgeKind::concave);
    if (is_behind) {
        touch.normal = -u;
        touch.distance = -distance;
        return faces_inward(surface, f, near, u);
    }
    touch.normal = u;
    const bool is_facing = near.part == Part::corner ? surface.corner_faces(f, near.index, u)
                                                     : surface.edge_faces(f, near.index, u);
    return is_facing
        && !(is_open && is_covered(facets, f, touch.center, near.point, distance, radius));
}

// Of the touches behind the surface the nearest stays; and if that and one in front oppose each other, as
// on the two sides of a plate, the nearer of the two.
void settle_sides(BallTouches& touches, size_t first, double radius) {
    const auto begin = touches.begin() + static_cast<std::ptrdiff_t>(first);
    double depth = radius;
    Vec3 normal;
    bool is_behind = false;
    for (auto t = begin; t != touches.end(); ++t)
        if (t->distance < 0 && -t->distance <= depth) {
            depth = -t->distance;
            normal = t->normal;
            is_behind = true;
        }
    if (is_behind && std::any_of(begin, touches.end(), [&](const BallTouch& t) {
            return t.distance >= 0 && t.distance < depth && dot(t.normal, normal) < 0;
        }))
        is_behind = false;
    const auto is_wrong = [&](const BallTouch& t) {
        if (t.distance < 0) return !is_behind || -t.distance > depth;
        return is_behind && t.distance > depth && dot(t.normal, normal) < 0;
    };
    touches.erase(std::remove_if(begin, touches.end(), is_wrong), touches.end());
}

double likeness(const BallTouch& a, const BallTouch& b, double radius) {
    constexpr double alike = 0.9659258262890683, apart = 0.8660254037844386;  // cosines of 15°, 30°
    const double turn = std::clamp((dot(a.normal, b.normal) - apart) / (alike - apart), 0.0, 1.0);
    return turn * std::clamp(1 - norm(a.center - b.center) / radius, 0.0, 1.0);
}

}  // namespace

void touch_ball(const Surface& surface, std::span<const Facet> facets, Vec3 center, double radius,
                double reach, BallTouches& out) {
    const size_t first = out.size();
    for (const Facet& f : facets) {
        const double height = dot(f.normal, center - f.corner[0]);
        if (!(std::abs(height) <= reach)) continue;
        const TrianglePoint near = nearest_on_triangle(f.corner, f.normal, center);
        const double distance = norm(center - near.point);
        if (!(distance <= reach)) continue;
        BallTouch touch{center, near.point, f.normal, distance, 1, f.index, 0, near.part, {}};
        const double aside = norm(center - near.point - height * f.normal);
        if (near.part == Part::face || aside <= face_tolerance * std::abs(height)) {
            touch.part = Part::face;
            touch.point = center - height * f.normal;
            touch.distance = height;
        } else if (!sharp_touch(surface, facets, f, near, distance, radius, touch)) {
            continue;
        }
        out.push_back(touch);
    }
    settle_sides(out, first, radius);
    Facet over;
    if (out.size() == first && surface.facet_over(center, over)) {
        const double height = dot(over.normal, center - over.corner[0]);
        if (height < 0)
            out.push_back({center,
                           center - height * over.normal,
                           over.normal,
                           height,
                           1,
                           over.index,
                           0,
                           Part::face,
                           {}});
    }
}

void weigh(BallTouches& touches, size_t first, double radius) {
    const auto begin = touches.begin() + static_cast<std::ptrdiff_t>(first);
    if (touches.end() - begin < 2) return;
    std::sort(begin, touches.end(), [](const BallTouch& a, const BallTouch& b) {
        if (a.distance != b.distance) return a.distance < b.distance;
        if (a.part != b.part) return a.part < b.part;
        return a.facet < b.facet;
    });
    if (touches.size() > first + most_touches) touches.resize(first + most_touches);
    const std::span<BallTouch> t = std::span(touches).subspan(first);
    std::array<double, most_touches> share;
    for (size_t j = 0; j < t.size(); ++j) {
        share[j] = 1;
        for (size_t i = 0; i < j; ++i) {
            const Vec3 turn =
                t[i].normal - t[j].normal;  // |turn|²/2 = 1 − cos θ, exact for small θ
            const double full = std::abs(t[j].distance) * 0.5 * dot(turn, turn);
            const double gap = t[j].distance - t[i].distance;
            const double part = (gap + equal_depth * radius) / (full + equal_depth * radius);
            share[j] *= 1 - likeness(t[i], t[j], radius) * std::min(1.0, part);
        }
    }
    for (size_t j = 0; j < t.size(); ++j) {
        double sum = 0;
        for (size_t i = 0; i < t.size(); ++i) sum += likeness(t[i], t[j], radius) * share[i];
        t[j].weight = sum > 0 ? share[j] / sum : 0;
    }
    touches.erase(
        std::remove_if(begin, touches.end(), [](const BallTouch& b) { return !(b.weight > 1e-6); }),
        touches.end());
}

ContactPoint contact_of(const BallTouch& touch, const Surface& surface, double radius,
                        const Placed& b) {
    ContactPoint c;
    c.normal = b.rotation * touch.normal;
    c.on_a = b.to_world(touch.center - radius * touch.normal);
    c.on_b = b.to_world(touch.point);
    c.depth = radius - touch.distance;
    c.curvature_a = {1 / radius, 1 / radius, any_perpendicular(c.normal)};
    const bool is_hollow = touch.distance < 0;  // behind an edge: flat is the best that can be said
    if (touch.part == Part::face || is_hollow) {
        c.curvature_b = {0, 0, any_perpendicular(c.normal)};
    } else if (touch.part == Part::edge) {
        const Vec3 across = cross(touch.edge, touch.normal);
        c.curvature_b = {Curvature::sharp, 0, b.rotation * normalized(across)};
    } else {
        c.curvature_b = {Curvature::sharp, Curvature::sharp, any_perpendicular(c.normal)};
    }
    c.normal_of = touch.part == Part::face || is_hollow ? NormalOf::b : NormalOf::centers;
    c.weight = touch.weight;
    c.feature = touch.feature;
    c.face_b = surface.face_of({{}, {}, touch.facet});
    return c;
}

void number_by_direction(ContactPoints& contacts, size_t first, uint32_t start) {
    // Upward, and so far off every direction that machines are built along that ties are rare.
    constexpr Vec3 upward = {0.0937, 0.0511, 0.9943};
    const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, contacts.end(), [&](const ContactPoint& a, const ContactPoint& b) {
        const double height_a = dot(a.normal, upward), height_b = dot(b.normal, upward);
        if (height_a != height_b) return height_a > height_b;
        return a.depth != b.depth ? a.depth > b.depth : a.on_a.x < b.on_a.x;
    });
    for (size_t i = first; i < contacts.size(); ++i)
        contacts[i].feature = start + static_cast<uint32_t>(i - first);
}

void collide_sphere_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Surface surface(*b.collider);
    const double radius = a.collider->radius, reach = radius + margin;
    const Vec3 center = b.to_local(a.position), extent = {reach, reach, reach};
    Scratch& s = scratch();
    surface.gather({center - extent, center + extent}, s.facets);
    touch_ball(surface, s.facets, center, radius, reach, s.touches);
    weigh(s.touches, 0, radius);
    const size_t first = out.size();
    for (const BallTouch& touch : s.touches) out.push_back(contact_of(touch, surface, radius, b));
    number_by_direction(out, first, 0);
}

namespace {

// A capsule in the frame of a surface.
struct Axis {
    Vec3 start, end;
    double radius, reach;

    Vec3 at(double t) const { return start + t * (end - start); }
};

// Touches of the axis between its ends with an edge or corner of a facet; the pair of nearest points
// is given. From outside, or if the axis has sunk below a ridge, from inside.
void touch_inner(const Surface& surface, const Facet& f, const Axis& axis, double s, Vec3 point,
                 Part part, int k, BallTouches& out) {
    const Vec3 center = axis.at(s);
    const double distance = norm(center - point);
    if (!(s > 0 && s < 1 && distance <= axis.reach) || distance <= on_surface * axis.radius) return;
    const Vec3 u = (center - point) / distance;
    const auto faces = [&](Vec3 direction) {
        return part == Part::edge ? surface.edge_faces(f, k, direction)
                                  : surface.corner_faces(f, k, direction);
    };
    const bool is_front = faces(u);
    if (!is_front && !(distance <= axis.radius && faces(-u))) return;
    const auto i = static_cast<size_t>(k);
    const Vec3 edge = part == Part::edge ? normalized(f.corner[(i + 1) % 3] - f.corner[i]) : Vec3{};
    out.push_back({center, point, is_front ? u : -u, is_front ? distance : -distance, 1, f.index, 0,
                   part, edge});
}

void touch_between_ends(const Surface& surface, std::span<const Facet> facets, const Axis& axis,
                        BallTouches& out) {
    const size_t first = out.size();
    for (const Facet& f : facets) {
        const double a = dot(f.normal, axis.start - f.corner[0]),
                     b = dot(f.normal, axis.end - f.corner[0]);
        if (std::min(a, b) > axis.reach || std::max(a, b) < -axis.reach) continue;
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<size_t>(k);
            const Vec3 corner = f.corner[i], next = f.corner[(i + 1) % 3];
            const double foot = nearest_on_segment(axis.start, axis.end, corner);
            touch_inner(surface, f, axis, foot, corner, Part::corner, k, out);
            const SegmentPair pair = nearest_of_segments(axis.start, axis.end, corner, next);
            if (!pair.is_parallel && pair.t > 0 && pair.t < 1)
                touch_inner(surface, f, axis, pair.s, corner + pair.t * (next - corner), Part::edge,
                            k, out);
        }
    }
    settle_sides(out, first, axis.radius);
}

// A round end touches an edge or corner only where the rest of the capsule would not do so sooner.
void touch_end(const Surface& surface, std::span<const Facet> facets, const Axis& axis, Vec3 end,
               Vec3 outward, BallTouches& out) {
    const size_t first = out.size();
    touch_ball(surface, facets, end, axis.radius, axis.reach, out);
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
    out.erase(std::remove_if(begin, out.end(),
                             [&](const BallTouch& t) {
                                 return t.part != Part::face && t.distance > 0
                                     && dot(t.normal, outward) > 1e-9;
                             }),
              out.end());
}

// An axis that goes through a face farther than the touches of its ends look: out along the normal of
// the face that needs the least way.
void touch_pierced(std::span<const Facet> facets, const Axis& axis, BallTouches& out) {
    double least = std::numeric_limits<double>::infinity();
    BallTouch best;
    for (const Facet& f : facets) {
        const double a = dot(f.normal, axis.start - f.corner[0]),
                     b = dot(f.normal, axis.end - f.corner[0]);
        if (!(a * b < 0) || -std::min(a, b) >= least) continue;
        const Vec3 crossing = axis.at(a / (a - b));
        if (nearest_on_triangle(f.corner, f.normal, crossing).part != Part::face) continue;
        const Vec3 end = a < b ? axis.start : axis.end;
        least = -std::min(a, b);
        best = {end,     end + least * f.normal, f.normal,   -least, 1,
                f.index, a < b ? 0u : 1u,        Part::face, {}};
    }
    if (std::isfinite(least)) out.push_back(best);
}

}  // namespace

void collide_capsule_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Surface surface(*b.collider);
    const double radius = a.collider->radius, half = a.collider->half_length;
    const Axis axis{b.to_local(a.to_world({0, 0, -half})), b.to_local(a.to_world({0, 0, half})),
                    radius, radius + margin};
    const Vec3 low = {std::min(axis.start.x, axis.end.x), std::min(axis.start.y, axis.end.y),
                      std::min(axis.start.z, axis.end.z)};
    const Vec3 high = axis.start + axis.end - low, extent = {axis.reach, axis.reach, axis.reach};
    Scratch& s = scratch();
    surface.gather({low - extent, high + extent}, s.facets);
    const Vec3 along = half > 0 ? normalized(axis.end - axis.start) : Vec3{};
    // Which part of the capsule a touch belongs to, kept in `feature` until it is numbered.
    const auto mark = [&](size_t from, uint32_t part) {
        for (size_t i = from; i < s.touches.size(); ++i) s.touches[i].feature = part;
    };
    touch_end(surface, s.facets, axis, axis.start, -along, s.touches);
    const size_t second = s.touches.size();
    touch_end(surface, s.facets, axis, axis.end, along, s.touches);
    mark(second, 1);
    const size_t between = s.touches.size();
    touch_between_ends(surface, s.facets, axis, s.touches);
    mark(between, 2);
    if (s.touches.empty()) touch_pierced(s.facets, axis, s.touches);
    weigh(s.touches, 0, radius);
    for (uint32_t part = 0; part < 3; ++part) {
        const size_t first = out.size();
        for (const BallTouch& touch : s.touches) {
            if (touch.feature != part) continue;
            out.push_back(contact_of(touch, surface, radius, b));
            const Vec3 across = cross(b.rotation * along, out.back().normal);
            if (part == 2 && norm(across) > 0)
                out.back().curvature_a = {1 / radius, 0, normalized(across)};
        }
        number_by_direction(out, first, 16 * part);
    }
}

}  // namespace bristle::collision
