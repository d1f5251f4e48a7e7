// The index-3 augmented Lagrangian, stepped. The equations are in README.md beside this file.
#pragma once

#include "base/stage_timer.h"
#include "lagrange/convex.h"
#include "lagrange/equations.h"
#include "lagrange/prediction.h"
#include "lagrange/strikes.h"

namespace bristle::lagrange {

// Who looks for contacts between the beginning of a step and its predicted end.
class Finder {
  public:
    virtual ~Finder() = default;
    virtual Found find(const state::State& begin, const state::State& predicted) = 0;
};

class Solver {
  public:
    explicit Solver(const System& whole);
    // Of a part (part.h), whose contacts somebody else finds.
    Solver(const System& part, std::shared_ptr<Detection>, Finder*);

    // The first state: velocities of the bodies projected onto the constraints; accelerations and
    // multipliers in equilibrium.
    void initialize(state::State&);
    // The same for a state with a past: its time, contacts, and what known relations remember are kept.
    void resume(state::State&, const std::vector<bool>& relation_is_known);
    // One step of length h: the calm one, of second order, or where that does not converge or gains energy the rough one,
    // which always ends. Throws what a user's function throws, with the state as it was.
    void step(state::State&);

    // The same in pieces, for islands (islands.h). A step is begun and ended; in between it is tried, calmly, then in shorter steps,
    // each from the state that it began with; or it is started to be rough, drifts, and strikes. While it lasts the accounts of
    // assemblies are one. Time and number of the step are the caller's to count.
    void begin_step(state::State&);
    bool try_calm_step(state::State& state) { return take_calm_step(state, system_.settings.step); }
    bool try_shorter_steps(state::State& state) {
        return take_shorter_steps(state, system_.settings.step);
    }
    void restart(state::State&) const;
    void start_rough_step(state::State&, double h);
    void drift(state::State&, double h);
    void end_rough_step(state::State&, double h);
    void end_step(state::State&);
    bool has_contacts() const { return !equations_.contacts.empty(); }
    int iterations() const { return iterations_; }
    // Why and where the last calm step was not accepted. False if no point is known, only a body.
    bool tell_place(RoughPlace&) const;

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

    enum class Stage : uint8_t {
        predict,
        detect,
        contacts,
        rows,
        residual,
        factorize,
        solve,
        project,
        commit
    };
    static constexpr const char* stage_names[] = {"predict", "detect",   "contacts",
                                                  "rows",    "residual", "factorize",
                                                  "solve",   "project",  "commit"};
    StageTimer* timer = nullptr;  // of somebody who wants to know

    const System& system() const { return system_; }
    Equations& equations() { return equations_; }
    const Equations& equations() const { return equations_; }

    void enter(Stage stage) const {
        if (timer != nullptr) timer->enter(static_cast<size_t>(stage));
    }

  private:
    Found look(const state::State& predicted);
    bool take_calm_step(state::State&, double h);
    bool take_shorter_steps(state::State&, double h);
    // The bottom of the ladder (rough_step.cpp).
    bool is_unlimited(size_t relation) const;
    void find_rough_contacts(state::State&, double h);
    void find_impulses(state::State&, double h);
    void add_effort_row(const state::State&, size_t relation, double h);
    void find_mean_efforts(const state::State& smooth, double h);
    void close_around_contacts(state::State&);
    bool close_positions(state::State&);
    bool give_way(state::State&, bool stops_too);
    void hold_back(state::State&);
    static bool is_finite(const state::State&);
    void stay(state::State&, double h);
    bool settle_rough_step(state::State&, double h);
    void hold_at(size_t relation, double place);
    bool catch_pistons();
    bool catch_stops();
    double within_stops(uint32_t measure, double place) const;
    void check_end(const state::State&);
    std::string fault_in(const state::State&);
    bool set_mode_after(const EffortRow&, double h);
    bool is_worth_holding(const EffortRow&, double most) const;
    void resolve_strikes(state::State&, double h);
    void strike_once(state::State&, double h, bool is_first);
    void take_back_gain(state::State&, const std::vector<Vec4>& position,
                        const std::vector<Vec4>& velocity);
    // Energy (accounts.cpp).
    double work_of_forces(const state::State&);
    double way_of(size_t relation, const state::State&);
    void find_work(const state::State&);
    void count_jump(const state::State&, double weight);
    double attribute_to_jumps(double gain);
    double work_of_drives() const;
    void count_work(state::State&);
    double energy_gain(const state::State&);
    void find_calm_efforts(const state::State&);
    double count_motion(state::State&, double gain);
    double credit_of(const state::State&) const;
    void join_accounts(state::State&) const;
    void part_accounts(state::State&);
    void find_kinetic(const std::vector<Vec4>& velocity, std::vector<double>& of_assembly) const;
    void find_common_motion(const state::State&);
    bool keep_energy(state::State&, const IntegratorWeights&);
    bool accepts_gain(state::State&);
    void weaken_patches(state::State&);
    void find_suspects();
    void take_off_gain(state::State&);
    // How the step is to be weighted, now that they are known.
    IntegratorWeights find_contacts(const state::State& predicted, const IntegratorWeights&);
    void evaluate(const state::State&);
    bool iterate(state::State&, const IntegratorWeights&);
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
    bool passes_stop();
    void share_with_stops(state::State&) const;
    void strike_limits(double h);
    void let_go_of_struck(const Relation& stop, double rate);
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
    double reference_target(const Relation& drive, const state::State&) const;
    double drive_target(const Relation& drive, const state::State&, double time) const;

    const System& system_;
    Finder* const finder_;  // none of the whole
    Equations equations_;
    BlockLdlt tangent_, mass_;
    state::State begin_, backup_;
    Prediction prediction_;
    ConvexProblem problem_;
    Strikes strikes_;
    std::vector<Vec4> x_, pull_, change_;
    std::vector<Vec4> smooth_position_, smooth_velocity_;  // q_s, v_s of a rough step
    std::vector<RelationNow> asked_;                       // of drives and stops, in this step
    std::vector<Vec4> force_before_, force_after_;
    std::vector<double> mean_effort_, work_, jump_work_;    // of every relation, in this step
    std::vector<double> gain_of_, kinetic_of_, common_of_;  // J, of every assembly
    struct Flight {
        Vec4 center{}, velocity{}, momentum{}, spin{};  // the momentum angular, about the centre
        Mat3 inertia;
    };
    std::vector<Flight> flight_;                 // of every assembly that flies
    std::vector<uint8_t> is_suspect_, is_kept_;  // the latter in its energy
    double spent_ = 0;           // J, that contacts begin the step with and nobody stored
    double resting_energy_ = 0;  // J: of a fall through some steps
    std::vector<double> resting_energy_of_;  // of every assembly
    std::vector<uint8_t> toggles_;
    std::vector<double> bounce_;   // rate a limit gives back in this step
    bool efforts_jump_ = false;    // a drive saturated from far below its limit
    bool events_ = false;          // a limit struck or a drive took hold: accelerations jump
    double weight_share_ = 0;      // acceleration by gravity over the model's size
    bool is_guarded_ = false;      // something in it pushes as far as it can, or stops
    bool energy_is_right_ = true;  // of joints alone, after this step
    bool is_passive_ = false;      // joints, and nothing but weight and contacts to move them
    RoughPlace::Why refused_ = RoughPlace::Why::nothing;  // why the last calm step was not accepted
    int iterations_ = 0;
};

// A step more, and the time with it: counted, not summed, so that a long run ends at the time it was asked for.
void count_step(state::State&, double h);

}  // namespace bristle::lagrange
