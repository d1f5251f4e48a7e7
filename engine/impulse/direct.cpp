#include "impulse/direct.h"

#include "impulse/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {
namespace {

constexpr uint32_t outside = 0xffffffffu;

}  // namespace

template <> BodyVector<6> DirectSolver<6>::to_vector(Vec3 linear, Vec3 angular) const {
    return {Vec4{linear.x, linear.y, linear.z, angular.x}, Vec4{angular.y, angular.z, 0, 0}};
}
template <> BodyVector<3> DirectSolver<3>::to_vector(Vec3 linear, Vec3 angular) const {
    return {Vec4{dot(axis_[0], linear), dot(axis_[1], linear), dot(axis_[2], angular), 0}};
}

// ---- The pattern ---------------------------------------------------------------------------------------

template <int N> bool DirectSolver<N>::prepare(const StepView& step, const IslandView& island) {
    if (island.groups.size() > most_bodies) return false;
    const auto size = static_cast<uint32_t>(island.groups.size());
    for (uint32_t i = 0; i < size; ++i) step.local[island.groups[i]] = i;
    pairs_.clear();
    const auto add_pair = [&](uint32_t a, uint32_t b) {
        pairs_.push_back(uint64_t{std::max(a, b)} << 32 | std::min(a, b));
    };
    for (uint32_t r : island.rows) {
        const Row& row = step.mechanism.rows[r];
        for (uint32_t i = row.first; i < row.first + row.count; ++i)
            for (uint32_t j = row.first; j < i; ++j)
                add_pair(step.local[step.mechanism.entries[i].group],
                         step.local[step.mechanism.entries[j].group]);
    }
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        if (m.a != 0 && m.b != 0) add_pair(step.local[m.a], step.local[m.b]);
    }
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    pairs_.push_back(size);  // the pattern tells the size too
    if (pairs_ == pattern_) return is_worth_it_;
    std::swap(pairs_, pattern_);
    matrix_.begin(size);
    for (size_t k = 0; k + 1 < pattern_.size(); ++k)
        matrix_.connect(static_cast<uint32_t>(pattern_[k] >> 32),
                        static_cast<uint32_t>(pattern_[k]));
    is_worth_it_ = matrix_.analyze(products_per_body * size + 64);
    return is_worth_it_;
}

// ---- Newton's method -----------------------------------------------------------------------------------

template <int N> void DirectSolver<N>::limit_friction() {
    for (Friction& f : frictions_) f.bound = f.coefficient * rows_[f.normal].impulse;
}

// Impulses and the balance of momentum at v; friction within the bounds of the last iteration. To begin with, rows that
// were not at a bound in the last step are taken to be free of it.
template <int N>
void DirectSolver<N>::evaluate(const std::vector<Vector>& v, std::vector<Vector>& gradient,
                               Bounds bounds) {
    for (DirectRow& row : rows_) {
        row.rate = 0;
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            row.rate += dot(entries_[k].j, v[entries_[k].body]);
        row.impulse = row.offset - row.gain * row.rate;
        if (bounds == Bounds::hold || !row.was_free)
            row.impulse = std::clamp(row.impulse, row.low, row.high);
    }
    for (Friction& f : frictions_) {
        double square = 0;
        for (int k = 0; k < f.count; ++k) {
            f.pull[k] = rows_[f.row[k]].impulse;
            square += f.pull[k] * f.pull[k];
        }
        f.slides = square > f.bound * f.bound && (bounds == Bounds::hold || f.slid);
        if (!f.slides) continue;
        const double scale = f.bound / std::sqrt(square);
        for (int k = 0; k < f.count; ++k) rows_[f.row[k]].impulse *= scale;
    }
    for (uint32_t i = 0; i < v.size(); ++i) {
        Vector off = v[i];
        off.add(-1, free_[i]);
        Vector g{};
        for (int k = 0; k < N; ++k) g.add(off[k], mass_[i].column[k]);
        gradient[i] = g;
    }
    for (const DirectRow& row : rows_) {
        if (row.impulse == 0) continue;
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            gradient[entries_[k].body].add(-row.impulse, entries_[k].j);
    }
}

template <int N>
void DirectSolver<N>::add_product(const Entry& a, const Entry& b, double weight, uint32_t block,
                                  bool transposed) {
    // The row of the block is a's body, or b's if it is transposed.
    const Entry& of_row = transposed ? b : a;
    const Entry& of_column = transposed ? a : b;
    BodyBlock<N>& t = matrix_.block(block);
    for (int k = 0; k < N; ++k) t.column[k].add(weight * of_column.j[k], of_row.j);
}

