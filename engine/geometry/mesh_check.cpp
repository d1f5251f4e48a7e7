// What is wrong with a mesh.
//
// Everything comes from sorted lists: triangles by their vertices (duplicates), half-edges by their edge
// (open, shared, flipped). Parts are what hangs together over edges of two triangles. A closed part with
// a negative volume is a cavity if there is material around it to be hollowed out, which the winding
// number of the other closed parts tells, and inside out otherwise. Crossings are found over a tree (mesh_crossings.h).
// So n log n in all.
#include "geometry/mesh_check.h"

#include "geometry/accurate_cross.h"
#include "geometry/mesh_crossings.h"
#include "geometry/mesh_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace bristle {
namespace {

using Kind = MeshReport::Kind;

// A million triangles that share no vertices would make three million texts.
constexpr size_t most_problems_of_a_kind = 1000;
// Height over longest edge below which a triangle has no normal worth the name: with edges rounded to
// 1e-16, six digits of it would be left.
constexpr double least_height = 1e-10;

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

class Checker {
  public:
    explicit Checker(const TriangleMesh& mesh)
        : mesh_(mesh), is_surface_(mesh.triangles.size(), true) {}

    MeshReport run(bool with_crossings) {
        check_indices_and_vertices();
        check_areas();
        report_.is_usable = report_.problems.empty() && !mesh_.triangles.empty();
        if (!has_bad_triangles_) {
            check_duplicates();
            half_edges_ = sorted_half_edges(mesh_, [&](uint32_t t) { return is_surface_[t]; });
            check_edges();
            check_insides();
            if (with_crossings) check_crossings();
            report_.is_closed = is_closed_ && !mesh_.triangles.empty();
        }
        std::stable_sort(report_.problems.begin(), report_.problems.end(),
                         [](const auto& a, const auto& b) { return a.kind < b.kind; });
        summarize();
        return std::move(report_);
    }

  private:
    Vec3 corner(uint32_t t, size_t i) const { return mesh_.vertices[mesh_.triangles[t][i]]; }
    uint32_t triangle_count() const { return static_cast<uint32_t>(mesh_.triangles.size()); }

    std::string place(uint32_t v) const {
        const Vec3 p = mesh_.vertices[v];
        return fmt::format("{} ({:.9g}, {:.9g}, {:.9g})", v, p.x, p.y, p.z);
    }
    std::string corners(uint32_t t) const {
        const auto& v = mesh_.triangles[t];
        return fmt::format("triangle {} with the vertices {}, {} and {}", t, place(v[0]),
                           place(v[1]), place(v[2]));
    }

    // The text is made only if it is kept.
    template <class Text> void add(Kind kind, uint32_t triangle, const Text& text) {
        if (++count_[static_cast<size_t>(kind)] <= most_problems_of_a_kind)
            report_.problems.push_back({kind, triangle, text()});
    }

    void summarize() {
        for (size_t kind = 0; kind < std::size(count_); ++kind) {
            if (count_[kind] <= most_problems_of_a_kind) continue;
            const auto last = std::find_if(report_.problems.rbegin(), report_.problems.rend(),
                                           [&](const auto& p) { return p.kind == Kind(kind); });
            report_.problems.push_back(
                {Kind(kind), last->triangle,
                 fmt::format("and {} more like this after triangle {}: \"{}\"",
                             count_[kind] - most_problems_of_a_kind, last->triangle, last->text)});
        }
    }

    void check_indices_and_vertices() {
        for (uint32_t t = 0; t < triangle_count(); ++t)
            for (const uint32_t v : mesh_.triangles[t])
                if (v >= mesh_.vertices.size())
                    add(Kind::bad_index, t, [&] {
                        return fmt::format(
                            "triangle {} names vertex {}, but there are only {}: correct "
                            "the number or add the vertex",
                            t, v, mesh_.vertices.size());
                    });
                else if (!is_finite(mesh_.vertices[v]))
                    add(Kind::not_finite, t, [&] {
                        return fmt::format(
                            "triangle {} has the vertex {}, which is not finite: give it "
                            "a place or remove its triangles",
                            t, place(v));
                    });
        has_bad_triangles_ = !report_.problems.empty();
    }

