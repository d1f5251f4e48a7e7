// Gradients and rates of every dot row, closure and relation against finite differences, in random
// configurations: off the constraints too, where the formulas must hold just as well.
#include "lagrange/equations.h"
#include "tests/support/every_element.h"
#include "tests/support/rows.h"

#include <gtest/gtest.h>

#include <set>

namespace bristle::lagrange {
namespace {

using namespace testing_support;

// Quadratic rows are differenced exactly; angles, with third derivatives of some hundreds where a
// perpendicular is short, to 1e-9.
constexpr double bound = 2e-9;

class RowDerivatives : public testing::TestWithParam<int> {
  protected:
    RowDerivatives()
        : random(static_cast<uint64_t>(GetParam())),
          system(build_system(EveryElement(static_cast<uint64_t>(GetParam())).model, {})),
          equations(system),
          state(resting_state(system)) {
        state.position = moved(state.position, 1, random_motion(system, 0.1, random));
        state.velocity = random_motion(system, 1, random);
        state.acceleration = random_motion(system, 1, random);
        equations.evaluate_rows(state);
    }

    void expect_equal(const Rows& a, const Rows& b) {
        ASSERT_EQ(a.size(), b.size());
        for (size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i], b[i], bound * (1 + std::abs(b[i]))) << name(i);
    }

    std::string name(size_t row) const {
        if (row < system.dots.size()) return "dot " + std::to_string(row);
        if (row < system.row_count()) return "relation " + std::to_string(row - system.dots.size());
        return "closure " + std::to_string((row - system.row_count()) / 3);
    }

    Rows velocity_rows(const state::State& at) {
        equations.evaluate_rows(at);
        equations.evaluate_velocity_rows(at);
        return violations(equations);
    }

