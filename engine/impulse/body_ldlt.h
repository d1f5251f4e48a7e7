// LDLᵀ of a sparse symmetric positive definite matrix of N×N blocks, N = 6 for bodies in space and 3 in a plane.
//
// The pattern changes whenever a contact comes or goes, so finding an order of elimination is part of the work
// and must not allocate: islands that are solved directly are small, and a bit for every pair of bodies is the
// quickest way to keep their neighbours while minimum degree eliminates them.
//
//   begin(n); connect(i, j)…; analyze(most_products)    the pattern; false if it would cost too much
//   diagonal(i), below(i, j)                            blocks to add to, after clear()
//   factorize(); solve(x)                               in place
#pragma once

#include "math/simd.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace bristle::impulse {

template <int N> struct BodyVector {
    static constexpr int parts = (N + 3) / 4;
    Vec4 part[parts];

    double& operator[](int i) { return reinterpret_cast<double*>(part)[i]; }
    double operator[](int i) const { return reinterpret_cast<const double*>(part)[i]; }
    BodyVector& add(double s, const BodyVector& x) {
        const Vec4 f = broadcast(s);
        for (int p = 0; p < parts; ++p) part[p] = fma(f, x.part[p], part[p]);
        return *this;
    }
};
template <int N> double dot(const BodyVector<N>& a, const BodyVector<N>& b) {
    Vec4 s = a.part[0] * b.part[0];
    for (int p = 1; p < BodyVector<N>::parts; ++p) s = fma(a.part[p], b.part[p], s);
    return sum(s);
}
template <int N> struct BodyBlock { BodyVector<N> column[N]; };

template <int N> class BodyLdlt {
  public:
    void begin(uint32_t size) {
        size_ = size;
        words_ = (size + 63) / 64;
        neighbors_.assign(size_t{size} * words_, 0);
    }
    void connect(uint32_t i, uint32_t j) {
        set(i, j);
        set(j, i);
    }
    bool analyze(size_t most_products);

    size_t products() const { return target_.size(); }
    void clear() { std::fill(blocks_.begin(), blocks_.end(), BodyBlock<N>{}); }
    BodyBlock<N>& diagonal(uint32_t i) { return blocks_[column_start_[place_[i]]]; }
    // The block of two bodies, and whether it is stored as (i, j) or transposed, as (j, i).
    std::pair<uint32_t, bool> block_of(uint32_t i, uint32_t j) const {
        const uint32_t pi = place_[i], pj = place_[j];
        return pi > pj ? std::pair(index_of(pi, pj), false) : std::pair(index_of(pj, pi), true);
    }
    BodyBlock<N>& block(uint32_t index) { return blocks_[index]; }

    void factorize();
    void solve(std::vector<BodyVector<N>>& x);  // by bodies, in place

  private:
    void set(uint32_t i, uint32_t j) {
        neighbors_[size_t{i} * words_ + j / 64] |= uint64_t{1} << (j % 64);
    }
    uint32_t index_of(uint32_t row, uint32_t column) const {
        const auto begin = row_.begin() + column_start_[column] + 1,
                   end = row_.begin() + column_start_[column + 1];
        return static_cast<uint32_t>(std::lower_bound(begin, end, row) - row_.begin());
    }

    uint32_t size_ = 0, words_ = 0;
    std::vector<uint64_t> neighbors_;
    std::vector<uint32_t> degree_, order_, place_;
    std::vector<uint32_t> column_start_, row_, target_;
    std::vector<BodyBlock<N>> blocks_;
    std::vector<BodyBlock<N>> unscaled_;
    struct Pivot {
        double lower[N][N];
        double inverse[N];
    };
    std::vector<Pivot> pivots_;
    std::vector<BodyVector<N>> ordered_;
};

