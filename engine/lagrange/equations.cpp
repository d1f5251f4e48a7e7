#include "lagrange/equations.h"

#include "lagrange/kinematics.h"
#include "lagrange/measures.h"

#include <algorithm>
#include <cmath>

namespace bristle::lagrange {
namespace {

Vec4 magnitude(Vec4 a) { return (Vec4)_mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)a); }

class EntityForces final : public ForceSink {
  public:
    EntityForces(const System& system, const Vec4* q, Vec4* out)
        : system_(system), q_(q), out_(out) {}
    void add_force(BodyId id, Vec3 force, Vec3 at) override {
        apply_force(system_, q_, id, force, at, out_);
    }
    void add_torque(BodyId id, Vec3 torque) override {
        apply_torque(system_, q_, id, torque, out_);
    }

  private:
    const System& system_;
    const Vec4* q_;
    Vec4* out_;
};

}  // namespace

IntegratorWeights integrator_weights(const AugmentedLagrangian& s, double h) {
    double beta = s.newmark_beta, gamma = s.newmark_gamma, delta_m = 0, delta_f = 0;
    if (s.integrator == Integrator::hht) {  // LUA (2.44), (2.45)
        delta_f = s.hht_delta;
        gamma = 0.5 + delta_f;
        beta = 0.25 * (1 + delta_f) * (1 + delta_f);
    } else if (s.integrator == Integrator::generalized_alpha) {  // LUA 2.3.2, after (2.47)
        delta_m = (2 * s.rho_infinity - 1) / (s.rho_infinity + 1);
        delta_f = s.rho_infinity / (s.rho_infinity + 1);
        gamma = 0.5 - delta_m + delta_f;
        beta = 0.25 * (1 + delta_f - delta_m) * (1 + delta_f - delta_m);
    }
    return {h, beta * h * h, gamma * h, 1 - delta_m, 1 - delta_f};
}

state::State resting_state(const System& s) {
    state::State state;
    state.position = s.start;
    state.velocity.assign(s.entity_count, Vec4{});
    state.acceleration.assign(s.entity_count, Vec4{});
    state.force.assign(s.entity_count, Vec4{});
    state.multiplier.assign(s.row_count(), 0);
    state.closure_multiplier.assign(s.closures.size(), Vec4{});
    state.memory.assign(s.memory_size, 0);
    // What never moves steps, too.
    state.motion.assign(std::max(s.assembly_count, 1u), 0);
    state.surplus = state.restless = state.motion;
    state.astray.assign(s.assembly_count, 0);
    for (const Measure& m : s.measures)
        if (m.memory != none) state.memory[m.memory] = m.start;
    StatefulForces::start_memory(s, state);
    return state;
}

Equations::Equations(const System& s, std::shared_ptr<Detection> detection)
    : system(s), contacts(s, std::move(detection)), stateful(s), blocks_(s.blocks) {
    base_.assign(blocks_.pattern->block_count(), Block3{});
    mass_base_ = base_;
    make_base(s.blocks, 1, 1, mass_base_);
    relation.assign(s.relations.size(), {RowMode::active, 0, 0, 0, 0});
    measure.assign(s.measures.size(), {});
    residual.assign(s.entity_count, Vec4{});
    load.assign(s.entity_count, Vec4{});
    a_.assign(s.dots.size(), Vec4{});
    b_.assign(s.dots.size(), Vec4{});
    violation_.assign(s.row_count(), 0);
    closure_violation_.assign(s.closures.size(), Vec4{});
    dot_gradient_.assign(s.dot_terms.size(), Vec4{});
    measure_gradient_.assign(s.measure_terms.size(), Vec4{});
    scratch_gradient_ = measure_gradient_;
    relation_gradient_.assign(s.relation_terms.size(), Vec4{});
    relation_gradient0_.assign(s.relation_terms.size(), Vec4{});
    force_a_ = a_;
    force_b_ = b_;
    force_gradient_ = relation_gradient_;
    begin_terms_ = residual;
    a_begin_ = a_;
    b_begin_ = b_;
    spring_resistance_.assign(s.forces.size(), 0);
    tension_.assign(s.dots.size(), 0);

    if (!s.user_forces.empty()) {
        user_force_.assign(s.entity_count, Vec4{});
        user_force_moved_ = moved_position_ = moved_velocity_ = user_force_;
        user_rounding_.assign(s.entity_count, 0);
        size_t most = 0;
        for (const auto& u : s.user_forces) most = std::max(most, u.entities.size());
        user_tangent_.assign(9 * most * most, 0);
    }
    for (const DotRow& row : s.dots) {
        double ma = 0, mb = 0;
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const DotTerm& t = s.dot_terms[k];
            ma += t.a * t.a / s.diagonal_mass[t.entity];
            mb += t.b * t.b / s.diagonal_mass[t.entity];
        }
        geometric_balance_.push_back(ma > 0 && mb > 0 ? std::sqrt(std::sqrt(mb / ma)) : 1);
    }
}

