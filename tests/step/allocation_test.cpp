// A step of an unchanged model takes nothing from the heap after the tenth.
#include <bristle/world.h>

#include "geometry/tessellate.h"
#include "scenes/bodies.h"
#include "scenes/mechanisms.h"
#include "tests/support/allocations.h"
#include "tests/support/contact_scenes.h"

#include <gtest/gtest.h>

namespace bristle::step {
namespace {

uint64_t allocations_after_the_tenth(const Model& model, int steps,
                                     const Settings& settings = AugmentedLagrangian{}) {
    World world(model, settings);
    for (int i = 0; i < 10; ++i) world.step();
    const uint64_t before = allocations;
    for (int i = 0; i < steps; ++i) world.step();
    return allocations - before;
}

TEST(Allocation, IsCounted) {
    const uint64_t before = allocations;
    const auto a = std::make_unique<std::vector<double>>(1000);
    EXPECT_GE(allocations - before, 2u);
}

TEST(Allocation, NoneInMechanismsWithLoops) {
    EXPECT_EQ(allocations_after_the_tenth(scenes::four_bars(10).model, 1000), 0u);
    EXPECT_EQ(allocations_after_the_tenth(scenes::machine15().model, 500), 0u);
    EXPECT_EQ(
        allocations_after_the_tenth(
            scenes::machine15(scenes::Machine15::Variant::welded_with_free_cylinder).model, 500),
        0u);
    EXPECT_EQ(allocations_after_the_tenth(scenes::andrews().model, 1000,
                                          AugmentedLagrangian{.step = 1e-5}),
              0u);
    EXPECT_EQ(allocations_after_the_tenth(scenes::flyball().model, 1000), 0u);
}

TEST(Allocation, NoneWithAnyIntegratorOrProjection) {
    for (Integrator integrator :
         {Integrator::newmark, Integrator::hht, Integrator::generalized_alpha})
        for (Projection projection : {Projection::tangent, Projection::mass})
            EXPECT_EQ(allocations_after_the_tenth(
                          scenes::four_bars(2).model, 200,
                          AugmentedLagrangian{.integrator = integrator, .projection = projection}),
                      0u);
}

// Independent coordinates are dense, and may.
TEST(Allocation, NoneWithMultipliersOrPenalty) {
    for (const Settings& settings : {Settings{Baumgarte{}}, Settings{Penalty{}}}) {
        EXPECT_EQ(allocations_after_the_tenth(scenes::four_bars(10).model, 200, settings), 0u);
        EXPECT_EQ(allocations_after_the_tenth(scenes::double_pendulum().model, 200, settings), 0u);
    }
}

TEST(Allocation, NoneWhenALimitIsStruckAndBounces) {
    for (double restitution : {0.0, 0.6}) {
        Model m;
        const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
        const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
        const LimitId stop = m.add(Limit{.joint = pin, .max = 0.5, .restitution = restitution});
        World world(m);
        for (int i = 0; i < 10; ++i) world.step();
        const uint64_t before = allocations;
        double effort = 0;
        for (int i = 0; i < 1500; ++i) {
            world.step();
            effort = std::min(effort, world.effort(stop));
        }
        EXPECT_EQ(allocations - before, 0u);
        EXPECT_LT(effort, -1) << "it was never struck";
    }
}

TEST(Allocation, NoneWhenADriveSaturatesAndTakesHoldAgain) {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin,
                                      .control = Drive::Control::speed,
                                      .target = [](double t) { return 5 * std::sin(9 * t); },
                                      .max_effort = 7});
    World world(m);
    for (int i = 0; i < 10; ++i) world.step();
    const uint64_t before = allocations;
    int saturated = 0;
    for (int i = 0; i < 2000; ++i) {
        world.step();
        saturated += std::abs(world.effort(drive)) >= 7;
    }
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_GT(saturated, 50);
    EXPECT_LT(saturated, 1950);
}

TEST(Allocation, NoneWhenAHydraulicDrivePushesLocksAndRuns) {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin,
                                      .control = Drive::Control::hydraulic,
                                      .target = [](double t) { return std::sin(9 * t); },
                                      .max_effort = 3,
                                      .max_speed = 5});
    World world(m);
    for (int i = 0; i < 10; ++i) world.step();
    const uint64_t before = allocations;
    int pushes = 0, brakes = 0;
    for (int i = 0; i < 2000; ++i) {
        world.step();
        pushes += std::abs(world.effort(drive)) == 3;
        brakes += std::abs(world.effort(drive)) > 3;
    }
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_GT(pushes, 50);
    EXPECT_GT(brakes, 50);
}

