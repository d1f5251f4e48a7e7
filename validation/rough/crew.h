// Runs in processes of their own: one that crashes or hangs is a failed run and not the end of the battery.
#pragma once

#include "validation/rough/play.h"

#include <functional>
#include <vector>

namespace bristle::validation::rough {

// `report` gets the results in the order they come.
void play_all(const std::vector<Run>&, int jobs, const std::function<void(const Result&)>& report);

}  // namespace bristle::validation::rough
