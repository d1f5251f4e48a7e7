// What drives and stops may and may not do, in every step and in mechanisms of every kind.
#include <bristle/world.h>

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

using testing_support::Mechanism;
using testing_support::Random;
using testing_support::random_mechanism;

struct DrivenRod {
    DrivenRod() {
        rod = model.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
        pin = model.add(Revolute{.a = model.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    }
    Model model;
    BodyId rod;
    JointId pin;
};

// A millionth more than it may is rounding; anything above is effort that the motor does not have.
constexpr double slack = 1 + 1e-6;

TEST(Drive, NeverPushesHarderThanItMay) {
    for (Drive::Control control : {Drive::Control::speed, Drive::Control::position}) {
        for (double most : {1.0, 3.0, 7.0}) {
            DrivenRod r;
            const DriveId drive =
                r.model.add(Drive{.joint = r.pin,
                                  .control = control,
                                  .target = [](double t) { return 2 * std::sin(9 * t); },
                                  .max_effort = most});
            World world(r.model);
            for (int i = 0; i < 2000; ++i) {
                world.step();
                ASSERT_LE(std::abs(world.effort(drive)), most * slack)
                    << "max_effort " << most << " at " << world.time();
            }
        }
    }
}

// θ̈ = 3 (effort + ½ g cos θ): no step may change the speed by more than the largest effort could.
TEST(Drive, ChangesTheSpeedNoFasterThanItsEffortCan) {
    for (Drive::Control control : {Drive::Control::speed, Drive::Control::position}) {
        DrivenRod r;
        r.model.add(Drive{.joint = r.pin,
                          .control = control,
                          .target = [](double t) { return 2 * std::sin(9 * t); },
                          .max_effort = 3});
        World world(r.model);
        const double most = 3 * (3 + 0.5 * 9.81) * step_of(world.settings());
        for (int i = 0; i < 2000; ++i) {
            const double before = world.coordinate_rate(r.pin);
            world.step();
            ASSERT_LE(std::abs(world.coordinate_rate(r.pin) - before), 1.01 * most)
                << "at " << world.time();
        }
    }
}

// Two rods whose elbow has stops at both sides: they are struck, lean on them and leave them again.
TEST(Limit, OnlyPushesAndNeverGivesEnergy) {
    for (double restitution : {0.0, 0.3, 0.6, 0.9}) {
        for (double width : {0.1, 0.3, 0.5}) {
            Model m;
            const BodyId upper = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
            const BodyId lower = m.add(Body::rod({1, 0, 0}, {2, 0, 0}, 1));
            m.add(Revolute{.a = m.ground(), .b = upper, .at = {}, .axis = {0, 1, 0}});
            const JointId elbow =
                m.add(Revolute{.a = upper, .b = lower, .at = {1, 0, 0}, .axis = {0, 1, 0}});
            const LimitId limit = m.add(
                Limit{.joint = elbow, .min = -width, .max = width, .restitution = restitution});
            World world(m);
            const double start = world.energy().total();
            for (int i = 0; i < 3000; ++i) {
                world.step();
                const double y = world.coordinate(elbow), effort = world.effort(limit);
                EXPECT_LE(std::abs(y), width + 1e-9);
                EXPECT_LE(y * effort, 0)
                    << "pulls with " << effort << " at " << y << ", t = " << world.time()
                    << ", restitution " << restitution;
                EXPECT_LE(world.energy().total(),
                          start + 1e-3);  // what the steps' own error may add
            }
        }
    }
}

// Rounds of modes that ended before stops and drives agreed left a stop behind, and the arm went up to 0.3 rad beyond it. From there the
// stop brought it back, against its drives, with work that nobody did. (Rough steps may end by a milliradian beyond.)
TEST(Limit, IsNotPassedHoweverAnArmIsThrown) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        Random random(seed);
        Model m;
        BodyId last = Model::ground();
        std::vector<double> stop, fastest;
        const int links = 6;
        for (int i = 0; i < links; ++i) {
            const Vec3 along{std::cos(0.5 * i), 0, std::sin(0.5 * i)};
            Vec3 at{};
            for (int k = 0; k < i; ++k) at += Vec3{std::cos(0.5 * k), 0, std::sin(0.5 * k)};
            const BodyId link = m.add(Body::box({1, 0.2, 0.2}, 20 * std::pow(0.8, i))
                                          .at(at + 0.5 * along, Quat::about({0, 1, 0}, -0.5 * i)));
            const JointId joint =
                m.add(Revolute{.a = last, .b = link, .at = at, .axis = {0, 1, 0}});
            stop.push_back(random.uniform(0.5, 2));
            m.add(Limit{.joint = joint,
                        .min = -stop.back(),
                        .max = stop.back(),
                        .restitution = random.chance(0.5) ? random.uniform(0, 1) : 0});
            const bool is_fast = random.chance(0.5);
            m.add(Drive{.joint = joint,
                        .control = is_fast ? Drive::Control::speed : Drive::Control::position,
                        .max_effort = random.uniform(500, 8000) * (links - i)});
            fastest.push_back(is_fast ? 3 : 1.5 * stop.back());
            last = link;
        }
        World world(m, AugmentedLagrangian{.step = 5e-3});
        for (int i = 0; i < 2000; ++i) {
            if (i % 60 == 0)
                for (uint32_t d = 0; d < fastest.size(); ++d)
                    world.command(DriveId{d}, random.uniform(-fastest[d], fastest[d]));
            world.step();
            for (uint32_t l = 0; l < stop.size(); ++l)
                ASSERT_LE(std::abs(world.coordinate(m.limits()[l].joint)), stop[l] + 5e-3)
                    << "seed " << seed << ", joint " << l << ", t = " << world.time();
        }
    }
}

