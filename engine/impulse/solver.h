// The impulse solver: a step of many bodies, from velocities (spec D).
//
//   1 collision    where the motion of this step could make things touch; sleepers that are touched wake
//   2 islands      who is connected with whom
//   3 forces       gravity, users' forces and the gyroscopic term give the velocity without rows, v*
//   4 solution     thin islands directly (direct.h), the others by sweeps (sweeps.h)
//   5 motion       positions follow the new velocities; what only joints and weight move keeps its energy
//   6 memory       impulses, strains, counted angles; slow islands fall asleep
//
// The equations are in the headers of the parts, and together in docs/impulse.md.
#pragma once

#include <bristle/world.h>

#include "base/stage_timer.h"
#include "collision/scenery.h"
#include "impulse/islands.h"
#include "impulse/sweeps.h"

#include <memory>
#include <optional>

namespace bristle::impulse {

// What acts on a body besides gravity and welds, in the last step.
struct SolverLoad {
    BodyId body;
    Vec3 force, at, torque;
};

class ImpulseSolver {
  public:
    ImpulseSolver(const Model&, const Impulse&, collision::MeshTrees&,
                  const state::LiveFields& = {});

    ImpulseState start(double time) const;
    // Whether a state that came as bytes can be one of this: what is asked for by number is there, and places and motions are finite.
    bool may_hold(const ImpulseState&) const;
    // Takes a state as it was stored.
    void resume(const ImpulseState&);
    // Throws SimulationError, with the state as it was, if what a user's function gives is no number.
    void step(ImpulseState&);
    void wake(ImpulseState&, uint32_t group);
    void wake_joint(ImpulseState&, JointId);
    // Sleepers whose shapes may reach into a box of the world.
    void wake_in(ImpulseState&, const Aabb&);

    const Model& model() const { return model_; }
    const Groups& groups() const { return groups_; }
    Mechanism& mechanism() { return mechanism_; }
    const Mechanism& mechanism() const { return mechanism_; }
    const Impulse& settings() const { return settings_; }
    const collision::CollisionScene* scene() const { return scene_ ? &*scene_ : nullptr; }
    StepStatistics statistics;

    enum class Stage : uint8_t {
        detect,
        islands,
        forces,
        rows,
        direct,
        sweeps,
        move,
        remember,
        sleep
    };
    static constexpr const char* stage_names[] = {"detect", "islands", "forces",   "rows", "direct",
                                                  "sweeps", "move",    "remember", "sleep"};
    StageTimer* timer = nullptr;  // of somebody who wants to know

    Pose pose(const ImpulseState&, BodyId) const;
    Twist twist(const ImpulseState&, BodyId) const;
    // Of a group's centre, over the last step.
    const Twist& acceleration(uint32_t group) const { return acceleration_[group]; }
    Reaction reaction(const ImpulseState&, JointId) const;
    double limit_effort(const ImpulseState&, LimitId) const;
    std::vector<SolverLoad> loads(const ImpulseState&) const;
    ConstraintError constraint_error(const ImpulseState&, const Mechanism& now) const;

