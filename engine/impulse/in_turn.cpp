// Impacts one after the other: what strikes fastest leaves first, and strikes others with what it has then.
//
// Newton's law for all contacts at once (`together`) is what a rigid body as a whole does; of a row of balls that touch it makes the
// struck end go back and all others go on as one. With the least room between them each would meet only its neighbour, and the last one
// alone goes on: that is the limit of small gaps, and near what steel does. So from the velocity that rows alone would give, with
// K = M + Jᵀ G J of the rows, and as long as some manifold closes,
//
//   v ← v + K⁻¹ Jᵀ λ ,    n·u⁺ ≥ ε w  ⟂  λ_n ≥ 0 ,    friction against the slip, |λ_t| ≤ μ λ_n
//
// of the manifold that closes fastest; points of one manifold strike at the same moment, so that a box that falls flat does not tumble.
// Positions of the step are those of the solution without restitution: what strikes arrives at the surface. w is the speed of the moment
// when it does (manifolds.h), and velocities are those of the middle of a step, a h/2 more than where it ends.
#include "impulse/direct.h"
#include "impulse/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {

template <int N>
bool DirectSolver<N>::find_struck(const StepView& step, const IslandView& island,
                                  double resting_speed) {
    constexpr uint32_t each = N == 6 ? 3 : 2;
    struck_.clear();
    bool any = false;
    auto row = static_cast<uint32_t>(island.rows.size());
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        for (uint32_t i = m.first; i < m.first + m.count; ++i, row += each) {
            const ManifoldPoint& p = step.contacts.points[i];
            if (!(p.impulse > 0)) continue;
            any |= m.restitution > 0 && p.gap > 0 && p.approach < 0
                && p.impact_speed() > resting_speed;
            struck_.push_back({row, i, k, 0, {}, {}});
        }
    }
    return any && struck_.size() <= most_struck_in_turn;
}

template <int N> void DirectSolver<N>::find_mobility() {
    constexpr size_t each = N == 6 ? 3 : 2;
    const size_t count = each * struck_.size();
    if (columns_.size() < count) columns_.resize(count);
    mobility_.resize(count * count);
    struck_rate_.resize(count);
    const auto row_of = [&](size_t i) -> const DirectRow& {
        return rows_[struck_[i / each].row + i % each];
    };
    for (size_t i = 0; i < count; ++i) {
        std::vector<Vector>& column = columns_[i];
        column.assign(v_.size(), Vector{});
        const DirectRow& row = row_of(i);
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            column[entries_[k].body].add(1, entries_[k].j);
        matrix_.solve(column);
    }
    for (size_t i = 0; i < count; ++i) {
        const DirectRow& row = row_of(i);
        const auto along = [&](const std::vector<Vector>& v) {
            double sum = 0;
            for (uint32_t k = row.first; k < row.first + row.count; ++k)
                sum += dot(entries_[k].j, v[entries_[k].body]);
            return sum;
        };
        struck_rate_[i] = along(v_);
        for (size_t j = 0; j < count; ++j) mobility_[i * count + j] = along(columns_[j]);
    }
}

template <int N> void DirectSolver<N>::push(size_t number, double impulse) {
    const size_t count = struck_rate_.size();
    for (size_t i = 0; i < count; ++i) struck_rate_[i] += mobility_[i * count + number] * impulse;
}

