#include "geometry/hull_faces.h"

#include "base/assert.h"
#include "geometry/accurate_cross.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace bristle::geometry {
namespace {

constexpr uint32_t nothing = std::numeric_limits<uint32_t>::max();

struct PlaneOf {
    Vec3 normal;
    double offset;

    double height(Vec3 p) const { return dot(normal, p) - offset; }
};

// Whether a loop, seen along the normal, is a convex polygon: no vertex is farther than the tolerance
// inside the two-dimensional hull of all.
bool is_convex(std::span<const Vec3> loop, Vec3 normal, double tolerance) {
    const Vec3 u = any_perpendicular(normal), v = cross(normal, u);
    const size_t n = loop.size();
    std::vector<std::pair<double, double>> flat;
    for (const Vec3 p : loop) flat.emplace_back(dot(u, p - loop[0]), dot(v, p - loop[0]));
    const auto inside_by = [&](size_t a, size_t b,
                               size_t p) {  // how far p is left of a → b, times |ab|
        return (flat[b].first - flat[a].first) * (flat[p].second - flat[a].second)
             - (flat[b].second - flat[a].second) * (flat[p].first - flat[a].first);
    };
    std::vector<size_t> order(n), hull;
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return flat[a] < flat[b]; });
    for (int pass = 0; pass < 2; ++pass) {  // Andrew: the lower chain, then the upper one backwards
        const size_t bottom = hull.size();
        for (const size_t p : order) {
            while (hull.size() >= bottom + 2
                   && inside_by(hull[hull.size() - 2], hull.back(), p) <= 0)
                hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(order.begin(), order.end());
    }
    // The loop must meet the corners of its hull in their order, and stay near the sides in between.
    for (size_t i = 0; i < hull.size(); ++i) {
        const size_t a = hull[i], b = hull[(i + 1) % hull.size()];
        const double length =
            std::hypot(flat[b].first - flat[a].first, flat[b].second - flat[a].second);
        for (size_t p = (a + 1) % n; p != b; p = (p + 1) % n)
            if (p == a || inside_by(a, b, p) > tolerance * length) return false;
    }
    return hull.size() >= 3;
}

class Merger {
  public:
    Merger(std::span<const Vec3> points, std::span<const HullTriangle> triangles, Vec3 origin)
        : points_(points),
          triangles_(triangles),
          origin_(origin),
          face_of_(triangles.size(), nothing),
          region_mark_(triangles.size(), nothing),
          next_in_loop_(points.size(), nothing) {}

    std::vector<HullPolygon> merge(double tolerance, double least_tolerance) {
        std::vector<HullPolygon> faces;
        for (const uint32_t seed : largest_first()) {
            if (face_of_[seed] != nothing) continue;
            HullPolygon face = face_around(seed, tolerance, least_tolerance);
            for (const uint32_t t : region_) face_of_[t] = static_cast<uint32_t>(faces.size());
            faces.push_back(std::move(face));
        }
        return faces;
    }

  private:
    Vec3 point(uint32_t i) const { return points_[i] - origin_; }
    Vec3 area_vector(uint32_t t) const {
        const auto& v = triangles_[t].vertex;
        return accurate_cross(points_[v[1]] - points_[v[0]], points_[v[2]] - points_[v[0]]);
    }

    std::vector<uint32_t> largest_first() const {
        std::vector<std::pair<double, uint32_t>> sorted;
        for (uint32_t t = 0; t < triangles_.size(); ++t)
            sorted.emplace_back(-norm(area_vector(t)), t);
        std::sort(sorted.begin(), sorted.end());
        std::vector<uint32_t> order;
        order.reserve(sorted.size());
        for (const auto& [area, t] : sorted) order.push_back(t);
        return order;
    }

    // The largest face that can be had; on curved parts of the hull a region of full tolerance has a
    // ragged border, and a smaller one is tried. A single triangle always is a face.
    HullPolygon face_around(uint32_t seed, double tolerance, double least_tolerance) {
        for (; tolerance >= least_tolerance; tolerance /= 8) {
            grow(seed, plane_of(std::array{seed}), tolerance);
            if (region_.size() > 1) grow(seed, plane_of(region_), tolerance);
            if (region_.size() == 1) break;
            HullPolygon face;
            if (trace_loop(face.loop) && is_flat_and_convex(face, tolerance)) return face;
        }
        region_ = {seed};
        const auto& v = triangles_[seed].vertex;
        HullPolygon face{{}, 0, {v.begin(), v.end()}};
        set_plane(face);
        return face;
    }

    PlaneOf plane_of(std::span<const uint32_t> region) const {
        Vec3 sum, weighted;
        double total = 0;
        for (const uint32_t t : region) {
            const Vec3 area = area_vector(t);
            const auto& v = triangles_[t].vertex;
            sum += area;
            weighted += norm(area) * (point(v[0]) + point(v[1]) + point(v[2])) / 3;
            total += norm(area);
        }
        const Vec3 normal = normalized(sum);
        return {normal, dot(normal, weighted / total)};
    }

