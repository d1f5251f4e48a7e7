#include "lagrange/coordinates.h"

#include "base/assert.h"
#include "base/union_find.h"
#include "lagrange/demands.h"
#include "lagrange/numerics.h"
#include "math/symmetric_eigen.h"
#include "model/joint_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace bristle::lagrange {

namespace {

struct Node {
    bool is_vector = false;
    Vec3 start;
    bool is_defined = false;
    Combination now;
    std::set<uint32_t> holders;  // groups, described so far, that this node is rigidly part of
};

// One direction of a group's frame: a vector node, or the way from the group's base point to another.
struct Spoke {
    uint32_t node;
    Vec3 start;
    Combination now;
};

Vec3 part_outside(Vec3 v, const std::vector<Vec3>& orthonormal) {
    for (Vec3 u : orthonormal) v -= dot(u, v) * u;
    for (Vec3 u : orthonormal) v -= dot(u, v) * u;
    return v;
}

class Chooser {
  public:
    explicit Chooser(const Model& model) : model_(model) {}

    NaturalCoordinates choose() {
        weld_groups();
        share_orientations();
        share_nodes();
        demand_ = group_demands(model_, out_);
        out_.outward = outward_order(model_, out_);
        for (uint32_t group : out_.outward) describe(group);
        collect_nodes();
        return std::move(out_);
    }

  private:
    // ---- Groups -----------------------------------------------------------------------------

    void weld_groups() {
        mechanics::Welding welding = mechanics::weld(model_);
        out_.size = mechanics::model_size(model_, welding);
        out_.group_of = std::move(welding.group_of);
        for (mechanics::WeldedGroup& g : welding.groups) out_.groups.push_back({std::move(g)});
    }

    uint32_t group(BodyId body) const { return out_.group_of[body.index]; }

    // ---- What joints make common --------------------------------------------------------------

    void share_orientations() {
        orientation_ = UnionFind(out_.groups.size());
        for (const Joint& j : model_.joints())
            if (model::kind_of(j).turn == model::Turn::none)
                orientation_.unite(group(j.a), group(j.b));
        partners_.assign(out_.groups.size(), 0);
        for (uint32_t g = 0; g < out_.groups.size(); ++g) ++partners_[orientation_.find(g)];
        points_.resize(out_.groups.size());
        vectors_.resize(out_.groups.size());
    }

    uint32_t new_node(bool is_vector, Vec3 start) {
        nodes_.push_back({.is_vector = is_vector, .start = start, .now = {}, .holders = {}});
        return same_.add();
    }

    uint32_t point_node(BodyId body, Vec3 at) {
        auto& mine = points_[group(body)];
        for (uint32_t n : mine)
            if (norm(nodes_[n].start - at) <= same_place * out_.size) return n;
        mine.push_back(new_node(false, at));
        return mine.back();
    }

    uint32_t vector_node(BodyId body, Vec3 axis) {
        auto& mine = vectors_[orientation_.find(group(body))];
        for (uint32_t n : mine)
            if (norm(cross(nodes_[n].start, axis)) <= same_direction) return n;
        mine.push_back(new_node(true, axis));
        return mine.back();
    }

    void share_nodes() {
        for (const Joint& j : model_.joints()) {
            const model::JointKind& kind = model::kind_of(j);
            if (model::is_weld(j)) continue;
            if (kind.turn == model::Turn::about_axis)
                same_.unite(vector_node(j.a, j.axis), vector_node(j.b, j.axis));
            if (kind.place == model::Place::point)
                same_.unite(point_node(j.a, j.at_a), point_node(j.b, j.at_b));
            if (kind.turn == model::Turn::crossed || kind.turn == model::Turn::none)
                vector_node(j.a, j.axis);
            if (kind.turn == model::Turn::crossed) vector_node(j.b, j.axis_b);
        }
        const auto to_roots = [&](std::vector<uint32_t>& list) {
            for (uint32_t& n : list) n = same_.find(n);
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        };
        for (auto& list : points_) to_roots(list);
        for (auto& list : vectors_) to_roots(list);
    }

    // ---- Describing one group -------------------------------------------------------------------

