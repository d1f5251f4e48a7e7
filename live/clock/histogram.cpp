#include "live/clock/histogram.h"

#include <algorithm>
#include <cmath>

namespace bristle::live {
namespace {

constexpr double shortest = 1e-7;  // s
constexpr double bins_a_doubling = 8;

}  // namespace

void Histogram::add(double seconds) {
    seconds = std::max(seconds, 0.0);
    const double bin =
        std::floor(bins_a_doubling * std::log2(std::max(seconds, shortest) / shortest));
    bins_[size_t(std::min(bin, double(bins_.size() - 1)))]++;
    count_++;
    sum_ += seconds;
    largest_ = std::max(largest_, seconds);
}

double Histogram::percentile(double percent) const {
    const double wanted = std::clamp(percent, 0.0, 100.0) / 100 * double(count_);
    uint64_t below = 0;
    for (size_t i = 0; i + 1 < bins_.size(); i++) {
        below += bins_[i];
        if (below > 0 && double(below) >= wanted)
            return std::min(largest_, shortest * std::exp2(double(i + 1) / bins_a_doubling));
    }
    return largest_;  // the last bin has no end
}

}  // namespace bristle::live
