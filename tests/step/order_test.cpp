// Every integrator and projection is of second order: half the step, a quarter of the error.
#include <bristle/world.h>

#include "tests/support/mechanisms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bristle::step {
namespace {

using testing_support::Mechanism;
using testing_support::random_mechanism;

struct Motion {
    std::vector<Vec3> position, velocity;
};

Motion after(const Mechanism& m, const AugmentedLagrangian& settings) {
    World world(m.model, settings);
    world.advance_to(0.2);
    Motion motion;
    for (BodyId b : m.bodies) {
        motion.position.push_back(world.pose(b).position);
        motion.velocity.push_back(world.twist(b).linear);
        motion.velocity.push_back(world.twist(b).angular);
    }
    return motion;
}

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
    return most;
}

class Order : public testing::TestWithParam<int> {};

TEST_P(Order, IsTwoForEveryIntegratorAndProjection) {
    const Mechanism m = random_mechanism(static_cast<uint64_t>(GetParam()));
    const Motion exact = after(m, {.step = 2.5e-5});
    for (AugmentedLagrangian s :
         {AugmentedLagrangian{}, AugmentedLagrangian{.newmark_beta = 0.3025, .newmark_gamma = 0.5},
          AugmentedLagrangian{.projection = Projection::mass},
          AugmentedLagrangian{.integrator = Integrator::hht},
          AugmentedLagrangian{.integrator = Integrator::hht, .hht_delta = 0.3},
          AugmentedLagrangian{.integrator = Integrator::generalized_alpha},
          AugmentedLagrangian{.integrator = Integrator::generalized_alpha, .rho_infinity = 0},
          AugmentedLagrangian{.integrator = Integrator::generalized_alpha,
          .rho_infinity = 0.5,
          .projection = Projection::mass}}) {
        Motion half = after(m, (s.step = 5e-4, s)), whole = after(m, (s.step = 1e-3, s));
        const double position = distance(whole.position, exact.position),
                     velocity = distance(whole.velocity, exact.velocity);
        // Where nothing curves, rounding is all there is.
        if (position < 1e-11) continue;
        EXPECT_NEAR(position / distance(half.position, exact.position), 4, 0.4);
        EXPECT_NEAR(velocity / distance(half.velocity, exact.velocity), 4, 0.4);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, Order, testing::Range(1, 16));

}  // namespace
}  // namespace bristle::step
