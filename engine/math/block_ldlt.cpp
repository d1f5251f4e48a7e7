#include "math/block_ldlt.h"

#include "base/assert.h"
#include "base/lists.h"

#include <suitesparse/amd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace bristle::math {

std::vector<uint32_t> minimum_degree_order(
    uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
    Lists<int> rows(size, [&](const auto& add) {
        for (auto [i, j] : edges) {
            if (i == j) continue;
            add(i, static_cast<int>(j));
            add(j, static_cast<int>(i));
        }
    });
    std::vector<int> start{0}, index;
    for (uint32_t i = 0; i < size; ++i) {
        const auto row = rows[i];
        std::sort(row.begin(), row.end());
        index.insert(index.end(), row.begin(), std::unique(row.begin(), row.end()));
        start.push_back(static_cast<int>(index.size()));
    }
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    if (!index.empty()) {
        const int status = amd_order(static_cast<int>(size), start.data(), index.data(),
                                     order.data(), nullptr, nullptr);
        BRISTLE_DEMAND(status == AMD_OK || status == AMD_OK_BUT_JUMBLED);
    }
    return {order.begin(), order.end()};
}

BlockPattern::BlockPattern(uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& below,
                           const std::vector<uint32_t>& order)
    : size_(size), position_(order.size()) {
    for (uint32_t k = 0; k < order.size(); ++k) position_[order[k]] = k;
    list_columns(below);
    list_products();
}

void BlockPattern::list_columns(const std::vector<std::pair<uint32_t, uint32_t>>& below) {
    const Lists<uint32_t> columns(size_, [&](const auto& add) {
        for (auto [row, column] : below) {
            BRISTLE_DEMAND(row < size_ && column < size_);
            const uint32_t later = position_of(row), earlier = position_of(column);
            BRISTLE_DEMAND(later > earlier);
            add(earlier, later);
        }
    });
    // Eliminating a column makes a clique of its rows: it is enough to hand them to the first of them, its parent.
    constexpr uint32_t nobody = 0xffffffffu;
    std::vector<uint32_t> last_child(size_, nobody), child_before(size_, nobody), rows;
    column_start_.reserve(size_ + 1);
    column_start_.push_back(0);
    row_.reserve(size_ + below.size());
    for (uint32_t j = 0; j < size_; ++j) {
        rows.assign(columns[j].begin(), columns[j].end());
        for (uint32_t c = last_child[j]; c != nobody; c = child_before[c])
            rows.insert(rows.end(), row_.begin() + column_start_[c] + 2,
                        row_.begin() + column_start_[c + 1]);
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        if (!rows.empty()) child_before[j] = std::exchange(last_child[rows[0]], j);
        row_.push_back(j);
        row_.insert(row_.end(), rows.begin(), rows.end());
        column_start_.push_back(static_cast<uint32_t>(row_.size()));
        widest_ = std::max(widest_, rows.size());
    }
}

void BlockPattern::list_products() {
    size_t products = 0;
    for (uint32_t j = 0; j < size_; ++j) {
        const size_t rows = column_start_[j + 1] - column_start_[j] - 1;
        products += rows * (rows + 1) / 2;
    }
    target_.reserve(products);
    for (uint32_t j = 0; j < size_; ++j) {
        const uint32_t first = column_start_[j] + 1, end = column_start_[j + 1];
        for (uint32_t q = first; q < end; ++q)
            for (uint32_t p = q; p < end; ++p) target_.push_back(find(row_[p], row_[q]));
    }
}

uint32_t BlockPattern::index_of(uint32_t row, uint32_t column) const {
    return find(position_of(row), position_of(column));
}

uint32_t BlockPattern::find(uint32_t row, uint32_t column) const {
    const auto begin = row_.begin() + column_start_[column],
               end = row_.begin() + column_start_[column + 1];
    const auto found = std::lower_bound(begin, end, row);
    BRISTLE_DEMAND(found != end && *found == row);
    return static_cast<uint32_t>(found - row_.begin());
}

void BlockLdlt::reset(std::shared_ptr<const BlockPattern> pattern) {
    pattern_ = std::move(pattern);
    ordered_.assign(pattern_->position_.size(), Vec4{});
    blocks_.assign(pattern_->block_count(), Block3{});
    unscaled_.assign(pattern_->widest_, Block3{});
    pivots_.assign(pattern_->size_, Pivot{});
}

bool BlockLdlt::factorize() {
    bool positive = true;
    // Rounding may eat a pivot where penalties meet almost no mass; the least that is left is noise.
    eliminate([&](double d, double scale) {
        const double least = 1e-15 * scale + 1e-300;
        if (d > least) return d;
        positive = false;
        return least;
    });
    return positive;
}

uint32_t BlockLdlt::factorize_and_count_negative() {
    uint32_t negative = 0;
    eliminate([&](double d, double) {
        negative += d < 0;
        return std::abs(d) > 1e-300 ? d : 1e-300;
    });
    return negative;
}

