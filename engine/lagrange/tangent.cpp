// The tangent matrix T = w M + f (γh C + βh² (K + λΦqq) + Σ p g gᵀ).
#include "lagrange/equations.h"
#include "lagrange/measures.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

void add_diagonal(Block3& block, double s) {
    block.column[0] += Vec4{s, 0, 0, 0};
    block.column[1] += Vec4{0, s, 0, 0};
    block.column[2] += Vec4{0, 0, s, 0};
}

}  // namespace

void Equations::add_rank_one(const uint32_t* blocks, const Vec4* g, uint32_t count, double weight,
                             Block3* out) const {
    for (uint32_t k = 0; k < count; ++k) {
        const Vec4 wk = weight * g[k];
        for (uint32_t l = 0; l <= k; ++l) {
            Block3& b = out[*blocks++];
            for (int c = 0; c < 3; ++c) b.column[c] = fma(g[l][c], wk, b.column[c]);
        }
    }
}

void Equations::store_base(double inertia_weight, double force_weight) {
    if (inertia_weight == base_inertia_ && force_weight == base_force_) return;
    base_inertia_ = inertia_weight;
    base_force_ = force_weight;
    make_base(blocks_, inertia_weight, force_weight, base_);
}

void Equations::make_base(const BlockMap& map, double inertia_weight, double force_weight,
                          std::vector<Block3>& out) const {
    std::fill(out.begin(), out.end(), Block3{});
    for (size_t i = 0; i < system.mass.size(); ++i)
        add_diagonal(out[map.mass[i]], inertia_weight * system.mass[i].mass);
    for (const ScalarInertia& s : system.scalar_inertia)
        out[map.pattern->index_of(s.entity, s.entity)].column[s.component][s.component] +=
            inertia_weight * s.inertia;
    for (const ClosureRow& row : system.closures) {
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            for (uint32_t l = row.first; l <= k; ++l) {
                const ClosureTerm &tk = system.closure_terms[k], &tl = system.closure_terms[l];
                add_diagonal(out[map.pattern->index_of(tk.entity, tl.entity)],
                             force_weight * row.penalty * tk.c * tl.c);
            }
        }
    }
}

void Equations::assemble_rows(const BlockMap& map, BlockLdlt& matrix, double force_weight) {
    Block3* const out = matrix.blocks().data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        const Vec4 a = row.scale * (is_midpoint_ ? force_a_ : a_)[i],
                   b = row.scale * (is_midpoint_ ? force_b_ : b_)[i];
        Vec4* const g = &dot_gradient_[row.first];
        for (uint32_t k = 0; k < row.count; ++k) {
            const DotTerm& t = system.dot_terms[row.first + k];
            g[k] = fma(t.a, b, t.b * a);
        }
        add_rank_one(&map.rows[row.first_block], g, row.count, force_weight * row.penalty, out);
    }
    for (size_t i = 0; i < system.relations.size(); ++i) {
        const Relation& r = system.relations[i];
        std::copy_n(&relation_gradient_[r.first], r.count, &relation_gradient0_[r.first]);
        if (relation[i].mode == RowMode::active)
            add_rank_one(&map.rows[r.first_block], &relation_gradient0_[r.first], r.count,
                         force_weight * r.penalty, out);
    }
}

// λΦqq = λ·scale·(a bᵀ + b aᵀ) times the unit matrix. Its positive semidefinite part is ½|λ|·scale·c cᵀ with
// c = τa ± b/τ, the sign that of λ; τ balances points against vectors.
void Equations::add_geometric_stiffness(const state::State& state, double factor, Block3* out,
                                        bool exact) {
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        const double lambda = state.multiplier[i];
        const double weight = lambda * row.scale * factor;
        tension_[i] = 0;
        // Against the effective mass; less than this does not change the convergence.
        if (std::abs(weight) * system.settings.penalty < 1e-5 * row.penalty) continue;
        tension_[i] = weight;
        const double sign = lambda > 0 ? 1 : -1;
        const uint32_t* block = &blocks_.rows[row.first_block];
        for (uint32_t k = 0; k < row.count; ++k) {
            const DotTerm& tk = system.dot_terms[row.first + k];
            for (uint32_t l = 0; l <= k; ++l) {
                const DotTerm& tl = system.dot_terms[row.first + l];
                const double both =
                    exact ? tk.a * tl.b + tk.b * tl.a
                          : 0.5 * sign * geometric_part(i, tk, sign) * geometric_part(i, tl, sign);
                add_diagonal(out[*block++], weight * both);
            }
        }
    }
}

