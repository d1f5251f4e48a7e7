#include "math/block_ldlt.h"

#include "tests/support/random.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bristle::math {
namespace {

using testing_support::Random;
using Pattern = std::vector<std::pair<uint32_t, uint32_t>>;

Pattern chain(uint32_t size) {
    Pattern p;
    for (uint32_t i = 1; i < size; ++i) p.emplace_back(i, i - 1);
    return p;
}

// The head comes first (the worst order: all fills) or last (the best: nothing does).
Pattern arrow(uint32_t size, uint32_t head) {
    Pattern p;
    for (uint32_t i = 0; i < size; ++i)
        if (i != head) p.emplace_back(std::max(i, head), std::min(i, head));
    return p;
}

Pattern dense(uint32_t size) {
    Pattern p;
    for (uint32_t i = 1; i < size; ++i)
        for (uint32_t j = 0; j < i; ++j) p.emplace_back(i, j);
    return p;
}

Pattern sparse(uint32_t size, double density, Random& random) {
    Pattern p;
    for (uint32_t i = 1; i < size; ++i)
        for (uint32_t j = 0; j < i; ++j)
            if (random.chance(density)) {
                p.emplace_back(i, j);
                if (random.chance(0.3)) p.emplace_back(i, j);  // repeats are allowed
            }
    std::shuffle(p.begin(), p.end(), std::mt19937(7));
    return p;
}

// Positive definite, with blocks only where the pattern has them.
Eigen::MatrixXd random_matrix(uint32_t size, const Pattern& pattern, Random& random) {
    const auto n = static_cast<Eigen::Index>(3 * size);
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) a(i, i) = random.uniform(0.1, 1);
    const auto add_square = [&](const std::vector<uint32_t>& nodes) {
        Eigen::VectorXd g = Eigen::VectorXd::Zero(n);
        for (uint32_t e : nodes)
            for (int c = 0; c < 3; ++c) g(3 * e + c) = random.uniform(-1, 1);
        a += g * g.transpose();
    };
    for (uint32_t e = 0; e < size; ++e) add_square({e});
    for (auto [i, j] : pattern) add_square({i, j});
    return a;
}

std::shared_ptr<const BlockPattern> pattern_of(uint32_t size, const Pattern& below) {
    return std::make_shared<const BlockPattern>(size, below);
}

void load(const Eigen::MatrixXd& a, const Pattern& pattern, BlockLdlt& ldlt) {
    std::fill(ldlt.blocks().begin(), ldlt.blocks().end(), Block3{});
    const auto put = [&](uint32_t i, uint32_t j) {
        Block3& block = ldlt.blocks()[ldlt.index_of(i, j)];
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r) block.column[c][r] = a(3 * i + r, 3 * j + c);
    };
    for (uint32_t i = 0; i < ldlt.size(); ++i) put(i, i);
    for (auto [i, j] : pattern) put(i, j);
}

Eigen::VectorXd solve(const BlockLdlt& ldlt, const Eigen::VectorXd& b) {
    std::vector<Vec4> x(ldlt.size());
    for (uint32_t i = 0; i < ldlt.size(); ++i) x[i] = Vec4{b(3 * i), b(3 * i + 1), b(3 * i + 2), 0};
    ldlt.solve(x.data());
    Eigen::VectorXd out(b.size());
    for (uint32_t i = 0; i < ldlt.size(); ++i) {
        EXPECT_EQ(x[i][3], 0);
        for (int c = 0; c < 3; ++c) out(3 * i + c) = x[i][c];
    }
    return out;
}

Eigen::VectorXd random_vector(Eigen::Index size, Random& random) {
    Eigen::VectorXd b(size);
    for (double& v : b) v = random.uniform(-1, 1);
    return b;
}

// Elimination on a set of pairs, as one would do it by hand.
size_t blocks_with_fill(uint32_t size, const Pattern& pattern) {
    std::set<std::pair<uint32_t, uint32_t>> all(pattern.begin(), pattern.end());
    for (uint32_t k = 0; k < size; ++k)
        for (uint32_t i = k + 1; i < size; ++i)
            for (uint32_t j = k + 1; j < i; ++j)
                if (all.count({i, k}) && all.count({j, k})) all.emplace(i, j);
    return size + all.size();
}

