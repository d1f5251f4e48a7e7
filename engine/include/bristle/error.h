// What Bristle throws: the message names what is wrong, where, and what to do about it.
#pragma once

#include <stdexcept>

namespace bristle {

// The input cannot be used: a user's mistake.
struct InputError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The simulation cannot go on: it diverged, or the model cannot be assembled.
struct SimulationError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace bristle
