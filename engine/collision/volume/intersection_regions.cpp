// Which parts of the overlap hang together.
#include "collision/volume/intersection_impl.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {

Intersection::Impl::Ends Intersection::Impl::key_of(uint32_t segment,
                                                    const CrossingSegment::End& e) const {
    const Solid& solid = crossings.solid(e.solid);
    const auto& v = solid.triangles()[e.half_edge / 3];
    const bool is_forward = v[e.half_edge % 3] < v[(e.half_edge % 3 + 1) % 3];
    const uint64_t edge = std::min(e.half_edge, solid.twin(e.half_edge));
    return {uint64_t{e.solid} << 32 | edge, crossings.segments()[segment].triangle[1 - e.solid],
            segment, e.along, e.enters == is_forward};
}

void Intersection::Impl::join() {
    const auto segments = crossings.segments();
    const auto count = static_cast<uint32_t>(segments.size());
    together.reset(count);
    ends.clear();
    for (uint32_t i = 0; i < count; ++i)
        for (const CrossingSegment::End& e : segments[i].end) ends.push_back(key_of(i, e));
    std::sort(ends.begin(), ends.end(), [](const Ends& x, const Ends& y) {
        return x.edge != y.edge         ? x.edge < y.edge
             : x.triangle != y.triangle ? x.triangle < y.triangle
                                        : x.segment < y.segment;
    });
    // Each end is found by the two triangles of its edge.
    for (size_t i = 0; i + 1 < ends.size(); ++i)
        if (ends[i].edge == ends[i + 1].edge && ends[i].triangle == ends[i + 1].triangle)
            together.unite(ends[i].segment, ends[i + 1].segment);

    uint32_t contours = 0;
    for (uint32_t i = 0; i < count; ++i) contours += together.find(i) == i;
    is_single = contours <= 1;
    region_of_segment.assign(count, 0);
    if (count == 0) return;
    if (is_single) {
        regions.push_back({segments[0].end[0].point, {}});
        return;
    }
    contour_of_segment.clear();
    for (uint32_t i = 0; i < count; ++i) contour_of_segment.push_back(together.find(i));
    for (size_t side : {0u, 1u}) {
        visit_inner(side);
        CrossedSurface& f = surface[side];
        for (uint32_t v : f.known)
            if (f.where[v] == CrossedSurface::inside) f.node[v] = together.add();
        for (uint32_t t : f.inner) {
            const auto& v = crossings.solid(side).triangles()[t];
            together.unite(f.node[v[0]], f.node[v[1]]);
            together.unite(f.node[v[0]], f.node[v[2]]);
        }
    }
    join_along_edges();
    for (size_t side : {0u, 1u}) join_holes(side);

    // By the first segment of each; every region has one.
    region_of_root.assign(together.size(), Solid::none);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t& region = region_of_root[together.find(i)];
        if (region == Solid::none) {
            region = static_cast<uint32_t>(regions.size());
            regions.push_back({segments[i].end[0].point, {}});
        }
        region_of_segment[i] = region;
    }
    // Vertices inside that nothing joined to a contour, by rounding of the order along an edge.
    for (uint32_t& region : region_of_root)
        if (region == Solid::none) region = 0;
}

void Intersection::Impl::find_parts(std::span<const Ends> on_edge, uint32_t low, uint32_t high) {
    // Entries and exits alternate; each kind is in order by itself, whatever rounding did to the two together.
    part_from.clear();
    part_to.clear();
    if (low != Solid::none) part_from.push_back(low);
    for (size_t i = 0; i < on_edge.size(); ++i)
        if (i == 0 || on_edge[i].triangle != on_edge[i - 1].triangle)
            (on_edge[i].enters ? part_from : part_to).push_back(on_edge[i].segment);
    if (high != Solid::none) part_to.push_back(high);
    const size_t count = std::min(part_from.size(), part_to.size());
    part_from.resize(count);
    part_to.resize(count);
}

