// LDLᵀ of a sparse symmetric positive definite matrix made of 3×3 blocks.
//
//     A = L D Lᵀ,   L unit lower triangular and D diagonal in the scalar sense
//
// The blocks only arrange the work: every pivot is a scalar one, because the penalty makes the 3×3
// diagonal blocks as ill-conditioned as 1e8 and the inverse of such a block would lose just the
// stiff directions that the multipliers are read from.
//
// Blocks are stored by columns, diagonal first, rows increasing; fill included. The pattern lists, for
// every product the factorization will make, where it goes; so `factorize` is a straight run over
// arrays without searching, and allocates nothing. Matrices of one pattern share it.
#pragma once

#include "base/rooms.h"
#include "math/simd.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace bristle::math {

// Order of elimination with little fill: order[k] is the node to eliminate k-th. Edges in any order.
std::vector<uint32_t> minimum_degree_order(uint32_t size,
                                           const std::vector<std::pair<uint32_t, uint32_t>>& edges);

// Which blocks there are, and where they are stored.
class BlockPattern {
  public:
    BlockPattern() = default;
    // Of blocks (row, column) with the row eliminated after the column; in any order, repeats allowed.
    // `order` is that of elimination, as minimum_degree_order tells it; none for that of the numbers.
    BlockPattern(uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& below,
                 const std::vector<uint32_t>& order = {});

    uint32_t size() const { return size_; }
    size_t block_count() const { return row_.size(); }
    size_t product_count() const { return target_.size(); }
    // Where block (row, column), the row eliminated no earlier than the column, is stored. It must be in the pattern or the
    // fill.
    uint32_t index_of(uint32_t row, uint32_t column) const;
    // When it is eliminated.
    uint32_t position_of(uint32_t row) const { return position_.empty() ? row : position_[row]; }

  private:
    friend class BlockLdlt;
    void list_columns(const std::vector<std::pair<uint32_t, uint32_t>>& below);
    void list_products();
    uint32_t find(uint32_t row, uint32_t column) const;  // by their positions

    uint32_t size_ = 0;
    size_t widest_ = 0;                   // blocks below a diagonal
    std::vector<uint32_t> position_;      // of every number; empty if it is the same
    std::vector<uint32_t> column_start_;  // size + 1; the diagonal block is the first of a column
    std::vector<uint32_t> row_;           // of every block
    std::vector<uint32_t> target_;        // of every product, in the order factorize makes them
};

class BlockLdlt {
  public:
    BlockLdlt() = default;
    explicit BlockLdlt(std::shared_ptr<const BlockPattern> pattern) { reset(std::move(pattern)); }
    // All blocks are zero then.
    void reset(std::shared_ptr<const BlockPattern>);

    const BlockPattern& pattern() const { return *pattern_; }
    uint32_t size() const { return pattern_->size(); }
    uint32_t index_of(uint32_t row, uint32_t column) const {
        return pattern_->index_of(row, column);
    }
    std::vector<Block3>& blocks() { return blocks_; }
    const std::vector<Block3>& blocks() const { return blocks_; }

    // Replaces the blocks by the factors. False if a pivot was not positive: the matrix is
    // not positive definite, and the factors are those of some other one that is.
    bool factorize();
    // The same for any symmetric matrix without pivoting; how many pivots are negative, which is how many
    // eigenvalues are (Sylvester). Small pivots cost digits: shift the matrix off its zeros first.
    uint32_t factorize_and_count_negative();
    void solve(Vec4* x) const;           // in place, size() vectors
    double inverse_form(Vec4* x) const;  // xᵀ A⁻¹ x by half a solve, which overwrites x

  private:
    Vec4* reordered(Vec4* x) const;
    void solve_lower(Vec4* x) const;
    template <class Accept>
    void eliminate(const Accept& accept);  // accept(pivot, size of its block) is the pivot to take

    struct Pivot {
        double l10, l20, l21;
        double inverse_d[3];
    };

    std::shared_ptr<const BlockPattern> pattern_ = std::make_shared<const BlockPattern>();
    mutable std::vector<Vec4> ordered_;  // room for a vector in the order of elimination
    std::vector<Block3> blocks_;
    std::vector<Block3> unscaled_;  // a column of L D, while it is used
    std::vector<Pivot> pivots_;
};

}  // namespace bristle::math
