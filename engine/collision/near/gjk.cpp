#include "collision/near/gjk.h"

#include <algorithm>

namespace bristle::collision {

namespace {

struct Simplex {
    DifferencePoint corner[4];
    double weight[4];
    int size = 0;
};

struct Nearest {
    Vec3 point;
    double square = std::numeric_limits<double>::infinity();
    int used[3] = {0, 0, 0};
    double weight[3] = {1, 0, 0};
    int size = 0;
};

void consider(const Nearest& candidate, Nearest& best) {
    if (candidate.square < best.square) best = candidate;
}

Nearest nearest_of_segment(const Simplex& s, int i, int j) {
    const Vec3 a = s.corner[i].point, b = s.corner[j].point, ab = b - a;
    const double square = dot(ab, ab), t = -dot(a, ab);
    if (!(t > 0)) return {a, dot(a, a), {i, 0, 0}, {1, 0, 0}, 1};
    if (!(t < square)) return {b, dot(b, b), {j, 0, 0}, {1, 0, 0}, 1};
    const double f = t / square;
    Vec3 p = a + f * ab;
    // Near the origin rounding would turn the normal along the edge.
    p -= (dot(p, ab) / square) * ab;
    return {p, dot(p, p), {i, j, 0}, {1 - f, f, 0}, 2};
}

// Across a triangle, from its two shorter sides: the longest would cost digits.
Vec3 across(Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 ab = b - a, bc = c - b, ca = a - c;
    const double x = dot(ab, ab), y = dot(bc, bc), z = dot(ca, ca);
    return x > y && x > z ? cross(bc, ca) : y > z ? cross(ca, ab) : cross(ab, bc);
}

Nearest nearest_of_triangle(const Simplex& s, int i, int j, int k) {
    const Vec3 a = s.corner[i].point, b = s.corner[j].point, c = s.corner[k].point;
    const Vec3 n = across(a, b, c);
    const double nn = dot(n, n);
    const Vec3 foot = (dot(n, a) / nn) * n;
    const Vec3 pa = a - foot, pb = b - foot, pc = c - foot;
    const double u = dot(n, cross(pb, pc)) / nn, v = dot(n, cross(pc, pa)) / nn,
                 w = dot(n, cross(pa, pb)) / nn;
    // The foot must be as far away as the point that its weights make, or the triangle is so thin that
    // they are rounding; then its edges are as good.
    const double sum = u + v + w, square = dot(foot, foot);
    const Vec3 error = (u / sum) * pa + (v / sum) * pb + (w / sum) * pc;
    const double farther = dot(error, error) + 2 * dot(error, foot);
    const bool is_sound =
        std::abs(farther) <= 2e-12 * std::sqrt(square * dot(a, a)) + 1e-24 * dot(a, a);
    if (is_sound && u >= 0 && v >= 0 && w >= 0)
        return {foot, square, {i, j, k}, {u / sum, v / sum, w / sum}, 3};
    Nearest best;
    if (!is_sound || u < 0) consider(nearest_of_segment(s, j, k), best);
    if (!is_sound || v < 0) consider(nearest_of_segment(s, k, i), best);
    if (!is_sound || w < 0) consider(nearest_of_segment(s, i, j), best);
    return best;
}

// Nothing if the origin is inside.
Nearest nearest_of_tetrahedron(const Simplex& s) {
    // Not the face that was there before the last corner: the origin is on this side of it.
    constexpr int face[3][4] = {{0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    Nearest best;
    for (const auto& f : face) {
        const Vec3 a = s.corner[f[0]].point, ab = s.corner[f[1]].point - a,
                   ac = s.corner[f[2]].point - a, ad = s.corner[f[3]].point - a;
        const Vec3 n = cross(ab, ac);
        const double other = dot(n, ad), origin = -dot(n, a);
        const bool is_flat = other * other <= 1e-28 * dot(ab, ab) * dot(ac, ac) * dot(ad, ad);
        if (is_flat || (other > 0) != (origin > 0))
            consider(nearest_of_triangle(s, f[0], f[1], f[2]), best);
    }
    return best;
}

Nearest nearest_of(const Simplex& s) {
    switch (s.size) {
        case 1:
            return {s.corner[0].point, dot(s.corner[0].point, s.corner[0].point), {}, {1, 0, 0}, 1};
        case 2: return nearest_of_segment(s, 0, 1);
        case 3: return nearest_of_triangle(s, 0, 1, 2);
        default: return nearest_of_tetrahedron(s);
    }
}

void reduce(Simplex& s, const Nearest& nearest) {
    Simplex kept;
    for (int i = 0; i < nearest.size; ++i) {
        kept.corner[i] = s.corner[nearest.used[i]];
        kept.weight[i] = nearest.weight[i];
    }
    kept.size = nearest.size;
    s = kept;
}

DifferencePoint combination(const Simplex& s, Vec3 v) {
    DifferencePoint p{v, {}, {}};
    for (int i = 0; i < s.size; ++i) {
        p.on_a += s.weight[i] * s.corner[i].on_a;
        p.on_b += s.weight[i] * s.corner[i].on_b;
    }
    return p;
}

bool has_corner(const Simplex& s, Vec3 w) {
    for (int i = 0; i < s.size; ++i)
        if (s.corner[i].point == w) return true;
    return false;
}

double largest_coordinate(Vec3 v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace

DifferencePoint difference_support(const ConvexCore& a, const ConvexCore& b,
                                   const RelativePose& pose, Vec3 direction) {
    const Vec3 on_a = a.support(direction), on_b = pose.to_a(b.support(pose.turn_to_b(-direction)));
    return {on_a - on_b, on_a, on_b};
}

double difference_extent(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose,
                         Vec3 direction) {
    return dot(direction, difference_support(a, b, pose, direction).point);
}

GjkResult gjk(const ConvexCore& a, const ConvexCore& b, const RelativePose& pose, Vec3 start,
              double limit) {
    // Rims gain a digit every two rounds or so; polyhedra end after as many as there are corners near.
    constexpr int most_rounds = 100, most_idle = 4;
    constexpr double accuracy = 1e-13, rounding = 4e-16;
    // Below this part of the scale the direction of v is mostly rounding, and the expanding polytope
    // finds the normal better.
    constexpr double touching = 1e-11;

    GjkResult result;
    Simplex s;
    Vec3 v = dot(start, start) > 0 ? start : Vec3{1, 0, 0};
    DifferencePoint candidate;
    double least_gap = std::numeric_limits<double>::infinity(), square = least_gap;
    for (int round = 0, idle = 0; round < most_rounds; ++round) {
        const DifferencePoint w = difference_support(a, b, pose, -v);
        result.scale =
            std::max({result.scale, largest_coordinate(w.on_a), largest_coordinate(w.on_b),
                      largest_coordinate(w.on_b - pose.position)});
        const double length = norm(v), bound = dot(v, w.point) / length;
        if (bound > limit) return result;
        if (s.size > 0) {
            // |v| is exact to second order in the error of v, the bound to first: it still moves when
            // |v| does not.
            const double gap = length - bound;
            if (gap < least_gap) {
                idle = 0;
                least_gap = gap;
                result.nearest = candidate;
            }
            const bool is_settled = gap <= accuracy * length + rounding * result.scale;
            if (is_settled || idle > most_idle || has_corner(s, w.point)) break;
        }
        s.corner[s.size++] = w;
        const Nearest nearest = nearest_of(s);
        if (!(nearest.square > touching * touching * result.scale * result.scale)
            || nearest.size == 0) {  // the origin is inside
            result.outcome = GjkResult::Outcome::touching;
            if (nearest.size > 0)
                reduce(s, nearest);
            else
                std::fill(s.weight, s.weight + 4, 0.25);
            result.nearest = combination(s, nearest.point);
            return result;
        }
        if (nearest.square > 1.000001 * square) break;  // rounding has the last word
        idle = nearest.square < (1 - 1e-15) * square ? 0 : idle + 1;
        reduce(s, nearest);
        v = nearest.point;
        square = nearest.square;
        candidate = combination(s, v);
    }
    result.outcome =
        norm(result.nearest.point) > limit ? GjkResult::Outcome::far : GjkResult::Outcome::apart;
    return result;
}

}  // namespace bristle::collision
