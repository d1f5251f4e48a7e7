// What can be put right about a mesh without guessing.
//
// The order matters: merging vertices shows which triangles are folded or double, dropping those leaves edges of two
// triangles, over which neighbours can agree about the outside; holes have an outline only then, and a part has an
// inside only when it is closed. Nothing is done to a mesh with bad indices or infinite vertices: what they
// should have been nobody knows. Crossings are left alone.
#include <bristle/shape.h>

#include "geometry/accurate_cross.h"
#include "geometry/collider.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_edges.h"
#include "geometry/predicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace bristle {
namespace {

// A hole with more edges is an opening that someone may have wanted.
constexpr size_t most_hole_edges = 12;
// How far a hole's vertices may be out of its plane, over its size: single precision, with room.
constexpr double flatness = 1e-6;

using Triangle = std::array<uint32_t, 3>;
constexpr uint32_t nothing = std::numeric_limits<uint32_t>::max();

// Seven numbers, and how many more.
std::string list(const std::vector<uint32_t>& numbers) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(numbers.size(), 7); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", numbers[i]);
    if (numbers.size() > 7) text += fmt::format(" and {} more", numbers.size() - 7);
    return text;
}

class Repair {
  public:
    explicit Repair(const TriangleMesh& given) : mesh_(given), source_(given.triangles.size()) {
        std::iota(source_.begin(), source_.end(), 0u);
    }

    MeshRepair run() {
        for (const Triangle& t : mesh_.triangles)
            for (const uint32_t v : t)
                if (v >= mesh_.vertices.size() || !is_finite(mesh_.vertices[v]))
                    return {std::move(mesh_), {}};
        merge_vertices();
        drop_folded();
        drop_doubles();
        agree();
        close_holes();
        turn_parts();
        return {std::move(mesh_), std::move(done_)};
    }

  private:
    std::vector<HalfEdge> half_edges() const {
        return sorted_half_edges(mesh_, [](uint32_t) { return true; });
    }
    Vec3 corner(uint32_t t, size_t i) const { return mesh_.vertices[mesh_.triangles[t][i]]; }

    // Takes out the marked triangles; which they were in the mesh that was given.
    std::vector<uint32_t> drop(const std::vector<bool>& is_dropped) {
        std::vector<uint32_t> gone;
        size_t kept = 0;
        for (size_t t = 0; t < mesh_.triangles.size(); ++t) {
            if (is_dropped[t]) {
                gone.push_back(source_[t]);
                continue;
            }
            mesh_.triangles[kept] = mesh_.triangles[t];
            source_[kept] = source_[t];
            if (!mesh_.materials.empty()) mesh_.materials[kept] = mesh_.materials[t];
            ++kept;
        }
        mesh_.triangles.resize(kept);
        source_.resize(kept);
        if (!mesh_.materials.empty()) mesh_.materials.resize(kept);
        return gone;
    }

