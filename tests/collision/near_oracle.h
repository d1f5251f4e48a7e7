// What is true about two convex shapes, without the engine's means: only support functions, surfaces
// and lists of directions.
//
// Apart, a contact proves itself: two points of the shapes bound the distance from above, and the
// extent along the normal bounds it from below. Penetrating, the extent along the normal bounds the
// depth from above; that nothing is smaller is seen by trying every direction that can be the smallest: a
// ball inside D = A − B touches it where its boundary is smooth, which is at a face of one, at an edge
// times an edge, at the side of a cylinder over a corner, and at a rim swept along an edge.
#pragma once

#include "collision/contact_point.h"
#include "geometry/collider.h"
#include "geometry/convex_hull.h"

#include <algorithm>
#include <vector>

namespace bristle::testing_support {

// The farthest point in a direction, of a placed shape, relative to `origin`.
inline Vec3 farthest(const Placed& p, Vec3 direction, Vec3 origin) {
    const Collider& c = *p.collider;
    const Vec3 d = p.rotation.transposed() * direction;
    const double across = std::hypot(d.x, d.y);
    Vec3 x;
    switch (c.kind) {
        case ColliderKind::sphere: x = c.radius / norm(d) * d; break;
        case ColliderKind::capsule:
            x = c.radius / norm(d) * d + Vec3{0, 0, d.z > 0 ? c.half_length : -c.half_length};
            break;
        case ColliderKind::box:
            for (int k = 0; k < 3; ++k) x[k] = d[k] > 0 ? c.half[k] : -c.half[k];
            break;
        case ColliderKind::cylinder:
            if (across > 0) x = c.radius / across * Vec3{d.x, d.y, 0};
            x.z = d.z > 0 ? c.half_length : -c.half_length;
            break;
        default:
            x = c.hull->vertices()[0];
            for (const Vec3 v : c.hull->vertices())
                if (dot(v, d) > dot(x, d)) x = v;
    }
    return (p.position - origin) + p.rotation * x;
}

// How far a is in b along the direction u (unit): moving a by −h u separates them.
inline double overlap(const Placed& a, const Placed& b, Vec3 u) {
    return dot(u, farthest(a, u, a.position) - farthest(b, -u, a.position));
}

// How far the corners of a face are from its plane: a hull merges faces that are nearly in one plane, and
// its surface is not known better than that. Rounding for all others.
inline double unevenness(const ConvexHull& hull) {
    double most = 0;
    for (const auto& face : hull.faces())
        for (const uint32_t v : hull.loop(face))
            most = std::max(most, std::abs(dot(face.normal, hull.vertices()[v]) - face.offset));
    return most;
}

// Distance from the surface, for points near it.
inline double surface_error(const Placed& p, Vec3 world) {
    const Collider& c = *p.collider;
    const Vec3 x = p.to_local(world);
    switch (c.kind) {
        case ColliderKind::sphere: return std::abs(norm(x) - c.radius);
        case ColliderKind::capsule: {
            const double z = std::clamp(x.z, -c.half_length, c.half_length);
            return std::abs(norm(x - Vec3{0, 0, z}) - c.radius);
        }
        case ColliderKind::box:
            return std::abs(std::max(
                {std::abs(x.x) - c.half.x, std::abs(x.y) - c.half.y, std::abs(x.z) - c.half.z}));
        case ColliderKind::cylinder:
            return std::abs(
                std::max(std::hypot(x.x, x.y) - c.radius, std::abs(x.z) - c.half_length));
        case ColliderKind::plane: return std::abs(x.z);
        default: {
            double highest = -1e300;
            for (const auto& f : c.hull->faces())
                highest = std::max(highest, dot(f.normal, x) - f.offset);
            return std::max(0.0, std::abs(highest) - unevenness(*c.hull));
        }
    }
}

inline double extent(const Collider& c) {
    switch (c.kind) {
        case ColliderKind::sphere: return c.radius;
        case ColliderKind::capsule: return c.radius + c.half_length;
        case ColliderKind::box: return norm(c.half);
        case ColliderKind::cylinder: return c.radius + c.half_length;
        case ColliderKind::convex: {
            double e = 0;
            for (const Vec3 v : c.hull->vertices()) e = std::max(e, norm(v));
            return e;
        }
        default: return 0;
    }
}

// What a shape is made of, in world axes about its own position.
struct Parts {
    std::vector<Vec3> corners, edges, faces;  // edges as directions
    bool is_cylinder = false;
    Vec3 axis;
};

inline Parts parts_of(const Placed& p) {
    const Collider& c = *p.collider;
    Parts parts;
    const auto turn = [&](Vec3 v) { return p.rotation * v; };
    switch (c.kind) {
        case ColliderKind::sphere: parts.corners = {{}}; break;
        case ColliderKind::capsule:
            parts.corners = {turn({0, 0, c.half_length}), turn({0, 0, -c.half_length})};
            parts.edges = {turn({0, 0, 1})};
            break;
        case ColliderKind::box:
            for (int i = 0; i < 8; ++i)
                parts.corners.push_back(
                    turn({i & 1 ? c.half.x : -c.half.x, i & 2 ? c.half.y : -c.half.y,
                          i & 4 ? c.half.z : -c.half.z}));
            parts.edges = parts.faces = {turn({1, 0, 0}), turn({0, 1, 0}), turn({0, 0, 1})};
            break;
        case ColliderKind::cylinder:
            parts.is_cylinder = true;
            parts.axis = turn({0, 0, 1});
            parts.faces = {parts.axis};
            parts.edges = {parts.axis};  // its side is made of lines
            break;
        default:
            for (const Vec3 v : c.hull->vertices()) parts.corners.push_back(turn(v));
            for (const auto& e : c.hull->edges())
                parts.edges.push_back(turn(c.hull->vertices()[e.b] - c.hull->vertices()[e.a]));
            for (const auto& f : c.hull->faces()) parts.faces.push_back(turn(f.normal));
    }
    return parts;
}

// Rims on rims are looked for only in a thorough search, which takes 1 ms.
enum class Effort : uint8_t { quick, thorough };

class DepthOracle {
  public:
    DepthOracle(const Placed& a, const Placed& b) : a_(a), b_(b) {}

