#include "lagrange/part.h"

#include "mechanics/stateful.h"
#include "model/joint_kind.h"

#include <algorithm>

namespace bristle::lagrange {
namespace {

// The number of something in a part, by that in the whole.
uint32_t own(const std::vector<uint32_t>& numbers, uint32_t of_whole) {
    return static_cast<uint32_t>(std::lower_bound(numbers.begin(), numbers.end(), of_whole)
                                 - numbers.begin());
}

Combination own(const std::vector<uint32_t>& entities, Combination c) {
    for (Combination::Term& t : c.terms) t.entity = own(entities, t.entity);
    return c;
}

template <class T>
std::vector<T> pick(const std::vector<T>& whole, const std::vector<uint32_t>& which) {
    std::vector<T> out;
    out.reserve(which.size());
    for (uint32_t i : which) out.push_back(whole[i]);
    return out;
}

// Rows of this kind, with their terms.
template <class Row, class Term>
void take_rows_of(const std::vector<Row>& rows, const std::vector<Term>& terms,
                  const std::vector<uint32_t>& which, const std::vector<uint32_t>& entities,
                  std::vector<Row>& out, std::vector<Term>& out_terms) {
    out = pick(rows, which);
    for (Row& row : out) {
        const auto first = static_cast<uint32_t>(out_terms.size());
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            out_terms.push_back(terms[k]);
            out_terms.back().entity = own(entities, terms[k].entity);
        }
        row.first = first;
    }
}

// Numbers in memory from here on, in the whole; from where in the part.
uint32_t remember(PartMap& map, uint32_t first, uint32_t count) {
    const auto here = static_cast<uint32_t>(map.memory.size());
    for (uint32_t i = 0; i < count; ++i) map.memory.push_back(first + i);
    return here;
}

template <class T>
void gather(const std::vector<uint32_t>& which, const std::vector<T>& whole, std::vector<T>& part) {
    for (size_t i = 0; i < which.size(); ++i) part[i] = whole[which[i]];
}
template <class T>
void scatter(const std::vector<uint32_t>& which, const std::vector<T>& part,
             std::vector<T>& whole) {
    for (size_t i = 0; i < which.size(); ++i) whole[which[i]] = part[i];
}

}  // namespace

Inventory::Inventory(const System& s) : whole_(s) {
    // `first` of no terms is nobody's.
    const auto has_terms = [](const auto& row) { return row.count > 0; };
    const auto all_have = [&](const auto& rows) {
        return std::all_of(rows.begin(), rows.end(), has_terms);
    };
    const auto moves_any = [](const StatefulElement& f) { return !f.entities.empty(); };
    is_complete_ = s.user_forces.empty() && all_have(s.dots) && all_have(s.closures)
                && all_have(s.measures) && all_have(s.relations)
                && std::all_of(s.stateful.begin(), s.stateful.end(), moves_any);
    if (!is_complete_) return;
    // By the assembly of an entity that the thing has.
    const auto of_each = [&](const auto& things, const auto& entity_of) {
        return Lists(s.assembly_count, [&](const auto& add) {
            for (uint32_t i = 0; i < things.size(); ++i) add(s.assembly[entity_of(things[i])], i);
        });
    };
    const auto first_of = [](const auto& terms) {
        return [&terms](const auto& row) { return terms[row.first].entity; };
    };
    entities_ = {s.assembly_count, [&](const auto& add) {
                     for (uint32_t e = 0; e < s.entity_count; ++e) add(s.assembly[e], e);
                 }};
    mass_ = of_each(s.mass, [](const MassTerm& m) { return m.i; });
    scalar_inertia_ = of_each(s.scalar_inertia, [](const ScalarInertia& i) { return i.entity; });
    below_ = of_each(s.below, [](const auto& block) { return block.first; });
    dots_ = of_each(s.dots, first_of(s.dot_terms));
    closures_ = of_each(s.closures, first_of(s.closure_terms));
    measures_ = of_each(s.measures, first_of(s.measure_terms));
    relations_ = of_each(s.relations, first_of(s.relation_terms));
    forces_ = of_each(s.forces, [&](const MeasureForce& f) {
        return s.measure_terms[s.measures[f.measure].first].entity;
    });
    // What such a force moves is one assembly: its entities know each other in the matrix.
    stateful_ = of_each(s.stateful, [](const StatefulElement& f) { return f.entities.front(); });
    groups_ = {s.assembly_count, [&](const auto& add) {
                   for (uint32_t g = 1; g < s.frames.size(); ++g)
                       if (const uint32_t a = assembly_of(s, g); a != none) add(a, g);
               }};
    for (uint32_t g = 1; g < s.frames.size(); ++g)
        if (assembly_of(s, g) == none) fixed_groups_.push_back(g);
    turnings_ = {s.assembly_count, [&](const auto& add) {
                     for (uint32_t i = 0; i < s.turnings.size(); ++i)
                         add(assembly_of(s, s.turnings[i].group), i);
                 }};
    has_joints_.resize(s.assembly_count);
    for (const Joint& j : s.model().joints()) {
        if (!model::joins_bodies(j)) continue;
        for (BodyId body : {j.a, j.b}) {
            const uint32_t a = assembly_of(s, s.group_of[body.index]);
            if (a != none) has_joints_[a] = true;
        }
    }
}

