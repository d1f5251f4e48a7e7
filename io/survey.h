// What is computed of the points of a survey; io/height_file.h has what is called.
#pragma once

#include "io/height_file.h"

#include <cstddef>
#include <vector>

namespace bristle::io {

// Points whose height is far from all around it: twenty times as far from the mean of their neighbours as the median of all
// points is, and up or down to each of them by more than 45 degrees.
std::vector<size_t> sticking_out(const Survey& survey);

}  // namespace bristle::io
