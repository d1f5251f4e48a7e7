// What turns fast turns by as much as its rate says, and torques on it do all their work: at 0.05 to 1.6 rad a step.
#include <bristle/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bristle::step {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

// About y, its centre `off` away from the axis, with a torque on it.
struct Flywheel {
    Model model;
    BodyId wheel;
    JointId pin;
    double inertia;

    Flywheel(double rate, double off, double torque) {
        model.gravity = {};
        Body body;
        body.mass = 2;
        body.inertia = Mat3::diagonal({0.02, 0.04, 0.02});
        inertia = 0.04 + body.mass * off * off;
        wheel = model.add(body.at({off, 0, 0}).moving({0, 0, -rate * off}, {0, rate, 0}));
        pin = model.add(
            Revolute{.a = Model::ground(), .b = wheel, .at = {0, 0, 0}, .axis = {0, 1, 0}});
        if (torque != 0) model.add(Motor{.joint = pin, .effort = torque});
    }
};

TEST(FastRotation, IsWhatRateAndTorqueSay) {
    for (double step : {1e-3, 5e-3})
        for (double rate : {50.0, 314.159})
            for (double off : {0.0, 0.1})
                for (double torque : {0.0, 2.0}) {
                    const Flywheel f(rate, off, torque);
                    World world(f.model, {.step = step});
                    world.advance_to(1);
                    const double gained = torque / f.inertia;
                    EXPECT_NEAR(std::remainder(world.angle(f.pin) - rate - gained / 2, full_turn),
                                0, 1e-6)
                        << step << ' ' << rate << ' ' << off << ' ' << torque;
                    EXPECT_NEAR(world.twist(f.wheel).angular.y, rate + gained, 1e-7 * rate);
                }
}

// Its tip on a ball joint: the energy comes and goes, and never comes to stay.
TEST(FastRotation, OfATopKeepsItsEnergy) {
    struct Case {
        double step, rate, lost;
    };
    for (const Case& c : {Case{1e-3, 100, 3e-4}, Case{5e-3, 20, 1e-3}, Case{5e-3, 100, 1e-2}}) {
        Model m;
        const double tilt = 0.4, length = 0.2;
        const Vec3 along{std::sin(tilt), 0, std::cos(tilt)};
        Body body;
        body.mass = 1;
        body.inertia = Mat3::diagonal({0.004, 0.004, 0.002});
        body.orientation = Quat::about({0, 1, 0}, tilt);
        const BodyId top = m.add(body.at(length * along).moving({}, c.rate * along));
        m.add(Spherical{.a = Model::ground(), .b = top, .at = {}});
        World world(m, {.step = c.step});
        const double start = world.energy().total();
        double scale = 0;
        while (world.time() < 20) {
            world.step();
            scale = std::max(scale, world.energy().kinetic);
            ASSERT_LE(world.energy().total(), start + 1e-3 * scale) << c.step << ' ' << c.rate;
            ASSERT_GE(world.energy().total(), start - c.lost * scale) << c.step << ' ' << c.rate;
        }
        EXPECT_EQ(world.statistics().rough_steps, 0u);
    }
}

// Two that fly freely, joined off their centres.
TEST(FastRotation, OfWhatFliesKeepsItsMomentum) {
    Model m;
    m.gravity = {};
    Body hub;
    hub.mass = 3;
    hub.inertia = Mat3::diagonal({0.1, 0.12, 0.15});
    Body rotor;
    rotor.mass = 1;
    rotor.inertia = Mat3::diagonal({0.01, 0.02, 0.015});
    const BodyId a = m.add(hub.moving({1, 2, 3}, {0.5, 0, 1}));
    const BodyId b = m.add(rotor.at({0.4, 0, 0.1}).moving({1, 2, 3}, {0, 0, 60}));
    m.add(Revolute{.a = a, .b = b, .at = {0.3, 0, 0}, .axis = {0, 0, 1}});
    World world(m, {.step = 2e-3});
    const auto momentum = [&] { return 3.0 * world.twist(a).linear + world.twist(b).linear; };
    const Vec3 before = momentum();
    const double energy = world.energy().total();
    world.advance_to(2);
    EXPECT_LT(norm(momentum() - before), 1e-8);
    EXPECT_NEAR(world.energy().total(), energy, 2e-3 * energy);
}

}  // namespace
}  // namespace bristle::step