void Equations::renew_blocks() {
    blocks_ = map_blocks(system, contacts.blocks_below());
    contacts.find_blocks(*blocks_.pattern);
    base_.assign(blocks_.pattern->block_count(), Block3{});
    base_inertia_ = base_force_ = -1;
}

// ---- Rows --------------------------------------------------------------------------------------

void Equations::evaluate_rows(const state::State& state) {
    const Vec4* const q = state.position.data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        Vec4 a = row.a0, b = row.b0;
        for (const DotTerm *t = &system.dot_terms[row.first], *end = t + row.count; t != end; ++t) {
            const Vec4 e = q[t->entity];
            a = fma(t->a, e, a);
            b = fma(t->b, e, b);
        }
        a_[i] = a;
        b_[i] = b;
        violation_[i] = row.scale * (dot(a, b) - row.target);
    }
    for (size_t i = 0; i < system.closures.size(); ++i) {
        const ClosureRow& row = system.closures[i];
        Vec4 sum = row.constant;
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            sum = fma(system.closure_terms[k].c, q[system.closure_terms[k].entity], sum);
        closure_violation_[i] = sum;
    }
    for (uint32_t i = 0; i < system.measures.size(); ++i)
        measure[i] = evaluate_measure(system, i, state, measure_gradient_.data());
    for (size_t i = 0; i < system.relations.size(); ++i) {
        const Relation& r = system.relations[i];
        for (uint32_t k = r.first; k < r.first + r.count; ++k) {
            const RelationTerm& t = system.relation_terms[k];
            Vec4 g{};
            for (int m = 0; m < 2; ++m)
                if (t.term[m] != none) g = fma(r.ratio[m], measure_gradient_[t.term[m]], g);
            relation_gradient_[k] = g;
        }
        double y = r.ratio[0] * measure[r.measure[0]].value;
        if (r.measure[1] != none) y += r.ratio[1] * measure[r.measure[1]].value;
        violation_[system.dots.size() + i] =
            relation[i].mode == RowMode::active ? y - relation[i].target : 0;
    }
    if (!is_midpoint_) return;
    const auto middle = [](const std::vector<Vec4>& from, const std::vector<Vec4>& to,
                           std::vector<Vec4>& out) {
        for (size_t i = 0; i < to.size(); ++i) out[i] = 0.5 * (from[i] + to[i]);
    };
    middle(a_begin_, a_, force_a_);
    middle(b_begin_, b_, force_b_);
    middle(relation_gradient_begin_, relation_gradient_, force_gradient_);
}

void Equations::start_rows(const state::State& begin) {
    is_midpoint_ = false;
    evaluate_rows(begin);
    a_begin_ = a_;
    b_begin_ = b_;
    relation_gradient_begin_ = relation_gradient_;
}

void Equations::start_inertia(const state::State& begin) {
    start_rows(begin);
    std::fill(begin_terms_.begin(), begin_terms_.end(), Vec4{});
    is_midpoint_ = true;
}

void Equations::start_midpoint(const state::State& begin) {
    start_rows(begin);
    momentum_of(begin.acceleration, begin_terms_);
    const double now = time;
    const bool was_stepping = stateful.is_stepping();
    time = begin.time;
    stateful.pause(true);
    subtract_smooth_forces(begin, 1, begin_terms_.data(), load.data());
    stateful.pause(!was_stepping);
    time = now;
    is_midpoint_ = true;
}

