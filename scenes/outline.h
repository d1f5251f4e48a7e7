// Lines that show the shapes of a scene.
#pragma once

#include "scenes/catalog.h"

namespace bristle::scenes {

// Adds links along the edges of all shapes; a plane is drawn along its x from `plane_from` to `plane_to`.
// Spheres, boxes, cylinders, planes, tori and compounds of them; others are not drawn.
void add_outlines(Scene&, double plane_from, double plane_to);

}  // namespace bristle::scenes
