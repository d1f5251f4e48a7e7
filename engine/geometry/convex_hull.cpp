#include "geometry/convex_hull.h"

#include <bristle/error.h>

#include "base/assert.h"
#include "geometry/accurate_cross.h"
#include "geometry/exact_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace bristle::geometry {

// A face while the hull is built; the loop names points of the input.
struct HullPolygon {
    Vec3 normal;
    double offset;
    std::vector<uint32_t> loop;
};

namespace {

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// ---- Input -------------------------------------------------------------------------------------

struct Extent {
    Vec3 center;
    double half;     // of the longest side of the box around the points
    double noise;    // what rounding has done to the coordinates
    int grid_power;  // one grid cell is 2^-grid_power metres
};

Extent extent_of(std::span<const Vec3> points) {
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
    Extent extent{0.5 * low + 0.5 * high, 0, 0, 0};
    for (int c = 0; c < 3; ++c) {
        extent.half = std::max(extent.half, 0.5 * high[c] - 0.5 * low[c]);
        extent.noise = std::max(extent.noise, epsilon * std::max(-low[c], high[c]));
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

GridPoint to_grid(Vec3 p, const Extent& extent) {
    const Vec3 d = p - extent.center;
    return {std::llround(std::ldexp(d.x, extent.grid_power)),
            std::llround(std::ldexp(d.y, extent.grid_power)),
            std::llround(std::ldexp(d.z, extent.grid_power))};
}

// Some of the points, by their numbers, and their places on the grid, no place twice.
struct GridSet {
    std::vector<uint32_t> index;
    std::vector<GridPoint> place;
};

GridSet on_grid(std::span<const Vec3> points, std::span<const uint32_t> chosen,
                const Extent& extent) {
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

// The exact hull, its vertices renumbered to those of the input.
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

// ---- Merging triangles to faces ----------------------------------------------------------------

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
          face_of_(triangles.size(), none),
          region_mark_(triangles.size(), none),
          next_in_loop_(points.size(), none) {}

    std::vector<HullPolygon> merge(double tolerance, double least_tolerance) {
        std::vector<HullPolygon> faces;
        for (const uint32_t seed : largest_first()) {
            if (face_of_[seed] != none) continue;
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
                if (region_mark_[t] == mark_ || face_of_[t] != none) continue;
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
        uint32_t start = none;
        for (const uint32_t t : region_)
            for (size_t side = 0; side < 3; ++side) {
                if (region_mark_[triangles_[t].neighbor[side]] == mark_) continue;
                const uint32_t a = triangles_[t].vertex[side];
                is_simple = is_simple && next_in_loop_[a] == none;
                next_in_loop_[a] = triangles_[t].vertex[(side + 1) % 3];
                start = a;
                ++border;
            }
        if (is_simple && start != none) {
            uint32_t p = start;
            do loop.push_back(p), p = next_in_loop_[p];
            while (p != start && loop.size() <= border);
        }
        for (const uint32_t t : region_)
            for (const uint32_t v : triangles_[t].vertex) next_in_loop_[v] = none;
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

// ---- Support -----------------------------------------------------------------------------------

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

// ---- The hull ----------------------------------------------------------------------------------

ConvexHull::ConvexHull(std::span<const Vec3> points) {
    const Extent extent = extent_of(points);
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

    const double least_tolerance = 4 * cell;
    std::vector<HullPolygon> faces;
    for (const double tolerance : {tolerance_, 0.0}) {
        faces = Merger(points, triangles, extent.center).merge(tolerance, least_tolerance);
        drop_straight_vertices(faces, points.size());
        if (is_polyhedron(faces, points.size())) break;
    }
    BRISTLE_DEMAND(is_polyhedron(faces, points.size()));
    set_faces(points, faces);
    set_edges();
    set_support();
}

// Vertices keep the order they have among the points.
void ConvexHull::set_faces(std::span<const Vec3> points, std::span<const HullPolygon> polygons) {
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