void Equations::evaluate_velocity_rows(const state::State& state) {
    const Vec4* const v = state.velocity.data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        Vec4 da{}, db{};
        for (const DotTerm *t = &system.dot_terms[row.first], *end = t + row.count; t != end; ++t) {
            da = fma(t->a, v[t->entity], da);
            db = fma(t->b, v[t->entity], db);
        }
        violation_[i] = row.scale * sum(fma(da, b_[i], db * a_[i]));
    }
    for (size_t i = 0; i < system.closures.size(); ++i) {
        const ClosureRow& row = system.closures[i];
        Vec4 sum{};
        for (uint32_t k = row.first; k < row.first + row.count; ++k)
            sum = fma(system.closure_terms[k].c, v[system.closure_terms[k].entity], sum);
        closure_violation_[i] = sum;
    }
    for (size_t i = 0; i < system.relations.size(); ++i) {
        const Relation& r = system.relations[i];
        double rate = 0;
        for (uint32_t k = r.first; k < r.first + r.count; ++k)
            rate += dot(relation_gradient_[k], v[system.relation_terms[k].entity]);
        violation_[system.dots.size() + i] =
            relation[i].mode == RowMode::active ? rate - relation[i].rate : 0;
    }
}

Equations::Violations Equations::evaluate_acceleration_rows(const state::State& state) {
    double worst_rate = 0, worst = 0;
    const Vec4 *const v = state.velocity.data(), *const w = state.acceleration.data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        Vec4 da{}, db{}, dda{}, ddb{};
        for (const DotTerm *t = &system.dot_terms[row.first], *end = t + row.count; t != end; ++t) {
            da = fma(t->a, v[t->entity], da);
            db = fma(t->b, v[t->entity], db);
            dda = fma(t->a, w[t->entity], dda);
            ddb = fma(t->b, w[t->entity], ddb);
        }
        violation_[i] = row.scale * sum(fma(dda, b_[i], fma(ddb, a_[i], 2.0 * (da * db))));
        worst = std::max(worst, row.unit * std::abs(violation_[i]));
        worst_rate =
            std::max(worst_rate, row.unit * std::abs(row.scale * sum(fma(da, b_[i], db * a_[i]))));
    }
    for (size_t i = 0; i < system.closures.size(); ++i) {
        const ClosureRow& row = system.closures[i];
        Vec4 sum{}, rate{};
        for (uint32_t k = row.first; k < row.first + row.count; ++k) {
            const ClosureTerm& t = system.closure_terms[k];
            sum = fma(t.c, w[t.entity], sum);
            rate = fma(t.c, v[t.entity], rate);
        }
        closure_violation_[i] = sum;
        worst = std::max(worst, row.unit * std::sqrt(dot(sum, sum)));
        worst_rate = std::max(worst_rate, row.unit * std::sqrt(dot(rate, rate)));
    }
    for (uint32_t i = 0; i < system.measures.size(); ++i)
        measure[i] = evaluate_measure(system, i, state, measure_gradient_.data());
    for (size_t i = 0; i < system.relations.size(); ++i) {
        const Relation& r = system.relations[i];
        double rate = 0, acceleration = 0;
        for (int m = 0; m < 2; ++m) {
            if (r.measure[m] == none) continue;
            rate += r.ratio[m] * measure[r.measure[m]].rate;
            acceleration += r.ratio[m] * measure[r.measure[m]].curvature;
        }
        for (uint32_t k = r.first; k < r.first + r.count; ++k)
            acceleration += dot(relation_gradient_[k], w[system.relation_terms[k].entity]);
        double& violation = violation_[system.dots.size() + i];
        violation = 0;
        if (relation[i].mode != RowMode::active) continue;
        violation = acceleration - relation[i].acceleration;
        worst = std::max(worst, r.unit * std::abs(violation));
        worst_rate = std::max(worst_rate, r.unit * std::abs(rate - relation[i].rate));
    }
    return {worst_rate, worst};
}

