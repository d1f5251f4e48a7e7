// What users' functions may do wrong, and models with little or nothing in them.
#include <bristle/world.h>

#include "scenes/mechanisms.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bristle::step {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void expect_finite(const World& world) {
    for (uint32_t i = 0; i < world.model().bodies().size(); ++i) {
        EXPECT_TRUE(is_finite(world.pose({i}).position));
        EXPECT_TRUE(is_finite(world.twist({i}).linear));
        EXPECT_TRUE(is_finite(world.twist({i}).angular));
        EXPECT_TRUE(is_finite(world.acceleration({i})));
    }
    EXPECT_TRUE(std::isfinite(world.energy().total()));
}

// A pendulum of two boxes, with a force of the user's and a drive whose faults the test chooses.
struct Faulty {
    explicit Faulty(bool with_bodies = false) {
        const BodyId a = model.add(Body::box({1, 0.2, 0.2}, 1).at({0.5, 0, 0}));
        const BodyId b = model.add(Body::box({1, 0.2, 0.2}, 1).at({1.5, 0, 0}));
        model.add(Revolute{.a = model.ground(), .b = a, .at = {}, .axis = {0, 1, 0}});
        const JointId elbow =
            model.add(Revolute{.a = a, .b = b, .at = {1, 0, 0}, .axis = {0, 1, 0}});
        model.add(
            UserForce{.apply =
                          [this, b](const Kinematics& k, ForceSink& sink) {
                              if (throws) throw std::runtime_error("the user's own");
                              sink.add_force(b, {push, 0, 0}, k.pose(b).position);
                          },
                      .bodies = with_bodies ? std::vector<BodyId>{b} : std::vector<BodyId>{}});
        model.add(Drive{.joint = elbow, .target = [this](double t) { return target + 0.1 * t; }});
    }
    Faulty(const Faulty&) = delete;
    Faulty& operator=(const Faulty&) = delete;

    Model model;
    double push = 1, target = 0;
    bool throws = false;
};

void expect_survives(World& world, const std::function<void()>& spoil,
                     const std::function<void()>& mend) {
    world.advance_to(0.05);
    const Snapshot before = world.snapshot();
    const double time = world.time();
    spoil();
    for (int i = 0; i < 2; ++i) {
        EXPECT_THROW(world.step(), SimulationError);
        EXPECT_TRUE(world.snapshot().bytes() == before.bytes());
        EXPECT_EQ(world.time(), time);
        expect_finite(world);
    }
    mend();
    // It goes on as if nothing had been.
    World fresh(world.model());
    fresh.advance_to(0.05);
    for (int i = 0; i < 20; ++i) {
        world.step();
        fresh.step();
    }
    EXPECT_EQ(world.hash(), fresh.hash());
    EXPECT_LE(world.constraint_error().position, 1e-9);
}

TEST(Failure, ANanFromAUserForceKeepsTheLastGoodState) {
    for (bool with_bodies : {false, true}) {
        Faulty f(with_bodies);
        World world(f.model);
        expect_survives(
            world, [&] { f.push = not_a_number; }, [&] { f.push = 1; });
    }
}

TEST(Failure, AnInfiniteUserForceKeepsTheLastGoodState) {
    Faulty f;
    World world(f.model);
    expect_survives(
        world, [&] { f.push = unlimited; }, [&] { f.push = 1; });
}

TEST(Failure, ANanFromADriveTargetKeepsTheLastGoodState) {
    Faulty f;
    World world(f.model);
    expect_survives(
        world, [&] { f.target = not_a_number; }, [&] { f.target = 0; });
}

TEST(Failure, AnExceptionOfTheUsersKeepsTheLastGoodState) {
    Faulty f;
    World world(f.model);
    world.advance_to(0.05);
    const Snapshot before = world.snapshot();
    f.throws = true;
    EXPECT_THROW(world.step(), std::runtime_error);
    EXPECT_TRUE(world.snapshot().bytes() == before.bytes());
    f.throws = false;
    world.step();
    EXPECT_LE(world.constraint_error().position, 1e-9);
}

TEST(Failure, ATargetThatNoMechanismReachesIsAnErrorAndNotAnExplosion) {
    Faulty f;
    World world(f.model);
    world.advance_to(0.05);
    const Snapshot before = world.snapshot();
    f.target = 1e200;
    EXPECT_THROW(world.step(), SimulationError);
    EXPECT_TRUE(world.snapshot().bytes() == before.bytes());
    expect_finite(world);
}

TEST(Failure, ANanAtTheStartIsNamed) {
    Faulty f;
    f.push = not_a_number;
    EXPECT_THROW(World world(f.model), SimulationError);
    f.push = 1;
    f.target = not_a_number;
    try {
        World world(f.model);
        FAIL() << "it started";
    } catch (const SimulationError& e) {
        EXPECT_STREQ(e.what(), "drive 0: its target at t = 0 s is nan");
    }
}