TEST(Allocation, NoneWithSpringsBushingsMotorsGearsAndUserForces) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 1)),
                 b = m.add(Body::box({1, 1, 1}, 1).at({2, 0, 0}));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 1, 0}});
    const JointId other =
        m.add(Revolute{.a = m.ground(), .b = b, .at = {2, 0, 0}, .axis = {0, 1, 0}});
    m.add(Gear{.first = pin, .second = other, .ratio = 2});
    m.add(Coordinate{.joint = pin, .inertia = 0.1, .ratio = 10});
    m.add(Spring{
        .a = a, .b = b, .at_a = {0.5, 0, 0}, .at_b = {1.5, 0, 0}, .stiffness = 100, .damping = 1});
    m.add(JointSpring{.joint = pin, .law = table({{-1, -5}, {0, 0}, {1, 20}})});
    m.add(Bushing{.a = m.ground(),
                  .b = b,
                  .at = {2, 0, 0},
                  .stiffness = {1, 1, 1},
                  .damping = {1, 1, 1},
                  .angular_stiffness = {1, 1, 1}});
    m.add(Motor{.joint = pin, .effort = [](double t) { return 10 * t; }, .no_load_speed = 5});
    m.add(UserForce{.apply = [a](const Kinematics& k,
                                 ForceSink& s) { s.add_torque(a, -0.1 * k.twist(a).angular); },
                    .bodies = {a}});
    EXPECT_EQ(allocations_after_the_tenth(m, 500), 0u);
}

TEST(Allocation, NoneWithStatefulForces) {
    // Spring and damper, both ends' oil in one volume, and a leg on the ground.
    struct Oil : StatefulLaw {
        size_t memory_size() const override { return 2; }
        PointAim aim(size_t, const Pose& pose, const Twist&, std::span<const double>,
                     std::span<const double>, const Scenery& ground) const override {
            const auto hit = ground.cast_ray(pose.position, {0, 0, -1}, 5);
            return {.at = hit ? hit->point : pose.position};
        }
        void step(const LawStep& s) const override {
            for (size_t i = 0; i < 2; ++i) {
                s.memory[i] = s.before[i] - 1e6 * (s.end[i] - s.start[i]);
                s.effort[i] = s.memory[i];
                s.stiffness[6 * i] = 1e6;
            }
            s.effort[4] = -100 * s.end_rate[4];
            s.damping[24] = 100;
        }
    };
    Model m;
    m.add(Shape{.body = m.ground(), .geometry = Plane{}});
    const BodyId a = m.add(Body::box({1, 1, 1}, 1).at({0, 0, 3})),
                 b = m.add(Body::box({1, 1, 1}, 1).at({2, 0, 3}));
    const JointId pin =
        m.add(Revolute{.a = m.ground(), .b = a, .at = {0, 0, 3}, .axis = {0, 1, 0}});
    const JointId slide = m.add(Prismatic{.a = a, .b = b, .at = {2, 0, 3}, .axis = {1, 0, 0}});
    m.add(StatefulForce{
        .law = std::make_shared<Oil>(), .joints = {pin, slide}, .points = {b}, .name = "oil"});
    for (const Settings& settings : {Settings{AugmentedLagrangian{}}, Settings{Impulse{}}})
        EXPECT_EQ(allocations_after_the_tenth(m, 500, settings), 0u);
}

// Contacts that last, and that come and go; between moving bodies their pattern settles once they have met.
TEST(Allocation, NoneOnceContactsAreThere) {
    using namespace testing_support;
    const auto after = [](const Model& m, double settle) {
        World world(m, {.step = 2e-3});
        world.advance_to(settle);
        EXPECT_FALSE(world.contacts().empty());
        const uint64_t before = allocations;
        for (int i = 0; i < 500; ++i) world.step();
        return allocations - before;
    };
    Model rolling;
    add_floor(rolling);
    add_ball(rolling, 0.2, 1, {0, 0, 0.2}, {1, 0, 0});
    EXPECT_EQ(after(rolling, 0.1), 0u) << "ball on a plane";

    Model stack;
    add_floor(stack);
    for (int i = 0; i < 4; ++i)
        add_box(stack, {0.5, 0.5, 0.2}, 1, {0, 0, 0.1 + 0.2 * i}, {2, 0, 0});
    EXPECT_EQ(after(stack, 0.2), 0u) << "stack that slides";

    Model mesh;
    mesh.add(Shape{.body = mesh.ground(), .geometry = Mesh{share(flat_sheet(-5, 5, 5, 20))}});
    add_ball(mesh, 0.2, 1, {-4, 0.3, 0.2}, {3, 0, 0});
    EXPECT_EQ(after(mesh, 0.2), 0u) << "ball on a mesh";

    Model field;
    std::vector<double> heights;
    for (int i = 0; i < 441; ++i) heights.push_back(0.05 * std::sin(i % 21) * std::cos(i / 21));
    field.add(Shape{.body = field.ground(), .geometry = HeightField{21, 21, 1, 1, heights}});
    add_ball(field, 0.4, 1, {6, 10, 0.5}, {3, 0, 0});
    EXPECT_EQ(after(field, 0.5), 0u) << "ball on a height field";

    Model boxes;
    boxes.add(Shape{.body = boxes.ground(), .geometry = Mesh{share(flat_sheet(-5, 5, 5, 20))}});
    add_box(boxes, {0.5, 0.5, 0.2}, 1, {-3, 0, 0.1}, {3, 0, 0});
    EXPECT_EQ(after(boxes, 0.2), 0u) << "box on a mesh";
}

