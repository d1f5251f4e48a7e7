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

// One pass over what was found. Corners of the mesh: crossings of edges first, then vertices as they are met.
class Intersection::Impl::MeshBuilder {
  public:
    explicit MeshBuilder(Impl& found) : found_(found), segments_(found.crossings.segments()) {}

    IntersectionMesh build() {
        number_crossings();
        add_contours();
        for (size_t side : {0u, 1u}) {
            corner_of_vertex_.clear();
            add_whole_triangles(side);
            add_crossed_triangles(side);
        }
        measure_depths();
        return std::move(out_);
    }

  private:
    const Solid& solid(size_t side) const { return found_.crossings.solid(side); }

    uint32_t add_corner(Vec3 p) {
        place_.push_back(p);
        out_.mesh.vertices.push_back(found_.at_a.position + found_.at_a.rotation * p);
        return static_cast<uint32_t>(place_.size() - 1);
    }
    uint32_t corner(size_t side, uint32_t vertex) {
        const auto [known, is_new] = corner_of_vertex_.emplace(vertex, 0);
        if (is_new) known->second = add_corner(found_.crossings.vertex(side, vertex));
        return known->second;
    }
    void add_triangle(size_t side, uint32_t t, const std::array<uint32_t, 3>& corners) {
        out_.mesh.triangles.push_back(corners);
        out_.source.push_back(solid(side).source(t));
        out_.side.push_back(static_cast<uint8_t>(side));
    }

    void number_crossings();
    void add_contours();
    void add_whole_triangles(size_t side);
    void add_crossed_triangles(size_t side);
    std::vector<Border> borders_of_crossed(size_t side) const;
    void add_inside_of_edge(size_t side, uint32_t half_edge, Border&);
    void fill(size_t side, uint32_t t, std::vector<std::vector<uint32_t>> loops);
    void measure_depths();

    Impl& found_;
    std::span<const CrossingSegment> segments_;
    IntersectionMesh out_;
    std::vector<Vec3> place_;                        // of every corner, in a's frame
    std::vector<uint32_t> corner_of_end_;            // 2 · segment + which end
    std::vector<Ends> crossings_;                    // one each, `segment` being the corner
    std::map<uint32_t, uint32_t> corner_of_vertex_;  // of one side
};

// Each is found by both triangles of its edge, and numbered once.
void Intersection::Impl::MeshBuilder::number_crossings() {
    struct End {
        Ends key;
        uint32_t index;  // 2 · segment + which end
    };
    std::vector<End> ends;
    for (uint32_t i = 0; i < segments_.size(); ++i)
        for (uint32_t k = 0; k < 2; ++k)
            ends.push_back({found_.key_of(i, segments_[i].end[k]), 2 * i + k});
    std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) {
        return x.key.edge != y.key.edge         ? x.key.edge < y.key.edge
             : x.key.along != y.key.along       ? x.key.along < y.key.along
             : x.key.triangle != y.key.triangle ? x.key.triangle < y.key.triangle
                                                : x.index < y.index;
    });
    corner_of_end_.resize(2 * segments_.size());
    for (size_t i = 0; i < ends.size(); ++i) {
        const bool is_known = i > 0 && ends[i].key.edge == ends[i - 1].key.edge
                           && ends[i].key.triangle == ends[i - 1].key.triangle;
        if (!is_known) {
            crossings_.push_back(ends[i].key);
            crossings_.back().segment =
                add_corner(segments_[ends[i].index / 2].end[ends[i].index % 2].point);
        }
        corner_of_end_[ends[i].index] = crossings_.back().segment;
    }
}

// Segments one after the other, round b's part and so against a's.
void Intersection::Impl::MeshBuilder::add_contours() {
    Border line;
    for (uint32_t i = 0; i < segments_.size(); ++i)
        line.add(corner_of_end_[2 * i + 1], corner_of_end_[2 * i]);
    const std::vector<Vec3>& at = out_.mesh.vertices;
    for (const auto& loop : line.loops()) {
        ContactContour& c = out_.contours.emplace_back();
        Vec3 area;
        for (size_t i = 0; i < loop.size(); ++i) {
            c.points.push_back(at[loop[i]]);
            area += cross(at[loop[i]] - at[loop[0]], at[loop[(i + 1) % loop.size()]] - at[loop[0]]);
        }
        fit_plane(c, area);
    }
}

void Intersection::Impl::MeshBuilder::add_whole_triangles(size_t side) {
    if (found_.surface[side].inner.empty()) found_.visit_inner(side);
    std::vector<uint32_t> whole = found_.surface[side].inner;
    for (const auto& [of, shell] : found_.whole_shells)
        if (of == side)
            for (uint32_t t = 0; t < solid(side).triangles().size(); ++t)
                if (solid(side).shell_of(t) == shell) whole.push_back(t);
    for (uint32_t t : whole) {
        const auto& v = solid(side).triangles()[t];
        add_triangle(side, t, {corner(side, v[0]), corner(side, v[1]), corner(side, v[2])});
        out_.inner[side].push_back(solid(side).source(t));
    }
}

