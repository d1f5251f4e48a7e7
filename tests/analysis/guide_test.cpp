#include <bristle/analysis.h>

#include "analysis/derivatives.h"
#include "scenes/linkages.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::analysis {
namespace {

struct DrivenRod {
    Model model;
    BodyId rod;
    JointId pin;
    DriveId drive;
};

// A rod of 2 kg and 1.5 m in the x-z plane; positive angles lift it.
DrivenRod driven_rod(const Drive& like) {
    DrivenRod s;
    s.rod = s.model.add(Body::rod({}, {1.5, 0, 0}, 2));
    s.pin = s.model.add(Revolute{.a = s.model.ground(), .b = s.rod, .at = {}, .axis = {0, -1, 0}});
    Drive d = like;
    d.joint = s.pin;
    s.drive = s.model.add(d);
    return s;
}

double torque_of_rod(double angle, double acceleration) {
    return 2 * 1.5 * 1.5 / 3 * acceleration + 2 * 9.81 * 0.75 * std::cos(angle);
}

TEST(Guide, GivesTheTorqueOfADrivenRod) {
    const auto s =
        driven_rod({.target = [](double t) { return std::sin(2 * t); }, .max_effort = 1});
    World world(s.model);
    for (double t : {0.0, 0.3, 1.1, 5.0, 100.0}) {
        world.guide(t);
        EXPECT_EQ(world.time(), t);
        EXPECT_NEAR(world.coordinate(s.pin), std::sin(2 * t), 1e-13);
        EXPECT_NEAR(world.coordinate_rate(s.pin), 2 * std::cos(2 * t), 1e-10);
        const double known = torque_of_rod(std::sin(2 * t), -4 * std::sin(2 * t));
        // Time itself is rounded: at 100 s the second derivative has lost some digits.
        EXPECT_NEAR(world.effort(s.drive), known, 1e-9);
        EXPECT_NEAR(norm(world.reaction(s.pin).moment), 0, 1e-9);
    }
}

TEST(Guide, CountsTurnsAndGoesBack) {
    const auto s = driven_rod({.target = [](double t) { return 10 * t; }});
    World world(s.model);
    world.guide(3);
    EXPECT_NEAR(world.coordinate(s.pin), 30, 1e-12);
    world.guide(-1);
    EXPECT_NEAR(world.coordinate(s.pin), -10, 1e-12);
}

TEST(Guide, IntegratesASpeedDrive) {
    const auto s = driven_rod(
        {.control = Drive::Control::speed, .target = [](double t) { return std::cos(t); }});
    World world(s.model);
    for (double t : {0.5, 2.0, 1.0}) {
        world.guide(t);
        EXPECT_NEAR(world.coordinate(s.pin), std::sin(t), 1e-11);
        EXPECT_NEAR(world.effort(s.drive), torque_of_rod(std::sin(t), -std::sin(t)), 1e-9);
    }
}

TEST(Guide, AgreesWithStepping) {
    const auto angle = [](double t) {
        return 2 * t + 0.3 * std::sin(3 * t) - 0.9 * t * std::exp(-t);
    };
    const scenes::FourBarModel s = scenes::four_bar({}, 0.4, angle);
    World stepped(s.model, {.step = 1e-4}), guided(s.model);
    for (int i = 1; i <= 8; ++i) {
        stepped.advance_to(0.25 * i);
        guided.guide(0.25 * i);
        // Second order in the step: some 1e-8.
        EXPECT_NEAR(stepped.coordinate(s.d), guided.coordinate(s.d), 1e-6);
        EXPECT_NEAR(stepped.effort(s.drive), guided.effort(s.drive), 1e-3);
        EXPECT_LT(norm(stepped.reaction(s.c).force - guided.reaction(s.c).force), 1e-3);
    }
}

TEST(Guide, LeavesAWorldThatGoesOn) {
    const auto angle = [](double t) { return std::sin(2 * t); };
    const auto s = driven_rod({.target = angle});
    World world(s.model, {.step = 1e-3});
    world.guide(0.7);
    for (int i = 1; i <= 100; ++i) {
        world.step();
        EXPECT_NEAR(world.coordinate(s.pin), angle(0.7 + 1e-3 * i), 1e-9);
    }
    world.guide(std::vector<DriveMotion>{{s.drive, 0.5, 0, 0}});
    EXPECT_NEAR(world.effort(s.drive), torque_of_rod(0.5, 0), 1e-10);
    world.step();
    EXPECT_NEAR(world.coordinate(s.pin), 0.5, 0.05);
}

TEST(Guide, CarriesRotorsAndGears) {
    Model m;
    const BodyId a = m.add(Body::cylinder(0.2, 0.1, 2)),
                 b = m.add(Body::cylinder(0.4, 0.1, 5).at({1, 0, 0}));
    const JointId first = m.add(Revolute{.a = m.ground(), .b = a, .at = {}, .axis = {0, 0, 1}}),
                  second =
                      m.add(Revolute{.a = m.ground(), .b = b, .at = {1, 0, 0}, .axis = {0, 0, 1}});
    m.add(Gear{.first = first, .second = second, .ratio = -0.5});
    m.add(Coordinate{.joint = first, .inertia = 0.01, .ratio = 30});
    const DriveId drive = m.add(Drive{.joint = first, .target = [](double t) { return t * t; }});
    World world(m);
    world.guide(1.5);
    EXPECT_NEAR(world.coordinate(second), -0.5 * 2.25, 1e-12);
    const double inertia = 0.5 * 2 * 0.04 + 0.25 * 0.5 * 5 * 0.16 + 900 * 0.01;
    EXPECT_NEAR(world.effort(drive), 2 * inertia, 1e-8);
}

TEST(Guide, RefusesFreedomThatIsLeft) {
    scenes::FourBarModel s = scenes::four_bar({}, 0.8);
    World world(s.model);
    const uint64_t before = world.hash();
    try {
        world.guide(0.1);
        FAIL();
    } catch (const SimulationError& e) {
        EXPECT_NE(std::string(e.what()).find("1 degree of freedom is left"), std::string::npos)
            << e.what();
    }
    EXPECT_EQ(world.hash(), before);
}

TEST(Guide, RefusesWhatCannotBeReached) {
    // The slider itself driven further than crank and rod reach.
    Model pulled;
    const Vec3 pin{0, 0, 0.3}, wrist{std::sqrt(1 - 0.09), 0, 0};
    const BodyId crank = pulled.add(Body::rod({}, pin, 1)),
                 rod = pulled.add(Body::rod(pin, wrist, 1)),
                 slider = pulled.add(Body::box({0.1, 0.1, 0.1}, 1).at(wrist));
    pulled.add(Revolute{.a = pulled.ground(), .b = crank, .at = {}, .axis = {0, 1, 0}});
    pulled.add(Revolute{.a = crank, .b = rod, .at = pin, .axis = {0, 1, 0}});
    pulled.add(Revolute{.a = rod, .b = slider, .at = wrist, .axis = {0, 1, 0}});
    const JointId slide =
        pulled.add(Prismatic{.a = pulled.ground(), .b = slider, .at = wrist, .axis = {1, 0, 0}});
    const DriveId drive = pulled.add(Drive{.joint = slide, .name = "ram"});
    World far(pulled);
    far.guide(std::vector<DriveMotion>{{drive, 1.29 - wrist.x}});
    EXPECT_NEAR(far.pose(slider).position.x, 1.29, 1e-12);
    const uint64_t before = far.hash();
    try {
        far.guide(std::vector<DriveMotion>{{drive, 1.31 - wrist.x}});
        FAIL();
    } catch (const SimulationError& e) {
        EXPECT_NE(std::string(e.what()).find("ram at"), std::string::npos) << e.what();
    }
    EXPECT_EQ(far.hash(), before);
}

TEST(Guide, ChecksItsInput) {
    const auto s = driven_rod({});
    World world(s.model);
    EXPECT_THROW(world.guide(std::nan("")), InputError);
    EXPECT_THROW(world.guide(std::vector<DriveMotion>{{{5}, 0}}), InputError);
    EXPECT_THROW(world.guide(std::vector<DriveMotion>{{s.drive, std::nan("")}}), InputError);
    const auto broken = driven_rod({.target = [](double t) { return t > 1 ? std::nan("") : 0; }});
    World cannot(broken.model);
    EXPECT_THROW(cannot.guide(1.5), SimulationError);
}

TEST(Derivatives, AreAccurateForSlowAndFastFunctions) {
    for (double rate : {0.01, 1.0, 30.0, 1000.0}) {
        for (double t : {0.0, 0.37, 2.9}) {
            const Derivatives d = derivatives([=](double x) { return std::sin(rate * x); }, t);
            EXPECT_NEAR(d.first, rate * std::cos(rate * t), 1e-10 * rate) << rate << " " << t;
            EXPECT_NEAR(d.second, -rate * rate * std::sin(rate * t), 1e-8 * (rate * rate + 1e-2))
                << rate << " " << t;
        }
    }
    EXPECT_NEAR(integral([](double x) { return std::cos(40 * x); }, 0, 2), std::sin(80) / 40,
                1e-12);
}

}  // namespace
}  // namespace bristle::analysis
