// What a bucket carries: it spills what it cannot hold as it leans, and the rest weighs at its centre.
#include "machines/earth/bucket_laws.h"
#include "machines/earth/earth_memory.h"

#include <algorithm>
#include <cmath>

namespace bristle::machines {

void EarthProcess::spill(World& world, EarthMemory& m, size_t i) const {
    BucketState& b = m.buckets[i];
    const BucketShape& shape = shapes_[i];
    const Pose pose = world.pose(earth_.buckets[i].body);
    const Mat3 turn = pose.orientation.matrix();
    const Vec3 up = turn.transposed() * Vec3{0, 0, 1};
    b.angle = shape.angle(up);
    b.most = 0;
    if (!(b.mass > 0)) return;
    const Ground& ground = m.grounds[static_cast<size_t>(b.soil)];
    const double density = ground.soil().loose_density();
    b.most = shape.most(up, ground.loose_slope()).volume;
    const double excess = b.mass / density - b.most;
    if (!(excess > 1e-9) || b.depth > 0) return;
    // Through a mouth of this size, as over a weir.
    const double mouth = norm(shape.rim() - shape.edge()), step = step_of(world.settings());
    const double volume =
        std::min(excess, 0.5 * shape.width() * std::sqrt(gravity_) * std::pow(mouth, 1.5) * step);
    const double mass = b.most > 0 || volume < excess ? std::min(b.mass, volume * density) : b.mass;
    const Vec3 edge = pose * shape.edge(), rim = pose * shape.rim();
    const Vec3 from = (edge.z < rim.z ? edge : rim)
                    + (uniform(m.random) - 0.5) * shape.width() * (turn * shape.across());
    const Twist twist = world.twist(earth_.buckets[i].body);
    b.mass -= mass;
    throw_parcel(world, m,
                 {.mass = mass,
                  .soil = b.soil,
                  .age = 0,
                  .position = from,
                  .velocity = twist.linear + cross(twist.angular, from - pose.position)});
}

void EarthProcess::tell_load(World& world, EarthMemory& m, size_t i) const {
    BucketState& b = m.buckets[i];
    const ForceId force = ids_.loads[i];
    const bool was_loaded = b.load_center != shapes_[i].edge();
    if (!(b.mass > 0) && !was_loaded) return;
    b.load_center = shapes_[i].edge();
    if (b.mass > 0) {
        const Ground& ground = m.grounds[static_cast<size_t>(b.soil)];
        const Vec3 up =
            world.pose(earth_.buckets[i].body).orientation.conjugate().matrix() * Vec3{0, 0, 1};
        b.load_center = shapes_[i]
                            .load(up, ground.loose_slope(), b.mass / ground.soil().loose_density())
                            .center;
    }
    for (size_t k = 0; k < 3; ++k)
        world.command(force, load_place + k, b.load_center[static_cast<int>(k)]);
    world.command(force, load_mass, b.mass);
}

}  // namespace bristle::machines
