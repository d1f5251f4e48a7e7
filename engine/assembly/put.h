// A body that is put elsewhere takes along what is joined to it.
#pragma once

#include <bristle/model.h>

namespace bristle::assembly {

// The model, whose joints are together, with this body there, or as near as its joints let it; the others move as little as
// they can. Angles are counted on. Throws SimulationError if the joints cannot be brought together again.
Model put(const Model& whole, BodyId, const Pose&);

}  // namespace bristle::assembly
