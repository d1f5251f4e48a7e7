#include "collision/near/polish.h"

#include "geometry/convex_hull.h"

#include <algorithm>

namespace bristle::collision {

namespace {

// Lines that the direction is perpendicular to; two at most matter.
struct Lines {
    Vec3 line[8];
    int count = 0;

    void add(Vec3 v) {
        const double length = norm(v);
        if (length > 0) line[count++] = v / length;
    }
};

void add_lines(const ConvexCore& core, const Mat3* rotation, const Vec3 (&p)[3], Lines& lines) {
    for (int i = 0; i < 3; ++i) {
        const Vec3 along = p[(i + 1) % 3] - p[i];
        if (core.kind != ConvexCore::Kind::cylinder) {
            lines.add(along);
            continue;
        }
        // From one cap to the other: the side. Along one cap: its rim, which is no line.
        const Vec3 axis = rotation != nullptr ? rotation->column(2) : Vec3{0, 0, 1};
        if (std::abs(dot(along, axis)) > core.half_length) lines.add(axis);
    }
}

class Descent {
  public:
    Descent(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose, Vec3 start)
        : a_(a), b_(b), pose_(pose), best_(start), least_(difference_extent(a, b, pose, start)) {}

    Vec3 direction() const { return best_; }
    double extent() const { return least_; }

    double at(Vec3 u) {
        const double h = difference_extent(a_, b_, pose_, u);
        if (h < least_) {
            least_ = h;
            best_ = u;
        }
        return h;
    }
    // The bottom of the valley turning about `axis`, up to `range` (rad) to both sides.
    void turn(Vec3 axis, double range) {
        const Vec3 across = best_ - dot(best_, axis) * axis;
        const double length = norm(across);
        if (!(length > 0)) return;
        const Vec3 x = across / length, y = cross(axis, x);
        const auto h = [&](double t) { return at(std::cos(t) * x + std::sin(t) * y); };
        constexpr double golden = 0.6180339887498949;
        double low = -range, high = range;
        double p = high - golden * (high - low), q = low + golden * (high - low);
        double hp = h(p), hq = h(q);
        for (int i = 0; i < 60 && high - low > 1e-9; ++i) {
            if (hp < hq) {
                high = q, q = p, hq = hp;
                p = high - golden * (high - low), hp = h(p);
            } else {
                low = p, p = q, hp = hq;
                q = low + golden * (high - low), hq = h(q);
            }
        }
    }
    // The best of many all around `axis`, for where one direction is nearly as good as any other.
    void look_around(Vec3 axis) {
        const Vec3 x = any_perpendicular(axis), y = cross(axis, x);
        constexpr int samples = 32;
        for (int i = 0; i < samples; ++i) {
            const double t = 2 * pi * i / samples;
            at(std::cos(t) * x + std::sin(t) * y);
        }
    }
    // Newton's method on the sphere. h is smooth here and of degree one: its gradient is the point of
    // support p, so h/|u| has the gradient p − (p·u)u and the second derivative ∇²h − h. Only
    // directions across `axis`, or all if it is zero.
    void newton(Vec3 axis) {
        double last = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 12; ++i) {
            const Vec3 u = best_, x = axis == Vec3{} ? any_perpendicular(u) : cross(axis, u),
                       y = cross(u, x);
            const Vec3 p = difference_support(a_, b_, pose_, u).point;
            const Mat3 bend = bending(u);
            const double gx = dot(p, x), gy = axis == Vec3{} ? dot(p, y) : 0;
            const double slope = std::hypot(gx, gy);
            const double xx = dot(x, bend * x) - least_, xy = axis == Vec3{} ? dot(x, bend * y) : 0,
                         yy = axis == Vec3{} ? dot(y, bend * y) - least_ : 1,
                         det = xx * yy - xy * xy;
            if (!(xx > 0 && det > 0 && slope < last)) return;
            last = slope;
            const Vec3 next =
                normalized(u + ((xy * gy - yy * gx) / det) * x + ((xy * gx - xx * gy) / det) * y);
            // At the bottom h itself shows only rounding, the slope still falls.
            const double h = difference_extent(a_, b_, pose_, next);
            if (!(h <= least_ + 1e-15 * std::abs(least_))) return;
            least_ = h;
            best_ = next;
        }
    }

