// A mechanism as lines, for the report: bars between joints, edges of shapes, springs.
// What has no shape is sketched from its inertia (io/sketch.h).
#pragma once

#include <bristle/model.h>

#include "report/report.h"

#include <span>
#include <vector>

namespace bristle::report {

// The bodies at an instant.
struct Instant {
    double time;
    std::vector<Pose> poses;
};

// Chooses where to look from, the direction in which least moves (or aslant, if all do), and draws.
void draw_motion(const Model& model, std::span<const Instant> snapshots, Report& report);

}  // namespace bristle::report
