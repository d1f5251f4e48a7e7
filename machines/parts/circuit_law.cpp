#include "machines/parts/circuit_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristle::machines {
namespace {

// Below this drop an orifice is laminar: Pa. Its slope has no end otherwise; 0.3 bar is little of any drop that matters.
constexpr double laminar = 0.3e5;
// Of the slope of virtual pressures that is left to real ones in a void, so that no row is empty.
constexpr double void_slope = 1e-6;
// rad/s, share of displacement, Pa: what counts as much in residuals, and is small; and how small is solved.
constexpr double engine_unit = 0.1, swivel_unit = 1e-3, pressure_unit = 1e4;
constexpr double solved = 1e-4;
constexpr int most_iterations = 40, most_halvings = 8;
// Of its dead volume: what a chamber has at least, wherever a stop lets the piston go.
constexpr double least_volume = 0.1;

// Δ/√|Δ|, and through zero with a slope.
struct Root {
    double value, slope;
};
Root root(double drop) {
    const double square = drop * drop + laminar * laminar,
                 fourth = 1 / std::sqrt(std::sqrt(square));
    return {drop * fourth, fourth * (1 - 0.5 * drop * drop / square)};
}
Root check_root(double drop) { return drop > 0 ? root(drop) : Root{0, 0}; }

}  // namespace

double real_pressure(const Oil& oil, double p) {
    return p >= oil.vapour ? p : oil.vapour + void_slope * (p - oil.vapour);
}

double CircuitLaw::real_slope(double p) const { return p >= circuit_.oil.vapour ? 1 : void_slope; }

CircuitLaw::CircuitLaw(Circuit circuit)
    : circuit_(std::move(circuit)),
      functions_(circuit_.functions.size()),
      unknowns_(3 + 2 * functions_),
      displacement_(circuit_.pump.max_flow / circuit_.engine.rated_speed) {}

void CircuitLaw::start(std::span<double> memory, std::span<double> inputs) const {
    inputs[throttle] = 1;
    memory[engine_unknown] = circuit_.engine.rated_speed;
    memory[line_unknown] = circuit_.pump.margin;
    for (size_t i = 0; i < functions_; ++i) {
        memory[a_unknown(i)] = circuit_.functions[i].start_a;
        memory[b_unknown(i)] = circuit_.functions[i].start_b;
    }
}

CircuitLaw::Volumes CircuitLaw::volumes(size_t i, double coordinate) const {
    const HydraulicFunction& f = circuit_.functions[i];
    if (f.stroke == 0) return {f.dead_a, f.dead_b};
    const double out = coordinate - f.retracted;
    return {std::max(f.dead_a + f.area_a * out, least_volume * f.dead_a),
            std::max(f.dead_b + f.area_b * (f.stroke - out), least_volume * f.dead_b)};
}

double CircuitLaw::opening(size_t i, double spool) const {
    const double dead = circuit_.functions[i].valve.dead_band;
    return std::copysign(std::clamp((std::abs(spool) - dead) / (1 - dead), 0.0, 1.0), spool);
}

// ---- Equations -------------------------------------------------------------------------------------

CircuitLaw::Load CircuitLaw::highest_load(const Part& part, const Vector& y) const {
    Load highest;
    for (size_t i = 0; i < functions_; ++i) {
        if (part.opening[i] == 0) continue;
        const size_t unknown = part.opening[i] > 0 ? a_unknown(i) : b_unknown(i);
        const double pressure = real(y[unknown]);
        if (pressure > highest.pressure) highest = {pressure, unknown};
    }
    return highest;
}

