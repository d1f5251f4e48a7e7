#include "step/world_access.h"

#include "step/world_impl.h"

namespace bristle {
namespace {

template <class Id> std::vector<Id> ids(const IdMap& map) {
    std::vector<Id> out;
    for (uint32_t i : map.to_model) out.push_back({i});
    return out;
}

}  // namespace

const System& WorldAccess::system(const World& world) { return world.impl_->system(); }
const State& WorldAccess::state(const World& world) { return world.impl_->state; }
Solver& WorldAccess::solver(World& world) { return world.impl_->solver(); }

void WorldAccess::set_state(World& world, const State& state) {
    world.impl_->state = state;
    world.impl_->forget();
}

std::vector<BodyId> WorldAccess::body_ids(const World& world) {
    return ids<BodyId>(world.impl_->revision->compact.bodies);
}
std::vector<JointId> WorldAccess::joint_ids(const World& world) {
    return ids<JointId>(world.impl_->revision->compact.joints);
}
std::vector<DriveId> WorldAccess::drive_ids(const World& world) {
    return ids<DriveId>(world.impl_->revision->compact.drives);
}

}  // namespace bristle