template <int N> bool BodyLdlt<N>::analyze(size_t most_products) {
    order_.clear();
    column_start_.assign(1, 0);
    row_.clear();
    place_.assign(size_, 0);
    degree_.resize(size_);
    for (uint32_t i = 0; i < size_; ++i) {
        degree_[i] = 0;
        for (uint32_t w = 0; w < words_; ++w)
            degree_[i] += static_cast<uint32_t>(std::popcount(neighbors_[size_t{i} * words_ + w]));
    }
    constexpr uint32_t done = 0xffffffffu;
    size_t products = 0;
    for (uint32_t k = 0; k < size_; ++k) {
        const auto next = static_cast<uint32_t>(std::min_element(degree_.begin(), degree_.end())
                                                - degree_.begin());
        products += size_t{degree_[next]} * (degree_[next] + 1) / 2;
        if (products > most_products) return false;
        order_.push_back(next);
        place_[next] = k;
        degree_[next] = done;
        row_.push_back(next);  // bodies for now; places when all are known
        const uint64_t* const own = &neighbors_[size_t{next} * words_];
        for (uint32_t w = 0; w < words_; ++w)
            for (uint64_t bits = own[w]; bits != 0; bits &= bits - 1) {
                const uint32_t other = 64 * w + static_cast<uint32_t>(std::countr_zero(bits));
                row_.push_back(other);
                uint64_t* const its = &neighbors_[size_t{other} * words_];
                uint32_t count = 0;
                for (uint32_t u = 0; u < words_; ++u) {
                    its[u] |= own[u];
                    if (u == next / 64) its[u] &= ~(uint64_t{1} << (next % 64));
                    if (u == other / 64) its[u] &= ~(uint64_t{1} << (other % 64));
                    count += static_cast<uint32_t>(std::popcount(its[u]));
                }
                degree_[other] = count;
            }
        column_start_.push_back(static_cast<uint32_t>(row_.size()));
    }
    size_t widest = 0;
    for (uint32_t k = 0; k < size_; ++k) {
        const auto begin = row_.begin() + column_start_[k],
                   end = row_.begin() + column_start_[k + 1];
        for (auto r = begin; r != end; ++r) *r = place_[*r];
        std::sort(begin + 1, end);
        widest = std::max<size_t>(widest, column_start_[k + 1] - column_start_[k]);
    }
    target_.clear();
    for (uint32_t k = 0; k < size_; ++k)
        for (uint32_t q = column_start_[k] + 1; q < column_start_[k + 1]; ++q) {
            target_.push_back(column_start_[row_[q]]);
            for (uint32_t p = q + 1; p < column_start_[k + 1]; ++p)
                target_.push_back(index_of(row_[p], row_[q]));
        }
    blocks_.resize(row_.size());
    if (unscaled_.size() < widest) unscaled_.resize(widest);
    pivots_.resize(size_);
    ordered_.resize(size_);
    return true;
}

template <int N> void BodyLdlt<N>::factorize() {
    const uint32_t* target = target_.data();
    for (uint32_t j = 0; j < size_; ++j) {
        const uint32_t first = column_start_[j] + 1, end = column_start_[j + 1];
        BodyBlock<N>& a = blocks_[column_start_[j]];
        Pivot& pivot = pivots_[j];
        for (int k = 0; k < N; ++k) {
            pivot.inverse[k] = 1 / a.column[k][k];
            for (int c = k + 1; c < N; ++c) {
                const double l = a.column[k][c] * pivot.inverse[k];
                pivot.lower[c][k] = l;
                a.column[c].add(-l, a.column[k]);
            }
        }
        for (uint32_t p = first; p < end; ++p) {
            BodyBlock<N>& l = blocks_[p];
            BodyBlock<N>& w = unscaled_[p - first];
            for (int k = 0; k < N; ++k) {
                w.column[k] = l.column[k];
                for (int m = 0; m < k; ++m) w.column[k].add(-pivot.lower[k][m], w.column[m]);
            }
            for (int k = 0; k < N; ++k) {
                const Vec4 f = broadcast(pivot.inverse[k]);
                for (int u = 0; u < BodyVector<N>::parts; ++u)
                    l.column[k].part[u] = w.column[k].part[u] * f;
            }
        }
        for (uint32_t q = first; q < end; ++q) {
            const BodyBlock<N>& w = unscaled_[q - first];
            for (uint32_t p = q; p < end; ++p) {
                const BodyBlock<N>& l = blocks_[p];
                BodyBlock<N>& t = blocks_[*target++];
                for (int c = 0; c < N; ++c) {
                    BodyVector<N> sum = t.column[c];
                    for (int k = 0; k < N; ++k) sum.add(-w.column[k][c], l.column[k]);
                    t.column[c] = sum;
                }
            }
        }
    }
}

template <int N> void BodyLdlt<N>::solve(std::vector<BodyVector<N>>& x) {
    for (uint32_t k = 0; k < size_; ++k) ordered_[k] = x[order_[k]];
    for (uint32_t j = 0; j < size_; ++j) {
        BodyVector<N>& y = ordered_[j];
        const Pivot& pivot = pivots_[j];
        for (int k = 1; k < N; ++k)
            for (int m = 0; m < k; ++m) y[k] -= pivot.lower[k][m] * y[m];
        for (uint32_t p = column_start_[j] + 1; p < column_start_[j + 1]; ++p)
            for (int k = 0; k < N; ++k) ordered_[row_[p]].add(-y[k], blocks_[p].column[k]);
    }
    for (uint32_t j = size_; j-- > 0;) {
        BodyVector<N>& y = ordered_[j];
        const Pivot& pivot = pivots_[j];
        for (int k = 0; k < N; ++k) y[k] *= pivot.inverse[k];
        for (uint32_t p = column_start_[j] + 1; p < column_start_[j + 1]; ++p)
            for (int k = 0; k < N; ++k) y[k] -= dot(blocks_[p].column[k], ordered_[row_[p]]);
        for (int k = N - 1; k >= 0; --k)
            for (int m = k + 1; m < N; ++m) y[k] -= pivot.lower[m][k] * y[m];
    }
    for (uint32_t k = 0; k < size_; ++k) x[order_[k]] = ordered_[k];
}

}  // namespace bristle::impulse