TEST(SmallModels, WithoutBodiesStep) {
    World world(Model{});
    world.advance_to(0.1);
    EXPECT_EQ(world.time(), 0.1);
    EXPECT_EQ(world.coordinates(), 0u);
    EXPECT_EQ(world.degrees_of_freedom(), 0);
    EXPECT_EQ(world.redundant_constraints(), 0);
    EXPECT_EQ(world.energy().total(), 0);
    EXPECT_EQ(world.constraint_error().position, 0);
    EXPECT_EQ(world.pose(Model::ground()).position, Vec3{});
}

TEST(SmallModels, WeldedToTheGroundStepAndCarryTheirWeight) {
    Model m;
    const BodyId a = m.add(Body::box({1, 1, 1}, 2).at({1, 2, 3})), b = m.add(Body::rod(1, 1));
    const JointId foot = m.add(Fixed{.a = m.ground(), .b = a, .at = {1, 2, 3}});
    m.add(Fixed{.a = a, .b = b, .at = {}});
    World world(m);
    world.advance_to(0.1);
    EXPECT_EQ(world.pose(a).position, (Vec3{1, 2, 3}));
    EXPECT_EQ(world.degrees_of_freedom(), 0);
    EXPECT_NEAR(world.reaction(foot).force.z, 3 * 9.81, 1e-9);
    expect_finite(world);
}

TEST(SmallModels, WithoutGravityKeepTheirMotion) {
    Model m;
    m.gravity = {};
    const BodyId a = m.add(Body::box({1, 1, 1}, 2).moving({1, 2, 3}, {0, 0, 2}));
    const BodyId still = m.add(Body::box({1, 1, 1}, 2).at({5, 0, 0}));
    World world(m);
    world.advance_to(1);
    EXPECT_NEAR(norm(world.pose(a).position - Vec3{1, 2, 3}), 0, 1e-12);
    // A turn is not exact in one step: (ωh)² = 4e-6 bounds its error.
    EXPECT_NEAR(norm(world.twist(a).angular - Vec3{0, 0, 2}), 0, 1e-6);
    EXPECT_NEAR(norm(world.pose(still).position - Vec3{5, 0, 0}), 0, 1e-14);
}

// The trapezoidal rule is exact for constant acceleration.
TEST(SmallModels, AFreePointFallsExactly) {
    Model m;
    const BodyId p = m.add(Body::point(3).at({0, 0, 1}).moving({1, 0, 2}));
    World world(m);
    EXPECT_EQ(world.degrees_of_freedom(), 3);
    world.advance_to(1);
    EXPECT_NEAR(norm(world.pose(p).position - Vec3{1, 0, 1 + 2 - 9.81 / 2}), 0, 1e-12);
    EXPECT_NEAR(world.acceleration(p).z, -9.81, 1e-12);
}

// A hand that holds a body a thousand kilometres away, or pulls it there: single precision ended at 1e19 m/s, and no step after that was possible.
TEST(Failure, NoFiniteStateMakesStepsOfImpulsesFail) {
    for (const double far : {1e3, 1e6, 1e9, 1e40, 1e200})
        for (const Vec3 to : {Vec3{far, 0, 1}, Vec3{0, 0, 1}})
            for (const auto direct : {Impulse::Direct::where_it_pays, Impulse::Direct::never}) {
                Model m;
                BodyId last = Model::ground();
                for (int i = 0; i < 3; ++i) {
                    const double x = far - to.x + 0.2 * i;
                    const BodyId box =
                        m.add(Body::box({0.2, 0.2, 0.2}, i == 0 ? 10 : 0.1).at({x, 0, 0.5}));
                    m.add(Shape{.body = box, .geometry = Box{{0.2, 0.2, 0.2}}});
                    m.add(Spherical{.a = last, .b = box, .at = {x - 0.1, 0, 0.5}});
                    last = box;
                }
                m.add(Shape{.body = Model::ground(), .geometry = Plane{}});
                const auto pull = [=](const Kinematics& k, ForceSink& sink) {
                    const Pose p = k.pose(last);
                    const Vec3 point = p * Vec3{0.1, 0.1, 0.1};
                    sink.add_force(last, 1600 * (to - point) - 250 * k.twist(last).linear, point);
                };
                m.add(UserForce{.apply = pull, .bodies = {last}});
                World world(m, Impulse{.step = 5e-3, .direct = direct});
                for (int i = 0; i < 300; ++i) ASSERT_NO_THROW(world.step()) << far << " m, " << i;
                EXPECT_TRUE(is_finite(world.pose(last).position));
                EXPECT_TRUE(is_finite(world.twist(last).linear));
            }
}

}  // namespace
}  // namespace bristle::step
