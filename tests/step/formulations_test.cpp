// The formulations of spec A10: what they share, what each refuses, and their corners.
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace bristle::step {
namespace {

class Formulation : public testing::TestWithParam<int> {
  protected:
    static Settings settings(double step = 1e-3) {
        switch (GetParam()) {
            case 0: return Baumgarte{.step = step};
            case 1: return Penalty{.step = step};
            default: return IndependentCoordinates{.step = step};
        }
    }
};

std::string name(const testing::TestParamInfo<int>& info) {
    const char* const names[] = {"Baumgarte", "Penalty", "IndependentCoordinates"};
    return names[info.param];
}
INSTANTIATE_TEST_SUITE_P(Each, Formulation, testing::Range(0, 3), name);

// A gear pair, a rotor, a screw, a rack, a four-bar driven by speed, springs, a bushing, a motor and a user's
// force: all that is not contact, limit or limited effort.
struct Works {
    Works() {
        const Vec3 y{0, 1, 0};
        const BodyId a = model.add(Body::box({1, 0.2, 0.3}, 2).at({0.4, 0, 0})),
                     b = model.add(Body::box({0.5, 0.2, 0.3}, 1).at({2.3, 0, 0}));
        first = model.add(Revolute{.a = model.ground(), .b = a, .at = {}, .axis = y});
        const JointId second =
            model.add(Revolute{.a = model.ground(), .b = b, .at = {2, 0, 0}, .axis = y});
        model.add(Gear{.first = first, .second = second, .ratio = -1.5});
        model.add(Coordinate{.joint = first, .inertia = 0.3, .ratio = 4});
        const BodyId rack = model.add(Body::box({0.3, 0.3, 0.3}, 1).at({0, 1, 0}));
        const JointId rail = model.add(
            Prismatic{.a = model.ground(), .b = rack, .at = {0, 1, 0}, .axis = {1, 0, 0.2}});
        model.add(RackAndPinion{.rack = rail, .pinion = first, .radius = 0.2});
        model.add(JointSpring{.joint = first, .stiffness = 9, .damping = 0.4});
        const BodyId nut = model.add(Body::box({0.3, 0.2, 0.1}, 1).at({0, 3, 0}));
        const JointId screw = model.add(Screw{
            .a = model.ground(), .b = nut, .at = {0.05, 3, 0}, .axis = {0.1, 0, 1}, .lead = 0.5});
        motor = model.add(Motor{.joint = screw, .no_load_speed = 30});
        model.add(Spring{.a = b,
                         .b = nut,
                         .at_a = {0.2, 0, 0},
                         .stiffness = 20,
                         .damping = 0.5,
                         .free_length = 2});
        const BodyId hung = model.add(Body::box({0.4, 0.3, 0.2}, 1).at({0, -2, 0}));
        model.add(Bushing{.a = model.ground(),
                          .b = hung,
                          .at = {0.1, -2, 0},
                          .stiffness = {400, 500, 600},
                          .damping = {2, 2, 2},
                          .angular_stiffness = {30, 40, 50},
                          .angular_damping = {1, 1, 1}});
        model.add(UserForce{.apply = [hung](const Kinematics& k, ForceSink& sink) {
            sink.add_force(hung, {std::sin(20 * k.time()), 0, 1}, k.pose(hung).position);
        }});
        const BodyId crank = model.add(Body::rod({5, 0, 0}, {5, 0, 0.4}, 1)),
                     rod = model.add(Body::rod({5, 0, 0.4}, {6, 0, 0.8}, 1)),
                     rocker = model.add(Body::rod({6, 0, 0}, {6, 0, 0.8}, 1));
        const JointId pin =
            model.add(Revolute{.a = model.ground(), .b = crank, .at = {5, 0, 0}, .axis = y});
        model.add(Revolute{.a = crank, .b = rod, .at = {5, 0, 0.4}, .axis = y});
        model.add(Revolute{.a = rod, .b = rocker, .at = {6, 0, 0.8}, .axis = y});
        model.add(Revolute{.a = model.ground(), .b = rocker, .at = {6, 0, 0}, .axis = y});
        drive =
            model.add(Drive{.joint = pin, .control = Drive::Control::speed, .target = [](double t) {
                                return 2 * std::sin(4 * t);
                            }});
    }
    Model model;
    JointId first;
    ForceId motor;
    DriveId drive;
};

TEST_P(Formulation, MovesEveryElementAsTheAugmentedLagrangianDoes) {
    const Works works;
    World world(works.model, settings());
    World reference(works.model, AugmentedLagrangian{.step = 5e-5});
    for (World* w : {&world, &reference}) {
        w->command(works.motor, 1.5);
        w->advance_to(0.5);
    }
    // The reference's own error at 50 µs.
    for (uint32_t i = 1; i < works.model.bodies().size(); ++i) {
        EXPECT_LE(norm(world.pose({i}).position - reference.pose({i}).position), 2e-7) << i;
        EXPECT_LE(norm(world.twist({i}).linear - reference.twist({i}).linear), 2e-6) << i;
        EXPECT_LE(norm(world.acceleration({i}) - reference.acceleration({i})), 2e-4) << i;
    }
    for (uint32_t i = 0; i < works.model.joints().size(); ++i)
        EXPECT_LE(norm(world.reaction({i}).force - reference.reaction({i}).force), 1e-3) << i;
    EXPECT_NEAR(world.effort(works.drive), reference.effort(works.drive), 1e-3);
    EXPECT_NEAR(world.energy().total(), reference.energy().total(), 1e-5);
    EXPECT_LE(world.constraint_error().position, 1e-9);
}

TEST_P(Formulation, MovesRandomMechanismsAsTheAugmentedLagrangianDoes) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        const auto m = testing_support::random_mechanism(
            seed, {.floats = seed % 3 == 1, .slender = seed % 3 == 2});
        World world(m.model, settings()), reference(m.model, AugmentedLagrangian{.step = 5e-4});
        const double energy = world.energy().total();
        for (World* w : {&world, &reference}) w->advance_to(0.3);
        EXPECT_NEAR(world.energy().total(), energy, 1e-6) << seed;
        EXPECT_LE(world.constraint_error().position, 1e-8) << seed;
        // The reference's own error.
        for (BodyId body : m.bodies)
            EXPECT_LE(norm(world.pose(body).position - reference.pose(body).position), 1e-4)
                << seed;
    }
}

