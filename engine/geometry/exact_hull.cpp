#include "geometry/exact_hull.h"

#include <bristle/math.h>

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace bristle::geometry {
namespace {

__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): __extension__ needs it

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

GridPoint difference(const GridPoint& a, const GridPoint& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
// Exact: grid coordinates and their differences have fewer bits than a double.
Vec3 to_vec3(const GridPoint& a) {
    return {static_cast<double>(a[0]), static_cast<double>(a[1]), static_cast<double>(a[2])};
}

// The plane through three points. Components of `normal` have at most 84 bits, products with a
// difference of points 125, their sum 127 with its sign.
struct GridPlane {
    GridPoint through{};
    std::array<Int128, 3> normal{};
    Vec3 rounded;  // the same normal
    double inverse_length = 0;

    GridPlane() = default;
    GridPlane(const GridPoint& a, const GridPoint& b, const GridPoint& c) : through(a) {
        const GridPoint u = difference(b, a), v = difference(c, a);
        for (size_t i = 0; i < 3; ++i) {
            const size_t j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i] = Int128{u[j]} * v[k] - Int128{u[k]} * v[j];
        }
        rounded = {static_cast<double>(normal[0]), static_cast<double>(normal[1]),
                   static_cast<double>(normal[2])};
        inverse_length = 1 / norm(rounded);
    }

    // Distance of a point from the plane, rounded; its sign is exact, and so is zero.
    double height(const GridPoint& p) const {
        const GridPoint d = difference(p, through);
        const Vec3 r = to_vec3(d);
        const double x = rounded.x * r.x, y = rounded.y * r.y, z = rounded.z * r.z;
        const double sum = x + y + z;
        // Each product is wrong by 2 roundings and enters 2 sums: below 4 units of 2⁻⁵³, taken double.
        if (std::abs(sum) > 0x1p-50 * (std::abs(x) + std::abs(y) + std::abs(z)))
            return sum * inverse_length;
        const Int128 exact = normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2];
        return static_cast<double>(exact) * inverse_length;
    }
};

class Quickhull {
  public:
    Quickhull(std::span<const GridPoint> points, const Simplex& start)
        : points_(points), next_(points.size(), none), new_at_(points.size(), none) {
        add_simplex(start.vertex);
    }

    std::vector<HullTriangle> run() {
        while (!open_.empty()) {
            const uint32_t triangle = open_.back();
            open_.pop_back();
            if (!triangles_[triangle].is_removed && triangles_[triangle].farthest != none)
                add_vertex(triangles_[triangle].farthest, triangle);
        }
        return remaining();
    }

  private:
    struct Triangle : HullTriangle {
        GridPlane plane;
        uint32_t first_point = none;  // of the list of those it sees
        uint32_t farthest = none;
        double farthest_height = 0;
        uint32_t seen_by = none;  // the last point that asked, and its answer
        bool is_seen = false;
        bool is_removed = false;
    };

    uint32_t add_triangle(uint32_t a, uint32_t b, uint32_t c) {
        Triangle t;
        t.vertex = {a, b, c};
        t.neighbor = {none, none, none};
        t.plane = GridPlane(points_[a], points_[b], points_[c]);
        triangles_.push_back(t);
        return static_cast<uint32_t>(triangles_.size() - 1);
    }

    void add_simplex(std::array<uint32_t, 4> v) {
        if (GridPlane(points_[v[0]], points_[v[1]], points_[v[2]]).height(points_[v[3]]) > 0)
            std::swap(v[1], v[2]);
        add_triangle(v[0], v[1], v[2]);
        add_triangle(v[0], v[3], v[1]);
        add_triangle(v[1], v[3], v[2]);
        add_triangle(v[2], v[3], v[0]);
        triangles_[0].neighbor = {1, 2, 3};
        triangles_[1].neighbor = {3, 2, 0};
        triangles_[2].neighbor = {1, 3, 0};
        triangles_[3].neighbor = {2, 1, 0};
        created_ = {0, 1, 2, 3};
        for (uint32_t p = 0; p < points_.size(); ++p) hand_to_created(p);
        open_ = created_;
    }

    // To the first triangle that sees it; a point that none sees is inside for good.
    void hand_to_created(uint32_t point) {
        for (const uint32_t index : created_) {
            Triangle& t = triangles_[index];
            const double height = t.plane.height(points_[point]);
            if (!(height > 0)) continue;
            next_[point] = t.first_point;
            t.first_point = point;
            if (height > t.farthest_height) {
                t.farthest_height = height;
                t.farthest = point;
            }
            return;
        }
    }

    bool sees(uint32_t point, uint32_t triangle) {
        Triangle& t = triangles_[triangle];
        if (t.seen_by != point) {
            t.seen_by = point;
            t.is_seen = t.plane.height(points_[point]) > 0;
        }
        return t.is_seen;
    }