// Engine and pump. Adds the flow into the line, and its derivatives.
void CircuitLaw::add_pump(const Part& part, const Vector& y, const Load& load, Vector& line_by,
                          double& line, Vector& residual, Matrix& jacobian) const {
    const Engine& e = circuit_.engine;
    const Pump& p = circuit_.pump;
    const double n = std::max(y[engine_unknown], 0.0), d = y[swivel_unknown],
                 pressure = real(y[line_unknown]), slope = real_slope(y[line_unknown]);
    line += displacement_ * d * n;
    line_by[engine_unknown] += displacement_ * d;
    line_by[swivel_unknown] += displacement_ * n;
    line -= p.leak * pressure;
    line_by[line_unknown] -= p.leak * slope;
    if (pressure > p.relief) {
        line -= p.relief_slope * (pressure - p.relief);
        line_by[line_unknown] -= p.relief_slope * slope;
    }

    // It swivels out for the margin that is missing, and as far as its torque allows.
    double asked = (load.pressure + p.margin - pressure) / p.band, by_pressure = -1 / p.band,
           by_load = 1 / p.band;
    const double torque = p.power / e.rated_speed;
    const double allowed = pressure > 0 ? torque / (displacement_ * pressure) : 1;
    if (asked > std::min(allowed, 1.0)) {
        asked = std::min(allowed, 1.0);
        by_load = 0;
        by_pressure = allowed < 1 ? -allowed / pressure : 0;
    } else if (asked < 0) {
        asked = by_load = by_pressure = 0;
    }
    const double follows = part.step / p.lag;
    residual[swivel_unknown] = d - part.before[swivel_unknown] - follows * (asked - d);
    jacobian[swivel_unknown][swivel_unknown] += 1 + follows;
    jacobian[swivel_unknown][line_unknown] -= follows * by_pressure * slope;
    if (load.unknown != 0)
        jacobian[swivel_unknown][load.unknown] -= follows * by_load * real_slope(y[load.unknown]);

    // The governor: full torque up to the speed that is asked for, none beyond its droop.
    const double most = std::min(e.peak_torque, e.power / std::max(n, 1.0)),
                 most_by = most < e.peak_torque && n > 1 ? -most / n : 0;
    const double full = 1 + (part.engine_speed - n) / (e.droop * part.engine_speed),
                 share = std::clamp(full, 0.0, 1.0),
                 share_by = full > 0 && full < 1 ? -1 / (e.droop * part.engine_speed) : 0;
    const double pumping = displacement_ * std::max(pressure, 0.0) * d, h = part.step / e.inertia,
                 drag = e.drag / e.rated_speed;
    residual[engine_unknown] = y[engine_unknown] - part.before[engine_unknown]
                             - h * (most * share - pumping - drag * y[engine_unknown]);
    jacobian[engine_unknown][engine_unknown] += 1 - h * (most_by * share + most * share_by - drag);
    jacobian[engine_unknown][swivel_unknown] += h * displacement_ * std::max(pressure, 0.0);
    jacobian[engine_unknown][line_unknown] += pressure > 0 ? h * displacement_ * d * slope : 0;
}

// Chambers of a function. Takes what it drinks off the line.
void CircuitLaw::add_function(const Part& part, size_t i, const Vector& y, const Load& load,
                              Vector& line_by, double& line, Vector& residual,
                              Matrix& jacobian) const {
    const Valve& v = circuit_.functions[i].valve;
    const double u = part.opening[i], beta = circuit_.oil.bulk_modulus,
                 per_root = std::abs(u) / std::sqrt(v.drop);
    // Filled, and emptied.
    const bool fills_a = u >= 0;
    const size_t to = fills_a ? a_unknown(i) : b_unknown(i),
                 from = fills_a ? b_unknown(i) : a_unknown(i);
    double flow_to = 0, flow_from = 0;
    Vector by_to{}, by_from{};  // of both flows, by real pressures
    const double p_to = real(y[to]), p_from = real(y[from]), p_line = real(y[line_unknown]);

    if (u != 0) {
        const double in = (fills_a ? v.inlet_a : v.inlet_b) * per_root,
                     out = (fills_a ? v.outlet_b : v.outlet_a) * per_root;
        const bool shares = circuit_.sharing == Circuit::Sharing::compensated;
        const Root inlet = check_root(p_line - (shares ? load.pressure : p_to));
        flow_to += in * inlet.value;
        line -= in * inlet.value;
        by_to[line_unknown] += in * inlet.slope;
        line_by[line_unknown] -= in * inlet.slope * real_slope(y[line_unknown]);
        const size_t against = shares ? load.unknown : to;
        if (against != 0) {
            by_to[against] -= in * inlet.slope;
            line_by[against] += in * inlet.slope * real_slope(y[against]);
        }
        const Root outlet = root(p_from);
        flow_from -= out * outlet.value;
        by_from[from] -= out * outlet.slope;
        if (fills_a && v.regeneration > 0) {
            const double through = v.regeneration * per_root;
            const Root back = check_root(p_from - p_to);
            flow_to += through * back.value;
            flow_from -= through * back.value;
            by_to[from] += through * back.slope;
            by_to[to] -= through * back.slope;
            by_from[from] -= through * back.slope;
            by_from[to] += through * back.slope;
        }
    }
    const auto port = [&](size_t unknown, double pressure, double relief, double& flow,
                          Vector& by) {
        if (pressure > relief) {
            flow -= v.relief_slope * (pressure - relief);
            by[unknown] -= v.relief_slope;
        } else if (pressure < 0) {
            flow -= v.suction * pressure;
            by[unknown] -= v.suction;
        }
    };
    port(to, p_to, fills_a ? v.relief_a : v.relief_b, flow_to, by_to);
    port(from, p_from, fills_a ? v.relief_b : v.relief_a, flow_from, by_from);

    const auto chamber = [&](size_t unknown, double before, double now, double flow,
                             const Vector& by) {
        const double softness = part.step * beta / now;
        residual[unknown] = y[unknown]
                          - beta * (before * (1 + part.before[unknown] / beta) / now - 1)
                          - softness * flow;
        jacobian[unknown][unknown] += 1;
        for (size_t k = line_unknown; k < unknowns_; ++k)
            if (by[k] != 0) jacobian[unknown][k] -= softness * by[k] * real_slope(y[k]);
    };
    const Volumes &before = part.volume_before[i], &now = part.volume[i];
    chamber(a_unknown(i), before.a, now.a, fills_a ? flow_to : flow_from,
            fills_a ? by_to : by_from);
    chamber(b_unknown(i), before.b, now.b, fills_a ? flow_from : flow_to,
            fills_a ? by_from : by_to);
}

