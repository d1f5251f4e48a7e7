// What streaming costs the simulation: a thousand moving boxes, with nobody looking and with three clients.
#pragma once

#include <string>
#include <vector>

namespace bristle::bench {

struct LiveRow {
    std::string setting;
    double time_us;  // CPU time of the session's thread for a step, with all it does besides
    double lost;  // share of that time which is not computing steps; more than with nobody looking
    std::string lost_is;
};

enum class LiveEffort { quick, full };
std::vector<LiveRow> bench_live(LiveEffort);

}  // namespace bristle::bench