double Equations::largest_violation() const {
    double worst = 0;
    for (size_t i = 0; i < system.dots.size(); ++i)
        worst = std::max(worst, system.dots[i].unit * std::abs(violation_[i]));
    for (size_t i = 0; i < system.relations.size(); ++i)
        worst = std::max(worst,
                         system.relations[i].unit * std::abs(violation_[system.dots.size() + i]));
    for (size_t i = 0; i < system.closures.size(); ++i)
        worst = std::max(worst, system.closures[i].unit
                                    * std::sqrt(dot(closure_violation_[i], closure_violation_[i])));
    return worst;
}

double Equations::largest_speed(const state::State& state) const {
    double fastest = 0;
    for (uint32_t e = 0; e < system.entity_count; ++e)
        fastest = std::max(fastest, dot(state.velocity[e], state.velocity[e])
                                        / (system.scale[e] * system.scale[e]));
    return std::sqrt(fastest);
}

// ---- Residual ------------------------------------------------------------------------------------

void Equations::add_constraint_forces(const state::State& state, double factor,
                                      double penalty_factor, Vec4* out, Vec4* load) const {
    const DotTerm* const dot_terms = system.dot_terms.data();
    const Vec4* const a = is_midpoint_ ? force_a_.data() : a_.data();
    const Vec4* const b = is_midpoint_ ? force_b_.data() : b_.data();
    const Vec4* const gradient = is_midpoint_ ? force_gradient_.data() : relation_gradient_.data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        const double multiplier =
            state.multiplier[i] + penalty_factor * row.penalty * violation_[i];
        const double l = factor * multiplier * row.scale;
        const Vec4 la = l * a[i], lb = l * b[i];
        for (const DotTerm *t = dot_terms + row.first, *end = t + row.count; t != end; ++t) {
            const Vec4 f = fma(t->a, lb, t->b * la);
            out[t->entity] += f;
            load[t->entity] += magnitude(f);
        }
    }
    const ClosureTerm* const closure_terms = system.closure_terms.data();
    for (size_t i = 0; i < system.closures.size(); ++i) {
        const ClosureRow& row = system.closures[i];
        const Vec4 l =
            factor
            * (state.closure_multiplier[i] + penalty_factor * row.penalty * closure_violation_[i]);
        for (const ClosureTerm *t = closure_terms + row.first, *end = t + row.count; t != end;
             ++t) {
            const Vec4 f = t->c * l;
            out[t->entity] += f;
            load[t->entity] += magnitude(f);
        }
    }
    for (size_t i = 0; i < system.relations.size(); ++i) {
        const Relation& r = system.relations[i];
        if (relation[i].mode == RowMode::inactive) continue;
        const size_t row = system.dots.size() + i;
        const double l = relation[i].mode == RowMode::active
                           ? state.multiplier[row] + penalty_factor * r.penalty * violation_[row]
                           : -relation[i].effort;
        for (uint32_t k = r.first; k < r.first + r.count; ++k) {
            const Vec4 f = factor * l * gradient[k];
            out[system.relation_terms[k].entity] += f;
            load[system.relation_terms[k].entity] += magnitude(f);
        }
    }
}

void Equations::subtract_applied_forces(const state::State& state, double factor, Vec4* out,
                                        Vec4* load) {
    subtract_smooth_forces(state, factor, out, load);
    contacts.subtract_forces(factor, out, load);
}

void Equations::subtract_smooth_forces(const state::State& state, double factor, Vec4* out,
                                       Vec4* load) {
    for (uint32_t e = 0; e < system.entity_count; ++e) {
        const Vec4 f = factor * system.weight[e];
        out[e] -= f;
        load[e] += magnitude(f);
    }
    for (const MeasureForce& force : system.forces) {
        const Measure& m = system.measures[force.measure];
        const ForceValue value = evaluate_force(system, force, measure[force.measure], time, state);
        const MeasureValue& y = measure[force.measure];
        const double effort = factor * value.effort;
        // A stiff spring rounds as the lengths it is the difference of, however small its force.
        const double size =
            std::abs(effort)
            + factor
                  * (std::abs(value.stiffness) * (std::abs(y.value) + std::abs(force.rest))
                     + std::abs(value.damping * y.rate));
        for (uint32_t k = m.first; k < m.first + m.count; ++k) {
            out[system.measure_terms[k].entity] -= effort * measure_gradient_[k];
            load[system.measure_terms[k].entity] += size * magnitude(measure_gradient_[k]);
        }
    }
    stateful.subtract(state, stateful_rows(), time, factor, out, load);
    if (system.user_forces.empty()) return;
    for (const UserForceElement& u : system.user_forces) {
        evaluate_user_force(u, state.position.data(), state.velocity.data(), user_force_);
        for (uint32_t e = 0; e < system.entity_count; ++e) {
            out[e] -= factor * user_force_[e];
            load[e] += magnitude(factor * user_force_[e]) + broadcast(user_rounding_[e]);
        }
    }
}

