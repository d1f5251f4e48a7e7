// What is seen of earth besides its patches: what flies, and what lies in buckets and beds.
#include "machines/earth/earth_memory.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bristle::machines {
namespace {

constexpr size_t most_looked_at = 65536;  // points of a laid patch; a larger one is seen all over
constexpr double below_floor = 0.02;  // m: of a bed where nothing lies, so that its floor is seen

double radius_of(double volume) { return std::cbrt(volume * 3 / (4 * pi)); }

}  // namespace

void EarthProcess::show(const World& world, const ProcessMemory& memory, ProcessSight what,
                        ProcessSights& sights) const {
    const auto& m = dynamic_cast<const EarthMemory&>(memory);
    if (what == ProcessSight::lying) {
        show_patches(world, m, sights);
        show_loads(world, m, sights);
        return;
    }
    for (const Parcel& p : m.parcels) {
        const Soil& soil = m.grounds[static_cast<size_t>(p.soil)].soil();
        sights.grain(p.position, radius_of(p.mass / soil.loose_density()), soil.color);
    }
}

// A laid patch is seen where something lies on it, and a point around that, so that it ends in the scenery.
void EarthProcess::show_patches(const World& world, const EarthMemory& m,
                                ProcessSights& sights) const {
    for (size_t k = 0; k < patches(); ++k)
        if (world.model().contains(earth_.patches[k].shape))
            sights.soil(earth_.patches[k].shape, m.grounds[k].soil().color);
    std::vector<uint8_t> is_seen;
    for (size_t s = 0; s < m.spares.size(); ++s) {
        if (!world.model().contains(ids_.spares[s])) continue;
        const Ground& ground = m.grounds[patches() + s];
        is_seen.clear();
        const bool is_looked_at = m.spares[s].is_used > 0 && ground.size() <= most_looked_at;
        if (is_looked_at) is_seen.assign(ground.size(), 0);
        const size_t n = ground.columns();
        for (size_t i = 0; i < is_seen.size(); ++i) {
            if (!(ground.column(i).thickness > 0)) continue;
            const size_t c = i % n, r = i / n;
            for (size_t row = r - std::min<size_t>(r, 1); row <= std::min(r + 1, n - 1); ++row)
                for (size_t column = c - std::min<size_t>(c, 1); column <= std::min(c + 1, n - 1);
                     ++column)
                    is_seen[row * n + column] = ground.is_blocked(row * n + column) ? 0 : 1;
        }
        sights.soil(ids_.spares[s], ground.soil().color, is_seen);
    }
}

void EarthProcess::show_loads(const World& world, const EarthMemory& m,
                              ProcessSights& sights) const {
    std::vector<Vec3> points;
    for (size_t i = 0; i < m.buckets.size(); ++i) {
        const BodyId body = earth_.buckets[i].body;
        const Soil& soil = m.grounds[static_cast<size_t>(m.buckets[i].soil)].soil();
        points.clear();
        uint32_t columns = 0;
        if (world.model().contains(body) && m.buckets[i].mass > 0) {
            const Vec3 up = world.pose(body).orientation.conjugate().matrix() * Vec3{0, 0, 1};
            columns = shapes_[i].surface(up, std::tan(soil.repose),
                                         m.buckets[i].mass / soil.loose_density(), points);
        }
        sights.heap(body, columns, points, soil.color);
    }
    for (size_t k = 0; k < m.bed_fields.size(); ++k) {
        const Ground& ground = m.grounds[patches() + m.spares.size() + k];
        const HeightField& f = m.bed_fields[k];
        points.clear();
        // What lies there may have fallen out again: then it is not bare, and empty.
        const bool is_empty = ground.is_bare() || !(ground.loose_mass() > 0);
        for (size_t i = 0; i < f.heights.size() && !is_empty; ++i)
            points.push_back(earth_.beds[k].low + place_of(f, i)
                             + Vec3{0, 0, f.heights[i] > 0 ? f.heights[i] : -below_floor});
        sights.heap(earth_.beds[k].body, is_empty ? 0 : f.columns, points, ground.soil().color);
    }
}

}  // namespace bristle::machines