void Intersection::Impl::join_along_edges() {
    std::sort(ends.begin(), ends.end(), [](const Ends& x, const Ends& y) {
        return x.edge != y.edge         ? x.edge < y.edge
             : x.along != y.along       ? x.along < y.along
             : x.triangle != y.triangle ? x.triangle < y.triangle
                                        : x.segment < y.segment;
    });
    for (size_t i = 0, end = 0; i < ends.size(); i = end) {
        while (end < ends.size() && ends[end].edge == ends[i].edge) ++end;
        const size_t side = ends[i].edge >> 32;
        const CrossedSurface& f = surface[side];
        const auto half_edge = static_cast<uint32_t>(ends[i].edge);
        const auto& triangle = crossings.solid(side).triangles()[half_edge / 3];
        const uint32_t v = triangle[half_edge % 3], w = triangle[(half_edge % 3 + 1) % 3];
        const auto inside = [&](uint32_t vertex) {
            return f.where[vertex] == CrossedSurface::inside ? f.node[vertex] : Solid::none;
        };
        find_parts(std::span(ends).subspan(i, end - i), inside(std::min(v, w)),
                   inside(std::max(v, w)));
        for (size_t k = 0; k < part_from.size(); ++k) together.unite(part_from[k], part_to[k]);
    }
    for (size_t side : {0u, 1u}) {
        const CrossedSurface& f = surface[side];
        for (const CrossedSurface::Crossed& c : f.crossed)
            for (size_t k = 0; k < 3; ++k) {
                const auto& v = crossings.solid(side).triangles()[c.triangle];
                if (!c.is_cut[k] && f.where[v[k]] == CrossedSurface::inside)
                    together.unite(f.node[v[k]], f.node[v[(k + 1) % 3]]);
            }
    }
}

// A contour that stays within one triangle bounds a disc there, or is a hole in what is around it. Then the first thing a
// line from it in the triangle's plane meets belongs to the same region.
void Intersection::Impl::join_holes(size_t side) {
    const auto segments = crossings.segments();
    const CrossedSurface& f = surface[side];
    const auto count = static_cast<uint32_t>(segments.size());
    for (uint32_t contour = 0; contour < count; ++contour) {
        if (contour_of_segment[contour] != contour) continue;
        const uint32_t t = segments[contour].triangle[side];
        const auto& v = crossings.solid(side).triangles()[t];
        const Vec3 p[3] = {crossings.vertex(side, v[0]), crossings.vertex(side, v[1]),
                           crossings.vertex(side, v[2])};
        const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]), from = segments[contour].end[0].point;
        double area = 0;
        bool is_within = true;
        for (uint32_t i = contour; i < count && is_within; ++i) {
            if (contour_of_segment[i] != contour) continue;
            is_within = segments[i].triangle[side] == t && segments[i].end[0].solid != side
                     && segments[i].end[1].solid != side;
            area += dot(normal,
                        cross(segments[i].end[0].point - from, segments[i].end[1].point - from));
        }
        if (!is_within || (side == 0 ? area : -area) > 0) continue;

        const Vec3 along = p[1] - p[0], across = cross(normal, along);
        double nearest = std::numeric_limits<double>::infinity();
        uint32_t found = Solid::none;
        // Where the line from `from` along `along` meets x → y: y's share.
        const auto meets = [&](Vec3 x, Vec3 y, double& share) {
            const double dx = dot(across, x - from), dy = dot(across, y - from);
            if ((dx > 0) == (dy > 0)) return false;
            share = dx / (dx - dy);
            const double way = dot(along, x + share * (y - x) - from);
            if (!(way > 0) || way >= nearest) return false;
            nearest = way;
            return true;
        };
        double share = 0;
        for (uint32_t i = 0; i < count; ++i)
            if (contour_of_segment[i] != contour && segments[i].triangle[side] == t
                && meets(segments[i].end[0].point, segments[i].end[1].point, share))
                found = i;
        for (uint32_t k = 0; k < 3; ++k) {
            if (!meets(p[k], p[(k + 1) % 3], share)) continue;
            // The edge there is inside: its ends tell, or the crossing next to it.
            double closest = std::numeric_limits<double>::infinity();
            const auto offer = [&](double at, uint32_t node) {
                if (std::abs(at - share) < closest) {
                    closest = std::abs(at - share);
                    found = node;
                }
            };
            const uint32_t w = v[(k + 1) % 3];
            if (f.where[v[k]] == CrossedSurface::inside) offer(0, f.node[v[k]]);
            if (f.where[w] == CrossedSurface::inside) offer(1, f.node[w]);
            for (uint32_t i = 0; i < count; ++i)
                for (const CrossingSegment::End& e : segments[i].end)
                    if (e.solid == side && e.half_edge == 3 * t + k)
                        offer(v[k] < w ? e.along : 1 - e.along, i);
        }
        if (found != Solid::none) together.unite(contour, found);
    }
}

}  // namespace bristle::collision
