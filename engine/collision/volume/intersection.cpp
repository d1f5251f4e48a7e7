#include "collision/volume/intersection.h"

#include "collision/volume/intersection_impl.h"

#include <algorithm>
#include <cmath>

namespace bristle::collision {
namespace {

// A contour that surrounds no more triangles than this for each of its own is summed triangle by triangle: they are near
// the overlap, and sums about it keep more digits than sums about the solid's centre.
constexpr int64_t few_inside = 6;

// The same solid in other axes.
VolumeMoments turned(const VolumeMoments& m, const Mat3& rotation) {
    const Mat3 s{{{{m.square.x, m.mixed.z, m.mixed.y},
                   {m.mixed.z, m.square.y, m.mixed.x},
                   {m.mixed.y, m.mixed.x, m.square.z}}}};
    const Mat3 t = rotation * s * rotation.transposed();
    return {m.volume, rotation * m.first, {t(0, 0), t(1, 1), t(2, 2)}, {t(1, 2), t(2, 0), t(0, 1)}};
}

// Of the contours of one region, found with either shift.
void take_mean(ContactPatch& p, const ContactPatch& o) {
    const Vec3 area = 0.5 * (p.area * p.normal + o.area * o.normal);
    const double both = p.area + o.area;
    if (!(norm(area) > 0.1 * both)) return;  // pierced, or one inside the other
    const Vec3 center = (1 / both) * (p.area * p.area_center + o.area * o.area_center);
    p.normal = normalized(area);
    p.area = norm(area);
    p.area_moment = 0.5 * (p.area_moment + o.area_moment);
    p.area_center = center - dot(p.normal, center - p.centroid) * p.normal;
}

}  // namespace

Intersection::Intersection() : impl_(std::make_unique<Impl>()) {}
Intersection::~Intersection() = default;
Intersection::Intersection(Intersection&&) noexcept = default;
Intersection& Intersection::operator=(Intersection&&) noexcept = default;

void Intersection::find(const Solid& a, const Placement& at_a, const Solid& b,
                        const Placement& at_b, Patches& out) {
    Impl& m = *impl_;
    const Mat3 back = at_a.rotation.transposed();
    m.at_a = at_a;
    m.b_in_a = {back * at_b.rotation, back * (at_b.position - at_a.position)};
    const size_t first = out.patches.size();
    m.find(a, b, Shift::second, out);
    // With faces in one plane the contour runs round one of them or the other, as the shift goes. Volumes do not
    // mind, but normals would lean: they are the mean of both.
    if (!m.crossings.had_ties()) return;
    m.other.clear();
    m.find(a, b, Shift::first, m.other);
    if (m.other.patches.size() != out.patches.size() - first) return;
    for (size_t i = 0; i < m.other.patches.size(); ++i)
        take_mean(out.patches[first + i], m.other.patches[i]);
}

void Intersection::Impl::find(const Solid& a, const Solid& b, Shift shift, Patches& out) {
    crossings.find(a, b, b_in_a, shift);
    for (size_t side : {0u, 1u}) surface[side].reset(crossings.solid(side));
    regions.clear();
    whole_shells.clear();
    is_found = true;
    collect();
    for (size_t side : {0u, 1u}) place_vertices(side);
    join();
    for (size_t side : {0u, 1u}) {
        sum_crossed(side);
        sum_inner(side);
    }
    sum_whole_shells();
    fill_hollows();
    write(out);
}

void CrossedSurface::reset(const Solid& solid) {
    for (const Crossed& c : crossed)
        if (c.triangle < place.size()) place[c.triangle] = Solid::none;
    for (uint32_t v : known)
        if (v < where.size()) where[v] = unknown;
    for (uint32_t t : inner)
        if (t < is_inner.size()) is_inner[t] = 0;
    crossed.clear();
    known.clear();
    inner.clear();
    place.resize(solid.triangles().size(), Solid::none);
    where.resize(solid.vertices().size(), unknown);
    is_inner.resize(solid.triangles().size(), 0);
    node.resize(solid.vertices().size());
    is_shell_crossed.assign(solid.shells(), 0);
}

void CrossedSurface::put(uint32_t vertex, uint8_t there) {
    if (where[vertex] == unknown) known.push_back(vertex);
    where[vertex] = there;
    node[vertex] = Solid::none;
}

// ---- What is crossed, and what is inside -----------------------------------------------------------

void Intersection::Impl::collect() {
    for (const CrossingSegment& s : crossings.segments())
        for (size_t side : {0u, 1u}) {
            CrossedSurface& f = surface[side];
            const uint32_t t = s.triangle[side];
            if (f.place[t] == Solid::none) {
                f.place[t] = static_cast<uint32_t>(f.crossed.size());
                f.crossed.push_back({t, s.end[0].point, {}, {}});
                f.is_shell_crossed[crossings.solid(side).shell_of(t)] = 1;
            }
            CrossedSurface::Crossed& c = f.crossed[f.place[t]];
            for (const CrossingSegment::End& e : s.end) {
                if (e.solid != side) continue;
                c.net[e.half_edge % 3] += e.enters ? 1 : -1;
                c.is_cut[e.half_edge % 3] = true;
                c.cut[e.half_edge % 3] = e.point;
            }
        }
}

// Along an edge that is entered once more than it is left, the way is from outside to inside. Where that decides
// nothing, neighbours do; and where they do not, a ray.
void Intersection::Impl::place_vertices(size_t side) {
    CrossedSurface& f = surface[side];
    const auto triangles = crossings.solid(side).triangles();
    constexpr uint8_t unknown = CrossedSurface::unknown, outside = CrossedSurface::outside,
                      inside = CrossedSurface::inside;
    for (const CrossedSurface::Crossed& c : f.crossed)
        for (size_t k = 0; k < 3; ++k) {
            if (c.net[k] == 0) continue;
            const auto& v = triangles[c.triangle];
            f.put(v[k], c.net[k] > 0 ? outside : inside);
            f.put(v[(k + 1) % 3], c.net[k] > 0 ? inside : outside);
        }
    size_t first_open = 0;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (const CrossedSurface::Crossed& c : f.crossed)
            for (size_t k = 0; k < 3; ++k) {
                const uint32_t v = triangles[c.triangle][k], w = triangles[c.triangle][(k + 1) % 3];
                if (c.net[k] != 0 || (f.where[v] == unknown) == (f.where[w] == unknown)) continue;
                if (f.where[v] == unknown)
                    f.put(v, f.where[w]);
                else
                    f.put(w, f.where[v]);
                is_changed = true;
            }
        if (is_changed) continue;
        for (; first_open < f.crossed.size() && !is_changed; ++first_open)
            for (uint32_t v : triangles[f.crossed[first_open].triangle])
                if (f.where[v] == unknown) {
                    f.put(v, crossings.is_inside(side, v) ? inside : outside);
                    is_changed = true;
                }
    }
}

