// What an island consists of as the direct solution has it: masses, rows of the mechanism, contacts.
#include "impulse/direct.h"
#include "impulse/numerics.h"

#include <algorithm>
#include <cmath>

namespace bristle::impulse {

template <int N>
double DirectSolver<N>::compliance(const StepView& step, const IslandView& island,
                                   const DirectRow& row) const {
    double sum = 0;
    for (uint32_t k = row.first; k < row.first + row.count; ++k) {
        const Entry& e = entries_[k];
        const uint32_t g = island.groups[e.body];
        const double m = step.groups[g].inverse_mass;
        if constexpr (N == 6) {
            const Vec3 linear{e.j[0], e.j[1], e.j[2]}, angular{e.j[3], e.j[4], e.j[5]};
            sum += m * dot(linear, linear) + dot(angular, step.inverse_inertia[g] * angular);
        } else {
            sum += m * (e.j[0] * e.j[0] + e.j[1] * e.j[1])
                 + e.j[2] * e.j[2] * dot(axis_[2], step.inverse_inertia[g] * axis_[2]);
        }
    }
    return sum;
}

template <int N> void DirectSolver<N>::gather(const StepView& step, const IslandView& island) {
    const size_t size = island.groups.size();
    for (auto* list : {&v_, &free_, &trial_, &gradient_, &direction_}) list->resize(size);
    mass_.resize(size);
    for (uint32_t i = 0; i < size; ++i) {
        const uint32_t g = island.groups[i];
        v_[i] = to_vector(step.velocity[g], step.spin[g]);
        free_[i] = to_vector(step.free_velocity[g], step.free_spin[g]);
        BodyBlock<N>& m = mass_[i];
        m = {};
        constexpr int linear = N == 6 ? 3 : 2;
        for (int k = 0; k < linear; ++k) m.column[k][k] = step.groups[g].mass;
        if constexpr (N == 6)
            for (int k = 0; k < 3; ++k)
                for (int c = 0; c < 3; ++c) m.column[3 + c][3 + k] = step.inertia[g](k, c);
        else
            m.column[2][2] = dot(axis_[2], step.inertia[g] * axis_[2]);
    }
    gather_rows(step, island);
    gather_contacts(step, island);
    add_resistances(step, island);
}

template <int N> void DirectSolver<N>::gather_rows(const StepView& step, const IslandView& island) {
    entries_.clear();
    rows_.clear();
    pairing_of_row_.clear();
    pairings_.clear();
    frictions_.clear();
    for (uint32_t r : island.rows) {
        const Row& row = step.mechanism.rows[r];
        // Not from the impulse it had: joints that hold the same thing twice would press against each other ever harder.
        rows_.push_back({static_cast<uint32_t>(entries_.size()), row.count, row.gain, row.offset,
                         row.low, row.high, 0, 0, row.impulse > row.low && row.impulse < row.high});
        pairing_of_row_.push_back(static_cast<uint32_t>(pairings_.size()));
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const RowEntry& e = step.mechanism.entries[k];
            entries_.push_back({step.local[e.group], to_vector(e.linear, e.angular)});
        }
        for (uint32_t i = rows_.back().first; i < entries_.size(); ++i)
            for (uint32_t j = rows_.back().first; j < i; ++j) {
                const auto [block, transposed] =
                    matrix_.block_of(entries_[i].body, entries_[j].body);
                pairings_.push_back({block, transposed});
            }
    }
}

template <int N>
void DirectSolver<N>::gather_contacts(const StepView& step, const IslandView& island) {
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        const auto pairing = static_cast<uint32_t>(pairings_.size());
        if (m.a != 0 && m.b != 0) {
            const auto [block, transposed] = matrix_.block_of(step.local[m.b], step.local[m.a]);
            pairings_.push_back({block, transposed});
        }
        for (uint32_t i = m.first; i < m.first + m.count; ++i)
            add_contact(step, m, step.contacts.points[i]);
        pairing_of_row_.resize(rows_.size(), pairing);
        // The gains need the compliance of rows that are complete.
        for (uint32_t i = 0; i < m.count; ++i) {
            constexpr uint32_t each = N == 6 ? 3 : 2;
            DirectRow* const row = &rows_[rows_.size() - size_t{m.count - i} * each];
            ManifoldPoint& p = step.contacts.points[m.first + i];
            bend(step, m, p);
            const double share = p.gap < 0 ? mended : 1;
            double leave = -share * p.gap / step.step;
            leave = std::min(leave, fastest_direct_mending);
            const double bounce =
                p.leaving > 0 ? std::max(0.0, p.leaving - p.pull * step.step / 2) : 0;
            if (bounce > 0) leave = std::max(leave, bounce);
            row[0].gain = contact_hardness / (share * compliance(step, island, row[0]));
            row[0].offset = row[0].gain * leave;
            row[0].calm_offset =
                row[0].gain * std::min(leave, std::max(bounce, calm_direct_mending));
            for (uint32_t t = 1; t < each; ++t) {
                row[t].gain =
                    contact_hardness / (strain_taken_back * compliance(step, island, row[t]));
                row[t].offset = -row[t].gain
                              * (strain_taken_back / step.step * dot(m.tangent[t - 1], p.strain)
                                 + p.bend[t - 1]);
            }
        }
    }
}

