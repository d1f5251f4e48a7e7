// What must hold in any mechanism: on random trees and loops of every kind of joint.
#include <bristle/world.h>

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::step {
namespace {

using testing_support::Mechanism;
using testing_support::MechanismOptions;
using testing_support::random_mechanism;

// Bodies that lock each other leave nothing to measure.
Mechanism moving_mechanism(int seed, MechanismOptions options = {}) {
    for (auto s = static_cast<uint64_t>(seed);; s += 1000) {
        Mechanism m = random_mechanism(s, options);
        if (World(m.model).degrees_of_freedom() > 0) return m;
    }
}

struct Momentum {
    Vec3 linear, angular;
};

Momentum momentum(const World& world) {
    Momentum sum;
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i) {
        const Body& body = world.model().bodies()[i];
        const Pose pose = world.pose({i});
        const Twist twist = world.twist({i});
        const Mat3 r = pose.orientation.matrix();
        const Vec3 center = pose * body.center;
        const Vec3 p = body.mass * (twist.linear + cross(twist.angular, center - pose.position));
        sum.linear += p;
        sum.angular += cross(center, p) + r * (body.inertia * (r.transposed() * twist.angular));
    }
    return sum;
}

double kinetic_energy(const World& world) {
    double sum = 0;
    for (uint32_t i = 1; i < world.model().bodies().size(); ++i) {
        const Body& body = world.model().bodies()[i];
        const Twist twist = world.twist({i});
        const Vec3 v = world.point_velocity({i}, body.center);
        const Vec3 w = world.pose({i}).orientation.matrix().transposed() * twist.angular;
        sum += 0.5 * body.mass * dot(v, v) + 0.5 * dot(w, body.inertia * w);
    }
    return sum;
}

// The largest on the way, of the largest kinetic energy.
double energy_error(const Model& model, const AugmentedLagrangian& settings, double end) {
    World world(model, settings);
    const double start = world.energy().total();
    double worst = 0, most = world.energy().kinetic;
    while (world.time() < end - settings.step / 2) {
        world.step();
        worst = std::max(worst, std::abs(world.energy().total() - start));
        most = std::max(most, world.energy().kinetic);
    }
    return worst / most;
}

class RandomMechanism : public testing::TestWithParam<int> {};

// Nothing but weight moves it: its energy is put right in every step, to rounding.
TEST_P(RandomMechanism, KeepsItsEnergy) {
    for (bool slender : {false, true})
        EXPECT_LT(energy_error(moving_mechanism(GetParam(), {.slender = slender}).model,
                               {.step = 10e-3}, 3),
                  1e-11)
            << slender;
}

TEST_P(RandomMechanism, ReportsTheKineticEnergyOfItsBodies) {
    World world(moving_mechanism(GetParam()).model);
    world.advance_to(0.05);
    // Entities obey their constraints to 1e-10 of the speed.
    EXPECT_NEAR(world.energy().kinetic, kinetic_energy(world), 1e-8 * (1 + world.energy().kinetic));
}

TEST_P(RandomMechanism, KeepsItsConstraints) {
    for (Projection projection : {Projection::tangent, Projection::mass}) {
        World world(moving_mechanism(GetParam()).model, {.projection = projection});
        for (int i = 0; i < 300; ++i) {
            world.step();
            const ConstraintError error = world.constraint_error();
            ASSERT_LE(error.position, 1e-9) << "at " << world.time();
            ASSERT_LE(error.velocity, 1e-9) << "at " << world.time();
        }
        EXPECT_EQ(world.statistics().rough_steps, 0u);
        EXPECT_LE(world.statistics().average_iterations(), 3);
    }
}

TEST_P(RandomMechanism, KeepsItsMomentumWhenItFloats) {
    const Mechanism m = moving_mechanism(GetParam(), {.floats = true});
    double angular_error[2];
    for (int k : {0, 1}) {
        World world(m.model, {.step = k == 0 ? 1e-3 : 5e-4});
        const Momentum before = momentum(world);
        world.advance_to(0.3);
        const Momentum after = momentum(world);
        // Joint forces cancel in every step, to what the iteration leaves.
        EXPECT_LE(norm(after.linear - before.linear), 1e-9 * (1 + norm(before.linear)));
        angular_error[k] = norm(after.angular - before.angular);
        EXPECT_LE(angular_error[k], 1e-5 * (1 + norm(before.angular)));
    }
    EXPECT_LE(angular_error[1], 0.4 * angular_error[0] + 1e-9);  // second order
}

TEST_P(RandomMechanism, DissipatesOnlyWithDissipativeIntegrators) {
    const Mechanism m = moving_mechanism(GetParam());
    // Without numerical damping HHT and generalized-α are the trapezoidal and the midpoint rule: second order.
    for (AugmentedLagrangian s :
         {AugmentedLagrangian{.integrator = Integrator::hht, .hht_delta = 0},
          AugmentedLagrangian{.integrator = Integrator::generalized_alpha, .rho_infinity = 1},
          AugmentedLagrangian{.integrator = Integrator::hht},
          AugmentedLagrangian{.integrator = Integrator::generalized_alpha}}) {
        const auto error = [&](double step) {
            s.step = step;
            World world(m.model, s);
            const double start = world.energy().total();
            world.advance_to(0.2);
            EXPECT_LE(world.constraint_error().position, 1e-9);
            return std::abs(world.energy().total() - start);
        };
        const double coarse = error(1e-3), fine = error(5e-4);
        EXPECT_LE(fine, 0.6 * coarse + 1e-7) << coarse << ", " << fine;
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomMechanism, testing::Range(1, 31));

}  // namespace
}  // namespace bristle::step
