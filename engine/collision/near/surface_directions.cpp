#include "collision/near/surface_directions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::collision {
namespace {

constexpr double freed = 1e-7;    // of the shape's size: what is this near is off the triangle
constexpr double as_good = 1e-8;  // of the shape's size: depths that differ less are equal

double outermost(const Facet& f, Vec3 u) {
    return std::max({dot(u, f.corner[0]), dot(u, f.corner[1]), dot(u, f.corner[2])});
}

// Can u press on the surface where this facet reaches farthest along it?
bool may_press(const Surface& surface, const Facet& f, Vec3 u) {
    if (!(dot(u, f.normal) > -same_sine)) {
        bool has_open = false;
        for (int k = 0; k < 3; ++k) has_open |= surface.edge(f, k).kind == EdgeKind::open;
        if (!has_open) return false;
    }
    const double top = outermost(f, u);
    for (int k = 0; k < 3; ++k) {
        const auto i = static_cast<size_t>(k);
        const Vec3 a = f.corner[i], b = f.corner[(i + 1) % 3];
        const double near = same_sine * norm(b - a);
        if (top - dot(u, a) > near) continue;
        if (surface.corner_faces(f, k, u)) return true;
        if (top - dot(u, b) <= near && surface.edge_faces(f, k, u)) return true;
    }
    return false;
}

// The shape's own box is a better fit than the one in the frame of the surface.
bool is_beside(const Guest& guest, const Facet& f) {
    std::array<Vec3, 3> p;
    for (size_t i = 0; i < 3; ++i) p[i] = guest.surface.to_a(f.corner[i]);
    for (int k = 0; k < 3; ++k) {
        if (std::min({p[0][k], p[1][k], p[2][k]}) > guest.high[k] + guest.margin) return true;
        if (std::max({p[0][k], p[1][k], p[2][k]}) < guest.low[k] - guest.margin) return true;
    }
    return false;
}

// What a facet demands, if it is near.
bool demand_of(const Surface& surface, const Guest& guest, const Facet& f, Candidate& c) {
    const double plane = dot(f.normal, f.corner[0]);
    const double depth = plane - guest.lowest(f.normal);
    if (!(depth >= -guest.margin) || -guest.lowest(-f.normal) < plane || is_beside(guest, f))
        return false;
    const ConvexDistance d =
        convex_distance(guest.core, ConvexCore::of_points(f.corner), guest.surface, guest.margin);
    if (!d.is_near) return false;
    const Vec3 u = guest.rotation * d.normal;
    // What the iteration knows is not better than this; if the face does as well, it is meant.
    c.is_face = dot(u, f.normal) > 0
             && (depth <= -d.distance + as_good * guest.size
                 || norm(cross(u, f.normal)) <= 8 * TriangleTree::flat_sine);
    c.counts = c.is_face || may_press(surface, f, u);
    if (!c.counts) c.is_face = true;
    c.normal = c.is_face ? f.normal : u;
    c.depth = c.is_face ? depth : -d.distance;
    c.overlap = -d.distance;
    c.on_shape = guest.place(d.on_a);
    return true;
}

void find_candidates(const Surface& surface, const Guest& guest, Pushes& p) {
    for (size_t i = 0; i < p.facets.size(); ++i) {
        const Facet& f = p.facets[i];
        // Facets of one plane demand the same, and the first has been asked.
        const auto twin =
            std::find_if(p.candidates.begin(), p.candidates.end(), [&](const Candidate& c) {
                return c.is_face && c.counts && is_same(c.normal, f.normal)
                    && std::abs(dot(c.normal, f.corner[0] - p.facets[c.facet].corner[0]))
                           <= same_place * guest.size;
            });
        Candidate c{};
        if (twin != p.candidates.end())
            c = *twin;
        else if (!demand_of(surface, guest, f, c))
            continue;
        c.facet = i;
        p.candidates.push_back(c);
    }
}

void choose_directions(const Guest& guest, Pushes& p) {
    std::sort(p.candidates.begin(), p.candidates.end(), [](const Candidate& a, const Candidate& b) {
        if (a.counts != b.counts) return a.counts;
        return a.depth != b.depth ? a.depth < b.depth : a.facet < b.facet;
    });
    for (const Candidate& c : p.candidates) {
        const Facet& f = p.facets[c.facet];
        const double offset = outermost(f, c.normal);
        bool is_settled = false;
        for (size_t k = 0; k < p.directions.size() && !is_settled; ++k) {
            Direction& d = p.directions[k];
            if (is_same(d.normal, c.normal) && std::abs(offset - d.offset) <= freed * guest.size) {
                p.joined.push_back({c.facet, k});
                // A face's normal is the exact one: the side of a table may have come first.
                if (c.is_face && !d.is_face)
                    d = {c.normal, c.depth, offset, true, d.counts, d.on_shape};
                is_settled = true;
            } else if (d.offset >= outermost(f, d.normal) - freed * guest.size) {
                is_settled = true;
            }
        }
        if (is_settled) continue;
        p.joined.push_back({c.facet, p.directions.size()});
        p.directions.push_back({c.normal, c.depth, offset, c.is_face, c.counts, c.on_shape});
    }
}

}  // namespace

Guest guest_of(const Placed& a, const Placed& b, double margin) {
    Guest g{ConvexCore::of(*a.collider),
            b.rotation.transposed() * a.rotation,
            b.to_local(a.position),
            0,
            margin,
            RelativePose(a, b),
            {},
            {}};
    for (int i = 0; i < 3; ++i) {
        Vec3 axis;
        axis[i] = 1;
        g.low[i] = g.core.support(-axis)[i];
        g.high[i] = g.core.support(axis)[i];
    }
    g.size = norm(g.high - g.low) / 2;
    return g;
}

Aabb box_around(const Guest& guest) {
    Aabb box;
    for (int i = 0; i < 3; ++i) {
        Vec3 axis;
        axis[i] = 1;
        box.low[i] = guest.lowest(axis) - guest.margin;
        box.high[i] = -guest.lowest(-axis) + guest.margin;
    }
    return box;
}

void find_pushes(const Surface& surface, const Guest& guest, Pushes& p) {
    p.facets.clear();
    p.candidates.clear();
    p.directions.clear();
    p.joined.clear();
    surface.gather(box_around(guest), p.facets);
    find_candidates(surface, guest, p);
    choose_directions(guest, p);
}

}  // namespace bristle::collision
