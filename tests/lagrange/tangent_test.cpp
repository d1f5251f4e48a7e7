// The assembled tangent against differences of the residual.
//
// A unit of acceleration x moves the velocity by γh x and the position by βh² x. The residual is
//     r = M (w a + …) + f (Jᵀλ − Q(q, q̇)) + …        so        r(x)' = T x − f Σ p g (g·x)
// with T as assemble() gives it. Varying the velocity alone (βh² = 0) isolates the damping matrices,
// varying the position (γh ≪ βh²) the stiffnesses and λΦqq.
#include "lagrange/equations.h"
#include "tests/support/every_element.h"
#include "tests/support/rows.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace bristle::lagrange {
namespace {

using namespace testing_support;

using Vectors = std::vector<Vec4>;

struct Place {
    uint32_t row, column, index;
};

// Every block of the pattern and its fill; what is not there throws.
std::vector<Place> places(const BlockPattern& matrix) {
    std::vector<Place> out;
    for (uint32_t j = 0; j < matrix.size(); ++j) {
        for (uint32_t i = j; i < matrix.size(); ++i) {
            try {
                out.push_back({i, j, matrix.index_of(i, j)});
            } catch (const std::logic_error&) {
                continue;
            }
        }
    }
    return out;
}

class Tangent : public testing::TestWithParam<int> {
  protected:
    Tangent()
        : random(static_cast<uint64_t>(GetParam())),
          // The smallest penalty: it must not drown what is compared.
          system(build_system(EveryElement(static_cast<uint64_t>(GetParam()) + 200).model,
                              {.penalty = 1e2})),
          blocks(places(*system.blocks.pattern)),
          state(resting_state(system)) {
        state.position = moved(state.position, 1, random_motion(system, 0.05, random));
        state.acceleration = random_motion(system, 1, random);
        direction = random_motion(system, 1, random);
        before = random_motion(system, 1, random);
        force_before = random_motion(system, 1, random);
    }

    Vectors times(const BlockLdlt& matrix, const Vectors& x) const {
        Vectors out(x.size(), Vec4{});
        for (auto [i, j, index] : blocks) {
            for (int c = 0; c < 3; ++c) {
                const Vec4 column = matrix.blocks()[index].column[c];
                out[i] += x[j][c] * column;
                if (i != j) out[j][c] += math::dot(column, x[i]);
            }
        }
        return out;
    }

    Eigen::MatrixXd dense(const BlockLdlt& matrix) const {
        const auto n = static_cast<Eigen::Index>(3 * system.entity_count);
        Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
        for (auto [i, j, index] : blocks)
            for (int c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r)
                    out(3 * i + r, 3 * j + c) = out(3 * j + c, 3 * i + r) =
                        matrix.blocks()[index].column[c][r];
        return out;
    }

    void load_constraints() {
        for (size_t i = 0; i < system.dots.size(); ++i)
            state.multiplier[i] = random.uniform(1, 5) * (random.chance(0.5) ? 1 : -1);
        for (Vec4& l : state.closure_multiplier) l = to_vec4(random.vector(5));
    }

    Vectors residual(Equations& equations, const IntegratorWeights& w, double t) {
        state::State at = state;
        at.acceleration = moved(state.acceleration, t, direction);
        at.velocity = moved(state.velocity, t * w.gamma_h, direction);
        at.position = moved(state.position, t * w.beta_h2, direction);
        equations.evaluate_rows(at);
        equations.evaluate_residual(at, w, before, force_before);
        return equations.residual;
    }

    void expect_exact(const IntegratorWeights& w) {
        Equations equations(system);
        for (size_t i = 0; i < system.relations.size(); ++i)
            if (saturated) equations.relation[i] = {RowMode::saturated, 0, 0, 0, 3.0};
        const Vectors known = derivative([&](double t) { return residual(equations, w, t); }, 3e-4);
        equations.evaluate_rows(state);
        BlockLdlt matrix(system.blocks.pattern);
        equations.assemble(state, w, matrix, Equations::Tangent::exact);
        Vectors mine = times(matrix, direction);
        // Less the penalties: J₀ᵀ p (J₀ x), by the rates of a motion x.
        state::State motion = state;
        motion.velocity = direction;
        equations.evaluate_velocity_rows(motion);
        equations.subtract_penalty_forces(w.force, mine.data());
        for (uint32_t e = 0; e < system.entity_count; ++e)
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(mine[e][c], known[e][c], 2e-7 * (1 + std::abs(known[e][c])))
                    << "entity " << e << " component " << c;
    }

