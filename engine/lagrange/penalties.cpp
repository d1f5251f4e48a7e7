// What the penalties of violated rows push with, and the multipliers that come of it.
#include "lagrange/equations.h"

namespace bristle::lagrange {

void Equations::subtract_penalty_forces(double factor, Vec4* x) const {
    const DotTerm* const dot_terms = system.dot_terms.data();
    const Vec4* const dot_gradient = dot_gradient_.data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        const Vec4 f = broadcast(factor * row.penalty * violation_[i]);
        for (uint32_t k = row.first, end = row.first + row.count; k < end; ++k) {
            Vec4& out = x[dot_terms[k].entity];
            out = fnma(f, dot_gradient[k], out);
        }
    }
    const ClosureTerm* const closure_terms = system.closure_terms.data();
    for (size_t i = 0; i < system.closures.size(); ++i) {
        const ClosureRow& row = system.closures[i];
        const Vec4 f = factor * row.penalty * closure_violation_[i];
        for (uint32_t k = row.first, end = row.first + row.count; k < end; ++k) {
            Vec4& out = x[closure_terms[k].entity];
            out = fma(-closure_terms[k].c, f, out);
        }
    }
    for (size_t i = 0; i < system.relations.size(); ++i) {
        const Relation& r = system.relations[i];
        if (relation[i].mode != RowMode::active) continue;
        const Vec4 f = broadcast(factor * r.penalty * violation_[system.dots.size() + i]);
        for (uint32_t k = r.first; k < r.first + r.count; ++k) {
            Vec4& out = x[system.relation_terms[k].entity];
            out = fnma(f, relation_gradient0_[k], out);
        }
    }
}

void Equations::update_multipliers(double factor, const Vec4* x, state::State& state) const {
    const DotTerm* const dot_terms = system.dot_terms.data();
    const Vec4* const dot_gradient = dot_gradient_.data();
    for (size_t i = 0; i < system.dots.size(); ++i) {
        const DotRow& row = system.dots[i];
        Vec4 change{};
        for (uint32_t k = row.first, end = row.first + row.count; k < end; ++k)
            change = fma(dot_gradient[k], x[dot_terms[k].entity], change);
        state.multiplier[i] += row.penalty * (factor * violation_[i] + sum(change));
    }
    const ClosureTerm* const closure_terms = system.closure_terms.data();
    for (size_t i = 0; i < system.closures.size(); ++i) {
        const ClosureRow& row = system.closures[i];
        Vec4 change = factor * closure_violation_[i];
        for (uint32_t k = row.first, end = row.first + row.count; k < end; ++k)
            change = fma(closure_terms[k].c, x[closure_terms[k].entity], change);
        state.closure_multiplier[i] += row.penalty * change;
    }
    for (size_t i = 0; i < system.relations.size(); ++i)
        state.multiplier[system.dots.size() + i] += multiplier_change(i, factor, x);
}

double Equations::multiplier_change(size_t i, double factor, const Vec4* x) const {
    const Relation& r = system.relations[i];
    if (relation[i].mode != RowMode::active) return 0;
    double change = factor * violation_[system.dots.size() + i];
    for (uint32_t k = r.first; k < r.first + r.count; ++k)
        change += dot(relation_gradient0_[k], x[system.relation_terms[k].entity]);
    return r.penalty * change;
}

}  // namespace bristle::lagrange
