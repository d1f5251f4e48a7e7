// Planar models (spec D6): what fits into the plane, and what keeps bodies in it.
//
// To the augmented Lagrangian a planar model is one in space whose bodies slide on the plane: a planar joint
// to the ground shares the normal, which is constant, so a body costs two vectors less than it would in
// space. Only one body of those that hold each other in the plane needs such a joint. The impulse
// solver has no use for them: it leaves three of six velocities out.
#pragma once

#include <bristle/model.h>

namespace bristle::model {

// Throw InputError for what leaves the plane: joints, and velocities to begin with. Shapes are seen when
// they are added, and when outlines are made of them.
void check_planar(const Model&);
void check_planar(const Body&, const std::string& where, Vec3 normal);
void check_planar(const Joint&, const std::string& where, Vec3 normal);
// Of unit length. Throws InputError if it is zero, or not finite.
Vec3 checked_plane_normal(Vec3);

// A planar model with the joints that keep its bodies in the plane, after its own; a pin (spherical)
// becomes a hinge about the normal. A model in space as it is.
Model kept_in_plane(const Model&);

}  // namespace bristle::model