    // Vertices that no triangle has go too; the others keep their order.
    void merge_vertices() {
        std::vector<uint32_t> order(mesh_.vertices.size()), same(mesh_.vertices.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto key = [&](uint32_t i) {
            const Vec3 v = mesh_.vertices[i];
            return std::tuple(v.x, v.y, v.z, i);
        };
        // Vertices without triangles may be anything; NaN has no order.
        std::erase_if(order, [&](uint32_t i) { return !is_finite(mesh_.vertices[i]); });
        std::sort(order.begin(), order.end(),
                  [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
        size_t merged = 0;
        for (size_t i = 0; i < order.size(); ++i) {
            const bool repeats = i > 0 && mesh_.vertices[order[i]] == mesh_.vertices[order[i - 1]];
            same[order[i]] = repeats ? same[order[i - 1]] : order[i];
            merged += repeats;
        }
        if (merged == 0) return;
        std::vector<bool> is_used(mesh_.vertices.size());
        for (Triangle& t : mesh_.triangles)
            for (uint32_t& v : t) is_used[v = same[v]] = true;
        std::vector<uint32_t> number(mesh_.vertices.size());
        std::vector<Vec3> kept;
        for (size_t i = 0; i < number.size(); ++i) {
            number[i] = static_cast<uint32_t>(kept.size());
            if (is_used[i]) kept.push_back(mesh_.vertices[i]);
        }
        for (Triangle& t : mesh_.triangles)
            for (uint32_t& v : t) v = number[v];
        mesh_.vertices = std::move(kept);
        done_.push_back(fmt::format("vertices at the same place became one: {} fewer", merged));
    }

    // A triangle folded to an edge has no part in the surface. One that is flat but has three corners has: it
    // stays, unless it can be turned into its neighbour.
    void drop_folded() {
        std::vector<bool> is_folded(mesh_.triangles.size());
        for (size_t t = 0; t < mesh_.triangles.size(); ++t) {
            const Triangle& v = mesh_.triangles[t];
            is_folded[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
        }
        if (const auto gone = drop(is_folded); !gone.empty())
            done_.push_back(
                fmt::format("triangles folded to an edge or a point were dropped: {}", list(gone)));
        turn_flat_triangles();
    }

    bool is_flat(const Triangle& v) const {
        return exact_normal(mesh_.vertices[v[0]], mesh_.vertices[v[1]], mesh_.vertices[v[2]])
            == Vec3{};
    }

    // Corner c of a flat triangle lies on its edge from a to b: the triangle a, d, b beyond is cut in two
    // at c instead, which changes the surface nowhere.
    void turn_flat_triangles() {
        std::vector<uint32_t> turned;
        const auto edges = half_edges();
        std::vector<bool> is_touched(mesh_.triangles.size());
        for_each_edge(std::span<const HalfEdge>(edges), [&](std::span<const HalfEdge> at) {
            if (at.size() != 2 || at[0].is_forward == at[1].is_forward) return;
            for (size_t i : {0u, 1u}) {
                const uint32_t flat = at[i].triangle, other = at[1 - i].triangle;
                if (is_touched[flat] || is_touched[other] || !is_flat(mesh_.triangles[flat]))
                    continue;
                const uint32_t a = at[i].from(), b = at[i].to(), c = third(flat, a, b),
                               d = third(other, a, b);
                const Vec3 along = mesh_.vertices[b] - mesh_.vertices[a];
                const double place = dot(mesh_.vertices[c] - mesh_.vertices[a], along);
                const Triangle first = {c, a, d}, second = {b, c, d};
                if (!(place > 0 && place < dot(along, along)) || c == d || is_flat(first)
                    || is_flat(second))
                    continue;
                is_touched[flat] = is_touched[other] = true;
                mesh_.triangles[flat] = first;
                mesh_.triangles[other] = second;
                if (!mesh_.materials.empty()) mesh_.materials[flat] = mesh_.materials[other];
                turned.push_back(source_[flat]);
                return;
            }
        });
        std::sort(turned.begin(), turned.end());
        if (!turned.empty())
            done_.push_back(
                fmt::format("triangles without area were taken together with their neighbours: {}",
                            list(turned)));
    }

    uint32_t third(uint32_t t, uint32_t a, uint32_t b) const {
        for (const uint32_t v : mesh_.triangles[t])
            if (v != a && v != b) return v;
        return a;
    }

    // Of triangles with the same corners one stays if the surface needs it: if at each of its edges there
    // is one other. If the others close the surface without it, they were an inner wall, and all go.
    void drop_doubles() {
        std::map<Triangle, std::vector<uint32_t>> groups;
        for (uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
            Triangle v = mesh_.triangles[t];
            std::sort(v.begin(), v.end());
            groups[v].push_back(t);
        }
        std::vector<HalfEdge> edges;
        std::vector<bool> is_dropped(mesh_.triangles.size());
        for (const auto& [corners, group] : groups) {
            if (group.size() < 2) continue;
            if (edges.empty()) edges = half_edges();
            bool is_wall = group.size() % 2 == 0;
            for (size_t i = 0; i < 3; ++i) {
                const std::pair edge(std::min(corners[i], corners[(i + 1) % 3]),
                                     std::max(corners[i], corners[(i + 1) % 3]));
                const auto [from, to] = std::equal_range(
                    edges.begin(), edges.end(), HalfEdge{edge.first, edge.second, 0, true},
                    [](const HalfEdge& x, const HalfEdge& y) { return x.edge() < y.edge(); });
                const auto others = static_cast<size_t>(to - from) - group.size();
                is_wall = is_wall && others >= 2 && others % 2 == 0;
            }
            for (size_t i = is_wall ? 0 : 1; i < group.size(); ++i) is_dropped[group[i]] = true;
        }
        if (const auto gone = drop(is_dropped); !gone.empty())
            done_.push_back(fmt::format("doubles of triangles were dropped: {}", list(gone)));
    }

    // visit(members, state, is_two_sided) for what is joined over edges of two triangles: `state` is 1 for those that agree
    // with the first member, 2 for the others.
    template <class Part> void for_each_part(const Part& visit) const {
        const auto edges = half_edges();
        std::vector<std::array<uint32_t, 3>> neighbor(mesh_.triangles.size(),
                                                      {nothing, nothing, nothing});
        std::vector<std::array<bool, 3>> agrees(mesh_.triangles.size());
        std::vector<uint8_t> degree(mesh_.triangles.size());
        for_each_edge(std::span<const HalfEdge>(edges), [&](std::span<const HalfEdge> at) {
            if (at.size() != 2) return;
            for (size_t i : {0u, 1u}) {
                const uint32_t t = at[i].triangle;
                neighbor[t][degree[t]] = at[1 - i].triangle;
                agrees[t][degree[t]++] = at[0].is_forward != at[1].is_forward;
            }
        });
        std::vector<uint8_t> state(mesh_.triangles.size());  // 0 unseen, 1 as the first, 2 turned
        std::vector<uint32_t> members;
        for (uint32_t seed = 0; seed < mesh_.triangles.size(); ++seed) {
            if (state[seed] != 0) continue;
            members = {seed};
            state[seed] = 1;
            bool is_two_sided = true;
            for (size_t i = 0; i < members.size(); ++i) {
                const uint32_t t = members[i];
                for (size_t k = 0; k < degree[t]; ++k) {
                    const uint32_t next = neighbor[t][k];
                    const uint8_t wanted =
                        agrees[t][k] ? state[t] : static_cast<uint8_t>(3 - state[t]);
                    if (state[next] == 0) {
                        state[next] = wanted;
                        members.push_back(next);
                    }
                    is_two_sided = is_two_sided && state[next] == wanted;
                }
            }
            visit(members, state, is_two_sided);
        }
    }

    void reverse(uint32_t t) { std::swap(mesh_.triangles[t][1], mesh_.triangles[t][2]); }

    // The fewer give way to the more, in each part; one-sided surfaces stay as they are.
    void agree() {
        std::vector<uint32_t> wrong;
        for_each_part([&](const std::vector<uint32_t>& members, const std::vector<uint8_t>& state,
                          bool is_two_sided) {
            if (!is_two_sided) return;
            const auto turned = static_cast<size_t>(std::count_if(
                members.begin(), members.end(), [&](uint32_t t) { return state[t] == 2; }));
            const uint8_t fewer = 2 * turned > members.size() ? 1 : 2;
            for (const uint32_t t : members)
                if (state[t] == fewer) wrong.push_back(t);
        });
        std::vector<uint32_t> names;
        for (const uint32_t t : wrong) {
            reverse(t);
            names.push_back(source_[t]);
        }
        std::sort(names.begin(), names.end());
        if (!names.empty())
            done_.push_back(
                fmt::format("triangles that disagreed with their neighbours about the outside were "
                            "reversed: {}",
                            list(names)));
    }

    // ---- Holes ---------------------------------------------------------------------------------

    struct Hole {
        std::vector<uint32_t> loop;  // vertices, counter-clockwise as its triangles will be
        uint32_t beside;             // a triangle at its edge
    };

    // Outlines in which every vertex has one way on.
    std::vector<Hole> holes() const {
        std::map<uint32_t, std::pair<uint32_t, uint32_t>> next;  // vertex, triangle
        std::map<uint32_t, int> ways;
        const auto edges = half_edges();
        for_each_edge(std::span<const HalfEdge>(edges), [&](std::span<const HalfEdge> at) {
            if (at.size() != 1) return;
            next[at[0].to()] = {at[0].from(), at[0].triangle};
            ++ways[at[0].to()];
        });
        std::vector<Hole> found;
        std::map<uint32_t, bool> is_seen;
        for (const auto& [start, way] : next) {
            if (is_seen[start]) continue;
            Hole hole{{}, way.second};
            bool is_simple = true;
            uint32_t v = start;
            do {
                is_seen[v] = true;
                hole.loop.push_back(v);
                is_simple = is_simple && ways[v] == 1;
                const auto on = next.find(v);
                if (on == next.end()) {
                    is_simple = false;
                    break;
                }
                v = on->second.first;
            } while (v != start && !is_seen[v]);
            if (is_simple && v == start && hole.loop.size() >= 3
                && hole.loop.size() <= most_hole_edges)
                found.push_back(std::move(hole));
        }
        return found;
    }

    // Ears cut off one after the other, seen along the normal; nothing if it is not flat or turns over itself.
    std::optional<std::vector<Triangle>> filled(const Hole& hole) const {
        const auto at = [&](uint32_t v) {
            return mesh_.vertices[v] - mesh_.vertices[hole.loop[0]];
        };
        Vec3 normal;
        double size = 0;
        for (size_t i = 0; i < hole.loop.size(); ++i) {
            normal += accurate_cross(at(hole.loop[i]), at(hole.loop[(i + 1) % hole.loop.size()]));
            size = std::max(size, norm(at(hole.loop[i])));
        }
        if (!(norm(normal) > flatness * size * size)) return {};
        normal = normalized(normal);
        for (const uint32_t v : hole.loop)
            if (std::abs(dot(normal, at(v))) > flatness * size) return {};
        const auto turn = [&](uint32_t a, uint32_t b, uint32_t c) {
            return dot(normal, accurate_cross(at(b) - at(a), at(c) - at(a)));
        };
        std::vector<uint32_t> loop = hole.loop;
        std::vector<Triangle> triangles;
        const double least = 1e-10 * size * size;
        while (loop.size() > 3) {
            bool is_cut = false;
            for (size_t i = 0; i < loop.size() && !is_cut; ++i) {
                const uint32_t a = loop[(i + loop.size() - 1) % loop.size()], b = loop[i],
                               c = loop[(i + 1) % loop.size()];
                if (turn(a, b, c) <= least) continue;
                const bool is_free = std::all_of(loop.begin(), loop.end(), [&](uint32_t p) {
                    return p == a || p == b || p == c || turn(a, b, p) < 0 || turn(b, c, p) < 0
                        || turn(c, a, p) < 0;
                });
                if (!is_free) continue;
                triangles.push_back({a, b, c});
                loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i));
                is_cut = true;
            }
            if (!is_cut) return {};
        }
        if (turn(loop[0], loop[1], loop[2]) <= least) return {};
        triangles.push_back({loop[0], loop[1], loop[2]});
        return triangles;
    }

    // Only where that makes a part a body: a floor has an outline too, but filled it would enclose nothing.
    void close_holes() {
        const std::vector<Hole> found = holes();
        if (found.empty()) return;
        std::vector<uint32_t> part(mesh_.triangles.size());
        std::vector<double> volume, area;
        std::vector<size_t> open;  // edges
        for_each_part([&](const std::vector<uint32_t>& members, const std::vector<uint8_t>&, bool) {
            for (const uint32_t t : members) part[t] = static_cast<uint32_t>(volume.size());
            volume.push_back(0);
            area.push_back(0);
            open.push_back(0);
        });
        const Vec3 o = mesh_.vertices[mesh_.triangles[0][0]];
        const auto add = [&](uint32_t p, const Triangle& v) {
            const Vec3 a = mesh_.vertices[v[0]],
                       n = accurate_cross(mesh_.vertices[v[1]] - a, mesh_.vertices[v[2]] - a);
            volume[p] += dot(a - o, n) / 6;
            area[p] += norm(n) / 2;
        };
        const auto edges = half_edges();
        for_each_edge(std::span<const HalfEdge>(edges), [&](std::span<const HalfEdge> at) {
            if (at.size() == 1) ++open[part[at[0].triangle]];
        });
        for (uint32_t t = 0; t < mesh_.triangles.size(); ++t) add(part[t], mesh_.triangles[t]);
        std::vector<std::optional<std::vector<Triangle>>> lids;
        for (const Hole& hole : found) {
            lids.push_back(filled(hole));
            if (!lids.back()) continue;
            open[part[hole.beside]] -= hole.loop.size();
            for (const Triangle& v : *lids.back()) add(part[hole.beside], v);
        }
        for (size_t i = 0; i < found.size(); ++i) {
            const uint32_t p = part[found[i].beside];
            if (!lids[i] || open[p] != 0 || !(std::abs(volume[p]) > 1e-6 * std::pow(area[p], 1.5)))
                continue;
            for (const Triangle& v : *lids[i]) {
                mesh_.triangles.push_back(v);
                if (!mesh_.materials.empty())
                    mesh_.materials.push_back(mesh_.materials[found[i].beside]);
                source_.push_back(source_[found[i].beside]);
            }
            done_.push_back(fmt::format("a flat hole of {} edges beside triangle {} was closed",
                                        found[i].loop.size(), source_[found[i].beside]));
        }
    }

    // From outside to inside: what is around a hollow decides whether it is one.
    void turn_parts() {
        while (turn_outer_parts()) {
        }
    }

    bool turn_outer_parts() {
        std::vector<bool> is_named(mesh_.triangles.size());
        const MeshReport report = check_topology(mesh_);
        for (const MeshReport::Problem& p : report.problems)
            if (p.kind == MeshReport::Kind::inside_out) is_named[p.triangle] = true;
        struct Part {
            std::vector<uint32_t> members;
            uint32_t named;
            Aabb box;
        };
        std::vector<Part> parts;
        for_each_part([&](const std::vector<uint32_t>& members, const std::vector<uint8_t>&, bool) {
            const auto named = std::find_if(members.begin(), members.end(),
                                            [&](uint32_t t) { return is_named[t]; });
            if (named == members.end()) return;
            Aabb box{corner(members[0], 0), corner(members[0], 0)};
            for (const uint32_t t : members)
                for (size_t k = 0; k < 3; ++k)
                    for (int i = 0; i < 3; ++i) {
                        box.low[i] = std::min(box.low[i], corner(t, k)[i]);
                        box.high[i] = std::max(box.high[i], corner(t, k)[i]);
                    }
            parts.push_back({members, *named, box});
        });
        const auto is_within = [](const Aabb& a, const Aabb& b) {
            for (int i = 0; i < 3; ++i)
                if (!(a.low[i] > b.low[i] && a.high[i] < b.high[i])) return false;
            return true;
        };
        for (const Part& p : parts) {
            if (std::any_of(parts.begin(), parts.end(),
                            [&](const Part& o) { return is_within(p.box, o.box); }))
                continue;
            for (const uint32_t t : p.members) reverse(t);
            done_.push_back(
                fmt::format("the part of triangle {}, {} triangles, was inside out and "
                            "is turned",
                            source_[p.named], p.members.size()));
        }
        return !parts.empty();
    }

    TriangleMesh mesh_;
    std::vector<uint32_t> source_;  // of every triangle, in the mesh that was given
    std::vector<std::string> done_;
};

}  // namespace

MeshRepair repaired(const TriangleMesh& mesh) { return Repair(mesh).run(); }

}  // namespace bristle