void Intersection::Impl::visit_inner(size_t side) {
    CrossedSurface& f = surface[side];
    const Solid& solid = crossings.solid(side);
    const auto reach = [&](uint32_t half_edge) {
        const uint32_t t = solid.neighbor(half_edge);
        if (f.place[t] != Solid::none || f.is_inner[t]) return;
        f.is_inner[t] = 1;
        f.inner.push_back(t);
        for (uint32_t v : solid.triangles()[t])
            if (f.where[v] == CrossedSurface::unknown) f.put(v, CrossedSurface::inside);
    };
    for (const CrossedSurface::Crossed& c : f.crossed)
        for (uint32_t k = 0; k < 3; ++k)
            if (!c.is_cut[k] && f.where[solid.triangles()[c.triangle][k]] == CrossedSurface::inside)
                reach(3 * c.triangle + k);
    for (size_t i = 0; i < f.inner.size(); ++i)
        for (uint32_t k = 0; k < 3; ++k) reach(3 * f.inner[i] + k);
}

// ---- Sums ------------------------------------------------------------------------------------------

uint32_t Intersection::Impl::region_of(uint32_t node) {
    return is_single ? 0 : region_of_root[together.find(node)];
}

void Intersection::Impl::sum_crossed(size_t side) {
    CrossedSurface& f = surface[side];
    const auto triangles = crossings.solid(side).triangles();
    // An edge that begins outside is entered as often as it is left or ends inside, so that its parts may be taken from any of
    // its points. Its own beginning may be far away, and what cancels grows with the cube of that.
    const auto start_of = [&](const CrossedSurface::Crossed& c, size_t k) {
        const uint32_t v = triangles[c.triangle][k];
        return f.where[v] == CrossedSurface::inside ? crossings.vertex(side, v) : c.cut[k];
    };
    const auto segments = crossings.segments();
    for (uint32_t i = 0; i < segments.size(); ++i) {
        const CrossingSegment& s = segments[i];
        const uint32_t t = s.triangle[side];
        const CrossedSurface::Crossed& c = f.crossed[f.place[t]];
        const Vec3 origin = regions[region_of_segment[i]].origin;
        const Vec3 corner = c.corner - origin;
        VolumeMoments& sum = regions[region_of_segment[i]].moments;
        const Vec3 from = s.end[side == 0 ? 0 : 1].point - origin,
                   to = s.end[side == 0 ? 1 : 0].point - origin;
        sum.add_tetrahedron(corner, from, to);
        for (const CrossingSegment::End& e : s.end) {
            if (e.solid != side) continue;
            const Vec3 start = start_of(c, e.half_edge % 3) - origin;
            const Vec3 point = e.point - origin;
            if (e.enters)
                sum.add_tetrahedron(corner, point, start);
            else
                sum.add_tetrahedron(corner, start, point);
        }
    }
    for (const CrossedSurface::Crossed& c : f.crossed)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t w = triangles[c.triangle][(k + 1) % 3];
            if (f.where[w] != CrossedSurface::inside) continue;
            Region& r = regions[region_of(f.node[w])];
            r.moments.add_tetrahedron(c.corner - r.origin, start_of(c, k) - r.origin,
                                      crossings.vertex(side, w) - r.origin);
        }
}

