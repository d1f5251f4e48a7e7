#include "collision/near/point_distance.h"

#include "geometry/convex_hull.h"
#include "geometry/triangle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::collision {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

PointDistance from_center(Vec3 p, Vec3 center, double radius, Vec3 otherwise) {
    const double d = norm(p - center);
    const Vec3 normal = d > 0 ? (p - center) / d : otherwise;
    return {d - radius, center + radius * normal, normal};
}

// A convex body given as "largest of signed distances from its faces" inside, nearest point outside.
PointDistance from_box(Vec3 p, Vec3 half) {
    const Vec3 clamped = {std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
                          std::clamp(p.z, -half.z, half.z)};
    if (!(clamped == p)) return from_center(p, clamped, 0, {});
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (half[i] - std::abs(p[i]) < half[k] - std::abs(p[k])) k = i;
    PointDistance n{std::abs(p[k]) - half[k], p, {}};
    n.normal[k] = std::copysign(1.0, p[k]);
    n.point[k] = n.normal[k] * half[k];
    return n;
}

PointDistance from_cylinder(Vec3 p, double radius, double half) {
    const double aside = std::hypot(p.x, p.y), height = std::abs(p.z),
                 side = std::copysign(1.0, p.z);
    const Vec3 outward = aside > 0 ? Vec3{p.x / aside, p.y / aside, 0} : Vec3{1, 0, 0};
    if (aside <= radius && height - half >= aside - radius)
        return {height - half, {p.x, p.y, side * half}, {0, 0, side}};
    if (height <= half) return {aside - radius, radius * outward + Vec3{0, 0, p.z}, outward};
    return from_center(p, radius * outward + Vec3{0, 0, side * half}, 0, {});
}

// The point of a face nearest to p: its foot, or on one of the edges the foot is beyond.
Vec3 nearest_on_face(const ConvexHull& hull, const ConvexHull::Face& face, Vec3 p, double height) {
    const auto loop = hull.loop(face);
    Vec3 nearest = p - height * face.normal;
    double least = -1;
    for (size_t i = 0; i < loop.size(); ++i) {
        const Vec3 a = hull.vertices()[loop[i]], b = hull.vertices()[loop[(i + 1) % loop.size()]];
        if (dot(cross(face.normal, b - a), p - a) >= 0) continue;
        const Vec3 q = a + nearest_on_segment(a, b, p) * (b - a);
        if (least >= 0 && dot(q - p, q - p) >= least) continue;
        least = dot(q - p, q - p);
        nearest = q;
    }
    return nearest;
}

PointDistance from_hull(Vec3 p, const ConvexHull& hull) {
    PointDistance inside{-infinity, {}, {}};
    Vec3 nearest;
    double least = infinity;
    for (const ConvexHull::Face& face : hull.faces()) {
        const double height = dot(face.normal, p) - face.offset;
        if (height > inside.distance) inside = {height, p - height * face.normal, face.normal};
        if (!(height > 0) || height >= least) continue;
        const Vec3 q = nearest_on_face(hull, face, p, height);
        if (norm(p - q) >= least) continue;
        least = norm(p - q);
        nearest = q;
    }
    if (inside.distance <= 0) return inside;
    // The face's own normal is the accurate one, also for points hardly above it.
    if (least <= inside.distance * (1 + 1e-12)) return inside;
    return from_center(p, nearest, 0, inside.normal);
}

PointDistance from_torus(Vec3 p, const Collider& c) {
    const double aside = std::hypot(p.x, p.y);
    const Vec3 radial = aside > 0 ? Vec3{p.x / aside, p.y / aside, 0} : Vec3{0, 1, 0};
    const PointDistance around = from_center(p, c.radius * radial, c.tube, radial);
    if (!c.is_half_torus) return around;
    const Vec3 end = {p.x < 0 ? -c.radius : c.radius, 0, 0};
    const double x = p.x - end.x, off = std::hypot(x, p.z);
    if (p.y >= 0) {  // inside, the flat end may be nearer
        if (!(around.distance < 0 && off <= c.tube && -p.y > around.distance)) return around;
        return {-p.y, {p.x, 0, p.z}, {0, -1, 0}};
    }
    if (off <= c.tube) return {-p.y, {p.x, 0, p.z}, {0, -1, 0}};
    return from_center(p, end + c.tube / off * Vec3{x, 0, p.z}, 0, {});
}

}  // namespace

PointDistance distance_from(const Collider& c, Vec3 p) {
    switch (c.kind) {
        case ColliderKind::sphere: return from_center(p, {}, c.radius, {0, 0, 1});
        case ColliderKind::capsule:
            return from_center(p, {0, 0, std::clamp(p.z, -c.half_length, c.half_length)}, c.radius,
                               {1, 0, 0});
        case ColliderKind::box: return from_box(p, c.half);
        case ColliderKind::cylinder: return from_cylinder(p, c.radius, c.half_length);
        case ColliderKind::convex: return from_hull(p, *c.hull);
        case ColliderKind::torus: return from_torus(p, c);
        case ColliderKind::plane: return {p.z, {p.x, p.y, 0}, {0, 0, 1}};
        case ColliderKind::height_field:
        case ColliderKind::mesh: break;
    }
    return {infinity, p, {0, 0, 1}};
}

}  // namespace bristle::collision
