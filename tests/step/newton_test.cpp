// Newton's law from outside: on every body, reactions and weight make mass times acceleration, all
// from the World's public functions, in motion.
#include <bristle/world.h>

#include "scenes/mechanisms.h"
#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

namespace bristle::step {
namespace {

using testing_support::Mechanism;
using testing_support::random_mechanism;

// Frames must be at the centres of mass: there World::acceleration tells. After a step the equations
// hold to what the iteration leaves, a thousandth of the step's own error.
void expect_newtons_law(const World& world) {
    const Model& m = world.model();
    std::vector<Vec3> force(m.bodies().size());
    double largest = 1;
    for (uint32_t i = 0; i < m.joints().size(); ++i) {
        const Reaction r = world.reaction({i});
        force[m.joints()[i].b.index] += r.force;
        force[m.joints()[i].a.index] -= r.force;
        largest = std::max(largest, norm(r.force));
    }
    for (uint32_t i = 1; i < m.bodies().size(); ++i) {
        const double mass = m.bodies()[i].mass;
        EXPECT_NEAR(norm(force[i] + mass * m.gravity - mass * world.acceleration({i})), 0,
                    1e-6 * largest)
            << "body " << i;
    }
}

class NewtonsLaw : public testing::TestWithParam<int> {};

TEST_P(NewtonsLaw, HoldsOnEveryBodyInMotion) {
    const Mechanism mechanism =
        random_mechanism(static_cast<uint64_t>(GetParam()), {.centered = true});
    World world(mechanism.model);
    expect_newtons_law(world);
    for (double t : {0.001, 0.1, 0.2}) {
        world.advance_to(t);
        expect_newtons_law(world);
    }
}

// The ground takes what is left: the weight of all less the momentum they gain.
TEST_P(NewtonsLaw, HoldsForTheWholeMechanism) {
    const Mechanism mechanism =
        random_mechanism(static_cast<uint64_t>(GetParam()), {.slender = true, .centered = false});
    World world(mechanism.model);
    const auto momentum = [&] {
        Vec3 sum;
        for (BodyId b : mechanism.bodies)
            sum += mechanism.model.bodies()[b.index].mass
                 * world.point_velocity(b, mechanism.model.bodies()[b.index].center);
        return sum;
    };
    const double h = step_of(world.settings());
    world.advance_to(0.1);
    const Vec3 before = momentum();
    Vec3 impulse;
    for (int i = 0; i < 2; ++i) {  // trapezoidal, as the step itself
        Vec3 external;
        for (uint32_t j = 0; j < mechanism.model.joints().size(); ++j)
            if (mechanism.model.joints()[j].a == Model::ground())
                external += world.reaction({j}).force;
        for (BodyId b : mechanism.bodies)
            external += mechanism.model.bodies()[b.index].mass * mechanism.model.gravity;
        impulse += h / 2 * external;
        if (i == 0) world.step();
    }
    // Projections leave third order of the step: h³ times the jerk, of some hundreds.
    EXPECT_NEAR(norm(momentum() - before - impulse), 0, 1e-5 * (1 + norm(impulse) / h));
}

INSTANTIATE_TEST_SUITE_P(Seed, NewtonsLaw, testing::Range(1, 31));

// Whatever turns the hinges of a chain, each carries the weight and inertia of all that hangs on it.
TEST(Reaction, OfAHingeIsWhatHangsOnItWhateverTurnsIt) {
    testing_support::Random random(3);
    Model m;
    std::vector<JointId> hinges;
    BodyId last = Model::ground();
    for (int i = 0; i < 5; ++i) {
        Body body = testing_support::random_body(random, {0.8 * i + 0.4, 0, 0});
        body.center = {};
        const BodyId next = m.add(body);
        hinges.push_back(m.add(
            Revolute{.a = last, .b = next, .at = {0.8 * i, 0.1, 0}, .axis = random.direction()}));
        last = next;
    }
    const double start = World(m).coordinate_rate(hinges[0]);
    m.add(Drive{.joint = hinges[0], .target = [=](double t) { return start * t + t * t; }});
    m.add(Motor{.joint = hinges[1], .effort = [](double t) { return 5 + t; }, .no_load_speed = 9});
    m.add(JointSpring{.joint = hinges[2], .stiffness = 20, .damping = 1, .rest = 0.2});
    m.add(Coordinate{.joint = hinges[3], .inertia = 0.02, .ratio = 8});
    m.add(Gear{.first = hinges[2], .second = hinges[4], .ratio = -1.5});
    World world(m);
    for (double t : {0.0, 0.001, 0.05, 0.2}) {
        world.advance_to(t);
        Vec3 hangs;
        for (uint32_t i = 5; i > 0; --i) {
            hangs += m.bodies()[i].mass * (world.acceleration({i}) - m.gravity);
            EXPECT_NEAR(norm(world.reaction(hinges[i - 1]).force - hangs), 0,
                        1e-6 * (1 + norm(hangs)))
                << "hinge " << i << " at " << t;
        }
    }
}

// A redundant support is shared, not doubled.
TEST(Reaction, OfADoorOnThreeHingesIsSharedBetweenThem) {
    Model m;
    const BodyId door = m.add(Body::box({1, 0.1, 2}, 30).at({0.5, 0, 0}));
    for (double z : {-0.8, 0.0, 0.8})
        m.add(Revolute{.a = m.ground(), .b = door, .at = {0, 0, z}, .axis = {0, 0, 1}});
    World world(m);
    EXPECT_EQ(world.degrees_of_freedom(), 1);
    EXPECT_EQ(world.redundant_constraints(), 10);
    world.advance_to(0.1);
    Vec3 force, moment;
    for (uint32_t j = 0; j < 3; ++j) {
        const Reaction r = world.reaction({j});
        force += r.force;
        moment += r.moment + cross(world.point(door, {-0.5, 0, m.joints()[j].at_a.z}), r.force);
        EXPECT_NEAR(r.force.z, 30 * 9.81 / 3, 1e-6);
    }
    EXPECT_NEAR(norm(force - Vec3{0, 0, 30 * 9.81}), 0, 1e-6);
    EXPECT_NEAR(norm(moment + cross({0.5, 0, 0}, {0, 0, -30 * 9.81})), 0, 1e-6);
}

// The pendulum's bar at the lowest point pulls with m g + m v² / l.
TEST(Reaction, OfAPendulumAtTheBottomIsThreeTimesTheWeight) {
    scenes::Pendulum p = scenes::pendulum();
    World world(p.model, {.step = 1e-4});
    while (world.pose(p.mass).position.x < 0) world.step();
    EXPECT_NEAR(norm(world.reaction({0}).force), 3 * 9.81, 1e-3);
}

}  // namespace
}  // namespace bristle::step