    void check_areas() {
        for (uint32_t t = 0; t < triangle_count() && !has_bad_triangles_; ++t) {
            const Vec3 a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
            const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
            double largest = 0;
            for (int i = 0; i < 3; ++i)
                largest = std::max({largest, std::abs(a[i]), std::abs(b[i]), std::abs(c[i])});
            const double height = norm(accurate_cross(b - a, c - a)) / longest;
            const double noise = 2 * std::numeric_limits<double>::epsilon() * largest;
            if (height > least_height * longest && height > noise) continue;
            add(Kind::degenerate, t, [&] {
                return corners(t) + " has no area: remove it, and merge vertices in the same place";
            });
            const auto& v = mesh_.triangles[t];
            // Folded to an edge it has no part in the surface; a mere sliver is needed to close it.
            is_surface_[t] = v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
        }
    }

    void check_duplicates() {
        std::vector<std::pair<std::array<uint32_t, 3>, uint32_t>> sorted;
        sorted.reserve(triangle_count());
        for (uint32_t t = 0; t < triangle_count(); ++t) {
            if (!is_surface_[t]) continue;
            auto v = mesh_.triangles[t];
            std::sort(v.begin(), v.end());
            sorted.emplace_back(v, t);
        }
        std::sort(sorted.begin(), sorted.end());
        for (size_t i = 1, first = 0; i < sorted.size(); ++i) {
            if (sorted[i].first != sorted[first].first) {
                first = i;
                continue;
            }
            is_surface_[sorted[i].second] = false;
            is_closed_ = false;
            add(Kind::duplicate, sorted[first].second, [&] {
                return fmt::format("triangle {} is the same as {}: remove one of them",
                                   sorted[i].second, corners(sorted[first].second));
            });
        }
    }

    template <class Visit> void for_each_edge(const Visit& visit) const {
        bristle::for_each_edge(std::span<const HalfEdge>(half_edges_), visit);
    }

    void check_edges() {
        find_parts();
        find_one_sided_parts();
        part_is_closed_.assign(part_count_, true);
        for_each_edge([&](std::span<const HalfEdge> at) {
            if (at.size() == 2 && at[0].is_forward != at[1].is_forward) return;
            for (const HalfEdge& h : at) part_is_closed_[part_[h.triangle]] = false;
            if (at.size() == 1) {
                add_open(at[0]);
            } else if (at.size() == 2) {
                add_flipped(at[0], at[1]);
            } else {
                add_shared(at);
            }
        });
        for (uint32_t t = 0; t < triangle_count(); ++t)
            if (is_surface_[t] && !part_is_closed_[part_[t]]) is_closed_ = false;
    }

    void add_open(const HalfEdge& h) {
        add(Kind::open_edge, h.triangle, [&] {
            return fmt::format(
                "triangle {} has no neighbour at its edge from vertex {} to {}: close "
                "the hole, or merge vertices in the same place",
                h.triangle, place(h.low), place(h.high));
        });
    }

    void add_shared(std::span<const HalfEdge> at) {
        add(Kind::shared_edge, at[0].triangle, [&] {
            std::string numbers;
            for (size_t i = 0; i < std::min<size_t>(at.size(), 8); ++i)
                numbers += fmt::format("{}{}", i == 0 ? "" : ", ", at[i].triangle);
            return fmt::format(
                "{} triangles ({}{}) meet at the edge from vertex {} to {}: remove inner "
                "walls, or give bodies that touch vertices of their own",
                at.size(), numbers, at.size() > 8 ? ", ..." : "", place(at[0].low),
                place(at[0].high));
        });
    }

    void add_flipped(const HalfEdge& first, const HalfEdge& second) {
        const bool one_sided = part_is_one_sided_[part_[first.triangle]];
        const bool first_is_wrong = is_turned_[first.triangle] && !one_sided;
        const uint32_t wrong = first_is_wrong ? first.triangle : second.triangle,
                       right = first_is_wrong ? second.triangle : first.triangle;
        add(Kind::flipped, wrong, [&] {
            return fmt::format(
                "triangles {} and {} disagree about the outside at their edge from "
                "vertex {} to {}: {}",
                right, wrong, place(first.low), place(first.high),
                one_sided ? "the surface is one-sided, cut it"
                          : fmt::format("reverse triangle {}", wrong));
        });
    }

