#include "collision/queries.h"

#include "collision/near/near.h"
#include "collision/near/point_distance.h"
#include "collision/near/surface.h"
#include "geometry/convex_hull.h"
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- Distance of a point, in the frame of the shape ---------------------------------------------------

NearestPoint from_mesh(Vec3 p, const TriangleTree& tree) {
    const TriangleTree::Nearest near = tree.nearest(p, std::numeric_limits<double>::max());
    const Vec3 face = tree.face(near.triangle).normal;
    const double side = tree.contains(p) ? -1 : 1;
    // On the surface itself, and on the side of a face, the face's own normal is the accurate one.
    const bool is_face = near.part == TrianglePoint::Part::face || !(near.distance > 0);
    const Vec3 away = is_face ? std::copysign(1.0, dot(face, p - near.point)) * face
                              : (p - near.point) / near.distance;
    const Vec3 normal = near.distance > 0 ? side * away : face;
    return {side * near.distance, near.point, normal, near.triangle};
}

// Squares around the point, doubling until what is found is nearer than their sides.
NearestPoint from_field(Vec3 p, const Surface& surface, const HeightField& field) {
    thread_local std::vector<Facet> facets;
    NearestPoint best{infinity, {}, {0, 0, 1}};
    const double width = field.spacing_x * (field.columns - 1),
                 length = field.spacing_y * (field.rows - 1);
    const double aside =
        std::hypot(p.x - std::clamp(p.x, 0.0, width), p.y - std::clamp(p.y, 0.0, length));
    double reach = aside + std::max(field.spacing_x, field.spacing_y);
    for (;; reach *= 2) {
        facets.clear();
        surface.gather({{p.x - reach, p.y - reach, -infinity}, p + Vec3{reach, reach, 0}}, facets);
        for (const Facet& f : facets) {
            const TrianglePoint near = nearest_on_triangle(f.corner, f.normal, p);
            const double d = norm(near.point - p);
            if (d >= best.distance) continue;
            const double height = dot(f.normal, p - f.corner[0]);
            const Vec3 away = near.part == TrianglePoint::Part::face || !(d > 0)
                                ? std::copysign(1.0, height) * f.normal
                                : (p - near.point) / d;
            best = {d, near.point, away};
        }
        if (best.distance <= reach || reach > aside + width + length) break;
    }
    Facet over;
    if (surface.facet_over(p, over) && dot(over.normal, p - over.corner[0]) < 0) {
        best.distance = -best.distance;
        best.normal = -best.normal;
    }
    return best;
}

NearestPoint nearest_in_frame(Vec3 p, const Collider& c) {
    if (c.kind == ColliderKind::height_field) return from_field(p, Surface(c), *c.field);
    if (c.kind == ColliderKind::mesh) return from_mesh(p, *c.tree);
    const PointDistance d = distance_from(c, p);
    return {d.distance, d.point, d.normal};
}

// ---- Rays, in the frame of the shape, direction of unit length ----------------------------------------

struct Hit {
    double distance = infinity;
    Vec3 normal;
    uint32_t face = 0xffffffffu;
};
void take(Hit& hit, double distance, Vec3 normal) {
    if (distance >= 0 && distance < hit.distance) hit = {distance, normal};
}

// Smaller root of |o + t d| = r seen from outside (or infinity), without cancellation: the nearest point
// to the centre first.
double enter_circle(double dd, double od, Vec3 o, Vec3 d, double r) {
    const double nearest = -od / dd;
    const Vec3 there = o + nearest * d;
    const double square = r * r - dot(there, there);
    return square >= 0 ? nearest - std::sqrt(square / dd) : infinity;
}
void hit_sphere(Vec3 o, Vec3 d, Vec3 center, double radius, Hit& hit) {
    const double t = enter_circle(1, dot(o - center, d), o - center, d, radius);
    if (t >= 0 && t < infinity) take(hit, t, normalized(o + t * d - center));
}

