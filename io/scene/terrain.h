// Height fields of a scene: written down, of an expression, of an image or of a survey.
#pragma once

#include "io/scene/object.h"

namespace bristle::io {

// The same points are touched and drawn, whatever they come from. Mistakes are told by the object.
HeightField read_height_field(const Object& o);

}  // namespace bristle::io
