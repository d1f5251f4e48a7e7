// A model without what was removed or is left out, and where everything went.
#pragma once

#include <bristle/model.h>

#include <cstdint>
#include <vector>

namespace bristle::model {

// Ids of a model and of its compact form; order is kept.
struct IdMap {
    static constexpr uint32_t nowhere = 0xffffffffu;
    std::vector<uint32_t> to_compact;  // nowhere: not in it
    std::vector<uint32_t> to_model;
};

struct CompactModel {
    Model model;
    IdMap bodies, joints, drives, limits, coordinates, forces, shapes;
};

// Bodies that are left out take their joints, forces and shapes with them. Users' forces see the ids of
// `model`; bodies that are left out stand still, and what acts on them is lost.
CompactModel compact(const Model& model, const std::vector<bool>& left_out);

}  // namespace bristle::model
