#include "lagrange/coordinates.h"

#include "base/assert.h"
#include "base/union_find.h"
#include "math/symmetric_eigen.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

namespace bristle::lagrange {

Combination& Combination::add(double factor, const Combination& other) {
    constant += factor * other.constant;
    // What cancels but for rounding is zero: as a term it would cost as much as any other, and as the
    // only one left it would make a constraint of nothing.
    double largest = 0;
    for (const Term& t : terms) largest = std::max(largest, std::abs(t.coefficient));
    for (const Term& t : other.terms) largest = std::max(largest, std::abs(factor * t.coefficient));
    std::vector<Term> sum;
    sum.reserve(terms.size() + other.terms.size());
    auto i = terms.begin();
    auto j = other.terms.begin();
    while (i != terms.end() || j != other.terms.end()) {
        if (j == other.terms.end() || (i != terms.end() && i->entity < j->entity)) {
            sum.push_back(*i++);
        } else if (i == terms.end() || j->entity < i->entity) {
            sum.push_back({j->entity, factor * j->coefficient});
            ++j;
        } else {
            const double c = i->coefficient + factor * j->coefficient;
            if (std::abs(c) > 1e-12 * largest) sum.push_back({i->entity, c});
            ++i;
            ++j;
        }
    }
    terms = std::move(sum);
    return *this;
}

Vec3 Combination::at(const std::vector<Vec3>& entities) const {
    Vec3 value = constant;
    for (const Term& t : terms) value += t.coefficient * entities[t.entity];
    return value;
}

namespace {

constexpr double same_direction = 1e-10,
                 same_place = 1e-10;      // relative: closer than this is the same node
constexpr double well_conditioned = 0.1;  // part of a candidate outside the span so far
constexpr double negligible = 1e-7;       // part of a demand that need not be spanned

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
        collect_demands();
        for (uint32_t group : outward_order()) describe(group);
        collect_nodes();
        return std::move(out_);
    }

  private:
    // ---- Groups -----------------------------------------------------------------------------

    void weld_groups() {
        const auto& bodies = model_.bodies();
        UnionFind welded(bodies.size());
        for (const Joint& j : model_.joints())
            if (j.type == JointType::fixed) welded.unite(j.a.index, j.b.index);
        out_.group_of.assign(bodies.size(), none);
        for (uint32_t i = 0; i < bodies.size(); ++i) {
            uint32_t& group = out_.group_of[welded.find(i)];
            if (group == none) {
                group = static_cast<uint32_t>(out_.groups.size());
                out_.groups.emplace_back().is_ground = i == 0;
            }
            out_.group_of[i] = group;
            out_.groups[group].bodies.push_back({i});
        }
        Vec3 low{unlimited, unlimited, unlimited}, high = -low;
        const auto stretch = [&](Vec3 p) {
            for (int k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
        };
        for (RigidGroup& group : out_.groups) {
            if (group.is_ground) continue;
            sum_mass(group);
            stretch(group.center);
        }
        for (const Joint& j : model_.joints()) {
            if (j.type == JointType::gear) continue;
            stretch(j.at_a);
            stretch(j.at_b);
        }
        const double diagonal = norm(high - low);
        out_.size = std::isfinite(diagonal) && diagonal > 0 ? diagonal : 1;
        for (const RigidGroup& group : out_.groups)
            if (!group.is_ground)
                out_.size =
                    std::max(out_.size, std::sqrt(group.second_moment.trace() / group.mass));
    }

    void sum_mass(RigidGroup& group) const {
        for (BodyId id : group.bodies) {
            const Body& b = model_.bodies()[id.index];
            group.mass += b.mass;
            group.center += b.mass * (Pose{b.position, b.orientation} * b.center);
        }
        group.center *= 1 / group.mass;
        for (BodyId id : group.bodies) {
            const Body& b = model_.bodies()[id.index];
            const Mat3 r = b.orientation.matrix();
            const Vec3 d = Pose{b.position, b.orientation} * b.center - group.center;
            // ∫ x xᵀ dm = ½ tr(I) 1 − I
            const Mat3 own = 0.5 * b.inertia.trace() * Mat3::identity() - b.inertia;
            group.second_moment =
                group.second_moment + r * own * r.transposed() + b.mass * Mat3::outer(d, d);
        }
    }

    uint32_t group(BodyId body) const { return out_.group_of[body.index]; }

    // ---- What joints make common --------------------------------------------------------------

    void share_orientations() {
        orientation_ = UnionFind(out_.groups.size());
        for (const Joint& j : model_.joints())
            if (j.type == JointType::prismatic) orientation_.unite(group(j.a), group(j.b));
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
            switch (j.type) {
                case JointType::revolute:
                    same_.unite(vector_node(j.a, j.axis), vector_node(j.b, j.axis));
                    [[fallthrough]];
                case JointType::spherical:
                    same_.unite(point_node(j.a, j.at_a), point_node(j.b, j.at_b));
                    break;
                case JointType::universal:
                    same_.unite(point_node(j.a, j.at_a), point_node(j.b, j.at_b));
                    vector_node(j.a, j.axis);
                    vector_node(j.b, j.axis_b);
                    break;
                case JointType::cylindrical:
                case JointType::screw:
                case JointType::planar:
                    same_.unite(vector_node(j.a, j.axis), vector_node(j.b, j.axis));
                    break;
                case JointType::prismatic: vector_node(j.a, j.axis); break;
                default: break;
            }
        }
        const auto to_roots = [&](std::vector<uint32_t>& list) {
            for (uint32_t& n : list) n = same_.find(n);
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        };
        for (auto& list : points_) to_roots(list);
        for (auto& list : vectors_) to_roots(list);
    }

