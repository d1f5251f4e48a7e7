#include "io/triangulation.h"

#include "geometry/predicates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bristle::io {
namespace {

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

// Whether d is inside the circle through a, b, c (counter-clockwise), beyond what rounding may make of it.
bool is_clearly_inside(Point2 a, Point2 b, Point2 c, Point2 d) {
    const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
                 cy = c.y - d.y;
    const double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    const double determinant =
        aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx);
    const double size = aa * (std::abs(bx * cy) + std::abs(by * cx))
                      + bb * (std::abs(cx * ay) + std::abs(cy * ax))
                      + cc * (std::abs(ax * by) + std::abs(ay * bx));
    constexpr double rounding = 0x1p-53;
    return determinant > 20 * rounding * size;  // some ten roundings of each product, at most
}

// Half-edges: three to a triangle, 3 t, 3 t + 1, 3 t + 2, each from the point `from_` to that of the next.
class Builder {
  public:
    explicit Builder(std::span<const Point2> points)
        : points_(points),
          after_(points.size(), none),
          before_(points.size(), none),
          outside_(points.size(), none) {}

    Triangulation build() {
        std::vector<uint32_t> order(points_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(),
                  [&](uint32_t a, uint32_t b) { return points_[a] < points_[b]; });
        size_t first = 2;  // that is not on the line of those before it
        while (first < order.size()
               && turn(points_[order[0]], points_[order[1]], points_[order[first]]) == 0)
            ++first;
        if (first >= order.size()) return {};
        start({order.data(), first}, order[first]);
        for (size_t i = first + 1; i < order.size(); ++i) add(order[i], order[i - 1]);
        return result(order.back());
    }

  private:
    static uint32_t next(uint32_t e) { return e % 3 == 2 ? e - 2 : e + 1; }
    static uint32_t previous(uint32_t e) { return e % 3 == 0 ? e + 2 : e - 1; }

    void join(uint32_t e, uint32_t other) {
        twin_[e] = other;
        if (other != none) twin_[other] = e;
    }
    // Counter-clockwise; returns the half-edge from a to b.
    uint32_t add_triangle(uint32_t a, uint32_t b, uint32_t c) {
        const auto e = static_cast<uint32_t>(from_.size());
        for (const uint32_t point : {a, b, c}) from_.push_back(point);
        twin_.resize(from_.size(), none);
        return e;
    }
    // The hull runs from a to b, along the half-edge e.
    void set_hull(uint32_t a, uint32_t b, uint32_t e) {
        after_[a] = b;
        before_[b] = a;
        outside_[a] = e;
    }

    // A fan of the points of a line, in their order, and the first one beside it.
    void start(std::span<const uint32_t> line, uint32_t beside) {
        const bool is_left = turn(points_[line[0]], points_[line[1]], points_[beside]) > 0;
        const size_t n = line.size();
        uint32_t last = none;  // the half-edge from the line to the point, of the fan so far
        for (size_t i = 0; i + 1 < n; ++i) {
            const uint32_t a = is_left ? line[i] : line[n - 1 - i],
                           b = is_left ? line[i + 1] : line[n - 2 - i];
            const uint32_t e = add_triangle(a, b, beside);  // a → b, b → beside, beside → a
            set_hull(a, b, e);
            if (last != none)
                join(e + 2, last);
            else
                set_hull(beside, a, e + 2);
            last = e + 1;
        }
        set_hull(from_[last], beside, last);
    }

    bool sees(uint32_t point, uint32_t edge_start) const {
        return turn(points_[edge_start], points_[after_[edge_start]], points_[point]) < 0;
    }

    // Beyond all so far; `last` was the one before, which is on the hull, and the point sees an edge at it.
    void add(uint32_t point, uint32_t last) {
        uint32_t begin = last, end = last;
        while (sees(point, before_[begin])) begin = before_[begin];
        while (sees(point, end)) end = after_[end];
        uint32_t behind = none;  // from the point to the hull, of the triangle before
        uint32_t first = none;
        for (uint32_t a = begin; a != end;) {
            const uint32_t b = after_[a], e = add_triangle(b, a, point);  // b → a, a → p, p → b
            join(e, outside_[a]);
            if (behind != none)
                join(e + 1, behind);
            else
                first = e + 1;
            behind = e + 2;
            pending_.push_back(e);
            a = b;
        }
        set_hull(begin, point, first);
        set_hull(point, end, behind);
        flip_pending();
    }

    void flip_pending() {
        while (!pending_.empty()) {
            const uint32_t e = pending_.back();
            pending_.pop_back();
            const uint32_t t = twin_[e];
            if (t == none) continue;
            const uint32_t a = from_[e], b = from_[t], c = from_[previous(e)],
                           d = from_[previous(t)];
            if (!is_clearly_inside(points_[a], points_[b], points_[c], points_[d])) continue;
            // The four of them are convex, exactly: the new triangles have an area each.
            if (!(turn(points_[d], points_[b], points_[c]) > 0)
                || !(turn(points_[d], points_[c], points_[a]) > 0))
                continue;
            flip(e, t, c, d);
        }
    }

    // Triangles (a, b, c) with e from a to b, and (b, a, d) with t: become (d, b, c) and (c, a, d).
    void flip(uint32_t e, uint32_t t, uint32_t c, uint32_t d) {
        const uint32_t ca = previous(e), db = previous(t);
        from_[e] = d;
        from_[t] = c;
        const uint32_t beyond_ca = twin_[ca], beyond_db = twin_[db];
        // e: d → b, next(e): b → c, previous(e): c → d. t: c → a, next(t): a → d, previous(t): d → c.
        join(e, beyond_db);
        join(t, beyond_ca);
        join(ca, db);
        if (beyond_db == none) outside_[d] = e;
        if (beyond_ca == none) outside_[c] = t;
        for (const uint32_t edge : {e, next(e), t, next(t)}) pending_.push_back(edge);
    }

    Triangulation result(uint32_t on_hull) const {
        Triangulation out;
        out.triangles.reserve(from_.size() / 3);
        for (size_t i = 0; i < from_.size(); i += 3)
            out.triangles.push_back({from_[i], from_[i + 1], from_[i + 2]});
        uint32_t point = on_hull;
        do {
            out.hull.push_back(point);
            point = after_[point];
        } while (point != on_hull);
        return out;
    }

    std::span<const Point2> points_;
    std::vector<uint32_t> from_, twin_;
    std::vector<uint32_t> after_, before_, outside_;  // of points on the hull
    std::vector<uint32_t> pending_;                   // half-edges to look at
};

}  // namespace

double turn(Point2 a, Point2 b, Point2 c) {
    constexpr double rounding = 0x1p-53, bound = (3 + 16 * rounding) * rounding;
    const double left = (b.x - a.x) * (c.y - a.y), right = (b.y - a.y) * (c.x - a.x);
    const double plain = left - right;
    if (std::abs(plain) > bound * (std::abs(left) + std::abs(right))) return plain;
    return geometry::exact_normal({a.x, a.y, 0}, {b.x, b.y, 0}, {c.x, c.y, 0}).z;
}

Triangulation delaunay(std::span<const Point2> points) { return Builder(points).build(); }

}  // namespace bristle::io