void Equations::evaluate_user_force(const UserForceElement& u, const Vec4* q, const Vec4* v,
                                    std::vector<Vec4>& out) const {
    std::fill(out.begin(), out.end(), Vec4{});
    EntityForces sink(system, q, out.data());
    system.model().user_forces()[u.index].apply(EntityKinematics(system, q, v, time, last_contacts),
                                                sink);
}

void Equations::evaluate_residual(const state::State& state, const IntegratorWeights& w,
                                  const std::vector<Vec4>& before,
                                  const std::vector<Vec4>& force_before, double penalty_factor) {
    Vec4* const r = residual.data();
    Vec4* const l = load.data();
    const Vec4* const a = state.acceleration.data();
    for (uint32_t e = 0; e < system.entity_count; ++e) r[e] = l[e] = Vec4{};
    const bool weighted = w.inertia != 1;
    const auto inertia = [&](uint32_t e) {
        return weighted ? w.inertia * a[e] + (1 - w.inertia) * before[e] : a[e];
    };
    for (const MassTerm& m : system.mass) {
        const Vec4 f = m.mass * inertia(m.j);
        r[m.i] += f;
        l[m.i] += magnitude(f);
        if (m.i == m.j) continue;
        const Vec4 g = m.mass * inertia(m.i);
        r[m.j] += g;
        l[m.j] += magnitude(g);
    }
    for (const ScalarInertia& s : system.scalar_inertia) {
        const double f = s.inertia * inertia(s.entity)[s.component];
        r[s.entity][s.component] += f;
        l[s.entity][s.component] += std::abs(f);
    }
    add_constraint_forces(state, w.force, penalty_factor, r, l);
    if (!w.is_inertial) subtract_applied_forces(state, w.applied(), r, l);
    if (w.is_midpoint)
        for (uint32_t e = 0; e < system.entity_count; ++e) r[e] += begin_terms_[e];
    else if (w.force != 1)
        for (uint32_t e = 0; e < system.entity_count; ++e)
            r[e] = fma(1 - w.force, force_before[e], r[e]);
}

void Equations::evaluate_forces(const state::State& state, std::vector<Vec4>& force) {
    std::fill(force.begin(), force.end(), Vec4{});
    add_constraint_forces(state, 1, 0, force.data(), load.data());
    subtract_applied_forces(state, 1, force.data(), load.data());
}

void Equations::evaluate_smooth_forces(const state::State& state, double at,
                                       std::vector<Vec4>& force) {
    for (uint32_t i = 0; i < system.measures.size(); ++i)
        measure[i] = evaluate_measure(system, i, state, measure_gradient_.data());
    std::fill(force.begin(), force.end(), Vec4{});
    std::swap(time, at);
    subtract_smooth_forces(state, -1, force.data(), load.data());
    std::swap(time, at);
}

void Equations::momentum_of(const std::vector<Vec4>& v, std::vector<Vec4>& momentum) const {
    std::fill(momentum.begin(), momentum.end(), Vec4{});
    for (const MassTerm& m : system.mass) {
        momentum[m.i] += m.mass * v[m.j];
        if (m.i != m.j) momentum[m.j] += m.mass * v[m.i];
    }
    for (const ScalarInertia& s : system.scalar_inertia)
        momentum[s.entity][s.component] += s.inertia * v[s.entity][s.component];
}

MeasureValue Equations::measure_at(const state::State& state, uint32_t index) {
    return evaluate_measure(system, index, state, scratch_gradient_.data());
}

}  // namespace bristle::lagrange
