// The boxes of the far-detection cases: cubes of 1 m on a random walk, the same for every engine.
//
// `count` cubes start anywhere in a cube of 0.5 boxes per m³, which makes 1.9 overlapping pairs for
// each, and walk up to 0.1 m along each axis per step, turning back at the walls. Integer arithmetic
// makes the random numbers, so every program and machine sees the same boxes.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristle::bench::far_boxes {

constexpr double edge = 1;            // m
constexpr double density = 0.5;       // boxes per m³
constexpr double longest_step = 0.1;  // m

// Steps before the clock starts, in which buffers grow and trees settle, and steps that count.
constexpr int warm_up = 10;
constexpr int timed_steps(size_t count) { return count > 10000 ? 40 : 200; }

class Walk {
  public:
    explicit Walk(size_t count)
        : side_(std::cbrt(static_cast<double>(count) / density)), lows_(count) {
        for (auto& low : lows_)
            for (double& x : low) x = side_ * fraction();
    }

    void advance() {
        for (auto& low : lows_)
            for (double& x : low) {
                const double to = x + longest_step * (2 * fraction() - 1);
                x = to < 0 ? -to : to > side_ ? 2 * side_ - to : to;
            }
    }

    size_t count() const { return lows_.size(); }
    double side() const { return side_; }  // every low corner lies in [0, side]³
    const std::vector<std::array<double, 3>>& lows() const { return lows_; }

  private:
    double fraction() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }

    uint64_t state_ = 20240229;
    double side_;
    std::vector<std::array<double, 3>> lows_;
};

}  // namespace bristle::bench::far_boxes
