#include "collision/near/convex.h"

#include "collision/near/epa.h"
#include "collision/near/gjk.h"
#include "collision/near/polish.h"
#include "geometry/convex_hull.h"

#include <algorithm>

namespace bristle::collision {

ConvexCore ConvexCore::of(const Collider& c) {
    ConvexCore core;
    switch (c.kind) {
        case ColliderKind::capsule:
            core.kind = Kind::segment;
            core.half_length = c.half_length;
            core.ball = c.radius;
            break;
        case ColliderKind::box:
            core.kind = Kind::box;
            core.half = c.half;
            break;
        case ColliderKind::cylinder:
            core.kind = Kind::cylinder;
            core.radius = c.radius;
            core.half_length = c.half_length;
            break;
        case ColliderKind::convex:
            core.kind = Kind::hull;
            core.hull = c.hull;
            break;
        default: core.ball = c.radius; break;
    }
    return core;
}

ConvexCore ConvexCore::of_points(std::span<const Vec3> corners, double ball) {
    ConvexCore core;
    core.kind = Kind::points;
    core.corners = corners;
    core.ball = ball;
    return core;
}

Vec3 ConvexCore::support(Vec3 d) const {
    switch (kind) {
        case Kind::point: return {};
        case Kind::segment: return {0, 0, std::copysign(half_length, d.z)};
        case Kind::box:
            return {std::copysign(half.x, d.x), std::copysign(half.y, d.y),
                    std::copysign(half.z, d.z)};
        case Kind::cylinder: {
            const double across = std::sqrt(d.x * d.x + d.y * d.y);
            const double f = across > 0 ? radius / across : 0;
            return {f * d.x, f * d.y, std::copysign(half_length, d.z)};
        }
        case Kind::hull: return hull->vertices()[hull->support(d)];
        case Kind::points: break;
    }
    Vec3 best = corners[0];
    for (const Vec3& p : corners)
        if (dot(p, d) > dot(best, d)) best = p;
    return best;
}

RelativePose::RelativePose(const Placed& a, const Placed& b) {
    const Mat3 to_a = a.rotation.transposed();
    rotation = to_a * b.rotation;
    position = to_a * (b.position - a.position);
}

namespace {

double curvature_radius(const ConvexCore& core) {
    return core.kind == ConvexCore::Kind::cylinder ? core.radius : 0;
}

// The exact direction of a face or side that `u` is within `angle` of; u itself if there is none.
Vec3 exact_direction(const ConvexCore& core, Vec3 u, double angle) {
    const double least = 1 - 0.5 * angle * angle;
    switch (core.kind) {
        case ConvexCore::Kind::box:
            for (int k = 0; k < 3; ++k)
                if (std::abs(u[k]) >= least) {
                    Vec3 face;
                    face[k] = std::copysign(1.0, u[k]);
                    return face;
                }
            return u;
        case ConvexCore::Kind::segment:
            return std::abs(u.z) < angle ? normalized({u.x, u.y, 0}) : u;
        case ConvexCore::Kind::cylinder:
            if (std::abs(u.z) >= least) return {0, 0, std::copysign(1.0, u.z)};
            return std::abs(u.z) < angle ? normalized({u.x, u.y, 0}) : u;
        case ConvexCore::Kind::hull:
            for (const ConvexHull::Face& face : core.hull->faces())
                if (dot(face.normal, u) >= least) return face.normal;
            return u;
        case ConvexCore::Kind::points:
            if (core.corners.size() == 3) {
                const Vec3 n = normalized(
                    cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]));
                if (std::abs(dot(n, u)) >= least) return dot(n, u) > 0 ? n : -n;
            }
            return u;
        case ConvexCore::Kind::point: break;
    }
    return u;
}

// The normal comes from differences of points, a face's is known exactly: where the two agree to within
// rounding, and the exact one separates no worse, it is the one that is meant.
void snap_to_faces(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose, double scale,
                   ConvexDistance& d) {
    const Vec3 outward = -d.normal;  // of a
    const double allowed = 1e-14 * scale + 1e-12 * std::abs(d.distance);
    // rad: the points move against each other by no more than 1e-11 of the scale.
    const double angle = std::min(1e-4, 1e-11 * scale / std::abs(d.distance));
    const Vec3 candidates[2] = {
        exact_direction(a, outward, angle),
        pose.rotation * -exact_direction(b, pose.turn_to_b(-outward), angle)};
    for (const Vec3 u : candidates) {
        if (u == outward) continue;
        const double distance = -difference_extent(a, b, pose, u);
        if (!(distance >= d.distance - allowed)) continue;
        d.normal = -u;
        d.distance = distance;
        return;
    }
}

}  // namespace