    // ---- What each group must be able to represent ----------------------------------------------

    struct Demand {
        std::vector<Vec3> points, directions, turning_axes;
    };

    void collect_demands() {
        demand_.resize(out_.groups.size());
        const auto point = [&](BodyId body, Vec3 at) { demand_[group(body)].points.push_back(at); };
        const auto direction = [&](BodyId body, Vec3 d) {
            demand_[group(body)].directions.push_back(d);
        };
        const auto across = [&](BodyId body, Vec3 axis) {
            const Vec3 u = any_perpendicular(axis);
            direction(body, u);
            direction(body, cross(axis, u));
        };
        for (const Joint& j : model_.joints()) {
            if (j.type == JointType::gear || j.type == JointType::fixed) continue;
            point(j.a, j.at_a);
            point(j.b, j.at_b);
            switch (j.type) {
                case JointType::revolute:
                case JointType::planar:
                    direction(j.a, j.axis);
                    direction(j.b, j.axis);
                    break;
                case JointType::universal:
                    direction(j.a, j.axis);
                    direction(j.b, j.axis_b);
                    break;
                case JointType::cylindrical:
                case JointType::screw: direction(j.b, j.axis); [[fallthrough]];
                case JointType::prismatic:
                    direction(j.a, j.axis);
                    across(j.a, j.axis);
                    break;
                case JointType::point_on_line: across(j.a, j.axis); break;
                case JointType::point_on_plane: direction(j.a, j.axis); break;
                default: break;
            }
        }
        const auto turns = [&](JointId id) {
            const Joint& j = model_.joints()[id.index];
            if (j.type != JointType::revolute && j.type != JointType::screw) return;
            for (BodyId body : {j.a, j.b}) demand_[group(body)].turning_axes.push_back(j.axis);
        };
        for (uint32_t i = 0; i < model_.joints().size(); ++i) {
            const Joint& j = model_.joints()[i];
            if (j.type == JointType::gear) {
                turns(j.first);
                turns(j.second);
            } else if (j.type == JointType::screw) {
                turns({i});
            }
        }
        for (const auto& d : model_.drives()) turns(d.joint);
        for (const auto& l : model_.limits()) turns(l.joint);
        for (const auto& c : model_.coordinates()) turns(c.joint);
        for (const auto& s : model_.joint_springs()) turns(s.joint);
        for (const auto& m : model_.motors()) turns(m.joint);
        for (const auto& s : model_.springs()) {
            point(s.a, s.at_a);
            point(s.b, s.at_b);
        }
        // What can touch anywhere needs all directions, unless it is a rod or a point: those have no
        // inertia about themselves, and what touches them acts on their axis.
        for (const auto& s : model_.shapes()) {
            const uint32_t g = group(s.body);
            if (out_.groups[g].is_ground) continue;
            const Vec3 moments = symmetric_eigen(out_.groups[g].second_moment).values;
            const double largest = std::max({moments.x, moments.y, moments.z});
            int flat = 0;
            for (int k = 0; k < 3; ++k) flat += moments[k] <= 1e-12 * largest;
            if (flat > 1 || !(largest > 0)) continue;
            for (Vec3 d : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) direction(s.body, d);
        }
        for (const auto& b : model_.bushings()) {
            const auto frame = [&](BodyId body, Vec3 at, const Mat3& axes) {
                point(body, at);
                for (int k = 0; k < 3; ++k) direction(body, axes.column(k));
            };
            frame(b.a, b.at, b.axes.matrix());
            frame(b.b, b.at_b.value_or(b.at), b.axes_b.value_or(b.axes).matrix());
        }
    }

