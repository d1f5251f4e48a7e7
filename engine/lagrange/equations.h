// The varying side of a System: residuals, tangents and constraint rates at a trial state.
//
// One pass over the rows costs a few nanoseconds each, so the passes do as much as they can at once.
#pragma once

#include "lagrange/contacts.h"
#include "lagrange/integrator.h"
#include "lagrange/stateful.h"
#include "lagrange/system.h"
#include "state/state.h"

#include <vector>

namespace bristle::lagrange {

// At the start and at rest, nothing pushing.
state::State resting_state(const System&);

// A relation's right-hand side and whether it takes part, in this step.
struct RelationNow {
    RowMode mode;
    double target, rate, acceleration;
    double effort;      // applied while saturated, along the coordinate
    double opened = 0;  // the rate a hydraulic drive's valve asks for
};

class Equations {
  public:
    explicit Equations(const System& whole)
        : Equations(whole, std::make_shared<Detection>(whole)) {}
    Equations(const System& part, std::shared_ptr<Detection>);

    // Values, gradients and violations of all rows at a position; rates of the measures.
    void evaluate_rows(const state::State&);
    // residual = M (w a + (1−w) a_before) + f (Jᵀλ − Q) + (1−f) force_before; needs evaluate_rows.
    // `load` gets the sum of the magnitudes that went into it, to know rounding from error.
    // With a penalty factor, λ + factor · p · violation stands for λ: right after an assembly that is
    // the same as subtract_penalty_forces, and cheaper.
    void evaluate_residual(const state::State&, const IntegratorWeights&,
                           const std::vector<Vec4>& acceleration_before,
                           const std::vector<Vec4>& force_before, double penalty_factor = 0);
    // out += factor · Jᵀ(λ + penalty factor · p · violation).
    void add_constraint_forces(const state::State&, double factor, double penalty_factor, Vec4* out,
                               Vec4* load) const;
    // Until it is ended, residuals and tangents are those of the midpoint rule from here.
    void start_midpoint(const state::State& begin);
    // The same for bodies that nothing acts on, from rest of their accelerations.
    void start_inertia(const state::State& begin);
    bool is_midpoint() const { return is_midpoint_; }
    void end_midpoint() { is_midpoint_ = false; }
    // Q of weight, springs and users at a time, in a state other than the trial one.
    void evaluate_smooth_forces(const state::State&, double at, std::vector<Vec4>& force);
    void evaluate_user_force(const UserForceElement&, const Vec4* position, const Vec4* velocity,
                             std::vector<Vec4>& out) const;
    // Jᵀλ − Q alone.
    void evaluate_forces(const state::State&, std::vector<Vec4>& force);
    // Violation of the velocity rows; needs evaluate_rows.
    void evaluate_velocity_rows(const state::State&);
    // Violation of the acceleration rows. The largest one of the velocity rows comes by the way.
    struct Violations {
        double velocity, acceleration;  // as largest_violation tells them
    };
    Violations evaluate_acceleration_rows(const state::State&);

    // T = w M + f (γh C + βh² (K + λΦqq) + Σ p g gᵀ), gradients kept for what follows. The exact tangent
    // can be indefinite (compressed springs, struts under load, users' forces); of the safe one only
    // what is positive semidefinite is taken.
    enum class Tangent : uint8_t { exact, safe };
    void assemble(const state::State&, const IntegratorWeights&, BlockLdlt&, Tangent);
    // T = M + Σ p g gᵀ: for consistent accelerations and mass-orthogonal projections. Contacts couple nothing in it, so it has a
    // pattern of its own, that of the joints; or, for what contacts are to be added to, theirs.
    void assemble_mass(BlockLdlt&);
    void assemble_mass_for_contacts(BlockLdlt&);

    // A = M + Σ p g gᵀ + Σ (h² k + h c) ∇y ∇yᵀ + h² K: what velocities meet while geometry stands still (convex.h), of springs that
    // resist, and of what was taut when the step began. Needs evaluate_rows; gradients are kept for what follows.
    void assemble_impulses(const state::State& begin, const state::State&, double step, BlockLdlt&);
    void add_tension(const Vec4* x, Vec4* out) const;        // out += h² K x
    void multiply_impulses(const Vec4* x, Vec4* out) const;  // out = A x
    // ∇y·x of a relation, out += ∇yᵀ impulse, matrix += resistance ∇y ∇yᵀ.
    double relation_rate(size_t relation, const Vec4* x) const;
    void add_relation_impulse(size_t relation, double impulse, Vec4* out) const;
    void add_relation_resistance(size_t relation, double resistance, Block3* out) const;

    // x −= factor · J₀ᵀ p · violation, J₀ being the gradients of the last assembly.
    void subtract_penalty_forces(double factor, Vec4* x) const;
    // λ += factor · p · violation + p · J₀ x.
    void update_multipliers(double factor, const Vec4* x, state::State&) const;
    // What the last line would add to the multiplier of one relation.
    double multiplier_change(size_t relation, double factor, const Vec4* x) const;