  private:
    // ∇²h of both cylinders: R/|u across| along the rim.
    Mat3 bending(Vec3 u) const {
        Mat3 sum;
        const auto add = [&](const ConvexCore& core, Vec3 axis) {
            if (core.kind != ConvexCore::Kind::cylinder) return;
            const Vec3 around = cross(axis, u);
            const double across = norm(around);
            if (across > 0)
                sum = sum + core.radius / (across * across * across) * Mat3::outer(around, around);
        };
        add(a_, {0, 0, 1});
        add(b_, pose_.rotation.column(2));
        return sum;
    }

    const ConvexCore& a_;
    const ConvexCore& b_;
    const RelativePose& pose_;
    Vec3 best_;
    double least_;
};

void descend(const Lines& lines, bool is_settled, Descent& descent) {
    if (lines.count == 0) {
        descent.newton({});
        return;
    }
    Vec3 normal;
    double widest = 1e-6;  // sin: two lines this near each other are one
    for (int i = 0; i < lines.count; ++i)
        for (int k = 0; k < i; ++k) {
            const Vec3 n = cross(lines.line[i], lines.line[k]);
            if (norm(n) > widest) {
                widest = norm(n);
                normal = n / widest;
            }
        }
    if (widest > 1e-6) descent.at(dot(normal, descent.direction()) < 0 ? -normal : normal);
    if (widest > 1e-6 && is_settled) return;
    for (int i = 0; i < (is_settled ? 1 : lines.count); ++i) {
        if (!is_settled) descent.look_around(lines.line[i]);
        // Where the polytope has settled the direction is known to 1e-5.
        descent.turn(lines.line[i], is_settled ? 1e-3 : 0.2);
        descent.newton(lines.line[i]);
    }
}

// The directions of all faces. EPA may have run out of corners on a round side before it came to them.
void try_faces(const ConvexCore& core, const Mat3& to_a, Descent& descent) {
    if (core.kind == ConvexCore::Kind::hull) {
        for (const ConvexHull::Face& face : core.hull->faces()) {
            descent.at(to_a * face.normal);
            descent.at(-(to_a * face.normal));
        }
        return;
    }
    for (int k = core.kind == ConvexCore::Kind::box ? 0 : 2; k < 3; ++k) {
        descent.at(to_a.column(k));
        descent.at(-to_a.column(k));
    }
}

}  // namespace

void polish_direction(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                      EpaResult& result) {
    const auto& c = result.corners;
    Lines lines;
    add_lines(a, nullptr, {c[0].on_a, c[1].on_a, c[2].on_a}, lines);
    add_lines(b, &pose.rotation, {c[0].on_b, c[1].on_b, c[2].on_b}, lines);
    if (!result.is_settled) {
        // Many directions alike: those across the axes.
        lines.add({0, 0, 1});
        lines.add(pose.rotation.column(2));
    }
    Descent descent(a, b, pose, result.outward);
    descend(lines, result.is_settled, descent);
    if (!result.is_settled) {
        try_faces(a, Mat3::identity(), descent);
        try_faces(b, pose.rotation, descent);
    }
    result.outward = descent.direction();
    result.depth = descent.extent();
}

DifferencePoint touching_points(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                                double scale, const EpaResult& result,
                                const DifferencePoint& known) {
    const double gap = 0.1 * scale;
    const Vec3 shift = (result.depth + gap) * result.outward;
    RelativePose apart = pose;
    apart.position += shift;
    const GjkResult found = gjk(a, b, apart, -result.outward, 2 * scale);
    if (found.outcome != GjkResult::Outcome::apart) return known;
    const DifferencePoint& p = found.nearest;
    return {p.point + shift, p.on_a, p.on_b - shift};
}

}  // namespace bristle::collision
