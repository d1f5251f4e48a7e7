// Small motions about the present position, in the basis of TangentSpace::free_motions: the mass matrix is one.
#pragma once

#include <bristle/world.h>

#include "analysis/small_motion.h"

namespace bristle::analysis {

struct SmallMotions {
    state::State state;      // at rest
    Eigen::MatrixXd motion;  // R
    Resistance resistance;
};
SmallMotions small_motions(const World&);

}  // namespace bristle::analysis