    // Sets region_ to the triangles without a face around the seed that lie in the plane.
    void grow(uint32_t seed, const PlaneOf& plane, double tolerance) {
        ++mark_;
        region_ = {seed};
        region_mark_[seed] = mark_;
        for (size_t i = 0; i < region_.size(); ++i)
            for (const uint32_t t : triangles_[region_[i]].neighbor) {
                if (region_mark_[t] == mark_ || face_of_[t] != nothing) continue;
                if (!lies_in(t, plane, tolerance)) continue;
                region_mark_[t] = mark_;
                region_.push_back(t);
            }
    }

    // A triangle that turns away belongs to the other side of a thin edge, but slivers turn anywhere.
    bool lies_in(uint32_t t, const PlaneOf& plane, double tolerance) const {
        const auto& v = triangles_[t].vertex;
        double longest = 0;
        for (size_t i = 0; i < 3; ++i) {
            if (!(std::abs(plane.height(point(v[i]))) <= tolerance)) return false;
            longest = std::max(longest, norm(points_[v[i]] - points_[v[(i + 1) % 3]]));
        }
        return dot(area_vector(t), plane.normal) >= -tolerance * longest;
    }

    // The border of the region; false if it is not one loop that meets every vertex once.
    bool trace_loop(std::vector<uint32_t>& loop) {
        size_t border = 0;
        bool is_simple = true;
        uint32_t start = nothing;
        for (const uint32_t t : region_)
            for (size_t side = 0; side < 3; ++side) {
                if (region_mark_[triangles_[t].neighbor[side]] == mark_) continue;
                const uint32_t a = triangles_[t].vertex[side];
                is_simple = is_simple && next_in_loop_[a] == nothing;
                next_in_loop_[a] = triangles_[t].vertex[(side + 1) % 3];
                start = a;
                ++border;
            }
        if (is_simple && start != nothing) {
            uint32_t p = start;
            do loop.push_back(p), p = next_in_loop_[p];
            while (p != start && loop.size() <= border);
        }
        for (const uint32_t t : region_)
            for (const uint32_t v : triangles_[t].vertex) next_in_loop_[v] = nothing;
        return is_simple && loop.size() == border;
    }

    bool is_flat_and_convex(HullPolygon& face, double tolerance) const {
        set_plane(face);
        std::vector<Vec3> corners;
        for (const uint32_t p : face.loop) corners.push_back(point(p));
        for (const uint32_t t : region_)
            for (const uint32_t p : triangles_[t].vertex)
                if (face.offset - dot(face.normal, points_[p]) > 4 * tolerance) return false;
        return is_convex(corners, face.normal, tolerance);
    }

    // The normal of the polygon's area; the offset of the outermost of all points of the region.
    void set_plane(HullPolygon& face) const {
        const Vec3 from = points_[face.loop[0]];
        Vec3 area;
        for (size_t i = 2; i < face.loop.size(); ++i)
            area += accurate_cross(points_[face.loop[i - 1]] - from, points_[face.loop[i]] - from);
        face.normal = normalized(area);
        face.offset = -std::numeric_limits<double>::infinity();
        for (const uint32_t t : region_)
            for (const uint32_t p : triangles_[t].vertex)
                face.offset = std::max(face.offset, dot(face.normal, points_[p]));
    }

    std::span<const Vec3> points_;
    std::span<const HullTriangle> triangles_;
    Vec3 origin_;
    std::vector<uint32_t> face_of_;
    std::vector<uint32_t> region_, region_mark_;
    std::vector<uint32_t> next_in_loop_;
    uint32_t mark_ = 0;
};

// Takes out vertices with only two faces, which are on a straight edge, and faces left with two vertices.
void drop_straight_vertices(std::vector<HullPolygon>& faces, size_t point_count) {
    std::vector<uint32_t> faces_at(point_count);
    for (bool changed = true; changed;) {
        changed = false;
        std::fill(faces_at.begin(), faces_at.end(), 0);
        for (const HullPolygon& face : faces)
            for (const uint32_t p : face.loop) ++faces_at[p];
        for (HullPolygon& face : faces)
            changed |= std::erase_if(face.loop, [&](uint32_t p) { return faces_at[p] < 3; }) > 0;
        changed |= std::erase_if(faces, [](const HullPolygon& f) { return f.loop.size() < 3; }) > 0;
    }
}

bool is_polyhedron(std::span<const HullPolygon> faces, size_t point_count) {
    std::vector<bool> used(point_count);
    size_t corners = 0;
    for (const HullPolygon& face : faces) {
        corners += face.loop.size();
        for (const uint32_t p : face.loop) used[p] = true;
    }
    const auto vertices = static_cast<size_t>(std::count(used.begin(), used.end(), true));
    return faces.size() >= 4 && vertices + faces.size() == corners / 2 + 2 && corners % 2 == 0;
}

}  // namespace

std::vector<HullPolygon> merged_faces(std::span<const Vec3> points,
                                      std::span<const HullTriangle> triangles, Vec3 origin,
                                      double tolerance, double cell) {
    const double least_tolerance = 4 * cell;
    std::vector<HullPolygon> faces;
    for (const double flat : {tolerance, 0.0}) {
        faces = Merger(points, triangles, origin).merge(flat, least_tolerance);
        drop_straight_vertices(faces, points.size());
        if (is_polyhedron(faces, points.size())) break;
    }
    BRISTLE_DEMAND(is_polyhedron(faces, points.size()));
    return faces;
}

}  // namespace bristle::geometry