TEST(Allocation, NoneWhenABallBouncesAgainAndAgain) {
    using namespace testing_support;
    Model m;
    const MaterialId rubber = m.add(Material{.restitution = 0.95});
    add_floor(m, rubber);
    add_ball(m, 0.1, 1, {0, 0, 0.4}, {}, {}, rubber);
    World world(m, {.step = 2e-3});
    world.advance_to(1);
    const uint64_t before = allocations;
    for (int i = 0; i < 1000; ++i) world.step();
    EXPECT_EQ(allocations - before, 0u);
}

// ---- Impulses ------------------------------------------------------------------------------------------

uint64_t allocations_after(World& world, double warm_up, int steps) {
    world.advance_to(warm_up);
    const uint64_t before = allocations;
    for (int i = 0; i < steps; ++i) world.step();
    return allocations - before;
}

TEST(Allocation, NoneOfImpulsesInAStackAtRest) {
    for (double sleep_after : {0.5, unlimited})
        for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never}) {
            World world(scenes::stack(10).model,
                        Impulse{.direct = direct, .sleep_after = sleep_after});
            EXPECT_EQ(allocations_after(world, 2, 300), 0u);
            EXPECT_FALSE(world.contacts().empty());
        }
}

TEST(Allocation, NoneOfImpulsesInDrivenMechanisms) {
    EXPECT_EQ(allocations_after_the_tenth(scenes::machine15().model, 200, Impulse{}), 0u);
    EXPECT_EQ(allocations_after_the_tenth(scenes::four_bars(10).model, 200, Impulse{}), 0u);
    EXPECT_EQ(allocations_after_the_tenth(scenes::flyball().model, 200, Impulse{.step = 1e-3}), 0u);
}

// Links come near each other in the first swing, and lists of pairs grow once.
TEST(Allocation, NoneOfImpulsesInChainsThatHaveSwung) {
    for (Impulse::Direct direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never}) {
        World world(scenes::chains(2, 20).model, Impulse{.direct = direct});
        EXPECT_EQ(allocations_after(world, 1, 150), 0u);
    }
}

// Contacts come and go all the time; there is room for the most there were.
TEST(Allocation, NoneOfImpulsesInAPileThatIsDown) {
    for (int threads : {1, 2}) {
        World world(scenes::pile(100).model, Impulse{.sleep_after = unlimited, .threads = threads});
        EXPECT_EQ(allocations_after(world, 4, 100), 0u) << threads << " threads";
        EXPECT_GT(world.contacts().size(), 100u);
    }
}

// Looking must not be dear either: what the controller of a machine reads every step.
TEST(Allocation, NoneInPosesTwistsEffortsAndConstraintErrors) {
    scenes::Machine15 machine = scenes::machine15();
    World world(machine.model);
    const auto look = [&] {
        double sum = world.constraint_error().position + world.time();
        for (uint32_t i = 0; i < machine.model.bodies().size(); ++i)
            sum += world.pose({i}).position.x + world.twist({i}).linear.x
                 + world.acceleration({i}).x + world.point({i}, {1, 0, 0}).x;
        for (DriveId d : machine.cylinders) sum += world.effort(d);
        return sum;
    };
    for (int i = 0; i < 10; ++i) world.step();
    look();
    const uint64_t before = allocations;
    EXPECT_TRUE(std::isfinite(look()));
    EXPECT_EQ(allocations - before, 0u);
}

// A cube that slides down a slope by the volume it shares with a plane, with a slab, and of balls packed into both.
TEST(Allocation, NoneWhileSolidsSlideOnEachOther) {
    const auto mesh = [](const Geometry& g, uint32_t balls) {
        return Mesh{std::make_shared<const TriangleMesh>(tessellated(g, 16)), balls};
    };
    const auto sliding = [&](const Geometry& cube, const Geometry& floor, double floor_height) {
        Model model;
        model.gravity = {6, 0.1, -8};
        const MaterialId material =
            model.add(Material{.static_friction = 0.3, .kinetic_friction = 0.3, .foundation = 1e7});
        const BodyId body = model.add(Body::box({0.2, 0.2, 0.2}, 8).at({0, 0, 0.0999}));
        model.add(Shape{.body = body, .geometry = cube, .material = material});
        model.add(Shape{.body = model.ground(),
                        .geometry = floor,
                        .pose = {{0, 0, floor_height}, {}},
                        .material = material});
        return model;
    };
    const Box cube{{0.2, 0.2, 0.2}}, slab{{4, 4, 1}};
    const AugmentedLagrangian settings{.step = 1e-3};
    EXPECT_EQ(allocations_after_the_tenth(sliding(cube, Plane{}, 0), 400, settings), 0u);
    EXPECT_EQ(
        allocations_after_the_tenth(sliding(mesh(cube, 0), mesh(slab, 0), -0.5), 400, settings),
        0u);
    EXPECT_EQ(allocations_after_the_tenth(sliding(mesh(cube, 300), Plane{}, 0), 400, settings), 0u);
}

}  // namespace
}  // namespace bristle::step