    // Walks over edges of two triangles. In every part, is_turned_ marks the fewer of the triangles
    // that agree with each other.
    void find_parts() {
        std::vector<std::array<uint32_t, 3>> neighbor(triangle_count(), {none, none, none});
        std::vector<std::array<bool, 3>> agrees(triangle_count());
        const auto connect = [&](uint32_t from, uint32_t to, bool agree) {
            const size_t free =
                static_cast<size_t>(std::find(neighbor[from].begin(), neighbor[from].end(), none)
                                    - neighbor[from].begin());
            neighbor[from][free] = to;
            agrees[from][free] = agree;
        };
        for_each_edge([&](std::span<const HalfEdge> at) {
            if (at.size() != 2) return;
            const bool agree = at[0].is_forward != at[1].is_forward;
            connect(at[0].triangle, at[1].triangle, agree);
            connect(at[1].triangle, at[0].triangle, agree);
        });
        part_.assign(triangle_count(), none);
        is_turned_.assign(triangle_count(), false);
        std::vector<uint32_t> members;
        for (uint32_t seed = 0; seed < triangle_count(); ++seed) {
            if (part_[seed] != none || !is_surface_[seed]) continue;
            members = {seed};
            part_[seed] = part_count_;
            size_t turned = 0;
            for (size_t i = 0; i < members.size(); ++i) {
                const uint32_t t = members[i];
                turned += is_turned_[t];
                for (size_t side = 0; side < 3; ++side) {
                    const uint32_t next = neighbor[t][side];
                    if (next == none || part_[next] != none) continue;
                    part_[next] = part_count_;
                    is_turned_[next] = is_turned_[t] == agrees[t][side];
                    members.push_back(next);
                }
            }
            if (2 * turned > members.size())
                for (const uint32_t t : members) is_turned_[t] = !is_turned_[t];
            ++part_count_;
        }
    }

    // Where reversing the turned triangles would not make all neighbours agree.
    void find_one_sided_parts() {
        part_is_one_sided_.assign(part_count_, false);
        for_each_edge([&](std::span<const HalfEdge> at) {
            if (at.size() != 2) return;
            const bool agree = at[0].is_forward != at[1].is_forward;
            if (agree != (is_turned_[at[0].triangle] == is_turned_[at[1].triangle]))
                part_is_one_sided_[part_[at[0].triangle]] = true;
        });
    }

    // ---- Inside out --------------------------------------------------------------------------

    struct Hollow {
        uint32_t part, triangle;  // its first
        double u, v, w;           // of one of its vertices, seen along a skew direction
        int material = 0;         // winding number of the other closed parts around it
    };

    void check_insides() {
        std::vector<Hollow> hollows = negative_parts();
        count_material_around(hollows);
        for (const Hollow& hollow : hollows) {
            if (hollow.material > 0) continue;
            is_closed_ = false;
            add(Kind::inside_out, hollow.triangle, [&] {
                return fmt::format(
                    "the closed part of {} is inside out, its triangles run clockwise "
                    "seen from outside: reverse all of them",
                    corners(hollow.triangle));
            });
        }
    }

    std::vector<Hollow> negative_parts() const {
        std::vector<double> volume(part_count_, 0);
        std::vector<uint32_t> first(part_count_, none);
        for (uint32_t t = 0; t < triangle_count(); ++t) {
            const uint32_t part = part_[t];
            if (part == none || !part_is_closed_[part]) continue;
            if (first[part] == none) first[part] = t;
            const Vec3 a = corner(t, 0), reference = corner(first[part], 0);
            volume[part] += dot(a - reference, accurate_cross(corner(t, 1) - a, corner(t, 2) - a));
        }
        std::vector<Hollow> hollows;
        for (uint32_t part = 0; part < part_count_; ++part) {
            if (!(volume[part] < 0)) continue;
            const Vec3 p = seen(corner(first[part], 0));
            hollows.push_back({part, first[part], p.x, p.y, p.z});
        }
        return hollows;
    }