    Combination new_entity(Vec3 start, bool is_vector) {
        out_.entity_start.push_back(start);
        out_.entity_is_vector.push_back(is_vector);
        return {{}, {{static_cast<uint32_t>(out_.entity_start.size() - 1), 1.0}}};
    }

    void define(Node& node, Combination now) {
        node.now = std::move(now);
        node.is_defined = true;
    }

    void describe_ground() {
        RigidGroup& ground = out_.groups[0];
        ground.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (Vec3 axis : ground.axes) ground.axis_now.push_back({axis, {}});
        for (auto* list : {&points_[0], &vectors_[0]}) {
            for (uint32_t n : *list) {
                define(nodes_[n], {nodes_[n].start, {}});
                nodes_[n].holders.insert(0);
            }
        }
    }

    void set_size(RigidGroup& group, const GroupDemand& demand) const {
        group.size = std::sqrt(group.second_moment.trace() / group.mass);
        for (Vec3 p : demand.points) group.size = std::max(group.size, norm(p - group.center));
        if (!(group.size > 1e-9 * out_.size)) group.size = out_.size;
    }

    // A group that turns with the ground has every constant vector for nothing.
    void hold_constant_vectors(uint32_t orientation) {
        for (Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const uint32_t n = new_node(true, axis);
            define(nodes_[n], {axis, {}});
            vectors_[orientation].push_back(n);
            for (uint32_t g = 0; g < out_.groups.size(); ++g)
                if (orientation_.find(g) == orientation) nodes_[n].holders.insert(g);
        }
    }

    void describe(uint32_t index) {
        if (index == 0) return describe_ground();
        RigidGroup& group = out_.groups[index];
        const uint32_t orientation = orientation_.find(index);
        const bool turns_with_ground = orientation == orientation_.find(0);
        const GroupDemand& demand = demand_[index];

        set_size(group, demand);
        if (turns_with_ground) hold_constant_vectors(orientation);
        std::vector<uint32_t>& points = points_[index];
        std::vector<uint32_t>& vectors = vectors_[orientation];

        const size_t others = out_.entity_start.size();
        const uint32_t base = choose_base(group, points);
        group.base_is_own = out_.entity_start.size() > others;
        std::vector<Spoke> spokes;
        std::vector<Vec3> span;
        spokes.reserve(3);
        span.reserve(3);
        const auto start_of = [&](uint32_t n) {
            return nodes_[n].is_vector ? nodes_[n].start
                                       : (nodes_[n].start - nodes_[base].start) / group.size;
        };
        const auto add_spoke = [&](uint32_t n) {
            const Node& node = nodes_[n];
            if (node.is_vector)
                spokes.push_back({n, node.start, node.now});
            else
                spokes.push_back({n, node.start - nodes_[base].start, node.now - nodes_[base].now});
            span.push_back(normalized(part_outside(start_of(n), span)));
        };
        const auto take_best = [&](const std::vector<uint32_t>& candidates, bool defined) {
            while (span.size() < 3) {
                uint32_t best = none;
                double most = well_conditioned;
                for (uint32_t n : candidates) {
                    if (n == base || nodes_[n].is_defined != defined) continue;
                    const double outside = norm(part_outside(start_of(n), span));
                    // A tie goes to the first, whatever rounding says.
                    if (outside > most * (1 + 1e-9)) {
                        most = outside;
                        best = n;
                    }
                }
                if (best == none) break;
                if (!defined)
                    define(nodes_[best], new_entity(nodes_[best].start, nodes_[best].is_vector));
                add_spoke(best);
            }
        };
        const auto add_vector = [&](Vec3 direction) {
            const Vec3 outside = part_outside(direction, span);
            if (span.size() == 3 || norm(outside) <= negligible) return;
            const uint32_t n = new_node(true, normalized(outside));
            define(nodes_[n], new_entity(nodes_[n].start, true));
            vectors.push_back(n);
            add_spoke(n);
        };
        take_best(vectors, true);
        if (partners_[orientation] > 1) {
            // Prismatic partners turn as one: each is described by the same three vectors.
            take_best(vectors, false);
            for (int k = 0; k < 3; ++k)
                add_vector(symmetric_eigen(group.second_moment).axes.column(k));
        }
        take_best(points, true);
        take_best(vectors, false);
        take_best(points, false);
        add_own_vectors(group, demand, nodes_[base].start, span, add_vector);

        for (size_t e = others; e < out_.entity_start.size(); ++e)
            group.own.push_back(static_cast<uint32_t>(e));
        group.base = nodes_[base].now;
        set_frame(group, nodes_[base], spokes);
        impose_rigidity(base, spokes);
        for (const Spoke& s : spokes) hold(s.node, index);
        hold(base, index);
        for (uint32_t n : points) attach(n, index);
        for (uint32_t n : vectors) attach(n, index);
    }