double Equations::geometric_part(size_t row, const DotTerm& t, double sign) const {
    return geometric_balance_[row] * t.a + sign * t.b / geometric_balance_[row];
}

// factor · ∇²y. Of an angle it is left out: there it changes the convergence, not the result. A taut
// spring resists turning (T/l, positive semidefinite); a pressed one does the opposite.
void Equations::add_curvature(uint32_t index, double factor, Block3* out, bool exact) const {
    const Measure& m = system.measures[index];
    const uint32_t* block = &blocks_.rows[m.first_block];
    const MeasureTerm* const terms = &system.measure_terms[m.first];
    if (factor == 0) return;
    if (m.kind == Measure::Kind::dot && exact) {
        for (uint32_t k = 0; k < m.count; ++k)
            for (uint32_t l = 0; l <= k; ++l) {
                const double *a = terms[k].c, *b = terms[l].c;
                add_diagonal(out[*block++],
                             factor * (a[0] * b[1] + a[1] * b[0] + a[2] * b[3] + a[3] * b[2]));
            }
    } else if (m.kind == Measure::Kind::length && (exact || factor > 0)) {
        const double length = measure[index].value + m.offset;
        if (!(length > 0)) return;
        add_rank_one(block, &measure_gradient_[m.first], m.count, -factor / length, out);
        for (uint32_t k = 0; k < m.count; ++k)
            for (uint32_t l = 0; l <= k; ++l)
                add_diagonal(out[*block++], factor / length * terms[k].c[0] * terms[l].c[0]);
    }
}

void Equations::assemble(const state::State& state, const IntegratorWeights& w, BlockLdlt& matrix,
                         Tangent tangent) {
    store_base(w.inertia, w.force);
    std::copy(base_.begin(), base_.end(), matrix.blocks().begin());
    Block3* const out = matrix.blocks().data();
    assemble_rows(blocks_, matrix, w.force);

    const bool exact = tangent == Tangent::exact;
    add_geometric_stiffness(state, w.force * w.beta_h2, out, exact);
    const auto positive = [&](double x) { return exact ? x : std::max(x, 0.0); };
    for (const MeasureForce& force : system.forces) {
        if (w.is_inertial) break;
        const Measure& m = system.measures[force.measure];
        const ForceValue f = evaluate_force(system, force, measure[force.measure], time, state);
        const double along =
            w.applied() * (w.gamma_h * positive(f.damping) + w.beta_h2 * positive(f.stiffness));
        add_rank_one(&blocks_.rows[m.first_block], &measure_gradient_[m.first], m.count, along,
                     out);
        add_curvature(force.measure, -w.applied() * w.beta_h2 * f.effort, out, exact);
    }
    for (size_t i = 0; i < system.relations.size(); ++i) {
        if (!exact || relation[i].mode == RowMode::inactive) continue;
        const double multiplier = relation[i].mode == RowMode::active
                                    ? state.multiplier[system.dots.size() + i]
                                    : -relation[i].effort;
        for (int k = 0; k < 2; ++k)
            if (system.relations[i].measure[k] != none)
                add_curvature(system.relations[i].measure[k],
                              w.force * w.beta_h2 * multiplier * system.relations[i].ratio[k], out,
                              true);
    }
    std::fill(user_rounding_.begin(), user_rounding_.end(), 0.0);
    if (w.is_inertial) return;
    contacts.add_tangent(w.applied(), exact, out);
    if (stateful.is_stepping()) {
        stateful.add_tangent(state, stateful_rows(), time, w, exact, blocks_.rows, out);
        stateful.for_each_effort([&](uint32_t index, double effort) {
            add_curvature(index, -w.applied() * w.beta_h2 * effort, out, exact);
        });
    }
    if (exact && !system.user_forces.empty()) add_user_tangents(state, w, matrix);
}