std::vector<uint32_t> Inventory::collect(const Lists& lists, std::span<const uint32_t> which) {
    size_t count = 0;
    for (uint32_t a : which) count += lists[a].size();
    std::vector<uint32_t> out;
    out.reserve(count);
    for (uint32_t a : which) out.insert(out.end(), lists[a].begin(), lists[a].end());
    std::sort(out.begin(), out.end());
    return out;
}

System Inventory::part(std::span<const uint32_t> assemblies, PartMap& map) const {
    System out;
    out.shared_model = whole_.shared_model;
    out.mesh_trees = whole_.mesh_trees;
    out.fields = whole_.fields;
    out.settings = whole_.settings;
    out.size = whole_.size;
    map.assemblies.assign(assemblies.begin(), assemblies.end());
    map.entities = collect(entities_, assemblies);
    take_entities(out, map);
    take_rows(out, map);
    take_groups(out, map);
    take_measures(out, map);
    for (uint32_t i : collect(below_, assemblies))
        out.below.emplace_back(own(map.entities, whole_.below[i].first),
                               own(map.entities, whole_.below[i].second));
    number_blocks(out);
    out.blocks = map_blocks(out, {});
    return out;
}

void Inventory::take_entities(System& out, const PartMap& map) const {
    const System& w = whole_;
    const std::vector<uint32_t>& e = map.entities;
    out.entity_count = static_cast<uint32_t>(e.size());
    out.start = pick(w.start, e);
    out.kind = pick(w.kind, e);
    out.scale = pick(w.scale, e);
    out.diagonal_mass = pick(w.diagonal_mass, e);
    out.added_mass = pick(w.added_mass, e);
    out.weight = pick(w.weight, e);
    out.entity_bodies = {e.size(), [&](const auto& add) {
                             for (size_t i = 0; i < e.size(); ++i)
                                 for (BodyId body : w.entity_bodies[e[i]]) add(i, body);
                         }};
    out.mass = pick(w.mass, collect(mass_, map.assemblies));
    for (MassTerm& m : out.mass) {
        m.i = own(e, m.i);
        m.j = own(e, m.j);
    }
    out.scalar_inertia = pick(w.scalar_inertia, collect(scalar_inertia_, map.assemblies));
    for (ScalarInertia& s : out.scalar_inertia) s.entity = own(e, s.entity);
    out.assembly_count = static_cast<uint32_t>(map.assemblies.size());
    for (uint32_t i : e) out.assembly.push_back(own(map.assemblies, w.assembly[i]));
    for (uint32_t a : map.assemblies) {
        out.is_grounded.push_back(w.is_grounded[a]);
        out.has_joints |= has_joints_[a];
    }
}

void Inventory::take_rows(System& out, PartMap& map) const {
    const System& w = whole_;
    map.rows = collect(dots_, map.assemblies);
    take_rows_of(w.dots, w.dot_terms, map.rows, map.entities, out.dots, out.dot_terms);
    map.closures = collect(closures_, map.assemblies);
    take_rows_of(w.closures, w.closure_terms, map.closures, map.entities, out.closures,
                 out.closure_terms);
}

void Inventory::take_measures(System& out, PartMap& map) const {
    const System& w = whole_;
    const std::vector<uint32_t> measures = collect(measures_, map.assemblies);
    take_rows_of(w.measures, w.measure_terms, measures, map.entities, out.measures,
                 out.measure_terms);
    for (Measure& m : out.measures)
        if (m.memory != none) m.memory = remember(map, m.memory, 1);
    take_relations(out, map, measures);
    take_forces(out, map, measures);
    take_stateful(out, map, measures);
    out.memory_size = static_cast<uint32_t>(map.memory.size());
}

