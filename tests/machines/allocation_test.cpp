// What machines are made of takes nothing from the heap after the tenth step.
#include <bristle/scene.h>
#include <bristle/world.h>

#include "machines/earth/earth.h"
#include "machines/parts/drive_train.h"
#include "machines/parts/hydraulics.h"
#include "machines/parts/tyre.h"
#include "machines/training/excavator_tasks.h"
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

// A bucket that waits above the ground, and one that is carried along with its load.
TEST(Allocation, NoneInEarthThatRests) {
    for (const Settings& settings : testing_support::solvers()) {
        Model m;
        HeightField field{
            .columns = 61, .rows = 41, .spacing_x = 0.1, .spacing_y = 0.1, .heights = {}};
        field.heights.assign(size_t{61} * 41, 0);
        Earth earth;
        earth.patches = {
            {.shape = m.add(Shape{.body = m.ground(), .geometry = field}), .soil = loam()}};
        const Vec3 at{2, 2, -0.1};
        const BodyId body = m.add(Body::box({1, 1, 1}, 500).at(at));
        const JointId rail =
            m.add(Prismatic{.a = m.ground(), .b = body, .at = at, .axis = {0.7, 0, 0.1}});
        const DriveId way = m.add(Drive{.joint = rail, .control = Drive::Control::speed});
        Bucket bucket{.body = body};
        bucket.edge_left = {0, 0.5, 0};
        bucket.edge_right = {0, -0.5, 0};
        bucket.inside = {{0, 0, 0}, {-0.9, 0, 0}, {-1.1, 0, 0.3}, {-1.1, 0, 0.7}};
        for (const double y : {-0.5, 0.5})
            for (const Vec3 p : bucket.inside) bucket.hull.push_back({p.x, y, p.z});
        earth.buckets = {bucket};
        const EarthIds ids = add_earth(m, earth);
        World world(m, settings);
        world.command(way, 1);
        world.advance_to(2);
        ASSERT_GT(EarthNow(world, ids).buckets[0].mass, 10);
        world.advance_to(8);
        const uint64_t before = allocations;
        world.advance_to(9);
        EXPECT_EQ(allocations - before, 0u);
    }
}

TEST(Allocation, NoneInMachinesThatLearn) {
    const io::Scene scene =
        io::read_scene(std::string(SCENES_FOLDER) + "/parts/excavator-digging.yaml");
    ExcavatorTasks many(scene.model, scene.solver,
                        {.task = Task::fill,
                         .count = 2,
                         .threads = 2,
                         .time_limit = 100,
                         .at_end = TaskOptions::AtEnd::begins_anew});
    many.reset(1);
    std::vector<float> levers(2 * many.action().size(), 0.3F);
    for (int i = 0; i < 10; ++i) many.step(levers);
    const uint64_t before = allocations;
    for (int i = 0; i < 20; ++i) {
        levers.assign(levers.size(), i % 2 == 0 ? 0.5F : -0.4F);
        many.step(levers);
    }
    EXPECT_EQ(allocations - before, 0U);
}

}  // namespace
}  // namespace bristle::machines
