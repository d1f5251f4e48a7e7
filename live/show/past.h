// What there was of a show, for another one to go through again: the same scene read anew from a file that has changed.
#pragma once

#include "live/wire/input.h"

#include <string>
#include <vector>

namespace bristle::live {

struct Past {
    double time = 0;              // s, where it is now
    double step_length = 0;       // s
    std::vector<InputAt> inputs;  // up to now
    std::vector<std::string>
        ids;  // what the numbers in inputs mean: names of bodies, then drives and forces
};

}  // namespace bristle::live
