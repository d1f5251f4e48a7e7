// Energy that drives, motors, dampers and stops put in or take out is the energy that is gained or lost.
#include <bristle/world.h>

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace bristle::step {
namespace {

using testing_support::Random;

struct Arm {
    Model model;
    BodyId first, second;
    JointId shoulder, elbow;
};

Arm arm() {
    Arm a;
    Random random(5);
    a.first = a.model.add(testing_support::random_body(random, {0.5, 0, 0}));
    a.second = a.model.add(testing_support::random_body(random, {1.5, 0, 0}));
    a.shoulder =
        a.model.add(Revolute{.a = a.model.ground(), .b = a.first, .at = {}, .axis = {0.2, 1, 0}});
    a.elbow =
        a.model.add(Prismatic{.a = a.first, .b = a.second, .at = {1, 0, 0}, .axis = {1, 0.3, 0.1}});
    return a;
}

// |E(end) − E(0) − ∫ power dt| by the trapezoidal rule.
double imbalance(const Model& model, double step,
                 const std::function<double(const World&)>& power) {
    World world(model, {.step = step});
    const double start = world.energy().total();
    double work = 0, before = power(world);
    while (world.time() < 0.4 - step / 2) {
        world.step();
        const double now = power(world);
        work += step / 2 * (before + now);
        before = now;
    }
    EXPECT_GT(std::abs(world.energy().total() - start), 0.1) << "nothing to balance";
    return std::abs(world.energy().total() - start - work);
}

// Second order: four times smaller when the step is halved, and small at all.
void expect_balance(const Model& model, const std::function<double(const World&)>& power) {
    const double coarse = imbalance(model, 2e-3, power), fine = imbalance(model, 1e-3, power);
    EXPECT_LE(fine, 1e-3);
    EXPECT_LE(fine, 0.35 * coarse + 1e-9) << coarse << ", " << fine;
}

TEST(Power, OfAPositionDrive) {
    Arm a = arm();
    const DriveId d = a.model.add(
        Drive{.joint = a.elbow, .target = [](double t) { return 0.2 * (1 - std::cos(5 * t)); }});
    expect_balance(a.model,
                   [&](const World& w) { return w.effort(d) * w.coordinate_rate(a.elbow); });
}

TEST(Power, OfASpeedDrive) {
    Arm a = arm();
    // It starts with the speed that the bodies have: no jump.
    const double start = World(a.model).coordinate_rate(a.shoulder);
    const DriveId d = a.model.add(Drive{.joint = a.shoulder,
                                        .control = Drive::Control::speed,
                                        .target = [=](double t) { return start + 2 * t; }});
    expect_balance(a.model,
                   [&](const World& w) { return w.effort(d) * w.coordinate_rate(a.shoulder); });
}

TEST(Power, OfAMotorWithANoLoadSpeed) {
    Arm a = arm();
    a.model.add(Motor{.joint = a.shoulder,
                      .effort = [](double t) { return 20 * std::cos(3 * t); },
                      .no_load_speed = 8});
    expect_balance(a.model, [&](const World& w) {
        const double effort = 20 * std::cos(3 * w.time()), rate = w.coordinate_rate(a.shoulder);
        return (effort - std::abs(effort) / 8 * rate) * rate;
    });
}

TEST(Power, OfDampersAndSprings) {
    Arm a = arm();
    const double stiffness = 100, damping = 3;
    const ForceId spring = a.model.add(Spring{.a = a.model.ground(),
                                              .b = a.second,
                                              .at_a = {0, 0, 1},
                                              .at_b = {2, 0, 0.2},
                                              .stiffness = stiffness,
                                              .damping = damping,
                                              .free_length = 1.5});
    a.model.add(JointSpring{.joint = a.shoulder, .stiffness = 10, .damping = 2, .rest = 0.3});
    const Body& body = a.model.bodies()[a.second.index];
    const Vec3 local = body.orientation.matrix().transposed() * (Vec3{2, 0, 0.2} - body.position);
    expect_balance(a.model, [&, local](const World& w) {
        const Vec3 way = w.point(a.second, local) - Vec3{0, 0, 1};
        const double rate = dot(normalized(way), w.point_velocity(a.second, local));
        EXPECT_NEAR(w.tension(spring), stiffness * (norm(way) - 1.5) + damping * rate, 1e-7);
        return -damping * rate * rate - 2 * std::pow(w.coordinate_rate(a.shoulder), 2);
    });
}

TEST(Power, OfARotorIsPartOfTheEnergy) {
    Arm a = arm();
    a.model.add(Coordinate{.joint = a.shoulder, .inertia = 0.05, .ratio = 10});
    World world(a.model);
    const double start = world.energy().total(), rate = world.coordinate_rate(a.shoulder);
    double bodies = 0;
    for (BodyId id : {a.first, a.second}) {
        const Body& body = a.model.bodies()[id.index];
        const Vec3 v = world.point_velocity(id, body.center),
                   w = world.pose(id).orientation.matrix().transposed() * world.twist(id).angular;
        bodies += 0.5 * body.mass * dot(v, v) + 0.5 * dot(w, body.inertia * w);
    }
    EXPECT_NEAR(world.energy().kinetic, bodies + 0.5 * 0.05 * 100 * rate * rate, 1e-9);
    world.advance_to(0.4);
    EXPECT_NEAR(world.energy().total(), start, 1e-3);
}

TEST(Power, OfAForceOfTheUsers) {
    for (bool with_tangent : {false, true}) {
        Arm a = arm();
        const BodyId b = a.second;
        a.model.add(
            UserForce{.apply =
                          [b](const Kinematics& k, ForceSink& sink) {
                              sink.add_force(b, -4.0 * k.twist(b).linear, k.pose(b).position);
                              sink.add_torque(b, {0, 5 * std::sin(9 * k.time()), 1});
                          },
                      .bodies = with_tangent ? std::vector<BodyId>{b} : std::vector<BodyId>{}});
        expect_balance(a.model, [&](const World& w) {
            const Twist t = w.twist(b);
            return -4 * dot(t.linear, t.linear)
                 + dot(t.angular, {0, 5 * std::sin(9 * w.time()), 1});
        });
    }
}

// An elastic stop gives all back, a dead one takes what came.
TEST(Power, OfAStop) {
    for (double restitution : {0.0, 0.5, 1.0}) {
        Model m;
        const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
        const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
        m.add(Limit{.joint = pin, .max = 0.5, .restitution = restitution});
        World world(m, {.step = 1e-4});
        double before = 0;
        while (world.coordinate(pin) < 0.5 - 1e-9 && world.time() < 1) {
            before = world.energy().kinetic;
            world.step();
        }
        ASSERT_LT(world.time(), 1);
        // ½ I θ̇² = m g (l/2) sin 0.5, and e² of it is left.
        EXPECT_NEAR(before, 0.5 * 9.81 * std::sin(0.5), 1e-2);
        EXPECT_NEAR(world.energy().kinetic, restitution * restitution * before, 1e-2);
    }
}

}  // namespace
}  // namespace bristle::step