  private:
    static constexpr int not_direct = -1;
    struct Swept {
        std::vector<uint32_t> groups, manifolds, elements;
    };
    void detect(ImpulseState&);
    bool wake_touched(ImpulseState&);
    void wake_island(ImpulseState&, double still) const;
    void exchange_contacts(ImpulseState&);
    void apply_forces(const ImpulseState&);
    bool turns(const Group&, Vec3 spin) const;
    static double shift_of_fall(const GroupMotion&, double lag);
    void apply_users_forces(const ImpulseState&);
    bool islands_hold_all_awake(const ImpulseState&) const;
    void evaluate(const ImpulseState&, uint32_t island);
    void stiffen(uint32_t group);
    bool renew_free_spin(const GroupMotion&, uint32_t group);
    void enter(Stage stage) const {
        if (timer != nullptr) timer->enter(static_cast<size_t>(stage));
    }
    void solve(const ImpulseState&);
    void sort_islands(const ImpulseState&);
    void leave_to_sweeps(const ImpulseState&, uint32_t island);
    void forget_direct_solution(const ImpulseState&, uint32_t island);
    int solve_thin_islands(const ImpulseState&);
    // Joints that tension did not let close within the solution (closing.cpp).
    void close_joints(const ImpulseState&);
    double open_at_end(const ImpulseState&, uint32_t island);
    void go_on(uint32_t island, double share);
    void keep_ways(uint32_t island);
    void take_kept_ways(uint32_t island);
    bool was_closed(const ImpulseState&, uint32_t island, double open);
    int sweep_others(const ImpulseState&);
    bool is_swept_with_care(uint32_t island) const;
    double lag_of_swept(uint32_t island) const;
    Swept& lot_for_next();
    void sweep(const ImpulseState&, const Swept&, int iterations, Sweeps&, Jobs&);
    IslandView parts_of(size_t candidate) const;
    int most_iterations(const IslandView&) const;
    uint32_t first_group(size_t candidate) const {
        return islands_.groups(candidates_[candidate])[0];
    }
    void take_back(const StepView&, size_t candidate);
    template <int N>
    void calm_directly(const StepView&, std::vector<std::unique_ptr<DirectSolver<N>>>&);
    template <int N>
    void solve_directly(const StepView&, std::vector<std::unique_ptr<DirectSolver<N>>>&);
    bool is_finite_island(uint32_t island) const;
    void halt_what_is_no_number(ImpulseState&);
    // Energy of what only joints and weight move (energy.cpp).
    struct CommonMotion {
        Vec3 centre, velocity, spin;
        double kinetic = 0, turning = 0;  // J, and what the spin has of it
    };
    void keep_energies(ImpulseState&);
    void keep_energy(ImpulseState&, uint32_t island, bool gives_back);
    void hold(const ImpulseState&, uint32_t island);
    bool is_passive(uint32_t island) const;
    bool is_grounded_island(uint32_t island) const;
    CommonMotion common_motion(const ImpulseState&, uint32_t island) const;
    Mat3 inertia_after(const ImpulseState&, uint32_t group) const;
    // Restitution gives back no more than impacts took (bounces.cpp).
    void limit_bounces(const ImpulseState&);
    template <class Visit> void for_each_stop(uint32_t island, const Visit&);
    void slow_down(const ImpulseState&, uint32_t island, double energy);
    double gain_of_impacts(const ImpulseState&, uint32_t island) const;
    double lift(const ImpulseState&, uint32_t island) const;
    void count_work(const ImpulseState&, uint32_t island);
    void move(ImpulseState&);
    void remember(ImpulseState&);
    void look_for_rest(ImpulseState&);
    StepView view(const ImpulseState&);

    const Model model_;
    const Impulse settings_;
    const double resting_speed_;  // m/s
    const Groups groups_;
    Vec3 plane_normal_{0, 0, 1};
    std::optional<collision::CollisionScene> scene_;
    std::shared_ptr<collision::GroundScenery> scenery_;  // that points of stateful forces feel
    Mechanism mechanism_;
    Manifolds contacts_;
    std::unique_ptr<Jobs> jobs_;
    Islands islands_;
    // Of islands, by their first groups: so they keep their patterns while other islands come and go.
    std::vector<std::unique_ptr<DirectSolver<6>>> direct_;
    std::vector<std::unique_ptr<DirectSolver<3>>> planar_;
    Sweeps sweeps_;

    // Of every group, in this step.
    std::vector<Mat3> rotation_, inertia_, inverse_inertia_;
    std::vector<Vec3> free_velocity_, free_spin_, velocity_, spin_, way_, turn_;
    std::vector<Vec3>
        turned_spin_;  // of the momentum it had, with the inertia of the middle of the step
    std::vector<uint8_t> is_alone_;  // nothing holds or touches it
    std::vector<uint32_t> local_;
    std::vector<Twist> acceleration_;
    std::vector<Twist> closing_, kept_ways_;  // m and rad: how positions are closed
    // Of every body with a shape.
    std::vector<Placement> placement_;
    std::vector<collision::Motion> motion_;
    std::vector<uint8_t> is_awake_;
    // Of every island: whether it is solved directly, and what the others consist of together.
    std::vector<uint32_t> candidates_;
    std::vector<uint32_t> rows_, row_start_;
    std::vector<uint8_t> is_open_, is_tense_, is_stuck_;
    std::vector<int> iterations_;  // of every candidate; −1: not solved directly
    Swept swept_, careful_;
    std::vector<ContactImpulse> awake_contacts_, resting_contacts_;  // while they are exchanged
    // Of small islands without rows, some together, so that each lot can be swept by a thread of its own.
    std::vector<Swept> lots_;
    size_t lot_count_ = 0;
    std::vector<std::unique_ptr<Sweeps>> lot_sweeps_;
    Jobs alone_{1};
    std::vector<Vec3> users_force_, users_torque_;
    std::vector<SolverLoad> users_loads_;  // the same, one by one
};

}  // namespace bristle::impulse
