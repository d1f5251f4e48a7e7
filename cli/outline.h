// A mechanism as lines, for the report: bars between joints, edges of shapes, springs.
//
// What has no shape is drawn as what its inertia says: a slender rod, a box, a ball; or, if it is a lamina,
// whose inertia is often made up for motion in a plane, as bars from its centre to its joints.
#pragma once

#include <bristle/model.h>

#include "cli/report.h"

#include <span>
#include <vector>

namespace bristle::cli {

// The bodies at an instant.
struct Instant {
    double time;
    std::vector<Pose> poses;
};

// Chooses where to look from, the direction in which least moves (or aslant, if all do), and draws.
void draw_motion(const Model& model, std::span<const Instant> snapshots, Report& report);

}  // namespace bristle::cli
