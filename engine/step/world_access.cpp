#include "step/world_access.h"

#include "step/lagrange_world.h"

namespace bristle {
namespace {

template <class Id> std::vector<Id> ids(const IdMap& map) {
    std::vector<Id> out;
    for (uint32_t i : map.to_model) out.push_back({i});
    return out;
}

// Analyses work on the equations of the augmented Lagrangian.
LagrangeWorld& lagrange(World::Impl& impl) {
    auto* const found = dynamic_cast<LagrangeWorld*>(&impl);
    if (found == nullptr)
        throw InputError(
            "this analysis needs the equations of the augmented Lagrangian: make a World of "
            "model_now() with it");
    return *found;
}

}  // namespace

const System& WorldAccess::system(const World& world) { return lagrange(*world.impl_).system(); }
const State& WorldAccess::state(const World& world) { return lagrange(*world.impl_).state; }
Solver& WorldAccess::solver(World& world) { return lagrange(*world.impl_).solver(); }

void WorldAccess::set_state(World& world, const State& state) {
    lagrange(*world.impl_).state = state;
    lagrange(*world.impl_).forget();
}

std::vector<BodyId> WorldAccess::body_ids(const World& world) {
    return ids<BodyId>(lagrange(*world.impl_).revision->compact.bodies);
}
std::vector<JointId> WorldAccess::joint_ids(const World& world) {
    return ids<JointId>(lagrange(*world.impl_).revision->compact.joints);
}
std::vector<DriveId> WorldAccess::drive_ids(const World& world) {
    return ids<DriveId>(lagrange(*world.impl_).revision->compact.drives);
}

}  // namespace bristle
