#include "impulse/body_ldlt.h"

#include "tests/support/random.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <set>

namespace bristle::impulse {
namespace {

using testing_support::Random;
using Pattern = std::set<std::pair<uint32_t, uint32_t>>;

Pattern random_pattern(uint32_t size, double density, Random& random) {
    Pattern out;
    for (uint32_t i = 0; i < size; ++i)
        for (uint32_t j = 0; j < i; ++j)
            if (random.chance(density)) out.emplace(i, j);
    return out;
}

// Random blocks, and a diagonal that outweighs them.
template <int N>
Eigen::MatrixXd random_matrix(uint32_t size, const Pattern& pattern, Random& random) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(N * size, N * size);
    const auto block = [&](uint32_t i, uint32_t j) { return out.block<N, N>(N * i, N * j); };
    const auto uniform = [&] { return random.uniform(-1, 1); };
    using Block = Eigen::Matrix<double, N, N>;
    for (auto [i, j] : pattern) {
        const Block b = Block::NullaryExpr(uniform);
        block(i, j) += b;
        block(j, i) += b.transpose();
        block(i, i) += N * Block::Identity();
        block(j, j) += N * Block::Identity();
    }
    for (uint32_t i = 0; i < size; ++i) {
        const Block b = Block::NullaryExpr(uniform);
        block(i, i) += b * b.transpose() + 0.1 * Block::Identity();
    }
    return out;
}

template <int N>
void fill(BodyLdlt<N>& ldlt, uint32_t size, const Pattern& pattern, const Eigen::MatrixXd& matrix) {
    ldlt.clear();
    const auto add = [&](BodyBlock<N>& to, uint32_t i, uint32_t j) {
        for (int c = 0; c < N; ++c)
            for (int r = 0; r < N; ++r)
                to.column[c][r] += matrix(Eigen::Index{N} * i + r, Eigen::Index{N} * j + c);
    };
    for (uint32_t i = 0; i < size; ++i) add(ldlt.diagonal(i), i, i);
    for (auto [i, j] : pattern) {
        const auto [index, is_transposed] = ldlt.block_of(i, j);
        if (is_transposed)
            add(ldlt.block(index), j, i);
        else
            add(ldlt.block(index), i, j);
    }
}

template <int N>
void expect_solves(BodyLdlt<N>& ldlt, uint32_t size, double density, Random& random) {
    const Pattern pattern = random_pattern(size, density, random);
    ldlt.begin(size);
    for (auto [i, j] : pattern) ldlt.connect(i, j);
    ASSERT_TRUE(ldlt.analyze(1u << 20));
    // A pattern serves for several matrices.
    for (int again = 0; again < 2; ++again) {
        const Eigen::MatrixXd matrix = random_matrix<N>(size, pattern, random);
        const Eigen::VectorXd right =
            Eigen::VectorXd::NullaryExpr(N * size, [&] { return random.uniform(-1, 1); });
        fill(ldlt, size, pattern, matrix);
        ldlt.factorize();
        std::vector<BodyVector<N>> x(size);
        for (uint32_t i = 0; i < size; ++i) {
            x[i] = {};
            for (int k = 0; k < N; ++k) x[i][k] = right[Eigen::Index{N} * i + k];
        }
        ldlt.solve(x);
        const Eigen::VectorXd expected = matrix.ldlt().solve(right);
        double worst = 0;
        for (uint32_t i = 0; i < size; ++i)
            for (int k = 0; k < N; ++k)
                worst = std::max(worst, std::abs(x[i][k] - expected[Eigen::Index{N} * i + k]));
        // Condition numbers are below 1e4.
        EXPECT_LE(worst, 1e-12 * expected.lpNorm<Eigen::Infinity>())
            << size << " bodies, " << pattern.size() << " pairs";
    }
}

template <int N> void expect_solves_all_sizes() {
    Random random(7 + N);
    BodyLdlt<N> ldlt;
    for (uint32_t size : {1u, 2u, 3u, 7u, 20u, 63u, 64u, 65u, 5u})
        for (double density : {0.0, 0.05, 0.3, 1.0}) expect_solves<N>(ldlt, size, density, random);
}

TEST(BodyLdlt, SolvesLikeADenseMatrixInSpace) { expect_solves_all_sizes<6>(); }
TEST(BodyLdlt, SolvesLikeADenseMatrixInAPlane) { expect_solves_all_sizes<3>(); }

// A chain and a star need no fill if leaves go first.
TEST(BodyLdlt, EliminatesTreesWithoutFill) {
    BodyLdlt<6> ldlt;
    ldlt.begin(100);
    for (uint32_t i = 1; i < 100; ++i) ldlt.connect(i - 1, i);
    ASSERT_TRUE(ldlt.analyze(99));
    EXPECT_EQ(ldlt.products(), 99u);
    ldlt.begin(100);
    for (uint32_t i = 1; i < 100; ++i) ldlt.connect(0, i);
    ASSERT_TRUE(ldlt.analyze(99));
    EXPECT_EQ(ldlt.products(), 99u);
}

// A body with k neighbours left costs k (k + 1)/2 products, so n that all touch cost (n − 1) n (n + 1)/6.
TEST(BodyLdlt, RefusesWhatCostsMoreThanItMay) {
    constexpr uint32_t n = 12;
    constexpr size_t cost = (n - 1) * n * (n + 1) / 6;
    BodyLdlt<6> ldlt;
    const auto analyze = [&](size_t most) {
        ldlt.begin(n);
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t j = 0; j < i; ++j) ldlt.connect(i, j);
        return ldlt.analyze(most);
    };
    EXPECT_FALSE(analyze(cost - 1));
    ASSERT_TRUE(analyze(cost));
    EXPECT_EQ(ldlt.products(), cost);
    EXPECT_FALSE(analyze(0));
    // And goes on with what is cheaper.
    Random random(3);
    expect_solves<6>(ldlt, 9, 0.3, random);
}

}  // namespace
}  // namespace bristle::impulse
