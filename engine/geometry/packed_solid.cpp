#include "geometry/packed_solid.h"

#include <bristle/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace bristle::geometry {
namespace {

constexpr double samples_per_footprint = 40;
// Of a ball's radius: how much farther from a face its centre may be for the ball to touch it. Packing
// settles balls to 1e-9; those in gaps may miss by some per cent.
constexpr double touching = 1.05;

// Points for which nearest ones are asked, in cubes of about one point each.
class PointGrid {
  public:
    PointGrid(std::span<const Footprint> points, double cell) : points_(points), cell_(cell) {
        Vec3 high = points[0].center;
        low_ = high;
        for (const Footprint& f : points)
            for (int k = 0; k < 3; ++k) {
                low_[k] = std::min(low_[k], f.center[k]);
                high[k] = std::max(high[k], f.center[k]);
            }
        const Vec3 extent = high - low_;
        cell_ = std::max({cell_, extent.x / 200, extent.y / 200, extent.z / 200});
        size_t cells = 1;
        for (int k = 0; k < 3; ++k) {
            size_[static_cast<size_t>(k)] = 1 + static_cast<int>(extent[k] / cell_);
            cells *= static_cast<size_t>(size_[static_cast<size_t>(k)]);
        }
        in_.resize(cells);
        for (uint32_t i = 0; i < points.size(); ++i)
            in_[cell_of(place(points[i].center))].push_back(i);
    }
    // Of the points whose normals do not look another way, the nearest; of all, if there is none such.
    uint32_t nearest(Vec3 p, Vec3 normal) const {
        const std::array<int, 3> c = place(p);
        double best[2] = {infinity, infinity};
        uint32_t found[2] = {0, 0};
        const int most = std::max({size_[0], size_[1], size_[2]});
        for (int ring = 0; ring <= most && (ring - 1) * cell_ < best[0]; ++ring)
            visit_ring(c, ring, [&](uint32_t i) {
                const double d = norm(points_[i].center - p);
                const size_t kind = dot(points_[i].normal, normal) > 0.7 ? 0 : 1;
                if (d < best[kind]) {
                    best[kind] = d;
                    found[kind] = i;
                }
            });
        return best[0] < infinity ? found[0] : found[1];
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    std::array<int, 3> place(Vec3 p) const {
        std::array<int, 3> c{};
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<size_t>(k);
            c[i] = static_cast<int>(std::clamp((p[k] - low_[k]) / cell_, 0.0, size_[i] - 1.0));
        }
        return c;
    }
    size_t cell_of(const std::array<int, 3>& c) const {
        const auto at = [](int k) { return static_cast<size_t>(k); };
        return (at(c[2]) * at(size_[1]) + at(c[1])) * at(size_[0]) + at(c[0]);
    }
    template <class Visit>
    void visit_ring(const std::array<int, 3>& c, int ring, const Visit& visit) const {
        for (int z = std::max(0, c[2] - ring); z <= std::min(size_[2] - 1, c[2] + ring); ++z)
            for (int y = std::max(0, c[1] - ring); y <= std::min(size_[1] - 1, c[1] + ring); ++y) {
                const bool is_whole = std::abs(z - c[2]) == ring || std::abs(y - c[1]) == ring;
                for (int x = c[0] - ring; x <= c[0] + ring;
                     x += is_whole || ring == 0 ? 1 : 2 * ring)
                    if (x >= 0 && x < size_[0])
                        for (const uint32_t i : in_[cell_of({x, y, z})]) visit(i);
            }
    }

