// What every joint, drive, limit and spring is for the solvers: rows on velocities, GRI (13) and (16).
//
//   λ = clamp(offset − gain · J v, low, high)
//
// λ is the impulse of the step along J. A hard constraint J v = b is one of great gain with offset = gain · b;
// a spring or damper has the gain its stiffness gives; a motor at its limit, a stop that is not reached
// and a constant force are the same with λ at a bound or gain zero. Gauss-Seidel and Newton's method both
// read just this.
#pragma once

#include <bristle/math.h>

#include <cstdint>
#include <vector>

namespace bristle::impulse {

struct RowEntry {
    uint32_t group;
    Vec3 linear, angular;
};

struct Row {
    uint32_t first, count;  // entries; all of different moving groups
    double gain, offset, low, high;
    double calm_offset;  // the same without what mends errors of position
    bool is_joint;       // its errors are mended: it may give a little in a sweep
    double impulse;  // λ of the last solution; of the last part of a step, as if all were like it
    double total = 0;   // λ over the step
    double work = 0;    // J, in the step: λ times the mean of J v before and after, but for joints
    double compliance;  // J M⁻¹ Jᵀ
};

struct Rows {
    std::vector<Row> rows;
    std::vector<RowEntry> entries;
};

}  // namespace bristle::impulse
