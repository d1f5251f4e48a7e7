// What is seen of earth besides its patches: what flies, and what lies in buckets and beds.
#include "machines/earth/earth_memory.h"

#include <cmath>
#include <vector>

namespace bristle::machines {
namespace {

constexpr double below_floor = 0.02;  // m: of a bed where nothing lies, so that its floor is seen

double radius_of(double volume) { return std::cbrt(volume * 3 / (4 * pi)); }

}  // namespace

void EarthProcess::show(const World& world, const ProcessMemory& memory,
                        ProcessSights& sights) const {
    const auto& m = dynamic_cast<const EarthMemory&>(memory);
    for (size_t k = 0; k < patches() + m.spares.size(); ++k) {
        const ShapeId shape = k < patches() ? earth_.patches[k].shape : ids_.spares[k - patches()];
        if (world.model().contains(shape)) sights.soil(shape, m.grounds[k].soil().color);
    }
    for (const Parcel& p : m.parcels) {
        const Soil& soil = m.grounds[static_cast<size_t>(p.soil)].soil();
        sights.grain(p.position, radius_of(p.mass / soil.loose_density()), soil.color);
    }
    show_loads(world, m, sights);
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
