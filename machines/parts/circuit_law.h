// The law of a hydraulic circuit (hydraulics.h), in the unknowns
//
//   y = (n, d, P, a₁, b₁, a₂, b₂, …)
//
// engine speed, displacement of the pump, pressure of its line and of both chambers of every function. Pressures are virtual ones: β
// times the share by which there is more oil than room, also where there is less. Below the vapour's the real pressure stays there,
// and what is missing is a void that is filled first. So oil is conserved, and every chamber has the same equation,
//
//   V (1 + p/β) = V₀ (1 + p₀/β) + h Q(y)
//
// at the end of a part of the step: backward Euler. A motor makes no room: it turns oil out of one chamber into the other, as much by
// volume as its way takes, of a void only the share that is filled,
//
//     Q_a = −A x'/h min(1, 1 + p/β) = −Q_b ,   p of the chamber it leaves.
#pragma once

#include "machines/parts/hydraulics.h"

#include <array>

namespace bristle::machines {

inline constexpr size_t engine_unknown = 0, swivel_unknown = 1, line_unknown = 2;
constexpr size_t a_unknown(size_t function) { return 3 + 2 * function; }
constexpr size_t b_unknown(size_t function) { return 4 + 2 * function; }
// After the unknowns in the memory.
constexpr size_t spool_of(size_t functions, size_t function) {
    return 3 + 2 * functions + function;
}
double real_pressure(const Oil&, double virtual_pressure);

class CircuitLaw final : public StatefulLaw {
  public:
    explicit CircuitLaw(Circuit);
    size_t memory_size() const override { return 3 + 3 * functions_; }
    size_t input_count() const override { return 1 + functions_; }
    const Circuit& circuit() const { return circuit_; }
    std::vector<LawInput> inputs() const override;
    std::vector<LawReading> readings() const override;
    double read(size_t reading, std::span<const double> memory) const override;
    void start(std::span<double> memory, std::span<double> inputs) const override;
    void step(const LawStep&) const override;

  private:
    static constexpr size_t most_unknowns = 3 + 2 * most_functions;
    using Vector = std::array<double, most_unknowns>;
    // What all functions share: engine, swivel, line, and the pressure of the highest load. Of the latter the equation says only whose
    // it is, and always holds.
    static constexpr size_t shared = 4, load_shared = 3;
    // Both chambers of a function know each other, the line and the highest load; what is shared knows the chambers by the line's
    // and the load's equation.
    struct Chambers {
        double own[2][2], by_line[2],
            by_load[2];  // rows of the chambers; `own` its inverse when it is factorized
        double of_line[2], of_load[2];  // entries of the line's and the load's row
    };
    struct Jacobian {
        double border[shared][shared];  // by rows; LU when it is factorized
        std::array<size_t, shared> order;
        std::array<Chambers, most_functions> chambers;
    };
    struct Volumes {
        double a, b;
    };
    // Of a part of a step: what is known when it begins.
    struct Part {
        double step, engine_speed;  // s; what the throttle asks for, rad/s
        Vector before;              // unknowns
        std::array<Volumes, most_functions> volume_before, volume;
        std::array<double, most_functions> spool, opening;  // at its end
        std::array<double, most_functions> turned;  // m³, from a to b, of a motor that is full
    };
    struct Load {
        double pressure = 0;
        size_t unknown = 0;  // whose it is; none if zero, or if it is limited
    };
    // Into both chambers of a function, m³/s, and how it changes with their pressures and those they share.
    struct Flows {
        double into[2], by[2][2], by_line[2], by_load[2];
    };
    // Of what a motor takes out of a chamber: of which, the share that is oil, and how that changes with the pressure there.
    struct Filled {
        size_t from;
        double share, slope;
    };
    Volumes volumes(size_t function, double coordinate) const;
    double opening(size_t function, double spool) const;
    double real(double p) const { return real_pressure(circuit_.oil, p); }
    double real_slope(double p) const;
    Load highest_load(const Part&, const Vector& y) const;
    // Residuals (rad/s, share, Pa) and their derivatives.
    void evaluate(const Part&, const Vector& y, Vector& residual, Jacobian&) const;
    // Adds what flows into the line; its derivatives go into the line's row.
    double add_pump(const Part&, const Vector& y, const Load&, Vector& residual, Jacobian&) const;
    double add_valve(const Part&, size_t function, const Vector& y, const Load&, Flows&,
                     Jacobian&) const;
    void add_ports(size_t function, const Vector& y, Flows&) const;
    void add_turn(const Part&, size_t function, const Vector& y, Flows&) const;
    Filled turned_filled(const Part&, size_t function, const Vector& y) const;
    double add_function(const Part&, size_t function, const Vector& y, const Load&,
                        Vector& residual, Jacobian&) const;
    double size_of(const Vector& residual) const;
    bool solve(const Part&, Vector& y, Jacobian&) const;
    void begin(const LawStep&, double share, double length, Part&) const;
    void carry(const Part&, double share, double length, const Vector& y, const Jacobian& factors,
               std::array<Vector, most_functions>& by) const;
    void factorize(Jacobian&) const;
    void back_solve(const Jacobian&, Vector&) const;

    const Circuit circuit_;
    const size_t functions_, unknowns_;
    const double displacement_;  // m³/rad of the pump
};

}  // namespace bristle::machines