    Random random;
    System system;
    std::vector<Place> blocks;
    state::State state;
    Vectors direction, before, force_before;
    bool saturated = false;
};

TEST_P(Tangent, HasTheExactDampingOfEveryForceInMotionAndUnderLoad) {
    state.velocity = random_motion(system, 1, random);
    load_constraints();
    for (size_t i = system.dots.size(); i < system.row_count(); ++i)
        state.multiplier[i] = random.uniform(-5, 5);
    expect_exact({1, 0, 1, 1, 1});
    expect_exact({1, 0, 0.3, 0.8, 0.6});
    saturated = true;
    expect_exact({1, 0, 1, 1, 1});
}

// At rest, where damping has no stiffness. All is under load but what acts along angles, whose second
// derivative the tangent leaves out.
TEST_P(Tangent, HasTheExactStiffnessOfEveryForceAndConstraint) {
    Equations equations(system);
    equations.evaluate_rows(state);
    const auto is_angle = [&](uint32_t m) {
        return m != none
            && (system.measures[m].kind == Measure::Kind::angle
                || system.measures[m].kind == Measure::Kind::swing);
    };
    for (MeasureForce& f : system.forces) {
        if (!is_angle(f.measure)) continue;
        f.rest = equations.measure[f.measure].value;
        if (f.kind == MeasureForce::Kind::motor) f.effort = [](double) { return 0.0; };
    }
    load_constraints();
    for (size_t i = 0; i < system.relations.size(); ++i)
        if (!is_angle(system.relations[i].measure[0]) && !is_angle(system.relations[i].measure[1]))
            state.multiplier[system.dots.size() + i] = random.uniform(-5, 5);
    expect_exact({1, 1, 1e-2, 1, 1});
    expect_exact({1, 0.4, 1e-2, 0.9, 0.7});
    expect_exact({1, 0.5, 0.08, 1, 1});
}

TEST_P(Tangent, IsPositiveDefiniteWhenSafe) {
    state.velocity = random_motion(system, 1, random);
    load_constraints();
    for (double& l : state.multiplier) l *= 1e3;
    Equations equations(system);
    equations.evaluate_rows(state);
    BlockLdlt matrix(system.blocks.pattern), mass(system.blocks.pattern);
    equations.assemble(state, {1, 1, 1, 1, 1}, matrix, Equations::Tangent::safe);
    equations.assemble_mass(mass);
    EXPECT_TRUE(BlockLdlt(matrix).factorize());
    // What it adds to mass and penalties is nowhere negative.
    const Eigen::MatrixXd added = dense(matrix) - dense(mass);
    const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(added).eigenvalues()(0);
    EXPECT_GE(least, -1e-10 * added.norm());
}

TEST_P(Tangent, MassMatrixIsThatOfTheKineticEnergy) {
    Equations equations(system);
    Vectors momentum(system.entity_count, Vec4{});
    equations.momentum_of(direction, momentum);
    state::State still = state;
    still.acceleration = direction;
    std::fill(still.multiplier.begin(), still.multiplier.end(), 0);
    equations.evaluate_rows(still);
    equations.evaluate_residual(still, {1, 0, 0, 1, 1}, before, force_before);
    Vectors force(system.entity_count, Vec4{});
    for (auto& r : equations.relation) r.mode = RowMode::inactive;
    equations.evaluate_forces(still, force);
    for (uint32_t e = 0; e < system.entity_count; ++e)
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(equations.residual[e][c], momentum[e][c] + force[e][c],
                        1e-12 * (1 + std::abs(force[e][c])));
}

INSTANTIATE_TEST_SUITE_P(Random, Tangent, testing::Range(1, 5));

}  // namespace
}  // namespace bristle::lagrange
