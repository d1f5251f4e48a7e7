// How often durations of each size occurred, from 100 ns to 100 s, eight bins a doubling (so a
// percentile is right within 9 %). Adding is a few instructions and no allocation.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace bristle::live {

class Histogram {
  public:
    void add(double seconds);
    uint64_t count() const { return count_; }
    double largest() const { return largest_; }
    double mean() const { return count_ ? sum_ / double(count_) : 0; }
    double percentile(double percent) const;  // upper end of the bin; never above the largest

  private:
    std::array<uint64_t, 256> bins_{};
    uint64_t count_ = 0;
    double sum_ = 0, largest_ = 0;
};

}  // namespace bristle::live
