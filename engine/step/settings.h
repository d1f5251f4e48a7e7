// The settings of a world, checked: a mistake is told before anything is computed with it.
#pragma once

#include <bristle/world.h>

namespace bristle::step {

AugmentedLagrangian checked(AugmentedLagrangian);
Impulse checked(Impulse);

// The settings of the equations. All formulations take them from the system of the augmented Lagrangian;
// what else they have is checked here too.
AugmentedLagrangian lagrange_part(const Settings&);

}  // namespace bristle::step
