// The textbook formulations (spec A10), stepped by the classical Runge-Kutta rule of fourth order. They take
// rows, forces and matrix from the same equations as the augmented Lagrangian, so that what differs between
// them is the formulation alone. docs/formulations.md has the derivations.
//
//   multipliers   M q̈ + Jᵀλ = Q,  J q̈ = γ − 2ζω Φ̇ − ω² Φ           (Baumgarte)
//   penalty       λ = α (J q̈ − γ + 2ζω Φ̇ + ω² Φ)                    one solve with M + Jᵀ α J
//   projection    q̇ = R ż,  Rᵀ M R z̈ = Rᵀ (Q − M a₀)                in independent.h
//
// Baumgarte's terms are taken where a step begins and held through its stages. A stage leaves the constraints
// by h²/8 Φqq q̇ q̇ even when the step does not; with ω = c/h that would be answered by accelerations of
// order c², whatever the step, and the rule would be of second order instead of fourth.
#pragma once

#include "lagrange/independent.h"
#include "lagrange/solver.h"

#include <optional>

namespace bristle::lagrange {

class ClassicSolver {
  public:
    // Throws InputError if the model has what the formulation does not know.
    ClassicSolver(Solver&, const Settings&);

    // For what the formulation remembers.
    void make_room(state::State& state) const {
        if (independent_) independent_->make_room(state);
    }
    // Accelerations and multipliers of a state that was just started, restored or commanded.
    void refresh(state::State&);
    // Throws SimulationError, with the state as it was, if it diverges.
    void step(state::State&);

  private:
    const char* attempt(state::State&, double h);
    const char* accelerate(state::State&);
    void hold_stabilization(const state::State&);
    void solve_accelerations(state::State&);

    Solver& solver_;
    Equations& equations_;
    const System& system_;
    std::optional<IndependentMotion> independent_;
    double frequency_ = 0, damping_ = 0;  // ω, ζ
    bool is_penalty_ = false;
    BlockLdlt matrix_;
    state::State begin_;
    std::vector<Vec4> x_, position_, velocity_;  // sums over the stages
    std::vector<double> held_;                   // 2ζω Φ̇ + ω² Φ
    std::vector<Vec4> closure_held_;
};

}  // namespace bristle::lagrange
