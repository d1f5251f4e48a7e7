// Dry friction in joints, under both solvers: closed forms of what it takes away, and that it holds without creeping.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <cmath>

namespace bristle {
namespace {

struct Solver {
    const char* name;
    Settings settings;
    double tolerance;  // relative, of a way: the step in which it stops is not divided
    double drift;      // m or rad in two seconds of rest
};
const Solver solvers[] = {{"augmented Lagrangian", AugmentedLagrangian{.step = 1e-3}, 2e-3, 1e-9},
                          {"impulses", Impulse{.step = 1e-3}, 4e-3, 1e-6}};

DriveId add_friction(Model& model, JointId joint, double effort) {
    return model.add(
        Drive{.joint = joint, .control = Drive::Control::friction, .max_effort = effort});
}

TEST(JointFriction, StopsAFlywheelAfterItsEnergyOverTheTorque) {
    const double radius = 0.2, mass = 5, spin = 10, torque = 2;
    const double inertia = 0.5 * mass * radius * radius;
    for (const Solver& solver : solvers) {
        SCOPED_TRACE(solver.name);
        Model model;
        const auto wheel = model.add(Body::cylinder(radius, 0.1, mass));
        const auto hinge = model.add(
            Revolute{.a = Model::ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}, .rate = spin});
        const auto friction = add_friction(model, hinge, torque);
        World world(model, solver.settings);
        world.advance_to(0.1);
        EXPECT_NEAR(world.coordinate_rate(hinge), spin - torque / inertia * 0.1, 2e-4);
        EXPECT_NEAR(world.effort(friction), -torque, 1e-9);
        world.advance_to(1);
        const double way = 0.5 * inertia * spin * spin / torque;
        EXPECT_NEAR(world.coordinate(hinge), way, solver.tolerance * way);
        EXPECT_NEAR(world.work(friction), -0.5 * inertia * spin * spin,
                    solver.tolerance * inertia * spin * spin);
        const double stopped = world.coordinate(hinge);
        world.advance_to(3);
        EXPECT_NEAR(world.coordinate(hinge), stopped, solver.drift);
        EXPECT_NEAR(world.effort(friction), 0, 1e-6);
    }
}

TEST(JointFriction, StopsABlockOnASlideAfterTheSquareOfItsSpeed) {
    const double mu = 0.3, mass = 4, g = 9.81, speed = 2;
    for (const Solver& solver : solvers) {
        SCOPED_TRACE(solver.name);
        Model model;
        const auto block = model.add(Body::box({0.1, 0.1, 0.1}, mass));
        const auto slide = model.add(Prismatic{
            .a = Model::ground(), .b = block, .at = {}, .axis = {1, 0, 0}, .rate = speed});
        add_friction(model, slide, mu * mass * g);
        World world(model, solver.settings);
        const double way = speed * speed / (2 * mu * g);
        world.advance_to(1);
        EXPECT_NEAR(world.coordinate(slide), way, solver.tolerance * way);
        const double stopped = world.coordinate(slide);
        world.advance_to(3);
        EXPECT_NEAR(world.coordinate(slide), stopped, solver.drift);
    }
}

TEST(JointFriction, TakesTwoTauPerRadianThereAndBackFromAPendulum) {
    const double torque = 0.2;
    for (const Solver& solver : solvers) {
        SCOPED_TRACE(solver.name);
        Model model;
        const auto rod = model.add(Body::rod(1, 1));
        const auto hinge =
            model.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
        const auto friction = add_friction(model, hinge, torque);
        World world(model, solver.settings);
        const double start = world.energy().total();
        double way = 0, last = 0, turned = 0;
        bool came_back = false;
        while (world.time() < 4) {
            world.step();
            const double now = world.coordinate(hinge);
            way += std::abs(now - last);
            came_back |= turned > 1.5 && now < 1.5;
            turned = std::max(turned, now);
            last = now;
        }
        EXPECT_TRUE(came_back);
        ASSERT_GT(way, 4);
        EXPECT_NEAR(world.energy().total() - start, -torque * way, 2e-3 * torque * way + 2e-2);
        EXPECT_NEAR(world.work(friction), -torque * way, 2e-3 * torque * way);
    }
}

// A rod held out level by friction of its hinge: less than its weight's moment and it falls, more and it stays for good.
TEST(JointFriction, HoldsALoadWithoutCreepingAndSlipsBeyond) {
    for (const Solver& solver : solvers) {
        SCOPED_TRACE(solver.name);
        for (const double torque : {6.0, 4.0}) {
            Model model;
            const auto rod = model.add(Body::rod(1, 1));
            const auto hinge =
                model.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
            const auto friction = add_friction(model, hinge, torque);
            World world(model, solver.settings);
            world.advance_to(2);
            if (torque > 4.905) {
                EXPECT_NEAR(world.coordinate(hinge), 0, solver.drift);
                EXPECT_NEAR(world.effort(friction), -4.905, 1e-3);
            } else {
                EXPECT_GT(world.coordinate(hinge), 0.1);
            }
        }
    }
}

TEST(JointFriction, IsBesideADriveAndSaysWhatItCannotBe) {
    Model model;
    const auto rod = model.add(Body::rod(1, 1));
    const auto hinge =
        model.add(Revolute{.a = Model::ground(), .b = rod, .at = {}, .axis = {0, 0, 1}});
    model.gravity = {};
    const auto motor =
        model.add(Drive{.joint = hinge, .control = Drive::Control::speed, .target = 1.0});
    const auto friction = add_friction(model, hinge, 3);
    EXPECT_THROW(add_friction(model, hinge, 1), InputError) << "a joint has one friction";
    World world(model);
    world.advance_to(0.1);
    EXPECT_NEAR(world.effort(motor), 3, 1e-6) << "the drive pays for the friction";
    EXPECT_NEAR(world.effort(friction), -3, 1e-6);
    EXPECT_THROW(world.command(friction, 1), InputError);
    const auto ball = model.add(Body::sphere(0.1, 1).at({0, 0, 2}));
    const auto socket = model.add(Spherical{.a = Model::ground(), .b = ball, .at = {0, 0, 2}});
    EXPECT_THROW(add_friction(model, socket, 1), InputError);
    const auto cone = model.add(SwingGauge{.a = Model::ground(), .b = ball, .axis = {0, 0, 1}});
    EXPECT_THROW(add_friction(model, cone, 1), InputError);
    const auto twist = model.add(TurnGauge{.a = Model::ground(), .b = ball, .axis = {0, 0, 1}});
    EXPECT_THROW(add_friction(model, twist, unlimited), InputError);
    EXPECT_NO_THROW(add_friction(model, twist, 1));
}

}  // namespace
}  // namespace bristle
