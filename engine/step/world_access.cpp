#include "step/world_access.h"

#include "step/lagrange_world.h"

namespace bristle {

using namespace step;
namespace {

template <class Id> std::vector<Id> ids(const model::IdMap& map) {
    std::vector<Id> out;
    for (uint32_t i : map.to_model) out.push_back({i});
    return out;
}

// Analyses work on the equations of the augmented Lagrangian.
LagrangeWorld& equations_of(World::Impl& impl) {
    auto* const found = dynamic_cast<LagrangeWorld*>(&impl);
    if (found == nullptr)
        throw InputError(
            "this analysis needs the equations of the augmented Lagrangian: make a World of "
            "model_now() with it");
    return *found;
}

}  // namespace

const lagrange::System& WorldAccess::system(const World& world) {
    return equations_of(*world.impl_).system();
}
const state::State& WorldAccess::state(const World& world) {
    return equations_of(*world.impl_).state;
}
lagrange::Solver& WorldAccess::solver(World& world) { return equations_of(*world.impl_).solver(); }

void WorldAccess::set_state(World& world, const state::State& state) {
    equations_of(*world.impl_).state = state;
    equations_of(*world.impl_).forget();
}

std::vector<BodyId> WorldAccess::body_ids(const World& world) {
    return ids<BodyId>(equations_of(*world.impl_).revision->compact.bodies);
}
std::vector<JointId> WorldAccess::joint_ids(const World& world) {
    return ids<JointId>(equations_of(*world.impl_).revision->compact.joints);
}
std::vector<DriveId> WorldAccess::drive_ids(const World& world) {
    return ids<DriveId>(equations_of(*world.impl_).revision->compact.drives);
}

}  // namespace bristle
