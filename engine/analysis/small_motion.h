// The equations of small motions about a position, as dense matrices: what all analyses share.
//
// Of the rows J of a System at some position one orthogonal factorization is made,
//
//     (D J S)ᵀ Π = Q R ,
//
// S being the entities' scales and D such that every row has length one, so that rank is a number without
// units. It gives the smallest motion with given row rates, the multipliers that carry a given force, and
// the free motions. Cubic in the number of unknowns: meant for some hundred of them.
#pragma once

#include "lagrange/equations.h"

#include <Eigen/Dense>

namespace bristle::analysis {

// Singular values below this share of the largest count as zero, as in ReactionSolver (there squared).
inline constexpr double rank_tolerance = 1e-6;

Eigen::VectorXd flat(const std::vector<Vec4>&);
std::vector<Vec4> entities_of(const Eigen::VectorXd&);
Eigen::MatrixXd mass_matrix(const lagrange::System&);

// All rows in one list: dots, relations, then three for every closure. Relations that are no rows now are zero.
Eigen::VectorXd row_violations(const lagrange::Equations&);

// Rows that are on in this state stay on, and hold what they have now.
void hold_relations(lagrange::Equations&, const state::State&);

class TangentSpace {
  public:
    // Of the rows as they were evaluated last.
    TangentSpace(const lagrange::Equations&, const state::State&);

    Eigen::VectorXd motion_with(const Eigen::VectorXd& row_rates) const;
    Eigen::VectorXd multipliers_for(const Eigen::VectorXd& force) const;
    // Motions that no row opposes, with unit kinetic energies and orthogonal in them: RᵀMR = 1. Not counted
    // is what moves no body and no rotor, like the hinge axis of two slender rods in line.
    Eigen::MatrixXd free_motions(const Eigen::MatrixXd& mass) const;

  private:
    const lagrange::System& system_;
    const state::State& state_;
    Eigen::VectorXd column_scale_, row_scale_;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors_;
    Eigen::Index rank_ = 0;
};

// Brings positions onto the rows; false if they do not come there.
bool close_rows(lagrange::Equations&, state::State&);
// Counted angles of a state as they are after a move of less than half a turn.
void count_turns(const lagrange::Equations&, state::State&);
// Multipliers by rows, and efforts of drives and limits with them.
void store_multipliers(const lagrange::Equations&, const Eigen::VectorXd&, state::State&);

Eigen::VectorXd users_forces(const lagrange::System&, const state::State&);
// Forces that are not the rows', at rest or in motion; needs evaluate_rows.
Eigen::VectorXd applied_force(lagrange::Equations&, const state::State&);

// Rᵀ(K + λΦqq)R and RᵀCR at a state with these multipliers.
struct Resistance {
    Eigen::MatrixXd stiffness, damping;
    double rounding = 0;  // what of the stiffness is not to be trusted
};
Resistance resistance_along(lagrange::Equations&, const state::State&,
                            const Eigen::MatrixXd& motions);

}  // namespace bristle::analysis
