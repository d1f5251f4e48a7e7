// Where the products of rows, measures and forces go in the matrix, with the contacts there are.
#include "lagrange/system.h"
#include "model/joint_kind.h"

#include <algorithm>
#include <numeric>

namespace bristle::lagrange {
namespace {

// Assemblies in an order that makes little fill of their contacts, each inside in the order it always has.
std::vector<uint32_t> order_with(const System& s,
                                 const std::vector<std::pair<uint32_t, uint32_t>>& contacts) {
    const std::vector<uint32_t>& assembly = s.assembly;
    const uint32_t count = s.assembly_count;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (auto [row, column] : contacts)
        if (assembly[row] != assembly[column]) edges.emplace_back(assembly[row], assembly[column]);
    if (edges.empty()) return {};
    std::vector<uint32_t> rank(count), order(s.entity_count);
    const std::vector<uint32_t> assemblies = minimum_degree_order(count, edges);
    for (uint32_t k = 0; k < count; ++k) rank[assemblies[k]] = k;
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return rank[assembly[a]] < rank[assembly[b]]; });
    return order;
}

}  // namespace

void find_assemblies(System& s) {
    std::vector<uint32_t> root(s.entity_count);
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](uint32_t e) {
        while (root[e] != e) e = root[e] = root[root[e]];
        return e;
    };
    for (auto [row, column] : s.below) {
        const uint32_t a = find(row), b = find(column);
        root[std::max(a, b)] = std::min(a, b);
    }
    s.assembly.resize(s.entity_count);
    s.assembly_count = 0;
    for (uint32_t e = 0; e < s.entity_count; ++e)
        s.assembly[e] = find(e) == e ? s.assembly_count++ : s.assembly[find(e)];
    s.is_grounded.assign(s.assembly_count, false);
    for (const Joint& j : s.model().joints()) {
        if (!model::joins_bodies(j)) continue;
        const uint32_t a = s.group_of[j.a.index], b = s.group_of[j.b.index];
        if ((a == 0) == (b == 0)) continue;
        const GroupFrame& held = s.frames[a == 0 ? b : a];
        for (const auto& t : held.origin.terms) s.is_grounded[s.assembly[t.entity]] = true;
        for (const Combination& axis : held.axis)
            for (const auto& t : axis.terms) s.is_grounded[s.assembly[t.entity]] = true;
    }
}

uint32_t assembly_of(const System& s, uint32_t group) {
    const GroupFrame& f = s.frames[group];
    if (!f.origin.terms.empty()) return s.assembly[f.origin.terms[0].entity];
    for (const Combination& axis : f.axis)
        if (!axis.terms.empty()) return s.assembly[axis.terms[0].entity];
    return none;
}

void number_blocks(System& s) {
    uint32_t next = 0;
    const auto reserve = [&](uint32_t& first, size_t entities) {
        first = next;
        next += static_cast<uint32_t>(entities * (entities + 1) / 2);
    };
    for (DotRow& row : s.dots) reserve(row.first_block, row.count);
    for (Relation& r : s.relations) reserve(r.first_block, r.count);
    for (Measure& m : s.measures) reserve(m.first_block, m.count);
    for (UserForceElement& u : s.user_forces) reserve(u.first_block, u.entities.size());
    for (StatefulElement& f : s.stateful) reserve(f.first_block, f.entities.size());
}

BlockMap map_blocks(const System& s, const std::vector<std::pair<uint32_t, uint32_t>>& more) {
    BlockMap map;
    const std::vector<uint32_t> order = order_with(s, more);
    std::vector<uint32_t> position(order.size());
    for (uint32_t k = 0; k < order.size(); ++k) position[order[k]] = k;
    auto below = s.below;
    for (auto [a, b] : more) {
        const bool is_below = order.empty() ? a > b : position[a] > position[b];
        below.emplace_back(is_below ? a : b, is_below ? b : a);
    }
    map.pattern = std::make_shared<const BlockPattern>(s.entity_count, below, order);
    map.mass.reserve(s.mass.size());
    for (const MassTerm& m : s.mass) map.mass.push_back(map.pattern->index_of(m.i, m.j));
    const auto products = [&](uint32_t first, uint32_t count, const auto& entity) {
        for (uint32_t k = first; k < first + count; ++k)
            for (uint32_t l = first; l <= k; ++l)
                map.rows.push_back(map.pattern->index_of(entity(k), entity(l)));
    };
    for (const DotRow& row : s.dots)
        products(row.first, row.count, [&](uint32_t k) { return s.dot_terms[k].entity; });
    for (const Relation& r : s.relations)
        products(r.first, r.count, [&](uint32_t k) { return s.relation_terms[k].entity; });
    for (const Measure& m : s.measures)
        products(m.first, m.count, [&](uint32_t k) { return s.measure_terms[k].entity; });
    for (const UserForceElement& u : s.user_forces)
        products(0, static_cast<uint32_t>(u.entities.size()),
                 [&](uint32_t k) { return u.entities[k]; });
    for (const StatefulElement& f : s.stateful)
        products(0, static_cast<uint32_t>(f.entities.size()),
                 [&](uint32_t k) { return f.entities[k]; });
    return map;
}

}  // namespace bristle::lagrange