TEST_P(Formulation, IsOfFourthOrder) {
    const auto at = [](double h) {
        auto scene = scenes::double_pendulum();
        World world(scene.model, settings(h));
        world.advance_to(0.96);
        return world.pose(scene.second).position;
    };
    const Vec3 coarse = at(1.6e-2), middle = at(8e-3), fine = at(4e-3);
    EXPECT_NEAR(std::log2(norm(coarse - middle) / norm(middle - fine)), 4, 0.6);
}

TEST_P(Formulation, DrivesATorqueThatIsKnown) {
    // A point on a bar, turned evenly: m l² · 0 + m g l cos φ.
    Model m;
    const BodyId mass = m.add(Body::point(2).at({1.5, 0, 0}));
    const BodyId bar = m.add(Body::rod({0, 0, 0}, {1.5, 0, 0}, 1e-9));
    m.add(Fixed{.a = bar, .b = mass, .at = {1.5, 0, 0}});
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = bar, .at = {}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin, .target = [](double t) { return -3 * t; }});
    World world(m, settings());
    for (int i = 0; i < 5; ++i) {
        world.advance_to(0.2 * i);
        EXPECT_NEAR(world.effort(drive), -2 * 9.81 * 1.5 * std::cos(0.6 * i), 1e-5);
        EXPECT_NEAR(world.coordinate(pin), -0.6 * i, 1e-9);
    }
}

