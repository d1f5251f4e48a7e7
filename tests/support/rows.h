// Reads the rows of Equations through what it offers the solver.
#pragma once

#include "lagrange/equations.h"
#include "tests/support/random.h"

#include <vector>

namespace bristle::testing_support {

// All rows in one list: dots, relations, then three for every closure.
using Rows = std::vector<double>;

// Multipliers over penalties.
inline Rows unweighted(const lagrange::System& s, const state::State& state) {
    Rows rows;
    for (size_t i = 0; i < s.dots.size(); ++i)
        rows.push_back(state.multiplier[i] / s.dots[i].penalty);
    for (size_t i = 0; i < s.relations.size(); ++i)
        rows.push_back(state.multiplier[s.dots.size() + i] / s.relations[i].penalty);
    for (size_t i = 0; i < s.closures.size(); ++i)
        for (int c = 0; c < 3; ++c)
            rows.push_back(state.closure_multiplier[i][c] / s.closures[i].penalty);
    return rows;
}

// What update_multipliers adds to zero multipliers is the penalty times the violation …
inline Rows violations(const lagrange::Equations& equations) {
    state::State state = resting_state(equations.system);
    equations.update_multipliers(1, state.velocity.data(), state);
    return unweighted(equations.system, state);
}

// … or times the gradients of the last assembly along x.
inline Rows assembled_gradients_along(const lagrange::Equations& equations,
                                      const std::vector<Vec4>& x) {
    state::State state = resting_state(equations.system);
    equations.update_multipliers(0, x.data(), state);
    return unweighted(equations.system, state);
}

inline std::vector<Vec4> random_motion(const lagrange::System& s, double size, Random& random) {
    std::vector<Vec4> d;
    for (uint32_t e = 0; e < s.entity_count; ++e) d.push_back(to_vec4(random.vector(size)));
    return d;
}

inline std::vector<Vec4> moved(const std::vector<Vec4>& from, double t,
                               const std::vector<Vec4>& along) {
    std::vector<Vec4> to = from;
    for (size_t e = 0; e < to.size(); ++e) to[e] += t * along[e];
    return to;
}

inline double dot(const std::vector<Vec4>& a, const std::vector<Vec4>& b) {
    double sum = 0;
    for (size_t e = 0; e < a.size(); ++e) sum += math::dot(a[e], b[e]);
    return sum;
}

// df/dt at 0, in error by ε⁴ f⁗' and 1e-16/ε: 1e-12 for smooth functions of order one.
template <class F> auto derivative(const F& f, double epsilon = 1e-3) {
    auto out = f(epsilon);
    const auto p2 = f(2 * epsilon), m1 = f(-epsilon), m2 = f(-2 * epsilon);
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = (8.0 * (out[i] - m1[i]) - (p2[i] - m2[i])) / (12 * epsilon);
    return out;
}

}  // namespace bristle::testing_support
