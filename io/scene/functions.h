// Functions of a model that are said by expressions, and know it.
#pragma once

#include <bristle/model.h>

#include "io/scene/expression.h"

#include <vector>

namespace bristle::io {

inline constexpr const char* variables_of_time[] = {"t"};
inline constexpr const char* variables_of_laws[] = {"x", "v"};
inline constexpr const char* variables_of_points[] = {"t", "x", "y", "z", "vx", "vy", "vz", "n"};

TimeFunction time_function(const Expression&);
ForceLaw force_law(const Expression&);
// Three expressions each, or none.
UserForce point_force(BodyId, Vec3 at, const std::vector<Expression>& force,
                      const std::vector<Expression>& torque);

}  // namespace bristle::io