void CircuitLaw::evaluate(const Part& part, const Vector& y, Vector& residual,
                          Matrix& jacobian) const {
    for (size_t i = 0; i < unknowns_; ++i) std::fill_n(jacobian[i].begin(), unknowns_, 0.0);
    const Load load = highest_load(part, y);
    double line = 0;
    Vector line_by{};
    add_pump(part, y, load, line_by, line, residual, jacobian);
    for (size_t i = 0; i < functions_; ++i)
        add_function(part, i, y, load, line_by, line, residual, jacobian);
    const double softness = part.step * circuit_.oil.bulk_modulus / circuit_.pump.line_volume;
    residual[line_unknown] = y[line_unknown] - part.before[line_unknown] - softness * line;
    jacobian[line_unknown][line_unknown] += 1;
    for (size_t k = 0; k < unknowns_; ++k) jacobian[line_unknown][k] -= softness * line_by[k];
}

// ---- Newton's method -------------------------------------------------------------------------------

double CircuitLaw::size_of(const Vector& residual) const {
    double size = std::max(std::abs(residual[engine_unknown]) / engine_unit,
                           std::abs(residual[swivel_unknown]) / swivel_unit);
    for (size_t i = line_unknown; i < unknowns_; ++i)
        size = std::max(size, std::abs(residual[i]) / pressure_unit);
    return size;
}

// LU with the largest pivot of every column.
void CircuitLaw::factorize(Matrix& m, std::array<size_t, most_unknowns>& order) const {
    for (size_t i = 0; i < unknowns_; ++i) order[i] = i;
    for (size_t k = 0; k < unknowns_; ++k) {
        size_t best = k;
        for (size_t i = k + 1; i < unknowns_; ++i)
            if (std::abs(m[order[i]][k]) > std::abs(m[order[best]][k])) best = i;
        std::swap(order[k], order[best]);
        const Vector& pivot = m[order[k]];
        for (size_t i = k + 1; i < unknowns_; ++i) {
            Vector& row = m[order[i]];
            if (row[k] == 0) continue;
            const double share = row[k] /= pivot[k];
            for (size_t j = k + 1; j < unknowns_; ++j) row[j] -= share * pivot[j];
        }
    }
}

void CircuitLaw::back_solve(const Matrix& m, const std::array<size_t, most_unknowns>& order,
                            Vector& x) const {
    Vector y;
    for (size_t i = 0; i < unknowns_; ++i) {
        y[i] = x[order[i]];
        for (size_t j = 0; j < i; ++j) y[i] -= m[order[i]][j] * y[j];
    }
    for (size_t i = unknowns_; i-- > 0;) {
        for (size_t j = i + 1; j < unknowns_; ++j) y[i] -= m[order[i]][j] * y[j];
        y[i] /= m[order[i]][i];
    }
    x = y;
}

// Leaves the factors of the Jacobian where it ends. A step that does not make residuals smaller is halved: where valves open and close
// the equations bend.
void CircuitLaw::solve(const Part& part, Vector& y, Matrix& jacobian,
                       std::array<size_t, most_unknowns>& order) const {
    Vector residual{}, trial_residual{};
    evaluate(part, y, residual, jacobian);
    double size = size_of(residual);
    for (int i = 0; i < most_iterations && size > solved; ++i) {
        factorize(jacobian, order);
        Vector way = residual;
        back_solve(jacobian, order, way);
        Vector trial = y;
        double share = 1, trial_size = size;
        for (int halved = 0;; ++halved, share *= 0.5) {
            for (size_t k = 0; k < unknowns_; ++k) trial[k] = y[k] - share * way[k];
            evaluate(part, trial, trial_residual, jacobian);
            trial_size = size_of(trial_residual);
            if (trial_size < (1 - 0.1 * share) * size || halved == most_halvings) break;
        }
        y = trial;
        residual = trial_residual;
        size = trial_size;
    }
    factorize(jacobian, order);
    // With the factors once more: what is left of residuals is oil that is lost.
    back_solve(jacobian, order, residual);
    for (size_t k = 0; k < unknowns_; ++k) y[k] -= residual[k];
}

