#include "geometry/convex_hull.h"

#include <bristle/error.h>

#include "base/assert.h"
#include "geometry/hull_faces.h"
#include "geometry/hull_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace bristle::geometry {
namespace {

// Directions are sorted into cells on the faces of a cube, 8 × 8 on each.
constexpr int cells_across = 8;
constexpr double cells_per_unit = cells_across / 2.0;  // the cube reaches from −1 to 1
constexpr int cell_count = 6 * cells_across * cells_across;
// Vertices up to which looking at all of them is as quick as climbing: 20 ns.
constexpr size_t scanned_vertices = 64;

int cell_of(Vec3 d) {
    int axis = 0;
    for (int c = 1; c < 3; ++c)
        if (std::abs(d[c]) > std::abs(d[axis])) axis = c;
    const double size = std::abs(d[axis]);
    const auto cell = [&](double x) {
        return std::min(cells_across - 1, static_cast<int>((x / size + 1) * cells_per_unit));
    };
    const int face = 2 * axis + (d[axis] < 0);
    return (face * cells_across + cell(d[(axis + 1) % 3])) * cells_across + cell(d[(axis + 2) % 3]);
}

Vec3 middle_of_cell(int cell) {
    const auto place = [](int i) { return (i + 0.5) / cells_per_unit - 1; };
    const int face = cell / (cells_across * cells_across), axis = face / 2;
    Vec3 d;
    d[axis] = face % 2 == 0 ? 1 : -1;
    d[(axis + 1) % 3] = place(cell / cells_across % cells_across);
    d[(axis + 2) % 3] = place(cell % cells_across);
    return d;
}

}  // namespace

ConvexHull::ConvexHull(std::span<const Vec3> points) {
    const PointExtent extent = extent_of(points);
    const double cell = std::ldexp(1.0, -extent.grid_power);
    std::vector<uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0u);
    GridSet set = on_grid(points, all, extent);
    Simplex simplex = large_simplex(set.place);
    const double thickness = simplex.height * cell;
    // Thinner than this, what is left of the digits would not give the faces a direction.
    if (!(thickness > std::max(1e-9 * extent.half, 100 * extent.noise)))
        throw InputError(
            fmt::format("convex polyhedron: all {} points are in one plane (within {} m over {} "
                        "m); it encloses "
                        "no volume, use a thin box or a mesh instead",
                        points.size(), thickness, 2 * extent.half));

    // Coordinates stored as float are off by 6e-8 of themselves: larger, and fine round bodies lose
    // vertices; smaller, and the faces of a turned box from a file fall into triangles. A flat body must
    // not lose its edges for that, but nothing is known below the noise.
    tolerance_ = std::max(std::min(2e-7 * extent.half, 1e-3 * thickness), 2 * extent.noise);
    std::vector<HullTriangle> triangles = hull_triangles(set, simplex);
    const std::vector<uint32_t> kept = without_near_twins(points, triangles, tolerance_);
    set = on_grid(points, kept, extent);
    simplex = large_simplex(set.place);
    triangles = hull_triangles(set, simplex);

    set_faces(points, merged_faces(points, triangles, extent.center, tolerance_, cell));
    set_edges();
    set_support();
}

// Vertices keep the order they have among the points.
void ConvexHull::set_faces(std::span<const Vec3> points, std::span<const HullPolygon> polygons) {
    constexpr uint32_t none = std::numeric_limits<uint32_t>::max();
    std::vector<uint32_t> number(points.size(), none);
    for (const HullPolygon& polygon : polygons)
        for (const uint32_t p : polygon.loop) number[p] = 0;
    for (size_t p = 0; p < points.size(); ++p) {
        if (number[p] == none) continue;
        number[p] = static_cast<uint32_t>(vertices_.size());
        vertices_.push_back(points[p]);
    }
    for (const HullPolygon& polygon : polygons) {
        faces_.push_back({polygon.normal, polygon.offset, static_cast<uint32_t>(loops_.size()),
                          static_cast<uint32_t>(polygon.loop.size())});
        for (const uint32_t p : polygon.loop) loops_.push_back(number[p]);
    }
}

