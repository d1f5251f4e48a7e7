// The shared regions as a mesh: built only for those who want to look.
#include "collision/volume/intersection_impl.h"
#include "collision/volume/triangulate.h"
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace bristle::collision {
namespace {

// Collects pieces of border, each from one corner to the next, and gives them back as loops.
class Border {
  public:
    void add(uint32_t from, uint32_t to) { next_.emplace(from, to); }

    std::vector<std::vector<uint32_t>> loops() {
        std::vector<std::vector<uint32_t>> out;
        while (!next_.empty()) {
            std::vector<uint32_t>& loop = out.emplace_back();
            for (auto piece = next_.begin(); piece != next_.end();
                 piece = next_.find(loop.back())) {
                if (loop.empty()) loop.push_back(piece->first);
                const uint32_t to = piece->second;
                next_.erase(piece);
                if (to == loop.front()) break;
                loop.push_back(to);
            }
        }
        return out;
    }

  private:
    std::multimap<uint32_t, uint32_t> next_;
};

// The plane of least squares is that of the centred scatter matrix's smallest eigenvector (LUA 4.7.4, corrected);
// its normal looks where `along` does.
void fit_plane(ContactContour& c, Vec3 along) {
    for (Vec3 p : c.points) c.plane_point += p / static_cast<double>(c.points.size());
    Mat3 scatter;
    for (Vec3 p : c.points) scatter = scatter + Mat3::outer(p - c.plane_point, p - c.plane_point);
    const SymmetricEigen e = symmetric_eigen(scatter);
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (e.values[k] < e.values[least]) least = k;
    c.normal = e.axes.column(least);
    if (dot(c.normal, along) < 0) c.normal = -c.normal;
}

}  // namespace

bool Intersection::has_mesh() const { return impl_->is_found; }

IntersectionMesh Intersection::mesh() {
    Impl& m = *impl_;
    IntersectionMesh out;
    const auto segments = m.crossings.segments();
    const auto to_world = [&](Vec3 p) { return m.at_a.position + m.at_a.rotation * p; };
    std::vector<Vec3> place;  // of every corner, in a's frame
    const auto add_corner = [&](Vec3 p) {
        place.push_back(p);
        out.mesh.vertices.push_back(to_world(p));
        return static_cast<uint32_t>(place.size() - 1);
    };

    // Crossings, each found by both triangles of its edge: numbered once.
    struct End {
        Impl::Ends key;
        uint32_t index;  // 2 · segment + which end
    };
    std::vector<End> ends;
    for (uint32_t i = 0; i < segments.size(); ++i)
        for (uint32_t k = 0; k < 2; ++k)
            ends.push_back({m.key_of(i, segments[i].end[k]), 2 * i + k});
    std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) {
        return x.key.edge != y.key.edge         ? x.key.edge < y.key.edge
             : x.key.along != y.key.along       ? x.key.along < y.key.along
             : x.key.triangle != y.key.triangle ? x.key.triangle < y.key.triangle
                                                : x.index < y.index;
    });
    std::vector<uint32_t> corner_of_end(2 * segments.size());
    std::vector<Impl::Ends> crossings;  // one each, `segment` being the corner
    for (size_t i = 0; i < ends.size(); ++i) {
        const bool is_known = i > 0 && ends[i].key.edge == ends[i - 1].key.edge
                           && ends[i].key.triangle == ends[i - 1].key.triangle;
        if (!is_known) {
            crossings.push_back(ends[i].key);
            crossings.back().segment =
                add_corner(segments[ends[i].index / 2].end[ends[i].index % 2].point);
        }
        corner_of_end[ends[i].index] = crossings.back().segment;
    }

    // Contours: segments one after the other, round b's part and so against a's.
    Border line;
    for (uint32_t i = 0; i < segments.size(); ++i)
        line.add(corner_of_end[2 * i + 1], corner_of_end[2 * i]);
    for (const auto& loop : line.loops()) {
        ContactContour& c = out.contours.emplace_back();
        Vec3 area;
        for (size_t i = 0; i < loop.size(); ++i) {
            c.points.push_back(out.mesh.vertices[loop[i]]);
            area +=
                cross(out.mesh.vertices[loop[i]] - out.mesh.vertices[loop[0]],
                      out.mesh.vertices[loop[(i + 1) % loop.size()]] - out.mesh.vertices[loop[0]]);
        }
        fit_plane(c, area);
    }

    for (size_t side : {0u, 1u}) {
        const Solid& solid = m.crossings.solid(side);
        CrossedSurface& f = m.surface[side];
        if (f.inner.empty()) m.visit_inner(side);
        std::vector<uint32_t> whole = f.inner;
        for (const auto& [of, shell] : m.whole_shells)
            if (of == side)
                for (uint32_t t = 0; t < solid.triangles().size(); ++t)
                    if (solid.shell_of(t) == shell) whole.push_back(t);
        std::map<uint32_t, uint32_t> corner_of_vertex;
        const auto corner = [&](uint32_t v) {
            const auto [known, is_new] = corner_of_vertex.emplace(v, 0);
            if (is_new) known->second = add_corner(m.crossings.vertex(side, v));
            return known->second;
        };
        const auto add = [&](uint32_t t, const std::array<uint32_t, 3>& corners) {
            out.mesh.triangles.push_back(corners);
            out.source.push_back(solid.source(t));
            out.side.push_back(static_cast<uint8_t>(side));
        };
        for (uint32_t t : whole) {
            const auto& v = solid.triangles()[t];
            add(t, {corner(v[0]), corner(v[1]), corner(v[2])});
            out.inner[side].push_back(solid.source(t));
        }

        std::vector<Border> borders(f.crossed.size());
        for (uint32_t i = 0; i < segments.size(); ++i) {
            Border& border = borders[f.place[segments[i].triangle[side]]];
            const uint32_t from = corner_of_end[2 * i], to = corner_of_end[2 * i + 1];
            if (side == 0)
                border.add(from, to);
            else
                border.add(to, from);
        }
        for (size_t c = 0; c < f.crossed.size(); ++c) {
            const uint32_t t = f.crossed[c].triangle;
            const auto& v = solid.triangles()[t];
            out.crossed[side].push_back(solid.source(t));
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t half_edge = 3 * t + k;
                const uint64_t edge =
                    uint64_t{side} << 32 | std::min(half_edge, solid.twin(half_edge));
                const auto [first, last] = std::equal_range(
                    crossings.begin(), crossings.end(), Impl::Ends{edge, 0, 0, 0, false},
                    [](const Impl::Ends& x, const Impl::Ends& y) { return x.edge < y.edge; });
                const uint32_t from = v[k], to = v[(k + 1) % 3];
                const auto inside = [&](uint32_t w) {
                    return f.where[w] == CrossedSurface::inside ? corner(w) : Solid::none;
                };
                m.find_parts({first, last}, inside(std::min(from, to)), inside(std::max(from, to)));
                for (size_t i = 0; i < m.part_from.size(); ++i)
                    if (from < to)
                        borders[c].add(m.part_from[i], m.part_to[i]);
                    else
                        borders[c].add(m.part_to[i], m.part_from[i]);
            }
            // In the plane of the triangle, along its two smaller components.
            const Vec3 n = cross(m.crossings.vertex(side, v[1]) - m.crossings.vertex(side, v[0]),
                                 m.crossings.vertex(side, v[2]) - m.crossings.vertex(side, v[0]));
            int axis = 0;
            for (int k = 1; k < 3; ++k)
                if (std::abs(n[k]) > std::abs(n[axis])) axis = k;
            const int x = (axis + 1) % 3, y = (axis + 2) % 3;
            auto loops = borders[c].loops();
            // Corners are numbered anew: triangulation looks at all places it is given.
            std::vector<uint32_t> names;
            std::vector<Vec2> at;
            for (auto& loop : loops)
                for (uint32_t& p : loop) {
                    names.push_back(p);
                    at.push_back({place[p][x], n[axis] > 0 ? place[p][y] : -place[p][y]});
                    p = static_cast<uint32_t>(names.size() - 1);
                }
            for (const auto& piece : triangulated(loops, at))
                add(t, {names[piece[0]], names[piece[1]], names[piece[2]]});
        }
    }
    // How far the region reaches through each plane: over its corners that are nearest to that contour.
    for (size_t t = 0; t < out.mesh.triangles.size(); ++t)
        for (uint32_t v : out.mesh.triangles[t]) {
            const Vec3 p = out.mesh.vertices[v];
            ContactContour* nearest = nullptr;
            double least = std::numeric_limits<double>::infinity();
            for (ContactContour& c : out.contours)
                if (norm(p - c.plane_point) < least) {
                    least = norm(p - c.plane_point);
                    nearest = &c;
                }
            if (nearest == nullptr) continue;
            const double height = dot(nearest->normal, p - nearest->plane_point);
            double& depth = out.side[t] == 0 ? nearest->depth_a : nearest->depth_b;
            depth = std::max(depth, out.side[t] == 0 ? -height : height);
        }
    return out;
}

}  // namespace bristle::collision
