// The index-3 augmented Lagrangian, stepped. The equations are in README.md beside this file.
#pragma once

#include "lagrange/equations.h"

namespace bristle::lagrange {

class Solver {
  public:
    explicit Solver(const System&);

    // The first state: velocities of the bodies projected onto the constraints; accelerations and
    // multipliers in equilibrium.
    void initialize(state::State&);
    // The same for a state with a past: its time, contacts, and what known relations remember are kept.
    void resume(state::State&, const std::vector<bool>& relation_is_known);
    // One step of length h, or 2 or 4 shorter ones if it does not converge. Throws SimulationError,
    // with the state as it was, if that fails too.
    void step(state::State&);

    // Brings drives' memory in line with a target that jumped (World::command).
    void retarget(state::State&, size_t drive, double value);
    // The state with every contact's force in its accelerations, also of those the step does not resolve.
    state::State with_contact_forces(const state::State&);
    // Accelerations for forces that have just changed.
    void refresh_acceleration(state::State&);

    ConstraintError constraint_error(const state::State&);

    // For other formulations: what drives ask for a time h after the state's, and what drives and counted
    // angles remember of a step that ended there.
    void set_targets(const state::State&, double h);
    void commit_modes(state::State&, double h);

    StepStatistics statistics;

    const System& system() const { return system_; }
    Equations& equations() { return equations_; }
    const Equations& equations() const { return equations_; }

  private:
    bool attempt(state::State&, double h);
    void predict(state::State&, const IntegratorWeights&) const;
    // How the step is to be weighted, now that they are known.
    IntegratorWeights find_contacts(const state::State& predicted, const IntegratorWeights&);
    void evaluate(const state::State&);
    bool iterate(state::State&, const IntegratorWeights&);
    bool accepts_loosely(const IntegratorWeights&, double last, double first);
    bool converged(double allowed_acceleration) const;
    void factorize(const state::State&, const IntegratorWeights&);
    void factorize_mass(const state::State&);
    void project(state::State&, const IntegratorWeights&);
    void bound_energy(state::State&);
    bool amplifies(double violation) const;
    void project_velocity(state::State&, BlockLdlt&, double weight, double allowed, int passes);
    void consistent_velocity(state::State&);
    void consistent_acceleration(state::State&);

    void start_relations(state::State&, const std::vector<bool>& is_known) const;
    void start_limited_drives(state::State&, const std::vector<bool>& is_known);
    void store_mode(state::State&, size_t relation) const;
    bool revise_modes(const state::State&);
    void strike_limits(double h);
    bool saturate_drives(const state::State&);
    bool relax_overloaded(state::State&);
    struct EffortRange {
        double low, high;
        double clamp(double effort) const {
            return effort < low ? low : effort > high ? high : effort;
        }
    };
    EffortRange effort_range(size_t relation) const;
    void saturate(size_t relation, double effort);
    void set_valve(const state::State&, size_t relation, double h);
    EffortRange valve_range(size_t relation) const;
    bool revise_valve(size_t relation, double effort);
    bool grip_valves(const state::State&);
    void commit_valve(state::State&, size_t relation) const;
    double drive_target(size_t drive, const state::State&, double time) const;

    const System& system_;
    Equations equations_;
    BlockLdlt tangent_, mass_;
    state::State begin_, backup_;
    std::vector<Vec4> x_;
    std::vector<uint8_t> toggles_;
    std::vector<double> bounce_;  // rate a limit gives back in this step
    bool efforts_jump_ = false;   // a drive saturated from far below its limit
    bool events_ = false;         // a limit struck or a drive took hold: accelerations jump
    double weight_share_ = 0;     // acceleration by gravity over the model's size
    bool is_passive_ = false;     // joints, and nothing but weight and contacts to move them
    bool is_last_attempt_ = false;
    int iterations_ = 0;
};

}  // namespace bristle::lagrange