void Intersection::Impl::sum_inner(size_t side) {
    CrossedSurface& f = surface[side];
    const Solid& solid = crossings.solid(side);
    const auto triangles = solid.triangles();
    if (is_single) {
        // From the border: edges whose one triangle is crossed and the other inside.
        Solid::Sum sum;
        VolumeMoments cones;
        const Vec3 center =
            side == 0 ? solid.center() : b_in_a.rotation * solid.center() + b_in_a.position;
        const Vec3 tip = regions.empty() ? Vec3{} : regions[0].origin - center;
        uint32_t shell = 0;
        for (const CrossedSurface::Crossed& c : f.crossed)
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t v = triangles[c.triangle][k], w = triangles[c.triangle][(k + 1) % 3];
                const uint32_t edge = 3 * c.triangle + k, t = solid.neighbor(edge);
                if (c.is_cut[k] || f.where[v] != CrossedSurface::inside
                    || f.place[t] != Solid::none)
                    continue;
                shell = solid.shell_of(t);
                if (solid.parent_edge(t) == solid.twin(edge)) sum.add(solid.below(t), 1);
                if (solid.parent_edge(c.triangle) == edge) sum.add(solid.below(c.triangle), -1);
                // The cone over what is inside, from o: that from the centre, closed by triangles (o, v, w).
                cones.add_tetrahedron(tip, crossings.vertex(side, v) - center,
                                      crossings.vertex(side, w) - center);
            }
        const bool has_root = sum.count < 0;
        const int64_t count = sum.count + (has_root ? solid.count_of(shell) : 0);
        if (count > few_inside * static_cast<int64_t>(f.crossed.size())) {
            if (has_root) sum.add(solid.below(solid.triangle_of(shell)), 1);
            VolumeMoments m = side == 0 ? sum.value() : turned(sum.value(), b_in_a.rotation);
            m += cones;
            regions[0].moments += m.about(tip);
            return;
        }
        visit_inner(side);
    }
    for (uint32_t t : f.inner) {
        const auto& v = triangles[t];
        Region& r = regions[region_of(f.node[v[0]])];
        r.moments.add_tetrahedron(crossings.vertex(side, v[0]) - r.origin,
                                  crossings.vertex(side, v[1]) - r.origin,
                                  crossings.vertex(side, v[2]) - r.origin);
    }
}

