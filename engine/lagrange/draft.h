// The first stage of building a System: what joints, drives and forces amount to, in combinations of
// entities that do not have their final numbers yet.
#pragma once

#include "lagrange/system.h"

namespace bristle::lagrange {

// A measure before entities have their final numbers.
struct MeasureDraft {
    Measure::Kind kind;
    Combination part[4];
    double offset = 0, start = 0;
    uint8_t component = 0;
    uint32_t scalar_entity = none;
    bool is_length = false;
};

struct SystemDraft {
    NaturalCoordinates natural;
    std::vector<DotCondition> dots;
    std::vector<MeasureDraft> measures;
    std::vector<uint32_t> scalar_entities;
    // Relations, forces and the indices by which a World finds them; the rest is still empty.
    System system;
};

SystemDraft draft_system(Model, const AugmentedLagrangian&);

}  // namespace bristle::lagrange