void Inventory::take_relations(System& out, PartMap& map,
                               const std::vector<uint32_t>& measures) const {
    const System& w = whole_;
    const std::vector<uint32_t> relations = collect(relations_, map.assemblies);
    take_rows_of(w.relations, w.relation_terms, relations, map.entities, out.relations,
                 out.relation_terms);
    for (uint32_t i = 0; i < out.relations.size(); ++i) {
        Relation& r = out.relations[i];
        map.rows.push_back(static_cast<uint32_t>(w.dots.size()) + relations[i]);
        r.memory = remember(map, r.memory, relation_memory_size);
        if (r.command != none) r.command = remember(map, r.command, 1);
        if (r.kind == Relation::Kind::drive) out.drive_relation.push_back(i);
        for (int m = 0; m < 2; ++m) {
            if (r.measure[m] == none) continue;
            const uint32_t before = w.measures[r.measure[m]].first;
            r.measure[m] = own(measures, r.measure[m]);
            const uint32_t now = out.measures[r.measure[m]].first;
            for (uint32_t k = r.first; k < r.first + r.count; ++k)
                if (uint32_t& term = out.relation_terms[k].term[m]; term != none)
                    term = term - before + now;
        }
    }
}

void Inventory::take_forces(System& out, PartMap& map,
                            const std::vector<uint32_t>& measures) const {
    out.forces = pick(whole_.forces, collect(forces_, map.assemblies));
    for (MeasureForce& f : out.forces) {
        f.measure = own(measures, f.measure);
        if (f.kind == MeasureForce::Kind::motor) f.memory = remember(map, f.memory, 1);
    }
}

void Inventory::take_stateful(System& out, PartMap& map,
                              const std::vector<uint32_t>& measures) const {
    out.stateful = pick(whole_.stateful, collect(stateful_, map.assemblies));
    if (out.stateful.empty()) return;
    out.scenery = whole_.scenery;
    out.group_of.assign(whole_.group_of.size(), none);
    for (StatefulElement& s : out.stateful) {
        const StatefulForce& force = whole_.model().stateful_forces()[s.index];
        s.memory = remember(map, s.memory, mechanics::StatefulLayout::memory_size(force));
        for (uint32_t& m : s.measures) m = own(measures, m);
        for (uint32_t& e : s.entities) e = own(map.entities, e);
        for (BodyId body : force.points)
            out.group_of[body.index] = out.own_group(whole_.group_of[body.index]);
    }
}

void Inventory::take_groups(System& out, const PartMap& map) const {
    const System& w = whole_;
    const std::vector<uint32_t>& e = map.entities;
    out.groups = collect(groups_, map.assemblies);
    out.groups.insert(out.groups.end(), fixed_groups_.begin(), fixed_groups_.end());
    out.groups.push_back(0);
    std::sort(out.groups.begin(), out.groups.end());
    out.frames = pick(w.frames, out.groups);
    out.group_mass = pick(w.group_mass, out.groups);
    for (GroupFrame& f : out.frames) {
        f.origin = own(e, std::move(f.origin));
        for (Combination& axis : f.axis) axis = own(e, std::move(axis));
    }
    out.turnings = pick(w.turnings, collect(turnings_, map.assemblies));
    for (Turning& t : out.turnings) {
        t.group = own(out.groups, t.group);
        t.base = own(e, std::move(t.base));
        for (uint32_t& i : t.points) i = own(e, i);
        for (uint32_t& i : t.vectors) i = own(e, i);
    }
}

// ---- States ----------------------------------------------------------------------------------------

void gather_motion(const PartMap& map, const state::State& whole, state::State& part) {
    gather(map.entities, whole.position, part.position);
    gather(map.entities, whole.velocity, part.velocity);
    gather(map.entities, whole.acceleration, part.acceleration);
    gather(map.rows, whole.multiplier, part.multiplier);
    gather(map.closures, whole.closure_multiplier, part.closure_multiplier);
}

void scatter_motion(const PartMap& map, const state::State& part, state::State& whole) {
    scatter(map.entities, part.position, whole.position);
    scatter(map.entities, part.velocity, whole.velocity);
    scatter(map.entities, part.acceleration, whole.acceleration);
    scatter(map.rows, part.multiplier, whole.multiplier);
    scatter(map.closures, part.closure_multiplier, whole.closure_multiplier);
}

void gather(const PartMap& map, const state::State& whole, state::State& part) {
    part.time = whole.time;
    part.steps = whole.steps;
    gather_motion(map, whole, part);
    gather(map.entities, whole.force, part.force);
    gather(map.memory, whole.memory, part.memory);
    gather(map.assemblies, whole.motion, part.motion);
    gather(map.assemblies, whole.surplus, part.surplus);
    gather(map.assemblies, whole.astray, part.astray);
    gather(map.assemblies, whole.restless, part.restless);
}

void scatter(const PartMap& map, const state::State& part, state::State& whole) {
    scatter_motion(map, part, whole);
    scatter(map.entities, part.force, whole.force);
    scatter(map.memory, part.memory, whole.memory);
    scatter(map.assemblies, part.motion, whole.motion);
    scatter(map.assemblies, part.surplus, whole.surplus);
    scatter(map.assemblies, part.astray, whole.astray);
    scatter(map.assemblies, part.restless, whole.restless);
}

}  // namespace bristle::lagrange