// The mantle of a cylinder about z between −half and half.
void hit_mantle(Vec3 o, Vec3 d, double radius, double half, Hit& hit) {
    const Vec3 flat_o = {o.x, o.y, 0}, flat_d = {d.x, d.y, 0};
    const double dd = dot(flat_d, flat_d);
    if (!(dd > 1e-30)) return;
    const double t = enter_circle(dd, dot(flat_o, flat_d), flat_o, flat_d, radius);
    if (t >= 0 && t < infinity && std::abs(o.z + t * d.z) <= half)
        take(hit, t, normalized(flat_o + t * flat_d));
}
// The disc about `center` whose normal is this axis, from the side the normal looks to.
void hit_disc(Vec3 o, Vec3 d, Vec3 center, double radius, Vec3 normal, Hit& hit) {
    const double slope = dot(normal, d);
    if (!(slope < 0)) return;
    const double t = dot(normal, center - o) / slope;
    const Vec3 off = o + t * d - center;
    if (dot(off, off) <= radius * radius) take(hit, t, normal);
}

// A convex body by its faces: latest entry before the earliest exit.
struct Slabs {
    double enter = -infinity, leave = infinity;
    Vec3 normal;

    void cut(double slope, double height, Vec3 n) {  // n·(o + t d) ≤ offset, height = n·o − offset
        if (slope == 0) {
            if (height > 0) leave = -infinity;
        } else if (slope < 0) {
            if (-height / slope > enter) enter = -height / slope, normal = n;
        } else {
            leave = std::min(leave, -height / slope);
        }
    }
    void take_into(Hit& hit) const {
        if (enter <= leave) take(hit, enter, normal);
    }
};

// Real roots of Σ c_i tⁱ in [low, high], increasing: between the roots of the derivative the
// polynomial is monotonous, so bisection with Newton's step cannot fail.
int real_roots(const double* c, int degree, double low, double high, double* roots) {
    if (degree == 1) {
        const double t = c[1] != 0 ? -c[0] / c[1] : infinity;
        if (!(t >= low && t <= high)) return 0;
        roots[0] = t;
        return 1;
    }
    double derivative[4], turns[6];
    for (int i = 0; i < degree; ++i) derivative[i] = (i + 1) * c[i + 1];
    turns[0] = low;
    const int inner = real_roots(derivative, degree - 1, low, high, turns + 1);
    turns[inner + 1] = high;
    const auto value = [&](double t) {
        double v = c[degree];
        for (int i = degree - 1; i >= 0; --i) v = v * t + c[i];
        return v;
    };
    int count = 0;
    for (int i = 0; i <= inner; ++i) {
        double a = turns[i], b = turns[i + 1];
        const double fa = value(a), fb = value(b);
        if ((fa > 0) == (fb > 0) && fa != 0 && fb != 0) continue;
        for (int k = 0; k < 80 && b - a > 1e-16 * (std::abs(a) + std::abs(b)); ++k) {
            const double middle = 0.5 * (a + b);
            ((value(middle) > 0) == (fa > 0) ? a : b) = middle;
        }
        if (count < degree) roots[count++] = 0.5 * (a + b);
    }
    return count;
}

