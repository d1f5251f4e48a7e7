// Does what a circuit answers hold? Its equations as docs/machines.md has them, written down a second time, as oil that comes and goes:
// nothing of the law is used. And circuits, states and commands at random.
#pragma once

#include "machines/parts/hydraulics.h"
#include "tests/machines/asked.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::machines::testing_support {

// How far the equations of a step in one part are from holding.
struct Unbalanced {
    double oil =
        0;  // Pa: of a chamber or the line, what is lost or made in shares of its room, times β; the largest
    double swivel = 0;  // share of displacement
    double engine = 0;  // rad/s
};

class CircuitBalance {
  public:
    CircuitBalance(const Circuit& circuit, const Asked& asked, double h)
        : c_(circuit), asked_(asked), h_(h) {}

    Unbalanced operator()() const {
        const double line = real(asked_.memory[2]), unit = c_.pump.max_flow / c_.engine.rated_speed;
        const double n = std::max(asked_.memory[0], 0.0), d = asked_.memory[1];
        double load = 0;
        for (size_t i = 0; i < c_.functions.size(); ++i) {
            if (open(i) == 0) continue;
            load = std::max(load, real(asked_.memory[(open(i) > 0 ? 3 : 4) + 2 * i]));
        }
        load = std::min(load, c_.pump.relief - c_.pump.margin);
        Unbalanced worst;
        double into_line = unit * n * d - c_.pump.leak * line
                         - c_.pump.relief_slope * std::max(0.0, line - c_.pump.relief);
        for (size_t i = 0; i < c_.functions.size(); ++i) into_line -= drunk(i, line, load, worst);
        const double room = c_.pump.line_volume;
        note(worst.oil, room * asked_.before[2], room * asked_.memory[2], room, into_line);

        const Pump& p = c_.pump;
        const double most = line > 0 ? std::min(1.0, p.power / (p.max_flow * line)) : 1.0,
                     asked = std::min(std::max(0.0, (load + p.margin - line) / p.band), most);
        worst.swivel = std::abs((d - asked_.before[1]) * p.lag - h_ * (asked - d)) / (p.lag + h_);

        const Engine& e = c_.engine;
        const double throttle = asked_.inputs[0],
                     set = e.idle_speed * (1 - throttle) + e.rated_speed * throttle;
        const double governor = std::clamp(1 - (n - set) / (e.droop * set), 0.0, 1.0);
        const double torque = governor * std::min(e.peak_torque, e.power / std::max(n, 1.0))
                            - unit * d * std::max(line, 0.0)
                            - e.drag * asked_.memory[0] / e.rated_speed;
        worst.engine = std::abs(asked_.memory[0] - asked_.before[0] - h_ * torque / e.inertia);
        return worst;
    }

  private:
    double real(double p) const {
        const double vapour = c_.oil.vapour;
        return p < vapour ? vapour + 1e-6 * (p - vapour) : p;
    }
    double open(size_t i) const {
        const Valve& v = c_.functions[i].valve;
        const double lever = asked_.inputs[1 + i],
                     spool0 = asked_.before[3 + 2 * c_.functions.size() + i];
        const double spool = lever + (spool0 - lever) * std::exp(-h_ / v.lag),
                     beyond = (std::abs(spool) - v.dead_band) / (1 - v.dead_band);
        return beyond <= 0 ? 0 : spool > 0 ? std::min(beyond, 1.0) : -std::min(beyond, 1.0);
    }
    double throttled(size_t i, double full, double drop) const {
        const double soft = 0.3e5;
        return std::abs(open(i)) * full * drop
             / std::sqrt(c_.functions[i].valve.drop * std::hypot(drop, soft));
    }
    // Pressures p stand for oil of room · (1 + p/β).
    void note(double& worst, double before, double after, double room, double into) const {
        const double beta = c_.oil.bulk_modulus;
        worst = std::max(worst, std::abs(after - before - h_ * beta * into) / room);
    }
    // Of a function from the line.
    double drunk(size_t i, double line, double load, Unbalanced& worst) const {
        const HydraulicFunction& f = c_.functions[i];
        const Valve& v = f.valve;
        const double beta = c_.oil.bulk_modulus, u = open(i);
        const double virtual_a = asked_.memory[3 + 2 * i], virtual_b = asked_.memory[4 + 2 * i],
                     a = real(virtual_a), b = real(virtual_b);
        // What stands at its stop, at more than loads are told, is behind its own orifice.
        const bool shares = c_.sharing == Circuit::Sharing::compensated;
        const double over_a = shares && a <= load ? line - load : line - a,
                     over_b = shares && b <= load ? line - load : line - b;
        const double drunk_a = u > 0 ? throttled(i, v.inlet_a, std::max(over_a, 0.0)) : 0,
                     drunk_b = u < 0 ? throttled(i, v.inlet_b, std::max(over_b, 0.0)) : 0;
        const double back = u > 0 ? throttled(i, v.regeneration, std::max(b - a, 0.0)) : 0;
        double into_a = drunk_a + back - (u < 0 ? throttled(i, v.outlet_a, a) : 0)
                      - v.relief_slope * std::max(a - v.relief_a, 0.0)
                      + v.suction * std::max(-a, 0.0);
        double into_b = drunk_b - back - (u > 0 ? throttled(i, v.outlet_b, b) : 0)
                      - v.relief_slope * std::max(b - v.relief_b, 0.0)
                      + v.suction * std::max(-b, 0.0);
        double room_a0 = f.dead_a, room_b0 = f.dead_b, room_a = f.dead_a, room_b = f.dead_b;
        const double way = asked_.end[i] - asked_.start[i];
        if (f.stroke == 0) {
            const double from = way > 0 ? virtual_a : virtual_b;
            const double turned = f.area_a * way * std::min(1.0, 1 + from / beta);
            into_a -= turned / h_;
            into_b += turned / h_;
        } else {
            const auto room_of_a = [&](double x) {
                return std::max(f.dead_a + f.area_a * (x - f.retracted), 0.1 * f.dead_a);
            };
            const auto room_of_b = [&](double x) {
                return std::max(f.dead_b + f.area_b * (f.retracted + f.stroke - x), 0.1 * f.dead_b);
            };
            room_a0 = room_of_a(asked_.start[i]);
            room_b0 = room_of_b(asked_.start[i]);
            room_a = room_of_a(asked_.end[i]);
            room_b = room_of_b(asked_.end[i]);
        }
        note(worst.oil, room_a0 * (beta + asked_.before[3 + 2 * i]), room_a * (beta + virtual_a),
             room_a, into_a);
        note(worst.oil, room_b0 * (beta + asked_.before[4 + 2 * i]), room_b * (beta + virtual_b),
             room_b, into_b);
        return drunk_a + drunk_b;
    }