// Against the solution, with the matrix' condition (below 1e4 here) on top of rounding.
void expect_solves(uint32_t size, const Pattern& pattern, Random& random) {
    BlockLdlt ldlt(pattern_of(size, pattern));
    ASSERT_EQ(ldlt.size(), size);
    EXPECT_EQ(ldlt.pattern().block_count(), blocks_with_fill(size, pattern));
    for (int repeat = 0; repeat < 3; ++repeat) {  // new values, same analysis
        const Eigen::MatrixXd a = random_matrix(size, pattern, random);
        const Eigen::VectorXd b = random_vector(a.rows(), random);
        load(a, pattern, ldlt);
        ASSERT_TRUE(ldlt.factorize());
        const Eigen::VectorXd x = solve(ldlt, b), known = a.ldlt().solve(b);
        EXPECT_LE((x - known).norm(), 1e-11 * (1 + known.norm())) << "size " << size;
        EXPECT_LE((a * x - b).norm(), 1e-13 * (1 + a.norm() * x.norm()));
    }
}

TEST(BlockLdlt, SolvesTheEmptyOneAndTwoBlockSystems) {
    Random random(1);
    BlockLdlt empty(pattern_of(0, {}));
    EXPECT_EQ(empty.pattern().block_count(), 0u);
    EXPECT_TRUE(empty.factorize());
    empty.solve(nullptr);
    expect_solves(1, {}, random);
    expect_solves(2, {}, random);
    expect_solves(2, {{1, 0}}, random);
}

TEST(BlockLdlt, SolvesChainsArrowsAndDenseMatrices) {
    Random random(2);
    for (uint32_t size : {3u, 7u, 20u}) {
        expect_solves(size, chain(size), random);
        expect_solves(size, arrow(size, 0), random);
        expect_solves(size, arrow(size, size - 1), random);
        expect_solves(size, arrow(size, size / 2), random);
        expect_solves(size, dense(size), random);
    }
}

TEST(BlockLdlt, SolvesManyRandomSparsePatterns) {
    Random random(3);
    for (int i = 0; i < 150; ++i) {
        const auto size = static_cast<uint32_t>(random.integer(1, 24));
        expect_solves(size, sparse(size, random.uniform(0, 0.4), random), random);
    }
}

TEST(BlockLdlt, FillsNothingInAChainAndEverythingBehindAnArrowsHead) {
    BlockLdlt ldlt(pattern_of(12, chain(12)));
    EXPECT_EQ(ldlt.pattern().block_count(), 23u);
    EXPECT_EQ(ldlt.pattern().product_count(), 11u);
    ldlt.reset(pattern_of(12, arrow(12, 11)));
    EXPECT_EQ(ldlt.pattern().block_count(), 23u);
    ldlt.reset(pattern_of(12, arrow(12, 0)));
    EXPECT_EQ(ldlt.pattern().block_count(), 78u);
}

// M + p JᵀJ with p = 1e8: the residual must stay at rounding (a backward stable factorization), and the
// stiff part J x, from which multipliers are read, must be right to rounding times p, not times p².
TEST(BlockLdlt, KeepsTheStiffDirectionsOfPenalizedMatrices) {
    Random random(4);
    constexpr double penalty = 1e8;
    for (int i = 0; i < 40; ++i) {
        const auto size = static_cast<uint32_t>(random.integer(3, 15));
        const Pattern pattern = chain(size);
        const auto n = static_cast<Eigen::Index>(3 * size);
        Eigen::MatrixXd j = Eigen::MatrixXd::Zero(size - 1, n);
        for (uint32_t k = 0; k + 1 < size; ++k) {
            const Vec3 u = random.direction();
            for (int c = 0; c < 3; ++c) {
                j(k, 3 * k + c) = u[c];
                j(k, 3 * k + 3 + c) = -u[c];
            }
        }
        const Eigen::MatrixXd m = Eigen::VectorXd::Constant(n, 1).cwiseAbs().asDiagonal();
        const Eigen::MatrixXd a = m + penalty * j.transpose() * j;
        BlockLdlt ldlt(pattern_of(size, pattern));
        load(a, pattern, ldlt);
        ASSERT_TRUE(ldlt.factorize());
        const Eigen::VectorXd b = random_vector(n, random), x = solve(ldlt, b);
        EXPECT_LE((a * x - b).norm(), 1e-13 * a.norm() * x.norm());
        // λ = p J x from the dual system (1/p + J M⁻¹ Jᵀ) λ = J M⁻¹ b, which is well conditioned.
        const Eigen::MatrixXd dual =
            Eigen::MatrixXd::Identity(size - 1, size - 1) / penalty + j * j.transpose();
        const Eigen::VectorXd lambda = dual.ldlt().solve(j * b);
        EXPECT_LE((penalty * j * x - lambda).norm(), 1e-6 * (1 + lambda.norm()));
    }
}

