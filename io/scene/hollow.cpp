#include "io/scene/hollow.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::io {
namespace {

// Rings of corners, one after the other; two of them with as many corners are joined by a band.
class Rings {
  public:
    explicit Rings(uint32_t segments) : segments_(segments) {}

    uint32_t ring(double radius, double z) {
        // A polygon of n corners on a circle of radius r has the area ½ n r² sin(2π/n).
        const double turn = 2 * pi / segments_;
        const double reach = radius * std::sqrt(turn / std::sin(turn));
        const auto first = static_cast<uint32_t>(mesh.vertices.size());
        for (uint32_t i = 0; i < segments_; ++i)
            mesh.vertices.push_back({reach * std::cos(i * turn), reach * std::sin(i * turn), z});
        return first;
    }
    uint32_t pole(double z) {
        mesh.vertices.push_back({0, 0, z});
        return static_cast<uint32_t>(mesh.vertices.size() - 1);
    }
    // Seen from the side that stays free, `to` is above `from` and corners go to the right.
    void band(uint32_t from, uint32_t to) {
        for (uint32_t i = 0; i < segments_; ++i) {
            const uint32_t next = (i + 1) % segments_;
            mesh.triangles.push_back({from + i, from + next, to + next});
            mesh.triangles.push_back({from + i, to + next, to + i});
        }
    }
    void cap(uint32_t ring, uint32_t pole) {
        for (uint32_t i = 0; i < segments_; ++i)
            mesh.triangles.push_back({ring + i, ring + (i + 1) % segments_, pole});
    }

    TriangleMesh mesh;

  private:
    uint32_t segments_;
};

}  // namespace

TriangleMesh pipe_mesh(double radius, double thickness, double length, uint32_t segments) {
    Rings rings(segments);
    const double outer = radius + thickness, half = length / 2;
    const uint32_t outer_low = rings.ring(outer, -half), outer_high = rings.ring(outer, half),
                   inner_high = rings.ring(radius, half), inner_low = rings.ring(radius, -half);
    rings.band(outer_low, outer_high);
    rings.band(outer_high, inner_high);
    rings.band(inner_high, inner_low);
    rings.band(inner_low, outer_low);
    return std::move(rings.mesh);
}

TriangleMesh bowl_mesh(double radius, double thickness, uint32_t segments) {
    Rings rings(segments);
    const double outer = radius + thickness;
    const uint32_t bands = std::max(2u, segments / 4);
    const auto at = [&](double r, uint32_t k) {
        const double angle = k * (pi / 2) / bands;  // below the rim
        return rings.ring(r * std::cos(angle), -r * std::sin(angle));
    };
    const uint32_t rim = at(outer, 0), mouth = at(radius, 0);
    rings.band(rim, mouth);
    uint32_t above = mouth;
    for (uint32_t k = 1; k < bands; ++k) {
        const uint32_t below = at(radius, k);
        rings.band(above, below);
        above = below;
    }
    rings.cap(above, rings.pole(-radius));
    uint32_t upper = rim;
    for (uint32_t k = 1; k < bands; ++k) {
        const uint32_t lower = at(outer, k);
        rings.band(lower, upper);
        upper = lower;
    }
    const uint32_t bottom = rings.pole(-outer);
    for (uint32_t i = 0; i < segments; ++i)
        rings.mesh.triangles.push_back({upper + (i + 1) % segments, upper + i, bottom});
    return std::move(rings.mesh);
}

}  // namespace bristle::io