void Equations::assemble_mass(BlockLdlt& matrix) {
    std::copy(mass_base_.begin(), mass_base_.end(), matrix.blocks().begin());
    assemble_rows(system.blocks, matrix, 1);
}

void Equations::assemble_mass_for_contacts(BlockLdlt& matrix) {
    store_base(1, 1);
    std::copy(base_.begin(), base_.end(), matrix.blocks().begin());
    assemble_rows(blocks_, matrix, 1);
}

void Equations::assemble_impulses(const state::State& begin, const state::State& state, double h,
                                  BlockLdlt& matrix) {
    assemble_mass_for_contacts(matrix);
    add_geometric_stiffness(begin, h * h, matrix.blocks().data(), false);
    for (size_t i = 0; i < system.forces.size(); ++i) {
        const MeasureForce& force = system.forces[i];
        const Measure& m = system.measures[force.measure];
        const ForceValue f = evaluate_force(system, force, measure[force.measure], time, state);
        spring_resistance_[i] = h * (h * std::max(f.stiffness, 0.0) + std::max(f.damping, 0.0));
        add_rank_one(&blocks_.rows[m.first_block], &measure_gradient_[m.first], m.count,
                     spring_resistance_[i], matrix.blocks().data());
    }
    stateful.assemble_resistance(h, blocks_.rows, matrix.blocks().data());
}

void Equations::add_tension(const Vec4* x, Vec4* out) const {
    for (size_t i = 0; i < system.dots.size(); ++i) {
        if (tension_[i] == 0) continue;
        const DotRow& row = system.dots[i];
        const DotTerm* const terms = &system.dot_terms[row.first];
        const double sign = tension_[i] > 0 ? 1 : -1;
        Vec4 turned{};
        for (uint32_t k = 0; k < row.count; ++k)
            turned = fma(geometric_part(i, terms[k], sign), x[terms[k].entity], turned);
        turned = (0.5 * std::abs(tension_[i])) * turned;
        for (uint32_t k = 0; k < row.count; ++k)
            out[terms[k].entity] =
                fma(geometric_part(i, terms[k], sign), turned, out[terms[k].entity]);
    }
}

void Equations::multiply_impulses(const Vec4* x, Vec4* out) const {
    std::fill_n(out, system.entity_count, Vec4{});
    for (const MassTerm& m : system.mass) {
        out[m.i] = fma(m.mass, x[m.j], out[m.i]);
        if (m.i != m.j) out[m.j] = fma(m.mass, x[m.i], out[m.j]);
    }
    for (const ScalarInertia& s : system.scalar_inertia)
        out[s.entity][s.component] += s.inertia * x[s.entity][s.component];
    for (const DotRow& row : system.dots) {
        const DotTerm* const terms = &system.dot_terms[row.first];
        const Vec4* const g = &dot_gradient_[row.first];
        Vec4 along{};
        for (uint32_t k = 0; k < row.count; ++k) along = fma(g[k], x[terms[k].entity], along);
        const Vec4 push = broadcast(row.penalty * sum(along));
        for (uint32_t k = 0; k < row.count; ++k)
            out[terms[k].entity] = fma(push, g[k], out[terms[k].entity]);
    }
    add_tension(x, out);
    for (const ClosureRow& row : system.closures) {
        const ClosureTerm* const terms = &system.closure_terms[row.first];
        Vec4 along{};
        for (uint32_t k = 0; k < row.count; ++k) along = fma(terms[k].c, x[terms[k].entity], along);
        along = row.penalty * along;
        for (uint32_t k = 0; k < row.count; ++k)
            out[terms[k].entity] = fma(terms[k].c, along, out[terms[k].entity]);
    }
    for (size_t i = 0; i < system.relations.size(); ++i)
        if (relation[i].mode == RowMode::active)
            add_relation_impulse(i, system.relations[i].penalty * relation_rate(i, x), out);
    for (size_t i = 0; i < system.forces.size(); ++i) {
        if (spring_resistance_[i] == 0) continue;
        const Measure& m = system.measures[system.forces[i].measure];
        double along = 0;
        for (uint32_t k = m.first; k < m.first + m.count; ++k)
            along += dot(measure_gradient_[k], x[system.measure_terms[k].entity]);
        for (uint32_t k = m.first; k < m.first + m.count; ++k)
            out[system.measure_terms[k].entity] +=
                spring_resistance_[i] * along * measure_gradient_[k];
    }
    stateful.add_resistance(x, out);
}

