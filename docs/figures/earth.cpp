// A bucket digs a trench in sand and one in clay and dumps what it has beside it: the heights it leaves, for the picture of
// docs/earth.md.
#include "machines/earth/earth.h"

#include <cstdio>

using namespace bristle;
using namespace bristle::machines;

namespace {

Bucket bucket_on(BodyId body) {
    Bucket b{.body = body};
    b.edge_left = {0, 0.5, 0};
    b.edge_right = {0, -0.5, 0};
    b.inside = {{0, 0, 0}, {-0.9, 0, 0}, {-1.1, 0, 0.3}, {-1.1, 0, 0.7}};
    for (const double y : {-0.5, 0.5})
        for (const Vec3 p : b.inside) b.hull.push_back({p.x, y, p.z});
    return b;
}

void dig(const Soil& soil) {
    Model model;
    HeightField field{
        .columns = 201, .rows = 81, .spacing_x = 0.05, .spacing_y = 0.05, .heights = {}};
    field.heights.assign(size_t{201} * 81, 0);
    const ShapeId ground = model.add(Shape{.body = model.ground(), .geometry = field});
    const Vec3 at{1.5, 2, 0.6};
    const auto box = Body::box({1, 1, 1}, 100).at(at);
    const BodyId cart = model.add(box), lift = model.add(box), body = model.add(box);
    const DriveId ways[] = {
        model.add(Drive{.joint = model.add(
                            Prismatic{.a = model.ground(), .b = cart, .at = at, .axis = {1, 0, 0}}),
                        .control = Drive::Control::position}),
        model.add(
            Drive{.joint = model.add(Prismatic{.a = cart, .b = lift, .at = at, .axis = {0, 0, 1}}),
                  .control = Drive::Control::position}),
        model.add(
            Drive{.joint = model.add(Revolute{.a = lift, .b = body, .at = at, .axis = {0, 1, 0}}),
                  .control = Drive::Control::position})};
    Earth earth;
    earth.patches = {{.shape = ground, .soil = soil}};
    earth.buckets = {bucket_on(body)};
    const EarthIds ids = add_earth(model, earth);
    World world(model, AugmentedLagrangian{.step = 5e-3});
    Vec3 now;
    const auto go = [&](double x, double z, double turn, double time) {
        const Vec3 from = now, to{x, z, turn};
        const double start = world.time();
        while (world.time() < start + time) {
            now = from + std::min(1.0, (world.time() - start) / time) * (to - from);
            for (int k = 0; k < 3; ++k) world.command(ways[k], now[k]);
            world.step();
        }
    };
    for (int pass = 1; pass <= 3; ++pass) {
        const double depth = -0.6 - 0.2 * pass;
        go(0, 0, 0.5, 1);
        go(0.3, depth, 0.5, 1);
        go(1.6, depth, 0, 2);
        go(2.2, 0.9, -0.9, 2);
        go(5.6, 0.9, -0.9, 2);
        go(5.6, 0.9, 1.8, 1);
        go(5.6, 0.9, 1.8, 1);
        go(0, 0.9, 0.5, 2);
    }
    std::printf("%s %u %u\n", soil.name.c_str(), field.columns, field.rows);
    for (const double h : world.height_field(ground).heights) std::printf("%.4f ", h);
    std::printf("\n");
}

}  // namespace

int main() {
    dig(sand());
    dig(clay());
}