    // Turned so that rays along the third coordinate hardly meet the edges of bodies parallel to the
    // axes. Where a ray meets one nevertheless, the triangles there decide by the same numbers, and one of
    // them takes it.
    static Vec3 seen(Vec3 p) {
        static const Mat3 turn = Quat{0.8123, 0.3371, -0.2917, 0.3779}.matrix();
        return turn * p;
    }

    // Shoots a ray up from every hollow; the hollows are sorted, so that a triangle finds those below it.
    void count_material_around(std::vector<Hollow>& hollows) const {
        if (hollows.empty()) return;
        std::sort(hollows.begin(), hollows.end(),
                  [](const Hollow& a, const Hollow& b) { return a.u < b.u; });
        for (uint32_t t = 0; t < triangle_count(); ++t) {
            if (part_[t] == none || !part_is_closed_[part_[t]]) continue;
            const std::array p{seen(corner(t, 0)), seen(corner(t, 1)), seen(corner(t, 2))};
            const double left = std::min({p[0].x, p[1].x, p[2].x}),
                         right = std::max({p[0].x, p[1].x, p[2].x});
            auto h = std::lower_bound(hollows.begin(), hollows.end(), left,
                                      [](const Hollow& a, double u) { return a.u < u; });
            for (; h != hollows.end() && h->u <= right; ++h)
                if (h->part != part_[t]) h->material += crossing(*h, p);
        }
        std::sort(hollows.begin(), hollows.end(),
                  [](const Hollow& a, const Hollow& b) { return a.triangle < b.triangle; });
    }

    // Which way the ray goes through the triangle: +1 out of the material, −1 into it, 0 past it.
    static int crossing(const Hollow& from, const std::array<Vec3, 3>& p) {
        int turns = 0;
        for (size_t i = 0; i < 3; ++i) {
            const Vec3 &a = p[i], &b = p[(i + 1) % 3];
            const bool upward = a.y <= from.v && b.y > from.v,
                       downward = b.y <= from.v && a.y > from.v;
            if (!upward && !downward) continue;
            const Vec3 &low = upward ? a : b, &high = upward ? b : a;
            const double side = difference_of_products(high.x - low.x, from.v - low.y,
                                                       from.u - low.x, high.y - low.y);
            if (side > 0) turns += upward ? 1 : -1;
        }
        if (turns == 0) return 0;
        const Vec3 normal = accurate_cross(p[1] - p[0], p[2] - p[0]);
        const double above = dot(normal, p[0] - Vec3{from.u, from.v, from.w});
        return above * normal.z > 0 ? turns : 0;
    }

    // ---- Crossings ---------------------------------------------------------------------------

    void check_crossings() {
        std::vector<uint32_t> surface;
        for (uint32_t t = 0; t < triangle_count(); ++t)
            if (is_surface_[t]) surface.push_back(t);
        const auto crossings = crossings_within(mesh_, surface, most_problems_of_a_kind);
        for (const MeshCrossing& c : crossings)
            add(Kind::crossing, c.first, [&] {
                return fmt::format(
                    "triangles {} and {} pass through each other at ({:.9g}, {:.9g}, {:.9g}): "
                    "unite "
                    "the parts in a modelling program, or make them shapes of their own",
                    c.first, c.second, c.place.x, c.place.y, c.place.z);
            });
        if (crossings.size() == most_problems_of_a_kind)
            report_.problems.push_back(
                {Kind::crossing, crossings.back().first,
                 fmt::format("the search for crossings ended with the first {}: there may be more",
                             most_problems_of_a_kind)});
    }

    const TriangleMesh& mesh_;
    MeshReport report_;
    size_t count_[9] = {};  // of problems, by kind
    bool has_bad_triangles_ = false;
    bool is_closed_ = true;
    std::vector<bool> is_surface_;  // of triangles: part of the surface, once
    std::vector<HalfEdge> half_edges_;
    std::vector<uint32_t> part_;  // of triangles
    std::vector<bool> is_turned_;
    uint32_t part_count_ = 0;
    std::vector<bool> part_is_closed_, part_is_one_sided_;
};

}  // namespace

MeshReport check(const TriangleMesh& mesh) { return Checker(mesh).run(true); }
MeshReport geometry::check_topology(const TriangleMesh& mesh) { return Checker(mesh).run(false); }

}  // namespace bristle
