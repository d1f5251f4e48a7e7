// The second stage of building a System: the order of elimination, and everything in flat arrays. Long because each kind of row is
// flattened with the numbers that the order gave.
#include "base/assert.h"
#include "base/hash.h"
#include "lagrange/draft.h"
#include "lagrange/measures.h"
#include "lagrange/system.h"
#include "math/symmetric_eigen.h"
#include "mechanics/added_inertia.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

namespace bristle::lagrange {
namespace {

// Numbers that tell a shape from another of its kind: how many parts or points it has, and where.
MassProperties outer_measures(const Geometry& geometry) {
    MassProperties out;
    const auto point = [&](Vec3 p) {
        out.volume += 1;
        out.center += out.volume * p;
    };
    if (const auto* s = std::get_if<Sphere>(&geometry)) point({s->radius, 0, 0});
    if (const auto* b = std::get_if<Box>(&geometry)) point(b->size);
    if (const auto* c = std::get_if<Capsule>(&geometry)) point({c->radius, c->length, 0});
    if (const auto* c = std::get_if<Cylinder>(&geometry)) point({c->radius, c->length, 0});
    if (const auto* t = std::get_if<Torus>(&geometry))
        point({t->radius, t->tube, static_cast<double>(t->arc)});
    if (const auto* c = std::get_if<ConvexPolyhedron>(&geometry))
        for (Vec3 p : c->points) point(p);
    if (const auto* f = std::get_if<HeightField>(&geometry))
        for (double h : f->heights) point({h, f->spacing_x, f->spacing_y});
    if (const auto* m = std::get_if<Mesh>(&geometry))
        for (Vec3 p : m->surface->vertices) point(p);
    if (const auto* c = std::get_if<Compound>(&geometry))
        for (const CompoundPart& part : c->parts) {
            const MassProperties own = outer_measures(part.geometry);
            point(part.pose.position);
            point(own.center);
            point({own.volume, static_cast<double>(part.geometry.index()), 0});
        }
    return out;
}

// What a group resists turning by, about its base if that never moves.
void find_inertia(const RigidGroup& g, Turning& out) {
    if (g.axes.size() < 2) return;
    Mat3 inertia = g.inertia();
    if (g.base.is_constant()) {
        const Vec3 arm = g.center - g.base.constant;
        inertia = inertia + g.mass * (dot(arm, arm) * Mat3::identity() - Mat3::outer(arm, arm));
    }
    const auto [moments, axes] = symmetric_eigen(inertia);
    if (!(std::min({moments.x, moments.y, moments.z}) > 1e-6 * inertia.trace())) return;
    out.inertia = inertia;
    out.inverse_inertia =
        axes * Mat3::diagonal({1 / moments.x, 1 / moments.y, 1 / moments.z}) * axes.transposed();
}

class Builder {
  public:
    explicit Builder(SystemDraft draft)
        : natural_(std::move(draft.natural)),
          out_(std::move(draft.system)),
          dots_(std::move(draft.dots)),
          measures_(std::move(draft.measures)),
          scalar_entities_(std::move(draft.scalar_entities)) {}

    System build() {
        order_entities();
        flatten_mass();
        flatten_dots();
        flatten_closures();
        flatten_measures();
        flatten_relations();
        flatten_frames();
        analyze();
        weigh_relations();
        sign();
        return std::move(out_);
    }

  private:
    static constexpr double vanishing = 1e-12;

    // ---- Order of elimination ----------------------------------------------------------------------