    // The point that other points are measured from: constant if there is one, else one that exists,
    // else one of a joint, else the centre of mass.
    uint32_t choose_base(const RigidGroup& group, std::vector<uint32_t>& points) {
        uint32_t best = none;
        int best_rank = -1;
        for (uint32_t n : points) {
            const int rank = !nodes_[n].is_defined ? 0 : nodes_[n].now.is_constant() ? 2 : 1;
            if (rank > best_rank) {
                best = n;
                best_rank = rank;
            }
        }
        if (best == none) {
            best = new_node(false, group.center);
            points.push_back(best);
        }
        if (!nodes_[best].is_defined) define(nodes_[best], new_entity(nodes_[best].start, false));
        return best;
    }

    // Vectors of the group's own, until its mass and all that is attached to it are spanned.
    template <class AddVector>
    static void add_own_vectors(const RigidGroup& group, const GroupDemand& demand, Vec3 from,
                                const std::vector<Vec3>& span, const AddVector& add_vector) {
        std::vector<Vec3> wanted;
        wanted.reserve(4 + demand.points.size() + demand.directions.size());
        const auto [moments, axes] = symmetric_eigen(group.second_moment);
        const double largest = std::max(
            {moments.x, moments.y, moments.z, group.mass * group.size * group.size * 1e-12});
        for (int k = 0; k < 3; ++k)
            if (moments[k] > 1e-12 * largest) wanted.push_back(axes.column(k));
        wanted.push_back((group.center - from) / group.size);
        for (Vec3 p : demand.points) wanted.push_back((p - from) / group.size);
        for (Vec3 d : demand.directions) wanted.push_back(d);
        for (Vec3 direction : wanted) add_vector(direction);
        // To measure an angle, something must point away from the axis.
        for (Vec3 axis : demand.turning_axes) {
            const bool points_away = std::any_of(span.begin(), span.end(), [&](Vec3 u) {
                return norm(part_outside(u, {axis})) > 0.1;
            });
            if (!points_away) add_vector(any_perpendicular(axis));
        }
    }

    void set_frame(RigidGroup& group, const Node& base, const std::vector<Spoke>& spokes) {
        group.axes.reserve(spokes.size());
        group.axis_now.reserve(spokes.size());
        // Orthonormal axes from the spokes (Gram–Schmidt), keeping the combinations.
        for (const Spoke& spoke : spokes) {
            Vec3 axis = spoke.start;
            Combination now = spoke.now;
            for (int pass = 0; pass < 2; ++pass) {
                for (size_t k = 0; k < group.axes.size(); ++k) {
                    const double c = dot(group.axes[k], axis);
                    axis -= c * group.axes[k];
                    now.add(-c, group.axis_now[k]);
                }
            }
            const double length = norm(axis);
            Combination unit;
            unit.add(1 / length, now);
            group.axes.push_back(axis / length);
            group.axis_now.push_back(std::move(unit));
        }
        group.origin = base.now;
        for (size_t k = 0; k < group.axes.size(); ++k)
            group.origin.add(dot(group.axes[k], group.center - base.start), group.axis_now[k]);
    }

    // Whether one group described before holds all these nodes.
    bool rigid_already(std::initializer_list<uint32_t> nodes) const {
        const uint32_t rarest =
            *std::min_element(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) {
                return nodes_[a].holders.size() < nodes_[b].holders.size();
            });
        const auto& candidates = nodes_[rarest].holders;
        return std::any_of(candidates.begin(), candidates.end(), [&](uint32_t group) {
            return std::all_of(nodes.begin(), nodes.end(),
                               [&](uint32_t n) { return is_held(n, group); });
        });
    }

