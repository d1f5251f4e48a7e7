// A World moved by impulses (spec D).
#pragma once

#include "impulse/solver.h"
#include "step/world_impl.h"

namespace bristle::step {

struct ImpulseWorld final : World::Impl {
    ImpulseWorld(Model, const Impulse&);

    const Model& model() const override { return recipe_->model; }
    const model::CompactModel& compact() const override { return recipe_->compact; }
    void step() override;
    void wake_in(const Aabb& box) override { solver_->wake_in(state_, box); }
    double time() const override { return state_.time; }
    Model model_now() const override;
    void change(Model) override;
    bool is_asleep(BodyId) const override;
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
    uint64_t hash() const override { return state_.hash(); }

  private:
    // The model with what was removed, and without. A snapshot keeps it.
    struct Recipe {
        explicit Recipe(Model);
        Model model;
        model::CompactModel compact;
    };
    const Impulse& impulse() const { return std::get<Impulse>(settings); }
    void use(std::shared_ptr<const Recipe>);
    void carry_memory(const ImpulseWorld::Recipe& before, const impulse::ImpulseSolver& then,
                      const impulse::ImpulseState& old);
    // The mechanism, with everything where it is now.
    const impulse::Mechanism& mechanism() const;
    Reaction weld_reaction(uint32_t joint) const;
    // Questions about equations are answered by those of the augmented Lagrangian.
    World as_equations() const;

    uint64_t origin_ = 0;
    std::shared_ptr<const Recipe> recipe_;
    std::unique_ptr<impulse::ImpulseSolver> solver_;
    impulse::ImpulseState state_;
    StepStatistics past_;
};

}  // namespace bristle::step
