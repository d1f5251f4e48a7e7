#include "geometry/hull_grid.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bristle::geometry {

PointExtent extent_of(std::span<const Vec3> points) {
    if (points.size() < 4)
        throw InputError(fmt::format(
            "convex polyhedron: {} points given, at least 4 are needed to enclose a volume",
            points.size()));
    Vec3 low = points[0], high = points[0];
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = points[i];
        if (!is_finite(p))
            throw InputError(fmt::format(
                "convex polyhedron: point {} is ({}, {}, {}); coordinates must be finite numbers",
                i, p.x, p.y, p.z));
        for (int c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], p[c]);
            high[c] = std::max(high[c], p[c]);
        }
    }
    PointExtent extent{0.5 * low + 0.5 * high, 0, 0, 0};
    for (int c = 0; c < 3; ++c) {
        extent.half = std::max(extent.half, 0.5 * high[c] - 0.5 * low[c]);
        extent.noise = std::max(
            extent.noise, std::numeric_limits<double>::epsilon() * std::max(-low[c], high[c]));
    }
    if (!(extent.half > 1e-100 && extent.half < 1e100))
        throw InputError(
            fmt::format("convex polyhedron: the points extend over {} m; they must "
                        "not all be in one place, nor so far apart",
                        2 * extent.half));
    // The cell is a power of two, so that coordinates with few digits stay on one plane exactly.
    extent.grid_power = 39 - std::ilogb(extent.half);
    return extent;
}

namespace {

GridPoint to_grid(Vec3 p, const PointExtent& extent) {
    const Vec3 d = p - extent.center;
    return {std::llround(std::ldexp(d.x, extent.grid_power)),
            std::llround(std::ldexp(d.y, extent.grid_power)),
            std::llround(std::ldexp(d.z, extent.grid_power))};
}

}  // namespace

GridSet on_grid(std::span<const Vec3> points, std::span<const uint32_t> chosen,
                const PointExtent& extent) {
    std::vector<std::pair<GridPoint, uint32_t>> sorted;
    sorted.reserve(chosen.size());
    for (const uint32_t i : chosen) sorted.emplace_back(to_grid(points[i], extent), i);
    std::sort(sorted.begin(), sorted.end());
    GridSet set;
    for (const auto& [place, i] : sorted) {
        if (!set.place.empty() && set.place.back() == place) continue;
        set.place.push_back(place);
        set.index.push_back(i);
    }
    return set;
}

std::vector<HullTriangle> hull_triangles(const GridSet& set, const Simplex& simplex) {
    std::vector<HullTriangle> triangles = exact_hull(set.place, simplex);
    for (HullTriangle& t : triangles)
        for (uint32_t& v : t.vertex) v = set.index[v];
    return triangles;
}

// Points nearer than the tolerance to one before are left out. They are compared along one skew line,
// on which hardly any two points of a regular body meet unless they are neighbours.
std::vector<uint32_t> without_near_twins(std::span<const Vec3> points,
                                         std::span<const HullTriangle> triangles,
                                         double tolerance) {
    std::vector<uint32_t> used;
    for (const HullTriangle& t : triangles)
        used.insert(used.end(), t.vertex.begin(), t.vertex.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());

    const Vec3 line = normalized({0.5477, 0.7141, 0.4359});
    const Vec3 origin = points[used[0]];
    std::vector<std::pair<double, uint32_t>> sorted;
    sorted.reserve(used.size());
    for (const uint32_t i : used) sorted.emplace_back(dot(line, points[i] - origin), i);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::pair<double, uint32_t>> kept;
    for (const auto& [at, i] : sorted) {
        bool is_twin = false;
        for (size_t k = kept.size(); k-- > 0 && at - kept[k].first <= tolerance && !is_twin;)
            is_twin = norm(points[i] - points[kept[k].second]) <= tolerance;
        if (!is_twin) kept.emplace_back(at, i);
    }
    std::vector<uint32_t> result;
    result.reserve(kept.size());
    for (const auto& [at, i] : kept) result.push_back(i);
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace bristle::geometry