    const Circuit& c_;
    const Asked& asked_;
    double h_;
};

struct Dice {
    explicit Dice(unsigned seed) : random(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::uniform_real_distribution<>(0, 1)(random);
    }
    double decades(double low, double high) {
        return std::pow(10, between(std::log10(low), std::log10(high)));
    }
    bool once_in(int n) { return random() % static_cast<unsigned>(n) == 0; }
    std::mt19937 random;
};

// One part a step; small and large chambers, valves and reliefs, cylinders and motors.
inline Circuit random_circuit(Dice& dice, size_t functions) {
    Circuit c;
    c.parts = 1;
    c.sharing = dice.once_in(2) ? Circuit::Sharing::none : Circuit::Sharing::compensated;
    c.oil.bulk_modulus = dice.between(0.7e9, 2e9);
    c.pump.max_flow = dice.decades(1e-3, 2e-2);
    c.pump.lag = dice.decades(0.005, 0.3);
    c.pump.band = dice.between(1e5, 20e5);
    c.pump.margin = dice.between(2e5, 40e5);
    c.pump.relief = dice.between(100e5, 400e5);
    c.pump.relief_slope = dice.decades(1e-10, 1e-7);
    c.pump.line_volume = dice.decades(1e-4, 1e-2);
    for (size_t i = 0; i < functions; ++i) {
        HydraulicFunction f{.joint = {}, .area_a = dice.decades(1e-3, 5e-2)};
        f.area_b = f.area_a;
        if (!dice.once_in(4)) {
            f.area_b *= dice.between(0.4, 1);
            f.stroke = dice.between(0.2, 2);
            f.retracted = dice.between(-1, 1);
        }
        f.dead_a = dice.decades(3e-5, 1e-2);
        f.dead_b = dice.decades(3e-5, 1e-2);
        Valve& v = f.valve;
        v.inlet_a = dice.decades(1e-4, 2e-2);
        v.inlet_b = dice.decades(1e-4, 2e-2);
        v.outlet_a = dice.decades(1e-4, 2e-2);
        v.outlet_b = dice.decades(1e-4, 2e-2);
        v.regeneration = dice.once_in(3) ? dice.decades(1e-4, 2e-2) : 0;
        v.relief_a = dice.between(20e5, 400e5);
        v.relief_b = dice.between(20e5, 400e5);
        v.relief_slope = dice.decades(1e-10, 1e-7);
        v.suction = dice.once_in(5) ? 0 : dice.decades(1e-9, 1e-5);
        c.functions.push_back(f);
    }
    return c;
}

// Any pressures, places and levers, and ways that go with them.
inline void ask_at_random(Dice& dice, const Circuit& c, Asked& asked, double h) {
    const size_t n = c.functions.size();
    // Chambers at rest with the tank, voids, loads.
    const auto pressure = [&] {
        return dice.once_in(4) ? dice.between(-1e5, 1e5) : dice.between(-50e5, 400e5);
    };
    asked.before[0] = dice.between(0, 250);
    asked.before[1] = dice.between(0, 1);
    asked.before[2] = pressure();
    asked.inputs[0] = dice.between(0, 1);
    for (size_t k = 0; k < n; ++k) {
        const HydraulicFunction& f = c.functions[k];
        asked.before[3 + 2 * k] = pressure();
        asked.before[4 + 2 * k] = pressure();
        asked.before[3 + 2 * n + k] = dice.between(-1, 1);
        asked.inputs[1 + k] = dice.once_in(3) ? 0 : dice.between(-1, 1);
        asked.start[k] = f.retracted + f.stroke * dice.between(-0.1, 1.1);
        asked.end[k] = asked.start[k] + h * dice.between(-1, 1);
    }
    asked.ask(h);
}

}  // namespace bristle::machines::testing_support