void ConvexHull::set_edges() {
    struct HalfEdge {
        uint32_t from, to, face, before;  // before: the vertex before `from` in the loop
        bool operator<(const HalfEdge& o) const {
            return std::pair(from, to) < std::pair(o.from, o.to);
        }
    };
    std::vector<HalfEdge> half_edges;
    for (uint32_t f = 0; f < faces_.size(); ++f) {
        const auto vertices = loop(f);
        for (size_t i = 0, n = vertices.size(); i < n; ++i)
            half_edges.push_back(
                {vertices[i], vertices[(i + 1) % n], f, vertices[(i + n - 1) % n]});
    }
    std::sort(half_edges.begin(), half_edges.end());
    const auto find = [&](uint32_t from, uint32_t to) -> const HalfEdge& {
        const auto found =
            std::lower_bound(half_edges.begin(), half_edges.end(), HalfEdge{from, to, 0, 0});
        BRISTLE_DEMAND(found != half_edges.end() && found->from == from && found->to == to);
        return *found;
    };
    for (const HalfEdge& e : half_edges)
        if (e.from < e.to) edges_.push_back({e.from, e.to, e.face, find(e.to, e.from).face});

    neighbor_start_.assign(1, 0);
    for (size_t i = 0; i < half_edges.size();) {
        const uint32_t vertex = half_edges[i].from, first = half_edges[i].to;
        uint32_t to = first;
        do neighbors_.push_back(to), to = find(vertex, to).before;
        while (to != first);
        neighbor_start_.push_back(static_cast<uint32_t>(neighbors_.size()));
        while (i < half_edges.size() && half_edges[i].from == vertex) ++i;
        BRISTLE_DEMAND(neighbor_start_.back() == i);
    }
}

void ConvexHull::set_support() {
    for (size_t i = 0; i < vertices_.size(); i += 4) {
        FourVertices& four = fours_.emplace_back();
        for (size_t lane = 0; lane < 4; ++lane) {
            const Vec3 v = vertices_[std::min(i + lane, vertices_.size() - 1)];
            four.x[lane] = v.x;
            four.y[lane] = v.y;
            four.z[lane] = v.z;
        }
    }
    if (vertices_.size() <= scanned_vertices) return;
    set_climb();
    for (int cell = 0; cell < cell_count; ++cell) starts_.push_back(scan(middle_of_cell(cell)));
}

void ConvexHull::set_climb() {
    std::vector<std::pair<uint32_t, uint32_t>> ways;
    for (const Edge& e : edges_) ways.insert(ways.end(), {{e.a, e.b}, {e.b, e.a}});
    std::vector<uint32_t> all(vertices_.size());
    std::iota(all.begin(), all.end(), 0u);
    const GridSet set = on_grid(vertices_, all, extent_of(vertices_));
    for (const HullTriangle& t : hull_triangles(set, large_simplex(set.place)))
        for (size_t i = 0; i < 3; ++i) ways.emplace_back(t.vertex[i], t.vertex[(i + 1) % 3]);
    std::sort(ways.begin(), ways.end());
    ways.erase(std::unique(ways.begin(), ways.end()), ways.end());

    climb_start_.assign(vertices_.size() + 1, 0);
    for (const auto& [from, to] : ways) {
        ++climb_start_[from + 1];
        climb_.push_back(to);
    }
    std::partial_sum(climb_start_.begin(), climb_start_.end(), climb_start_.begin());
}

uint32_t ConvexHull::support(Vec3 direction) const {
    if (starts_.empty()) return scan(direction);
    if (!is_finite(direction) || direction == Vec3{}) return 0;
    return support(direction, starts_[static_cast<size_t>(cell_of(direction))]);
}

uint32_t ConvexHull::support(Vec3 direction, uint32_t start) const {
    if (starts_.empty()) return scan(direction);
    uint32_t best = start;
    double farthest = dot(direction, vertices_[start]);
    for (bool climbed = true; climbed;) {
        climbed = false;
        for (uint32_t i = climb_start_[best], end = climb_start_[best + 1]; i < end; ++i) {
            const uint32_t v = climb_[i];
            const double reach = dot(direction, vertices_[v]);
            if (!(reach > farthest)) continue;
            farthest = reach;
            best = v;
            climbed = true;
        }
    }
    return best;
}

uint32_t ConvexHull::scan(Vec3 direction) const {
    using Lanes = int64_t __attribute__((vector_size(32)));
    const Vec4 x = broadcast(direction.x), y = broadcast(direction.y), z = broadcast(direction.z);
    Vec4 farthest = fours_[0].x * x + fours_[0].y * y + fours_[0].z * z;
    Lanes best{0, 1, 2, 3}, index = best;
    for (size_t i = 1; i < fours_.size(); ++i) {
        index += 4;
        const Vec4 reach = fours_[i].x * x + fours_[i].y * y + fours_[i].z * z;
        const Lanes is_farther = reach > farthest;
        farthest = is_farther ? reach : farthest;
        best = is_farther ? index : best;
    }
    int lane = 0;
    for (int i = 1; i < 4; ++i)
        if (farthest[i] > farthest[lane] || (farthest[i] == farthest[lane] && best[i] < best[lane]))
            lane = i;
    return std::min(static_cast<uint32_t>(best[lane]), static_cast<uint32_t>(vertices_.size() - 1));
}

}  // namespace bristle::geometry