// (|x|² + R² − r²)² = 4 R² (x² + y²) along the ray, t counted from the point nearest to the centre so
// that its coefficients do not cancel; the root is polished on the distance itself.
void hit_torus(Vec3 o, Vec3 d, const Collider& c, Hit& hit) {
    const double nearest = -dot(o, d), outer = c.radius + c.tube;
    const Vec3 m = o + nearest * d;
    const double mm = dot(m, m);
    if (mm <= outer * outer) {
        const double span = std::sqrt(outer * outer - mm) + 1e-9 * outer, rr = c.radius * c.radius;
        const double k = mm + rr - c.tube * c.tube;
        const double flat_dd = d.x * d.x + d.y * d.y, flat_md = m.x * d.x + m.y * d.y,
                     flat_mm = m.x * m.x + m.y * m.y;
        const double coefficients[5] = {k * k - 4 * rr * flat_mm, -8 * rr * flat_md,
                                        2 * k - 4 * rr * flat_dd, 0, 1};
        double roots[4];
        const int count = real_roots(coefficients, 4, std::max(-span, -nearest), span, roots);
        Collider full = c;
        full.is_half_torus = false;
        for (int i = 0; i < count; ++i) {
            double t = roots[i] + nearest;
            PointDistance at = distance_from(full, o + t * d);
            for (int step = 0; step < 4; ++step) {
                const double slope = dot(at.normal, d);
                if (!(std::abs(slope) > 1e-3)) break;
                t -= at.distance / slope;
                at = distance_from(full, o + t * d);
            }
            if (dot(at.normal, d) > 0 || (c.is_half_torus && (o + t * d).y < 0)) continue;
            take(hit, std::max(t, 0.0), at.normal);
        }
    }
    if (!c.is_half_torus) return;
    for (double side : {-1.0, 1.0})
        hit_disc(o, d, {side * c.radius, 0, 0}, c.tube, {0, -1, 0}, hit);
}

constexpr double on_border =
    1e-9;  // of a cell: rounding may put what is so near to a border on either side

