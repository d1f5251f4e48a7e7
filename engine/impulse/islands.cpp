#include "impulse/islands.h"

namespace bristle::impulse {
namespace {

constexpr uint32_t none = 0xffffffffu;

}  // namespace

template <class IslandOf>
void Islands::sort(uint32_t count, const IslandOf& island_of, List& list, List& start) {
    start.assign(count_ + 1, 0);
    for (uint32_t i = 0; i < count; ++i)
        if (const uint32_t island = island_of(i); island != none) ++start[island + 1];
    for (uint32_t i = 0; i < count_; ++i) start[i + 1] += start[i];
    list.resize(start[count_]);
    for (uint32_t i = 0; i < count; ++i)
        if (const uint32_t island = island_of(i); island != none) list[start[island]++] = i;
    for (uint32_t i = count_; i > 0; --i) start[i] = start[i - 1];
    start[0] = 0;
}

void Islands::find(const std::vector<GroupMotion>& motion, const std::vector<Manifold>& manifolds,
                   const Mechanism& mechanism) {
    const auto size = static_cast<uint32_t>(motion.size());
    connected_.reset(size);
    for (const Manifold& m : manifolds)
        if (m.a != 0 && m.b != 0) connected_.unite(m.a, m.b);
    const Rows& rows = mechanism.rows();
    for (const Mechanism::Element& e : mechanism.elements()) {
        const Row& row = rows.rows[e.first_row];
        for (uint32_t k = 1; k < row.count; ++k)
            connected_.unite(rows.entries[row.first].group, rows.entries[row.first + k].group);
    }
    island_of_.assign(size, none);
    count_ = 0;
    for (uint32_t g = 1; g < size; ++g) {
        if (motion[g].is_asleep()) continue;
        const uint32_t root = connected_.find(g);
        if (island_of_[root] == none) island_of_[root] = count_++;
        island_of_[g] = island_of_[root];
    }
    sort(
        size, [&](uint32_t g) { return g == 0 ? none : island_of_[g]; }, groups_, group_start_);
    sort(
        static_cast<uint32_t>(manifolds.size()),
        [&](uint32_t k) {
            return island_of_[manifolds[k].a != 0 ? manifolds[k].a : manifolds[k].b];
        },
        manifolds_, manifold_start_);
    sort(
        static_cast<uint32_t>(mechanism.elements().size()),
        [&](uint32_t e) {
            const Row& row = rows.rows[mechanism.elements()[e].first_row];
            return row.count == 0 ? none : island_of_[rows.entries[row.first].group];
        },
        elements_, element_start_);
}

}  // namespace bristle::impulse
