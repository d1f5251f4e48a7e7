// What to write so that the model, once it has brought it to its form, has the same bits again.
//
// A model keeps axes and rotations at length one, and of a screw the advance per radian. Doing that to what is done
// already may change the last bit; so what is written is a neighbour from which it comes out right. It is looked for
// among numbers an ulp or two away, then among multiples. What no number leads to (a pose that a solver left a little
// off length one) is written as it is: then the last bit is lost.
#pragma once

#include <bristle/math.h>

namespace bristle::io {

Vec3 before_direction(Vec3 axis);
Quat before_rotation(Quat rotation);
double before_lead(double advance_per_radian);

}  // namespace bristle::io