    // visit(later, earlier) for all pairs of entities that something makes depend on each other, by their numbers; some often.
    template <class Visit> void for_each_pair(const Visit& visit) {
        const auto clique = [&](const std::vector<uint32_t>& entities) {
            for (uint32_t i : entities)
                for (uint32_t j : entities)
                    if (i > j) visit(i, j);
        };
        const auto clique_of = [&](const auto&... things) {
            set_.clear();
            (set_.add(things), ...);
            clique(set_.sorted());
        };
        for (const RigidGroup& g : natural_.groups) clique_of(g.origin, g.axis_now);
        for (const DotCondition& d : dots_) clique_of(d.a, d.b);
        for (const Closure& c : natural_.closures) clique_of(c.sum);
        for (const Relation& r : out_.relations) clique(entities_of(r.measure));
        for (const MeasureForce& f : out_.forces) clique(entities_of({&f.measure, 1}));
        for (const UserForceElement& u : out_.user_forces) clique(u.entities);
        for (const StatefulElement& s : out_.stateful) clique(entities_of(s));
    }
    std::vector<std::pair<uint32_t, uint32_t>> pairs() {
        std::vector<std::pair<uint32_t, uint32_t>> out;
        out.reserve(8 * natural_.entity_start.size());
        for_each_pair([&](uint32_t i, uint32_t j) { out.emplace_back(i, j); });
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    const std::vector<uint32_t>& entities_of(std::span<const uint32_t> measures) {
        set_.clear();
        for (uint32_t m : measures)
            if (m != none) add_entities(measures_[m]);
        return set_.sorted();
    }
    const std::vector<uint32_t>& entities_of(const StatefulElement& s) {
        set_.clear();
        for (uint32_t m : s.measures) add_entities(measures_[m]);
        for (BodyId body : out_.model().stateful_forces()[s.index].points) {
            const RigidGroup& g = natural_.groups[natural_.group_of[body.index]];
            set_.add(g.origin);
            set_.add(g.axis_now);
        }
        return set_.sorted();
    }
    void add_entities(const MeasureDraft& d) {
        for (const Combination& part : d.part) set_.add(part);
        if (d.scalar_entity != none) set_.add(d.scalar_entity);
    }

    void order_entities() {
        const auto count = static_cast<uint32_t>(natural_.entity_start.size());
        out_.entity_count = count;
        const auto order = minimum_degree_order(count, pairs());
        std::vector<uint32_t> rank(count);
        for (uint32_t k = 0; k < count; ++k) rank[order[k]] = k;

        const auto renumber = [&](Combination& c) {
            for (auto& t : c.terms) t.entity = rank[t.entity];
            std::sort(c.terms.begin(), c.terms.end(),
                      [](const auto& a, const auto& b) { return a.entity < b.entity; });
        };
        for (RigidGroup& g : natural_.groups) {
            renumber(g.origin);
            renumber(g.base);
            for (uint32_t& e : g.own) e = rank[e];
            for (auto& axis : g.axis_now) renumber(axis);
        }
        for (DotCondition& d : dots_) {
            renumber(d.a);
            renumber(d.b);
        }
        for (Closure& c : natural_.closures) renumber(c.sum);
        for (MeasureDraft& m : measures_) {
            for (auto& part : m.part) renumber(part);
            if (m.scalar_entity != none) m.scalar_entity = rank[m.scalar_entity];
        }
        for (ScalarInertia& s : out_.scalar_inertia) s.entity = rank[s.entity];
        for (uint32_t& e : scalar_entities_) e = rank[e];
        for (UserForceElement& u : out_.user_forces) {
            for (uint32_t& e : u.entities) e = rank[e];
            std::sort(u.entities.begin(), u.entities.end());
        }
        for (StatefulElement& s : out_.stateful) s.entities = entities_of(s);
        start3_.resize(count);
        out_.start.resize(count);
        out_.kind.resize(count);
        out_.scale.resize(count);
        for (uint32_t k = 0; k < count; ++k) {
            start3_[k] = natural_.entity_start[order[k]];
            out_.start[k] = to_vec4(start3_[k]);
            const bool is_vector = natural_.entity_is_vector[order[k]];
            out_.kind[k] = is_vector ? Entity::Kind::vector : Entity::Kind::point;
            out_.scale[k] = is_vector ? 1 : out_.size;
        }
        for (uint32_t e : scalar_entities_) out_.kind[e] = Entity::Kind::scalars;
    }

    // ---- Flat arrays -----------------------------------------------------------------------------------

    void flatten_mass() {
        std::vector<double> typical(out_.entity_count, 0);
        sum_mass(shares_of_mass(typical), typical);
        give_scalars_mass();
    }

    // Of every group, by entities; and what mass is usual for each of them.
    std::vector<MassTerm> shares_of_mass(std::vector<double>& typical) {
        std::vector<MassTerm> shares;
        const auto add = [&](double factor, const Combination& a, const Combination& b) {
            for (const auto& i : a.terms)
                for (const auto& j : b.terms)
                    if (i.entity >= j.entity)
                        shares.push_back(
                            {i.entity, j.entity, factor * i.coefficient * j.coefficient});
        };
        out_.weight.assign(out_.entity_count, Vec4{});
        for (const RigidGroup& g : natural_.groups) {
            if (g.is_ground) continue;
            add(g.mass, g.origin, g.origin);
            for (const auto& t : g.origin.terms)
                out_.weight[t.entity] += to_vec4(g.mass * t.coefficient * out_.model().gravity);
            for (size_t i = 0; i < g.axes.size(); ++i) {
                for (size_t j = 0; j < g.axes.size(); ++j) {
                    const double s = dot(g.axes[i], g.second_moment * g.axes[j]);
                    if (std::abs(s) > vanishing * g.second_moment.trace())
                        add(s, g.axis_now[i], g.axis_now[j]);
                }
                for (const auto& t : g.axis_now[i].terms)
                    typical[t.entity] =
                        std::max(typical[t.entity], out_.kind[t.entity] == Entity::Kind::point
                                                        ? g.mass
                                                        : g.mass * g.size * g.size);
            }
            for (const auto& t : g.origin.terms)
                typical[t.entity] = std::max(typical[t.entity], g.mass);
        }
        return shares;
    }

    void sum_mass(std::vector<MassTerm> shares, const std::vector<double>& typical) {
        const uint32_t count = out_.entity_count;
        out_.diagonal_mass.assign(count, 0);
        out_.added_mass.assign(count, 0);
        // Summed by size, so that the sum does not depend on who comes first.
        std::sort(shares.begin(), shares.end(), [](const MassTerm& x, const MassTerm& y) {
            return std::tie(x.i, x.j, x.mass) < std::tie(y.i, y.j, y.mass);
        });
        auto share = shares.begin();
        for (uint32_t i = 0; i < count; ++i) {
            while (share != shares.end() && share->i == i) {
                const uint32_t j = share->j;
                double m = 0, size = 0;
                for (; share != shares.end() && share->i == i && share->j == j; ++share) {
                    m += share->mass;
                    size += std::abs(share->mass);
                }
                if (i == j) {
                    // A vector without inertia (the hinge axis of slender rods) gets some of what
                    // would be usual, so that no motion is without mass.
                    if (out_.kind[i] != Entity::Kind::scalars
                        && m < mechanics::least_entity_share * typical[i]) {
                        const double least = mechanics::least_entity_share * typical[i];
                        out_.added_mass[i] = least - m;
                        m = least;
                    }
                    out_.diagonal_mass[i] = m;
                } else if (std::abs(m) <= vanishing * size) {
                    continue;
                }
                out_.mass.push_back({i, j, m});
            }
            if (out_.diagonal_mass[i] == 0 && out_.kind[i] != Entity::Kind::scalars) {
                out_.added_mass[i] = out_.diagonal_mass[i] =
                    typical[i] > 0 ? mechanics::least_entity_share * typical[i] : 1;
                out_.mass.push_back({i, i, out_.diagonal_mass[i]});
            }
        }
    }

    // Scalar unknowns: a component that is not used gets a unit inertia and never moves.
    void give_scalars_mass() {
        for (uint32_t e : scalar_entities_) {
            bool used[3] = {};
            double mean = 0;
            int n = 0;
            for (const ScalarInertia& s : out_.scalar_inertia) {
                if (s.entity != e) continue;
                used[s.component] = true;
                mean += s.inertia;
                ++n;
            }
            out_.diagonal_mass[e] = mean / n;
            for (uint8_t c = 0; c < 3; ++c)
                if (!used[c]) out_.scalar_inertia.push_back({e, c, 1});
        }
    }

    // Mass that a push along the gradient has to move; at the start, and for good.
    double effective_mass(const std::vector<std::pair<uint32_t, double>>& gradient_squared) const {
        double mobility = 0;
        for (auto [entity, g2] : gradient_squared) mobility += g2 / out_.diagonal_mass[entity];
        return mobility > 0 ? 1 / mobility : 1;
    }

    void flatten_dots() {
        std::vector<std::pair<uint32_t, double>> gradient;
        for (const DotCondition& d : dots_) {
            DotRow row{};
            row.a0 = to_vec4(d.a.constant);
            row.b0 = to_vec4(d.b.constant);
            row.scale = d.scale;
            row.target = d.target;
            row.unit = d.is_length ? 1 / out_.size : 1;
            row.first = static_cast<uint32_t>(out_.dot_terms.size());
            const auto *i = d.a.terms.begin(), *j = d.b.terms.begin();
            while (i != d.a.terms.end() || j != d.b.terms.end()) {
                if (j == d.b.terms.end() || (i != d.a.terms.end() && i->entity < j->entity)) {
                    out_.dot_terms.push_back({i->coefficient, 0, i->entity});
                    ++i;
                } else if (i == d.a.terms.end() || j->entity < i->entity) {
                    out_.dot_terms.push_back({0, j->coefficient, j->entity});
                    ++j;
                } else {
                    out_.dot_terms.push_back({i->coefficient, j->coefficient, i->entity});
                    ++i;
                    ++j;
                }
            }
            row.count = static_cast<uint32_t>(out_.dot_terms.size()) - row.first;
            const Vec3 a = d.a.at(start3_), b = d.b.at(start3_);
            gradient.clear();
            for (uint32_t k = row.first; k < row.first + row.count; ++k) {
                const DotTerm& t = out_.dot_terms[k];
                const Vec3 g = d.scale * (t.a * b + t.b * a);
                gradient.emplace_back(t.entity, dot(g, g));
            }
            row.penalty = out_.settings.penalty * effective_mass(gradient);
            out_.dots.push_back(row);
        }
    }

    void flatten_closures() {
        for (const Closure& c : natural_.closures) {
            ClosureRow row{};
            row.first = static_cast<uint32_t>(out_.closure_terms.size());
            row.constant = to_vec4(c.sum.constant);
            std::vector<std::pair<uint32_t, double>> gradient;
            row.unit = 1;
            for (const auto& t : c.sum.terms) {
                out_.closure_terms.push_back({t.coefficient, t.entity});
                gradient.emplace_back(t.entity, t.coefficient * t.coefficient);
                if (out_.kind[t.entity] == Entity::Kind::point) row.unit = 1 / out_.size;
            }
            row.count = static_cast<uint32_t>(c.sum.terms.size());
            row.penalty = out_.settings.penalty * effective_mass(gradient);
            out_.closures.push_back(row);
        }
    }

    void flatten_measures() {
        for (const MeasureDraft& d : measures_) {
            Measure m{};
            m.kind = d.kind;
            m.component = d.component;
            m.offset = d.offset;
            m.start = d.start;
            m.memory = none;
            if (d.kind == Measure::Kind::angle) m.memory = out_.memory_size++;
            m.first = static_cast<uint32_t>(out_.measure_terms.size());
            set_.clear();
            add_entities(d);
            for (uint32_t e : set_.sorted()) {
                MeasureTerm term{{}, e};
                for (int p = 0; p < 4; ++p)
                    for (const auto& t : d.part[p].terms)
                        if (t.entity == e) term.c[p] = t.coefficient;
                out_.measure_terms.push_back(term);
            }
            for (int p = 0; p < 4; ++p) m.constant[p] = to_vec4(d.part[p].constant);
            m.count = static_cast<uint32_t>(out_.measure_terms.size()) - m.first;
            out_.measures.push_back(m);
        }
    }

    void flatten_relations() {
        for (Relation& r : out_.relations) {
            const std::vector<uint32_t>& entities = entities_of(r.measure);
            r.first = static_cast<uint32_t>(out_.relation_terms.size());
            for (uint32_t e : entities) {
                RelationTerm term{e, {none, none}};
                for (int i = 0; i < 2; ++i) {
                    if (r.measure[i] == none) continue;
                    const Measure& m = out_.measures[r.measure[i]];
                    for (uint32_t k = m.first; k < m.first + m.count; ++k)
                        if (out_.measure_terms[k].entity == e) term.term[i] = k;
                }
                out_.relation_terms.push_back(term);
            }
            r.count = static_cast<uint32_t>(entities.size());
        }
    }

    void flatten_frames() {
        out_.entity_bodies = {out_.entity_count, [&](const auto& add) {
                                  for (const RigidGroup& g : natural_.groups) {
                                      set_.clear();
                                      set_.add(g.origin);
                                      set_.add(g.axis_now);
                                      for (uint32_t e : set_.sorted())
                                          for (BodyId body : g.bodies) add(e, body);
                                  }
                              }};
        out_.frames.reserve(natural_.groups.size());
        for (const RigidGroup& g : natural_.groups) {
            out_.frames.push_back({g.origin, g.axis_now, g.axes, g.center});
            out_.group_mass.push_back(g.mass);
        }
        for (uint32_t group : natural_.outward) {
            const RigidGroup& g = natural_.groups[group];
            if (g.own.empty() || g.axes.empty()) continue;
            Turning turning{group, g.base, g.base_is_own, {}, {}, {}, {}};
            find_inertia(g, turning);
            for (uint32_t e : g.own)
                (out_.kind[e] == Entity::Kind::vector ? turning.vectors : turning.points)
                    .push_back(e);
            out_.turnings.push_back(std::move(turning));
        }
    }

    void analyze() {
        out_.below = pairs();
        number_blocks(out_);
        find_assemblies(out_);
        out_.blocks = map_blocks(out_, {});
    }

    void sign() {
        uint64_t value = hash_bytes({});
        const auto add = [&](double x) {
            value = hash_bytes(std::as_bytes(std::span(&x, 1)), value);
        };
        const auto add_vector = [&](Vec4 v) {
            for (int k = 0; k < 3; ++k) add(v[k]);
        };
        for (Vec4 v : out_.start) add_vector(v);
        for (Vec4 v : out_.weight) add_vector(v);
        for (const MassTerm& m : out_.mass) add(m.mass);
        for (const DotRow& row : out_.dots) {
            add_vector(row.a0);
            add_vector(row.b0);
            add(row.target);
        }
        for (const DotTerm& t : out_.dot_terms) {
            add(t.a);
            add(t.b);
        }
        for (const ClosureTerm& t : out_.closure_terms) add(t.c);
        for (const MeasureTerm& t : out_.measure_terms)
            for (double c : t.c) add(c);
        for (const MeasureForce& f : out_.forces) {
            add(f.stiffness);
            add(f.damping);
            add(f.rest);
        }
        add(out_.settings.step);
        const Vec3 plane = out_.model().plane_normal.value_or(Vec3{});
        for (int k = 0; k < 3; ++k) add(plane[k]);
        for (const Shape& shape : out_.model().shapes()) {
            add(shape.body.index);
            add(static_cast<double>(shape.geometry.index()));
            add(shape.material.index);
            for (int k = 0; k < 3; ++k) add(shape.pose.position[k]);
            const MassProperties size = outer_measures(shape.geometry);
            add(size.volume);
            for (int k = 0; k < 3; ++k) add(size.center[k]);
        }
        out_.fingerprint = value;
    }

    void weigh_relations() {
        std::vector<Vec4> gradient(out_.measure_terms.size()), at_rest(out_.entity_count);
        for (const Measure& m : out_.measures)
            evaluate_measure(out_, m, out_.start.data(), at_rest.data(), 0, gradient.data());
        for (Relation& r : out_.relations) {
            std::vector<std::pair<uint32_t, double>> squares;
            for (uint32_t k = r.first; k < r.first + r.count; ++k) {
                Vec4 g{};
                for (int i = 0; i < 2; ++i)
                    if (out_.relation_terms[k].term[i] != none)
                        g += r.ratio[i] * gradient[out_.relation_terms[k].term[i]];
                squares.emplace_back(out_.relation_terms[k].entity, dot(g, g));
            }
            const Measure& first = out_.measures[r.measure[0]];
            // Where its axes meet a swing has no gradient; elsewhere that of a unit vector across the other.
            const MeasureTerm* const t = &out_.measure_terms[first.first];
            for (uint32_t k = 0; first.kind == Measure::Kind::swing && k < first.count; ++k)
                squares.emplace_back(t[k].entity, t[k].c[0] * t[k].c[0] + t[k].c[1] * t[k].c[1]);
            r.penalty = out_.settings.penalty * effective_mass(squares);
        }
    }

    NaturalCoordinates natural_;
    System out_;
    std::vector<DotCondition> dots_;
    std::vector<MeasureDraft> measures_;
    std::vector<uint32_t> scalar_entities_;
    std::vector<Vec3> start3_;
    EntitySet set_;
};

}  // namespace

System build_system(Model model, const AugmentedLagrangian& settings) {
    return Builder(draft_system(std::move(model), settings)).build();
}

}  // namespace bristle::lagrange