TEST_P(Formulation, FollowsCommands) {
    Model m;
    const BodyId arm = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = arm, .at = {}, .axis = {0, 1, 0}});
    const DriveId drive = m.add(Drive{.joint = pin, .control = Drive::Control::speed});
    World world(m, settings());
    world.command(drive, 2);
    world.advance_to(0.1);
    EXPECT_NEAR(world.coordinate_rate(pin), 2, 1e-6);
    EXPECT_NEAR(world.coordinate(pin), 0.2, 1e-6);
    world.command(drive, -1);
    world.advance_to(0.3);
    EXPECT_NEAR(world.coordinate_rate(pin), -1, 1e-6);
    EXPECT_NEAR(world.coordinate(pin), 0, 1e-6);
}

TEST_P(Formulation, GoesOnFromASnapshotWithTheSameBits) {
    auto scene = scenes::four_bars(2);
    World world(scene.model, settings()), other(scene.model, settings());
    world.advance_to(0.3);
    const Snapshot snapshot = world.snapshot();
    world.advance_to(1);
    other.advance_to(0.7);
    other.restore(snapshot);
    other.advance_to(1);
    EXPECT_EQ(world.hash(), other.hash());
}

TEST_P(Formulation, GoesOnWhenTheModelChangesAndBackAgain) {
    auto scene = scenes::double_pendulum();
    World world(scene.model, settings());
    world.advance_to(0.3);
    const Snapshot before = world.snapshot();
    const Vec3 p = world.pose(scene.second).position, v = world.twist(scene.second).linear;
    BodyId ball;
    world.change([&](Model& m) { ball = m.add(Body::point(1).at({5, 0, 0})); });
    EXPECT_LE(norm(world.pose(scene.second).position - p), 1e-10);
    EXPECT_LE(norm(world.twist(scene.second).linear - v), 1e-10);
    world.advance_to(0.5);
    EXPECT_NEAR(world.pose(ball).position.z, -9.81 * 0.2 * 0.2 / 2, 1e-10);
    EXPECT_THROW(world.change([](Model& m) {
        const BodyId arm = m.add(Body::rod({7, 0, 0}, {8, 0, 0}, 1));
        const JointId pin =
            m.add(Revolute{.a = m.ground(), .b = arm, .at = {7, 0, 0}, .axis = {0, 1, 0}});
        m.add(Limit{.joint = pin, .max = 1});
    }),
                 InputError);
    EXPECT_TRUE(world.model().contains(ball));
    world.restore(before);
    World straight(scene.model, settings());
    for (World* w : {&world, &straight}) w->advance_to(0.6);
    EXPECT_EQ(world.hash(), straight.hash());
}

TEST_P(Formulation, MovesWhatHasNoConstraints) {
    Model m;
    const BodyId point = m.add(Body::point(1).at({1, 2, 3}).moving({1, 0, 0}));
    World world(m, settings());
    world.advance_to(1);
    EXPECT_LE(norm(world.pose(point).position - Vec3{2, 2, 3 - 9.81 / 2}), 1e-12);
    EXPECT_EQ(world.constraints(), 0u);
    World nothing(Model{}, settings());
    nothing.advance_to(0.01);
    EXPECT_EQ(nothing.time(), 0.01);
}

TEST_P(Formulation, TurnsAFreeBody) {
    auto scene = scenes::dzhanibekov();
    World world(scene.model, settings());
    const double energy = world.energy().total();
    world.advance_to(5);
    EXPECT_NEAR(world.energy().total(), energy, 1e-8 * energy);
}

