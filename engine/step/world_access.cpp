#include "step/world_access.h"

#include "step/world_impl.h"

namespace bristle {
namespace {

template <class Id> std::vector<Id> all_ids(size_t count) {
    std::vector<Id> ids;
    for (uint32_t i = 0; i < count; ++i) ids.push_back({i});
    return ids;
}

}  // namespace

const System& WorldAccess::system(const World& world) { return world.impl_->system; }
const State& WorldAccess::state(const World& world) { return world.impl_->state; }
Solver& WorldAccess::solver(World& world) { return world.impl_->solver; }

void WorldAccess::set_state(World& world, const State& state) {
    world.impl_->state = state;
    world.impl_->forget();
}

std::vector<BodyId> WorldAccess::body_ids(const World& world) {
    return all_ids<BodyId>(system(world).model.bodies().size());
}
std::vector<JointId> WorldAccess::joint_ids(const World& world) {
    return all_ids<JointId>(system(world).model.joints().size());
}
std::vector<DriveId> WorldAccess::drive_ids(const World& world) {
    return all_ids<DriveId>(system(world).model.drives().size());
}

}  // namespace bristle