    std::span<const Footprint> points_;
    double cell_;
    Vec3 low_;
    std::array<int, 3> size_{};
    std::vector<std::vector<uint32_t>> in_;
};

// Where balls touch the surface; one that touches two faces, as in an edge, has two. Small balls in the gaps between
// those that line a face make no footprints of their own: they would be as many again, and make none better.
std::vector<Footprint> touches(const TriangleTree& mesh, const SpherePacking& packing) {
    std::vector<Footprint> found;
    size_t lining = 0;  // those of laid balls, which come first
    for (const Ball& ball : packing.balls) {
        const bool is_small = ball.radius < 0.75 * packing.laid;
        const double reach = touching * ball.radius;
        const Vec3 r = {reach, reach, reach};
        const size_t first = found.size();
        mesh.in_box({ball.center - r, ball.center + r}, [&](uint32_t t) {
            const Vec3 n = mesh.face(t).normal;
            const Vec3 p = nearest_on_triangle(mesh.corners(t), n, ball.center).point;
            const double distance = norm(p - ball.center);
            if (!(distance <= reach) || dot(p - ball.center, n) < 0.95 * distance) return;
            for (size_t k = first; k < found.size(); ++k)
                if (dot(found[k].normal, n) > 0.9) return;
            for (size_t k = 0; is_small && k < lining; ++k)
                if (norm(found[k].center - p) < 2 * packing.laid && dot(found[k].normal, n) > 0.9)
                    return;
            found.push_back({p, n, 0, 0, ball.radius, 0, t});
            if (!is_small) lining = found.size();
        });
    }
    return found;
}

// Shares the surface among them: small equal parts of each triangle go to the nearest.
void share_surface(const TriangleTree& mesh, std::vector<Footprint>& footprints) {
    const std::span<const std::array<uint32_t, 3>> triangles = mesh.mesh().triangles;
    double total = 0;
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        const auto c = mesh.corners(t);
        total += norm(cross(c[1] - c[0], c[2] - c[0])) / 2;
    }
    const auto count = static_cast<double>(footprints.size());
    const PointGrid grid(footprints, std::sqrt(total / count));
    std::vector<Vec3> first(footprints.size()), normal(footprints.size());
    std::vector<Mat3> second(footprints.size());  // about the place where the ball touches
    for (uint32_t t = 0; t < triangles.size(); ++t) {
        const auto c = mesh.corners(t);
        const Vec3 n = mesh.face(t).normal;
        const double area = norm(cross(c[1] - c[0], c[2] - c[0])) / 2;
        const int parts = std::clamp(
            static_cast<int>(std::ceil(std::sqrt(area * samples_per_footprint * count / total))), 1,
            2000);
        const double share = area / parts / parts;
        const Vec3 u = (c[1] - c[0]) / parts, v = (c[2] - c[0]) / parts;
        for (int i = 0; i < parts; ++i)
            for (int j = 0; i + j < parts; ++j)
                for (int half = 0; half < (i + j + 1 < parts ? 2 : 1); ++half) {
                    const double third = half == 0 ? 1.0 / 3 : 2.0 / 3;
                    const Vec3 p = c[0] + (i + third) * u + (j + third) * v;
                    const uint32_t k = grid.nearest(p, n);
                    const Vec3 x = p - footprints[k].center;
                    footprints[k].area += share;
                    first[k] += share * x;
                    second[k] = second[k] + share * Mat3::outer(x, x);
                    normal[k] += share * n;
                }
    }
    size_t kept = 0;
    for (size_t k = 0; k < footprints.size(); ++k) {
        Footprint f = footprints[k];
        if (!(norm(normal[k]) > 0.5 * f.area)) continue;
        const Vec3 mean = first[k] / f.area;
        f.center += mean;
        f.normal = normalized(normal[k]);
        const double out = dot(mean, f.normal);
        f.bend = std::max(dot(f.normal, second[k] * f.normal) / f.area - out * out, 0.0);
        f.area = norm(normal[k]);
        f.radius = std::sqrt(f.area / pi);
        footprints[kept++] = f;
    }
    footprints.resize(kept);
}

}  // namespace

PackedSolid::PackedSolid(const TriangleTree& mesh, uint32_t count, PackingStyle style) {
    const SpherePacking packing = pack_spheres(mesh, count, style);
    tree_ = SphereTree(packing.balls);
    filled_ = packing.filled;
    volume_ = packing.volume;
    grain_ = tree_.largest();
    std::vector<Footprint> found = touches(mesh, packing);
    if (found.empty()) return;
    share_surface(mesh, found);
    grain_ = 0;
    std::vector<Ball> reach;
    reach.reserve(found.size());
    for (const Footprint& f : found) {
        grain_ += f.radius / static_cast<double>(found.size());
        // Around the column beneath it, half as deep as two of them may overlap, and some more for columns that
        // are not parallel.
        const double wide = spread * f.radius, half = deep * wide / 2;
        reach.push_back({f.center - half * f.normal, 1.1 * std::sqrt(wide * wide + half * half)});
    }
    footprint_tree_ = SphereTree(reach);
    footprints_.reserve(found.size());
    for (uint32_t i = 0; i < found.size(); ++i)
        footprints_.push_back(found[footprint_tree_.original(i)]);
}

PackedSolid::PackedSolid(std::span<const Ball> balls, double filled)
    : tree_(balls), filled_(filled) {
    if (!(filled > 0 && filled <= 1))
        throw InputError(fmt::format(
            "packed solid: {} of its volume is filled; give a share above 0 and up to 1", filled));
    grain_ = tree_.largest();
    if (!tree_.is_empty()) volume_ = tree_.nodes()[0].volume / filled;
}

}  // namespace bristle::geometry
