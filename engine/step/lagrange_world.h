// A World moved by the augmented Lagrangian, or by one of the textbook formulations.
#pragma once

#include "step/resting.h"
#include "step/revision.h"
#include "step/world_impl.h"

namespace bristle::step {

struct LagrangeWorld final : World::Impl {
    uint64_t origin = 0;  // tells snapshots of other models
    std::unique_ptr<Revision> revision;
    RestingBodies resting;
    state::State state;
    StepStatistics past;  // of earlier revisions

    LagrangeWorld(const Model&, const Settings&);

    const Model& model() const override { return revision->recipe->model; }
    const model::CompactModel& compact() const override { return revision->compact; }
    lagrange::System& system() const { return revision->system; }
    lagrange::Solver& solver() const { return revision->solver; }
    const Vec4* q() const { return state.position.data(); }
    const Vec4* v() const { return state.velocity.data(); }

    void step() override;
    void wake_in(const Aabb&) override;
    double time() const override { return state.time; }
    Model model_now() const override { return revision->model_at(state); }
    void change(Model) override;
    bool is_asleep(BodyId id) const override { return find(id) == nowhere; }
    Pose pose(BodyId) const override;
    Twist twist(BodyId) const override;
    Vec3 acceleration(BodyId) const override;
    Vec3 point_velocity(BodyId, Vec3 local) const override;
    double coordinate(JointId) const override;
    double coordinate_rate(JointId) const override;
    double angle(JointId) const override;
    Reaction reaction(JointId) override;
    double effort(DriveId) const override;
    double work(DriveId) const override;
    double effort(LimitId) const override;
    double tension(ForceId) const override;
    std::vector<Contact> contacts() const override;
    std::vector<Patch> patches() override;
    Energy energy() const override;
    void command(DriveId, double target) override;
    void command(ForceId motor, double effort) override;
    std::span<double> stateful_memory(ForceId) override;
    StepStatistics statistics() const override;
    void measure_stages() override;
    ConstraintError constraint_error() const override;
    int degrees_of_freedom() const override;
    int redundant_constraints() const override;
    std::vector<Entity> entities() const override;
    size_t coordinates() const override;
    size_t constraints() const override;
    Snapshot snapshot() const override;
    void restore(const Snapshot&) override;
    uint64_t hash() const override;
    void forget() override {
        Impl::forget();
        reactions_are_current = false;
    }

  private:
    RestingBodies resting_bodies(const Model&) const;
    void solve_reactions();
    // Contacts, and which of them are patches.
    struct Touching {
        std::vector<Contact> contacts;
        std::vector<bool> is_patch;
    };
    Touching touching() const;
    void look_for_rest();
    // From now on a model and those taken out of it, from the present state.
    void revise(Model, std::vector<bool> taken_out);
    void use(std::unique_ptr<Revision>, state::State);

    std::vector<Reaction> reactions;
    bool reactions_are_current = false;
};

}  // namespace bristle::step