    void add_vertex(uint32_t point, uint32_t seen_triangle) {
        remove_seen(point, seen_triangle);
        join_horizon(point);
        for (const uint32_t removed : removed_)
            for (uint32_t p = triangles_[removed].first_point; p != none;) {
                const uint32_t following = next_[p];
                if (p != point) hand_to_created(p);
                p = following;
            }
        for (const uint32_t index : created_)
            if (triangles_[index].farthest != none) open_.push_back(index);
    }

    void remove_seen(uint32_t point, uint32_t seen_triangle) {
        removed_ = {seen_triangle};
        triangles_[seen_triangle].is_removed = true;
        horizon_.clear();
        BRISTLE_DEMAND(sees(point, seen_triangle));
        for (size_t i = 0; i < removed_.size(); ++i) {
            const uint32_t removed = removed_[i];
            for (size_t side = 0; side < 3; ++side) {
                const uint32_t beyond = triangles_[removed].neighbor[side];
                if (!sees(point, beyond)) {
                    horizon_.push_back({removed, static_cast<uint32_t>(side)});
                } else if (!triangles_[beyond].is_removed) {
                    triangles_[beyond].is_removed = true;
                    removed_.push_back(beyond);
                }
            }
        }
    }

    // A triangle from every edge of the horizon to the point. The horizon is one simple loop: a vertex
    // starts one of its edges and ends one.
    void join_horizon(uint32_t point) {
        created_.clear();
        for (const auto [removed, side] : horizon_) {
            const uint32_t a = triangles_[removed].vertex[side],
                           b = triangles_[removed].vertex[(side + 1) % 3],
                           beyond = triangles_[removed].neighbor[side];
            const uint32_t created = add_triangle(a, b, point);
            triangles_[created].neighbor[0] = beyond;
            Triangle& other = triangles_[beyond];
            const auto same = std::find(other.vertex.begin(), other.vertex.end(), b);
            other.neighbor[static_cast<size_t>(same - other.vertex.begin())] = created;
            new_at_[a] = created;
            created_.push_back(created);
        }
        for (const uint32_t created : created_) {
            const uint32_t following = new_at_[triangles_[created].vertex[1]];
            triangles_[created].neighbor[1] = following;
            triangles_[following].neighbor[2] = created;
        }
    }

    std::vector<HullTriangle> remaining() const {
        std::vector<uint32_t> index(triangles_.size(), none);
        uint32_t count = 0;
        for (size_t t = 0; t < triangles_.size(); ++t)
            if (!triangles_[t].is_removed) index[t] = count++;
        std::vector<HullTriangle> result;
        result.reserve(count);
        for (const Triangle& t : triangles_) {
            if (t.is_removed) continue;
            result.push_back(t);
            for (uint32_t& neighbor : result.back().neighbor) neighbor = index[neighbor];
        }
        return result;
    }

    struct Side {
        uint32_t triangle, side;
    };

    std::span<const GridPoint> points_;
    std::vector<Triangle> triangles_;
    std::vector<uint32_t> open_;    // triangles that may see points
    std::vector<uint32_t> next_;    // point in the list of its triangle
    std::vector<uint32_t> new_at_;  // the created triangle whose horizon edge starts at a vertex
    std::vector<uint32_t> created_, removed_;
    std::vector<Side> horizon_;
};

template <class Measure>
std::pair<uint32_t, double> largest(std::span<const GridPoint> points, const Measure& measure) {
    std::pair<uint32_t, double> best{0, -1};
    for (uint32_t i = 0; i < points.size(); ++i)
        if (const double m = measure(points[i]); m > best.second) best = {i, m};
    return best;
}

}  // namespace

Simplex large_simplex(std::span<const GridPoint> points) {
    Simplex simplex;
    auto& v = simplex.vertex;
    v[0] = largest(points, [&](const GridPoint& p) { return norm(to_vec3(p)); }).first;
    const GridPoint a = points[v[0]];
    const auto from_a = [&](const GridPoint& p) { return to_vec3(difference(p, a)); };
    v[1] = largest(points, [&](const GridPoint& p) { return norm(from_a(p)); }).first;
    const Vec3 along = from_a(points[v[1]]);
    v[2] = largest(points, [&](const GridPoint& p) { return norm(cross(along, from_a(p))); }).first;
    const GridPlane plane(a, points[v[1]], points[v[2]]);
    if (plane.normal == std::array<Int128, 3>{}) return simplex;
    std::tie(v[3], simplex.height) =
        largest(points, [&](const GridPoint& p) { return std::abs(plane.height(p)); });
    return simplex;
}

std::vector<HullTriangle> exact_hull(std::span<const GridPoint> points, const Simplex& start) {
    BRISTLE_DEMAND(start.height > 0);
    return Quickhull(points, start).run();
}

}  // namespace bristle::geometry