void Intersection::Impl::MeshBuilder::add_crossed_triangles(size_t side) {
    std::vector<Border> borders = borders_of_crossed(side);
    for (size_t c = 0; c < borders.size(); ++c) {
        const uint32_t t = found_.surface[side].crossed[c].triangle;
        out_.crossed[side].push_back(solid(side).source(t));
        for (uint32_t k = 0; k < 3; ++k) add_inside_of_edge(side, 3 * t + k, borders[c]);
        fill(side, t, borders[c].loops());
    }
}

// As far as the other surface bounds them.
std::vector<Border> Intersection::Impl::MeshBuilder::borders_of_crossed(size_t side) const {
    const CrossedSurface& f = found_.surface[side];
    std::vector<Border> borders(f.crossed.size());
    for (uint32_t i = 0; i < segments_.size(); ++i) {
        Border& border = borders[f.place[segments_[i].triangle[side]]];
        const uint32_t from = corner_of_end_[2 * i], to = corner_of_end_[2 * i + 1];
        if (side == 0)
            border.add(from, to);
        else
            border.add(to, from);
    }
    return borders;
}

void Intersection::Impl::MeshBuilder::add_inside_of_edge(size_t side, uint32_t half_edge,
                                                         Border& border) {
    const uint64_t edge = uint64_t{side} << 32 | std::min(half_edge, solid(side).twin(half_edge));
    const auto [first, last] =
        std::equal_range(crossings_.begin(), crossings_.end(), Ends{edge, 0, 0, 0, false},
                         [](const Ends& x, const Ends& y) { return x.edge < y.edge; });
    const auto& v = solid(side).triangles()[half_edge / 3];
    const uint32_t from = v[half_edge % 3], to = v[(half_edge % 3 + 1) % 3];
    const auto inside = [&](uint32_t w) {
        return found_.surface[side].where[w] == CrossedSurface::inside ? corner(side, w)
                                                                       : Solid::none;
    };
    found_.find_parts({first, last}, inside(std::min(from, to)), inside(std::max(from, to)));
    for (size_t i = 0; i < found_.part_from.size(); ++i)
        if (from < to)
            border.add(found_.part_from[i], found_.part_to[i]);
        else
            border.add(found_.part_to[i], found_.part_from[i]);
}

// The part of a triangle within the loops, in its plane, along its two smaller components.
void Intersection::Impl::MeshBuilder::fill(size_t side, uint32_t t,
                                           std::vector<std::vector<uint32_t>> loops) {
    const auto& v = solid(side).triangles()[t];
    const Vec3 origin = found_.crossings.vertex(side, v[0]);
    const Vec3 n = cross(found_.crossings.vertex(side, v[1]) - origin,
                         found_.crossings.vertex(side, v[2]) - origin);
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(n[k]) > std::abs(n[axis])) axis = k;
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    // Corners are numbered anew: triangulation looks at all places it is given.
    std::vector<uint32_t> names;
    std::vector<Vec2> at;
    for (auto& loop : loops)
        for (uint32_t& p : loop) {
            names.push_back(p);
            at.push_back({place_[p][x], n[axis] > 0 ? place_[p][y] : -place_[p][y]});
            p = static_cast<uint32_t>(names.size() - 1);
        }
    for (const auto& piece : triangulated(loops, at))
        add_triangle(side, t, {names[piece[0]], names[piece[1]], names[piece[2]]});
}

// How far the region reaches through each plane: over its corners that are nearest to that contour.
void Intersection::Impl::MeshBuilder::measure_depths() {
    for (size_t t = 0; t < out_.mesh.triangles.size(); ++t)
        for (uint32_t v : out_.mesh.triangles[t]) {
            const Vec3 p = out_.mesh.vertices[v];
            ContactContour* nearest = nullptr;
            double least = std::numeric_limits<double>::infinity();
            for (ContactContour& c : out_.contours)
                if (norm(p - c.plane_point) < least) {
                    least = norm(p - c.plane_point);
                    nearest = &c;
                }
            if (nearest == nullptr) continue;
            const double height = dot(nearest->normal, p - nearest->plane_point);
            double& depth = out_.side[t] == 0 ? nearest->depth_a : nearest->depth_b;
            depth = std::max(depth, out_.side[t] == 0 ? -height : height);
        }
}

bool Intersection::has_mesh() const { return impl_->is_found; }

IntersectionMesh Intersection::mesh() { return Impl::MeshBuilder(*impl_).build(); }

}  // namespace bristle::collision
