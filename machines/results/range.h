// Where the teeth of a bucket come: the diagram of the working range, and its largest dimensions (terms of ISO 7135).
#pragma once

#include "machines/results/arm.h"

#include <array>
#include <string>
#include <vector>

namespace bristle::machines {

// In the plane of the arm: ahead of the swing's axis and above the ground, m.
using PlanePoint = std::array<double, 2>;

struct Extreme {
    std::string name;
    double value = 0;  // m
    PlanePoint at{};   // of the teeth, or of the bucket's pivot
    Lengths lengths{};
};

struct WorkingRange {
    std::vector<PlanePoint> envelope;  // of the teeth, a closed line, counter-clockwise
    double accuracy = 0;               // m: of that line
    std::vector<Extreme> extremes;
};

// `height` of the arm's origin above the ground. All positions that the cylinders allow; the machine's own parts do not stop it.
WorkingRange working_range(Arm&, double height);

}  // namespace bristle::machines