// Cell by cell along the ray; of a ray along the border of two cells, both.
void hit_field(Vec3 o, Vec3 d, double limit, const Collider& c, Hit& hit) {
    const HeightField& field = *c.field;
    const Surface surface(c);
    double enter = 0, leave = limit;
    const double sizes[2] = {field.spacing_x * (field.columns - 1),
                             field.spacing_y * (field.rows - 1)};
    for (int i = 0; i < 2; ++i) {
        if (d[i] == 0) {
            if (!(o[i] >= 0 && o[i] <= sizes[i])) return;
            continue;
        }
        const double a = -o[i] / d[i], b = (sizes[i] - o[i]) / d[i];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    if (!(enter <= leave)) return;
    const double spacing[2] = {field.spacing_x, field.spacing_y};
    const uint32_t counts[2] = {field.columns - 1, field.rows - 1};
    int64_t cell[2];
    for (int i = 0; i < 2; ++i)
        cell[i] = std::clamp(static_cast<int64_t>(std::floor((o[i] + enter * d[i]) / spacing[i])),
                             int64_t{0}, int64_t{counts[i]} - 1);
    const auto test = [&](int64_t column, int64_t row) {
        if (column < 0 || row < 0 || column >= counts[0] || row >= counts[1]) return;
        for (uint32_t half = 0; half < 2; ++half) {
            const Facet f =
                surface.facet(2 * static_cast<uint32_t>(row * counts[0] + column) + half);
            const double t = ray_hits(f.corner, f.normal, o, d);
            if (t >= 0 && t <= limit) take(hit, t, dot(f.normal, d) < 0 ? f.normal : -f.normal);
        }
    };
    // 0, or the neighbour whose border the ray is at where it comes into this cell.
    const auto beside = [&](int i, double t) {
        const double within = (o[i] + t * d[i]) / spacing[i] - static_cast<double>(cell[i]);
        return within < on_border ? -1 : within > 1 - on_border ? 1 : 0;
    };
    for (double here = enter;;) {
        test(cell[0], cell[1]);
        const int column = beside(0, here), row = beside(1, here);
        if (column != 0) test(cell[0] + column, cell[1]);
        if (row != 0) test(cell[0], cell[1] + row);
        if (column != 0 && row != 0) test(cell[0] + column, cell[1] + row);
        // To the neighbour whose border comes first; a hit beyond it may be beaten by what is there.
        double next = infinity;
        int axis = -1;
        for (int i = 0; i < 2; ++i) {
            if (d[i] == 0) continue;
            const double border = spacing[i] * static_cast<double>(cell[i] + (d[i] > 0 ? 1 : 0));
            if ((border - o[i]) / d[i] < next) next = (border - o[i]) / d[i], axis = i;
        }
        if (axis < 0 || hit.distance <= next || next > leave) return;
        cell[axis] += d[axis] > 0 ? 1 : -1;
        if (cell[axis] < 0 || cell[axis] >= counts[axis]) return;
        here = next;
    }
}

void hit_mesh(Vec3 o, Vec3 d, double limit, const TriangleTree& tree, Hit& hit) {
    const TriangleTree::RayHit found = tree.first_hit(o, d, limit);
    if (found.triangle == TriangleTree::none) return;
    const Vec3 normal = tree.face(found.triangle).normal;
    hit = {found.distance, dot(normal, d) < 0 ? normal : -normal, found.triangle};
}

bool is_inside(Vec3 o, const Collider& c) {
    if (c.kind == ColliderKind::mesh) return c.tree->contains(o);
    if (c.kind == ColliderKind::height_field) {
        Facet f;
        return Surface(c).facet_over(o, f) && dot(f.normal, o - f.corner[0]) < 0;
    }
    if (c.kind == ColliderKind::convex) {
        const auto faces = c.hull->faces();
        return std::all_of(faces.begin(), faces.end(),
                           [&](const ConvexHull::Face& f) { return dot(f.normal, o) < f.offset; });
    }
    return nearest_in_frame(o, c).distance < 0;
}

Hit hit_in_frame(Vec3 o, Vec3 d, double limit, const Collider& c) {
    Hit hit;
    switch (c.kind) {
        case ColliderKind::sphere: hit_sphere(o, d, {}, c.radius, hit); break;
        case ColliderKind::capsule:
            hit_mantle(o, d, c.radius, c.half_length, hit);
            hit_sphere(o, d, {0, 0, c.half_length}, c.radius, hit);
            hit_sphere(o, d, {0, 0, -c.half_length}, c.radius, hit);
            break;
        case ColliderKind::box: {
            Slabs slabs;
            for (int i = 0; i < 3; ++i)
                for (double side : {-1.0, 1.0}) {
                    Vec3 n;
                    n[i] = side;
                    slabs.cut(side * d[i], side * o[i] - c.half[i], n);
                }
            slabs.take_into(hit);
            break;
        }
        case ColliderKind::cylinder:
            hit_mantle(o, d, c.radius, c.half_length, hit);
            for (double side : {-1.0, 1.0})
                hit_disc(o, d, {0, 0, side * c.half_length}, c.radius, {0, 0, side}, hit);
            break;
        case ColliderKind::convex: {
            Slabs slabs;
            for (const ConvexHull::Face& f : c.hull->faces())
                slabs.cut(dot(f.normal, d), dot(f.normal, o) - f.offset, f.normal);
            slabs.take_into(hit);
            break;
        }
        case ColliderKind::torus: hit_torus(o, d, c, hit); break;
        case ColliderKind::plane:
            if (d.z < 0) take(hit, -o.z / d.z, {0, 0, 1});
            break;
        case ColliderKind::height_field: hit_field(o, d, limit, c, hit); break;
        case ColliderKind::mesh: hit_mesh(o, d, limit, *c.tree, hit); break;
    }
    return hit;
}

bool is_finite(const Placed& p) {
    return bristle::is_finite(p.position) && bristle::is_finite(p.rotation.row[0])
        && bristle::is_finite(p.rotation.row[1]) && bristle::is_finite(p.rotation.row[2]);
}

// Somewhere in the shape; a closed mesh that contains it overlaps without any contact.
Vec3 some_point_of(const Placed& p) {
    const Collider& c = *p.collider;
    if (c.kind == ColliderKind::torus) return p.to_world({0, c.radius, 0});
    if (c.kind == ColliderKind::convex) return p.to_world(c.hull->vertices()[0]);
    if (c.kind == ColliderKind::mesh) return p.to_world(c.tree->corners(0)[0]);
    return p.position;
}
bool contains(const Placed& outer, const Placed& inner) {
    return outer.collider->kind == ColliderKind::mesh && inner.collider->kind != ColliderKind::plane
        && inner.collider->kind != ColliderKind::height_field
        && outer.collider->tree->contains(outer.to_local(some_point_of(inner)));
}

}  // namespace