TEST(BlockLdlt, ReportsPivotsThatAreNotPositive) {
    Random random(5);
    for (int i = 0; i < 40; ++i) {
        const auto size = static_cast<uint32_t>(random.integer(2, 10));
        const Pattern pattern = sparse(size, 0.5, random);
        Eigen::MatrixXd a = random_matrix(size, pattern, random);
        const Eigen::Index at = random.integer(0, static_cast<int>(a.rows()) - 1);
        a(at, at) = i % 2 ? -1 : 0;
        BlockLdlt ldlt(pattern_of(size, pattern));
        load(a, pattern, ldlt);
        EXPECT_FALSE(ldlt.factorize());
        // The next matrix is not troubled by the last.
        const Eigen::MatrixXd good = random_matrix(size, pattern, random);
        const Eigen::VectorXd b = random_vector(good.rows(), random);
        load(good, pattern, ldlt);
        EXPECT_TRUE(ldlt.factorize());
        EXPECT_LE((good * solve(ldlt, b) - b).norm(), 1e-10);
    }
}

// Redundant rows meet nodes of a millionth of the usual mass: the factorization stays backward stable.
TEST(BlockLdlt, SolvesWherePenaltiesMeetAlmostNoMass) {
    Random random(8);
    for (int i = 0; i < 60; ++i) {
        const auto size = static_cast<uint32_t>(random.integer(2, 8));
        const Pattern pattern = dense(size);
        const auto n = static_cast<Eigen::Index>(3 * size);
        Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
        for (uint32_t e = 0; e < size; ++e)
            a.diagonal().segment(3 * e, 3).setConstant(random.chance(0.3) ? 1e-4 : 1);
        const int rank = random.integer(1, static_cast<int>(n) - 1);
        for (int k = 0; k < rank; ++k) {
            const Eigen::VectorXd g = random_vector(n, random);
            a += (k % 2 ? 2e7 : 1e7) * g * g.transpose();
        }
        BlockLdlt ldlt(pattern_of(size, pattern));
        load(a, pattern, ldlt);
        ASSERT_TRUE(ldlt.factorize()) << "size " << size << ", rank " << rank;
        const Eigen::VectorXd b = random_vector(n, random), x = solve(ldlt, b);
        ASSERT_TRUE(x.allFinite());
        EXPECT_LE((a * x - b).norm(), 1e-13 * a.norm() * x.norm());
    }
}

TEST(BlockLdlt, ReportsAZeroMatrix) {
    BlockLdlt ldlt(pattern_of(2, {{1, 0}}));
    EXPECT_FALSE(ldlt.factorize());
}

TEST(MinimumDegreeOrder, IsAPermutationWithLittleFill) {
    Random random(6);
    EXPECT_TRUE(minimum_degree_order(0, {}).empty());
    for (int i = 0; i < 60; ++i) {
        const auto size = static_cast<uint32_t>(random.integer(1, 40));
        Pattern edges = sparse(size, random.uniform(0, 0.3), random);
        for (auto& e : edges)
            if (random.chance(0.5)) std::swap(e.first, e.second);
        edges.emplace_back(0, 0);  // a node is its own neighbour, at times
        const auto order = minimum_degree_order(size, edges);
        std::vector<bool> seen(size, false);
        ASSERT_EQ(order.size(), size);
        for (uint32_t k : order) {
            ASSERT_LT(k, size);
            EXPECT_FALSE(seen[k]);
            seen[k] = true;
        }
    }
    // An arrow whose head comes first fills everything in the given order and nothing in this one.
    const Pattern pattern = arrow(30, 0);
    const auto order = minimum_degree_order(30, pattern);
    std::vector<uint32_t> rank(30);
    for (uint32_t k = 0; k < 30; ++k) rank[order[k]] = k;
    Pattern renamed;
    for (auto [i, j] : pattern)
        renamed.emplace_back(std::max(rank[i], rank[j]), std::min(rank[i], rank[j]));
    EXPECT_EQ(blocks_with_fill(30, renamed), 59u);
}

}  // namespace
}  // namespace bristle::math