ConvexDistance convex_distance(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                               double limit) {
    ConvexDistance d;
    const GjkResult found = gjk(a, b, pose, -pose.position, limit);
    if (found.outcome == GjkResult::Outcome::far) return d;
    if (found.outcome == GjkResult::Outcome::apart) {
        d.distance = norm(found.nearest.point);
        d.normal = found.nearest.point / d.distance;
        d.on_a = found.nearest.on_a;
        d.on_b = d.on_a - found.nearest.point;
    } else {
        const double radius = std::max(curvature_radius(a), curvature_radius(b));
        EpaResult e = epa(a, b, pose, found.scale, radius);
        if (radius > 0) polish_direction(a, b, pose, e);
        const DifferencePoint touch = touching_points(a, b, pose, found.scale, e, found.nearest);
        d.distance = -e.depth;
        d.normal = -e.outward;
        d.on_a = touch.on_a;
        d.on_b = touch.on_b;
    }
    snap_to_faces(a, b, pose, found.scale, d);
    d.is_near = is_finite(d.normal) && is_finite(d.on_a) && d.distance <= limit;
    return d;
}

// In place: a corner is read before the at most two that replace it and what was before are written,
// and the polygon leaves the half space before it can leave it again.
void clip(Polygon& polygon, Vec3 normal, double offset, double tolerance, uint32_t cutter) {
    const int count = polygon.size, edges = count == 2 ? 1 : count;
    const uint32_t cut = 1024 + (cutter & 1023u);
    Polygon::Corner* const corners = polygon.corners;
    const auto side = [&](const Polygon::Corner& c) { return dot(normal, c.point) - offset; };
    int kept = 0;
    const auto keep = [&](const Polygon::Corner& c) {
        if (kept < Polygon::capacity) std::construct_at(&corners[kept++], c);
    };
    const Polygon::Corner first = corners[0];
    Polygon::Corner q = first;
    double dq = side(q);
    for (int i = 0; i < count; ++i) {
        Polygon::Corner p = q;
        const double dp = dq;
        q = i + 1 < count ? corners[i + 1] : first;
        dq = side(q);
        const Polygon::Corner whole = p;
        // Where the polygon leaves through a corner, it goes on along the cut.
        if (dp >= -tolerance && dq > tolerance) p.edge = cut;
        if (dp <= tolerance) keep(p);
        const bool leaves = dp < -tolerance && dq > tolerance;
        const bool enters = dp > tolerance && dq < -tolerance;
        if (i >= edges || !(leaves || enters)) continue;
        const Vec3 point = p.point + (dp / (dp - dq)) * (q.point - p.point);
        keep({point, (whole.edge << 11) + cut, leaves ? cut : whole.edge});
    }
    polygon.size = kept;
}

namespace {

// The first of those within a hundredth of the largest: a square's corners must not swap by rounding.
template <class Measure>
size_t first_of_largest(size_t first, size_t end, double least, const Measure& measure) {
    double largest = least;
    for (size_t i = first; i < end; ++i) largest = std::max(largest, measure(i));
    for (size_t i = first; i < end; ++i)
        if (measure(i) > least && measure(i) >= 0.99 * largest) return i;
    return end;
}

}  // namespace

void keep_four(ContactPoints& points, size_t first, Vec3 normal) {
    const size_t end = points.size();
    if (end - first <= 4) return;
    const auto at = [&](size_t i) { return points[i].on_a; };
    size_t deepest = first;
    double extent = 0;
    for (size_t i = first; i < end; ++i) {
        if (points[i].depth > points[deepest].depth) deepest = i;
        extent = std::max(extent, norm(at(i) - at(first)));
    }
    const auto is_deep = [&](size_t i, double part) {
        return points[i].depth >= points[deepest].depth - part * extent;
    };
    // A body at rest tilts by less than 1e-3 rad, and must not change its points for that.
    size_t kept[5] = {first, end, end, end, end};
    while (!is_deep(kept[0], 1e-3)) ++kept[0];
    const Vec3 origin = at(kept[0]);
    kept[1] = first_of_largest(first, end, 0, [&](size_t i) { return norm(at(i) - origin); });
    if (kept[1] < end) {
        const Vec3 across = cross(normal, at(kept[1]) - origin);
        const double none = 1e-9 * extent * extent;  // area that is only rounding
        kept[2] = first_of_largest(first, end, none,
                                   [&](size_t i) { return dot(at(i) - origin, across); });
        kept[3] = first_of_largest(first, end, none,
                                   [&](size_t i) { return -dot(at(i) - origin, across); });
    }
    const auto has_deepest = [&](size_t i) { return i < end && is_deep(i, 1e-12); };
    if (std::none_of(kept, kept + 4, has_deepest)) kept[4] = deepest;
    std::sort(kept, kept + 5);
    size_t next = first;
    for (size_t k : kept)
        if (k < end) points[next++] = points[k];
    points.resize(next, points[first]);
}

}  // namespace bristle::collision
