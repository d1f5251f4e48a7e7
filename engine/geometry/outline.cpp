#include "geometry/outline.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bristle::geometry {

PlaneFrame::PlaneFrame(Vec3 n) : normal(normalized(n)) {
    x = any_perpendicular(normal);
    y = cross(normal, x);
}

namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) {
    throw InputError(where + ": " + what);
}

constexpr double infinite = std::numeric_limits<double>::infinity();
// Radians: what is askew by less lies in the plane, or along its normal. Angles in files are rounded.
constexpr double askew = 1e-6;
// Of the extent: corners nearer to each other, or to the line of their neighbours, are none.
constexpr double nearly = 1e-9;

bool is_along(Vec3 a, Vec3 normal) { return norm(cross(a, normal)) < askew; }
bool is_across(Vec3 a, Vec3 normal) { return std::abs(dot(a, normal)) < askew; }
Vec3 unit(int k) { return {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}; }

// ---- Hulls ---------------------------------------------------------------------------------------------

double extent_of(const std::vector<Vec2>& points) {
    double extent = 0;
    for (Vec2 p : points) extent = std::max(extent, norm(p - points[0]));
    return extent;
}

// The corners of the convex hull, counter-clockwise: up one side and down the other (Andrew's chain).
std::vector<Vec2> hull_of(const std::vector<Vec2>& points) {
    const double tolerance = nearly * extent_of(points);
    std::vector<Vec2> apart;
    for (Vec2 p : points)
        if (std::none_of(apart.begin(), apart.end(),
                         [&](Vec2 q) { return norm(p - q) <= tolerance; }))
            apart.push_back(p);
    std::sort(apart.begin(), apart.end(),
              [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Vec2> hull;
    const auto grow = [&](Vec2 p, size_t first) {
        while (hull.size() >= first + 2) {
            const Vec2 before = hull[hull.size() - 2], along = p - before;
            if (cross(along, hull.back() - before) < -tolerance * norm(along)) break;
            hull.pop_back();
        }
        hull.push_back(p);
    };
    for (Vec2 p : apart) grow(p, 0);
    const size_t turn = hull.size() - 1;
    for (size_t i = apart.size() - 1; i-- > 0;) grow(apart[i], turn);
    hull.pop_back();
    // Where the chain starts and turns, rounding may have left a corner on a straight edge.
    for (size_t i = 0; i < hull.size() && hull.size() > 2;) {
        const Vec2 before = hull[(i + hull.size() - 1) % hull.size()],
                   along = hull[(i + 1) % hull.size()] - before;
        if (cross(along, hull[i] - before) < -tolerance * norm(along))
            ++i;
        else
            hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return hull;
}

// ---- Outlines ------------------------------------------------------------------------------------------

void set_edges(Outline& o, const std::vector<Vec2>& corners) {
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2 from = corners[i], along = corners[(i + 1) % corners.size()] - from;
        const double length = norm(along);
        const Vec2 outward = length > 0 ? -left_of(along) / length : Vec2{1, 0};
        o.edges.push_back({from, outward, dot(outward, from), length});
    }
    for (size_t i = 0; i < o.edges.size(); i += 4) {
        Outline::FourEdges& four = o.fours.emplace_back();
        for (size_t k = 0; k < 4; ++k) {
            const Outline::Edge& e = o.edges[std::min(i + k, o.edges.size() - 1)];
            four.normal_x[k] = e.normal.x;
            four.normal_y[k] = e.normal.y;
            four.offset[k] = e.offset;
        }
    }
    o.low = {infinite, infinite};
    o.high = {-infinite, -infinite};
    for (Vec2 p : corners) {
        o.low = {std::min(o.low.x, p.x - o.radius), std::min(o.low.y, p.y - o.radius)};
        o.high = {std::max(o.high.x, p.x + o.radius), std::max(o.high.y, p.y + o.radius)};
    }
    o.thickness = infinite;
    for (const Outline::Edge& e : o.edges) {
        double width = 0;
        for (Vec2 p : corners) width = std::max(width, e.offset - dot(e.normal, p));
        o.thickness = std::min(o.thickness, width + 2 * o.radius);
    }
}

struct OutlineMaker {
    Vec3 normal;  // of the plane, in the collider's frame
    const std::string& where;

    Outline along(Vec3 x) const {
        Outline o;
        o.x = normalized(x - dot(x, normal) * normal);
        o.y = cross(normal, o.x);
        return o;
    }
    Outline circle(double radius, double across) const {
        Outline o = along(any_perpendicular(normal));
        o.radius = radius;
        o.curvature_across = across;
        set_edges(o, {Vec2{}});
        return o;
    }
    Outline polygon(Vec3 x, const std::vector<Vec2>& corners) const {
        Outline o = along(x);
        o.kind = Outline::Kind::polygon;
        set_edges(o, corners);
        return o;
    }
    Outline rectangle(Vec3 x, double half_x, double half_y) const {
        return polygon(
            x, {{-half_x, -half_y}, {half_x, -half_y}, {half_x, half_y}, {-half_x, half_y}});
    }
    [[noreturn]] void oblique(const char* what) const {
        fail(where, fmt::format("in a planar model {}; turn the shape, or its body", what));
    }

    Outline operator()(const Sphere& s) const { return circle(s.radius, 1 / s.radius); }
    Outline operator()(const Box& b) const {
        for (int k = 0; k < 3; ++k)
            if (is_along(unit(k), normal)) {
                const int i = (k + 1) % 3, j = (k + 2) % 3;
                return rectangle(unit(i), b.size[i] / 2, b.size[j] / 2);
            }
        oblique("a box must have an edge along the normal of the plane");
    }
    Outline operator()(const Capsule& c) const {
        const Vec3 axis{0, 0, 1};
        if (c.length == 0 || is_along(axis, normal)) return circle(c.radius, 0);
        if (!is_across(axis, normal))
            oblique("a capsule must lie in the plane, or along its normal");
        Outline o = along(axis);
        o.kind = Outline::Kind::segment;
        o.radius = c.radius;
        o.curvature_across = 1 / c.radius;
        set_edges(o, {{-c.length / 2, 0}, {c.length / 2, 0}});
        return o;
    }
    Outline operator()(const Cylinder& c) const {
        const Vec3 axis{0, 0, 1};
        if (is_along(axis, normal)) return circle(c.radius, 0);
        if (!is_across(axis, normal)) oblique("a cylinder must stand on the plane, or lie in it");
        return rectangle(axis, c.length / 2, c.radius);
    }
    Outline operator()(const Plane&) const {
        const Vec3 up{0, 0, 1};
        if (!is_across(up, normal))
            oblique(
                "a plane must be perpendicular to the model's plane, so that it is seen as a line");
        Outline o = along(up);
        o.kind = Outline::Kind::half_plane;
        o.low = {-infinite, -infinite};
        o.high = {infinite, infinite};
        o.thickness = infinite;
        return o;
    }
    Outline operator()(const Torus& t) const {
        if (t.arc == Torus::Arc::half) none("a half-torus");
        if (!is_along({0, 0, 1}, normal)) oblique("a torus must lie flat in the plane");
        return circle(t.radius + t.tube, 1 / t.tube);
    }
    Outline operator()(const ConvexPolyhedron& c) const {
        const Vec3 x = any_perpendicular(normal), y = cross(normal, x);
        std::vector<Vec2> points;
        for (Vec3 p : c.points) points.push_back({dot(x, p), dot(y, p)});
        const std::vector<Vec2> corners = hull_of(points);
        if (corners.size() < 3)
            fail(where, "seen along the normal of the plane this polyhedron is only a line");
        return polygon(x, corners);
    }
    Outline operator()(const HeightField&) const { none("a height field"); }
    Outline operator()(const Mesh&) const { none("a mesh"); }
    Outline operator()(const Compound&) const { none("a compound"); }  // its parts have
    [[noreturn]] void none(const char* what) const {
        fail(where, fmt::format("{} has no outline in a planar model; make it of boxes, cylinders, "
                                "spheres, capsules, planes and convex polyhedra",
                                what));
    }
};

}  // namespace

Outline outline_of(const Geometry& geometry, const Mat3& rotation, const PlaneFrame& plane,
                   const std::string& where) {
    Vec3 normal = rotation.transposed() * plane.normal;
    // Rounding in angles should not show in the corners.
    for (int k = 0; k < 3; ++k)
        if (is_along(unit(k), normal)) normal = std::copysign(1.0, normal[k]) * unit(k);
    return std::visit(OutlineMaker{normal, where}, geometry);
}

}  // namespace bristle::geometry