template <int N>
void DirectSolver<N>::add_row(const DirectRow& row, double weight, uint32_t pairing) {
    const uint32_t end = row.first + row.count;
    for (uint32_t i = row.first; i < end; ++i) {
        const Entry& e = entries_[i];
        BodyBlock<N>& d = matrix_.diagonal(e.body);
        for (int k = 0; k < N; ++k) d.column[k].add(weight * e.j[k], e.j);
        for (uint32_t j = row.first; j < i; ++j, ++pairing)
            add_product(e, entries_[j], weight, pairings_[pairing].block,
                        pairings_[pairing].is_transposed);
    }
}

template <int N> void DirectSolver<N>::assemble(Bounds bounds) {
    matrix_.clear();
    for (uint32_t i = 0; i < mass_.size(); ++i) matrix_.diagonal(i) = mass_[i];
    size_t friction = 0;
    for (uint32_t r = 0; r < rows_.size(); ++r) {
        if (friction < frictions_.size() && r == frictions_[friction].row[0]) {
            const Friction& f = frictions_[friction++];
            const double gain = rows_[r].gain;
            if (!f.slides && (f.bound > 0 || bounds == Bounds::as_before)) {
                add_row(rows_[r], gain, pairing_of_row_[r]);
                if (f.count > 1) add_row(rows_[r + 1], rows_[r + 1].gain, pairing_of_row_[r]);
            } else if (f.count > 1 && f.bound > 0) {
                // A sliding point resists only turning aside.
                const double length = std::hypot(f.pull[0], f.pull[1]);
                const double aside[2] = {-f.pull[1] / length, f.pull[0] / length};
                const auto first = static_cast<uint32_t>(entries_.size());
                DirectRow row = rows_[r];
                for (uint32_t k = 0; k < row.count; ++k) {
                    Entry e{entries_[row.first + k].body, {}};
                    e.j.add(aside[0], entries_[row.first + k].j);
                    e.j.add(aside[1], entries_[rows_[r + 1].first + k].j);
                    entries_.push_back(e);
                }
                row.first = first;
                add_row(row, gain * f.bound / length, pairing_of_row_[r]);
                entries_.resize(first);
            }
            r += static_cast<uint32_t>(f.count) - 1;
            continue;
        }
        const DirectRow& row = rows_[r];
        const bool is_free = row.impulse > row.low && row.impulse < row.high;
        if (row.gain > 0 && (is_free || (bounds == Bounds::as_before && row.was_free)))
            add_row(row, row.gain, pairing_of_row_[r]);
    }
}

// m/s: what the impulses leave unbalanced, of the body where it is most.
template <int N>
double DirectSolver<N>::unbalanced(const StepView& step, const IslandView& island,
                                   const std::vector<Vector>& gradient) const {
    double worst = 0;
    for (uint32_t i = 0; i < gradient.size(); ++i) {
        const Vector& g = gradient[i];
        const uint32_t group = island.groups[i];
        const double m = step.groups[group].inverse_mass;
        double square = 0;
        if constexpr (N == 6) {
            const Vec3 angular{g[3], g[4], g[5]};
            square = m * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
                   + dot(angular, step.inverse_inertia[group] * angular);
        } else {
            square = m * (g[0] * g[0] + g[1] * g[1]) + g[2] * g[2] / mass_[i].column[2][2];
        }
        worst = std::max(worst, square * m);
    }
    return std::sqrt(worst);
}

// m/s that matter in the step: of what moves as it was, of what forces change, and of the velocities that are looked for. What turns
// counts by its energy, as in what is unbalanced: a wheel on its axle has no other speed.
template <int N>
double DirectSolver<N>::speed_of(const StepView& step, const IslandView& island) const {
    double speed = island.rows.empty() ? slowest : 0;
    const auto pace = [&](uint32_t g, Vec3 velocity, Vec3 spin) {
        return std::sqrt(dot(velocity, velocity)
                         + step.groups[g].inverse_mass * dot(spin, step.inertia[g] * spin));
    };
    for (uint32_t g : island.groups) {
        const GroupMotion& m = step.motion[g];
        speed = std::max(
            {speed, pace(g, m.velocity, m.angular_velocity),
             pace(g, step.free_velocity[g] - m.velocity, step.free_spin[g] - m.angular_velocity)});
    }
    return speed;
}

template <int N>
double DirectSolver<N>::pace_of_solution(const StepView& step, const IslandView& island) const {
    double square = 0;
    for (uint32_t i = 0; i < v_.size(); ++i) {
        Vector momentum{};
        for (int k = 0; k < N; ++k) momentum.add(v_[i][k], mass_[i].column[k]);
        square =
            std::max(square, step.groups[island.groups[i]].inverse_mass * dot(momentum, v_[i]));
    }
    return std::sqrt(square);
}