// The points of one manifold, from the first.
template <int N>
void DirectSolver<N>::strike(const StepView& step, size_t first, double resting_speed) {
    constexpr size_t each = N == 6 ? 3 : 2;
    const size_t count = struck_rate_.size();
    size_t end = first;
    const Manifold& m = step.contacts.manifolds[struck_[first].manifold];
    for (; end < struck_.size() && struck_[end].manifold == struck_[first].manifold; ++end) {
        Struck& s = struck_[end];
        const ManifoldPoint& p = step.contacts.points[s.point];
        const double closing = -struck_rate_[each * end], half = p.pull * step.step / 2;
        // As it came itself, or pushed by another one that was struck before.
        const double by_itself = p.impact_speed();
        const bool is_first = s.sum[0] == 0 && std::abs(by_itself - closing) <= 2 * std::abs(half);
        const double speed = is_first ? by_itself : closing - half;
        s.aim = closing > resting_speed ? std::max(0.0, m.restitution * speed + half) : 0;
        std::fill_n(s.impulse, 3, 0.0);
    }
    for (int sweep = 0; sweep < sweeps_of_a_strike; ++sweep)
        for (size_t i = first; i < end; ++i) {
            Struck& s = struck_[i];
            const size_t n = each * i;
            const double normal =
                std::max(0.0, s.impulse[0] + (s.aim - struck_rate_[n]) / mobility_[n * count + n]);
            push(n, normal - s.impulse[0]);
            s.impulse[0] = normal;
            double next[2] = {0, 0}, square = 0;
            for (size_t t = 1; t < each; ++t) {
                const size_t a = n + t;
                next[t - 1] = s.impulse[t] - struck_rate_[a] / mobility_[a * count + a];
                square += next[t - 1] * next[t - 1];
            }
            const double bound = m.kinetic_friction * normal,
                         share = square > bound * bound ? bound / std::sqrt(square) : 1;
            for (size_t t = 1; t < each; ++t) {
                push(n + t, share * next[t - 1] - s.impulse[t]);
                s.impulse[t] = share * next[t - 1];
            }
        }
    for (size_t i = first; i < end; ++i)
        for (size_t t = 0; t < each; ++t) struck_[i].sum[t] += struck_[i].impulse[t];
}

template <int N>
void DirectSolver<N>::strike_in_turn(const StepView& step, const IslandView& island,
                                     double resting_speed, int most_iterations) {
    constexpr size_t each = N == 6 ? 3 : 2;
    if (!find_struck(step, island, resting_speed)) return;
    // Without contacts.
    frictions_.clear();
    for (size_t r = island.rows.size(); r < rows_.size(); ++r) {
        rows_[r].low = rows_[r].high = 0;
        rows_[r].was_free = false;
    }
    const double speed = speed_of(step, island);
    if (!iterate(step, island, speed, most_iterations, Bounds::hold).is_acceptable) return;
    assemble(Bounds::hold);
    matrix_.factorize();
    find_mobility();
    struck_start_ = struck_rate_;
    double fastest = 0;
    for (size_t i = 0; i < struck_.size(); ++i)
        fastest = std::max(fastest, -struck_rate_[each * i]);
    for (size_t strikes = 0; strikes < most_strikes * struck_.size(); ++strikes) {
        size_t next = struck_.size();
        double closing = slow_strike * fastest;
        for (size_t i = 0; i < struck_.size(); ++i)
            if (-struck_rate_[each * i] > closing) {
                closing = -struck_rate_[each * i];
                next = i;
            }
        if (next == struck_.size()) break;
        while (next > 0 && struck_[next - 1].manifold == struck_[next].manifold) --next;
        strike(step, next, resting_speed);
    }
    // ΔT = s λ·u₀ + s² ½ λ·(u − u₀) of the share s that is taken: no gain, where points of a manifold did not settle or friction made one.
    double by_start = 0, by_change = 0;
    for (size_t i = 0; i < struck_rate_.size(); ++i) {
        const double impulse = struck_[i / each].sum[i % each];
        by_start += impulse * struck_start_[i];
        by_change += 0.5 * impulse * (struck_rate_[i] - struck_start_[i]);
    }
    const double share =
        by_start + by_change > 0 && by_change > 0 ? std::max(0.0, -by_start / by_change) : 1;
    for (size_t i = 0; i < struck_.size(); ++i) {
        for (double& sum : struck_[i].sum) sum *= share;
        const Manifold& m = step.contacts.manifolds[struck_[i].manifold];
        ManifoldPoint& p = step.contacts.points[struck_[i].point];
        p.has_left = true;
        p.pressed = struck_[i].sum[0];
        p.total = p.pressed * m.normal;
        for (size_t t = 0; t < each; ++t) {
            if (t > 0) p.total += struck_[i].sum[t] * m.tangent[t - 1];
            for (size_t b = 0; b < v_.size(); ++b)
                v_[b].add(struck_[i].sum[t], columns_[each * i + t][b]);
        }
    }
    store_velocities(step, island);
}

template void DirectSolver<6>::strike_in_turn(const StepView&, const IslandView&, double, int);
template void DirectSolver<3>::strike_in_turn(const StepView&, const IslandView&, double, int);

}  // namespace bristle::impulse
