// Velocities at the start that the joints allow, and that have the rates the joints ask for.
//
// Of all velocities v with J v = b (rows of the joints, of gears and screws, and of the coordinates that have a start
// rate) the nearest to what the bodies were given, by kinetic energy: the change is what impulses in the joints make.
#pragma once

#include <bristle/model.h>

namespace bristle::assembly {

bool has_start_rates(const Model&);

// The bodies with these velocities; joints no longer ask. Throws InputError naming the joint whose rate the others do not allow.
Model with_start_rates(const Model& assembled);

}  // namespace bristle::assembly
