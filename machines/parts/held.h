// A spring that gives way at a limit: what brakes and locks hold by. It lets nothing go below it.
#pragma once

#include <algorithm>
#include <cmath>

namespace bristle::machines {

// What it is wound by at the end of a step, its effort, and how it resists.
struct Held {
    double wound, effort, stiffness, damping;
};

inline Held hold(double before, double way, double rate, double stiffness, double calming,
                 double limit) {
    if (!(limit > 0)) return {0, 0, 0, 0};
    const double wound = before + way, effort = -stiffness * (wound + calming * rate);
    const double most = limit / stiffness;
    if (std::abs(effort) <= limit)
        return {std::clamp(wound, -most, most), effort, stiffness, stiffness * calming};
    return {std::clamp(wound, -most, most), std::copysign(limit, effort), 0, 0};
}

}  // namespace bristle::machines
