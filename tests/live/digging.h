// A bucket that digs by itself, a bed that it dumps into, and ground that changes: for tests of what is told of it.
#pragma once

#include <bristle/scene.h>

#include "live/wire/ground.h"
#include "machines/earth/earth.h"

#include <array>
#include <cmath>
#include <vector>

namespace bristle::live {

struct Digging {
    // A field of so many points a side, 5 cm apart, dug near its middle again and again: down, along, up, over the bed, emptied, back.
    explicit Digging(uint32_t side = 161) {
        constexpr double spacing = 0.05;
        HeightField field{.columns = side,
                          .rows = side,
                          .spacing_x = spacing,
                          .spacing_y = spacing,
                          .heights = {}};
        const double middle = 0.5 * spacing * (side - 1);
        for (size_t i = 0; i < size_t{side} * side; ++i)
            field.heights.push_back(0.05 * std::sin(0.01 * static_cast<double>(i % side)));
        Model& model = scene.model;
        ground = model.add(Shape{.body = Model::ground(),
                                 .geometry = field,
                                 .pose = {{-middle, -middle, 0}, {}},
                                 .name = "site"});
        const Vec3 at{-1, 0, 0.5};
        const auto box = Body::box({1, 1, 1}, 100).at(at);
        const BodyId cart = model.add(box), lift = model.add(box);
        bucket = model.add(Body(box).named("bucket"));
        bed = model.add(Body::box({3, 2, 0.2}, 5000).at({2.5, 0, 1}).named("bed"));
        model.add(Fixed{.a = Model::ground(), .b = bed, .at = {2.5, 0, 1}});
        const JointId ways[] = {
            model.add(Prismatic{.a = Model::ground(), .b = cart, .at = at, .axis = {1, 0, 0}}),
            model.add(Prismatic{.a = cart, .b = lift, .at = at, .axis = {0, 0, 1}}),
            model.add(Revolute{.a = lift, .b = bucket, .at = at, .axis = {0, 1, 0}})};
        for (size_t k = 0; k < 3; ++k)
            model.add(Drive{.joint = ways[k],
                            .control = Drive::Control::position,
                            .target = TimeFunction([k](double t) { return course(t)[k]; })});
        machines::Earth earth;
        earth.patches = {{.shape = ground, .soil = machines::loam()}};
        earth.buckets = {outline(bucket)};
        earth.beds = {{.body = bed, .low = {-1.4, -0.9, 0.1}, .high = {1.4, 0.9, 0.6}}};
        ids = machines::add_earth(model, earth);
        scene.name = scene.title = "digging";
        scene.solver = AugmentedLagrangian{.step = 5e-3};
        scene.duration = period;
        scene.unsaid = {"earth is dug in code"};
    }

    static constexpr double period = 8;  // s
    // Along, up and turned, at a time.
    static std::array<double, 3> course(double t) {
        struct Stop {
            double time, x, z, turn;
        };
        constexpr Stop stops[] = {{0, 0, 0, 0.4},      {1, 0, -0.8, 0.4},     {3, 1.6, -0.8, -0.2},
                                  {4, 1.8, 1.6, -0.9}, {5.5, 3.6, 1.6, -0.9}, {6.5, 3.6, 1.6, 1.6},
                                  {7, 3.6, 1.6, 1.6},  {8, 0, 0, 0.4}};
        t = std::fmod(t, period);
        size_t i = 0;
        while (stops[i + 1].time <= t) ++i;
        const Stop &a = stops[i], &b = stops[i + 1];
        const double s = (t - a.time) / (b.time - a.time), w = s * s * (3 - 2 * s);
        return {a.x + w * (b.x - a.x), a.z + w * (b.z - a.z), a.turn + w * (b.turn - a.turn)};
    }
    static machines::Bucket outline(BodyId body) {
        machines::Bucket b{.body = body};
        b.edge_left = {0, 0.5, 0};
        b.edge_right = {0, -0.5, 0};
        b.inside = {{0, 0, 0}, {-0.9, 0, 0}, {-1.1, 0, 0.3}, {-1.1, 0, 0.7}};
        for (const double y : {-0.5, 0.5})
            for (const Vec3 p : b.inside) b.hull.push_back({p.x, y, p.z});
        return b;
    }

    io::Scene scene;
    ShapeId ground;
    BodyId bucket, bed;
    machines::EarthIds ids;
};

// A field's heights as they are told, all of them.
inline std::vector<int32_t> told_heights(const HeightField& f) {
    const FieldGrid grid = FieldGrid::of(f);
    return grid.heights(f, {0, 0, grid.columns, grid.rows});
}

}  // namespace bristle::live
