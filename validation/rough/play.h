// One run of the battery.
#pragma once

#include "validation/rough/result.h"

#include <string>

namespace bristle::validation::rough {

struct Run {
    std::string family;
    std::string file;  // of a scene; empty: the family makes it from the seed
    uint64_t seed = 0;
    double step = 5e-3;  // s
    std::string solver;
    double seconds = 0;
    bool is_strict = false;
};

// A run slower than this many times real time, on its own processor, is given up.
inline constexpr double slowest = 20;

Result play(const Run&);
// A run that told nothing: its process died, or hung.
Result silent(const Run&, const std::string& error);

}  // namespace bristle::validation::rough
