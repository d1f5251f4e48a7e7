// Bodies that fixed joints connect move as one: a *group*. Group 0 is the ground and what is fixed to it; the others
// are numbered by their first bodies.
#pragma once

#include <bristle/model.h>

#include <cstdint>
#include <vector>

namespace bristle::mechanics {

// World axes at the start.
struct WeldedGroup {
    std::vector<BodyId> bodies;
    bool is_ground = false;
    double mass = 0;
    Vec3 center;         // of mass
    Mat3 second_moment;  // ∫ x xᵀ dm about the centre

    Mat3 inertia() const { return second_moment.trace() * Mat3::identity() - second_moment; }
};

struct Welding {
    std::vector<WeldedGroup> groups;
    std::vector<uint32_t> group_of;  // of every body
};
Welding weld(const Model&);

// A length that is typical of the model: the diagonal of the box round centres and joints, or the largest radius of
// gyration; 1 m if there is nothing to measure.
double model_size(const Model&, const Welding&);

}  // namespace bristle::mechanics