// Shells that the other surface does not cross are inside or outside as a whole. A hollow belongs to the largest region.
void Intersection::Impl::sum_whole_shells() {
    for (const bool hollows : {false, true})
        for (size_t side : {0u, 1u}) {
            const Solid &solid = crossings.solid(side), &other = crossings.solid(1 - side);
            const Vec3 centers[2] = {
                crossings.solid(0).center(),
                b_in_a.rotation * crossings.solid(1).center() + b_in_a.position};
            for (uint32_t s = 0; s < solid.shells(); ++s) {
                VolumeMoments m = solid.moments_of(s);
                if (surface[side].is_shell_crossed[s] || (m.volume < 0) != hollows) continue;
                const uint32_t v = solid.triangles()[solid.triangle_of(s)][0];
                // All of the other is within √3/2 of its size.
                if (!(norm(crossings.vertex(side, v) - centers[1 - side]) <= 0.87 * other.size())
                    || !crossings.is_inside(side, v))
                    continue;
                whole_shells.emplace_back(side, s);
                if (side == 1) m = turned(m, b_in_a.rotation);
                if (!hollows) {
                    regions.push_back({centers[side], m});
                    continue;
                }
                const auto largest = std::max_element(
                    regions.begin(), regions.end(), [](const Region& x, const Region& y) {
                        return x.moments.volume < y.moments.volume;
                    });
                if (largest != regions.end())
                    largest->moments += m.about(largest->origin - centers[side]);
            }
        }
}

// Where hollows of both solids meet, their contour surrounds a void. It too belongs to the largest region. What is
// negative by rounding is a mere touch and belongs to none.
void Intersection::Impl::fill_hollows() {
    constexpr double noise = 1e-12;  // of the largest volume
    const auto largest =
        static_cast<size_t>(std::max_element(regions.begin(), regions.end(),
                                             [](const Region& x, const Region& y) {
                                                 return x.moments.volume < y.moments.volume;
                                             })
                            - regions.begin());
    for (size_t r = 0; r < regions.size(); ++r) {
        if (!(regions[r].moments.volume < -noise * regions[largest].moments.volume)
            || !(regions[largest].moments.volume > 0))
            continue;
        regions[largest].moments +=
            regions[r].moments.about(regions[largest].origin - regions[r].origin);
        regions[r].moments = {};
        for (uint32_t& region : region_of_segment)
            if (region == r) region = static_cast<uint32_t>(largest);
    }
}

// ---- What users get --------------------------------------------------------------------------------

void Intersection::Impl::write(Patches& out) {
    order.clear();
    for (uint32_t r = 0; r < regions.size(); ++r)
        if (regions[r].moments.volume > 0) order.push_back(r);
    std::sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
        const double vx = regions[x].moments.volume, vy = regions[y].moments.volume;
        return vx != vy ? vx > vy : x < y;
    });
    const auto segments = crossings.segments();
    const auto to_world = [&](Vec3 p) { return at_a.position + at_a.rotation * p; };
    const Vec3 apart = crossings.solid(0).center()
                     - (b_in_a.rotation * crossings.solid(1).center() + b_in_a.position);
    const Vec3 otherwise =
        norm(apart) > 0 ? at_a.rotation * normalized(apart) : at_a.rotation.column(2);
    uint32_t feature = 0;
    for (uint32_t r : order) {
        const VolumeMoments& m = regions[r].moments;
        ContactPatch p;
        p.volume = m.volume;
        p.centroid = to_world(regions[r].origin + m.first / m.volume);
        p.inertia = at_a.rotation * m.inertia_about_centroid() * at_a.rotation.transposed();
        p.feature = feature++;
        p.first_segment = static_cast<uint32_t>(out.contour.size());
        // Round b's part, so against a's.
        for (uint32_t i = 0; i < segments.size(); ++i) {
            if (region_of_segment[i] != r) continue;
            if (p.segments++ == 0) {
                p.face_a = crossings.solid(0).source(segments[i].triangle[0]);
                p.face_b = crossings.solid(1).source(segments[i].triangle[1]);
            }
            out.contour.push_back(
                {to_world(segments[i].end[1].point), to_world(segments[i].end[0].point)});
        }
        measure_contour(p, out.contour.data(), otherwise);
        out.patches.push_back(p);
    }
}

}  // namespace bristle::collision