TEST_P(Formulation, HoldsWhatHasNoFreedom) {
    // A truss of two bars, and a body that is welded: nothing moves, weights are carried.
    Model m;
    const BodyId node = m.add(Body::point(3).at({0, 0, 1}));
    const BodyId block = m.add(Body::box({1, 1, 1}, 2).at({5, 0, 0}));
    const JointId weld = m.add(Fixed{.a = m.ground(), .b = block, .at = {5, 0, 0}});
    for (Vec3 foot : {Vec3{-1, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
        m.add(Distance{.a = m.ground(), .b = node, .at_a = foot, .at_b = {0, 0, 1}});
    World world(m, settings());
    EXPECT_EQ(world.degrees_of_freedom(), 0);
    world.advance_to(0.2);
    EXPECT_LE(norm(world.pose(node).position - Vec3{0, 0, 1}), 1e-10);
    EXPECT_NEAR(world.reaction(weld).force.z, 2 * 9.81, 1e-9);
    EXPECT_NEAR(world.reaction({1}).force.x + world.reaction({2}).force.x, 0, 1e-6);
}

TEST_P(Formulation, SharesLoadBetweenConstraintsThatSayTheSame) {
    Model m;
    const BodyId mass = m.add(Body::point(1).at({-1, 0, 0}));
    for (int i = 0; i < 3; ++i)
        m.add(Distance{.a = m.ground(), .b = mass, .at_a = {}, .at_b = {-1, 0, 0}});
    m.add(PointOnPlane{.a = m.ground(), .b = mass, .at = {-1, 0, 0}, .normal = {0, 1, 0}});
    World world(m, settings());
    EXPECT_EQ(world.redundant_constraints(), 2);
    world.advance_to(1);
    // A01: the mass of three bars is that of one.
    EXPECT_NEAR(world.pose(mass).position.x, 0.986291751132, 1e-8);
    EXPECT_NEAR(world.pose(mass).position.z, -0.165010853126, 1e-8);
    EXPECT_NEAR(norm(world.reaction({0}).force), norm(world.reaction({1}).force), 1e-6);
}

TEST_P(Formulation, PassesOrNamesTheSingularPositionItStartsIn) {
    // A four-bar folded flat has two degrees of freedom instead of one.
    Model m;
    const Vec3 y{0, 1, 0}, a{0, 0, 0}, b{1, 0, 0}, c{2, 0, 0}, spin{0, 2, 0};
    const BodyId left = m.add(Body::rod(a, b, 1).moving({}, spin)),
                 right = m.add(Body::rod(b, c, 1).moving({}, spin)),
                 coupler = m.add(Body::rod(b, c, 1).moving({0, 0, -2}));
    m.add(Revolute{.a = m.ground(), .b = left, .at = a, .axis = y});
    m.add(Revolute{.a = m.ground(), .b = right, .at = b, .axis = y});
    m.add(Revolute{.a = left, .b = coupler, .at = b, .axis = y});
    m.add(Revolute{.a = right, .b = coupler, .at = c, .axis = y});
    World world(m, settings());
    EXPECT_EQ(world.degrees_of_freedom(), 2);
    const double energy = world.energy().total();
    try {
        world.advance_to(0.5);
        EXPECT_LE(norm(world.point(left, {1, 0, 0}) + b - world.point(right, {1, 0, 0})), 1e-6);
    } catch (const SimulationError& error) {
        EXPECT_NE(std::string(error.what()).find("singular"), std::string::npos) << error.what();
    }
    EXPECT_NEAR(world.energy().total(), energy, 1e-5);
    EXPECT_LE(world.constraint_error().position, 1e-9);
}

TEST_P(Formulation, RefusesWhatItDoesNotKnow) {
    const auto refused = [](const std::function<void(Model&, JointId)>& add, const char* what) {
        Model m;
        const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
        const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
        add(m, pin);
        try {
            const World world(m, settings());
            FAIL() << what;
        } catch (const InputError& error) {
            const std::string text = error.what();
            EXPECT_NE(text.find(what), std::string::npos) << text;
            EXPECT_NE(text.find("use augmented_lagrangian"), std::string::npos) << text;
        }
    };
    refused([](Model& m, JointId pin) { m.add(Limit{.joint = pin, .max = 1}); }, "limit");
    refused([](Model& m, JointId pin) { m.add(Drive{.joint = pin, .max_effort = 5}); },
            "limited effort");
    refused(
        [](Model& m, JointId) {
            const BodyId ball = m.add(Body::sphere(0.1, 1).at({0, 0, 5}));
            m.add(Shape{.body = ball, .geometry = Sphere{0.1}});
            m.add(Shape{.body = m.ground(), .geometry = Plane{}});
        },
        "contact");
}

TEST_P(Formulation, ANanOfAUserForceKeepsTheLastGoodState) {
    for (bool throws : {false, true}) {
        double push = 1;
        Model m;
        const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
        m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
        m.add(UserForce{.apply = [&](const Kinematics& k, ForceSink& sink) {
            if (push != 1 && throws) throw std::runtime_error("the user's own");
            sink.add_force(rod, {push, 0, 0}, k.pose(rod).position);
        }});
        World world(m, settings());
        world.advance_to(0.1);
        const uint64_t before = world.hash();
        push = std::numeric_limits<double>::quiet_NaN();
        if (throws)
            EXPECT_THROW(world.step(), std::runtime_error);
        else
            EXPECT_THROW(world.step(), SimulationError);
        EXPECT_EQ(world.hash(), before);
        push = 1;
        world.step();
        EXPECT_NE(world.hash(), before);
    }
}

TEST(Formulations, RefuseHydraulicDrives) {
    Model m;
    const BodyId rod = m.add(Body::rod({0, 0, 0}, {1, 0, 0}, 1));
    const JointId pin = m.add(Revolute{.a = m.ground(), .b = rod, .at = {}, .axis = {0, 1, 0}});
    m.add(Drive{.joint = pin, .control = Drive::Control::hydraulic, .max_speed = 1, .name = "arm"});
    EXPECT_THROW(World(m, Baumgarte{}), InputError);
    EXPECT_THROW(World(m, Penalty{}), InputError);
    EXPECT_THROW(World(m, IndependentCoordinates{}), InputError);
}

TEST(Formulations, RefuseSettingsOutOfRange) {
    const Model m = scenes::pendulum().model;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (double step : {0.0, -1.0, nan, unlimited}) {
        EXPECT_THROW(World(m, Baumgarte{.step = step}), InputError);
        EXPECT_THROW(World(m, Penalty{.step = step}), InputError);
        EXPECT_THROW(World(m, IndependentCoordinates{.step = step}), InputError);
    }
    for (double bad : {-1.0, nan, unlimited}) {
        EXPECT_THROW(World(m, Baumgarte{.frequency = bad}), InputError);
        EXPECT_THROW(World(m, Baumgarte{.damping = bad}), InputError);
        EXPECT_THROW(World(m, Penalty{.frequency = bad}), InputError);
        EXPECT_THROW(World(m, Penalty{.damping = bad}), InputError);
    }
    for (double bad : {0.0, 1.0, 1e13, nan})
        EXPECT_THROW(World(m, Penalty{.penalty = bad}), InputError);
}

// A step multiplies errors of the constraints by a matrix whose eigenvalues leave the unit circle at ωζh = 1.
TEST(Formulations, BaumgarteDivergesBeyondItsLimitAndKeepsTheLastGoodState) {
    auto scene = scenes::double_pendulum();
    World stable(scene.model, Baumgarte{.frequency = 980});
    stable.advance_to(1);
    EXPECT_LE(stable.constraint_error().position, 1e-9);
    World unstable(scene.model, Baumgarte{.frequency = 1200});
    EXPECT_THROW(unstable.advance_to(1), SimulationError);
    EXPECT_LE(unstable.constraint_error().position, 0.1);
    EXPECT_TRUE(is_finite(unstable.pose(scene.second).position));
}

TEST(Formulations, IndependentCoordinatesChangeOnlyWhenTheyMust) {
    auto scene = scenes::pendulum();
    World world(scene.model, IndependentCoordinates{});
    // From horizontal to horizontal: x is a good coordinate in the middle of the way, z at its ends.
    world.advance_to(2.3678 / 2);
    EXPECT_EQ(world.statistics().coordinate_changes, 2u);
    EXPECT_LE(world.constraint_error().position, 1e-14);
    EXPECT_LE(world.constraint_error().velocity, 1e-14);
}

TEST(Formulations, DoNotTakeEachOthersSnapshots) {
    auto scene = scenes::pendulum();
    World ours(scene.model, IndependentCoordinates{});
    const World others(scene.model, AugmentedLagrangian{});
    EXPECT_THROW(ours.restore(others.snapshot()), InputError);
}

}  // namespace
}  // namespace bristle::step