    // Gives contacts between moving bodies their place in the matrices; those are to be taken anew.
    void renew_blocks();
    const std::shared_ptr<const BlockPattern>& pattern() const { return blocks_.pattern; }

    // As the last evaluation of rows, their rates or accelerations left them: dots, then relations.
    std::vector<double>& violations() { return violation_; }
    const std::vector<double>& violations() const { return violation_; }
    std::vector<Vec4>& closure_violations() { return closure_violation_; }
    const std::vector<Vec4>& closure_violations() const { return closure_violation_; }
    // visit(row, entity, gradient) for all dots and active relations; needs evaluate_rows.
    template <class Visit> void visit_gradients(const Visit& visit) const {
        for (size_t i = 0; i < system.dots.size(); ++i) {
            const DotRow& row = system.dots[i];
            for (uint32_t k = row.first; k < row.first + row.count; ++k) {
                const DotTerm& t = system.dot_terms[k];
                visit(i, t.entity, row.scale * fma(t.a, b_[i], t.b * a_[i]));
            }
        }
        for (size_t i = 0; i < system.relations.size(); ++i) {
            const Relation& r = system.relations[i];
            if (relation[i].mode != RowMode::active) continue;
            for (uint32_t k = r.first; k < r.first + r.count; ++k)
                visit(system.dots.size() + i, system.relation_terms[k].entity,
                      relation_gradient_[k]);
        }
    }

    Vec4 relation_gradient(uint32_t term) const { return relation_gradient_[term]; }
    MeasureValue measure_at(const state::State&,
                            uint32_t measure);  // of a state other than the trial one
    double largest_violation() const;           // lengths over the model's size, and numbers
    double largest_speed(const state::State&) const;
    void momentum_of(const std::vector<Vec4>& velocity,
                     std::vector<Vec4>& momentum) const;  // M v

    const System& system;
    Contacts contacts;
    StatefulForces stateful;
    std::vector<RelationNow> relation;
    std::vector<MeasureValue> measure;
    std::vector<Vec4> residual, load;
    double time = 0;                                      // of the forces
    std::span<const state::ContactMemory> last_contacts;  // of the last step, for users' forces

  private:
    void start_rows(const state::State& begin);
    void subtract_applied_forces(const state::State&, double factor, Vec4* out, Vec4* load);
    void subtract_smooth_forces(const state::State&, double factor, Vec4* out, Vec4* load);
    void add_rank_one(const uint32_t* blocks, const Vec4* gradient, uint32_t count, double weight,
                      Block3* out) const;
    void add_user_tangents(const state::State&, const IntegratorWeights&, BlockLdlt&);
    void assemble_rows(const BlockMap&, BlockLdlt&, double force_weight);
    void add_geometric_stiffness(const state::State&, double factor, Block3* out, bool exact);
    StatefulForces::Rows stateful_rows() const { return {measure, measure_gradient_}; }
    double geometric_part(size_t row, const DotTerm&, double sign) const;
    void add_curvature(uint32_t measure, double factor, Block3* out, bool exact) const;
    void make_base(const BlockMap&, double inertia_weight, double force_weight,
                   std::vector<Block3>& out) const;
    void store_base(double inertia_weight, double force_weight);

    std::vector<Vec4> a_, b_;  // of every dot row
    bool is_midpoint_ = false;
    std::vector<Vec4> a_begin_, b_begin_, relation_gradient_begin_;  // where the step began
    std::vector<Vec4> force_a_, force_b_, force_gradient_;           // at the midpoint
    std::vector<Vec4> begin_terms_;                                  // M q̈₀ − Q₀
    std::vector<double> violation_;                                  // of every scalar row
    std::vector<Vec4> closure_violation_;
    std::vector<Vec4> dot_gradient_;      // of every dot term, at the last assembly
    std::vector<Vec4> measure_gradient_;  // of every measure term, now
    std::vector<Vec4> scratch_gradient_;
    std::vector<Vec4> relation_gradient_;   // of every relation term, now …
    std::vector<Vec4> relation_gradient0_;  // … and at the last assembly
    BlockMap blocks_;
    std::vector<Block3> base_, mass_base_;  // M and closures: they never change
    double base_inertia_ = -1, base_force_ = -1;
    std::vector<Vec4> user_force_, user_force_moved_, moved_position_, moved_velocity_;
    std::vector<double> user_tangent_;
    std::vector<double> user_rounding_;      // of every entity: users' stiffness times its size
    std::vector<double> spring_resistance_;  // of every force, in assemble_impulses
    std::vector<double> geometric_balance_;  // of every dot row
    std::vector<double> tension_;            // of every dot row, as far as it stiffens
};

}  // namespace bristle::lagrange
