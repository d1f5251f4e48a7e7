// Boxes, cylinders and convex polyhedra on surfaces made of triangles.
//
// The surface pushes in some directions (surface_directions.h), and each gets its points: corners of the shape
// above its triangles (the same corners however the surface is cut into triangles), and the parts of convex and
// open edges below the face of the shape. If there are none, the nearest points.
//
// Clipping the shape's face with each triangle lost: its corners depend on the triangulation, and with
// them the memory of friction.
#include "collision/near/features.h"
#include "collision/near/surface_directions.h"
#include "geometry/convex_hull.h"

#include <algorithm>

namespace bristle::collision {
namespace {

constexpr double alike = 0.966;  // cosine of 15°: facets of one hollow
constexpr double facing = 0.2;   // cosine from which on a face of the shape looks at the surface

// A corner with which the shape can stand, in its own frame.
struct ShapeCorner {
    Vec3 point;
    uint32_t name;
};

struct CornerScratch {
    Pushes pushes;
    std::vector<ShapeCorner> corners;
    ContactPoints contacts;
};
CornerScratch& corner_scratch() {
    thread_local CornerScratch s;
    s.contacts.clear();
    return s;
}

// Four corners of a rim, fixed in the cylinder, but the one nearest to the lowest point is there.
void add_rim(const ConvexCore& core, Vec3 down, double side, std::vector<ShapeCorner>& out) {
    const double across = std::hypot(down.x, down.y);
    const double lowest = across > same_place ? std::atan2(down.y, down.x) : 0;
    const int nearest = static_cast<int>(std::lround(lowest / (pi / 2)) + 4) % 4;
    for (int i = 0; i < 4; ++i) {
        const double angle = i == nearest ? lowest : i * (pi / 2);
        out.push_back({{core.radius * std::cos(angle), core.radius * std::sin(angle),
                        side * core.half_length},
                       static_cast<uint32_t>(4 * i + (side > 0 ? 16 : 0))});
    }
}

// The corners with which a shape can stand, in its own frame.
void list_corners(const ConvexCore& core, Vec3 down, std::vector<ShapeCorner>& out) {
    out.clear();
    if (core.kind == ConvexCore::Kind::cylinder) {
        add_rim(core, down, -1, out);
        add_rim(core, down, 1, out);
    } else if (core.kind == ConvexCore::Kind::box) {
        for (unsigned i = 0; i < 8; ++i)
            out.push_back({{(i & 1u ? 1 : -1) * core.half.x, (i & 2u ? 1 : -1) * core.half.y,
                            (i & 4u ? 1 : -1) * core.half.z},
                           i});
    } else {
        uint32_t name = 0;
        for (const Vec3& v : core.hull->vertices()) out.push_back({v, name++});
    }
}

// Is a corner of the shape over this facet? Below a valley there are points over neither side, as
// below a ridge there are points over both: there, what is on the facet's side of the bisector counts.
bool is_over(const Surface& surface, const Facet& f, Vec3 p, double height, double tolerance) {
    for (int k = 0; k < 3; ++k) {
        const Vec3 a = f.corner[static_cast<size_t>(k)],
                   along = f.corner[static_cast<size_t>((k + 1) % 3)] - a;
        const double least = -tolerance * norm(along);
        if (dot(cross(f.normal, along), p - a) >= least) continue;
        if (height >= 0) return false;
        const Surface::Edge edge = surface.edge(f, k);
        if (edge.kind != EdgeKind::concave) return false;
        const Vec3 bisector = normalized(f.normal + edge.other_normal);
        if (dot(cross(bisector, along), p - a) < least) return false;
    }
    return true;
}

// Contacts of one direction are built in the frame of the surface, `out` has them only.
struct Builder {
    const Surface& surface;
    const Guest& guest;
    const Direction& direction;
    SupportFeature touch;  // how the shape is curved there
    ContactPoints& out;