template <int N> void DirectSolver<N>::set_plane(const Vec3& normal) {
    axis_[2] = normal;
    axis_[0] = any_perpendicular(normal);
    axis_[1] = cross(axis_[2], axis_[0]);
}

template <int N>
int DirectSolver<N>::solve(const StepView& step, const IslandView& island, int most_iterations,
                           const Vec3& plane_normal) {
    set_plane(plane_normal);
    gather(step, island);
    const double speed = speed_of(step, island);
    const Iterations done = iterate(step, island, speed, most_iterations, Bounds::as_before);
    if (!done.is_acceptable) return failed;
    store(step, island);
    store_ways(step, island);
    return done.count;
}

template <int N>
int DirectSolver<N>::calm(const StepView& step, const IslandView& island, int most_iterations) {
    bool any = false;
    for (const Friction& f : frictions_) {
        DirectRow& row = rows_[f.normal];
        any |= row.impulse > 0 && row.offset > row.calm_offset;
        row.offset = row.calm_offset;
    }
    if (!any) return 0;
    const double speed = speed_of(step, island);
    const Iterations done = iterate(step, island, speed, most_iterations, Bounds::hold);
    if (!done.is_acceptable) return failed;
    store(step, island);
    return done.count;
}

template <int N>
typename DirectSolver<N>::Iterations DirectSolver<N>::iterate(const StepView& step,
                                                              const IslandView& island,
                                                              double speed, int most_iterations,
                                                              Bounds start_bounds) {
    const auto find_direction = [&](Bounds bounds) {
        assemble(bounds);
        matrix_.factorize();
        for (uint32_t i = 0; i < v_.size(); ++i) {
            direction_[i] = {};
            direction_[i].add(-1, gradient_[i]);
        }
        matrix_.solve(direction_);
    };
    // Friction starts from the last step's normal impulses, and the rows from what they were in it: mostly that is
    // how they are again, and one step of Newton's method is enough. Small forces on what is fast are within the tolerance, and would
    // never be felt: that one step is taken unless there is nothing to do.
    int iterations = 0;
    double left = 0;
    evaluate(v_, gradient_, start_bounds);
    if (start_bounds == Bounds::as_before
        && unbalanced(step, island, gradient_) > nothing_to_do * balance * speed) {
        ++iterations;
        find_direction(Bounds::as_before);
        for (uint32_t i = 0; i < v_.size(); ++i) {
            trial_[i] = v_[i];
            trial_[i].add(1, direction_[i]);
        }
        evaluate(v_, gradient_, Bounds::hold);
        left = unbalanced(step, island, gradient_);
        evaluate(trial_, gradient_, Bounds::hold);
        if (unbalanced(step, island, gradient_) < left)
            std::swap(v_, trial_);
        else
            evaluate(v_, gradient_, Bounds::hold);
    }
    double matters = speed;
    for (;;) {
        if (iterations <= renewing_iterations) limit_friction();
        evaluate(v_, gradient_, Bounds::hold);
        left = unbalanced(step, island, gradient_);
        matters = std::max(speed, pace_of_solution(step, island));
        if (left <= balance * matters || iterations >= most_iterations) break;
        ++iterations;
        find_direction(Bounds::hold);
        const double share = search();
        for (uint32_t i = 0; i < v_.size(); ++i) v_[i].add(share, direction_[i]);
        evaluate(v_, gradient_, Bounds::hold);
    }
    return {iterations, left <= acceptable * matters};
}

// The slope of the function along the direction, from where it was evaluated last.
template <int N>
double DirectSolver<N>::slope_at(double share, double linear, double quadratic) const {
    double slope = linear + share * quadratic;
    const auto pull_of = [&](const DirectRow& row) {
        return row.offset - row.gain * (row.rate + share * row.rate_change);
    };
    size_t friction = 0;
    for (uint32_t r = 0; r < rows_.size(); ++r) {
        if (friction < frictions_.size() && r == frictions_[friction].row[0]) {
            const Friction& f = frictions_[friction++];
            double square = 0, along = 0;
            for (int k = 0; k < f.count; ++k) {
                const double pull = pull_of(rows_[f.row[k]]);
                square += pull * pull;
                along += pull * rows_[f.row[k]].rate_change;
            }
            slope -= square > f.bound * f.bound ? f.bound / std::sqrt(square) * along : along;
            r += static_cast<uint32_t>(f.count) - 1;
            continue;
        }
        const DirectRow& row = rows_[r];
        slope -= std::clamp(pull_of(row), row.low, row.high) * row.rate_change;
    }
    return slope;
}

