// Far detection of the boxes of bench/far/boxes.h by each of our methods and by a plain grid.
#pragma once

#include <string>
#include <vector>

namespace bristle::bench {

struct FarRow {
    std::string name;    // far_10k, far_100k
    std::string engine;  // bristle, plain grid
    std::string setting;
    double time_us;   // CPU time of a step, mean
    double worst_us;  // of the slowest step
    double pairs;     // at the last step
    double error;     // largest difference of the number of pairs from the grid's, over all steps
    std::string error_is;
};

enum class FarEffort { quick, full };  // quick leaves out the methods that are slow for these boxes
std::vector<FarRow> bench_far(FarEffort effort);

}  // namespace bristle::bench