std::optional<RayHit> cast_ray(const Ray& ray, const Placed& placed) {
    const double length = norm(ray.direction);
    if (!is_finite(placed) || !bristle::is_finite(ray.origin) || !(length > 0)
        || !std::isfinite(length) || !(ray.limit >= 0))
        return {};
    const Vec3 direction = ray.direction / length;
    const Vec3 o = placed.to_local(ray.origin), d = placed.rotation.transposed() * direction;
    if (is_inside(o, *placed.collider)) return RayHit{0, ray.origin, -direction};
    const Hit hit = hit_in_frame(o, d, ray.limit, *placed.collider);
    if (!(hit.distance < infinity && hit.distance <= ray.limit)) return {};
    return RayHit{hit.distance, ray.origin + hit.distance * direction, placed.rotation * hit.normal,
                  hit.face};
}

std::optional<RayHit> cast_ray(const Ray& ray, std::span<const Placed> list) {
    std::optional<RayHit> first;
    Ray rest = ray;
    for (size_t i = 0; i < list.size(); ++i) {
        std::optional<RayHit> hit = cast_ray(rest, list[i]);
        if (!hit || (first && hit->distance >= first->distance)) continue;
        hit->collider = static_cast<uint32_t>(i);
        first = hit;
        rest.limit = hit->distance;
    }
    return first;
}

std::optional<NearestPoint> nearest_point(Vec3 point, const Placed& placed) {
    if (!is_finite(placed) || !bristle::is_finite(point)) return {};
    NearestPoint n = nearest_in_frame(placed.to_local(point), *placed.collider);
    if (!(std::abs(n.distance) < infinity)) return {};
    n.point = placed.to_world(n.point);
    n.normal = placed.rotation * n.normal;
    return n;
}

std::optional<NearestPoints> nearest_points(const Placed& a, const Placed& b, double limit) {
    if (!(limit >= 0)) return {};
    thread_local ContactPoints contacts;
    // Contact within a small margin is cheap; so the margin grows until something is found.
    for (double margin = std::min(limit, 0.01);; margin = std::min(limit, 4 * margin)) {
        contacts.clear();
        collide(a, b, margin, contacts);
        if (!contacts.empty()) {
            const auto deepest = std::max_element(
                contacts.begin(), contacts.end(),
                [](const ContactPoint& x, const ContactPoint& y) { return x.depth < y.depth; });
            return NearestPoints{-deepest->depth, deepest->on_a, deepest->on_b, deepest->normal};
        }
        if (!(margin < limit) || margin > 1e12) return {};
    }
}

void find_overlaps(const Placed& shape, std::span<const Placed> list, std::vector<uint32_t>& out) {
    thread_local ContactPoints contacts;
    for (size_t i = 0; i < list.size(); ++i) {
        contacts.clear();
        collide(shape, list[i], 0, contacts);
        if (!contacts.empty() || contains(list[i], shape) || contains(shape, list[i]))
            out.push_back(static_cast<uint32_t>(i));
    }
}

void find_overlaps(const Aabb& box, std::span<const Placed> list, std::vector<uint32_t>& out) {
    Collider c{};
    c.kind = ColliderKind::box;
    c.half = 0.5 * (box.high - box.low);
    find_overlaps(Placed{&c, Mat3::identity(), 0.5 * (box.low + box.high)}, list, out);
}

}  // namespace bristle::collision