template <class Accept> void BlockLdlt::eliminate(const Accept& accept) {
    const uint32_t *target = pattern_->target_.data(), *start = pattern_->column_start_.data();
    Block3* const blocks = blocks_.data();
    for (uint32_t j = 0; j < size(); ++j) {
        const uint32_t first = start[j] + 1, end = start[j + 1];
        const Block3& a = blocks[start[j]];
        Pivot& pivot = pivots_[j];
        const double scale =
            std::abs(a.column[0][0]) + std::abs(a.column[1][1]) + std::abs(a.column[2][2]);
        const double d0 = accept(a.column[0][0], scale);
        pivot.l10 = a.column[0][1] / d0;
        pivot.l20 = a.column[0][2] / d0;
        const double d1 = accept(a.column[1][1] - pivot.l10 * a.column[0][1], scale);
        const double w21 = a.column[1][2] - pivot.l10 * a.column[0][2];
        pivot.l21 = w21 / d1;
        const double d2 =
            accept(a.column[2][2] - pivot.l20 * a.column[0][2] - pivot.l21 * w21, scale);
        pivot.inverse_d[0] = 1 / d0;
        pivot.inverse_d[1] = 1 / d1;
        pivot.inverse_d[2] = 1 / d2;

        for (uint32_t p = first; p < end; ++p) {
            Block3& l = blocks[p];
            Block3& w = unscaled_[p - first];
            w.column[0] = l.column[0];
            w.column[1] = fnma(broadcast(pivot.l10), w.column[0], l.column[1]);
            w.column[2] = fnma(broadcast(pivot.l20), w.column[0],
                               fnma(broadcast(pivot.l21), w.column[1], l.column[2]));
            for (int k = 0; k < 3; ++k) l.column[k] = w.column[k] * pivot.inverse_d[k];
        }
        for (uint32_t q = first; q < end; ++q) {
            const Block3& w = unscaled_[q - first];
            Vec4 factor[3][3];
            for (int k = 0; k < 3; ++k)
                for (int c = 0; c < 3; ++c) factor[k][c] = broadcast(w.column[k][c]);
            for (uint32_t p = q; p < end; ++p) {
                const Block3& l = blocks[p];
                Block3& t = blocks[*target++];
                for (int c = 0; c < 3; ++c)
                    t.column[c] = fnma(l.column[0], factor[0][c],
                                       fnma(l.column[1], factor[1][c],
                                            fnma(l.column[2], factor[2][c], t.column[c])));
            }
        }
    }
}

void BlockLdlt::solve_lower(Vec4* x) const {
    const Block3* const blocks = blocks_.data();
    const uint32_t *row = pattern_->row_.data(), *start = pattern_->column_start_.data();
    for (uint32_t j = 0; j < size(); ++j) {
        const Pivot& pivot = pivots_[j];
        const double y0 = x[j][0], y1 = x[j][1] - pivot.l10 * y0,
                     y2 = x[j][2] - pivot.l20 * y0 - pivot.l21 * y1;
        x[j] = Vec4{y0, y1, y2, 0};
        if (y0 == 0 && y1 == 0 && y2 == 0) continue;  // a right-hand side of few entries
        const Vec4 b0 = broadcast(y0), b1 = broadcast(y1), b2 = broadcast(y2);
        for (uint32_t p = start[j] + 1; p < start[j + 1]; ++p) {
            const Block3& l = blocks[p];
            Vec4& t = x[row[p]];
            t = fnma(l.column[0], b0, fnma(l.column[1], b1, fnma(l.column[2], b2, t)));
        }
    }
}

Vec4* BlockLdlt::reordered(Vec4* x) const {
    const std::vector<uint32_t>& position = pattern_->position_;
    if (position.empty()) return x;
    for (uint32_t i = 0; i < size(); ++i) ordered_[position[i]] = x[i];
    return ordered_.data();
}

double BlockLdlt::inverse_form(Vec4* x) const {
    x = reordered(x);
    solve_lower(x);
    double sum = 0;
    for (uint32_t j = 0; j < size(); ++j)
        for (int k = 0; k < 3; ++k) sum += x[j][k] * x[j][k] * pivots_[j].inverse_d[k];
    return sum;
}

void BlockLdlt::solve(Vec4* out) const {
    Vec4* const x = reordered(out);
    solve_lower(x);
    const Block3* const blocks = blocks_.data();
    const uint32_t *row = pattern_->row_.data(), *start = pattern_->column_start_.data();
    for (uint32_t j = size(); j-- > 0;) {
        const Pivot& pivot = pivots_[j];
        Vec4 s0{}, s1{}, s2{};
        for (uint32_t p = start[j] + 1; p < start[j + 1]; ++p) {
            const Block3& l = blocks[p];
            const Vec4 t = x[row[p]];
            s0 = fma(l.column[0], t, s0);
            s1 = fma(l.column[1], t, s1);
            s2 = fma(l.column[2], t, s2);
        }
        const double z2 = x[j][2] * pivot.inverse_d[2] - sum(s2);
        const double z1 = x[j][1] * pivot.inverse_d[1] - sum(s1) - pivot.l21 * z2;
        const double z0 = x[j][0] * pivot.inverse_d[0] - sum(s0) - pivot.l10 * z1 - pivot.l20 * z2;
        x[j] = Vec4{z0, z1, z2, 0};
    }
    if (x == out) return;
    for (uint32_t i = 0; i < size(); ++i) out[i] = x[pattern_->position_[i]];
}

}  // namespace bristle::math
