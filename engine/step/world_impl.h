// What is behind a World.
#pragma once

#include <bristle/world.h>

#include "step/resting.h"
#include "step/revision.h"

#include <fmt/format.h>

namespace bristle {

struct World::Impl {
    Settings settings;
    uint64_t origin = 0;  // tells snapshots of other models
    std::shared_ptr<MeshTrees> mesh_trees = std::make_shared<MeshTrees>();
    std::unique_ptr<Revision> revision;
    RestingBodies resting;
    State state;
    StepStatistics past;  // of earlier revisions

    // Read from the state when asked for.
    std::vector<Reaction> reactions;
    std::vector<Pose> poses;
    std::vector<Twist> twists;
    bool reactions_are_current = false, poses_are_current = false, twists_are_current = false;
    // All shapes, also of bodies that are taken out.
    std::unique_ptr<CollisionScene> whole_scene;

    Impl(const Model&, const Settings&);

    const Model& model() const { return revision->recipe->model; }
    System& system() const { return revision->system; }
    Solver& solver() const { return revision->solver; }
    const Vec4* q() const { return state.position.data(); }
    const Vec4* v() const { return state.velocity.data(); }
    // The state is no longer what was read from it.
    void forget() { reactions_are_current = poses_are_current = twists_are_current = false; }

    RestingBodies resting_bodies(const Model&) const;
    void solve_reactions();
    void look_for_rest();
    // From now on a model and those taken out of it, from the present state.
    void revise(Model, std::vector<bool> taken_out);
    void use(std::unique_ptr<Revision>, State);

    // Ids of the system; IdMap::nowhere if the thing is taken out. Throws InputError if there is none.
    template <class Tag> uint32_t find(const char* kind, const IdMap& map, Id<Tag> id) const {
        if (!model().contains(id))
            throw InputError(fmt::format("{} id {} is not of this model", kind, id.index));
        return map.to_compact[id.index];
    }
    uint32_t find(BodyId id) const { return find("body", revision->compact.bodies, id); }
    uint32_t find(JointId id) const { return find("joint", revision->compact.joints, id); }
    uint32_t find(DriveId id) const { return find("drive", revision->compact.drives, id); }
    uint32_t find(LimitId id) const { return find("limit", revision->compact.limits, id); }
    uint32_t find(ForceId id) const { return find("force", revision->compact.forces, id); }
    uint32_t find(ShapeId id) const { return find("shape", revision->compact.shapes, id); }

    struct Placements;
    Placements placements(const World&);
};

inline constexpr uint32_t nowhere = IdMap::nowhere;

}  // namespace bristle
