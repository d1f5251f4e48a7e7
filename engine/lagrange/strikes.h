// Impacts that are over before a step ends: impulses at its end, in proportion to what the law would have returned.
//
// Contacts that two bodies make in a step, and that would last too short to be resolved, take no part in it. Where it ends, their
// depth and the speed of approach tell when they met: a time τ before. There and then the impulses P have to make
//
//     u⁺ = u⁻ + W P ,    n·u⁺ ≥ −ε n·u⁻  ⟂  n·P ≥ 0 ,    friction against the slip that is left, |P_t| ≤ μ P_n        W = N A⁻¹ Nᵀ
//
// with u⁻ as it was when they met, ε the restitution of the law at that speed, and A = M + Jᵀ p J: through joints. What holds with a
// limited effort (drives, stops) is a row with bounds among them. Velocities change by A⁻¹Nᵀ P, and positions by A⁻¹Nᵀ R, with
// R = P τ for one alone: a ball that falls on a floor ends the step where it would have been, to the last digit. Of several, R makes
// them as far apart as each has come since it was struck, n·N A⁻¹Nᵀ R ≥ τ n·(u⁺ − u⁻).
//
// Many at once may gain energy by that rule (Newton's, with friction), and what turns is elsewhere when it is struck than when the
// step ends. So the change of velocities is taken back as far as it takes to gain nothing (Solver::resolve_strikes).
#pragma once

#include "lagrange/equations.h"

#include <vector>

namespace bristle::lagrange {

class Strikes {
  public:
    explicit Strikes(Equations&);

    void clear();
    // What holds a relation's rate, within impulses.
    void add_row(uint32_t relation, double low, double high);
    // The struck contacts, where they are in this state; matrix: A, factorized there.
    void resolve(const state::State& begin, state::State&, const BlockLdlt& matrix, double step);

    struct Row {
        uint32_t relation;
        double low, high, impulse;
        bool gives_way() const { return impulse == low || impulse == high; }
    };
    const std::vector<Row>& rows() const { return rows_; }

  private:
    struct Strike {
        uint32_t touch;
        Vec3 normal, before;  // its velocity when it was struck …
        double remaining;     // … and how long ago that was
        double aim;           // what its rate along the normal is to be at least
        double friction;
        double lift, shift;  // how far apart it should be since; how far it is pushed …
        Vec3 along;          // … in this direction
    };
    void add_strikes(const state::State& begin, const state::State&, double step);
    void find_columns(const BlockLdlt& matrix);
    void sweep();
    void hold_rows(double time);
    void find_places();
    Vec3 rate_of(size_t strike) const;
    Mat3 mobility_of(size_t strike) const;
    void push(size_t first, Vec3 change, int count);
    Vec3 impulse_of(const Strike&, size_t number, Vec3 rate) const;

    Equations& equations_;
    std::vector<Strike> strikes_;
    std::vector<Row> rows_;
    // Three of every strike, then one of every row: impulses, rates, A⁻¹Nᵀ and W.
    size_t count_ = 0;
    double longest_ = 0;  // of the times since they were struck
    std::vector<double> rate_, start_, impulse_, pressed_, mobility_;
    std::vector<Vec4> columns_;
};

}  // namespace bristle::lagrange
