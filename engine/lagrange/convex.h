// What contacts, drives and stops make of velocities while geometry stands still: the least of a convex function.
//
//     Π(d) = ½ dᵀA d + bᵀd + Σ φ(N d)          A = M + Jᵀ p J + Σ (h² k + h c) ∇y ∇yᵀ
//
// d is the change of the velocities against inertia alone (rough_step.cpp), b = −h Q is what weight, springs and users pull with,
// and every φ is convex, because the impulse −φ′ of a contact, a drive or a stop falls as its rate rises:
//
//     normal      h F(δ + h δ̇, δ̇)                         rises with the approach wherever it is not zero
//     friction    h P(k u + c u̇), |P| ≤ μ N                N of the iteration before
//     drive       clamp(λ + G (b − ẏ), ±h F)              holds its rate within its effort; λ of the iteration before
//     piston      h F, more where it is held, less where it is as fast as its valve allows
//     stop        max(0, G (b − ẏ))
//
// So Newton's direction goes down, the slope along it rises, and a search for its zero always ends. Each iteration lowers Π;
// only renewing N and λ between them does not, which settles as fast as friction feeds back to its own normal force. Whatever the
// iteration the bound cuts off, every impulse is one its law allows.
#pragma once

#include "lagrange/equations.h"

#include <span>
#include <vector>

namespace bristle::lagrange {

// Impulse along a relation's coordinate: base + Σ clamp(start + gain (rate − ẏ), low, high). A great gain would hold the rate of a
// drive, but in so narrow a range that Newton's method jumps over it. So its gain is moderate, and `start` follows the
// impulse from iteration to iteration: a drive that holds ends at its rate exactly. What has no bounds has a greater gain and no
// start, lest two that contradict each other drive their impulses up without end.
struct EffortRow {
    struct Part {
        double rate, low, high, start, gain;
        bool is_bounded() const { return low > -unlimited && high < unlimited; }
    };
    uint32_t relation;
    double base;
    Part part[2];
    // At the last evaluation: the rate, the impulse, and −∂impulse/∂rate.
    double rate, rate_change, impulse, resistance;
};

class ConvexProblem {
  public:
    ConvexProblem(Equations&, BlockLdlt& matrix);

    // Contacts where the equations have just been evaluated, with rows of drives and stops to follow.
    void start(const state::State& begin, const state::State&, double step);
    void make_room() { base_.reserve(matrix_.blocks().size()); }  // where the pattern has grown
    void add_row(const EffortRow& row) { rows_.push_back(row); }
    // From velocities v the change d that solves it. `b` is as above. Returns the number of iterations.
    int solve(const std::vector<Vec4>& v, const std::vector<Vec4>& b, std::vector<Vec4>& d);
    // Forces and strains into the contacts: mean ones of the step.
    void store_contact_forces();
    std::span<const EffortRow> rows() const { return rows_; }
    // While positions go back onto the joints, contacts push as their depth is now beside what the solution has it: what that adds
    // to a matrix of masses, and h² times the difference of their forces. Contacts have just been placed.
    void add_held_depths(Block3* matrix) const;
    void push_to_depths(Vec4* out) const;
    bool presses() const { return !presses_.empty(); }
    // Whether contacts that press, where they have just been placed, are far from where they were when it was started.
    bool has_moved_on() const;

  private:
    struct Press {
        uint32_t touch;
        uint32_t points;  // before it in the list, whose normal force it rubs with
        Vec3 normal;
        contact::NormalLaw law;
        double depth, depth_before;  // with d = 0; when the step began
        double stiffness, damping, friction;
        Vec3 slip, strain;  // with d = 0; when the step began
        contact::BristleLaw rolling, spinning;
        Vec3 turn, turn_strain;
        // Along the search
        Vec3 rate, rate_change, spin, spin_change;
        double limit;  // normal force of the iteration before
        // At the last evaluation
        double normal_force;
        Vec3 impulse, torque_impulse, new_strain, new_turn_strain;
        Mat3 resistance, turn_resistance;
        bool slips;
        bool turns() const { return rolling.stiffness > 0 || spinning.stiffness > 0; }
    };

    void add_press(uint32_t touch);
    double solved_depth(const Press& p) const { return p.depth - step_ * dot(p.normal, p.rate); }
    contact::NormalForce force_at(const Press&, double depth) const;
    enum class Wanted : uint8_t { impulse, all };
    template <Wanted> void evaluate_press(Press&, Vec3 rate, Vec3 spin) const;
    void evaluate();
    void evaluate_row(EffortRow&, double rate) const;
    void renew_limits();
    void rates_along(const Vec4* direction);
    double slope_at(double share, double linear, double quadratic);
    void gradient(const Vec4* linear, Vec4* out) const;
    void assemble();
    double search(double start, double linear, double quadratic);

    Equations& equations_;
    Contacts& contacts_;
    BlockLdlt& matrix_;
    double step_ = 0;
    std::vector<Block3> base_;
    std::vector<Press> presses_;
    std::vector<EffortRow> rows_;
    std::vector<Vec4> linear_, direction_, product_;
};

}  // namespace bristle::lagrange
