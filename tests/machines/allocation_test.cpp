// What machines are made of takes nothing from the heap after the tenth step.
#include <bristle/world.h>

#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"
#include "machines/parts/tyre.h"
#include "tests/machines/solvers.h"
#include "tests/support/allocations.h"

#include <gtest/gtest.h>

namespace bristle::machines {
namespace {

Geometry mesh_ground() {
    const auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
    mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
    return Mesh{mesh};
}

Geometry field_ground() {
    HeightField field{.columns = 5, .rows = 5, .spacing_x = 20, .spacing_y = 20};
    field.heights.assign(25, 0);
    return field;
}

// A cart with a mast that a cylinder lifts, driving.
Model cart(const Geometry& ground, Pose at) {
    Model m;
    m.add(Shape{.body = m.ground(), .geometry = ground, .pose = at});
    const BodyId body = m.add(Body::box({2, 2, 1}, 4000).at({0, 0, 1}));
    DriveTrain train;
    train.axles.resize(2);
    for (size_t i = 0; i < 4; ++i) {
        const Vec3 place{i < 2 ? -1.0 : 1.0, i % 2 == 0 ? 1.0 : -1.0, 0.5};
        const BodyId wheel = m.add(Body::sphere(0.4, 100).at(place));
        const JointId hub = m.add(Revolute{.a = body, .b = wheel, .at = place, .axis = {0, 1, 0}});
        (i % 2 == 0 ? train.axles[i / 2].left : train.axles[i / 2].right) = hub;
        train.axles[i / 2].share = 0.5;
        add_tyre(m, wheel, {});
    }
    add_drive_train(m, train);
    const BodyId mast = m.add(Body::box({0.5, 0.5, 0.5}, 500).at({0, 0, 2}));
    Circuit circuit;
    circuit.functions = {
        {.name = "lift",
         .joint = m.add(Prismatic{.a = body, .b = mast, .at = {0, 0, 2}, .axis = {0, 0, 1}}),
         .area_a = 0.01,
         .area_b = 0.006,
         .stroke = 1,
         .retracted = -0.5}};
    add_hydraulics(m, circuit);
    return m;
}

TEST(Allocation, NoneInAMachineThatDrivesAndLifts) {
    const std::pair<Geometry, Pose> grounds[] = {
        {Plane{}, {}}, {field_ground(), {{-40, -40, 0}, {}}}, {mesh_ground(), {}}};
    for (const Settings& settings : testing_support::solvers())
        for (const auto& [ground, at] : grounds) {
            World world(cart(ground, at), settings);
            const ForceId train{4}, oil{5};
            for (int i = 0; i < 10; ++i) world.step();
            const uint64_t before = allocations;
            for (int i = 0; i < 600; ++i) {
                world.command(train, pedal, i < 300 ? 0.5 : 0);
                world.command(train, service_brake, i < 400 ? 0 : 0.5);
                world.command(oil, lever_of(0), i % 200 < 100 ? 0.7 : -0.7);
                world.step();
            }
            EXPECT_EQ(allocations - before, 0u);
            EXPECT_GT(world.pose(BodyId{1}).position.x, 0.5);
        }
}

}  // namespace
}  // namespace bristle::machines
