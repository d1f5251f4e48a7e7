// All that persists from step to step. What is not here can be computed from it and the model.
#pragma once

#include "math/simd.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristle {

struct State {
    double time = 0;
    uint64_t steps = 0;
    std::vector<Vec4> position, velocity, acceleration;  // of every entity
    std::vector<Vec4>
        force;  // constraint less applied force at the end of the last step (HHT, generalized-α)
    std::vector<double> multiplier;  // of every scalar row
    std::vector<Vec4> closure_multiplier;
    std::vector<double> memory;  // counted turns, modes of drives and limits, commands

    std::vector<std::byte> bytes() const;
    // False, and nothing changed, if the bytes belong to a state of another shape.
    bool assign(const std::vector<std::byte>&);
    uint64_t hash() const;
};

}  // namespace bristle
