// What joints, forces and shapes ask of the groups of a model before coordinates are chosen, and in which order groups are
// described.
#pragma once

#include "lagrange/coordinates.h"

namespace bristle::lagrange {

// What a group must be able to represent, in world coordinates at the start.
struct GroupDemand {
    std::vector<Vec3> points, directions, turning_axes;
};

// Of a choice that has its groups, and no more.
std::vector<GroupDemand> group_demands(const Model&, const NaturalCoordinates&);
std::vector<uint32_t> outward_order(const Model&, const NaturalCoordinates&);

}  // namespace bristle::lagrange