double Equations::relation_rate(size_t i, const Vec4* x) const {
    const Relation& r = system.relations[i];
    double rate = 0;
    for (uint32_t k = r.first; k < r.first + r.count; ++k)
        rate += dot(relation_gradient_[k], x[system.relation_terms[k].entity]);
    return rate;
}

void Equations::add_relation_impulse(size_t i, double impulse, Vec4* out) const {
    const Relation& r = system.relations[i];
    for (uint32_t k = r.first; k < r.first + r.count; ++k)
        out[system.relation_terms[k].entity] += impulse * relation_gradient_[k];
}

void Equations::add_relation_resistance(size_t i, double resistance, Block3* out) const {
    const Relation& r = system.relations[i];
    add_rank_one(&blocks_.rows[r.first_block], &relation_gradient_[r.first], r.count, resistance,
                 out);
}

// Tangents of the users' forces, by differences. The step needs γh C + βh² K only, and that is one
// derivative: of Q along a motion in which the position moves βh² and the velocity γh for every unit of
// acceleration. What is added is symmetrized.
void Equations::add_user_tangents(const state::State& state, const IntegratorWeights& w,
                                  BlockLdlt& matrix) {
    for (const UserForceElement& u : system.user_forces) {
        const size_t count = u.entities.size(), n = 3 * count;
        if (count == 0) continue;
        evaluate_user_force(u, state.position.data(), state.velocity.data(), user_force_);
        std::copy(state.position.begin(), state.position.end(), moved_position_.begin());
        std::copy(state.velocity.begin(), state.velocity.end(), moved_velocity_.begin());
        for (size_t k = 0; k < count; ++k) {
            const uint32_t e = u.entities[k];
            const double push = 1e-3 * system.scale[e] / w.gamma_h;
            for (int c = 0; c < 3; ++c) {
                moved_position_[e][c] += push * w.beta_h2;
                moved_velocity_[e][c] += push * w.gamma_h;
                evaluate_user_force(u, moved_position_.data(), moved_velocity_.data(),
                                    user_force_moved_);
                for (size_t l = 0; l < count; ++l)
                    for (int d = 0; d < 3; ++d)
                        user_tangent_[(3 * l + static_cast<size_t>(d)) * n + 3 * k
                                      + static_cast<size_t>(c)] =
                            -w.applied()
                            * (user_force_moved_[u.entities[l]][d] - user_force_[u.entities[l]][d])
                            / push;
                moved_position_[e] = state.position[e];
                moved_velocity_[e] = state.velocity[e];
            }
        }
        for (size_t k = 0; k < n; ++k) {
            double sum = 0;
            for (size_t l = 0; l < n; ++l)
                sum += std::abs(user_tangent_[k * n + l]) * system.scale[u.entities[l / 3]];
            double& rounding = user_rounding_[u.entities[k / 3]];
            rounding = std::max(rounding, sum / w.beta_h2);
        }
        const uint32_t* block = &blocks_.rows[u.first_block];
        for (size_t k = 0; k < count; ++k) {
            for (size_t l = 0; l <= k; ++l) {
                Block3& b = matrix.blocks()[*block++];
                for (size_t c = 0; c < 3; ++c)
                    for (size_t d = 0; d < 3; ++d)
                        b.column[c][d] += 0.5
                                        * (user_tangent_[(3 * k + d) * n + 3 * l + c]
                                           + user_tangent_[(3 * l + c) * n + 3 * k + d]);
            }
        }
    }
}

}  // namespace bristle::lagrange
