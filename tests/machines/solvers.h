// Both ways to step a machine.
#pragma once

#include <bristle/world.h>

#include <vector>

namespace bristle::machines::testing_support {

inline std::vector<Settings> solvers(double step = 5e-3) {
    return {AugmentedLagrangian{.step = step}, Impulse{.step = step}};
}

}  // namespace bristle::machines::testing_support