// ---- The step --------------------------------------------------------------------------------------

// In parts, along a straight way of every piston. With y(x) the unknowns at the end of a part and x the ways to the end of the step,
//
//   J ∂y/∂x = −∂r/∂V ∂V/∂x − ∂r/∂V₀ ∂V₀/∂x − ∂r/∂y₀ ∂y₀/∂x
void CircuitLaw::step(const LawStep& s) const {
    const double beta = circuit_.oil.bulk_modulus;
    const Engine& e = circuit_.engine;
    Part part{};
    part.step = s.step / circuit_.parts;
    part.engine_speed =
        e.idle_speed + std::clamp(s.inputs[throttle], 0.0, 1.0) * (e.rated_speed - e.idle_speed);
    Vector y{};
    std::copy_n(s.before.begin(), unknowns_, y.begin());
    std::copy(s.before.begin(), s.before.end(), s.memory.begin());
    for (size_t i = 0; i < functions_; ++i) part.volume[i] = volumes(i, s.start[i]);
    std::array<Vector, most_functions> by{};  // ∂y/∂x, a column each
    Matrix factors;
    std::array<size_t, most_unknowns> order;
    const double mean = 1.0 / circuit_.parts;
    for (int k = 1; k <= circuit_.parts; ++k) {
        part.before = y;
        part.volume_before = part.volume;
        const double share = mean * k, share_before = mean * (k - 1);
        for (size_t i = 0; i < functions_; ++i) {
            double& spool = s.memory[spool_of(functions_, i)];
            const double lever = std::clamp(s.inputs[lever_of(i)], -1.0, 1.0);
            spool =
                lever + (spool - lever) * std::exp(-part.step / circuit_.functions[i].valve.lag);
            part.opening[i] = opening(i, spool);
            const HydraulicFunction& f = circuit_.functions[i];
            if (f.stroke == 0) {
                // What a motor takes is pushed through, and makes no room.
                const double way = mean * (s.end[i] - s.start[i]);
                part.volume_before[i] = {f.dead_a - f.area_a * way, f.dead_b + f.area_b * way};
            } else {
                part.volume[i] = volumes(i, s.start[i] + share * (s.end[i] - s.start[i]));
            }
        }
        solve(part, y, factors, order);
        for (size_t i = 0; i < functions_; ++i) {
            Vector& column = by[i];
            const HydraulicFunction& f = circuit_.functions[i];
            for (size_t j = 0; j < functions_; ++j) {
                column[a_unknown(j)] *= part.volume_before[j].a / part.volume[j].a;
                column[b_unknown(j)] *= part.volume_before[j].b / part.volume[j].b;
            }
            const bool is_motor = f.stroke == 0;
            const auto pushed = [&](size_t unknown, double now, double by_way) {
                const double at_end = is_motor ? 0 : share,
                             before = is_motor ? -mean : share_before;
                column[unknown] -=
                    by_way / now
                    * (at_end * (beta + y[unknown]) - before * (beta + part.before[unknown]));
            };
            pushed(a_unknown(i), part.volume[i].a, f.area_a);
            pushed(b_unknown(i), part.volume[i].b, -f.area_b);
            back_solve(factors, order, column);
        }
        for (size_t i = 0; i < functions_; ++i) {
            const HydraulicFunction& f = circuit_.functions[i];
            s.effort[i] +=
                mean * (f.area_a * real(y[a_unknown(i)]) - f.area_b * real(y[b_unknown(i)]));
            for (size_t j = 0; j < functions_; ++j)
                s.stiffness[i * functions_ + j] -=
                    mean
                    * (f.area_a * real_slope(y[a_unknown(i)]) * by[j][a_unknown(i)]
                       - f.area_b * real_slope(y[b_unknown(i)]) * by[j][b_unknown(i)]);
        }
    }
    for (size_t i = 0; i < functions_; ++i) {
        const double friction = circuit_.functions[i].friction;
        s.effort[i] -= friction * s.end_rate[i];
        s.damping[i * functions_ + i] += friction;
    }
    std::copy_n(y.begin(), unknowns_, s.memory.begin());
}

}  // namespace bristle::machines
