// Earth as far as the files have been read: they add to it, and it becomes part of the model at the end.
#pragma once

#include "io/scene/context.h"
#include "machines/earth/earth.h"

#include <vector>

namespace bristle::io {

struct EarthSoFar {
    machines::Earth earth;
    std::vector<machines::Soil> soils;  // by ids of Context::soils
    bool has_patches = false;           // some file said so, if only that there are none
    Mark mark;                          // of the first that has any
    Names buckets{"bucket"}, beds{"bed"};
};

}  // namespace bristle::io
