// Edges and rims of geometry, as lines on a body.
#pragma once

#include <bristle/model.h>

#include "report/report.h"

#include <vector>

namespace bristle::report {

struct Line {
    BodyId body;
    Vec3 from, to;  // in the body's frame
    Segment kind;
};
using Lines = std::vector<Line>;

// How much is drawn of a plane: a square, in its own coordinates.
struct PlanePatch {
    Vec3 middle;
    double half = 1;  // m
};

void add_outline(Lines&, BodyId, const Geometry&, const Pose&, const PlanePatch&);
// Keeps as many lines as a browser can move.
void thin_out(Lines&);

}  // namespace bristle::report