// An arm r that turns by h w goes R r − r, not h w × r: what lies on a turntable went straight on, outwards by h w² r/2 a second.
template <int N>
void DirectSolver<N>::bend(const StepView& step, const Manifold& m, ManifoldPoint& p) {
    const auto of = [&](uint32_t group, Vec3 arm) {
        const Vec3 w = step.motion[group].angular_velocity;
        return group == 0 || step.step * norm(w) < unseen_turn
                 ? Vec3{}
                 : 1 / step.step * (turned_by(step.step * w).matrix() * arm - arm) - cross(w, arm);
    };
    const Vec3 slip = of(m.a, p.arm_a + p.inward) - of(m.b, p.arm_b + p.inward);
    for (int t = 0; t < 2; ++t) p.bend[t] = dot(m.tangent[t], slip);
}

template <int N>
void DirectSolver<N>::add_contact(const StepView& step, const Manifold& m, const ManifoldPoint& p) {
    constexpr int tangents = N == 6 ? 2 : 1;
    const auto first_row = static_cast<uint32_t>(rows_.size());
    // What touched, or is about to, is taken to press: otherwise a stack would find its contacts one by one, from the
    // ground upwards, an iteration each.
    const bool presses =
        p.impulse > 0 || p.gap + step.step * p.approach <= 1e-6 * (norm(p.arm_a) + norm(p.arm_b));
    for (int k = 0; k <= tangents; ++k) {
        const Vec3 e = k == 0 ? m.normal : m.tangent[k - 1];
        const auto first = static_cast<uint32_t>(entries_.size());
        const Vec3 beside = k == 0 ? Vec3{} : p.inward;
        if (m.a != 0)
            entries_.push_back({step.local[m.a], to_vector(e, cross(p.arm_a + beside, e))});
        if (m.b != 0)
            entries_.push_back({step.local[m.b], to_vector(-e, -cross(p.arm_b + beside, e))});
        rows_.push_back({first, static_cast<uint32_t>(entries_.size()) - first, 0, 0,
                         k == 0 ? 0 : -unlimited, unlimited, 0, 0, k > 0 || presses});
    }
    frictions_.push_back({{first_row + 1, first_row + static_cast<uint32_t>(tangents)},
                          tangents,
                          first_row,
                          p.slides ? m.kinetic_friction : m.static_friction,
                          (p.slides ? m.kinetic_friction : m.static_friction) * p.impulse,
                          {0, 0},
                          false,
                          p.slides || !presses});
}

// About these axes, by no more than the coefficient times what presses.
template <int N>
void DirectSolver<N>::add_turning(const StepView& step, const IslandView& island, const Manifold& m,
                                  std::span<const Vec3> axes, uint32_t normal, double coefficient,
                                  double last_impulse) {
    if (!(coefficient > 0)) return;
    const auto first_row = static_cast<uint32_t>(rows_.size());
    for (const Vec3& e : axes) {
        const auto first = static_cast<uint32_t>(entries_.size());
        if (m.a != 0) entries_.push_back({step.local[m.a], to_vector({}, e)});
        if (m.b != 0) entries_.push_back({step.local[m.b], to_vector({}, -e)});
        rows_.push_back({first, static_cast<uint32_t>(entries_.size()) - first, 0, 0, -unlimited,
                         unlimited, 0, 0, true});
        rows_.back().gain = contact_hardness / compliance(step, island, rows_.back());
        pairing_of_row_.push_back(pairing_of_row_[normal]);
    }
    frictions_.push_back({{first_row, first_row + static_cast<uint32_t>(axes.size()) - 1},
                          static_cast<int>(axes.size()),
                          normal,
                          coefficient,
                          coefficient * last_impulse,
                          {0, 0},
                          false,
                          !(last_impulse > 0)});
}

template <int N>
void DirectSolver<N>::add_resistances(const StepView& step, const IslandView& island) {
    auto normal = static_cast<uint32_t>(island.rows.size());
    for (uint32_t k : island.manifolds) {
        const Manifold& m = step.contacts.manifolds[k];
        for (uint32_t i = m.first; i < m.first + m.count; ++i, normal += N == 6 ? 3 : 2) {
            if (!m.resists()) continue;
            const double last = step.contacts.points[i].impulse;
            if constexpr (N == 6) {
                add_turning(step, island, m, m.tangent, normal, m.rolling_resistance, last);
                add_turning(step, island, m, {&m.normal, 1}, normal, m.spinning_resistance, last);
            } else {
                add_turning(step, island, m, {&axis_[2], 1}, normal, m.rolling_resistance, last);
            }
        }
    }
}

template void DirectSolver<6>::gather(const StepView&, const IslandView&);
template void DirectSolver<3>::gather(const StepView&, const IslandView&);

}  // namespace bristle::impulse