    void impose_rigidity(uint32_t base, const std::vector<Spoke>& spokes) {
        for (size_t i = 0; i < spokes.size(); ++i) {
            for (size_t j = i; j < spokes.size(); ++j) {
                const Spoke &a = spokes[i], &b = spokes[j];
                const bool a_points = !nodes_[a.node].is_vector,
                           b_points = !nodes_[b.node].is_vector;
                if (a_points || b_points ? rigid_already({a.node, b.node, base})
                                         : rigid_already({a.node, b.node}))
                    continue;
                if (a.now.is_constant() && b.now.is_constant()) continue;
                const double length_a = norm(a.start), length_b = norm(b.start);
                double scale = 1;
                if (i == j)
                    scale = 0.5 / length_a;
                else if (a_points && b_points)
                    scale = 1 / std::max(length_a, length_b);
                out_.rigidity.push_back(
                    {a.now, b.now, dot(a.start, b.start), scale, a_points || b_points});
            }
        }
    }

    void hold(uint32_t n, uint32_t index) { nodes_[n].holders.insert(index); }
    bool is_held(uint32_t n, uint32_t index) const { return nodes_[n].holders.contains(index); }

    // A node that is no part of the basis: virtual if it is new, tied by a closure if it exists.
    void attach(uint32_t n, uint32_t index) {
        if (is_held(n, index)) return;
        Node& node = nodes_[n];
        const RigidGroup& group = out_.groups[index];
        // Vectors belong to an orientation: prismatic partners need not tie them again.
        if (node.is_vector) {
            for (uint32_t g : node.holders) {
                if (g != 0 && orientation_.find(g) == orientation_.find(index)) {
                    hold(n, index);
                    return;
                }
            }
        }
        Combination now;
        if (!represent(group, node.start, node.is_vector, now)) {
            // Only an orientation's vector may be out of a partner's reach; its own group will tie it.
            BRISTLE_DEMAND(node.is_vector);
            return;
        }
        if (!node.is_defined) {
            define(node, std::move(now));
        } else {
            Combination gap = now - node.now;
            const bool says_something =
                std::any_of(gap.terms.begin(), gap.terms.end(),
                            [](const auto& t) { return std::abs(t.coefficient) > 1e-9; });
            if (says_something) out_.closures.push_back({std::move(gap)});
        }
        hold(n, index);
    }

    static bool represent(const RigidGroup& group, Vec3 start, bool is_vector, Combination& now) {
        if (!is_vector) {
            start -= group.center;
            now = group.origin;
        }
        for (size_t k = 0; k < group.axes.size(); ++k)
            now.add(dot(group.axes[k], start), group.axis_now[k]);
        return norm(part_outside(start, group.axes))
            <= 10 * negligible * (is_vector ? 1 : group.size);
    }

    void collect_nodes() {
        out_.nodes.resize(out_.groups.size());
        for (uint32_t g = 0; g < out_.groups.size(); ++g) {
            out_.nodes[g].reserve(points_[g].size() + vectors_[orientation_.find(g)].size());
            for (uint32_t n : points_[g])
                if (nodes_[n].is_defined)
                    out_.nodes[g].push_back({nodes_[n].start, false, nodes_[n].now});
            for (uint32_t n : vectors_[orientation_.find(g)])
                if (nodes_[n].is_defined)
                    out_.nodes[g].push_back({nodes_[n].start, true, nodes_[n].now});
        }
    }

    const Model& model_;
    NaturalCoordinates out_;
    std::vector<Node> nodes_;
    UnionFind same_, orientation_;
    std::vector<std::vector<uint32_t>> points_;  // of every group
    std::vector<std::vector<uint32_t>>
        vectors_;                   // of every orientation, at the index of its root group
    std::vector<size_t> partners_;  // groups of every orientation, at the same index
    std::vector<GroupDemand> demand_;
};

}  // namespace

NaturalCoordinates choose_coordinates(const Model& model) { return Chooser(model).choose(); }

std::set<uint32_t> entities_of(const RigidGroup& g) {
    std::set<uint32_t> all;
    for (const auto& t : g.origin.terms) all.insert(t.entity);
    for (const Combination& axis : g.axis_now)
        for (const auto& t : axis.terms) all.insert(t.entity);
    return all;
}

}  // namespace bristle::lagrange
