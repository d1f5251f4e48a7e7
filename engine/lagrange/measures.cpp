#include "lagrange/measures.h"

#include "mechanics/coordinates.h"
#include "mechanics/force_laws.h"

#include <cmath>

namespace bristle::lagrange {
namespace {

struct Parts {
    Vec4 now[4], rate[4];
};

Parts combine(const System& system, const Measure& m, const Vec4* q, const Vec4* v) {
    Parts p{};
    for (int i = 0; i < 4; ++i) p.now[i] = m.constant[i];
    for (uint32_t k = m.first; k < m.first + m.count; ++k) {
        const MeasureTerm& t = system.measure_terms[k];
        for (int i = 0; i < 4; ++i) {
            p.now[i] = fma(t.c[i], q[t.entity], p.now[i]);
            p.rate[i] = fma(t.c[i], v[t.entity], p.rate[i]);
        }
    }
    return p;
}

}  // namespace

MeasureValue evaluate_measure(const System& system, const Measure& m, const Vec4* q, const Vec4* v,
                              double counted, Vec4* gradient) {
    if (m.kind == Measure::Kind::scalar) {
        const uint32_t e = system.measure_terms[m.first].entity;
        Vec4 g{};
        g[m.component] = 1;
        if (gradient != nullptr) gradient[m.first] = g;
        return {q[e][m.component], v[e][m.component], 0};
    }
    const Parts p = combine(system, m, q, v);
    const Vec4 a = p.now[0], b = p.now[1], c = p.now[2], d = p.now[3];
    const Vec4 da = p.rate[0], db = p.rate[1], dc = p.rate[2], dd = p.rate[3];
    const MeasureTerm* const terms = system.measure_terms.data();
    const uint32_t end = gradient == nullptr ? m.first : m.first + m.count;

    if (m.kind == Measure::Kind::dot) {
        for (uint32_t k = m.first; k < end; ++k)
            gradient[k] = fma(terms[k].c[0], b,
                              fma(terms[k].c[1], a, fma(terms[k].c[2], d, terms[k].c[3] * c)));
        return {dot(a, b) + dot(c, d) - m.offset, dot(da, b) + dot(a, db) + dot(dc, d) + dot(c, dd),
                2 * (dot(da, db) + dot(dc, dd))};
    }
    if (m.kind == Measure::Kind::length) {
        const double length = std::sqrt(dot(a, a));
        // Two ends that meet have no direction between them: no force, rather than a NaN.
        const Vec4 u = length > 0 ? a / length : Vec4{};
        const double rate = dot(u, da);
        for (uint32_t k = m.first; k < end; ++k) gradient[k] = terms[k].c[0] * u;
        return {length - m.offset, rate, length > 0 ? (dot(da, da) - rate * rate) / length : 0};
    }
    if (m.kind == Measure::Kind::swing) {
        // θ = atan2(|W|, x), W = A×B, x = A·B
        const Vec4 w = cross(a, b), dw = cross(da, b) + cross(a, db);
        const double x = dot(a, b), s = std::sqrt(dot(w, w)), r2 = x * x + s * s;
        // Where the axes meet there is no direction to part in: no effort, rather than a NaN.
        const Vec4 n = s > 1e-9 * std::sqrt(r2) ? w / s : Vec4{};
        const double dx = dot(da, b) + dot(a, db), ds = dot(n, dw);
        const double dds = s > 0 ? 2 * dot(n, cross(da, db)) + (dot(dw, dw) - ds * ds) / s : 0;
        const double along = dot(n, n) > 0 ? s / r2 : 0, rate = x / r2 * ds - along * dx;
        for (uint32_t k = m.first; k < end; ++k) {
            const double* c = terms[k].c;
            gradient[k] = (x / r2) * (c[0] * cross(b, n) + c[1] * cross(n, a))
                        - along * (c[0] * b + c[1] * a);
        }
        return {std::atan2(s, x) - m.offset, rate,
                dot(n, n) > 0
                    ? x / r2 * dds - along * 2 * dot(da, db) - 2 * rate * (x * dx + s * ds) / r2
                    : 0};
    }
    // θ = atan2(s, x), s = C·(A×B), x = A·B
    const double x = dot(a, b), s = dot(c, cross(a, b)), r2 = x * x + s * s;
    const double dx = dot(da, b) + dot(a, db);
    const double ds = dot(dc, cross(a, b)) + dot(c, cross(da, b)) + dot(c, cross(a, db));
    const double ddx = 2 * dot(da, db);
    const double dds = 2 * (dot(dc, cross(da, b)) + dot(dc, cross(a, db)) + dot(c, cross(da, db)));
    const double rate = (x * ds - s * dx) / r2;
    const Vec4 ab = cross(a, b), bc = cross(b, c), ca = cross(c, a);
    for (uint32_t k = m.first; k < end; ++k) {
        const double* w = terms[k].c;
        const Vec4 gx = w[0] * b + w[1] * a;
        const Vec4 gs = w[0] * bc + w[1] * ca + w[2] * ab;
        gradient[k] = (x / r2) * gs - (s / r2) * gx;
    }
    double angle = std::atan2(s, x) - m.offset;
    angle = mechanics::counted(angle, counted);
    return {angle, rate, (x * dds - s * ddx) / r2 - 2 * rate * (x * dx + s * ds) / r2};
}

MeasureValue evaluate_measure(const System& system, uint32_t index, const state::State& state,
                              Vec4* gradient) {
    const Measure& m = system.measures[index];
    return evaluate_measure(system, m, state.position.data(), state.velocity.data(),
                            m.memory == none ? 0 : state.memory[m.memory], gradient);
}

ForceValue evaluate_force(const System& system, const MeasureForce& f, const MeasureValue& m,
                          double time, const state::State& state) {
    switch (f.kind) {
        case MeasureForce::Kind::spring: {
            const mechanics::Resistance r =
                mechanics::resistance(f, m.value - f.rest, m.rate, system.size);
            return {-r.effort, r.stiffness, r.damping};
        }
        case MeasureForce::Kind::motor: {
            const double effort = f.effort ? f.effort(time) : state.memory[f.memory];
            const double droop = mechanics::droop(effort, f.no_load_speed);
            return {effort - droop * m.rate, 0, droop};
        }
    }
    return {};
}

}  // namespace bristle::lagrange
