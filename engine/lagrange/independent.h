// The projection matrix R: independent velocities, chosen by the program.
//
// With the columns of J sorted into dependent and independent ones, J = [J_d J_i], every velocity on the
// constraints is
//     q̇ = R ż + v₀,   R = [−J_d⁺ J_i; 1],   ż the independent ones, v₀ what drives ask for,
// and the accelerations follow from as many equations as there are degrees of freedom:
//     q̈ = R z̈ + a₀,   Rᵀ M R z̈ = Rᵀ (Q − M a₀),   J a₀ = γ.
// J_d⁺ is by a QR factorization, so that redundant rows do no harm. Which columns are dependent is found by QR
// with column pivoting, in coordinates scaled by the square root of their mass and rows by that of their
// effective mass; the choice stays while R is well conditioned. It belongs to the state: a restored world
// goes on with the same bits.
//
// All is dense: O(n³) an evaluation, and memory from the heap. At positions where J loses rank, dependent
// velocities are not determined.
#pragma once

#include "lagrange/equations.h"

#include <memory>

namespace bristle::lagrange {

class IndependentMotion {
  public:
    explicit IndependentMotion(Equations&);
    ~IndependentMotion();
    IndependentMotion(const IndependentMotion&) = delete;
    IndependentMotion& operator=(const IndependentMotion&) = delete;

    void make_room(state::State&) const;
    // Takes the choice of the state; chooses if it has none.
    void start(state::State&);
    // True if other coordinates were taken.
    bool keep_or_choose(state::State&);
    bool choose_anew(state::State&);
    // Dependent positions onto the constraints, the independent ones kept. A reason if that fails.
    const char* close(state::State&);
    // Velocities onto the constraints, accelerations and multipliers in equilibrium. A reason if that fails.
    const char* accelerate(state::State&);

  private:
    struct Dense;
    std::unique_ptr<Dense> dense_;
};

}  // namespace bristle::lagrange
