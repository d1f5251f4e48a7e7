// The same circuit as machines/parts/hydraulics.h, written down independently: as rates of pressures, integrated by the Radau IIA
// method of third order in steps of some ten microseconds. For one cylinder that lifts a mass, and pressures that do not cavitate.
#pragma once

#include "machines/parts/hydraulics.h"

#include <Eigen/Dense>

#include <cmath>
#include <functional>

namespace bristle::machines::testing_support {

// x, v of the mass; pressures of a, b, line; displacement share and speed of pump and engine; spool.
using Eight = Eigen::Matrix<double, 8, 1>;

struct ReferenceLift {
    Circuit circuit;
    double mass = 1000, gravity = 9.81, throttle = 1;
    std::function<double(double)> lever;

    static double throttled(double opening, double full, double at_drop, double drop) {
        const double soft = 0.3e5;
        return opening * full * drop
             / (std::sqrt(at_drop) * std::pow(drop * drop + soft * soft, 0.25));
    }

    Eight rate(double t, const Eight& s) const {
        const HydraulicFunction& f = circuit.functions[0];
        const Valve& valve = f.valve;
        const Engine& e = circuit.engine;
        const Pump& p = circuit.pump;
        const double x = s[0], v = s[1], pa = s[2], pb = s[3], line = s[4], d = s[5], n = s[6],
                     spool = s[7], beta = circuit.oil.bulk_modulus;
        const double beyond =
            std::max(0.0, (std::abs(spool) - valve.dead_band) / (1 - valve.dead_band));
        const double up = spool > 0 ? beyond : 0, down = spool < 0 ? beyond : 0;
        const auto forward = [](double drop) { return std::max(drop, 0.0); };
        double into_a = throttled(up, valve.inlet_a, valve.drop, forward(line - pa))
                      - throttled(down, valve.outlet_a, valve.drop, pa);
        double into_b = throttled(down, valve.inlet_b, valve.drop, forward(line - pb))
                      - throttled(up, valve.outlet_b, valve.drop, pb);
        const double drunk = throttled(up, valve.inlet_a, valve.drop, forward(line - pa))
                           + throttled(down, valve.inlet_b, valve.drop, forward(line - pb));
        const double back = throttled(up, valve.regeneration, valve.drop, forward(pb - pa));
        into_a +=
            back - valve.relief_slope * forward(pa - valve.relief_a) + valve.suction * forward(-pa);
        into_b += -back - valve.relief_slope * forward(pb - valve.relief_b)
                + valve.suction * forward(-pb);
        const double load = up > 0 ? std::max(pa, 0.0) : down > 0 ? std::max(pb, 0.0) : 0;
        const double allowed = p.power / (p.max_flow * std::max(line, 1.0));
        const double asked =
            std::min({std::max((load + p.margin - line) / p.band, 0.0), 1.0, allowed});
        const double unit = p.max_flow / e.rated_speed;
        const double asked_speed = e.idle_speed + throttle * (e.rated_speed - e.idle_speed);
        const double torque = std::min(e.peak_torque, e.power / n)
                            * std::clamp(1 - (n - asked_speed) / (e.droop * asked_speed), 0.0, 1.0);
        Eight out;
        out[0] = v;
        out[1] = -gravity + (f.area_a * pa - f.area_b * pb - f.friction * v) / mass;
        // Oil that is compressed by p/β flows with as much of itself.
        out[2] = beta / (f.dead_a + f.area_a * (x - f.retracted))
               * (into_a - f.area_a * v * (1 + pa / beta));
        out[3] = beta / (f.dead_b + f.area_b * (f.stroke - x + f.retracted))
               * (into_b + f.area_b * v * (1 + pb / beta));
        out[4] = beta / p.line_volume
               * (unit * d * n - drunk - p.leak * line - p.relief_slope * forward(line - p.relief));
        out[5] = (asked - d) / p.lag;
        out[6] = (torque - unit * d * forward(line) - e.drag * n / e.rated_speed) / e.inertia;
        out[7] = (lever(t) - spool) / valve.lag;
        return out;
    }

    // k₁ = f(y + h (5 k₁ − k₂)/12), k₂ = f(y + h (3 k₁ + k₂)/4), by Newton's method with differences.
    Eight after(double t, double h, const Eight& y) const {
        Eight k1 = rate(t, y), k2 = k1;
        Eigen::Matrix<double, 8, 8> slope;
        for (int j = 0; j < 8; ++j) {
            Eight moved = y;
            const double by =
                1e-7 * std::max(std::abs(y[j]), j < 2 || j == 5 || j == 7 ? 1.0 : 1e3);
            moved[j] += by;
            slope.col(j) = (rate(t + h, moved) - rate(t + h, y)) / by;
        }
        Eigen::Matrix<double, 16, 16> jacobian = Eigen::Matrix<double, 16, 16>::Identity();
        jacobian.topLeftCorner<8, 8>() -= h * 5 / 12 * slope;
        jacobian.topRightCorner<8, 8>() += h / 12 * slope;
        jacobian.bottomLeftCorner<8, 8>() -= h * 3 / 4 * slope;
        jacobian.bottomRightCorner<8, 8>() -= h / 4 * slope;
        const Eigen::PartialPivLU<Eigen::Matrix<double, 16, 16>> factors(jacobian);
        for (int i = 0; i < 5; ++i) {
            Eigen::Matrix<double, 16, 1> r;
            r << k1 - rate(t + h / 3, y + h * (5 * k1 - k2) / 12),
                k2 - rate(t + h, y + h * (3 * k1 + k2) / 4);
            const Eigen::Matrix<double, 16, 1> change = factors.solve(r);
            k1 -= change.head<8>();
            k2 -= change.tail<8>();
        }
        return y + h * (3 * k1 + k2) / 4;
    }
};

}  // namespace bristle::machines::testing_support
