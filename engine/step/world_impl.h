// What is behind a World: one of two ways to move the same model.
#pragma once

#include <bristle/world.h>

#include "base/stage_timer.h"
#include "collision/scene.h"
#include "collision/scenery.h"
#include "model/compact.h"
#include "state/terrain.h"

#include <fmt/format.h>

namespace bristle {

struct World::Impl {
    explicit Impl(Settings chosen) : settings(std::move(chosen)) {}
    virtual ~Impl() = default;

    const Settings settings;
    std::shared_ptr<collision::MeshTrees> mesh_trees = std::make_shared<collision::MeshTrees>();

    // What both solvers have in common: heights of the ground, and what processes remember, by their ids.
    state::Terrain terrain;
    std::vector<std::unique_ptr<ProcessMemory>> processes;

    virtual void step() = 0;
    // Bodies near this box of the world are not at rest any more.
    virtual void wake_in(const Aabb&) = 0;
    virtual double time() const = 0;
    virtual const Model& model() const = 0;
    virtual Model model_now() const = 0;
    virtual void change(Model) = 0;
    virtual bool is_asleep(BodyId) const = 0;

    virtual Pose pose(BodyId) const = 0;
    virtual Twist twist(BodyId) const = 0;
    virtual Vec3 acceleration(BodyId) const = 0;
    virtual Vec3 point_velocity(BodyId, Vec3 local) const = 0;
    virtual double coordinate(JointId) const = 0;
    virtual double coordinate_rate(JointId) const = 0;
    virtual double angle(JointId) const = 0;
    virtual Reaction reaction(JointId) = 0;
    virtual double effort(DriveId) const = 0;
    virtual double work(DriveId) const = 0;
    virtual double effort(LimitId) const = 0;
    virtual double tension(ForceId) const = 0;
    virtual std::vector<Contact> contacts() const = 0;
    virtual std::vector<Patch> patches() { return {}; }  // none where contacts are rigid
    virtual Energy energy() const = 0;

    virtual void command(DriveId, double target) = 0;
    virtual void command(ForceId motor, double effort) = 0;
    // All that the state has of a stateful force (mechanics/stateful.h).
    virtual std::span<double> stateful_memory(ForceId) = 0;

    virtual StepStatistics statistics() const = 0;
    virtual void measure_stages() = 0;
    StepProfile profile() const;
    virtual ConstraintError constraint_error() const = 0;
    virtual int degrees_of_freedom() const = 0;
    virtual int redundant_constraints() const = 0;
    virtual std::vector<Entity> entities() const = 0;
    virtual size_t coordinates() const = 0;
    virtual size_t constraints() const = 0;

    virtual Snapshot snapshot() const = 0;
    virtual void restore(const Snapshot&) = 0;
    virtual uint64_t hash() const = 0;

    // Ids of the compact model; IdMap::nowhere if the thing is taken out. Throws InputError if there is none.
    virtual const model::CompactModel& compact() const = 0;
    template <class Tag>
    uint32_t find(const char* kind, const model::IdMap& map, Id<Tag> id) const {
        if (!model().contains(id))
            throw InputError(fmt::format("{} id {} is not of this model", kind, id.index));
        return map.to_compact[id.index];
    }
    uint32_t find(BodyId id) const { return find("body", compact().bodies, id); }
    uint32_t find(JointId id) const { return find("joint", compact().joints, id); }
    uint32_t find(DriveId id) const { return find("drive", compact().drives, id); }
    uint32_t find(LimitId id) const { return find("limit", compact().limits, id); }
    uint32_t find(ForceId id) const { return find("force", compact().forces, id); }
    uint32_t find(ShapeId id) const { return find("shape", compact().shapes, id); }

    // The state is no longer what was read from it.
    virtual void forget() { poses_are_current = twists_are_current = false; }
    void tell_changes();  // of the terrain, to what lies there
    const Scenery& ground_scenery();
    void start_processes(World&);
    void run_processes(World&);
    void refuse_in_process(const char* what) const {
        if (is_in_process)
            throw InputError(std::string(what)
                             + ": a process acts between steps, and may not do that");
    }
    void append_surroundings(std::vector<std::byte>&) const;
    // Whether they are of this model.
    bool take_surroundings(std::span<const std::byte> of_terrain,
                           std::span<const std::byte> of_processes);
    std::span<const Pose> all_poses();
    std::span<const Twist> all_twists();

    struct Placements;
    Placements placements();
    // What solids of all shapes share where the bodies are now, whoever takes part.
    const collision::CollisionScene& overlapping_scene();
    std::vector<SharedVolume> shared_volumes();

  protected:
    // Of the solver's stages, once somebody wants to know.
    std::unique_ptr<StageTimer> timer;
    std::span<const char* const> stage_names;

    // For snapshots, which keep what the bytes are a state of.
    static Snapshot make_snapshot(uint64_t origin, uint64_t equations, std::vector<std::byte> bytes,
                                  std::shared_ptr<const void> recipe) {
        Snapshot s(origin, equations, std::move(bytes));
        s.recipe_ = std::move(recipe);
        return s;
    }
    static const std::shared_ptr<const void>& recipe_of(const Snapshot& s) { return s.recipe_; }

    // Read from the state when asked for.
    std::vector<Pose> poses;
    std::vector<Twist> twists;
    bool poses_are_current = false, twists_are_current = false;
    bool is_in_process = false;
    // All shapes, also of bodies that are taken out.
    std::unique_ptr<collision::CollisionScene> whole_scene;
    std::unique_ptr<collision::GroundScenery> scenery;
    void forget_scenes() {
        whole_scene.reset();
        scenery.reset();
    }
};

// Of one revision after another.
StepStatistics operator+(StepStatistics, const StepStatistics&);

inline constexpr uint32_t nowhere = model::IdMap::nowhere;

}  // namespace bristle