    void add(Vec3 on_shape, Vec3 on_surface, Curvature curvature, uint32_t feature,
             const Facet& f) {
        const double depth = dot(direction.normal, on_surface - on_shape);
        if (!(depth >= -guest.margin)) return;
        const bool is_known = std::any_of(out.begin(), out.end(), [&](const ContactPoint& c) {
            return c.feature == feature || norm(c.on_a - on_shape) <= same_place * guest.size;
        });
        if (is_known) return;
        ContactPoint c;
        c.on_a = on_shape;
        c.on_b = on_surface;
        c.normal = direction.normal;
        c.depth = depth;
        c.curvature_a = touch.curvature;
        c.curvature_a.direction = guest.rotation * touch.curvature.direction;
        c.curvature_b = curvature;
        c.normal_of = direction.is_face                        ? NormalOf::b
                    : touch.kind == SupportFeature::Kind::face ? NormalOf::a
                                                               : NormalOf::centers;
        c.feature = feature;
        c.face_b = surface.face_of(f);
        out.push_back(c);
    }
};

constexpr uint32_t other_corner = 0xfe000000u;
constexpr size_t most_corners = 32;  // that are looked at one by one
constexpr uint32_t surface_corner = 0x800000u, surface_edge = 0x400000u, leaving = 0x100000u,
                   nearest_points = 0x200000u;

void add_corners(const Facet& f, const std::vector<ShapeCorner>& corners, Builder& builder) {
    for (const ShapeCorner& corner : corners) {
        const Vec3 p = builder.guest.place(corner.point);
        const double height = dot(f.normal, p - f.corner[0]);
        if (height > builder.guest.margin
            || !is_over(builder.surface, f, p, height, same_place * builder.guest.size))
            continue;
        builder.add(p, p - height * f.normal, {}, corner.name, f);
    }
}

// A height field is solid all the way down: what counts is the triangle straight above a corner.
void add_sunken_corners(const std::vector<ShapeCorner>& corners, Builder& builder) {
    for (const ShapeCorner& corner : corners) {
        const Vec3 p = builder.guest.place(corner.point);
        Facet f;
        if (!builder.surface.facet_over(p, f) || !is_same(f.normal, builder.direction.normal))
            continue;
        const double height = dot(f.normal, p - f.corner[0]);
        if (height < 0) builder.add(p, p - height * f.normal, {}, corner.name, f);
    }
}

// The part of an edge of the surface below the shape's face, seen along the normal.
void add_edge(const Facet& f, int k, const Polygon& face, Vec3 face_normal, Builder& builder) {
    const Vec3 u = builder.direction.normal;
    const auto i = static_cast<size_t>(k);
    const Vec3 a = f.corner[i], along = f.corner[(i + 1) % 3] - a;
    double from = 0, to = 1;
    uint32_t from_name = surface_corner | builder.surface.corner_number(f, k);
    uint32_t to_name = surface_corner | builder.surface.corner_number(f, (k + 1) % 3);
    for (int j = 0; j < face.size; ++j) {
        const auto& p = face.corners[static_cast<size_t>(j)];
        const Vec3 q = face.corners[static_cast<size_t>((j + 1) % face.size)].point;
        // Outward, the face being counter-clockwise around its normal, which looks against u.
        const Vec3 outward = cross(u, q - p.point);
        const double start = dot(outward, a - p.point), rate = dot(outward, along);
        const double tolerance = same_place * builder.guest.size * norm(q - p.point);
        if (std::abs(rate) <= 1e-12 * norm(outward) * norm(along)) {
            if (start > tolerance) return;
            continue;
        }
        const double t = -start / rate;
        const uint32_t name = surface_edge | p.name;
        if (rate > 0 && t < to) to = t, to_name = name | leaving;
        if (rate < 0 && t > from) from = t, from_name = name;
    }
    if (!(from <= to + same_place)) return;
    const Vec3 across = cross(along, u);
    const Curvature sharp{Curvature::sharp, 0, normalized(across)};
    const auto add = [&](double t, uint32_t name) {
        const Vec3 m = a + t * along;
        const double depth = dot(face_normal, m - face.corners[0].point) / dot(face_normal, u);
        builder.add(m - depth * u, m, sharp, name, f);
    };
    add(from, from_name);
    add(to, to_name);
}

// An edge of the surface crossed by a line of the shape, seen along the normal.
void add_crossing(const Facet& f, int k, const Polygon& line, Builder& builder) {
    const Vec3 u = builder.direction.normal;
    const auto i = static_cast<size_t>(k);
    const Vec3 a = f.corner[i], along = f.corner[(i + 1) % 3] - a;
    const Vec3 p = line.corners[0].point, q = line.corners[1].point - p;
    const double area = dot(u, cross(along, q));
    if (std::abs(area) <= same_sine * norm(along) * norm(q)) return;
    const double t = dot(u, cross(p - a, q)) / area, s = dot(u, cross(p - a, along)) / area;
    if (t < -same_place || t > 1 + same_place || s < -same_place || s > 1 + same_place) return;
    const Curvature sharp{Curvature::sharp, 0, normalized(cross(along, u))};
    const Vec3 on_shape = p + s * q, m = a + t * along;
    builder.add(on_shape, on_shape + dot(u, m - on_shape) * u, sharp,
                surface_edge | line.corners[0].name, f);
}

// The points of one direction.
void add_points(const Surface& surface, const Guest& guest, size_t index, CornerScratch& s) {
    const Direction& direction = s.pushes.directions[index];
    const Vec3 down = guest.turn_back(-direction.normal);
    Builder builder{surface, guest, direction, support_feature(guest.core, down), s.contacts};
    if (direction.is_face) list_corners(guest.core, down, s.corners);
    const FaceChoice choice = best_face(guest.core, down);
    const bool has_face = choice.alignment > facing;
    Polygon outline;
    if (has_face) add_face(guest.core, choice, RimDetail::fine, outline);
    if (!has_face || guest.core.kind == ConvexCore::Kind::cylinder) {
        Polygon line;
        if (add_line(guest.core, down, facing, line)) outline = line;
    }
    for (int j = 0; j < outline.size; ++j) {
        Vec3& p = outline.corners[static_cast<size_t>(j)].point;
        p = guest.place(p);
    }
    const Facet* some = nullptr;
    for (const Joined& joined : s.pushes.joined) {
        if (joined.direction != index) continue;
        const Facet& f = s.pushes.facets[joined.facet];
        some = &f;
        if (direction.is_face && is_same(f.normal, direction.normal))
            add_corners(f, s.corners, builder);
        for (int k = 0; k < 3 && outline.size > 1; ++k) {
            if (!surface.edge_faces(f, k, direction.normal)) continue;
            if (outline.size == 2)
                add_crossing(f, k, outline, builder);
            else
                add_edge(f, k, outline, guest.rotation * choice.normal, builder);
        }
    }
    if (direction.is_face && surface.is_height_field()) add_sunken_corners(s.corners, builder);
    const bool has_deepest =
        std::any_of(s.contacts.begin(), s.contacts.end(), [&](const ContactPoint& c) {
            return c.depth >= direction.depth - same_place * guest.size;
        });
    if (!has_deepest && some && direction.counts)
        builder.add(direction.on_shape, direction.on_shape + direction.depth * direction.normal,
                    {Curvature::sharp, Curvature::sharp, any_perpendicular(direction.normal)},
                    nearest_points | builder.touch.name, *some);
}

// Where every single triangle says "through me" (an edge of the shape deep across a ridge, in the
// middle of both), their corners together still say which way is out.
void add_from_all(const Surface& surface, const Guest& guest, CornerScratch& s) {
    std::array<Vec3, 48> corners;
    size_t count = 0;
    const Facet* some = nullptr;
    for (const Candidate& c : s.pushes.candidates) {
        if (!(c.overlap > 0) || count + 3 > corners.size()) continue;
        some = &s.pushes.facets[c.facet];
        for (const Vec3& corner : some->corner) corners[count++] = corner;
    }
    if (count < 6) return;
    const ConvexCore all = ConvexCore::of_points(std::span(corners).first(count));
    const ConvexDistance d = convex_distance(guest.core, all, guest.surface, guest.margin);
    if (!d.is_near) return;
    const Vec3 u = guest.rotation * d.normal, on_shape = guest.place(d.on_a);
    const Direction out{u, -d.distance, 0, false, true, on_shape};
    Builder{surface, guest, out, support_feature(guest.core, guest.turn_back(-u)), s.contacts}.add(
        on_shape, on_shape - d.distance * u,
        {Curvature::sharp, Curvature::sharp, any_perpendicular(u)}, nearest_points, *some);
}

// A shape all below a height field: up at each of its corners.
void add_buried(const Surface& surface, const Guest& guest, CornerScratch& s) {
    Facet over;
    const bool has_facet = surface.facet_over(guest.position, over);
    const Vec3 up = has_facet ? over.normal : Vec3{0, 0, 1};
    list_corners(guest.core, guest.turn_back(-up), s.corners);
    for (const ShapeCorner& corner : s.corners) {
        const Vec3 p = guest.place(corner.point);
        Facet f;
        if (!surface.facet_over(p, f)) continue;
        const double height = dot(f.normal, p - f.corner[0]);
        if (height > 0) continue;
        const Direction out{f.normal, -height, 0, true, true, p};
        Builder{surface, guest, out, {}, s.contacts}.add(p, p - height * f.normal, {}, corner.name,
                                                         f);
    }
}

// Of the ground: corners below it that no direction has, because one that frees the shape elsewhere would free them, too: sliding on, they
// would appear deep. The nearest facet that such a corner is over or under pushes.
void add_other_corners(const Surface& surface, const Guest& guest, CornerScratch& s) {
    if (!surface.is_ground() || s.pushes.directions.empty()) return;
    const Vec3 up = s.pushes.directions[0].normal;
    list_corners(guest.core, guest.turn_back(-up), s.corners);
    if (s.corners.size() > most_corners) return;
    const double tolerance = same_place * guest.size;
    for (const ShapeCorner& corner : s.corners) {
        const Vec3 p = guest.place(corner.point);
        const Facet* nearest = nullptr;
        double least = guest.size;
        for (const Facet& f : s.pushes.facets) {
            const double height = dot(f.normal, p - f.corner[0]);
            if (!(std::abs(height) < least) || !(dot(f.normal, up) > facing)
                || !is_over(surface, f, p, height, tolerance))
                continue;
            least = std::abs(height);
            nearest = &f;
        }
        if (nearest == nullptr) continue;
        const double height = dot(nearest->normal, p - nearest->corner[0]);
        if (!(height < 0)) continue;
        const Direction out{nearest->normal, -height, 0, true, true, p};
        const SupportFeature touch = support_feature(guest.core, guest.turn_back(-nearest->normal));
        Builder{surface, guest, out, touch, s.contacts}.add(p, p - height * nearest->normal, {},
                                                            corner.name | other_corner, *nearest);
    }
}

// Where the surface is a plane under the whole shape its facets need not be asked: the corners of the shape stand on it. They are the
// points, with the names, that the facets would give.
void add_on_plane(const Surface& surface, const Guest& guest, Vec3 normal, double offset,
                  CornerScratch& s) {
    const Vec3 down = guest.turn_back(-normal);
    const double depth = offset - guest.lowest(normal);
    if (!(depth >= -guest.margin)) return;
    const Direction direction{normal, depth, offset, true, true, {}};
    Builder builder{surface, guest, direction, support_feature(guest.core, down), s.contacts};
    list_corners(guest.core, down, s.corners);
    for (const ShapeCorner& corner : s.corners) {
        const Vec3 p = guest.place(corner.point);
        builder.add(p, p - (dot(normal, p) - offset) * normal, {}, corner.name, Facet{});
    }
}

// Appends the contacts of one direction, in the world and at most four.
void flush(const Placed& b, CornerScratch& s, ContactPoints& out) {
    const size_t first = out.size();
    for (ContactPoint c : s.contacts) {
        c.on_a = b.to_world(c.on_a);
        c.on_b = b.to_world(c.on_b);
        c.normal = b.rotation * c.normal;
        c.curvature_a.direction = b.rotation * c.curvature_a.direction;
        c.curvature_b.direction = b.rotation * c.curvature_b.direction;
        out.push_back(c);
    }
    s.contacts.clear();
    if (out.size() > first) keep_four(out, first, out[first].normal);
}

// Of the contacts from `before` on, those of corners that others have.
void drop_known(ContactPoints& out, size_t first, size_t before) {
    size_t kept = before;
    for (size_t i = before; i < out.size(); ++i) {
        const bool is_known = std::any_of(
            out.begin() + static_cast<std::ptrdiff_t>(first),
            out.begin() + static_cast<std::ptrdiff_t>(before), [&](const ContactPoint& c) {
                return (c.feature & 0xffffffu) == (out[i].feature & 0xffffffu);
            });
        if (!is_known) out[kept++] = out[i];
    }
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
}

// A corner in a hollow of several facets: the deepest of them pushes.
void drop_alike(ContactPoints& out, size_t first) {
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
    const auto is_covered = [&](const ContactPoint& c) {
        return std::any_of(begin, out.end(), [&](const ContactPoint& d) {
            return (d.feature & 0xffffffu) == (c.feature & 0xffffffu)
                && dot(d.normal, c.normal) > alike && d.normal != c.normal
                && (d.depth > c.depth || (d.depth == c.depth && d.feature < c.feature));
        });
    };
    size_t kept = first;
    thread_local std::vector<uint8_t> covered;
    covered.clear();
    for (auto c = begin; c != out.end(); ++c) covered.push_back(is_covered(*c) ? 1 : 0);
    for (size_t i = first; i < out.size(); ++i)
        if (!covered[i - first]) out[kept++] = out[i];
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
}

}  // namespace

void collide_convex_surface(const Placed& a, const Placed& b, double margin, ContactPoints& out) {
    const Surface surface(*b.collider);
    const Guest guest = guest_of(a, b, margin);
    CornerScratch& s = corner_scratch();
    if (surface.is_height_field()) {
        const Surface::Under under = surface.under(box_around(guest), same_place * guest.size);
        if (under.kind == Surface::Under::Kind::plane)
            add_on_plane(surface, guest, under.normal, under.offset, s);
        if (under.kind != Surface::Under::Kind::uneven) {
            flush(b, s, out);
            return;
        }
    }
    find_pushes(surface, guest, s.pushes);
    // Upward first, so that the numbers of the directions, and the features with them, stay.
    const std::vector<Direction>& directions = s.pushes.directions;
    const auto height = [&](const Direction& d) { return (b.rotation * d.normal).z; };
    const size_t first = out.size();
    bool has_failed = false;  // to find a point for some direction
    for (size_t k = 0; k < directions.size(); ++k) {
        uint32_t rank = 0;
        for (size_t j = 0; j < directions.size(); ++j)
            if (height(directions[j]) > height(directions[k])) ++rank;
        add_points(surface, guest, k, s);
        has_failed |= s.contacts.empty();
        for (ContactPoint& c : s.contacts) c.feature |= std::min(rank, 255u) << 24;
        flush(b, s, out);
    }
    const bool is_pushed = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                       [](const ContactPoint& c) { return c.depth > 0; });
    if (has_failed && !is_pushed) {
        add_from_all(surface, guest, s);
        flush(b, s, out);
    }
    if (out.size() == first && surface.is_height_field()) {
        add_buried(surface, guest, s);
        flush(b, s, out);
    }
    const size_t before = out.size();
    add_other_corners(surface, guest, s);
    flush(b, s, out);
    drop_known(out, first, before);
    drop_alike(out, first);
}

}  // namespace bristle::collision