// Where that slope, which grows from below zero, is nearly zero; no further than the whole direction. A drive of limited effort holds
// its rate in so narrow a range that it has to be looked for.
template <int N> double DirectSolver<N>::search() {
    double linear = 0, quadratic = 0;
    for (uint32_t i = 0; i < v_.size(); ++i) {
        Vector off = v_[i], momentum{};
        off.add(-1, free_[i]);
        for (int k = 0; k < N; ++k) momentum.add(direction_[i][k], mass_[i].column[k]);
        linear += dot(off, momentum);
        quadratic += dot(direction_[i], momentum);
    }
    for (DirectRow& row : rows_) {
        row.rate_change = 0;
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            row.rate_change += dot(entries_[k].j, direction_[entries_[k].body]);
    }
    double low = 0, low_slope = slope_at(0, linear, quadratic);
    double high = 1, high_slope = slope_at(1, linear, quadratic);
    const double enough = -flat_enough * low_slope;
    if (high_slope <= enough) return 1;
    double share = 1;
    for (int i = 0; i < most_search; ++i) {
        // The secant where it makes progress, the middle where it does not.
        const double secant = low - low_slope * (high - low) / (high_slope - low_slope),
                     inset = 0.1 * (high - low);
        share = i % 3 == 2 ? 0.5 * (low + high) : std::clamp(secant, low + inset, high - inset);
        const double slope = slope_at(share, linear, quadratic);
        if (std::abs(slope) <= enough) break;
        (slope < 0 ? low : high) = share;
        (slope < 0 ? low_slope : high_slope) = slope;
    }
    return share;
}

template <int N>
void DirectSolver<N>::store_velocities(const StepView& step, const IslandView& island) {
    for (uint32_t i = 0; i < v_.size(); ++i) {
        const uint32_t g = island.groups[i];
        const Vector& v = v_[i];
        if constexpr (N == 6) {
            step.velocity[g] = {v[0], v[1], v[2]};
            step.spin[g] = {v[3], v[4], v[5]};
        } else {
            step.velocity[g] = v[0] * axis_[0] + v[1] * axis_[1];
            step.spin[g] = v[2] * axis_[2];
        }
    }
}

template <int N> void DirectSolver<N>::store(const StepView& step, const IslandView& island) {
    store_velocities(step, island);
    size_t row = 0;
    for (uint32_t r : island.rows) {
        Row& to = step.mechanism.rows[r];
        to.impulse = to.total = rows_[row++].impulse;
    }
    size_t friction = 0;
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        for (uint32_t i = m.first; i < m.first + m.count; ++i) {
            ManifoldPoint& p = step.contacts.points[i];
            const Friction& f = frictions_[friction++];
            p.impulse = rows_[row].impulse;
            p.slides = f.slides || !(f.bound > 0);
            p.friction = {};
            Vec3 strain;
            for (uint32_t t = 0; t < (N == 6 ? 2 : 1); ++t) {
                const DirectRow& along = rows_[row + 1 + t];
                p.friction += along.impulse * m.tangent[t];
                // A sliding point keeps the strain that its force stands for.
                strain +=
                    (p.slides ? -along.impulse * step.step / (along.gain * strain_taken_back)
                              : dot(m.tangent[t], p.strain) + step.step * (along.rate + p.bend[t]))
                    * m.tangent[t];
            }
            p.part = step.step;
            p.pressed = p.impulse;
            p.total = p.impulse * m.normal + p.friction;
            p.strain = p.impulse > 0 ? strain : Vec3{};
            row += N == 6 ? 3 : 2;
        }
    }
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        if (!m.resists()) continue;
        for (uint32_t i = m.first; i < m.first + m.count; ++i) {
            Vec3& torque = step.contacts.points[i].torque;
            torque = {};
            if (N == 6 && m.rolling_resistance > 0)
                for (const Vec3& e : m.tangent) torque += rows_[row++].impulse * e;
            if (N == 6 && m.spinning_resistance > 0) torque += rows_[row++].impulse * m.normal;
            if (N == 3 && m.rolling_resistance > 0) torque += rows_[row++].impulse * axis_[2];
        }
    }
}

template <int N> void DirectSolver<N>::store_ways(const StepView& step, const IslandView& island) {
    for (uint32_t g : island.groups) {
        step.way[g] = step.step * step.velocity[g];
        step.turn[g] = step.step * step.spin[g];
    }
}

template class DirectSolver<6>;
template class DirectSolver<3>;

}  // namespace bristle::impulse