    // Breadth first over joints, from the ground and then from the heaviest group not yet reached.
    std::vector<uint32_t> outward_order() const {
        const size_t count = out_.groups.size();
        std::vector<std::vector<uint32_t>> neighbours(count);
        for (const Joint& j : model_.joints()) {
            if (j.type == JointType::gear) continue;
            neighbours[group(j.a)].push_back(group(j.b));
            neighbours[group(j.b)].push_back(group(j.a));
        }
        std::vector<uint32_t> seeds(count);
        std::iota(seeds.begin(), seeds.end(), 0u);
        std::stable_sort(seeds.begin() + 1, seeds.end(), [&](uint32_t i, uint32_t j) {
            return out_.groups[i].mass > out_.groups[j].mass;
        });
        std::vector<bool> reached(count, false);
        std::vector<uint32_t> order;
        for (uint32_t seed : seeds) {
            if (reached[seed]) continue;
            std::deque<uint32_t> queue{seed};
            reached[seed] = true;
            while (!queue.empty()) {
                order.push_back(queue.front());
                for (uint32_t n : neighbours[queue.front()]) {
                    if (reached[n]) continue;
                    reached[n] = true;
                    queue.push_back(n);
                }
                queue.pop_front();
            }
        }
        return order;
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

    void describe(uint32_t index) {
        if (index == 0) return describe_ground();
        RigidGroup& group = out_.groups[index];
        const uint32_t orientation = orientation_.find(index);
        const bool turns_with_ground = orientation == orientation_.find(0);
        const Demand& demand = demand_[index];

        group.size = std::sqrt(group.second_moment.trace() / group.mass);
        for (Vec3 p : demand.points) group.size = std::max(group.size, norm(p - group.center));
        if (!(group.size > 1e-9 * out_.size)) group.size = out_.size;

        // A group that turns with the ground has every constant vector for nothing.
        if (turns_with_ground) {
            for (Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
                const uint32_t n = new_node(true, axis);
                define(nodes_[n], {axis, {}});
                vectors_[orientation].push_back(n);
                for (uint32_t g = 0; g < out_.groups.size(); ++g)
                    if (orientation_.find(g) == orientation) nodes_[n].holders.insert(g);
            }
        }
        std::vector<uint32_t>& points = points_[index];
        std::vector<uint32_t>& vectors = vectors_[orientation];

        const uint32_t base = choose_base(group, points);
        std::vector<Spoke> spokes;
        std::vector<Vec3> span;
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
        if (partners(orientation) > 1) {
            // Prismatic partners turn as one: each is described by the same three vectors.
            take_best(vectors, false);
            for (int k = 0; k < 3; ++k)
                add_vector(symmetric_eigen(group.second_moment).axes.column(k));
        }
        take_best(points, true);
        take_best(vectors, false);
        take_best(points, false);
        add_own_vectors(group, demand, nodes_[base].start, span, add_vector);

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
    static void add_own_vectors(const RigidGroup& group, const Demand& demand, Vec3 from,
                                const std::vector<Vec3>& span, const AddVector& add_vector) {
        std::vector<Vec3> wanted;
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

    size_t partners(uint32_t orientation) {
        size_t count = 0;
        for (uint32_t g = 0; g < out_.groups.size(); ++g)
            count += orientation_.find(g) == orientation;
        return count;
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
        vectors_;  // of every orientation, at the index of its root group
    std::vector<Demand> demand_;
};

}  // namespace

NaturalCoordinates choose_coordinates(const Model& model) { return Chooser(model).choose(); }

Combination NaturalCoordinates::point(BodyId body, Vec3 at) const {
    const uint32_t g = group_of[body.index];
    if (g == 0) return {at, {}};
    for (const NamedNode& node : nodes[g])
        if (!node.is_vector && norm(node.start - at) <= same_place * size) return node.now;
    const RigidGroup& group = groups[g];
    Combination now = group.origin;
    for (size_t k = 0; k < group.axes.size(); ++k)
        now.add(dot(group.axes[k], at - group.center), group.axis_now[k]);
    return now;
}

Combination NaturalCoordinates::direction(BodyId body, Vec3 axis) const {
    const uint32_t g = group_of[body.index];
    if (g == 0) return {axis, {}};
    for (const NamedNode& node : nodes[g]) {
        if (!node.is_vector || norm(cross(node.start, axis)) > same_direction) continue;
        Combination now;
        return now.add(dot(node.start, axis) > 0 ? 1 : -1, node.now);
    }
    const RigidGroup& group = groups[g];
    Combination now;
    for (size_t k = 0; k < group.axes.size(); ++k)
        now.add(dot(group.axes[k], axis), group.axis_now[k]);
    return now;
}

std::vector<Vec3> NaturalCoordinates::perpendiculars(BodyId body, Vec3 axis) const {
    const uint32_t g = group_of[body.index];
    std::vector<std::pair<size_t, Vec3>> found;
    const auto consider = [&](Vec3 direction) {
        direction = direction - dot(direction, axis) * axis;
        if (norm(direction) < 0.1) return;
        direction = normalized(direction);
        found.emplace_back(this->direction(body, direction).terms.size(), direction);
    };
    for (const NamedNode& node : nodes[g])
        if (node.is_vector) consider(node.start);
    for (Vec3 a : groups[g].axes) consider(a);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Vec3> out;
    out.reserve(found.size());
    for (const auto& f : found) out.push_back(f.second);
    return out;
}

}  // namespace bristle::lagrange
