#include "machines/parts/circuit_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bristle::machines {
namespace {

// Below this drop an orifice is laminar: Pa. Its slope has no end otherwise; 0.3 bar is little of any drop that matters.
constexpr double laminar = 0.3e5;
// Of the slope of virtual pressures that is left to real ones in a void, so that no row is empty.
constexpr double void_slope = 1e-6;
// rad/s, share of displacement, Pa: what counts as much in residuals, and is small. From `close` on one correction more is the last, if
// nothing bends on its way: what it leaves is `solved`, 0.1 Pa, a ten thousand millionth of the oil.
constexpr double engine_unit = 0.1, swivel_unit = 1e-3, pressure_unit = 1e4;
constexpr double close = 3e-2, solved = 1e-5;
constexpr double rounding = 1e-9;  // … or a correction this small, where much flows through little
// Where a port opens its row may be a million times steeper for a bar: halvings reach into that from beyond all pressures there are.
constexpr int most_iterations = 100, most_halvings = 24;
// A part that is not solved is halved, down to this share of it.
constexpr int finest = 4096;
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

std::vector<LawInput> CircuitLaw::inputs() const {
    std::vector<LawInput> list{{"throttle", 0, 1}};
    for (const HydraulicFunction& f : circuit_.functions) list.push_back({f.name, -1, 1});
    return list;
}

// Of the engine and pump, then as many of every function.
std::vector<LawReading> CircuitLaw::readings() const {
    std::vector<LawReading> list{{"engine_speed", "rad/s"},
                                 {"displacement", ""},
                                 {"pump_flow", "m³/s"},
                                 {"pump_pressure", "Pa"}};
    for (const HydraulicFunction& f : circuit_.functions) {
        list.push_back({f.name + ".spool", ""});
        list.push_back({f.name + ".pressure_a", "Pa"});
        list.push_back({f.name + ".pressure_b", "Pa"});
        // Of a motor with areas in m³/rad.
        list.push_back({f.name + ".effort", f.stroke > 0 ? "N" : "N m"});
    }
    return list;
}

double CircuitLaw::read(size_t reading, std::span<const double> memory) const {
    const double swivel = memory[swivel_unknown], speed = memory[engine_unknown];
    switch (reading) {
        case 0: return speed;
        case 1: return swivel;
        case 2: return displacement_ * swivel * speed;
        case 3: return real(memory[line_unknown]);
        default: break;
    }
    const size_t function = (reading - 4) / 4;
    const double a = real(memory[a_unknown(function)]), b = real(memory[b_unknown(function)]);
    switch ((reading - 4) % 4) {
        case 0: return memory[spool_of(functions_, function)];
        case 1: return a;
        case 2: return b;
        default: break;
    }
    const HydraulicFunction& f = circuit_.functions[function];
    return f.area_a * a - f.area_b * b;
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
    // What stands at its stop does not hold the others up: its line to the pump has a relief valve of its own, below the pump's.
    const double most = circuit_.pump.relief - circuit_.pump.margin;
    return highest.pressure > most ? Load{most, 0} : highest;
}

// Engine and pump.
double CircuitLaw::add_pump(const Part& part, const Vector& y, const Load& load, Vector& residual,
                            Jacobian& jacobian) const {
    const Engine& e = circuit_.engine;
    const Pump& p = circuit_.pump;
    double(&rows)[shared][shared] = jacobian.border;
    const double n = std::max(y[engine_unknown], 0.0), d = y[swivel_unknown],
                 pressure = real(y[line_unknown]), slope = real_slope(y[line_unknown]);
    double line = displacement_ * d * n - p.leak * pressure;
    rows[line_unknown][engine_unknown] = displacement_ * d;
    rows[line_unknown][swivel_unknown] = displacement_ * n;
    rows[line_unknown][line_unknown] = -p.leak * slope;
    if (pressure > p.relief) {
        line -= p.relief_slope * (pressure - p.relief);
        rows[line_unknown][line_unknown] -= p.relief_slope * slope;
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
    rows[swivel_unknown][swivel_unknown] = 1 + follows;
    rows[swivel_unknown][line_unknown] = -follows * by_pressure * slope;
    rows[swivel_unknown][load_shared] = -follows * by_load;

    // The governor: full torque up to the speed that is asked for, none beyond its droop.
    const double most = std::min(e.peak_torque, e.power / std::max(n, 1.0)),
                 most_by = most < e.peak_torque && n > 1 ? -most / n : 0;
    const double full = 1 + (part.engine_speed - n) / (e.droop * part.engine_speed),
                 share = std::clamp(full, 0.0, 1.0),
                 share_by = full > 0 && full < 1 ? -1 / (e.droop * part.engine_speed) : 0;
    const double pressing = displacement_ * std::max(pressure, 0.0), h = part.step / e.inertia,
                 drag = e.drag / e.rated_speed;
    residual[engine_unknown] = y[engine_unknown] - part.before[engine_unknown]
                             - h * (most * share - pressing * d - drag * y[engine_unknown]);
    rows[engine_unknown][engine_unknown] = 1 - h * (most_by * share + most * share_by - drag);
    rows[engine_unknown][swivel_unknown] = h * pressing;
    rows[engine_unknown][line_unknown] = pressure > 0 ? h * displacement_ * d * slope : 0;
    return line;
}

// Through the spool, into the chambers: one is filled, the other emptied. What is drunk is taken off the line.
double CircuitLaw::add_valve(const Part& part, size_t i, const Vector& y, const Load& load,
                             Flows& flows, Jacobian& jacobian) const {
    const Valve& v = circuit_.functions[i].valve;
    const double u = part.opening[i], per_root = std::abs(u) / std::sqrt(v.drop);
    if (u == 0) return 0;
    const size_t to = u > 0 ? 0 : 1, from = 1 - to;
    const double of_to = y[a_unknown(i) + to], of_from = y[a_unknown(i) + from],
                 of_line = y[line_unknown];
    const double in = (to == 0 ? v.inlet_a : v.inlet_b) * per_root,
                 out = (to == 0 ? v.outlet_b : v.outlet_a) * per_root;
    const bool shares =
        circuit_.sharing == Circuit::Sharing::compensated && real(of_to) <= load.pressure;
    const Root inlet = check_root(real(of_line) - (shares ? load.pressure : real(of_to)));
    flows.into[to] += in * inlet.value;
    flows.by_line[to] = in * inlet.slope * real_slope(of_line);
    jacobian.border[line_unknown][line_unknown] -= flows.by_line[to];
    if (shares) {
        flows.by_load[to] = -in * inlet.slope;
        jacobian.border[line_unknown][load_shared] += in * inlet.slope;
    } else {
        const double slope = in * inlet.slope * real_slope(of_to);
        flows.by[to][to] -= slope;
        jacobian.chambers[i].of_line[to] = slope;
    }
    const Root outlet = root(real(of_from));
    flows.into[from] -= out * outlet.value;
    flows.by[from][from] -= out * outlet.slope * real_slope(of_from);
    if (to == 0 && v.regeneration > 0) {
        const double through = v.regeneration * per_root;
        const Root back = check_root(real(of_from) - real(of_to));
        flows.into[to] += through * back.value;
        flows.into[from] -= through * back.value;
        const double by_to = through * back.slope * real_slope(of_to),
                     by_from = through * back.slope * real_slope(of_from);
        flows.by[to][from] += by_from;
        flows.by[to][to] -= by_to;
        flows.by[from][from] -= by_from;
        flows.by[from][to] += by_to;
    }
    return -in * inlet.value;
}

// Relief and suction.
void CircuitLaw::add_ports(size_t i, const Vector& y, Flows& flows) const {
    const Valve& v = circuit_.functions[i].valve;
    const double relief[2] = {v.relief_a, v.relief_b};
    for (size_t c = 0; c < 2; ++c) {
        const double p = real(y[a_unknown(i) + c]), slope = real_slope(y[a_unknown(i) + c]);
        if (p > relief[c]) {
            flows.into[c] -= v.relief_slope * (p - relief[c]);
            flows.by[c][c] -= v.relief_slope * slope;
        } else if (p < 0) {
            flows.into[c] -= v.suction * p;
            flows.by[c][c] -= v.suction * slope;
        }
    }
}

// A motor turns what comes out of one chamber into the other: oil, or of a void the share that is filled.
void CircuitLaw::add_turn(const Part& part, size_t i, const Vector& y, Flows& flows) const {
    const double rate = part.turned[i] / part.step;
    if (rate == 0) return;
    const Filled filled = turned_filled(part, i, y);
    const double flow = std::abs(rate) * filled.share, by = std::abs(rate) * filled.slope;
    flows.into[filled.from] -= flow;
    flows.by[filled.from][filled.from] -= by;
    flows.into[1 - filled.from] += flow;
    flows.by[1 - filled.from][filled.from] += by;
}

CircuitLaw::Filled CircuitLaw::turned_filled(const Part& part, size_t i, const Vector& y) const {
    const size_t from = part.turned[i] >= 0 ? 0 : 1;
    const double beta = circuit_.oil.bulk_modulus, p = y[a_unknown(i) + from];
    return p >= 0 ? Filled{from, 1, 0} : Filled{from, 1 + p / beta, 1 / beta};
}

// Chambers of a function; gives what goes into the line.
double CircuitLaw::add_function(const Part& part, size_t i, const Vector& y, const Load& load,
                                Vector& residual, Jacobian& jacobian) const {
    Chambers& rows = jacobian.chambers[i];
    rows = {};
    Flows flows{};
    const double line = add_valve(part, i, y, load, flows, jacobian);
    add_ports(i, y, flows);
    add_turn(part, i, y, flows);
    const double beta = circuit_.oil.bulk_modulus,
                 before[2] = {part.volume_before[i].a, part.volume_before[i].b},
                 now[2] = {part.volume[i].a, part.volume[i].b};
    for (size_t c = 0; c < 2; ++c) {
        const size_t unknown = a_unknown(i) + c;
        const double softness = part.step * beta / now[c];
        residual[unknown] = y[unknown]
                          - beta * (before[c] * (1 + part.before[unknown] / beta) / now[c] - 1)
                          - softness * flows.into[c];
        for (size_t k = 0; k < 2; ++k)
            rows.own[c][k] = (c == k ? 1 : 0) - softness * flows.by[c][k];
        rows.by_line[c] = -softness * flows.by_line[c];
        rows.by_load[c] = -softness * flows.by_load[c];
        rows.of_load[c] = load.unknown == unknown ? -real_slope(y[unknown]) : 0;
    }
    return line;
}

void CircuitLaw::evaluate(const Part& part, const Vector& y, Vector& residual,
                          Jacobian& jacobian) const {
    for (auto& row : jacobian.border) std::fill_n(row, shared, 0.0);
    const Load load = highest_load(part, y);
    double line = add_pump(part, y, load, residual, jacobian);
    for (size_t i = 0; i < functions_; ++i)
        line += add_function(part, i, y, load, residual, jacobian);
    const double softness = part.step * circuit_.oil.bulk_modulus / circuit_.pump.line_volume;
    residual[line_unknown] = y[line_unknown] - part.before[line_unknown] - softness * line;
    for (double& x : jacobian.border[line_unknown]) x *= -softness;
    for (size_t i = 0; i < functions_; ++i)
        for (double& x : jacobian.chambers[i].of_line) x *= -softness;
    jacobian.border[line_unknown][line_unknown] += 1;
    jacobian.border[load_shared][load_shared] = 1;
}

// ---- Newton's method -------------------------------------------------------------------------------

double CircuitLaw::size_of(const Vector& residual) const {
    double size = std::max(std::abs(residual[engine_unknown]) / engine_unit,
                           std::abs(residual[swivel_unknown]) / swivel_unit);
    for (size_t i = line_unknown; i < unknowns_; ++i)
        size = std::max(size, std::abs(residual[i]) / pressure_unit);
    return size;
}

// Chambers are taken out first: two unknowns each, whose own matrix is the unit matrix and what dissipates. LU of what is shared, with
// the largest pivot of every column.
void CircuitLaw::factorize(Jacobian& j) const {
    for (size_t i = 0; i < functions_; ++i) {
        Chambers& c = j.chambers[i];
        const double det = c.own[0][0] * c.own[1][1] - c.own[0][1] * c.own[1][0];
        std::swap(c.own[0][0], c.own[1][1]);
        for (auto& row : c.own)
            for (double& x : row) x /= det;
        c.own[0][1] = -c.own[0][1];
        c.own[1][0] = -c.own[1][0];
        for (size_t k = 0; k < 2; ++k) {
            const double line = c.own[k][0] * c.by_line[0] + c.own[k][1] * c.by_line[1],
                         load = c.own[k][0] * c.by_load[0] + c.own[k][1] * c.by_load[1];
            j.border[line_unknown][line_unknown] -= c.of_line[k] * line;
            j.border[line_unknown][load_shared] -= c.of_line[k] * load;
            j.border[load_shared][line_unknown] -= c.of_load[k] * line;
            j.border[load_shared][load_shared] -= c.of_load[k] * load;
        }
    }
    for (size_t i = 0; i < shared; ++i) j.order[i] = i;
    for (size_t k = 0; k < shared; ++k) {
        size_t best = k;
        for (size_t i = k + 1; i < shared; ++i)
            if (std::abs(j.border[j.order[i]][k]) > std::abs(j.border[j.order[best]][k])) best = i;
        std::swap(j.order[k], j.order[best]);
        const double* const pivot = j.border[j.order[k]];
        for (size_t i = k + 1; i < shared; ++i) {
            double* const row = j.border[j.order[i]];
            if (row[k] == 0) continue;
            const double share = row[k] /= pivot[k];
            for (size_t l = k + 1; l < shared; ++l) row[l] -= share * pivot[l];
        }
    }
}

void CircuitLaw::back_solve(const Jacobian& j, Vector& x) const {
    double right[shared] = {x[engine_unknown], x[swivel_unknown], x[line_unknown], 0}, z[shared];
    for (size_t i = 0; i < functions_; ++i) {
        const Chambers& c = j.chambers[i];
        double* const own = &x[a_unknown(i)];
        const double a = c.own[0][0] * own[0] + c.own[0][1] * own[1],
                     b = c.own[1][0] * own[0] + c.own[1][1] * own[1];
        own[0] = a;
        own[1] = b;
        right[line_unknown] -= c.of_line[0] * a + c.of_line[1] * b;
        right[load_shared] -= c.of_load[0] * a + c.of_load[1] * b;
    }
    for (size_t i = 0; i < shared; ++i) {
        z[i] = right[j.order[i]];
        for (size_t k = 0; k < i; ++k) z[i] -= j.border[j.order[i]][k] * z[k];
    }
    for (size_t i = shared; i-- > 0;) {
        for (size_t k = i + 1; k < shared; ++k) z[i] -= j.border[j.order[i]][k] * z[k];
        z[i] /= j.border[j.order[i]][i];
    }
    std::copy_n(z, shared - 1, x.begin());
    for (size_t i = 0; i < functions_; ++i) {
        const Chambers& c = j.chambers[i];
        const double a = c.by_line[0] * z[line_unknown] + c.by_load[0] * z[load_shared],
                     b = c.by_line[1] * z[line_unknown] + c.by_load[1] * z[load_shared];
        x[a_unknown(i)] -= c.own[0][0] * a + c.own[0][1] * b;
        x[b_unknown(i)] -= c.own[1][0] * a + c.own[1][1] * b;
    }
}

// Leaves the factors of the Jacobian where it ends, but for the last correction. Where valves open and close the equations bend: a step
// that does not make residuals smaller is halved. False if that does not lead to where the equations hold.
bool CircuitLaw::solve(const Part& part, Vector& y, Jacobian& jacobian) const {
    Vector residual{}, trial_residual{};
    Jacobian ahead;
    evaluate(part, y, residual, jacobian);
    double size = size_of(residual);
    for (int i = 0; i < most_iterations; ++i) {
        factorize(jacobian);
        Vector way = residual;
        back_solve(jacobian, way);
        Vector trial = y;
        double share = 1, trial_size = size;
        for (int halved = 0;; ++halved, share *= 0.5) {
            for (size_t k = 0; k < unknowns_; ++k) trial[k] = y[k] - share * way[k];
            evaluate(part, trial, trial_residual, ahead);
            trial_size = size_of(trial_residual);
            // The smallest crosses a bend that is where this began.
            if (trial_size <= std::max((1 - 0.1 * share) * size, solved) || halved == most_halvings)
                break;
        }
        if (!std::isfinite(trial_size)) return false;
        y = trial;
        if (size <= close && (trial_size <= solved || size_of(way) <= rounding)) return true;
        residual = trial_residual;
        size = trial_size;
        jacobian = ahead;
    }
    return false;
}

// ---- The step --------------------------------------------------------------------------------------

// Along a straight way of every piston, from where the part before ended to `share` of it. `Length` is that of the part, in shares.
void CircuitLaw::begin(const LawStep& s, double share, double length, Part& part) const {
    const Engine& e = circuit_.engine;
    part.step = s.step * length;
    part.engine_speed =
        e.idle_speed + std::clamp(s.inputs[throttle], 0.0, 1.0) * (e.rated_speed - e.idle_speed);
    for (size_t i = 0; i < functions_; ++i) {
        const HydraulicFunction& f = circuit_.functions[i];
        const double spool = s.memory[spool_of(functions_, i)],
                     lever = std::clamp(s.inputs[lever_of(i)], -1.0, 1.0);
        part.spool[i] = lever + (spool - lever) * std::exp(-part.step / f.valve.lag);
        part.opening[i] = opening(i, part.spool[i]);
        if (f.stroke == 0)
            part.turned[i] = length * f.area_a * (s.end[i] - s.start[i]);
        else
            part.volume[i] = volumes(i, s.start[i] + share * (s.end[i] - s.start[i]));
    }
}

// With y(x) the unknowns at the end of a part and x the ways to the end of the step,
//
//   J ∂y/∂x = −∂r/∂V ∂V/∂x − ∂r/∂V₀ ∂V₀/∂x − ∂r/∂y₀ ∂y₀/∂x
void CircuitLaw::carry(const Part& part, double share, double length, const Vector& y,
                       const Jacobian& factors, std::array<Vector, most_functions>& by) const {
    const double beta = circuit_.oil.bulk_modulus;
    for (size_t i = 0; i < functions_; ++i) {
        Vector& column = by[i];
        const HydraulicFunction& f = circuit_.functions[i];
        for (size_t j = 0; j < functions_; ++j) {
            column[a_unknown(j)] *= part.volume_before[j].a / part.volume[j].a;
            column[b_unknown(j)] *= part.volume_before[j].b / part.volume[j].b;
        }
        if (f.stroke == 0) {
            const double turned = beta * length * f.area_a * turned_filled(part, i, y).share;
            column[a_unknown(i)] -= turned / part.volume[i].a;
            column[b_unknown(i)] += turned / part.volume[i].b;
        } else {
            // Beyond the end of its stroke a piston pushes nothing.
            const auto pushed = [&](size_t unknown, double before, double now, double dead,
                                    double by_way) {
                const double least = least_volume * dead;
                double by = 0;
                if (now > least) by += share * (beta + y[unknown]);
                if (before > least) by -= (share - length) * (beta + part.before[unknown]);
                column[unknown] -= by_way / now * by;
            };
            pushed(a_unknown(i), part.volume_before[i].a, part.volume[i].a, f.dead_a, f.area_a);
            pushed(b_unknown(i), part.volume_before[i].b, part.volume[i].b, f.dead_b, -f.area_b);
        }
        back_solve(factors, column);
    }
}

// In parts. One that is not solved is gone through in two; if that does not help either, efforts are no numbers, for those who ask.
void CircuitLaw::step(const LawStep& s) const {
    std::copy(s.before.begin(), s.before.end(), s.memory.begin());
    Vector y{};
    std::copy_n(s.before.begin(), unknowns_, y.begin());
    Part part{};
    for (size_t i = 0; i < functions_; ++i) part.volume[i] = volumes(i, s.start[i]);
    std::array<Vector, most_functions> by{};  // ∂y/∂x, a column each
    Jacobian factors;
    const double whole = 1.0 / circuit_.parts;
    for (int at = 0, piece = finest; at < circuit_.parts * finest;) {
        const double share = whole * (static_cast<double>(at + piece) / finest),
                     length = whole * (static_cast<double>(piece) / finest);
        part.before = y;
        part.volume_before = part.volume;
        begin(s, share, length, part);
        if (!solve(part, y, factors)) {
            if (piece == 1) {
                std::fill(s.effort.begin(), s.effort.end(),
                          std::numeric_limits<double>::quiet_NaN());
                return;
            }
            piece /= 2;
            y = part.before;
            part.volume = part.volume_before;
            continue;
        }
        carry(part, share, length, y, factors, by);
        for (size_t i = 0; i < functions_; ++i) {
            const HydraulicFunction& f = circuit_.functions[i];
            const double a = y[a_unknown(i)], b = y[b_unknown(i)];
            s.memory[spool_of(functions_, i)] = part.spool[i];
            s.effort[i] += length * (f.area_a * real(a) - f.area_b * real(b));
            for (size_t j = 0; j < functions_; ++j)
                s.stiffness[i * functions_ + j] -=
                    length
                    * (f.area_a * real_slope(a) * by[j][a_unknown(i)]
                       - f.area_b * real_slope(b) * by[j][b_unknown(i)]);
        }
        at += piece;
        piece = std::min(finest, at & -at);  // as long again as the halves it was in
    }
    for (size_t i = 0; i < functions_; ++i) {
        const double friction = circuit_.functions[i].friction;
        s.effort[i] -= friction * s.end_rate[i];
        s.damping[i * functions_ + i] += friction;
    }
    std::copy_n(y.begin(), unknowns_, s.memory.begin());
}

}  // namespace bristle::machines