    Random random;
    System system;
    Equations equations;
    state::State state;
};

TEST_P(RowDerivatives, TheModelHasEveryKindOfRow) {
    std::set<Measure::Kind> measures;
    std::set<Relation::Kind> relations;
    std::set<std::pair<MeasureForce::Kind, bool>> forces;  // and whether by a law
    for (const auto& m : system.measures) measures.insert(m.kind);
    for (const auto& r : system.relations) relations.insert(r.kind);
    for (const auto& f : system.forces) forces.insert({f.kind, bool(f.law)});
    EXPECT_EQ(measures.size(), 5u);
    EXPECT_EQ(relations.size(), 4u);
    EXPECT_EQ(forces.size(), 3u);
    EXPECT_FALSE(system.dots.empty());
    EXPECT_FALSE(system.closures.empty());
    EXPECT_EQ(system.user_forces.size(), 1u);
}

TEST_P(RowDerivatives, StartWithoutViolation) {
    equations.evaluate_rows(resting_state(system));
    const Rows rows = violations(equations);
    for (size_t i = 0; i < rows.size(); ++i) {
        const bool is_stop = i >= system.dots.size() && i < system.row_count()
                          && system.relations[i - system.dots.size()].target != 0;
        EXPECT_NEAR(is_stop ? 0 : rows[i], 0, 1e-13) << name(i);
    }
}

TEST_P(RowDerivatives, RatesAreTheChangeOfViolations) {
    const Rows known = derivative([&](double t) {
        state::State at = state;
        at.position = moved(state.position, t, state.velocity);
        equations.evaluate_rows(at);
        return violations(equations);
    });
    expect_equal(velocity_rows(state), known);
}

TEST_P(RowDerivatives, AccelerationRowsAreTheChangeOfRates) {
    const Rows known = derivative([&](double t) {
        state::State at = state;
        at.position =
            moved(moved(state.position, t, state.velocity), t * t / 2, state.acceleration);
        at.velocity = moved(state.velocity, t, state.acceleration);
        return velocity_rows(at);
    });
    equations.evaluate_rows(state);
    equations.evaluate_acceleration_rows(state);
    expect_equal(violations(equations), known);
}

TEST_P(RowDerivatives, AssembledGradientsAreThoseOfTheRates) {
    BlockLdlt matrix(system.blocks.pattern);
    equations.assemble_mass(matrix);
    const Rows assembled = assembled_gradients_along(equations, state.velocity);
    expect_equal(assembled, velocity_rows(state));
    // What one relation tells alone is the same.
    for (size_t i = 0; i < system.relations.size(); ++i)
        EXPECT_NEAR(equations.multiplier_change(i, 0, state.velocity.data()),
                    system.relations[i].penalty * assembled[system.dots.size() + i],
                    1e-9 * system.relations[i].penalty);
}

// (Jᵀλ)·d = λ·(J d)
TEST_P(RowDerivatives, ConstraintForcesDoTheWorkOfTheMultipliers) {
    for (double& l : state.multiplier) l = random.uniform(-1, 1);
    for (Vec4& l : state.closure_multiplier) l = to_vec4(random.vector(1));
    std::vector<Vec4> force(system.entity_count, Vec4{}), load = force;
    equations.add_constraint_forces(state, 2.5, 0, force.data(), load.data());
    const Rows rates = velocity_rows(state);
    double work = 0;
    for (size_t i = 0; i < system.row_count(); ++i) work += 2.5 * state.multiplier[i] * rates[i];
    for (size_t i = 0; i < system.closures.size(); ++i)
        for (int c = 0; c < 3; ++c)
            work += 2.5 * state.closure_multiplier[i][c]
                  * rates[system.row_count() + 3 * i + static_cast<size_t>(c)];
    EXPECT_NEAR(dot(force, state.velocity), work, 1e-11 * static_cast<double>(rates.size()));
    for (uint32_t e = 0; e < system.entity_count; ++e)
        for (int c = 0; c < 3; ++c) EXPECT_LE(std::abs(force[e][c]), load[e][c] * (1 + 1e-12));
}

// x = −f J₀ᵀ p Φ: its work along d is −f Σ p Φ (J₀ d).
TEST_P(RowDerivatives, PenaltyForcesDoTheWorkOfTheViolations) {
    BlockLdlt matrix(system.blocks.pattern);
    equations.assemble_mass(matrix);
    const Rows gradient = assembled_gradients_along(equations, state.velocity),
               phi = violations(equations);
    std::vector<Vec4> x(system.entity_count, Vec4{});
    equations.subtract_penalty_forces(0.3, x.data());
    double work = 0, size = 0;
    for (size_t i = 0; i < phi.size(); ++i) {
        const double penalty = i < system.dots.size() ? system.dots[i].penalty
                             : i < system.row_count()
                                 ? system.relations[i - system.dots.size()].penalty
                                 : system.closures[(i - system.row_count()) / 3].penalty;
        work -= 0.3 * penalty * phi[i] * gradient[i];
        size += std::abs(penalty * phi[i] * gradient[i]);
    }
    EXPECT_NEAR(dot(x, state.velocity), work, 1e-12 * size);
}

TEST_P(RowDerivatives, RowsThatAreNotActiveAreSilent) {
    for (auto& r : equations.relation) r.mode = RowMode::inactive;
    equations.evaluate_rows(state);
    BlockLdlt matrix(system.blocks.pattern);
    equations.assemble_mass(matrix);
    const Rows position = violations(equations);
    const Rows along = assembled_gradients_along(equations, state.velocity),
               velocity = velocity_rows(state);
    equations.evaluate_acceleration_rows(state);
    const Rows acceleration = violations(equations);
    for (size_t i = system.dots.size(); i < system.row_count(); ++i) {
        EXPECT_EQ(position[i], 0);
        EXPECT_EQ(along[i], 0);
        EXPECT_EQ(velocity[i], 0);
        EXPECT_EQ(acceleration[i], 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Random, RowDerivatives, testing::Range(1, 7));

}  // namespace
}  // namespace bristle::lagrange