    // The smallest translation that separates two shapes that penetrate.
    double depth(Effort effort) {
        const Parts a = parts_of(a_), b = parts_of(b_);
        for (const Vec3 n : a.faces) try_axis(n);
        for (const Vec3 n : b.faces) try_axis(n);
        for (const Vec3 e : a.edges)
            for (const Vec3 f : b.edges) try_axis(cross(e, f));
        sweep(a, b, b_.position - a_.position);
        sweep(b, a, a_.position - b_.position);
        if (a.edges.size() == 1 && b.edges.size() == 1)
            try_axis(any_perpendicular(normalized(a.edges[0])));
        if (a.edges.empty() && b.edges.size() <= 1) try_ball(b, a_.position - b_.position);
        if (b.edges.empty() && a.edges.size() == 1) try_ball(a, b_.position - a_.position);
        if (a.is_cylinder && b.is_cylinder) {
            const Vec3 offset = b_.position - a_.position;
            try_axis(offset - dot(offset, a.axis) * a.axis);
            try_axis(any_perpendicular(a.axis));
            if (effort == Effort::thorough) search_everywhere();
        }
        return least_;
    }
    double try_direction(Vec3 u) {
        const double h = overlap(a_, b_, u);
        least_ = std::min(least_, h);
        return h;
    }

  private:
    // A rim on a rim can have any direction: many starts, each followed down.
    void search_everywhere() {
        constexpr int starts = 150, followed = 4;
        std::vector<std::pair<double, Vec3>> found;
        for (int i = 0; i < starts; ++i) {  // a spiral over the sphere
            const double z = 1 - (2 * i + 1.0) / starts, r = std::sqrt(1 - z * z), t = 2.399963 * i;
            const Vec3 u{r * std::cos(t), r * std::sin(t), z};
            found.emplace_back(try_direction(u), u);
        }
        std::partial_sort(found.begin(), found.begin() + followed, found.end(),
                          [](const auto& x, const auto& y) { return x.first < y.first; });
        for (int i = 0; i < followed; ++i) follow_down(found[static_cast<size_t>(i)].second);
    }
    void follow_down(Vec3 u) {
        double h = try_direction(u);
        for (double step = 0.1; step > 1e-6;) {
            const Vec3 x = any_perpendicular(u), y = cross(u, x);
            bool better = false;
            for (int k = 0; k < 8 && !better; ++k) {
                const Vec3 v =
                    normalized(u + step * (std::cos(k * pi / 4) * x + std::sin(k * pi / 4) * y));
                const double there = try_direction(v);
                if (there < h) {
                    h = there;
                    u = v;
                    better = true;
                }
            }
            if (!better) step /= 2;
        }
    }
    void try_axis(Vec3 v) {
        const double length = norm(v);
        if (!(length > 1e-14)) return;
        try_direction(v / length);
        try_direction(-(v / length));
    }
    // A cylinder against corners (its side) and edges (its rim).
    void sweep(const Parts& cylinder, const Parts& other, Vec3 offset) {
        if (!cylinder.is_cylinder) return;
        for (const Vec3 c : other.corners) {
            const Vec3 p = c + offset;
            try_axis(p - dot(p, cylinder.axis) * cylinder.axis);
        }
        if (other.corners.size() == 1) try_axis(any_perpendicular(cylinder.axis));
        for (const Vec3 e : other.edges) around(normalized(e));
    }
    void try_ball(const Parts& other, Vec3 offset) {
        for (const Vec3 c : other.corners) try_axis(offset - c);
        if (other.edges.size() == 1) {
            const Vec3 axis = normalized(other.edges[0]);
            try_axis(offset - dot(offset, axis) * axis);
            try_axis(any_perpendicular(axis));
        }
        if (other.edges.empty()) try_axis({0, 0, 1});
    }
    // All directions across e: sampled, and every valley followed to its bottom.
    void around(Vec3 e) {
        const Vec3 x = any_perpendicular(e), y = cross(e, x);
        const auto at = [&](double t) { return try_direction(std::cos(t) * x + std::sin(t) * y); };
        constexpr int samples = 48;
        constexpr double step = 2 * pi / samples;
        double h[samples];
        for (int i = 0; i < samples; ++i) h[i] = at(i * step);
        for (int i = 0; i < samples; ++i) {
            const double here = h[i];
            if (here > h[(i + 1) % samples] || here > h[(i + samples - 1) % samples]) continue;
            if (here > 1.2 * least_) continue;
            double low = (i - 1) * step, high = (i + 1) * step;
            constexpr double golden = 0.6180339887498949;
            double p = high - golden * (high - low), q = low + golden * (high - low);
            double hp = at(p), hq = at(q);
            for (int k = 0; k < 40; ++k) {
                if (hp < hq) {
                    high = q, q = p, hq = hp;
                    p = high - golden * (high - low), hp = at(p);
                } else {
                    low = p, p = q, hp = hq;
                    q = low + golden * (high - low), hq = at(q);
                }
            }
        }
    }

    const Placed& a_;
    const Placed& b_;
    double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace bristle::testing_support