class DrivenMechanism : public testing::TestWithParam<int> {};

TEST_P(DrivenMechanism, ObeysItsEffortsAndStops) {
    Mechanism m = random_mechanism(static_cast<uint64_t>(GetParam()), {.loops = 0});
    Random random(static_cast<uint64_t>(GetParam()));
    std::vector<double> most;
    std::vector<JointId> stopped;
    for (JointId j : m.joints) {
        const JointType type = m.model.joints()[j.index].type;
        // A screw of small lead flings its load away.
        if (!m.model.has_coordinate(j) || type == JointType::distance || type == JointType::screw)
            continue;
        if (random.chance(0.5)) {
            const double size = random.uniform(-3, 3);
            most.push_back(random.uniform(1, 50));
            m.model.add(Drive{
                .joint = j,
                .control = random.chance(0.5) ? Drive::Control::speed : Drive::Control::position,
                .target = [size](double t) { return size * std::sin(5 * t); },
                .max_effort = most.back()});
        } else {
            stopped.push_back(j);
            m.model.add(Limit{.joint = j,
                              .min = -random.uniform(0.01, 0.5),
                              .max = random.uniform(0.01, 0.5),
                              .restitution = random.uniform(0, 1)});
        }
    }
    World world(m.model);
    for (int i = 0; i < 500; ++i) {
        world.step();
        for (uint32_t d = 0; d < most.size(); ++d)
            ASSERT_LE(std::abs(world.effort(DriveId{d})), most[d] * slack)
                << "drive " << d << " at " << world.time();
        for (uint32_t l = 0; l < stopped.size(); ++l) {
            const Limit& limit = m.model.limits()[l];
            const double y = world.coordinate(stopped[l]), effort = world.effort(LimitId{l});
            ASSERT_GE(y, limit.min - 1e-9);
            ASSERT_LE(y, limit.max + 1e-9);
            // A stop pushes, and only where it is.
            ASSERT_TRUE(effort == 0 || (effort > 0 && y < limit.min + 1e-6)
                        || (effort < 0 && y > limit.max - 1e-6))
                << effort << " at " << y;
        }
        ASSERT_LE(world.constraint_error().position, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, DrivenMechanism, testing::Range(1, 41));

// Dry friction in the same hinge held the wheel at rest while the stop sent it back: it left with a quarter of its speed or with none.
TEST(Limit, GivesBackItsShareWhereFrictionHoldsTheJoint) {
    for (int i = 0; i < 40; ++i) {
        Model m;
        Body body;
        body.mass = 1;
        body.inertia = Mat3::identity();
        body.angular_velocity = {0, 0, 2 + 0.025 * i};
        const BodyId wheel = m.add(body);
        const JointId hinge =
            m.add(Revolute{.a = Model::ground(), .b = wheel, .at = {}, .axis = {0, 0, 1}});
        m.add(Limit{.joint = hinge, .max = 0.2, .restitution = 0.5});
        m.add(Drive{.joint = hinge,
                    .control = Drive::Control::friction,
                    .max_effort = i % 2 == 0 ? 2 : 1e-9});
        World world(m, {.step = 5e-3});
        double before = 0;
        while (world.coordinate_rate(hinge) > 0) {
            before = world.coordinate_rate(hinge);
            world.step();
        }
        EXPECT_NEAR(world.coordinate_rate(hinge), -0.5 * before, 0.01 * before) << i;
        const double left = world.coordinate_rate(hinge);
        world.step();
        EXPECT_NEAR(world.coordinate_rate(hinge), left + (i % 2 == 0 ? 0.01 : 0), 1e-3) << i;
    }
}

}  // namespace
}  // namespace bristle::step
